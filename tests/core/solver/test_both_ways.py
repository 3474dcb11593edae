from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.faces.posed import Posed
from core.faces.ways import with_turned
from core.matching.costs import Costs
from core.matching.poses import twin
from core.options import SolverOptions
from core.progress import no_progress
from core.solver.both_ways import impossible_joins, solve_both_ways, to_be_read, ways_up

PAGES = ((0, 3, 5, 1), (2, 4, 6, 7))
UPSIDE_DOWN = {3, 1, 2}
N = 8


def pose(shred):
    return shred + N * (shred in UPSIDE_DOWN)


@pytest.fixture
def costs():
    """Two pages, some of whose shreds lie upside down; nothing tells which way up shred 1 is."""
    return costs_of_pages(PAGES)


def costs_of_pages(pages):
    cost = np.random.default_rng(0).uniform(5, 9, (2 * N, 2 * N)).astype(np.float32)
    cost = (cost + np.roll(cost.T, (N, N), (0, 1))) / 2
    for page in pages:
        for left, right in pairwise(page):
            cost[pose(left), pose(right)] = cost[twin(pose(right), N), twin(pose(left), N)] = 1
    np.fill_diagonal(cost, np.inf)
    upright = np.array([(-1 if shred in UPSIDE_DOWN else 1) * (shred != 1) for shred in range(N)], np.float32)
    blank = np.full(2 * N, 4, np.float32)
    return Costs.of_all(cost, np.zeros(cost.shape, np.int16), blank, blank, upright=np.concatenate([upright, -upright]))


AS_FOUND = Arrangement()


def solved(costs, arrangement=AS_FOUND, n_pages=2):
    ids = [str(shred) for shred in range(N)]
    return solve_both_ways(Posed.alone(ids, costs), SolverOptions(n_pages=n_pages), arrangement, no_progress)


def test_pages_come_out_once_and_upright(costs):
    solution, poses = solved(costs)
    assert solution.pages == PAGES
    assert solution.optimal
    assert {shred for shred in range(N) if poses[shred] >= N} == UPSIDE_DOWN


def test_a_page_of_which_nothing_tells_the_way_up_stays_as_most_of_it_lies(costs):
    silent = replace(costs, upright=np.zeros(2 * N, np.float32))
    solution, poses = solved(silent)
    assert solution.pages[1] == PAGES[1]
    assert [poses[shred] >= N for shred in PAGES[1]] == [True, False, False, False]


def test_what_was_turned_by_hand_wins_over_all_print(costs):
    by_hand = Arrangement(half_turned=frozenset("0"), turned_by_hand=frozenset("0"))
    solution, poses = solved(costs, by_hand)
    assert solution.pages == ((1, 5, 3, 0), PAGES[1])
    assert poses[0] == N


def test_two_turned_by_hand_against_each_other_keep_their_ways_up(costs):
    by_hand = Arrangement(half_turned=frozenset("0"), turned_by_hand=frozenset("05"))
    _, poses = solved(costs, by_hand)
    assert (poses[0], poses[5]) == (N, 5)


def test_a_forbidden_join_is_forbidden_upside_down_as_well(costs):
    stands = Arrangement(half_turned=frozenset(map(str, UPSIDE_DOWN)), forbidden=frozenset({("0", "3")}))
    solution, poses = solved(costs, stands)
    joins = {(poses[left], poses[right]) for page in solution.pages for left, right in pairwise(page)}
    assert not joins & set(with_turned([(pose(0), pose(3))], N, 2))


def test_a_confirmed_join_holds_in_either_way_up(costs):
    solution, poses = solved(costs, Arrangement(confirmed=frozenset({("0", "7")})))
    assert any((0, 7) in pairwise(page) for page in solution.pages)
    assert (poses[0] >= N) == (poses[7] >= N)


@pytest.mark.parametrize(("said", "stands"), [(("1", "3"), ""), (("3", "1"), "13")])
def test_a_confirmed_join_of_two_that_come_out_upside_down_is_the_same_on_paper(said, stands):
    costs = costs_of_pages(((0, 3, 1, 5), (2, 4, 6, 7)))
    stood = Arrangement(confirmed=frozenset({said}), half_turned=frozenset(stands))
    solution, poses = solved(costs, stood)
    assert solution.pages == ((0, 3, 1, 5), (2, 4, 6, 7))
    assert (poses[1], poses[3]) == (pose(1), pose(3))


def all_alike(n):
    cost = np.full((2 * n, 2 * n), 9, np.float32)
    np.fill_diagonal(cost, np.inf)
    blank = np.full(2 * n, 4, np.float32)
    return Costs.of_all(cost, np.zeros(cost.shape, np.int16), blank, blank)


def test_no_shred_is_joined_with_itself():
    assert impossible_joins(all_alike(2), 2, []) == [(0, 2), (1, 3), (2, 0), (3, 1)]


def test_what_was_turned_apart_is_not_joined():
    costs = all_alike(3)
    joins = impossible_joins(costs, 3, [0, 4])
    assert set(joins) == {*((pose, twin(pose, 3)) for pose in range(6)), (0, 1), (1, 0), (3, 4), (4, 3)}
    costs.cost[costs.at(0, 1)] = np.inf
    assert (0, 1) not in impossible_joins(costs, 3, [0, 4])


def test_every_page_is_turned_by_its_own_print_whatever_tied_it_to_others(costs):
    standing = [pose(shred) for shred in range(N)]
    standing[2], standing[4], standing[6], standing[7] = 2, 4 + N, 6 + N, 7 + N
    found = PAGES[0], PAGES[1][::-1]
    posed = Posed.alone(map(str, range(N)), costs)
    assert to_be_read(found, standing, posed, frozenset()) == (PAGES, [pose(shred) for shred in range(N)])
    assert to_be_read(found, standing, posed, {4}) == (found, standing)


def test_contradicting_joins_count_from_the_cheapest_on():
    costs = all_alike(2)
    costs.cost[costs.at(0, 1)] = 1
    assert ways_up([(0, 1), (0, 3)], Posed.alone("01", costs), {}) == [0, 1]
    costs.cost[costs.at(0, 3)] = 0
    assert ways_up([(0, 1), (0, 3)], Posed.alone("01", costs), {}) == [0, 3]


def test_the_only_joins_there_are_stand_although_print_contradicts_them():
    costs = replace(all_alike(2), upright=np.array([50, 50, -50, -50], np.float32))
    costs.cost[costs.cost < np.inf] = np.inf
    costs.cost[costs.at([0, 1], [3, 2])] = 1
    solution, poses = solve_both_ways(Posed.alone("01", costs), SolverOptions(n_pages=1), AS_FOUND, no_progress)
    assert solution.pages == ((0, 1),)
    assert poses in ([0, 3], [2, 1])
