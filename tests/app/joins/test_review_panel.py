import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolBar, QToolButton

from core.arrangement.edits import SplitPage
from tests.app.joins.asking import asked, until_asked, until_quiet
from tests.app.solvable import ORDER

# What Y and N did outside the review


@pytest.mark.parametrize(("key", "said"), [(Qt.Key.Key_Y, "Confirmed: 1-03 stands"), (Qt.Key.Key_N, "Forbidden: 1-03")])
def test_an_answer_outside_the_review_says_what_it_did_and_undo_in_the_message_undoes_it(
    qtbot, opened, session, key, said
):
    session.document.select_shred("1-03")
    qtbot.keyClick(opened.pages.view.canvas, key)
    assert opened.notices.isVisible()
    assert said in opened.notices.text
    qtbot.mouseClick(opened.notices.more_button, Qt.MouseButton.LeftButton)
    assert session.document.case.arrangement.state("1-02", "1-03") == "suggested"
    assert session.document.history[-1].what == "undone"
    assert not opened.notices.isVisible()


def test_taking_an_answer_back_by_the_same_key_says_so(qtbot, opened, session):
    session.document.select_shred("1-03")
    for _ in range(2):
        qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_N)
    assert "Withdrawn: whether 1-03 stands to the right of 1-02" in opened.notices.text


def test_the_message_goes_once_its_undo_would_undo_another_step(qtbot, opened, session):
    canvas = opened.pages.view.canvas
    session.document.select_shred("1-03")
    qtbot.keyClick(canvas, Qt.Key.Key_Y)
    qtbot.keyClick(canvas, Qt.Key.Key_PageDown)
    assert opened.notices.isVisible(), "turning a page is no step"
    qtbot.keyClick(canvas, Qt.Key.Key_H)
    assert not opened.notices.isVisible()


@pytest.mark.parametrize("away", [Qt.Key.Key_PageDown, Qt.Key.Key_G])
def test_nothing_is_said_of_a_join_that_is_out_of_sight(qtbot, opened, session, away):
    canvas = opened.pages.view.canvas
    session.editor.edit(SplitPage("2-01"), "a page")
    session.document.select_shred("1-03")
    qtbot.keyClick(canvas, away)
    qtbot.keyClick(opened, Qt.Key.Key_N)
    assert session.document.case.arrangement.forbidden == frozenset()
    assert "1-02 | 1-03 was not in sight" in opened.notices.text
    assert session.document.page == 0
    assert canvas.isVisible()
    qtbot.keyClick(canvas, Qt.Key.Key_N)
    assert session.document.case.arrangement.forbidden == {("1-02", "1-03")}


# Keys, wherever the focus is


def places(opened):
    return opened.pages.view.canvas, opened.pages.strip, opened.sheets.filmstrip, opened.joins.review_queue.yes


@pytest.mark.parametrize("place", range(4))
def test_the_keys_of_the_review_work_wherever_the_focus_is(qtbot, opened, session, review, place):
    widget, first = places(opened)[place], asked(review)
    widget.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is widget)
    qtbot.keyClick(widget, Qt.Key.Key_S)
    until_quiet(qtbot, opened)
    assert asked(review) not in (None, first)
    qtbot.keyClick(widget, Qt.Key.Key_B)
    assert asked(review) == first
    other = review.review.question.alternatives_right[0]
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(widget, Qt.Key.Key_4)
    assert session.document.case.arrangement.confirmed == {(first[0], other)}
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(widget, Qt.Key.Key_T)
    assert session.document.case.arrangement.confirmed == frozenset()
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(widget, Qt.Key.Key_N)
    assert session.document.case.arrangement.forbidden == {first}


