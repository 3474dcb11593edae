from pathlib import Path

import pikepdf
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QDialogButtonBox, QLabel

from app.record.report import ReportDialog
from app.widgets import messages

CTRL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton


@pytest.fixture
def ask(qtbot, opened):
    """Open the window of the report by its key."""

    def ask() -> ReportDialog:
        opened.activateWindow()
        qtbot.waitUntil(opened.isActiveWindow)
        qtbot.keyClick(opened, Qt.Key.Key_P, CTRL)
        return next(each for each in opened.findChildren(ReportDialog) if each.isVisible())

    return ask


def tick(qtbot, box):
    qtbot.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))


def ok(dialog):
    return dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)


def test_sections_and_pages_are_chosen_written_and_remembered(qtbot, opened, ask, tmp_path, monkeypatch, settings):
    monkeypatch.setattr(messages, "choose_report", lambda parent, proposed: tmp_path / "r.pdf")
    dialog = ask()
    for name, box in dialog.sections.items():
        assert box.isChecked()
        if name != "summary":
            tick(qtbot, box)
    qtbot.keyClicks(dialog.range, "2")
    tick(qtbot, dialog.seams)
    with qtbot.waitSignal(opened.session.writer.exported):
        qtbot.mouseClick(ok(dialog), LEFT)
    with pikepdf.open(tmp_path / "r.pdf") as pdf:
        assert len(pdf.pages) == 2
    dialog = ask()
    assert [name for name, box in dialog.sections.items() if box.isChecked()] == ["summary"]
    assert dialog.seams.isChecked()
    assert dialog.range.text() == "", "a range is of one case alone"
    settings.set_report({"layout": 3, "left_out": "all", "seams": "yes"})
    dialog.reject()
    assert all(box.isChecked() for box in ask().sections.values()), "settings edited by hand"


def test_what_cannot_be_written_is_said_at_once(qtbot, ask):
    dialog = ask()
    qtbot.keyClicks(dialog.range, "2-5")
    assert dialog.problem.text() == "There is no page 2-5: pages go from 1 to 2."
    assert not ok(dialog).isEnabled()
    assert not dialog.preview.show_button.isEnabled()
    qtbot.keyClick(dialog.range, Qt.Key.Key_Backspace)
    qtbot.keyClick(dialog.range, Qt.Key.Key_Backspace)
    assert dialog.problem.text() == ""
    assert ok(dialog).isEnabled()
    qtbot.keyClick(dialog.files, Qt.Key.Key_End)
    assert dialog.wanted["pages"] is None
    assert not dialog.range.isEnabled()
    for box in dialog.sections.values():
        tick(qtbot, box)
    assert dialog.problem.text() == "Choose at least one section."


def test_every_key_of_the_report_means_one_thing(ask):
    dialog = ask()
    texts = [each.text() for kind in (QAbstractButton, QLabel) for each in dialog.findChildren(kind) if each.text()]
    keys = [QKeySequence.mnemonic(text).toString() for text in texts]
    keys = [key for key in keys if key]
    assert "Alt+W" in keys
    assert sorted(keys) == sorted(set(keys))


def test_the_report_is_seen_before_it_is_written(qtbot, opened, ask):
    dialog = ask()
    preview = dialog.preview
    qtbot.mouseClick(preview.show_button, LEFT)
    qtbot.waitUntil(lambda: preview.n_pages > 2)
    assert preview.view.image_item.finest.width() == 1240
    assert preview.state.text() == f"Page 1 of {preview.n_pages}"
    qtbot.mouseClick(preview.next_button, LEFT)
    qtbot.waitUntil(lambda: preview.page == 1)
    tick(qtbot, dialog.sections["pictures"])
    assert preview.state.text() == "Of other choices"
    n_pages = preview.n_pages
    qtbot.mouseClick(preview.show_button, LEFT)
    qtbot.waitUntil(lambda: 0 < preview.n_pages < n_pages)
    folder = Path(preview._folder.name)
    dialog.reject()
    qtbot.waitUntil(lambda: not opened.findChildren(ReportDialog))
    assert not folder.exists()
    assert opened.session.document.history[-1].what == "reconstructed", "looking is not exporting"
