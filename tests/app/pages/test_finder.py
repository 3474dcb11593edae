import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog

from core.arrangement.edits import ShiftShreds, WriteNote
from core.arrangement.page_edits import NamePage
from core.errors import UsageError
from core.text import tesseract
from core.text.page_text import PageText, Word
from tests.app.test_main_window import until_page

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def ready(qtbot, opened, monkeypatch):
    """The window with a case, where the fake engine reads in the place of Tesseract."""
    monkeypatch.setattr(tesseract, "installed", lambda: True)
    until_page(qtbot, opened)
    return opened


@pytest.fixture
def bar(qtbot, ready):
    """The bar, opened by its key, once all pages have been read."""
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_F, CONTROL)
    until_read(qtbot, ready)
    bar = ready.pages.view.find_bar
    qtbot.waitUntil(lambda: bar.field.hasFocus())
    return bar


def until_read(qtbot, window):
    texts = window.session.texts
    qtbot.waitUntil(lambda: not texts.reading and None not in texts.of_all_pages())


def marks(window):
    return [mark.rect().center().toTuple() for mark in window.pages.view.canvas.found]


def test_what_is_typed_is_found_on_all_pages_and_gone_to(qtbot, ready, bar):
    qtbot.keyClicks(bar.field, "page")
    assert bar.count.text() == "1 of 2, page 1"
    assert marks(ready) == [(25, 30)]
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "2 of 2, page 2"
    qtbot.waitUntil(lambda: tuple(ready.pages.view.canvas.places) == ("3-01", "3-02", "3-03"))
    assert ready.session.document.page == 1
    assert marks(ready) == [(25, 30)]
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, SHIFT)
    qtbot.keyClick(bar.field, Qt.Key.Key_F3, SHIFT)
    assert bar.count.text() == "2 of 2, page 2"


def test_the_hit_is_moved_into_sight(qtbot, ready, bar):
    canvas = ready.pages.view.canvas
    canvas.set_zoom(12)
    canvas.centerOn(0, 450)
    bar.field.setText("2-03")
    rect = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
    assert rect.contains(5 * 60 + 25, 110)
    assert len(ready.pages.view.canvas.found) == 1


def test_what_is_not_there_is_said(qtbot, ready, bar):
    qtbot.keyClicks(bar.field, "zebra")
    assert bar.count.text() == "No words found"
    assert not bar.next.isEnabled()
    bar.field.clear()
    assert bar.count.text() == ""


def test_escape_closes_the_bar_and_takes_the_marks_away(qtbot, ready, bar):
    bar.field.setText("page")
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert marks(ready) == []
    assert ready.pages.view.canvas.hasFocus()
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_F3)
    assert bar.isVisible()
    assert bar.field.text() == "page"


def test_a_page_that_is_edited_is_read_again_and_nobody_is_moved_away_from_it(qtbot, ready, bar, engine):
    bar.field.setText("page")
    ready.session.editor.edit(ShiftShreds(("1-02",), 1), "nudge")
    assert bar.count.text() == "1 of 1, page 2"
    assert ready.session.document.page == 0
    qtbot.waitUntil(lambda: bar.count.text() == "2 of 2, page 2")
    assert engine.pages_read == [(0, "eng"), (1, "eng"), (0, "eng")]
    assert ready.session.document.page == 0


def test_escape_ends_reading_and_progress_is_told(qtbot, ready, engine):
    engine.hold = threading.Event()
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_F, CONTROL)
    bar, texts = ready.pages.view.find_bar, ready.session.texts
    qtbot.waitUntil(lambda: bar.state.text() == "Embedding")
    bar.field.setText("page")
    assert bar.count.text() == "No words found yet"
    assert ready.commands.cancel.isEnabled()
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not texts.reading
    assert not bar.isVisible()
    assert texts.of_all_pages() == [None, None]


def test_a_hit_is_gone_to_as_soon_as_its_page_has_been_read(qtbot, ready, engine):
    engine.hold = threading.Event()
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_F, CONTROL)
    ready.pages.view.find_bar.field.setText("3-02")
    engine.hold.set()
    qtbot.waitUntil(lambda: ready.session.document.page == 1)


def test_a_failure_is_shown_once_and_closes_the_bar(qtbot, ready, engine):
    engine.error = UsageError("Tesseract could not read a page: no.")
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_F, CONTROL)
    qtbot.waitUntil(lambda: bool(ready.findChildren(QDialog)))
    assert not ready.pages.view.find_bar.isVisible()
    (dialog,) = ready.findChildren(QDialog)
    dialog.reject()


