"""What is asked and told of files: what they are, given twice, remarkable, or on another computer."""

from dataclasses import replace
from datetime import datetime

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from app.files import Restorer
from app.session.safety.autosave import Autosave, UnsavedState
from app.widgets import messages
from app.widgets.found import FoundDialog
from app.widgets.messages import MessageDialog
from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import MoveShreds
from core.case.file import save
from core.case.record import reconstruction_parameters, recorded
from core.errors import Duplicate, Likeness, Remark
from core.options import CompositionOptions

pytestmark = pytest.mark.slow

LEFT_OUT = Duplicate("copy.png was left out: it has the same content as scan1.png.")


@pytest.fixture
def given_twice(monkeypatch, engine):
    """Let the engine find that a sheet was given twice; remembers the options it was asked with."""
    asked, real = [], engine.reconstruct
    sentences = [LEFT_OUT]

    def reconstruct(paths, on_sheet, progress, options, mends=None):
        asked.append(options)
        case = replace(real(paths, on_sheet, progress, options), options=options)
        return case if options.reading.keep_duplicates else replace(case, unreadable=tuple(sentences))

    monkeypatch.setattr(engine, "reconstruct", reconstruct)
    return asked, sentences


def open_sheet(qtbot, window, draw_sheet):
    window.opener.open([draw_sheet("scan1.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))


def test_it_is_asked_about_and_kept_if_wanted(qtbot, window, draw_sheet, given_twice):
    asked, _ = given_twice
    open_sheet(qtbot, window, draw_sheet)
    assert window.notices.text.startswith("1 sheet was given twice and taken once")
    assert window.notices.more_button.text() == "Keep Both"
    window.notices.more_button.click()
    qtbot.waitUntil(lambda: window.session.document.case.options.reading.keep_duplicates)
    assert [options.reading.keep_duplicates for options in asked] == [False, True]
    assert not window.notices.isVisible()
    assert window.session.document.case.history[-1].parameters["options"]["reading"]["keep_duplicates"]
    window.session.document.undo_stack.undo()
    assert not window.session.document.case.options.reading.keep_duplicates


def test_where_more_was_left_out_the_list_is_shown(qtbot, window, draw_sheet, given_twice):
    given_twice[1].append("notes.txt was left out: it is no picture.")
    open_sheet(qtbot, window, draw_sheet)
    assert window.notices.text == "2 inputs were left out."


def test_what_shows_the_same_is_asked_about_too(qtbot, window, draw_sheet, given_twice):
    given_twice[1][:] = [Likeness(f"copy.png {Likeness.REASON} scan1.png.")]
    open_sheet(qtbot, window, draw_sheet)
    assert window.notices.text.startswith("1 sheet was given twice and taken once: they show the same.")


def test_remarks_are_told_as_such(qtbot, window, draw_sheet, given_twice):
    given_twice[1][:] = [Remark(f"scan{n}.jpg breaks off, and was {Remark.MARK}.") for n in range(3)]
    open_sheet(qtbot, window, draw_sheet)
    assert window.notices.text == "3 remarks on what was read."
    window.notices.more_button.click()
    (dialog,) = shown(MessageDialog)
    assert "The same holds for 2 more" in dialog.details.toPlainText()
    dialog.reject()


def test_remarks_do_not_count_as_left_out(qtbot, window, draw_sheet, given_twice):
    given_twice[1][:] = [LEFT_OUT, Remark(f"scan.jpg breaks off, and was {Remark.MARK}.")]
    open_sheet(qtbot, window, draw_sheet)
    assert window.notices.text.startswith("1 sheet was given twice and taken once")


@pytest.fixture
def earlier(opened, tmp_path):
    """A case as an earlier version, which did not level pages, left it."""
    case = opened.session.document.case
    options = replace(case.options, composition=CompositionOptions(level=False))
    told = reconstruction_parameters(case)
    told["options"] = {**told["options"], "composition": {"show_seams": False}}
    case = recorded(replace(case, options=options, history=()), "Ada", "reconstructed", "2 pages", told)
    save(case, tmp_path / "earlier.rejoin")
    return tmp_path / "earlier.rejoin"


def test_a_case_of_an_earlier_version_says_once_how_its_pages_are_levelled(qtbot, opened, earlier):
    opened.opener.open([earlier])
    qtbot.waitUntil(opened.notices.isVisible)
    assert "Made with an earlier version" in opened.notices.text
    assert opened.notices.minimumSizeHint().width() < 400, "a long sentence takes no room from the panels"
    opened.notices.more_button.click()
    assert opened.docks["options"].dock.isVisible()
    box = opened.options_panel.inputs["composition", "level"].control
    assert not box.isChecked()
    options = opened.session.document.case.options
    with qtbot.waitSignal(opened.session.document.options_changed):
        opened.session.updater.apply(replace(options, composition=CompositionOptions()))
    opened.session.document.discard_changes()
    qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
    with qtbot.waitSignal(opened.session.document.saved):
        opened.session.writer.save(earlier)
    opened.opener.open([earlier])
    qtbot.waitUntil(lambda: opened.session.document.case is not None)
    assert not opened.notices.isVisible()


def shown(kind):
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, kind) and widget.isVisible()]


@pytest.fixture
def strips(tmp_path):
    """Three strips, as long as the fake engine wants its sheets, that state no resolution."""
    folder = tmp_path / "from the bin"
    folder.mkdir()
    for number in range(3):
        Image.new("RGB", (400, 1754), (250, 250, 250 - number)).save(folder / f"{number}.png")
    return folder


@pytest.fixture
def read_as(monkeypatch, engine):
    """Remembers how the engine was to read files."""
    asked, real = [], engine.reconstruct

    def reconstruct(paths, on_sheet, progress, options, mends=None):
        asked.append(tuple(paths))
        return real(paths, on_sheet, progress, options)

    monkeypatch.setattr(engine, "reconstruct", reconstruct)
    return asked


def test_what_files_are_is_asked_once_before_they_are_read(qtbot, window, strips, read_as):
    window.opener.open([strips])
    qtbot.waitUntil(lambda: bool(shown(FoundDialog)))
    assert not read_as
    (dialog,) = shown(FoundDialog)
    assert dialog.heading.text() == "Found 3 single shreds"
    dialog.dpi.setValue(300)
    dialog.list.item(2).setCheckState(Qt.CheckState.Unchecked)
    dialog.accept()
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    files = read_as[0]
    assert [(file.single_shred, file.dpi) for file in files] == [(True, 300.0), (True, 300.0), (False, 300.0)]
    assert window.session.document.opened.paths == (strips,)
    window.session.document.discard_changes()
    window.session.reader.reconstruct_again()
    qtbot.waitUntil(lambda: len(read_as) == 2 and bool(window.pages.view.canvas.places))
    assert read_as[1] == files, "what was answered holds"
    assert not shown(FoundDialog)


def test_who_does_not_answer_has_what_was_open(qtbot, opened, strips, read_as):
    before = opened.session.document.case
    opened.opener.open([strips])
    qtbot.waitUntil(lambda: bool(shown(FoundDialog)))
    shown(FoundDialog)[0].reject()
    qtbot.waitUntil(lambda: opened.session.document.case is before)
    assert not read_as


def drop(window, *addresses):
    data = QMimeData()
    data.setUrls([QUrl(address) for address in addresses])
    button, none, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(100, 100), copy, data, button, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(100, 100), copy, data, button, none))


