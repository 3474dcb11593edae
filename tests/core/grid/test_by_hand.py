"""What the examiner said of pieces, told of rows."""

import numpy as np

from core.arrangement.arrangement import MARGIN, Arrangement
from core.arrangement.faces import FacePair, other_faces
from core.faces.joint import posed_papers
from core.faces.ways import HALF_TURN, turned
from core.grid.by_hand import ByHand, RowsByHand, in_all_ways
from core.grid.standing import Standing
from core.matching.costs import Costs
from tests.core.grid.drawn_grid import as_piece

PIECES = [
    as_piece(name, np.zeros((20, width, 3), np.uint8))
    for name, width in zip("abcdef", (10, 20, 30, 40, 12, 14), strict=True)
]


def told(runs, said, faces=(), whole=False):
    """Tell of rows of poses what an arrangement says."""
    ids = [piece.id for piece in PIECES]
    n = len(ids)
    cost, blank = np.full((2 * n, 2 * n), 9, np.float32), np.ones(2 * n, np.float32)
    posed = posed_papers(ids, ids, Costs.of_all(cost, cost.astype(np.int16), blank, blank), other_faces(faces))
    by_hand = ByHand.of(said, posed)
    return by_hand, RowsByHand.of(runs, by_hand, Standing(posed, {piece.id: piece for piece in PIECES}), whole), posed


def test_pieces_below_each_other_say_where_their_rows_begin():
    said = Arrangement(confirmed_below=frozenset({("c", "e")}), forbidden_below=frozenset({("b", "d")}))
    by_hand, rows, posed = told([(0, 1, 2), (3, 4)], said)
    n, n_rows = posed.n, 2
    assert by_hand.confirmed_below == [(2, 4), (4 + n, 2 + n)], "upside down they change places"
    assert rows.kept[0, 1] == 10 + 20 - 40
    standing = in_all_ways([(0, 1, 2), (3, 4)], posed)
    assert standing[3] == (4 + n, 3 + n)
    assert rows.kept[3, 2] == 0, "upside down both begin their rows"
    assert (0, 1, 10) in rows.avoided
    assert rows.said.confirmed == {("the row of a", "the row of d")}
    assert not rows.said.half_turned
    assert len(rows.avoided) == n_rows
    assert rows.least_px == np.median([10, 20, 30, 40, 12, 14]) / 2


def test_a_row_that_stands_otherwise_than_it_was_said_of_is_named_so():
    n = len(PIECES)
    _, rows, posed = told(
        [(0, 1), (turned(3, n, HALF_TURN), turned(2, n, HALF_TURN))],
        Arrangement(confirmed_below=frozenset({("a", "c")})),
    )
    assert rows.said.half_turned == {"the row of d"}
    assert rows.said.confirmed == {("the row of a", "the row of d")}
    assert rows.kept[0, 1 + 2 * HALF_TURN] == 0
    assert posed.n_ways == 2


def test_what_would_have_a_row_stand_in_two_ways_is_left_out():
    said = Arrangement(
        half_turned=frozenset("b"),
        turned_by_hand=frozenset("b"),
        confirmed_below=frozenset({("a", "c"), ("b", "e")}),
    )
    _, rows, _ = told([(0, 1), (2, 3), (4, 5)], said)
    # The row of a and b keeps its way up: b stood upside down when something was said of it.
    assert rows.said.confirmed == {("the row of a", "the row of c")}
    assert rows.said.turned_by_hand == {"the row of a"}


def test_margins_and_rows_put_by_hand_are_held():
    said = Arrangement(held_below=frozenset({("a", "c"), (MARGIN, "a"), ("x", "c")}))
    _, rows, _ = told([(0, 1), (2, 3), (4, 5)], said)
    assert rows.said.held == {("the row of a", "the row of c"), (MARGIN, "the row of a")}


def test_whole_rows_are_not_held_aside():
    aside, below = Arrangement(held_below=frozenset({("b", "c")})), Arrangement(held_below=frozenset({("a", "c")}))
    for said, n_held in ((aside, 1), (below, 1)):
        assert len(told([(0, 1), (2, 3)], said)[1].said.held) == n_held
    assert [len(told([(0, 1), (2, 3)], said, whole=True)[1].said.held) for said in (aside, below)] == [0, 1]
    confirmed = Arrangement(confirmed_below=frozenset({("b", "d")}))
    assert len(told([(0, 1), (2, 3)], confirmed, whole=True)[1].said.confirmed) == 1


def test_of_one_row_nothing_is_told():
    said = Arrangement(confirmed_below=frozenset({("a", "b")}), forbidden_below=frozenset({("b", "a")}))
    _, rows, _ = told([(0, 1), (2, 3)], said)
    assert (rows.kept, rows.avoided, rows.said.confirmed) == ({}, [], frozenset())


def test_rows_from_behind_are_named_so():
    pairs = [FacePair("a", "d", False, 0), FacePair("b", "e", False, 0), FacePair("c", "f", False, 0)]
    said = Arrangement(confirmed_below=frozenset({("d", "e")}))
    _, rows, posed = told([(0,), (1,), (2,)], said, pairs)
    assert (posed.n, posed.n_ways) == (3, 4)
    assert rows.said.confirmed == {("the row of a from behind", "the row of b from behind")}
    assert {posed.papers[0], posed.papers[1]} == {("a", "d"), ("b", "e")}
