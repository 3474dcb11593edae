from dataclasses import replace

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces
from core.shreds.shred import Shred
from training.measuring.cross_cut.judging import Judged, judge, with_rows_behind
from training.pages.cross_cut import Pieces, TruePlace

WIDTH_PX = 10


def shred(name, *, blank=False, width_px=WIDTH_PX):
    pixels, mask = np.full((40, width_px, 3), 255, np.uint8), np.ones((40, width_px), np.bool_)
    bbox, outline = (0, 0, width_px, 40), np.zeros((0, 2), np.float32)
    return Shred(name, 0, bbox, outline, 0.0, pixels, mask, 0, blank, cross_cut=True)


def grid(*pages, blank="", half_turned="", offset_px=0):
    """The truth: pages as rows of names; each row may lie so much farther right than the one above."""
    places = {
        name: TruePlace(number, at, column, column * WIDTH_PX + at * offset_px, name in half_turned)
        for number, page in enumerate(pages)
        for at, row in enumerate(page.split("/"))
        for column, name in enumerate(row.split())
        if name != "-"
    }
    return Pieces(tuple(shred(name, blank=name in blank) for name in places), places, float(WIDTH_PX))


def arrangement(*rows, half_turned=""):
    """Rows as (page, row, right by so many pixels, names); a row that is names alone was put nowhere."""
    named = [row if isinstance(row, tuple) else (*(None,) * 3, row) for row in rows]
    return Arrangement(
        tuple(tuple(row[3].split()) for row in named),
        half_turned=frozenset(half_turned.split()),
        grid_places={row[3].split()[0]: row[:3] for row in named if row[0] is not None},
    )


def counts(judged):
    return judged.across, judged.n_across, judged.down, judged.n_down, judged.in_place, judged.n_inked


TRUTH = grid("a b c/d e f")


def test_a_page_that_is_right_is_right():
    (judged,) = judge(arrangement((0, 0, 0, "a b c"), (0, 1, 0, "d e f")), TRUTH)
    assert counts(judged) == (4, 4, 3, 3, 6, 6)
    assert judged.shares() == {"across": 1.0, "down": 1.0, "in_place": 1.0}


def test_a_page_may_be_upside_down_as_a_whole():
    upside_down = arrangement((0, 0, 0, "f e d"), (0, 1, 0, "c b a"), half_turned="a b c d e f")
    assert counts(*judge(upside_down, TRUTH)) == (4, 4, 3, 3, 6, 6)
    as_they_lay = arrangement((0, 0, 0, "f e d"), (0, 1, 0, "c b a"))
    assert counts(*judge(as_they_lay, grid("a b c/d e f", half_turned="abcdef"))) == (4, 4, 3, 3, 6, 6)
    assert counts(*judge(as_they_lay, TRUTH))[:4] == (0, 4, 0, 3)


def test_both_pieces_of_a_join_are_the_same_way_up():
    one_turned = arrangement((0, 0, 0, "a b c"), (0, 1, 0, "d e f"), half_turned="b")
    assert counts(*judge(one_turned, TRUTH)) == (2, 4, 2, 3, 5, 6)


def test_rows_that_lie_too_far_right_or_on_other_pages_are_wrong_below_and_right_beside():
    assert counts(*judge(arrangement((0, 0, 0, "a b c"), (0, 1, 10, "d e f")), TRUTH)) == (4, 4, 0, 3, 3, 6)
    assert counts(*judge(arrangement((0, 0, 0, "a b c"), (1, 0, 0, "d e f")), TRUTH)) == (4, 4, 0, 3, 3, 6)
    assert counts(*judge(arrangement((0, 0, 0, "a b c"), (0, 2, 0, "d e f")), TRUTH)) == (4, 4, 0, 3, 3, 6)
    assert counts(*judge(arrangement("a b c", "d e f"), TRUTH)) == (4, 4, 0, 3, 3, 6)


def test_a_row_that_begins_farther_right_is_in_place_by_what_it_begins_with():
    assert counts(*judge(arrangement((0, 0, 0, "a b c"), (0, 1, 11, "e f")), TRUTH)) == (3, 4, 2, 3, 5, 6)
    assert counts(*judge(arrangement((0, 0, 0, "a b c"), (0, 1, 0, "d f")), TRUTH)) == (2, 4, 1, 3, 4, 6)


