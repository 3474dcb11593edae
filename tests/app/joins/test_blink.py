import pytest
from PySide6.QtCore import QPoint, Qt

from tests.app.joins.asking import asked
from tests.app.solvable import SolvableEngine

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def engine():
    return SolvableEngine()


@pytest.fixture
def view(qtbot, opened):
    """The pair of the join that has a strong alternative, drawn."""
    opened.session.document.select_shreds(("2-01", "2-02"), "2-02")
    qtbot.keyClick(opened, Qt.Key.Key_F12)
    view = opened.joins.pair_view
    qtbot.waitUntil(lambda: view.canvas.seam_item.picture is not None)
    return view


def tick(qtbot, box):
    qtbot.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))


def test_alternatives_are_offered_the_cheapest_first(view):
    assert view.blink.other.itemText(0) == "2-01 | 2-03"
    assert ("1-03", "2-02") in [view.blink.other.itemData(at) for at in range(view.blink.other.count())]


def test_the_two_are_seen_in_turn_and_what_they_share_stays(qtbot, view):
    blink, canvas = view.blink, view.canvas
    tick(qtbot, blink.blink)
    for over in (True, False, True):
        qtbot.waitUntil(lambda over=over: blink.over.isVisible() == over and bool(blink.shown.text()))
        assert canvas.image_item.isVisible() != over
        assert blink.shown.text() == ("Seen: 2-01 | 2-03" if over else "Seen: 2-01 | 2-02")
    kept = canvas.places["2-01"].topLeft()
    other = blink._picture.seen.placements["2-01"]
    assert blink.over.pos() + QPoint(*other[:2]) == kept
    tick(qtbot, blink.blink)
    assert not blink.over.isVisible()
    assert canvas.image_item.isVisible()
    assert blink.shown.text() == ""


def test_an_overlay_lets_both_through_and_follows_another_alternative(qtbot, opened, view):
    blink = view.blink
    tick(qtbot, blink.overlay)
    qtbot.waitUntil(blink.over.isVisible)
    assert blink.over.opacity() == 0.5
    assert view.canvas.image_item.isVisible()
    assert blink.shown.text() == "Seen: 2-01 | 2-02 and 2-01 | 2-03"
    blink.other.setFocus()
    qtbot.keyClick(blink.other, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: blink.over.isVisible() and blink.shown.text().endswith(blink.other.currentText()))
    before = blink._picture
    opened.session.document.select_shreds(blink.other.currentData()[1:])
    view.show_pair(("2-01", "2-02"))
    opened.commands.half_turn.trigger()
    qtbot.waitUntil(lambda: blink.over.isVisible() and blink._picture is not before)
    tick(qtbot, blink.blink)
    assert not blink.overlay.isChecked()


def test_another_pair_takes_the_alternative_away(qtbot, opened, view):
    tick(qtbot, view.blink.overlay)
    qtbot.waitUntil(view.blink.over.isVisible)
    view.blink.next_candidate()
    tick(qtbot, view.blink.overlay)  # before the next one is drawn
    opened.session.document.select_shreds(("1-01", "1-02"), "1-02")
    qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
    tick(qtbot, view.blink.overlay)
    qtbot.waitUntil(lambda: view.blink.over.isVisible() and "1-01" in view.blink.shown.text())
    assert {*view.blink._picture.seen.placements} == {*view.blink.other.currentData()}
    opened.session.document.select_shreds(("2-01", "2-02"), "2-02")
    qtbot.waitUntil(lambda: view.blink.over.isVisible() and "2-01" in view.blink.shown.text())
    opened.session.document.case_changed.emit()
    assert not view.blink.over.isVisible()
    assert view.blink.other.count() == 0


def test_alternatives_are_compared_by_keys_while_a_question_is_in_sight(qtbot, opened, review):
    blink, canvas, Key = review.blink, opened.pages.view.canvas, Qt.Key
    qtbot.waitUntil(lambda: blink.other.count() > 1)
    left, right = asked(review)
    question = review.review.question
    offered = [(shred, right) for shred in question.alternatives_left]
    offered += [(left, shred) for shred in question.alternatives_right]
    assert [blink.other.itemData(at) for at in range(blink.other.count())] == offered, "in the order of their keys"
    qtbot.keyClick(canvas, Key.Key_K)
    qtbot.waitUntil(lambda: blink.over.isVisible() and blink.shown.text() == f"Seen: {' | '.join(offered[0])}")
    qtbot.keyClick(canvas, Key.Key_C)
    qtbot.waitUntil(lambda: blink.over.isVisible() and blink.shown.text() == f"Seen: {' | '.join(offered[1])}")
    qtbot.keyClick(canvas, Key.Key_O)
    qtbot.waitUntil(lambda: blink.over.opacity() == 0.5)
    assert not blink.blink.isChecked()
    assert asked(review) == (left, right), "to look is no answer"
    qtbot.keyClick(canvas, Key.Key_S)
    qtbot.waitUntil(lambda: asked(review) not in (None, (left, right)))
    assert not blink.overlay.isChecked(), "another question begins with its pair alone"
    assert not blink.over.isVisible()
    qtbot.keyClick(opened, Key.Key_F12)
    qtbot.waitUntil(lambda: not opened.joins.reviewing)
    qtbot.keyClick(canvas, Key.Key_K)
    assert not blink.blink.isChecked(), "behind another panel"
