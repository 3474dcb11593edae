import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from app.images import image_from
from app.main_window import MainWindow
from app.session.document import Opened
from app.session.session import Session
from app.sheets.filmstrip import SheetModel
from core.sheets.sheet import SheetInfo


def wheel(view, at, steps=1, modifiers=Qt.KeyboardModifier.NoModifier):
    where = QPointF(at)
    event = QWheelEvent(
        where, view.viewport().mapToGlobal(where), QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton,
        modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


def middle(view):
    return view.viewport().rect().center()


def test_thumbnails_have_the_size_that_is_asked_for(qtbot, opened, settings, engine):
    strip = opened.sheets.filmstrip
    height = strip.sizeHintForRow(0)
    opened.commands.larger_thumbnails.trigger()
    assert strip.thumbnail_px == 176
    assert strip.sizeHintForRow(0) > height
    wheel(strip, QPoint(20, 20), 1, Qt.KeyboardModifier.ControlModifier)
    assert strip.thumbnail_px == 240
    for _ in range(9):
        opened.commands.smaller_thumbnails.trigger()
    assert strip.thumbnail_px == 64
    assert strip.sizeHintForRow(0) < height
    other = MainWindow(Session(engine), settings)
    qtbot.addWidget(other)
    assert other.sheets.filmstrip.thumbnail_px == 64


def test_only_thumbnails_in_sight_are_made(qtbot, window, draw_sheet):
    window.sheets.filmstrip.set_thumbnail_px(320)
    window.opener.open([draw_sheet(f"{number:02}.png") for number in range(12)])
    qtbot.waitUntil(lambda: window.session.document.case is not None)
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    assert 0 < len(window.sheets.filmstrip.model().pixmaps) < 12


def test_what_is_still_to_be_read_is_named_as_its_sheets_will_be(qapp, draw_sheet):
    files = tuple(draw_sheet(name) for name in ("D1/scan.png", "D2/scan.png", "D2/other.png"))
    preview = np.zeros((8, 8, 3), np.uint8)
    first = SheetInfo(files[0], 0, "", (8, 8), 300.0, "file", preview)
    model = SheetModel()
    model.set_opened(Opened(files=files), {}, True, 1.0)
    assert [model.index(row).data() for row in range(3)] == ["D1/scan.png", "D2/scan.png", "other.png"]
    model.set_opened(Opened(files=files, sheets=(first,), shreds=((),)), {}, True, 1.0)
    assert [model.index(row).data() for row in range(3)] == ["1  D1/scan.png", "D2/scan.png", "other.png"]


def test_nothing_waits_to_be_read_once_there_is_a_case(qtbot, opened, tmp_path):
    case, model = opened.session.document.case, SheetModel()
    model.set_opened(Opened(paths=(tmp_path / "matter.rejoin",)).holding(case), {}, True, 1.0)
    assert model.rowCount() == len(case.sheets)


def test_sheets_of_one_name_are_told_apart_by_their_folders(qtbot, window, draw_sheet):
    window.opener.open([draw_sheet("D1/scan.png"), draw_sheet("D2/scan.png"), draw_sheet("D2/other.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    model = window.sheets.filmstrip.model()
    assert [model.index(row).data() for row in range(3)] == ["1  D1/scan.png", "2  D2/scan.png", "3  other.png"]
    window.session.document.select_sheet(1)
    assert window.sheets.source._heading.text() == "D2/scan.png"
    window.session.document.select_shred("1-02")
    assert "On D1/scan.png" in window.sheets.source._detail.text()
    window.sheets.filmstrip.grab()


def test_previews_in_the_file_of_a_case_are_drawn_on_a_worker(qtbot, opened, tmp_path):
    opened.session.writer.save(tmp_path / "one.rejoin")
    qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
    opened.opener.open([tmp_path / "one.rejoin"])
    qtbot.waitUntil(lambda: bool(opened.pages.view.canvas.places))
    sheets = opened.session.document.opened.sheets
    assert not any(sheet.has_preview_at_hand for sheet in sheets)
    model = opened.sheets.filmstrip.model()
    qtbot.waitUntil(lambda: 0 in model.pixmaps)
    expected = image_from(sheets[0].preview)
    shown = model.pixmaps[0].toImage().scaled(8, 8).convertToFormat(expected.format())
    assert shown.pixelColor(4, 4).lightness() == expected.scaled(8, 8).pixelColor(4, 4).lightness()


def test_a_case_shows_its_first_sheets_first(qtbot, window, draw_sheet, tmp_path):
    strip = window.sheets.filmstrip
    strip.set_thumbnail_px(320)
    window.opener.open([draw_sheet(f"{number:02}.png") for number in range(12)])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    window.session.writer.save(tmp_path / "twelve.rejoin")
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)
    window.opener.open([tmp_path / "twelve.rejoin"])
    qtbot.waitUntil(lambda: 0 in strip.model().pixmaps and len(window.session.jobs) == 0)
    assert strip.verticalScrollBar().maximum() > 0
    assert strip.verticalScrollBar().value() == 0
