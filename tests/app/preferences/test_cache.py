"""The dialog of the cache: what is chosen is in force, and emptying says what it freed."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from core.system.disk_cache import DiskCache


@pytest.fixture
def dialog(qtbot, window, tmp_path):
    window.session.jobs.engine.set_cache(tmp_path / "kept", 3.0)
    window.commands.cache.trigger()
    dialog = window.cache.dialog
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def test_what_is_chosen_is_in_force_and_remembered(qtbot, window, dialog, tmp_path):
    assert (dialog.path.text(), dialog.limit.value()) == (str(tmp_path / "kept"), 3.0)
    before = window.session.jobs.engine.memory
    dialog.path.setText(str(tmp_path / "elsewhere"))
    dialog.limit.setValue(7.5)
    qtbot.mouseClick(dialog.keep_button, Qt.MouseButton.LeftButton)
    engine = window.session.jobs.engine
    assert (engine.cache_folder, engine.cache_gb) == (tmp_path / "elsewhere", 7.5)
    assert (window._settings.cache_folder(), window._settings.cache_gb()) == (tmp_path / "elsewhere", 7.5)
    assert engine.memory is not before
    assert engine.memory.cache.folder == tmp_path / "elsewhere"


def test_what_is_cancelled_changes_nothing(qtbot, window, dialog, tmp_path):
    dialog.limit.setValue(0)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.session.jobs.engine.cache_gb == 3.0


def test_emptying_says_what_it_freed(qtbot, window, dialog, tmp_path):
    qtbot.waitUntil(lambda: dialog.used.text() == "0.00 GB")
    assert not dialog.empty_button.isEnabled()
    cache, other = DiskCache(tmp_path / "full"), tmp_path / "full" / "letter.txt"
    cache.put({"a": np.zeros(3_000_000)}, what="test")
    other.write_text("no entry")
    dialog.path.setText(str(tmp_path / "full"))
    qtbot.waitUntil(lambda: dialog.used.text() == "0.02 GB")
    qtbot.mouseClick(dialog.empty_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.used.text() == "0.02 GB freed")
    assert cache.get(what="test") is None
    assert other.exists()
