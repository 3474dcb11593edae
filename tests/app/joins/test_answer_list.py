import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolBar

from tests.app.joins.asking import asked, until_asked, until_quiet
from tests.app.solvable import DOUBTFUL, ORDER


def rows(queue):
    model = queue.list.rows.model()
    return [model.index(row, 3).data() for row in range(model.rowCount())]


def answer_on_page(qtbot, opened, shred, key):
    opened.session.document.select_shred(shred)
    qtbot.keyClick(opened.pages.view.canvas, key)


@pytest.fixture
def answered(qtbot, opened, session):
    """Two answers given on the page, and the review after them."""
    answer_on_page(qtbot, opened, "1-02", Qt.Key.Key_Y)
    answer_on_page(qtbot, opened, DOUBTFUL[1], Qt.Key.Key_N)
    qtbot.keyClick(opened, Qt.Key.Key_F11)
    queue = opened.joins.review_queue
    until_asked(qtbot, queue)
    return queue


# The button


def lead(opened):
    bar = opened.findChild(QToolBar, "tools")
    return bar.widgetForAction(opened.joins.lead)


def test_the_button_says_how_many_questions_are_left_and_what_they_are_worth(qtbot, opened, session):
    assert lead(opened).text() == "3 questions left, worth about 2 joins"
    qtbot.mouseClick(lead(opened), Qt.MouseButton.LeftButton)
    queue = opened.joins.review_queue
    until_asked(qtbot, queue)
    qtbot.keyClick(queue, Qt.Key.Key_Y)
    until_quiet(qtbot, opened)
    assert lead(opened).text() == "No questions left: all joins are sure"
    assert queue.left.text() == lead(opened).text()
    assert (queue.progress.value(), queue.progress.maximum()) == (1, 1)


def test_the_button_brings_the_review_to_the_front_and_puts_it_away(qtbot, opened, review):
    qtbot.keyClick(opened, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: not opened.joins.reviewing)
    assert not lead(opened).isChecked()
    qtbot.mouseClick(lead(opened), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.joins.reviewing)
    assert lead(opened).isChecked()
    qtbot.mouseClick(lead(opened), Qt.MouseButton.LeftButton)
    assert not opened.docks["review"].dock.isVisible()
    assert not opened.docks["review"].action.isChecked()


def test_without_a_case_there_is_nothing_to_ask(window):
    assert not lead(window).isEnabled()
    assert lead(window).text() == "Review"


def test_the_progress_counts_answers_against_what_is_left(opened, review):
    assert (review.progress.value(), review.progress.maximum()) == (0, 3)


# The list


def test_all_answers_are_listed_the_last_one_first_with_when_and_who(qtbot, opened, session, answered):
    assert answered.list_button.text() == "2 answers"
    qtbot.mouseClick(answered.list_button, Qt.MouseButton.LeftButton)
    assert answered.list.isVisible()
    assert rows(answered) == ["No to {} | {}".format(*DOUBTFUL), "Yes to 1-01 | 1-02"]
    entry, model = session.document.history[-1], answered.list.rows.model()
    assert (model.index(0, 0).data(), model.index(0, 2).data()) == (str(entry.number), entry.who)
    assert answered.list_button.text() == "Back to the question"