def test_what_is_typed_in_a_field_is_no_answer(qtbot, opened, session, review):
    first = asked(review)
    qtbot.keyClick(opened, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = opened.pages.view.find_bar.field
    qtbot.keyClicks(field, "nyst12")
    assert field.text() == "nyst12"
    assert asked(review) == first
    assert session.document.undo_stack.count() == 0


def test_keys_do_nothing_to_a_question_behind_another_panel(qtbot, opened, session, review):
    first, canvas = asked(review), opened.pages.view.canvas
    qtbot.keyClick(opened, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: not opened.joins.reviewing)
    session.document.select_shred("1-02")
    zoomed = []
    opened.commands.actual_size.triggered.connect(lambda: zoomed.append(1))
    for key in (Qt.Key.Key_S, Qt.Key.Key_E, Qt.Key.Key_T, Qt.Key.Key_1):
        qtbot.keyClick(canvas, key)
    assert zoomed, "1 means the actual size again"
    assert review.review.question.pair == first
    assert session.document.undo_stack.count() == 0
    qtbot.keyClick(canvas, Qt.Key.Key_N)
    assert session.document.case.arrangement.forbidden == {("1-01", "1-02")}, "what is chosen on the page"
    assert "Forbidden: 1-02" in opened.notices.text


def test_no_key_acts_twice_by_being_held_down(opened):
    assert not any(action.autoRepeat() for action in opened.joins.review_queue.keys)


def test_the_question_is_shown_on_the_page_again_when_it_comes_in_sight(qtbot, opened, session, review):
    first = asked(review)
    qtbot.keyClick(opened, Qt.Key.Key_F12)
    session.document.select_shred("3-03")
    qtbot.keyClick(opened, Qt.Key.Key_F11)
    until_asked(qtbot, review)
    qtbot.waitUntil(lambda: opened.joins.reviewing)
    assert asked(review) == first
    assert session.document.selection.shreds == first


# Focus


def test_the_focus_goes_to_the_page_and_never_to_the_tool_bar(qtbot, opened, review):
    bar = opened.findChild(QToolBar, "tools")
    assert all(button.focusPolicy() == Qt.FocusPolicy.NoFocus for button in bar.findChildren(QToolButton))
    review.yes.setFocus()
    qtbot.keyClick(review.yes, Qt.Key.Key_F11)
    assert QApplication.focusWidget() is opened.pages.view.canvas


def test_a_click_on_a_message_leaves_the_focus_on_the_page(qtbot, opened, session):
    canvas = opened.pages.view.canvas
    canvas.setFocus()
    session.document.select_shred("1-03")
    qtbot.keyClick(canvas, Qt.Key.Key_Y)
    qtbot.mouseClick(opened.notices.more_button, Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is canvas


# Take Back


def test_take_back_says_which_answer_it_takes_back(qtbot, opened, session, review):
    left, right = asked(review)
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(review, Qt.Key.Key_N)
    until_quiet(qtbot, opened)
    assert review.take_back.toolTip() == f"Take back: No to {left} | {right} (T)"
    with qtbot.waitSignal(session.answers.solved):
        qtbot.mouseClick(review.take_back, Qt.MouseButton.LeftButton)
    assert review.surprise.isVisible()
    assert review.surprise.text() == f"Taken back: No to {left} | {right}."
    assert asked(review) == (left, right)
    assert session.document.case.arrangement.pages == (ORDER,)


def test_take_back_takes_back_what_was_said_last_even_outside_the_review(qtbot, opened, session):
    session.document.select_shred("1-02")
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_Y)
    qtbot.keyClick(opened, Qt.Key.Key_F11)
    queue = opened.joins.review_queue
    until_asked(qtbot, queue)
    assert "Yes to 1-01 | 1-02" in queue.take_back.toolTip()
    qtbot.keyClick(queue, Qt.Key.Key_T)
    assert session.document.case.arrangement.confirmed == frozenset()
    assert "Taken back: Yes to 1-01 | 1-02." in queue.surprise.text()


# Asked once more before anything moves


def until_both_sides_are_seen(qtbot, queue):
    canvases = queue.canvas, queue.other_canvas
    qtbot.waitUntil(lambda: queue.review.sides_seen)
    assert all(canvas.isVisible() and canvas.seam_item.picture is not None for canvas in canvases)
    return [tuple(canvas.seam_item.picture.seen.placements) for canvas in canvases]


def skip_to_what_is_sure(qtbot, queue):
    while queue.review.question.confidence < 0.9:
        qtbot.keyClick(queue, Qt.Key.Key_S)
        until_asked(qtbot, queue)
    return asked(queue)


def test_a_no_that_all_the_rest_speaks_against_moves_nothing_until_it_is_repeated(qtbot, opened, session, review):
    slip = skip_to_what_is_sure(qtbot, review)
    likeliest = max(review.review.question.others, key=review.review.question.others.get)
    qtbot.keyClick(review, Qt.Key.Key_N)
    assert review.heading.text() == "Once more: does {1} stand to the right of {0}?".format(*slip)
    assert "You said No, but all the rest speaks for it" in review.surprise.text()
    assert until_both_sides_are_seen(qtbot, review) == [likeliest, slip]
    assert review.captions[0].text().startswith("If not: {} | {}".format(*likeliest))
    assert review.captions[1].text().startswith("The rest: {} | {}".format(*slip))
    assert session.document.undo_stack.count() == 0
    assert not session.answers.solving
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(review, Qt.Key.Key_N)
    assert session.document.case.arrangement.forbidden == {slip}
    until_quiet(qtbot, opened)
    pending = [question.pair for question in [review.review.question, *review.review._queue]]
    assert slip not in pending, "it was asked about twice already"
    assert not review.other_canvas.isVisible()


def test_an_answer_counts_for_nothing_before_both_sides_are_in_the_picture(qtbot, opened, session, review):
    skip_to_what_is_sure(qtbot, review)
    for _ in range(2):
        qtbot.keyClick(review, Qt.Key.Key_N)
    assert session.document.undo_stack.count() == 0
    assert not review.no.isEnabled()
    until_both_sides_are_seen(qtbot, review)
    assert review.no.isEnabled()


def test_another_answer_the_second_time_takes_the_place_of_the_first(qtbot, opened, session, review):
    slip = skip_to_what_is_sure(qtbot, review)
    qtbot.mouseClick(review.no, Qt.MouseButton.LeftButton)
    until_both_sides_are_seen(qtbot, review)
    qtbot.mouseClick(review.yes, Qt.MouseButton.LeftButton)
    arrangement = session.document.case.arrangement
    assert (arrangement.confirmed, arrangement.forbidden) == ({slip}, frozenset())
    assert session.document.undo_stack.count() == 1


@pytest.mark.parametrize("key", [Qt.Key.Key_B, Qt.Key.Key_T])
def test_an_answer_that_does_not_count_yet_can_be_taken_back(qtbot, opened, session, review, key):
    slip = skip_to_what_is_sure(qtbot, review)
    qtbot.keyClick(review, Qt.Key.Key_N)
    qtbot.keyClick(review, key)
    assert asked(review) == slip
    assert review.heading.text().startswith("Does")
    assert not review.surprise.isVisible()
    assert session.document.undo_stack.count() == 0


def test_a_much_dearer_alternative_is_asked_about_once_more(qtbot, opened, session, review):
    slip = skip_to_what_is_sure(qtbot, review)
    other = review.review.question.alternatives_right[0]
    qtbot.mouseClick(review.alternatives["right", 0], Qt.MouseButton.LeftButton)
    assert f"You chose {slip[0]} | {other}" in review.surprise.text()
    assert until_both_sides_are_seen(qtbot, review) == [(slip[0], other), slip]
    assert session.document.undo_stack.count() == 0
    with qtbot.waitSignal(session.answers.solved):
        qtbot.mouseClick(review.alternatives["right", 0], Qt.MouseButton.LeftButton)
    assert session.document.case.arrangement.confirmed == {(slip[0], other)}


def test_the_end_of_a_page_in_a_sure_join_is_asked_about_once_more(qtbot, opened, session, review):
    skip_to_what_is_sure(qtbot, review)
    qtbot.keyClick(review, Qt.Key.Key_E)
    assert "You said that a page has its margin there" in review.surprise.text()
    until_both_sides_are_seen(qtbot, review)
    qtbot.keyClick(review, Qt.Key.Key_N)
    assert session.document.undo_stack.count() == 0, "that is another answer, and as unlikely"
    until_both_sides_are_seen(qtbot, review)
    qtbot.keyClick(review, Qt.Key.Key_N)
    assert session.document.case.arrangement.forbidden


def test_an_answer_against_an_earlier_yes_is_asked_about_and_taking_it_back_restores_that(
    qtbot, opened, session, review
):
    left, right = asked(review)
    other = review.review.question.alternatives_right[0]
    session.answers.answer((left, other), "confirmed")
    assert asked(review) == (left, right)
    qtbot.keyClick(review, Qt.Key.Key_Y)
    assert f"your Yes to {left} | {other} is withdrawn" in review.surprise.text()
    assert until_both_sides_are_seen(qtbot, review) == [(left, right), (left, other)]
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(review, Qt.Key.Key_Y)
    assert session.document.case.arrangement.confirmed == {(left, right)}
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(review, Qt.Key.Key_T)
    assert session.document.case.arrangement.confirmed == {(left, other)}


def test_alternatives_have_room_for_what_they_are_called(qtbot, opened, review):
    dock = opened.docks["review"].dock
    dock.setFloating(True)
    dock.resize(380, 640)
    shown = [button for button in review.alternatives.values() if button.isVisible()]
    assert shown
    for button in shown:
        shred, _ = button.text().split("\n")
        assert button.fontMetrics().horizontalAdvance(shred.rjust(5, "0")) <= button.width() - 8


def test_in_a_narrow_panel_no_answer_is_cut(qtbot, opened, review):
    dock = opened.docks["review"].dock
    dock.setFloating(True)  # beside the page its width would follow from the window's
    dock.resize(240, 560)
    buttons = [review.yes, review.no, review.skip, review.back, review.take_back]
    qtbot.waitUntil(lambda: dock.width() <= 260)
    qtbot.waitUntil(lambda: all(button.width() >= button.sizeHint().width() for button in buttons))
