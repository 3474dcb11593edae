from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from tests.app.fakes import FakeEngine
from tests.app.pages.test_controller import on_canvas, press_path

SLIVER, CRUMB = "1-s1", "2-s1"


class ScrapEngine(FakeEngine):
    """Finds slivers and crumbs where the blank strips of the first two sheets lie."""

    def reconstruct(self, paths, on_sheet, progress, options, mends=None):
        case = super().reconstruct(paths, on_sheet, progress, options)
        names = {"1-04": (SLIVER, "sliver", 12, 500), "2-04": (CRUMB, "crumb", 60, 100)}
        shreds = tuple(shred if shred.id not in names else scrap(shred, *names[shred.id]) for shred in case.shreds)
        aside = tuple(names[shred][0] if shred in names else shred for shred in case.arrangement.set_aside)
        return replace(case, shreds=shreds, arrangement=replace(case.arrangement, set_aside=aside))


def scrap(shred, name, kind, width, height):
    return replace(
        shred,
        id=name,
        scrap=kind,
        bbox=(*shred.bbox[:2], width, height),
        pixels=np.ascontiguousarray(shred.pixels[:height, :width]),
        mask=shred.mask[:height, :width],
    )


@pytest.fixture
def engine():
    return ScrapEngine()


@pytest.fixture
def tray(opened):
    return opened.pages.tray


def texts(tray):
    return [tray.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(tray.count())]


def test_slivers_and_crumbs_are_told_from_blank_shreds(opened, tray):
    told = ["Sliver 1-s1, 1 × 42 mm", "Crumb 2-s1, 5 × 8 mm", "Shred 3-04, blank", "Sliver, 2 × 3 mm"]
    assert texts(tray) == told
    summary = opened.status.summary.text()
    assert "10 shreds" in summary
    assert "1 shred and 3 other pieces set aside" in summary
    opened.session.document.select_shred(SLIVER)
    assert "Too small to be compared" in opened.sheets.source._detail.text()


def test_a_sliver_is_dragged_between_two_shreds_and_back_by_undo(qtbot, opened, tray):
    canvas = opened.pages.view.canvas
    begin = tray.visualItemRect(tray.item(0)).center()
    end = tray.viewport().mapFromGlobal(canvas.viewport().mapToGlobal(on_canvas(opened, "1-02") - QPoint(4, 0)))
    press_path(qtbot, tray.viewport(), [begin, begin + QPoint(20, 0), end])
    pages = opened.session.document.case.arrangement.pages
    assert pages[0][:3] == ("1-01", SLIVER, "1-02")
    qtbot.waitUntil(lambda: SLIVER in canvas.places)
    assert canvas.places[SLIVER].width() == 12
    assert opened.commands.undo.text() == "&Undo bringing back of shred 1-s1"
    qtbot.keyClick(canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert SLIVER in opened.session.document.case.arrangement.set_aside


def test_a_crumb_comes_to_the_page_by_key_and_can_be_nudged(qtbot, opened, tray):
    opened.session.document.select_shred(CRUMB)
    qtbot.keyClick(tray, Qt.Key.Key_Insert)
    assert opened.session.document.case.arrangement.pages[0][-1] == CRUMB
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert opened.session.document.case.arrangement.shift_px[CRUMB] == 1


def test_pieces_are_drawn_as_long_as_they_are(tray):
    lengths = [tray.item(row).data(Qt.ItemDataRole.UserRole).length for row in range(2)]
    assert lengths == [1.0, 0.2]