def test_a_row_shows_its_join_on_the_page_and_in_the_order(qtbot, opened, session, answered):
    qtbot.mouseClick(answered.list_button, Qt.MouseButton.LeftButton)
    at = answered.list.rows.visualRect(answered.list.rows.model().index(1, 0)).center()
    qtbot.mouseClick(answered.list.rows.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert session.document.selection.shreds == ("1-01", "1-02")


def test_delete_withdraws_an_answer_and_no_shred(qtbot, opened, session, answered):
    qtbot.mouseClick(answered.list_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: answered.list.rows.hasFocus())
    qtbot.keyClick(answered.list.rows, Qt.Key.Key_Down)
    with qtbot.waitSignal(session.answers.solved):
        qtbot.keyClick(answered.list.rows, Qt.Key.Key_Delete)
    arrangement = session.document.case.arrangement
    assert (arrangement.confirmed, arrangement.forbidden) == (frozenset(), {DOUBTFUL})
    assert set(arrangement.order) >= set(ORDER)
    assert not set(ORDER) & set(arrangement.set_aside)
    assert rows(answered) == ["No to {} | {}".format(*DOUBTFUL)]


def test_the_button_withdraws_the_answer_on_which_the_cursor_stands(qtbot, opened, session, answered):
    qtbot.mouseClick(answered.list_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(session.answers.solved):
        qtbot.mouseClick(answered.list.withdraw, Qt.MouseButton.LeftButton)
    assert session.document.case.arrangement.forbidden == frozenset()
    assert session.document.case.arrangement.pages == (ORDER,)


def test_an_answer_is_asked_about_again_and_can_be_changed(qtbot, opened, session, answered):
    qtbot.mouseClick(answered.list_button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(answered.list.rows, Qt.Key.Key_Return)
    assert not answered.list.isVisible()
    assert asked(answered) == DOUBTFUL
    until_quiet(qtbot, opened)
    assert "Forbidden" in answered.detail.text()
    assert answered.review.question.others, "with what else could stand there"
    qtbot.keyClick(answered, Qt.Key.Key_Y)
    if answered.review.doubted is not None:
        qtbot.waitUntil(lambda: answered.review.sides_seen)
        qtbot.keyClick(answered, Qt.Key.Key_Y)
    assert DOUBTFUL in session.document.case.arrangement.confirmed


def test_keys_of_the_review_are_silent_while_the_list_stands_in_place_of_the_question(qtbot, opened, session, answered):
    qtbot.mouseClick(answered.list_button, Qt.MouseButton.LeftButton)
    steps = session.document.undo_stack.count()
    qtbot.keyClick(answered.list.rows, Qt.Key.Key_S)
    qtbot.keyClick(answered.list.rows, Qt.Key.Key_T)
    assert answered.review.n_skipped == 0
    assert session.document.undo_stack.count() == steps
    qtbot.mouseClick(answered.list_button, Qt.MouseButton.LeftButton)
    assert opened.joins.reviewing
    assert QApplication.focusWidget() is answered


def test_the_answers_are_there_after_the_case_was_saved_and_opened(qtbot, opened, session, answered, tmp_path):
    path = tmp_path / "case.rejoin"
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(path)
    opened.opener.open([path])
    qtbot.waitUntil(lambda: session.document.case_path == path and len(answered.review.answers) == 2)
    assert rows(answered) == ["No to {} | {}".format(*DOUBTFUL), "Yes to 1-01 | 1-02"]


# What is chosen is what is asked


def test_a_join_chosen_in_the_order_is_asked_about_and_the_other_one_after_it(qtbot, opened, session, review):
    first, strip = asked(review), opened.pages.strip
    qtbot.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=strip.rect_of("1-02").center())
    assert asked(review) == ("1-01", "1-02")
    assert review.heading.text() == "Does 1-02 stand to the right of 1-01?"
    until_quiet(qtbot, opened)
    assert asked(review) == ("1-01", "1-02")
    assert review.review.question.others
    qtbot.keyClick(strip, Qt.Key.Key_Y)
    assert session.document.case.arrangement.confirmed == {("1-01", "1-02")}
    assert asked(review) == first
    assert session.document.selection.shreds == first, "the page and the order follow"


def test_a_page_that_is_enlarged_is_moved_to_what_is_asked(qtbot, opened, session, review):
    canvas = opened.pages.view.canvas
    canvas.set_zoom(8.0)
    for shred in ("1-02", "3-03"):
        session.document.select_shred(shred)
        left, right = asked(review)
        assert right == shred
        view = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
        assert view.left() <= canvas.seam_x(left, right) <= view.right()
