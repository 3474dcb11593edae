import os

import pikepdf
import pytest
from PySide6.QtWidgets import QDialogButtonBox

from app.record.choices import FolderDialog, PagesDialog
from app.record.report import ReportDialog
from app.widgets import messages
from core.options import Export
from core.text import tesseract


def only(window, kind):
    (dialog,) = window.findChildren(kind)
    return dialog


def press(dialog):
    dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok).click()


def until_written(qtbot, window):
    with qtbot.waitSignal(window.session.writer.exported):
        pass


def test_a_folder_is_written_beside_the_ones_before(qtbot, opened, tmp_path, monkeypatch):
    place = tmp_path / "out"
    place.mkdir()
    monkeypatch.setattr(messages, "choose_place", lambda parent, folder: place)
    for _ in range(2):
        opened.commands.export_folder.trigger()
        dialog = only(opened, FolderDialog)
        dialog.shreds.setChecked(True)
        dialog.reading.setChecked(True)
        press(dialog)
        until_written(qtbot, opened)
        qtbot.waitUntil(lambda: not opened.findChildren(FolderDialog))
    first, second = sorted(place.iterdir())
    assert second.name == f"{first.name} 2"
    assert sorted(os.listdir(first)) == ["ABOUT.txt", "SHA256SUMS", "order.csv", "pages", "reading", "shreds"]
    assert opened.notices.text == f"Written: {second.name}, with reading pages"
    entry = opened.session.document.case.history[-1]
    assert (entry.what, entry.parameters["files"][0]["name"]) == ("exported", "SHA256SUMS")


def test_text_is_written_in_the_languages_ticked(qtbot, opened, tmp_path, monkeypatch, settings, tesseract_stub):
    tesseract_stub(("word", 1, 9))
    monkeypatch.setattr(messages, "choose_place", lambda parent, folder: tmp_path)
    opened.commands.export_folder.trigger()
    dialog = only(opened, FolderDialog)
    assert not dialog.text.button.isEnabled()
    dialog.text.box.setChecked(True)
    qtbot.waitUntil(lambda: len(dialog.text.button.menu().actions()) == 2)
    dialog.text.button.menu().actions()[0].trigger()
    assert settings.languages() == "eng+deu"
    press(dialog)
    until_written(qtbot, opened)
    (folder,) = tmp_path.glob("* export")
    assert (folder / "text" / "page-02.txt").read_text() == "word\n"
    assert "tesseract 9.9 (eng+deu)" in (folder / "ABOUT.txt").read_text()


def test_nothing_chosen_cannot_be_exported(qtbot, opened):
    opened.commands.export_folder.trigger()
    dialog = only(opened, FolderDialog)
    assert dialog.wanted == Export("png", ("csv",))
    dialog.pages.setCurrentIndex(2)
    go = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    assert go.isEnabled()
    dialog.csv.setChecked(False)
    assert not go.isEnabled()
    dialog.reject()


@pytest.mark.parametrize(
    ("chosen", "names", "told"),
    [
        ("evidence", ["p.pdf"], "evidence pages"),
        ("reading", ["p.pdf"], "reading copies"),
        ("both", ["p reading 2.pdf", "p.pdf"], "evidence pages · reading copies"),
    ],
)
def test_pages_are_written_in_either_rendition_or_both(qtbot, opened, tmp_path, monkeypatch, chosen, names, told):
    place = tmp_path / "out"
    place.mkdir()
    (place / "p reading.pdf").write_bytes(b"of another matter")
    proposed = []
    monkeypatch.setattr(messages, "choose_export", lambda parent, path: proposed.append(path.name) or place / "p.pdf")
    opened.commands.export.trigger()
    dialog = only(opened, PagesDialog)
    dialog.pages.setCurrentIndex(dialog.pages.findData(chosen))
    press(dialog)
    until_written(qtbot, opened)
    assert (place / "p reading.pdf").read_bytes() == b"of another matter", "nothing is written over unasked"
    written = sorted(set(os.listdir(place)) - {"p reading.pdf"})
    assert written == names
    subjects = []
    for name in written:
        with pikepdf.open(place / name) as pdf, pdf.open_metadata() as metadata:
            subjects.append(metadata["dc:description"].startswith("Reading copy"))
            assert len(pdf.pages) == opened.session.document.n_pages
    assert subjects == [("reading" in name) or chosen == "reading" for name in names]
    assert opened.notices.text.endswith(f", {told}")
    assert opened.session.document.case.history[-1].text.endswith(f": {told}")
    assert proposed[0].endswith("reading.pdf") == (chosen == "reading")


def test_a_report_can_hold_reading_pages(qtbot, opened, tmp_path, monkeypatch):
    monkeypatch.setattr(messages, "choose_report", lambda parent, proposed: tmp_path / "r.pdf")
    n_pages = []
    for reading in (False, True):
        opened.commands.report.trigger()
        dialog = only(opened, ReportDialog)
        dialog.reading.setChecked(reading)
        press(dialog)
        until_written(qtbot, opened)
        qtbot.waitUntil(lambda: not opened.findChildren(ReportDialog))
        with pikepdf.open(tmp_path / "r.pdf") as pdf:
            n_pages.append(len(pdf.pages))
    assert n_pages[1] == n_pages[0] + opened.session.document.n_pages
    assert opened.notices.text == "Written: r.pdf, with reading pages"


@pytest.mark.parametrize(("layout", "names"), [("one", ["r.pdf"]), ("two", ["r appendix.pdf", "r.pdf"])])
def test_the_report_is_written(qtbot, opened, tmp_path, monkeypatch, layout, names):
    place = tmp_path / "out"
    place.mkdir()
    monkeypatch.setattr(messages, "choose_report", lambda parent, proposed: place / "r.pdf")
    opened.commands.report.trigger()
    dialog = only(opened, ReportDialog)
    dialog.files.setCurrentIndex(dialog.files.findData(layout))
    press(dialog)
    until_written(qtbot, opened)
    assert sorted(os.listdir(place)) == names
    with pikepdf.open(place / "r.pdf") as pdf, pdf.open_metadata() as metadata:
        assert opened.session.document.name in metadata["dc:title"]
        assert (len(pdf.pages) > opened.session.document.n_pages) == (layout == "one")
    assert opened.session.document.case.history[-1].what == "exported"


def test_without_tesseract_text_cannot_be_asked_for(qtbot, opened, monkeypatch):
    monkeypatch.setattr(tesseract, "TESSERACT", "no-such-program")
    for dialog in (ReportDialog(opened.shell), FolderDialog(opened.shell)):
        assert not dialog.text.box.isEnabled()
        assert "not installed" in dialog.text.box.toolTip()
        assert dialog.text.languages == ""
        dialog.close()


def test_a_report_can_be_cancelled_and_leaves_nothing(qtbot, opened, tmp_path, monkeypatch):
    place = tmp_path / "out"
    place.mkdir()
    monkeypatch.setattr(messages, "choose_report", lambda parent, proposed: place / "r.pdf")
    opened.commands.report.trigger()
    press(only(opened, ReportDialog))
    assert opened.session.jobs.exporting
    with qtbot.waitSignal(opened.session.jobs.cancelled):
        opened.commands.cancel.trigger()
    qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
    assert not os.listdir(place)
