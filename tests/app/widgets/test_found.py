"""What was found among files is shown, and the examiner has the last word."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.widgets.found import FoundDialog
from core.sheets.survey import survey


@pytest.fixture
def heap(tmp_path: Path) -> Path:
    """Three strips without resolution, and a sheet that states one; it comes first, as words do before numbers."""
    for number in range(3):
        Image.new("L", (100, 1754), 250).save(tmp_path / f"{number}.png")
    Image.fromarray(np.full((1700, 1400), 90, np.uint8)).save(tmp_path / "sheet.png", dpi=(200, 200))
    return tmp_path


@pytest.fixture
def dialog(qtbot, heap: Path) -> FoundDialog:
    strip = QImage(10, 175, QImage.Format.Format_RGB32)
    dialog = FoundDialog(None, survey([heap]), {heap / "0.png": strip})
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def ticked(dialog: FoundDialog) -> dict[str, bool]:
    items = (dialog.list.item(row) for row in range(dialog.list.count()))
    return {item.text(): item.checkState() == Qt.CheckState.Checked for item in items}


def test_what_was_found_is_ticked_and_counted(dialog):
    assert ticked(dialog) == {"0.png": True, "1.png": True, "2.png": True, "sheet.png": False}
    assert dialog.heading.text() == "Found 3 single shreds and 1 file of sheets"
    assert dialog.list.item(1).icon().availableSizes()[0].height() > 100
    assert [file.single_shred for file in dialog.files] == [False, True, True, True]


def test_ticks_are_counted_and_taken(dialog):
    dialog.list.item(2).setCheckState(Qt.CheckState.Unchecked)
    assert dialog.heading.text() == "Found 2 single shreds and 2 files of sheets"
    assert [file.single_shred for file in dialog.files] == [False, True, False, True]
    dialog._tick(False)
    assert dialog.heading.text() == "Found 4 files of sheets"
    dialog._tick(True)
    assert dialog.heading.text() == "Found 4 single shreds"


def test_the_resolution_is_asked_once_for_all_that_state_none(dialog):
    assert dialog.dpi.value() == 150
    assert "the longest is 297 mm long; the shreds together are 51 mm wide" in dialog.extent.text()
    assert "as the other files say" not in dialog.extent.text()
    assert [(file.dpi, file.dpi_source) for file in dialog.files] == [(None, "estimated")] + [(150.0, "given")] * 3
    dialog.dpi.setValue(75)
    assert "the longest is 594 mm long" in dialog.extent.text()
    assert "Estimated" not in dialog.extent.text()
    assert [file.dpi for file in dialog.files] == [None] + [75.0] * 3
    dialog.dpi.setValue(0)
    assert [(file.dpi, file.dpi_source) for file in dialog.files[1:]] == [(150.0, "estimated")] * 3


def test_where_all_state_their_resolution_it_is_not_asked_for(qtbot, tmp_path):
    for number in range(3):
        Image.new("L", (100, 1754), 250).save(tmp_path / f"{number}.png", dpi=(150, 150))
    dialog = FoundDialog(None, survey([tmp_path]), {})
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.dpi.isVisible()
    assert all(file.dpi is None for file in dialog.files)
