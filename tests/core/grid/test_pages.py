"""Rows put into pages."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces
from core.faces.joint import posed_papers
from core.faces.posed import UNSEEN
from core.faces.ways import turned
from core.grid.pages import put_into_pages
from core.matching.costs import Costs
from core.options import SolverOptions
from tests.core.grid.drawn_grid import drawn_pieces

ONE_PAGE = SolverOptions(n_pages=1)


def stacked(rows, shreds, faces=(), upside_down=(), said=Arrangement(), without_print=(), doubtful=()):  # noqa: B008
    """Put rows, given as names, into a page; those that are upside down by their print are, as they lie.

    Their joins cost nothing, all others and the doubtful ones something.
    """
    ids = [shred.id for shred in shreds]
    n = len(ids)
    odds = np.array([-1 if one in upside_down else 1 for one in ids], np.float32)
    cost, blank = np.full((2 * n, 2 * n), 400, np.float32), np.full(2 * n, 200, np.float32)
    for one, other in (pair for row in rows for pair in pairwise(map(ids.index, row))):
        cost[one, other] = cost[other + n, one + n] = 400 if (ids[one], ids[other]) in doubtful else 0
    costs = Costs.of_all(cost, np.zeros(cost.shape, np.int16), blank, blank, 1.0, upright=np.concatenate([odds, -odds]))
    posed = posed_papers(ids, ids, costs, other_faces(faces))
    pose, papers = list(range(posed.n)), []
    for row in rows:
        for name in row:
            paper, over = posed.index[name]
            pose[paper] = turned(paper, posed.n, over)
        papers.append(tuple(posed.index[name][0] for name in row))
    by_id = {shred.id: shred for shred in shreds}
    grid = put_into_pages(papers, pose, posed, by_id, ONE_PAGE, said, blank=without_print)
    standing = [[posed.stand(grid.pose[paper]) for paper in row] for row in grid.rows]
    assert all(face != "" for row in standing for face, _ in row)
    names = [[face for face, _ in row] for row in standing]
    return names, [{half_turned for _, half_turned in row} for row in standing], grid.places


@pytest.fixture(scope="module")
def drawn():
    return drawn_pieces(3, 8, seed=5)


@pytest.fixture(scope="module")
def printed_twice():
    """Two pages of three rows on one sheet of paper: all faces, front and back row by row, and which are one piece."""
    pieces, front = drawn_pieces(3, 8, seed=5)
    behind, back = drawn_pieces(3, 8, seed=6)
    behind = [piece.changed(id="2" + piece.id[1:]) for piece in behind]
    back = [["2" + name[1:] for name in row] for row in back]
    pairs = [
        FacePair(one, other, False, 0)
        for row, other_row in zip(front, back, strict=True)
        for one, other in zip(row, other_row[::-1], strict=True)
    ]
    return [*pieces, *behind], front, back, pairs


@pytest.mark.parametrize("whole", [False, True])
def test_rows_of_a_drawn_page_come_in_their_order(drawn, whole):
    pieces, grid = drawn
    rows = grid if whole else [*grid[:2], grid[2][:-1]]
    here = {name for row in rows for name in row}
    order = [rows[1], rows[2], rows[0]]
    names, turns, places = stacked(order, [piece for piece in pieces if piece.id in here])
    assert names == rows
    assert turns == [{False}] * 3
    assert [place[:2] for place in places] == [(0, 0), (0, 1), (0, 2)]
    right_px = {right_px for _, _, right_px in places}
    assert right_px == {0} if whole else max(right_px) <= 4


@pytest.mark.parametrize("whole", [False, True])
def test_a_row_upside_down_is_turned(drawn, whole):
    pieces, grid = drawn
    rows = grid[:2] if whole else [grid[0], grid[1][:-1]]
    here = [piece.changed(half_turn=piece.id in rows[1]) for piece in pieces if piece.id in rows[0] + rows[1]]
    names, turns, _ = stacked([rows[0], rows[1][::-1]], here, upside_down=rows[1])
    assert names == rows
    assert turns == [{False}, {True}]


@pytest.mark.parametrize("whole", [False, True])
def test_a_row_that_was_turned_by_hand_keeps_its_way_up(drawn, whole):
    pieces, grid = drawn
    rows = grid[:2] if whole else [grid[0], grid[1][:-1]]
    here = [piece.changed(half_turn=piece.id in rows[1]) for piece in pieces if piece.id in rows[0] + rows[1]]
    said = Arrangement(turned_by_hand=frozenset(rows[1][:1]))
    names, turns, _ = stacked([rows[0], rows[1][::-1]], here, upside_down=rows[1], said=said)
    turned = dict(zip(map(frozenset, names), turns, strict=True))
    assert turned[frozenset(rows[1])] == {False}


@pytest.mark.parametrize("whole", [False, True])
def test_a_row_of_which_the_back_is_seen_is_turned_over(printed_twice, whole):
    shreds, front, back, pairs = printed_twice
    if not whole:
        gone = {front[2][-1], back[2][0]}
        shreds = [shred for shred in shreds if shred.id not in gone]
        pairs = [pair for pair in pairs if pair.one not in gone]
        front, back = [*front[:2], front[2][:-1]], [*back[:2], back[2][1:]]
    names, turns, places = stacked([front[2], back[0], front[1]], shreds, pairs)
    assert names in (front, back)
    assert turns == [{False}] * 3
    assert [place[:2] for place in places] == [(0, 0), (0, 1), (0, 2)]


def test_rows_are_made_complete_where_blank_pieces_are_too_many_to_be_placed(drawn):
    pieces, grid = drawn
    parts = [grid[0], grid[1], grid[2][:5], grid[2][5:]]
    blank = [(f"9-{number:03}", UNSEEN) for number in range(len(pieces))]
    without = stacked(parts, pieces)
    assert sorted(map(len, without[0])) == [8, 8, 8]
    assert stacked(parts, pieces, without_print=blank) == without


@pytest.mark.parametrize("whole", [False, True])
def test_what_is_confirmed_below_holds_against_the_print(drawn, whole):
    pieces, grid = drawn
    rows = grid if whole else [*grid[:2], grid[2][:-1]]
    here = [piece for piece in pieces if piece.id in {name for row in rows for name in row}]
    said = Arrangement(confirmed_below=frozenset({(rows[2][3], rows[0][5])}))
    names, _, places = stacked(rows, here, said=said)
    if whole:  # all rows begin at one place: pieces change theirs
        (row, column), (below, beside) = (
            next((number, run.index(piece)) for number, run in enumerate(names) if piece in run)
            for piece in (rows[2][3], rows[0][5])
        )
        assert (row + 1, column) == (below, beside)
        return
    assert names in ([rows[2], rows[0], rows[1]], [rows[1], rows[2], rows[0]])
    right_px = {name[0]: place[2] for name, place in zip(names, places, strict=True)}
    assert right_px[rows[0][0]] - right_px[rows[2][0]] == -2 * 96, "the sixth piece stands below the fourth"


@pytest.mark.parametrize("whole", [False, True])
def test_what_is_forbidden_below_is_avoided(drawn, whole):
    pieces, grid = drawn
    rows = grid if whole else [*grid[:2], grid[2][:-1]]
    here = [piece for piece in pieces if piece.id in {name for row in rows for name in row}]
    said = Arrangement(forbidden_below=frozenset({(rows[0][3], rows[1][3])}))
    names, _, places = stacked(rows, here, said=said)
    at = {name[0]: place for name, place in zip(names, places, strict=True)}
    (page, above, right_px), (other_page, below, other_px) = at[rows[0][0]], at[rows[1][0]]
    assert (page, above + 1) != (other_page, below) or abs(right_px - other_px) >= 48


@pytest.mark.parametrize("whole", [False, True])
def test_rows_that_were_put_below_each_other_by_hand_stay_so_unless_that_is_forbidden(drawn, whole):
    pieces, grid = drawn
    rows = grid if whole else [*grid[:2], grid[2][:-1]]
    here = [piece for piece in pieces if piece.id in {name for row in rows for name in row}]
    held = Arrangement(held_below=frozenset({(rows[2][0], rows[0][0])}))
    names, _, _ = stacked(rows, here, said=held)
    assert names.index(rows[0]) == names.index(rows[2]) + 1
    upright = frozenset(piece.id for piece in here)
    contradicted = replace(held, turned_by_hand=upright, confirmed_below=frozenset({(rows[2][0], rows[1][0])}))
    names, _, _ = stacked(rows, here, said=contradicted)
    above, below = (next(row for row, run in enumerate(names) if rows[at][0] in run) for at in (2, 1))
    assert below == above + 1


def test_rows_that_are_broken_wrongly_become_whole_by_what_lies_above_and_below(drawn):
    pieces, grid = drawn
    mixed = [grid[0], grid[1][:3] + grid[2][3:], grid[2][:3] + grid[1][3:]]
    names, turns, places = stacked(mixed, pieces, doubtful=[(grid[1][2], grid[2][3]), (grid[2][2], grid[1][3])])
    assert names == grid
    assert turns == [{False}] * 3
    assert [place[:2] for place in places] == [(0, 0), (0, 1), (0, 2)]
