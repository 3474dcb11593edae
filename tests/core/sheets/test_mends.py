from core.sheets.mends import (
    CropSheet,
    DrawOutline,
    ExcludeSheet,
    MergeShreds,
    NotPaper,
    PickBackground,
    SplitShred,
    ThisIsAShred,
    crosses_itself,
    described,
    mends_of,
    with_mend,
)

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))

EVERY = (
    SplitShred(((1.0, 2.0), (3.0, 4.0))),
    MergeShreds(((1.0, 2.0), (3.0, 4.0))),
    DrawOutline((1.0, 1.0), SQUARE),
    NotPaper((5.0, 6.0)),
    ThisIsAShred(SQUARE),
    ExcludeSheet(),
    PickBackground((7.0, 8.0)),
    CropSheet(((0.0, 0.0), (9.0, 9.0))),
)


def test_every_place_of_a_mend_moves():
    for mend in EVERY:
        assert mend.moved(10, 20).moved(-10, -20) == mend
    assert EVERY[0].moved(10, 20) == SplitShred(((11.0, 22.0), (13.0, 24.0)))
    assert EVERY[5].moved(10, 20) == ExcludeSheet()


def test_of_those_about_the_whole_sheet_the_last_counts():
    mends = with_mend(with_mend((), CropSheet(((0.0, 0.0), (5.0, 5.0)))), EVERY[3])
    other = CropSheet(((1.0, 1.0), (5.0, 5.0)))
    assert with_mend(mends, other) == (EVERY[3], other)
    assert with_mend(mends, EVERY[3]) == (*mends, EVERY[3])


def test_another_outline_of_what_was_drawn_last_takes_its_place():
    smaller = ((1.0, 1.0), (3.0, 1.0), (3.0, 3.0))
    drawn = (EVERY[3], DrawOutline((9.0, 9.0), SQUARE))
    assert with_mend(drawn, DrawOutline((2.0, 2.0), smaller)) == (EVERY[3], DrawOutline((9.0, 9.0), smaller))
    assert with_mend((ThisIsAShred(SQUARE),), DrawOutline((2.0, 2.0), smaller)) == (ThisIsAShred(smaller),)
    for mends, n_applied, at in ((drawn, 2, 2.0), (drawn, 0, 5.0), (drawn[::-1], 0, 2.0)):
        assert with_mend(mends, DrawOutline((at, at), smaller), n_applied)[:2] == mends


def test_excluding_again_takes_it_back():
    excluded = with_mend((EVERY[3],), ExcludeSheet())
    assert excluded == (EVERY[3], ExcludeSheet())
    assert with_mend(excluded, ExcludeSheet()) == (EVERY[3],)


def test_an_outline_may_touch_itself_at_its_corners_alone():
    assert not crosses_itself(SQUARE)
    assert not crosses_itself(SQUARE[:3])
    assert crosses_itself((SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]))
    assert crosses_itself(((0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (2.0, 3.0), (1.0, -1.0)))


def test_each_is_told_in_words():
    texts = described(EVERY).split("; ")
    assert len(texts) == len(EVERY)
    assert texts[0] == "a shred split along (1, 2) to (3, 4)"
    assert described((SplitShred(SQUARE[:3]),)) == "a shred split along (0, 0) to (4, 0) to (4, 4)"
    assert texts[5] == "excluded as a whole"


def test_mends_are_known_by_what_the_file_holds(small_case):
    from dataclasses import replace

    first, second = small_case.sheets
    assert mends_of([replace(first, mends=EVERY), second]) == {(first.sha256, 0): EVERY}