def test_where_tesseract_is_missing_the_bar_says_what_to_do(qtbot, opened, monkeypatch, engine):
    monkeypatch.setattr(tesseract, "TESSERACT", "no-such-program")
    opened.commands.find.trigger()
    bar = opened.pages.view.find_bar
    assert bar.isVisible()
    assert "Install it (on Debian: tesseract-ocr)" in bar.state.text()
    assert not bar.count.isVisible()
    qtbot.keyClicks(bar.field, "3-02")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert opened.session.document.selection.shreds == ("3-02",)
    opened.commands.find_next.trigger()
    opened.commands.copy_text.trigger()
    assert "Install it" in opened.notices.text
    qtbot.keyClick(bar.close_button, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert engine.pages_read == []


def test_other_languages_are_remembered_and_read_in(qtbot, ready, bar, engine, settings):
    german, english = bar.languages.menu().actions()
    assert (german.text(), english.isChecked()) == ("German (deu)", True)
    german.trigger()
    until_read(qtbot, ready)
    assert engine.pages_read[-1] == (1, "eng+deu")
    assert settings.languages() == "eng+deu"


def test_the_text_of_the_page_is_copied_without_reading_the_others(qtbot, ready, engine):
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_C, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text().startswith("Page 1.\n1-01 1-02"))
    assert ready.statusBar().currentMessage() == "Copied: the text of page 1, 8 words"
    assert engine.pages_read == [(0, "eng")]
    assert not ready.pages.view.find_bar.isVisible()


def test_the_line_of_the_hit_is_copied(qtbot, ready, bar):
    bar.field.setText("2.")
    bar.copy_line.click()
    assert QGuiApplication.clipboard().text() == "Page 2."


def test_marks_follow_the_rendition(qtbot, ready, bar):
    bar.field.setText("page")
    assert marks(ready) == [(25, 30)]
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: ready.pages.view.canvas.rendition == "reading")
    assert marks(ready) == [(28, 30)]


def listed(bar):
    return [bar.list.item(row).text() for row in range(bar.list.count())]


def test_shreds_sheets_pages_notes_and_words_are_listed_and_gone_to(qtbot, ready, bar):
    document, edit = ready.session.document, ready.session.editor.edit
    edit(NamePage(1, "Invoice scan"), "name")
    edit(WriteNote("1-02|1-03", "scanned twice"), "note")
    until_read(qtbot, ready)
    qtbot.keyClicks(bar.field, "scan")
    assert listed(bar) == [
        "Page 2, Invoice scan",
        "Sheet 1, scan1.png",
        "Sheet 2, scan2.png",
        "Sheet 3, scan3.png",
        "Note: Join 1-02 | 1-03: scanned twice",
    ]
    assert bar.list.isVisible()
    assert bar.count.text() == "No words found"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert document.page == 1, "the first one"
    for _ in range(3):
        qtbot.keyClick(bar.field, Qt.Key.Key_Down)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert document.selection.sheet == 1
    item = bar.list.visualItemRect(bar.list.item(4)).center()
    qtbot.mouseClick(bar.list.viewport(), Qt.MouseButton.LeftButton, pos=item)
    assert document.selection.shreds == ("1-02", "1-03")
    assert document.page == 0


def test_a_shred_is_found_before_the_words_that_are_read_on_it(qtbot, ready, bar):
    qtbot.keyClicks(bar.field, "3-02")
    assert listed(bar)[:1] == ["Shred 3-02, page 2"]
    assert listed(bar)[1].startswith("Word, page 2: ")
    qtbot.keyClick(bar.field, Qt.Key.Key_Up)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert ready.session.document.selection.shreds == ("3-02",)
    qtbot.keyClick(bar.field, Qt.Key.Key_Down)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "1 of 1, page 2"
    bar.field.setText("1-04")
    assert listed(bar)[0] == "Shred 1-04, set aside"


def test_words_on_the_back_lead_to_their_page(qtbot, ready, engine, monkeypatch):
    read = engine.read_pages

    def with_backs(*given):
        for page, text in read(*given):
            yield page, replace(text, behind=PageText((Word("overleaf", (5, 20, 40, 20)),)))

    monkeypatch.setattr(engine, "read_pages", with_backs)
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_F, CONTROL)
    until_read(qtbot, ready)
    bar, behind = ready.pages.view.find_bar, ready.faces.back.canvas
    bar.field.setText("overleaf")
    assert bar.count.text() == "1 of 2, on the back of page 1"
    assert marks(ready) == [], "nothing is marked on the front"
    assert [mark.rect().center().toTuple() for mark in behind.found] == [(25, 30)]
    ready.pages.finder.step(1)
    assert ready.session.document.page == 1
    bar.copy_line.click()
    assert QGuiApplication.clipboard().text() == "overleaf"
    assert listed(bar) == ["Word, back of page 1: overleaf", "Word, back of page 2: overleaf"]


def test_a_note_about_the_case_leads_to_the_history(qtbot, ready, bar):
    ready.session.editor.edit(WriteNote("", "found in box 7"), "note")
    bar.field.setText("box 7")
    assert listed(bar) == ["Note: The case: found in box 7"]
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert ready.docks["history"].dock.isVisible()


def test_from_the_light_table_the_search_leads_to_the_page(qtbot, ready):
    qtbot.keyClick(ready.pages.view.canvas, Qt.Key.Key_G)
    qtbot.keyClick(ready.table.view, Qt.Key.Key_F, CONTROL)
    bar = ready.pages.view.find_bar
    assert bar.isVisible()
    qtbot.waitUntil(lambda: bar.field.hasFocus())
    qtbot.keyClicks(bar.field, "page 2")
    qtbot.keyClick(bar.field, Qt.Key.Key_Down)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert ready.session.document.page == 1
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
