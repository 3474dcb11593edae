"""The other face of the page, beside it."""

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt

from app.session.document import Selection
from core.arrangement.edits import MoveShreds
from core.case.case import Case

LEFT = Qt.MouseButton.LeftButton


def shown(window):
    return list(window.faces.back.canvas._outlines)


@pytest.fixture
def composed(engine, monkeypatch):
    """The pages of which a back was composed."""
    pages = []
    compose_back = engine.compose_back

    def counted(case: Case, page, rendition):
        pages.append(case.arrangement.pages[page])
        return compose_back(case, page, rendition)

    monkeypatch.setattr(engine, "compose_back", counted)
    return pages


@pytest.fixture
def back(qtbot, opened, composed):
    opened.docks["back"].action.trigger()
    qtbot.waitUntil(lambda: bool(shown(opened)))
    return opened.faces.back


def test_the_back_runs_from_the_other_end_and_says_of_which_page_it_is(opened, back):
    assert shown(opened) == ["3-03", "3-02", "3-01"]
    assert (back.heading.text(), back.detail.text()) == ("Page 1 from behind", "3 shreds")


def test_a_click_chooses_the_paper_and_what_is_chosen_is_marked(qtbot, opened, back):
    canvas = back.canvas
    at = canvas.mapFromScene(canvas._outlines["3-03"].boundingRect().center())
    qtbot.mouseClick(canvas.viewport(), LEFT, pos=at)
    assert opened.session.document.selection == Selection(2, "1-03", ("1-03",))
    assert [mark.polygon() for mark in canvas.marks] == [canvas._outlines["3-03"]]
    opened.session.document.select_shred("2-01")
    assert canvas.marks == []


def test_it_follows_page_and_edits(qtbot, opened, back, composed):
    opened.session.document.show_page(1)
    assert not back.canvas.isVisible()
    assert back.hint.text() == "Nothing is known of the other face of this page."
    opened.session.editor.edit(MoveShreds(("1-02",), 1, 1), "move")
    qtbot.waitUntil(lambda: shown(opened) == ["3-02"])
    assert back.canvas.isVisible()
    assert back.detail.text() == "1 of 4 shreds: of the others one face is known"
    opened.session.document.show_page(0)
    qtbot.waitUntil(lambda: shown(opened) == ["3-03", "3-01"])
    opened.commands.turn_over.trigger()
    qtbot.waitUntil(lambda: shown(opened) == ["1-01", "1-03"])
    assert len(composed) == 4


def test_nothing_is_composed_out_of_sight_nor_twice(qtbot, opened, back, composed):
    opened.docks["back"].action.trigger()
    opened.commands.turn_over.trigger()
    opened.session.document.select_shred("3-02")
    qtbot.wait(150)
    assert composed == [("1-01", "1-02", "1-03")]
    opened.commands.undo.trigger()
    opened.docks["back"].action.trigger()
    qtbot.wait(150)
    assert composed == [("1-01", "1-02", "1-03")]
    assert back.canvas.image_item.opacity() == 1


def test_it_is_as_wide_as_the_page_where_there_is_room(qtbot, opened, back):
    qtbot.waitUntil(lambda: opened.docks["back"].dock.width() > 500)


def test_words_that_were_found_on_the_back_are_marked_there(qtbot, opened, back):
    canvas, word = back.canvas, QRectF(50, 300, 40, 20)
    canvas.set_zoom(8)
    canvas.centerOn(150, 50)
    opened.pages.finder.marked_behind.emit([QRectF(5, 20, 40, 20)], [word])
    assert [mark.rect().center() for mark in canvas.found] == [QPointF(25, 30), word.center()]
    assert canvas.mapToScene(canvas.viewport().rect()).boundingRect().contains(word)
    canvas.centerOn(150, 50)
    opened.pages.finder.marked_behind.emit([], [word])
    assert not canvas.mapToScene(canvas.viewport().rect()).boundingRect().contains(word), "it was gone to before"
    opened.pages.finder.marked_behind.emit([], [])
    assert canvas.found == []


def test_zoom_actions_mean_the_back_that_has_the_focus(opened, back):
    back.canvas.setFocus()
    before = back.canvas.zoom
    opened.commands.zoom_in.trigger()
    assert back.canvas.zoom > before