@pytest.mark.parametrize("address", ["smb://server/scans/scan 1.png", "sftp://server/scans/", "mtp://phone/a.jpg"])
def test_what_lies_on_another_computer_is_refused_with_a_sentence(window, address):
    drop(window, address)
    (dialog,) = shown(MessageDialog)
    assert address in dialog.text.text()
    assert "is no file on this computer" in dialog.text.text()
    assert "Copy it here" in dialog.text.text()
    dialog.reject()


def test_what_lies_here_is_opened_all_the_same(qtbot, window, draw_sheet):
    drop(
        window, "smb://server/a.png", "smb://server/b.png", QUrl.fromLocalFile(str(draw_sheet("scan1.png"))).toString()
    )
    (dialog,) = shown(MessageDialog)
    assert "a.png and 1 more are no files on this computer" in dialog.text.text()
    dialog.reject()
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))


# What is not saved yet


@pytest.fixture
def asked(monkeypatch):
    """Answer Cancel where it is asked whether to save, and note what was asked."""
    asked, cancel = [], "cancel"
    for name in ("ask_to_save", "ask_to_save_new"):
        monkeypatch.setattr(messages, name, lambda parent, name=name: asked.append(name) or cancel)
    return asked


def test_a_reconstruction_that_was_never_saved_asks_before_it_closes(qtbot, opened, draw_sheet, tmp_path, asked):
    document = opened.session.document
    case = document.case
    assert not opened.close()
    opened.opener.open([draw_sheet("other.png")])
    assert document.case is case
    assert asked == ["ask_to_save_new"] * 2
    qtbot.keyClick(opened, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: document.case is not None and document.case is not case)
    assert len(asked) == 2, "the same sheets can be reconstructed again as often as wanted"
    with qtbot.waitSignal(document.saved):
        opened.session.writer.save(tmp_path / "matter.rejoin")
    assert opened.close()
    assert len(asked) == 2


def test_a_case_offers_its_newer_unsaved_state_when_it_is_opened(qtbot, opened, draw_sheet, tmp_path):
    session, path = opened.session, tmp_path / "matter.rejoin"
    with qtbot.waitSignal(session.document.saved):
        session.writer.save(path)
    left = tmp_path / "unsaved" / "left"
    autosave = Autosave(session, tmp_path / "unsaved")
    autosave._begin()
    session.editor.edit(MoveShreds(("1-01",), 0, 6), "move")
    changed = session.document.case.arrangement
    qtbot.waitUntil(lambda: bool(list(tmp_path.glob("unsaved/*/state.json"))))
    state = next(iter(tmp_path.glob("unsaved/*/state.json")))
    left.mkdir()
    (left / "state.json").write_bytes(state.read_bytes())
    session.document.discard_changes()
    Restorer(opened.shell, opened.saver, autosave)
    opened.opener.open([draw_sheet("other.png")])
    qtbot.waitUntil(lambda: "there are unsaved changes to matter.rejoin" in opened.notices.text)
    opened.opener.open([path])
    qtbot.waitUntil(lambda: opened.notices.text.startswith("There are newer changes to matter.rejoin"))
    assert session.document.case.arrangement != changed
    qtbot.mouseClick(opened.notices.more_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.notices.text.startswith("Restored"))
    assert session.document.case.arrangement == changed
    session.document.discard_changes()


def test_what_was_saved_later_is_not_offered_its_older_state(tmp_path):
    path = tmp_path / "matter.rejoin"
    path.write_bytes(b"saved later")
    ended = datetime.fromtimestamp(path.stat().st_mtime - 60)
    state = UnsavedState(tmp_path, (path,), path, Arrangement(), None, (), 0, ended)
    assert not state.newer_than((path,))
    assert replace(state, ended=datetime.fromtimestamp(path.stat().st_mtime + 60)).newer_than((path,))
    assert not state.newer_than((tmp_path / "other.rejoin",))
