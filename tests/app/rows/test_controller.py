"""Rows of pieces moved and answered in the real window, by mouse and keys; what counts is the case that comes of it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from app.session.document import Place
from core.arrangement.arrangement import MARGIN
from core.arrangement.edits import SplitPage
from core.matching.confidence import JoinBelow

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key
FIRST, SECOND, THIRD = ("1-01", "1-02", "1-03"), ("2-01", "2-02", "2-03"), ("3-01", "3-02", "3-03")


@pytest.fixture
def rows(qtbot, opened):
    """The window with three rows of pieces on one page; the first one is worked on."""
    document = opened.session.document
    opened.session.editor.edit(SplitPage("2-01"), "split")
    case = document.case
    places = {row[0]: (0, number, 0) for number, row in enumerate(case.arrangement.pages)}
    shreds = tuple(shred.changed(cross_cut=True) for shred in case.shreds)
    arrangement = replace(case.arrangement, grid_places=places)
    document.show(document.opened.holding(replace(case, shreds=shreds, arrangement=arrangement)))
    document.show_page(0)
    qtbot.waitUntil(lambda: opened.pages.view.canvas.places.keys() == {*FIRST})
    qtbot.waitUntil(lambda: {*THIRD} <= opened.pages.view.canvas.maps.keys())
    return opened


def arrangement(window):
    return window.session.document.case.arrangement


def places(window):
    return [(*row[:1], *arrangement(window).grid_places.get(row[0], ())) for row in arrangement(window).pages]


def press(qtbot, window, key, modifiers):
    qtbot.keyClick(window.pages.view.canvas, key, modifiers)


def test_keys_move_a_row_past_its_neighbours_and_off_its_page(qtbot, rows):
    press(qtbot, rows, Key.Key_Down, CTRL)
    assert places(rows) == [("2-01", 0, 0, 0), ("1-01", 0, 1, 0), ("3-01", 0, 2, 0)]
    assert rows.session.document.page == 1, "the row that was moved is worked on"
    assert arrangement(rows).held_below == {("2-01", "1-01"), ("1-01", "3-01")}
    assert rows.session.document.history[-1].text.startswith("Moved page 1, row 1 (3 shreds, from 1-01 on) to page 1")
    press(qtbot, rows, Key.Key_Up, CTRL | SHIFT)
    assert places(rows) == [("2-01", 0, 0, 0), ("3-01", 0, 1, 0), ("1-01",)]
    assert arrangement(rows).held_below == {(MARGIN, "1-01"), ("1-03", MARGIN)}
    assert not rows.commands.row_down.isEnabled(), "there is no page behind it"
    press(qtbot, rows, Key.Key_Up, CTRL)
    assert places(rows) == [("2-01", 0, 0, 0), ("3-01", 0, 1, 0), ("1-01", 0, 2, 0)]
    for _ in range(3):
        rows.commands.undo.trigger()
    assert places(rows) == [("1-01", 0, 0, 0), ("2-01", 0, 1, 0), ("3-01", 0, 2, 0)]
    assert arrangement(rows).held_below == frozenset()


def test_keys_move_a_row_to_the_right_by_a_piece(qtbot, rows):
    width_px = rows.session.document.case.width_px("1-01")
    press(qtbot, rows, Key.Key_Right, CTRL | SHIFT)
    assert places(rows)[0] == ("1-01", 0, 0, width_px)
    assert arrangement(rows).held_below == {("1-01", "2-02")}
    press(qtbot, rows, Key.Key_Left, CTRL | SHIFT)
    press(qtbot, rows, Key.Key_Left, CTRL | SHIFT)
    assert [place[3] for place in places(rows)] == [0, width_px, width_px]
    assert rows.session.document.undo_stack.count() == 2, "the split, and the row on its way"


def test_a_row_is_turned_upside_down_as_a_whole(qtbot, rows):
    before = arrangement(rows)
    press(qtbot, rows, Key.Key_H, SHIFT)
    assert arrangement(rows).pages == (FIRST[::-1], SECOND, THIRD)
    assert arrangement(rows).half_turned == before.half_turned ^ {*FIRST}
    assert places(rows)[0] == ("1-03", 0, 0, 0)
    assert rows.session.document.page == 0
    rows.commands.undo.trigger()
    assert arrangement(rows) == before


def test_pieces_are_said_to_stand_below_each_other_or_not_by_key(qtbot, rows):
    document, canvas = rows.session.document, rows.pages.view.canvas
    document.select_shred("1-02")
    assert len(rows.rows.marks.items) == 1, "a line where the two that are meant meet"
    press(qtbot, rows, Key.Key_Y, SHIFT)
    assert arrangement(rows).confirmed_below == {("1-02", "2-02")}
    assert rows.notices.text.startswith("Confirmed: 2-02 stands directly below 1-02.")
    assert rows.commands.confirm_below.isChecked()
    assert len(rows.rows.marks.items) == 2
    rows.session.document.select_shred("2-02")
    press(qtbot, rows, Key.Key_N, SHIFT)
    assert arrangement(rows).forbidden_below == {("2-02", "3-02")}
    press(qtbot, rows, Key.Key_N, SHIFT)
    assert arrangement(rows).forbidden_below == frozenset(), "said again, it is taken back"
    document.select_shred("3-01")
    assert rows.rows.operations.chosen_below() == ("2-01", "3-01"), "of the last row what is above"
    document.select_shreds(("1-03", "2-03"), "2-03")
    assert rows.rows.operations.chosen_below() == ("1-03", "2-03")
    document.select_shreds(("1-03", "2-02"), "2-02")
    assert not rows.commands.confirm_below.isEnabled()
    assert canvas.isVisible()


def test_what_is_confirmed_is_not_parted_and_it_is_said_why(qtbot, rows):
    rows.session.document.select_shred("1-02")
    press(qtbot, rows, Key.Key_Y, SHIFT)
    before = arrangement(rows)
    press(qtbot, rows, Key.Key_Down, CTRL)
    assert arrangement(rows) == before
    assert "2-02 is confirmed to stand directly below 1-02" in rows.notices.text


def test_up_and_down_choose_what_stands_above_and_below(qtbot, rows):
    document = rows.session.document
    document.select_shred("1-02")
    for key, expected in ((Key.Key_Down, "2-02"), (Key.Key_Down, "3-02"), (Key.Key_Down, "3-02"), (Key.Key_Up, "2-02")):
        press(qtbot, rows, key, NONE)
        assert document.selection.shred == expected


def drag(qtbot, window, shred, to):
    """Drag a piece of the row that is worked on to a place of the page."""
    canvas = window.pages.view.canvas
    viewport, start = canvas.viewport(), canvas.mapFromScene(canvas.places[shred].center())
    qtbot.mousePress(viewport, LEFT, NONE, start)
    for point in (start + QPoint(30, 0), canvas.mapFromScene(to)):
        qtbot.mouseMove(viewport, point)
    assert canvas.spotlight is None, "all rows are seen while something is dragged"
    assert canvas.drop.isVisible()
    qtbot.mouseRelease(viewport, LEFT, NONE, canvas.mapFromScene(to))


def test_a_piece_is_dragged_into_another_row(qtbot, rows):
    rect = rows.pages.view.canvas.picture.around["3-02"]
    rows.session.document.select_shred("1-01")
    drag(qtbot, rows, "1-01", rect.center() + QPointF(0.2 * rect.width(), 0))
    assert arrangement(rows).pages == (("1-02", "1-03"), SECOND, ("3-01", "3-02", "1-01", "3-03"))
    assert rows.session.document.page == 2


def test_a_piece_dragged_between_rows_becomes_a_row_of_its_own(qtbot, rows):
    rect, document = rows.pages.view.canvas.picture.around["2-02"], rows.session.document
    rows.session.document.select_shred("1-01")
    drag(qtbot, rows, "1-01", QPointF(rect.center().x(), rect.bottom() - 2))
    width_px = document.case.width_px("2-01")
    assert places(rows) == [("1-02", 0, 0, 0), ("2-01", 0, 1, 0), ("1-01", 0, 2, width_px), ("3-01", 0, 3, 0)]
    assert ("2-02", "1-01") in arrangement(rows).held_below
    assert document.history[-1].text == "Moved shred 1-01 from page 1, row 1, place 1 to page 1, row 3, place 1"
    rows.commands.undo.trigger()
    assert arrangement(rows).pages == (FIRST, SECOND, THIRD)


def test_a_whole_row_is_dragged_below_another(qtbot, rows):
    rect = rows.pages.view.canvas.picture.around["3-01"]
    rows.session.document.select_shreds(FIRST, "1-01")
    drag(qtbot, rows, "1-01", QPointF(rect.center().x(), rect.bottom() - 2))
    assert places(rows) == [("2-01", 0, 0, 0), ("3-01", 0, 1, 0), ("1-01", 0, 2, 0)]


def test_places_beside_rows_have_a_line(rows):
    marks, canvas = rows.rows.marks, rows.pages.view.canvas
    rect = canvas.picture.around["2-02"]
    assert marks.place_at(rect.center()) == Place(1, 1)
    assert marks.place_at(QPointF(rect.center().x(), rect.top() + 1)) == Place(1, 1, -1)
    assert marks.place_at(canvas.places["1-02"].center()) is None, "the row that is worked on"
    assert marks.line(Place(0, 1)) is None
    assert marks.line(Place(1, 1, -1)).p1().y() == min(canvas.picture.around[shred].top() for shred in SECOND)
    assert marks.line(Place(1, 3)).p1().x() == canvas.picture.around["2-03"].right()


def test_of_strips_nothing_is_offered_that_is_about_rows(opened):
    opened.session.document.select_shred("1-02")
    assert not any(action.isVisible() for action in opened.rows.all_actions)
    assert opened.rows.operations.chosen_below() is None
    assert opened.rows.marks.place_at(opened.pages.view.canvas.places["1-02"].center()) is None


@pytest.fixture
def sure(rows):
    """The same, of which it is known how sure joins downwards are: one doubtful, one fair, one sure."""
    document = rows.session.document
    below = JoinBelow("1-01", "2-01", 0.13), JoinBelow("1-02", "2-02", 0.6), JoinBelow("1-03", "2-03", 0.999)
    document.show(document.opened.holding(replace(document.case, below=below)))
    document.show_page(0)
    return rows


def test_points_tell_how_sure_joins_of_the_row_are(qtbot, sure):
    qtbot.waitUntil(lambda: len(sure.rows.marks.items) == 3)
    tips = {item.toolTip() for item in sure.rows.marks.items}
    assert tips == {
        "2-01 below 1-01: 13 % sure: doubtful", "2-02 below 1-02: 60 % sure", "2-03 below 1-03: > 99 % sure",
    }  # fmt: skip
    marked = [item for item in sure.rows.marks.items if item.childItems()]
    assert [item.childItems()[0].text() for item in marked] == ["?"], "colour is never the only sign"
    sure.session.document.select_shred("1-01")
    press(qtbot, sure, Key.Key_Y, SHIFT)
    tips = [item.toolTip() for item in sure.rows.marks.items if item.toolTip()]
    assert len(tips) == 2, "what was said needs no point"


def test_the_next_doubtful_join_may_be_one_downwards(sure):
    document = sure.session.document
    assert "6 joins below, 1 doubtful" in sure.status.summary.text()
    document.select_shred("1-01")
    sure.commands.next_doubtful.trigger()
    assert document.selection.shreds == ("1-01", "2-01")
    assert document.selection.shred == "2-01"
    assert sure.rows.operations.chosen_below() == ("1-01", "2-01")
    document.select_shred("1-01")
    assert "Below: 2-01, 13 % sure: doubtful" in sure.sheets.source._detail.text()


def test_the_order_tells_which_joins_downwards_are_doubtful(sure):
    strip = sure.pages.strip
    at = strip.rect_of("1-01").center()
    assert strip.notes_at(at) == "2-01 below 1-01: 13 % sure: doubtful"
    assert [cell.below_sign for cell in strip._visible()][:3] == ["?", "", ""]
    sure.session.document.select_shred("1-02")
    sure.rows.operations.say(("1-02", "2-02"), "confirmed")
    assert [cell.below_sign for cell in strip._visible()][:3] == ["?", "✓", ""]


@pytest.fixture
def asked(qtbot, sure, monkeypatch):
    """The review, which asks about two rows; the order that is found again is the one that stands."""
    monkeypatch.setattr(sure.session.answers, "solve_again", lambda: None)
    qtbot.keyClick(sure, Key.Key_F11)
    queue = sure.joins.review_queue
    queue.review.ask_about(("1-02", "2-02"), below=True)
    qtbot.waitUntil(lambda: {*queue.canvas.places} == {"1-02", "2-02"})
    return queue


def test_the_review_asks_whether_a_row_stands_below_another_and_shows_one_above_the_other(qtbot, sure, asked):
    assert asked.heading.text() == "Does 2-02 stand directly below 1-02?"
    assert asked.detail.text().startswith("60 % sure")
    upper, lower = asked.canvas.places["1-02"], asked.canvas.places["2-02"]
    assert upper.bottom() <= lower.top()
    assert abs(upper.center().x() - lower.center().x()) < upper.width() / 2
    assert not asked.ends.isVisible(), "rows have their ends side by side"
    assert not any(one.isVisible() for one in asked.alternatives.values())
    assert not asked.blink.isVisible()


@pytest.mark.parametrize(
    ("key", "state", "told"),
    [(Key.Key_Y, "confirmed", "Yes to 2-02 below 1-02"), (Key.Key_N, "forbidden", "No to 2-02 below 1-02")],
)
def test_what_is_answered_of_rows_is_recorded_and_taken_back(qtbot, sure, asked, key, state, told):
    pair = "1-02", "2-02"
    qtbot.keyClick(asked, key)
    assert arrangement(sure).state_below(*pair) == state
    assert arrangement(sure).state(*pair) == "suggested", "side by side nothing was said of them"
    assert asked.review.question is None or asked.review.question.pair != pair
    assert [answer.below for answer in asked.review.answers] == [True]
    asked.list.show_answers(asked.review.answers, sure.session.document.case.history)
    assert told in asked.list.rows.model().index(0, 3).data()
    qtbot.keyClick(asked, Key.Key_T)
    assert arrangement(sure).state_below(*pair) == "suggested"
    assert asked.review.question.pair == pair
    assert asked.review.taken_back.below
    qtbot.keyClick(asked, key)
    sure.commands.undo.trigger()
    assert arrangement(sure).state_below(*pair) == "suggested"
