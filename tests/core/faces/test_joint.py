"""Two pages printed on both faces of five pieces of paper each, and prices of their faces."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces
from core.faces.joint import joint_costs
from core.faces.posed import UNSEEN
from core.faces.ways import turned_join
from core.matching.costs import Costs
from core.options import SolverOptions
from core.progress import no_progress
from core.solver.order import Problem, find_order

N = 6
FRONTS, BACKS = [f"1-{k}" for k in range(N)], [f"2-{k}" for k in range(N)]
PAPERS = list(zip(FRONTS, BACKS, strict=True))
UPSIDE_DOWN = {"2-1", "2-4"}
"""Backs that were half-turned between the scans."""
FACES = other_faces([FacePair(one, other, other in UPSIDE_DOWN, 0) for one, other in PAPERS])
PAGES = ((0, 2, 1), (5, 3, 4))
TRUE, STRANGE, BLANK = 1.0, 20.0, 9.0


def single(front=TRUE, back=TRUE, seed=0, contour=0.0, compared=(*FRONTS, *BACKS)):
    """Costs of faces, fronts upright as they lie: a true join costs so much on the front, so much on the back."""
    n = len(compared)
    row = {face: number for number, face in enumerate(compared)}
    cost = np.random.default_rng(seed).uniform(STRANGE, STRANGE + 5, (2 * n, 2 * n)).astype(np.float32)
    cost = (cost + np.roll(cost.T, (n, n), (0, 1))) / 2
    wave = np.zeros_like(cost)
    for page in PAGES:
        for left, right in pairwise(page):
            for (one, other), price in (
                ((FRONTS[left], FRONTS[right]), front),
                ((BACKS[right], BACKS[left]), back),
            ):
                if one in row and other in row:
                    a, b = (row[face] + n * (face in UPSIDE_DOWN) for face in (one, other))
                    for join in ((a, b), ((b + n) % (2 * n), (a + n) % (2 * n))):
                        cost[join], wave[join] = price, contour
    for way in (0, n):
        cost[np.arange(n), (np.arange(n) + way) % (2 * n)] = np.inf
        cost[np.arange(n, 2 * n), (np.arange(n, 2 * n) + way) % (2 * n)] = np.inf
    blank = np.full(2 * n, BLANK, np.float32)
    upright = np.array([-1 if face in UPSIDE_DOWN else 1 for face in compared], np.float32)
    upright[[row[face] for face in compared if face in BACKS]] *= 0.5
    odds = np.concatenate([upright, -upright])
    return Costs.of_all(cost, np.zeros(cost.shape, np.int16), blank, blank, 1.0, contour=wave, upright=odds)


def found(costs, compared=(*FRONTS, *BACKS), papers=PAPERS, faces=FACES, previous=None):
    posed = joint_costs(costs, compared, papers, faces)
    options = SolverOptions(n_pages=2)
    problem = Problem(
        posed, options, previous or Arrangement(other_faces=faces), np.full(len(papers), 0.1), no_progress
    )
    solution, pose = find_order(problem, 2)
    stands = [posed.stand(one) for one in pose]
    return solution, [[stands[paper] for paper in page] for page in solution.pages]


def names(pages):
    return {tuple(face for face, _ in page) for page in pages}


FRONT_PAGES = {tuple(FRONTS[k] for k in page) for page in PAGES}


def test_a_join_costs_the_same_however_all_paper_is_turned():
    joint = joint_costs(single(contour=0.5), (*FRONTS, *BACKS), PAPERS, FACES).costs
    for by in range(1, 4):
        left, right = turned_join(joint.left.astype(int), joint.right.astype(int), N, by)
        np.testing.assert_array_equal(joint.cost_of(left, right), joint.cost)


def test_the_faces_of_a_join_add_up_and_its_cut_counts_once():
    joint = joint_costs(single(3.0, 5.0, contour=0.5), (*FRONTS, *BACKS), PAPERS, FACES).costs
    assert joint.cost_of(0, 2) == pytest.approx(3 + 5 - 0.5)
    assert joint.parts(0, 2)["contour"] == pytest.approx(0.5)
    assert joint.to_blank[0] == 2 * BLANK


@pytest.mark.parametrize(("front", "back"), [(TRUE, TRUE), (TRUE, STRANGE), (STRANGE, TRUE)])
def test_either_face_tells_the_order(front, back):
    solution, pages = found(single(front, back))
    assert names(pages) == FRONT_PAGES
    assert solution.optimal
    assert not any(upside_down for page in pages for _, upside_down in page)


def test_what_lies_with_its_back_up_among_fronts_is_turned_over():
    papers = [(back, front) if k in (1, 3) else (front, back) for k, (front, back) in enumerate(PAPERS)]
    _, pages = found(single(), papers=papers)
    assert names(pages) == FRONT_PAGES


def test_where_backs_are_blank_the_front_decides():
    compared = (*FRONTS, *BACKS[:2])
    _, pages = found(single(compared=compared), compared)
    assert names(pages) == FRONT_PAGES


def test_paper_of_which_one_face_was_scanned_is_placed_by_that():
    known = PAPERS[:4]
    papers = [*known, (FRONTS[4], UNSEEN), (FRONTS[5], UNSEEN)]
    faces = {face: other for face, other in FACES.items() if {face, other[0]} & {*FRONTS[:4], *BACKS[:4]}}
    compared = (*FRONTS, *BACKS[:4])
    _, pages = found(single(compared=compared), compared, papers, faces)
    assert names(pages) == FRONT_PAGES


def test_a_face_that_was_not_scanned_does_not_draw_those_whose_other_face_would_find_a_neighbour():
    compared, papers = (*FRONTS, *BACKS[:5]), [*PAPERS[:5], (FRONTS[5], UNSEEN)]
    faces = {face: other for face, other in FACES.items() if FRONTS[5] not in (face, other[0])}
    costs = single(compared=compared)
    joint = joint_costs(costs, compared, papers, faces).costs
    assert costs.cost[costs.before(2 + costs.n // 2)].min() < BLANK, "of paper 2 either border on the back has one"
    for other in range(5):
        assert joint.cost_of(5, other) == pytest.approx(costs.cost_of(5, other) + BLANK), "as beside a margin"


def test_blank_beside_ink_comes_into_question_where_neither_face_lists_it():
    compared = (*FRONTS[:3], *BACKS[3:])
    joint = joint_costs(single(compared=compared), compared, PAPERS, FACES).costs
    assert joint.cost_of(0, 3) == 2 * BLANK


def test_what_was_said_of_a_back_holds_for_its_front():
    said = Arrangement(confirmed=frozenset({("2-3", "2-0")}), half_turned=frozenset(UPSIDE_DOWN), other_faces=FACES)
    _, pages = found(single(), previous=said)
    assert ("1-0", "1-3") in {pair for page in names(pages) for pair in pairwise(page)}
    said = replace(said, confirmed=frozenset(), forbidden=frozenset({("2-2", "2-0")}))
    assert ("1-0", "1-2") not in {pair for page in names(found(single(), previous=said)[1]) for pair in pairwise(page)}


def test_a_join_missing_on_one_face_costs_no_less_than_the_dearest_that_is_there():
    costs = single(3.0, 5.0)
    on_front = costs.at([0, 2 + 2 * N], [2, 2 * N])
    left, right, cost, shift_px = (
        np.delete(values, on_front) for values in (costs.left, costs.right, costs.cost, costs.shift_px)
    )
    few = Costs(left, right, cost, shift_px, costs.to_blank, costs.from_blank, 1.0)
    joint = joint_costs(few, (*FRONTS, *BACKS), PAPERS, FACES).costs
    assert joint.cost_of(0, 2) > 5 + STRANGE


def test_faces_that_tell_different_heights_of_a_join_speak_against_it():
    costs = single()
    shift_px = np.zeros(len(costs.left), np.int16)
    apart = np.random.default_rng(2).integers(0, 2, len(costs.left)) * np.int16(40)
    of_strangers = costs.cost > TRUE
    shift_px[of_strangers] = apart[of_strangers]
    joint = joint_costs(replace(costs, shift_px=shift_px), (*FRONTS, *BACKS), PAPERS, FACES).costs
    assert joint.parts(0, 2)["laying"] < 0
    laying = joint.laying[joint.cost > 2 * STRANGE - 5]
    assert laying.min() < 0 < laying.max()
    assert (laying > 3).sum() == (laying > 0).sum()


def test_heights_follow_from_the_other_face_where_the_first_is_blank():
    compared = (*FRONTS[:1], *BACKS)
    costs = single(compared=compared)
    faces = other_faces([FacePair(one, other, other in UPSIDE_DOWN, 10 * k) for k, (one, other) in enumerate(PAPERS)])
    shifted = replace(costs, shift_px=np.full(len(costs.left), 3, np.int16))
    joint = joint_costs(shifted, compared, PAPERS, faces).costs
    assert joint.shift_of(2, 3) == 30 - 20 - 3


def test_sums_of_logarithms_keep_their_unit():
    costs = single()
    assert joint_costs(costs, (*FRONTS, *BACKS), PAPERS, FACES).costs.temperature == costs.temperature


def test_a_margin_costs_no_more_than_strangers_whatever_print_is_at_the_cut():
    costs = single()
    costs = replace(costs, from_blank=costs.from_blank.copy())
    costs.to_blank[0] = costs.from_blank[2 * N] = 10 * STRANGE  # front 0 at its right, as it lies and half-turned
    joint = joint_costs(costs, (*FRONTS, *BACKS), PAPERS, FACES).costs
    beside = np.sort(joint.cost[joint.left == 0])
    assert beside[0] == 2 * TRUE
    assert joint.to_blank[0] == beside[2] < 10 * STRANGE
    assert joint.from_blank[N] == joint.to_blank[0]
    assert joint.to_blank[1] == 2 * BLANK, "margins that cost less stay"