def test_blank_pieces_count_by_themselves_and_missing_ones_not_at_all():
    truth = grid("a b c/d e f", blank="b")
    (judged,) = judge(arrangement((0, 0, 0, "a"), (0, 0, 20, "c"), (0, 1, 0, "d e f")), truth)
    assert counts(judged) == (2, 2, 2, 2, 5, 5)
    assert (judged.blank_in_place, judged.n_blank) == (0, 1)
    (judged,) = judge(arrangement((0, 0, 0, "a b c"), (0, 1, 0, "d e f")), truth)
    assert (judged.blank_in_place, judged.n_blank) == (1, 1)
    (judged,) = judge(arrangement((0, 0, 0, "b a c"), (0, 1, 0, "d e f")), truth)
    assert (judged.blank_in_place, judged.n_blank) == (0, 1)
    (judged,) = judge(arrangement((0, 0, 0, "a"), (0, 0, 20, "c"), (0, 1, 0, "d e f")), grid("a - c/d e f"))
    assert counts(judged) == (2, 2, 2, 2, 5, 5)


def test_where_rows_are_offset_the_piece_that_shares_more_of_the_width_is_below():
    truth = grid("a b c/d e f/g h i", offset_px=4)
    (judged,) = judge(arrangement((0, 0, 0, "a b c"), (0, 1, 4, "d e f"), (0, 2, 8, "g h i")), truth)
    assert counts(judged) == (6, 6, 6, 6, 9, 9)
    (judged,) = judge(arrangement((0, 0, 0, "a b c"), (0, 1, 14, "d e f"), (0, 2, 18, "g h i")), truth)
    assert counts(judged) == (6, 6, 3, 6, 6, 9)
    truth = grid("a b c/d e f", offset_px=6)
    (judged,) = judge(arrangement((0, 0, 0, "a b c"), (0, 1, 6, "d e f")), truth)
    assert (judged.down, judged.n_down) == (2, 2)


def test_pages_are_judged_one_by_one_and_added_up():
    truth = grid("a b/c d", "A B/C D")
    pages = judge(arrangement((0, 0, 0, "a b"), (0, 1, 0, "C D"), (1, 0, 0, "A B"), (1, 1, 0, "d c")), truth)
    assert [counts(page) for page in pages] == [(1, 2, 0, 2, 2, 4), (2, 2, 0, 2, 2, 4)]
    assert counts(Judged.of_all(pages)) == (3, 4, 0, 4, 4, 8)
    assert Judged().shares() == {"across": None, "down": None, "in_place": None}


def test_what_was_set_aside_or_is_not_in_the_truth_stands_nowhere():
    assert counts(*judge(Arrangement(set_aside=tuple("abcdef")), TRUTH)) == (0, 4, 0, 3, 0, 6)
    assert counts(*judge(arrangement((0, 0, 0, "a x b c")), TRUTH)) == (1, 4, 0, 3, 2, 6)


def test_far_along_a_row_columns_are_counted_as_wide_as_rows_were_compared():
    names = [f"x{column:02}" for column in range(30)]
    truth = grid(f"{' '.join(names)}/{'- ' * 28}y z")
    truth = Pieces(tuple(shred(name, width_px=9) for name in truth.places), truth.places, truth.pitch_px)
    assert counts(*judge(arrangement((0, 0, 0, " ".join(names)), (0, 1, 280, "y z")), truth))[2:4] == (2, 2)


def test_what_is_seen_behind_is_a_page_of_its_own():
    truth = grid("a b/c d", "q p/s r")
    faces = other_faces([FacePair(one, other, False, 0) for one, other in zip("abcd", "pqrs", strict=True)])
    front = replace(arrangement((0, 0, 0, "a b"), (0, 1, 0, "c d")), other_faces=faces)
    assert [counts(judged) for judged in judge(with_rows_behind(front), truth)] == [(2, 2, 2, 2, 4, 4)] * 2
    mixed = replace(arrangement((0, 0, 0, "a b"), (0, 1, 0, "s r")), other_faces=faces)
    assert [counts(judged) for judged in judge(with_rows_behind(mixed), truth)] == [(2, 2, 0, 2, 2, 4)] * 2
    assert with_rows_behind(replace(front, other_faces={})).pages == front.pages
