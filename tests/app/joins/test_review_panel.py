import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolBar, QToolButton

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
