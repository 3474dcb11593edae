"""Rows with empty places, grown in both directions."""

from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.faces.posed import Posed
from core.grid.by_hand import ByHand
from core.grid.completion import KEPT, Evidence
from core.grid.growing import MOST_BLANK, grown_rows
from core.grid.margins import Margins
from core.grid.standing import EMPTY, Standing, turned_run
from core.matching.costs import Costs
from tests.core.grid.drawn_grid import as_piece

ROWS, COLUMNS = 4, 6
CELLS = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]


def _said(*turned: int) -> ByHand:
    return ByHand(Arrangement(), frozenset(turned), [], [])


def _set(empty: set[tuple[int, int]]) -> tuple[dict[tuple[int, int], int], Evidence, Margins]:
    """Make true joins of a page with empty places likely, in both ways up, and no other one."""
    number = {cell: at for at, cell in enumerate(cell for cell in CELLS if cell not in empty)}
    n = len(number)
    across, down = np.full((2 * n, 2 * n), 9, np.float32), np.full((2 * n, 2 * n), 0.5, np.float32)
    to_blank, from_blank = np.full(2 * n, 9, np.float32), np.full(2 * n, 9, np.float32)
    for (row, column), one in number.items():
        if (right := number.get((row, column + 1))) is not None:
            across[one, right] = across[right + n, one + n] = 1
        if (below := number.get((row + 1, column))) is not None:
            down[one, below] = down[below + n, one + n] = -4
    pieces = [as_piece(f"1-{at:03}", np.full((40, 30, 3), 240, np.uint8)).changed(blank=False) for at in range(n)]
    shift, odds = np.zeros(across.shape, np.int16), np.ones(2 * n, np.float32)
    costs = Costs.of_all(across, shift, to_blank, from_blank, 1.0, upright=odds)
    posed = Posed.alone([piece.id for piece in pieces], costs)
    standing = Standing(posed, {piece.id: piece for piece in pieces})
    return number, Evidence(across, to_blank, from_blank, down, None), Margins(standing)


def _true(number: dict[tuple[int, int], int], row: int) -> tuple[int, ...]:
    return tuple(number.get((row, column), EMPTY) for column in range(COLUMNS))


def _seen_upright(rows, n):
    """Return rows as they are, and all turned."""
    return {*rows}, {turned_run(row, n, 1) for row in rows}


@pytest.mark.parametrize(
    "empty",
    [
        {(1, 3)},
        {(0, 5), (1, 4), (1, 5), (3, 0)},
        {(0, column) for column in range(COLUMNS)},
    ],
    ids=["one in the middle", "ends of rows", "a whole row"],
)
def test_parts_come_together_around_empty_places(empty):
    number, evidence, margins = _set(empty)
    runs = []
    for row in range(ROWS):  # as the cheapest rows are: broken where a piece is blank, and some upside down
        for part in "".join(" " if (row, column) in empty else chr(97 + column) for column in range(COLUMNS)).split():
            run = tuple(number[row, ord(letter) - 97] for letter in part)
            runs.append(turned_run(run, len(number), row % 2))
    rows = grown_rows(runs, evidence, margins, len(empty), _said())
    assert rows is not None
    true = {_true(number, row) for row in range(ROWS)} - {(EMPTY,) * COLUMNS}
    assert true in _seen_upright(rows, len(number))


def test_rows_that_run_into_each_other_are_broken():
    empty = {(0, 5), (2, 0)}
    number, evidence, margins = _set(empty)
    in_rows = [[pose for pose in _true(number, row) if pose != EMPTY] for row in range(ROWS)]
    runs = [(*in_rows[0], *in_rows[2]), (*in_rows[1],), (*in_rows[3],)]
    rows = grown_rows(runs, evidence, margins, len(empty), _said())
    assert rows is not None
    assert {_true(number, row) for row in range(ROWS)} in _seen_upright(rows, len(number))


def test_what_was_turned_by_hand_keeps_its_way_up():
    empty = {(1, 3)}
    number, evidence, margins = _set(empty)
    runs = [turned_run(tuple(pose for pose in _true(number, row) if pose != EMPTY), len(number), 1) for row in range(4)]
    rows = grown_rows(runs, evidence, margins, len(empty), _said(number[2, 2]))
    assert rows is not None
    assert {*rows} == {turned_run(_true(number, row), len(number), 1) for row in range(ROWS)}


def test_what_was_confirmed_stays_and_what_is_impossible_does_not_come():
    empty = {(1, 3)}
    number, evidence, margins = _set(empty)
    stranger, end = number[3, 0], number[1, 2]
    evidence.across[end, stranger] = KEPT
    evidence.across[number[0, 0], number[0, 1]] = np.inf
    runs = [tuple(pose for pose in _true(number, row) if pose != EMPTY) for row in range(ROWS)]
    runs[1:2] = [(*runs[1][:3], stranger), runs[1][3:]]
    runs[-1] = runs[-1][1:]
    rows = grown_rows(runs, evidence, margins, len(empty), _said())
    assert rows is not None
    joins = {join for some in _seen_upright(rows, len(number)) for row in some for join in pairwise(row)}
    assert (end, stranger) in joins
    assert (number[0, 0], number[0, 1]) not in joins


def test_of_pages_with_many_blank_pieces_nothing_is_said():
    empty = {cell for cell in CELLS if cell[1] > 2}
    number, evidence, margins = _set(empty)
    assert len(empty) > MOST_BLANK * len(CELLS)
    runs = [tuple(pose for pose in _true(number, row) if pose != EMPTY) for row in range(ROWS)]
    assert grown_rows(runs, evidence, margins, len(empty), _said()) is None


def test_rows_are_no_longer_than_they_are_said_to_be():
    number, evidence, margins = _set(set())
    runs = [tuple(number[row, column] for column in range(COLUMNS)) for row in range(ROWS)]
    rows = grown_rows(runs, evidence, margins, 0, _said(), length=COLUMNS // 2)
    assert rows is not None
    assert {len(row) for row in rows} == {COLUMNS // 2}
    assert sorted(pose % len(number) for row in rows for pose in row if pose != EMPTY) == list(range(len(number)))
