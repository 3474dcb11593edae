import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QDialog, QPushButton

from app import files, theme
from app.main_window import MainWindow
from app.record.choices import PagesDialog
from app.settings import Settings
from app.widgets import messages
from core.errors import NothingFoundError
from tests.app.fakes import SHEET_SIZE, STRIP_WIDTH, strip_x


def hover_and_drop(window, paths, x=100, drop=True):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    button, plain, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(x, 200), copy, data, button, plain)
    QApplication.sendEvent(window, enter)
    if drop:
        event = QDropEvent(QPointF(x, 200), copy, data, button, plain)
        QApplication.sendEvent(window, event)
    return enter.isAccepted()


def until_idle(qtbot, window):
    qtbot.waitUntil(lambda: not window.session.jobs.busy)


def until_rested(qtbot, window):
    """Wait until the scale has rested for so long that the sheet would be read again, and has been if need be."""
    qtbot.waitUntil(lambda: not window.sheets.source._rest.isActive() and len(window.session.jobs) == 0)


def until_page(qtbot, window):
    until_idle(qtbot, window)
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))


def click(qtbot, view, x, y):
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.mapFromScene(QPointF(x, y)))


def dialogs_of(window):
    return [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]


# Opening


def test_empty_window_invites(window):
    assert window.centre.currentWidget() is window.welcome
    assert window.welcome.open_button.isVisible()
    assert not window.docks["sheets"].dock.isVisible()
    assert not window.commands.export.isEnabled()


def test_hovering_files_are_shown_and_leave_no_trace(window, tmp_path):
    assert hover_and_drop(window, [tmp_path / "a.png"], drop=False)
    assert window.drop_overlay.isVisible()
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not window.drop_overlay.isVisible()


def test_texts_and_addresses_are_not_accepted(window):
    data = QMimeData()
    data.setText("hello")
    data.setUrls([QUrl("https://example.org/a.png")])
    event = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(window, event)
    assert not event.isAccepted()
    assert not window.drop_overlay.isVisible()


def test_a_drag_that_ended_elsewhere_leaves_nothing_behind(qtbot, window, tmp_path):
    overlay, button = window.drop_overlay, window.welcome.open_button
    for end in (
        lambda: qtbot.mouseMove(button, QPoint(5, 5)),
        lambda: qtbot.mousePress(window.welcome, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(window.welcome, Qt.Key.Key_A),
    ):
        assert hover_and_drop(window, [tmp_path / "a.png"], drop=False)
        assert overlay.isVisible()
        end()
        qtbot.waitUntil(lambda: not overlay.isVisible())


def test_drop_shows_sheets_and_then_the_page(qtbot, window, engine, draw_sheet):
    engine.hold = threading.Event()
    paths = [draw_sheet("a.png"), draw_sheet("b.png")]
    hover_and_drop(window, paths)
    model = window.sheets.filmstrip.model()
    assert model.rowCount() == 2  # by name, before anything has been read
    assert model.index(0).data() == "a.png"
    qtbot.waitUntil(lambda: len(window.session.document.opened.sheets) == 2)
    assert window.centre.currentWidget() is window.sheets.view
    assert model.index(1).data() == "2  b.png"
    assert model.index(1).data(Qt.ItemDataRole.UserRole + 1) == "4 shreds"
    assert window.progress_panel.isVisible()
    qtbot.waitUntil(lambda: window.progress_panel.stage.text() == "Embedding borders")
    engine.hold.set()
    until_page(qtbot, window)
    assert window.centre.currentWidget() is window.pages.view
    assert list(window.pages.view.canvas.places) == ["1-01", "1-02", "1-03", "2-01", "2-02", "2-03"]
    assert not window.progress_panel.isVisible()
    assert "5 joins, 1 doubtful" in window.status.summary.text()
    assert "2 shreds and 1 other piece set aside" in window.status.summary.text()
    assert window.pages.tray.count() == 3
    assert engine.runs == [tuple(paths)]


def test_files_of_a_folder_appear_before_they_are_read(qtbot, window, engine, draw_sheet, tmp_path):
    engine.deaf = threading.Event()
    for name in ("scans/a.png", "scans/b.png"):
        draw_sheet(name)
    window.opener.open([tmp_path / "scans"])
    model = window.sheets.filmstrip.model()
    names = lambda: [model.index(row).data() for row in range(model.rowCount())]  # noqa: E731
    assert names() == ["scans"]
    qtbot.waitUntil(lambda: [name[-5:] for name in names()] == ["a.png", "b.png"])


def test_left_half_of_the_window_adds_right_half_replaces(qtbot, opened, engine, draw_sheet):
    more, other = draw_sheet("more.png"), draw_sheet("other.png")
    hover_and_drop(opened, [more], x=50)
    until_page(qtbot, opened)
    assert engine.runs[-1] == (more,)
    assert len(opened.session.document.opened.sheets) == 4
    opened.session.document.discard_changes()
    hover_and_drop(opened, [other], x=opened.width() - 50)
    until_page(qtbot, opened)
    assert engine.runs[-1] == (other,)
    assert len(opened.session.document.opened.sheets) == 1


def test_open_dialog(qtbot, window, engine, draw_sheet, monkeypatch):
    path = draw_sheet("a.png")
    monkeypatch.setattr(messages, "choose_files", lambda parent, folder: [path])
    window.commands.open.trigger()
    until_page(qtbot, window)
    assert engine.runs == [(path,)]
    assert window.shell.settings.folder("open") == str(path.parent)
    assert window.windowTitle() == "a.png[*] – Rejoin"


def test_dialog_that_was_closed_changes_nothing(window, engine, monkeypatch):
    monkeypatch.setattr(messages, "choose_files", lambda parent, folder: [])
    monkeypatch.setattr(messages, "choose_folder", lambda parent, folder: [])
    window.commands.open.trigger()
    window.commands.open_folder.trigger()
    assert engine.runs == []
    assert window.centre.currentWidget() is window.welcome


def test_sample(qtbot, window, engine, monkeypatch, draw_sheet):
    paths = [draw_sheet("sample.png")]
    monkeypatch.setattr(files, "sample_paths", lambda: paths)
    qtbot.mouseClick(window.welcome.sample_button, Qt.MouseButton.LeftButton)
    until_page(qtbot, window)
    assert engine.runs == [tuple(paths)]


def test_recent_files_are_remembered_and_offered(qtbot, window, engine, draw_sheet, settings):
    first, second = draw_sheet("first.png"), draw_sheet("second.png")
    for paths in ([first], [first, second]):
        window.opener.open(paths)
        until_page(qtbot, window)
    assert settings.recent() == [(first, second), (first,)]
    texts = [action.text() for action in window.recent_menu.actions() if action.text()]
    assert texts[:2] == ["&1  first.png and 1 more", "&2  first.png"]
    window.recent_menu.actions()[1].trigger()
    until_page(qtbot, window)
    assert engine.runs[-1] == (first,)
    window.commands.clear_recent.trigger()
    assert settings.recent() == []
    assert not window.recent_menu.isEnabled()


def test_recent_files_are_on_the_empty_page_of_the_next_window(qtbot, engine, settings, draw_sheet):
    path = draw_sheet("a.png")
    settings.add_recent([path])
    from app.session.session import Session

    window = MainWindow(Session(engine), settings)
    qtbot.addWidget(window)
    names = [button.accessibleName() for button in window.welcome.findChildren(QPushButton)]
    assert "Open a.png" in names
    path.unlink()
    assert settings.recent() == []


# While work goes on, and its end


@pytest.mark.parametrize("how", ["button", "escape"])
def test_cancel_acts_at_once(qtbot, window, engine, draw_sheet, how):
    engine.hold = threading.Event()
    window.opener.open([draw_sheet("a.png")])
    qtbot.waitUntil(lambda: window.progress_panel.stage.text() == "Embedding borders")
    if how == "button":
        qtbot.mouseClick(window.progress_panel.cancel_button, Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.session.jobs.busy
    assert not window.progress_panel.isVisible()
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)
    assert window.notices.text == "Cancelled."
    engine.hold.set()
    qtbot.mouseClick(window.notices.more_button, Qt.MouseButton.LeftButton)  # Reconstruct again
    until_page(qtbot, window)


def test_cancelled_work_leaves_the_case_before_it_as_it_was(qtbot, opened, engine, draw_sheet):
    case = opened.session.document.case
    engine.hold = threading.Event()
    opened.opener.open([draw_sheet("b.png")])
    assert opened.session.document.case is None
    opened.commands.cancel.trigger()
    assert opened.session.document.case is case
    until_page(qtbot, opened)
    assert opened.centre.currentWidget() is opened.pages.view
    assert opened.windowTitle().startswith("scan1.png")


def test_result_of_a_run_that_was_replaced_is_ignored(qtbot, window, engine, draw_sheet):
    old, new = draw_sheet("old.png"), draw_sheet("new.png")
    engine.deaf = deaf = threading.Event()
    window.opener.open([old])
    qtbot.waitUntil(lambda: len(window.session.document.opened.sheets) == 1)
    engine.deaf = None
    window.opener.open([new])
    until_page(qtbot, window)
    deaf.set()  # only now the first run gives its result
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)
    assert [sheet.path for sheet in window.session.document.case.sheets] == [new]


def test_error_is_a_sentence_with_details_on_demand(qtbot, window, engine, draw_sheet, caplog):
    engine.error = NothingFoundError("No shreds found in a.png. Scan on a dark surface.")
    window.opener.open([draw_sheet("a.png")])
    qtbot.waitUntil(lambda: bool(dialogs_of(window)))
    (dialog,) = dialogs_of(window)
    assert dialog.text.text() == "No shreds found in a.png. Scan on a dark surface."
    assert not dialog.details.isVisible()
    qtbot.mouseClick(dialog.details_button, Qt.MouseButton.LeftButton)
    assert dialog.details.isVisible()
    assert "NothingFoundError" in dialog.details.toPlainText()
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text().startswith("No shreds found")
    assert "No shreds found" in caplog.text
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.centre.currentWidget() is window.sheets.view  # what was read stays in sight
    assert window.commands.again.isEnabled()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RuntimeError("index 5 is out of range"), "your scans are untouched"),
        (MemoryError(), "does not have enough free memory"),
        (PermissionError(13, "Permission denied", "/x/a.png"), "/x/a.png: Permission denied."),
    ],
    ids=["bug", "memory", "system"],
)
def test_unexpected_errors_are_sentences_too(error, expected):
    assert expected in messages.sentence(error)
    assert "index 5" not in messages.sentence(error)


def test_failure_of_what_is_added_leaves_the_case(qtbot, opened, engine, draw_sheet):
    case = opened.session.document.case
    engine.error = RuntimeError("a fault")
    opened.opener.open([draw_sheet("b.png")], add=True)
    qtbot.waitUntil(lambda: bool(dialogs_of(opened)))
    assert opened.session.document.case is case
    dialogs_of(opened)[0].close()


def test_unreadable_files_are_listed_and_do_not_stop_the_others(qtbot, window, draw_sheet, tmp_path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n and then nothing")
    window.opener.open([broken, draw_sheet("a.png")])
    until_page(qtbot, window)
    assert window.notices.text == "1 input was left out."
    qtbot.mouseClick(window.notices.more_button, Qt.MouseButton.LeftButton)
    (dialog,) = dialogs_of(window)
    assert dialog.details.isVisible()
    assert "broken.png" in dialog.details.toPlainText()
    dialog.close()


def test_nothing_readable(qtbot, window, tmp_path):
    window.opener.open([tmp_path / "missing.png"])
    qtbot.waitUntil(lambda: bool(dialogs_of(window)))
    assert "missing.png" in dialogs_of(window)[0].text.text()
    assert window.centre.currentWidget() is window.welcome
    dialogs_of(window)[0].close()


def test_close_during_work(qtbot, window, engine, draw_sheet):
    engine.hold = threading.Event()  # never set: only Cancel ends the run
    window.opener.open([draw_sheet("a.png")])
    qtbot.waitUntil(lambda: window.progress_panel.stage.text() == "Embedding borders")
    window.close()
    window.session.jobs.wait()
    assert len(window.session.jobs) == 0
    assert not window.isVisible()


# The result


def test_click_on_a_shred_shows_where_it_came_from(qtbot, opened):
    canvas = opened.pages.view.canvas
    place = canvas.places["2-02"]
    click(qtbot, canvas, place.center().x(), place.center().y())
    source = opened.sheets.source
    assert opened.session.document.selection.shred == "2-02"
    assert canvas.chosen == "2-02"
    assert source._heading.text() == "Shred 2-02"
    assert "scan2.png" in source._detail.text()
    outline = source.view.chosen.path().boundingRect()
    assert outline.left() == pytest.approx(strip_x(1))
    assert outline.width() == pytest.approx(STRIP_WIDTH)
    assert opened.sheets.filmstrip.currentIndex().row() == 1
    click(qtbot, canvas, -20, -20)
    assert opened.session.document.selection.shred == ""


def test_click_on_the_sheet_chooses_the_shred_on_the_page(qtbot, opened):
    opened.session.document.select_sheet(0)
    view = opened.sheets.source.view
    click(qtbot, view, strip_x(2) + 10, 200)
    assert opened.pages.view.canvas.chosen == "1-03"


def test_source_is_read_again_at_full_resolution_only_when_zoomed(qtbot, opened, engine):
    opened.session.document.select_sheet(0)
    opened.sheets.source.view.fit()
    until_rested(qtbot, opened)
    assert engine.reread_by == []
    opened.sheets.source.view.set_zoom(6)
    qtbot.waitUntil(lambda: engine.reread_by == ["task"])
    qtbot.waitUntil(lambda: opened.sheets.source._sharp)
    assert opened.sheets.source.view.image_item.boundingRect().width() == SHEET_SIZE[0]
    opened.sheets.source.view.set_zoom(8)
    until_rested(qtbot, opened)
    assert engine.reread_by == ["task"]


def test_sheet_that_has_gone_is_told_once(qtbot, opened):
    opened.session.document.opened.sheets[0].path.unlink()
    opened.session.document.select_sheet(0)
    view = opened.sheets.source.view
    view.set_zoom(6)
    qtbot.waitUntil(opened.notices.isVisible)
    assert "scan1.png is not there" in opened.notices.text
    opened.notices.hide()
    view.set_zoom(7)
    until_rested(qtbot, opened)
    assert not opened.notices.isVisible()


def test_sheets_and_tray_are_walked_through_by_keys(qtbot, opened):
    opened.sheets.filmstrip.setFocus()
    qtbot.keyClick(opened.sheets.filmstrip, Qt.Key.Key_Down)
    first = opened.session.document.selection.sheet
    qtbot.keyClick(opened.sheets.filmstrip, Qt.Key.Key_Down)
    assert opened.session.document.selection.sheet == first + 1
    opened.pages.tray.setFocus()
    qtbot.keyClick(opened.pages.tray, Qt.Key.Key_Home)
    qtbot.keyClick(opened.pages.tray, Qt.Key.Key_Down)
    assert opened.session.document.selection.shred == "2-04"


def test_what_is_set_aside_can_be_found_on_its_sheet(qtbot, opened):
    tray = opened.pages.tray
    texts = [tray.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(tray.count())]
    assert texts == ["Shred 1-04, blank", "Shred 2-04, blank", "Shred 3-04, blank", "Sliver, 2 × 3 mm"]
    tray.itemClicked.emit(tray.item(1))
    assert opened.session.document.selection.shred == "2-04"
    assert "Blank" in opened.sheets.source._detail.text()
    tray.itemClicked.emit(tray.item(3))
    assert opened.sheets.source.view.chosen.path().boundingRect().width() == pytest.approx(20)


def test_of_a_blank_piece_on_a_page_it_is_told_that_others_left_its_place(opened):
    document = opened.session.document
    case = document.case
    blank = case.arrangement.pages[0][1]
    shreds = tuple(shred.changed(cross_cut=True, blank=shred.id == blank) for shred in case.shreds)
    document.show(document.opened.holding(replace(case, shreds=shreds)))
    document.select_shreds((blank,), blank)
    assert "it fills a place that others leave" in opened.sheets.source._detail.text()


def test_pages_are_turned_by_keys(qtbot, opened):
    assert opened.pages.label.text() == "Page 1 of 2"
    assert not opened.commands.previous_page.isEnabled()
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: "3-01" in opened.pages.view.canvas.places)
    assert opened.pages.label.text() == "Page 2 of 2"
    assert not opened.commands.next_page.isEnabled()
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_PageUp)
    assert "1-01" in opened.pages.view.canvas.places


def test_page_that_is_not_composed_yet_is_never_passed_off_as_another(qtbot, opened):
    opened.session.pictures.clear()
    opened.session.document.show_page(1)
    canvas = opened.pages.view.canvas
    assert canvas.places == {}
    assert canvas.image_item.opacity() < 0.5
    qtbot.waitUntil(lambda: list(canvas.places) == ["3-01", "3-02", "3-03"])
    assert canvas.image_item.opacity() == 1


def test_zoom_by_keys(qtbot, opened):
    canvas = opened.pages.view.canvas
    canvas.setFocus()
    fitted = canvas.zoom
    qtbot.keyClick(canvas, Qt.Key.Key_1)
    assert canvas.zoom == pytest.approx(1)
    assert opened.status.zoom.text() == "100 %"
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.zoom == pytest.approx(1.5)
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    assert canvas.zoom == pytest.approx(1)
    qtbot.keyClick(canvas, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert canvas.zoom == pytest.approx(fitted)


def test_wheel_zooms_at_the_cursor(opened):
    canvas = opened.pages.view.canvas
    cursor = QPointF(150, 120)
    before = canvas.mapToScene(cursor.toPoint())
    wheel = QWheelEvent(
        cursor,
        canvas.viewport().mapToGlobal(cursor),
        QPoint(),
        QPoint(0, 600),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        cursor,
        canvas.viewport().mapToGlobal(cursor),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    zoom = canvas.zoom
    QApplication.sendEvent(canvas.viewport(), move)
    QApplication.sendEvent(canvas.viewport(), wheel)
    assert canvas.zoom == pytest.approx(zoom * 1.2**5, rel=1e-6)
    after = canvas.mapToScene(cursor.toPoint())
    assert (after - before).manhattanLength() < 3 / canvas.zoom


def test_the_middle_button_pans_and_chooses_nothing(qtbot, opened):
    canvas = opened.pages.view.canvas
    canvas.set_zoom(2)
    before = canvas.mapToScene(QPoint(100, 100))
    qtbot.mousePress(canvas.viewport(), Qt.MouseButton.MiddleButton, pos=QPoint(100, 100))
    qtbot.mouseMove(canvas.viewport(), QPoint(130, 140))
    qtbot.mouseRelease(canvas.viewport(), Qt.MouseButton.MiddleButton, pos=QPoint(130, 140))
    assert canvas.mapToScene(QPoint(130, 140)).x() == pytest.approx(before.x(), abs=1)
    assert opened.session.document.selection.shred == ""


def test_shreds_are_chosen_by_keys(qtbot, opened):
    canvas = opened.pages.view.canvas
    for key, expected in (
        (Qt.Key.Key_Right, "1-01"),
        (Qt.Key.Key_Right, "1-02"),
        (Qt.Key.Key_End, "2-03"),
        (Qt.Key.Key_Right, "2-03"),
        (Qt.Key.Key_Left, "2-02"),
        (Qt.Key.Key_Home, "1-01"),
    ):
        qtbot.keyClick(canvas, key)
        assert opened.session.document.selection.shred == expected


def test_ruler_tells_how_sure_each_join_is(qtbot, opened):
    ruler = opened.pages.view.ruler
    assert ruler.accessibleDescription() == "5 joins, 1 doubtful"
    joins = opened.session.document.case.joins
    x = ruler._canvas.mapFromScene(QPointF(ruler._canvas.seam_x(joins[2].left, joins[2].right), 0)).x()
    join = ruler.join_at(x + 2)
    assert join is joins[2]
    text = ruler.describe(join)
    assert "1-03 | 2-01" in text
    assert "20 % sure: doubtful" in text
    assert "Cost 3.5" in text
    assert "8 px lower" in text
    assert ruler.join_at(x + 300) is not join
    qtbot.mouseClick(ruler, Qt.MouseButton.LeftButton, pos=QPoint(round(x), 15))
    assert opened.session.document.selection.shred == "2-01"


def export_pages(window):
    window.commands.export.trigger()
    (dialog,) = window.findChildren(PagesDialog)
    dialog.accept()


def test_export_writes_the_pages(qtbot, opened, tmp_path, monkeypatch):
    target = tmp_path / "out" / "pages.pdf"
    target.parent.mkdir()
    monkeypatch.setattr(messages, "choose_export", lambda parent, proposed: target)
    export_pages(opened)
    assert opened.session.jobs.exporting
    assert not opened.commands.open.isEnabled()
    until_idle(qtbot, opened)
    assert target.read_bytes().startswith(b"%PDF")
    assert opened.notices.text == "Written: pages.pdf, evidence pages"
    assert opened.shell.settings.folder("export") == str(target.parent)


def test_failed_export_is_told(qtbot, opened, tmp_path, monkeypatch):
    target = tmp_path / "nowhere" / "pages.pdf"
    monkeypatch.setattr(messages, "choose_export", lambda parent, proposed: target)
    export_pages(opened)
    qtbot.waitUntil(lambda: bool(dialogs_of(opened)))
    assert str(target) in dialogs_of(opened)[0].text.text() or "pages.pdf" in dialogs_of(opened)[0].text.text()
    assert opened.session.document.case is not None
    dialogs_of(opened)[0].close()


def test_saved_case_is_opened_without_a_run(qtbot, opened, engine, tmp_path):
    from core.case.file import save

    path = tmp_path / "matter.rejoin"
    save(opened.session.document.case, path)
    sheets = [sheet.path for sheet in opened.session.document.case.sheets]
    del engine.runs[:]
    type(engine).reconstruct, fake = type(engine).__mro__[1].reconstruct, type(engine).reconstruct
    try:
        opened.opener.open([path])
        until_page(qtbot, opened)
    finally:
        type(engine).reconstruct = fake
    assert engine.runs == []
    assert len(opened.session.document.case.sheets) == 3
    opened.commands.again.trigger()
    qtbot.waitUntil(lambda: bool(engine.runs))
    until_page(qtbot, opened)
    assert list(engine.runs[-1]) == sheets


# The window itself


def test_theme_can_be_chosen_and_is_remembered(window, settings):
    window._choose_theme("dark")
    assert theme.colours() is theme.DARK
    assert settings.theme() == "dark"
    window._choose_theme("light")
    assert theme.colours() is theme.LIGHT


def test_every_action_has_text_tip_and_shortcut(window):
    named = {name: action for name, action in vars(window.commands).items() if isinstance(action, QAction)}
    assert len(named) > 15
    for name, action in named.items():
        assert action.text(), name
        assert action.toolTip(), name
        if name != "clear_recent":
            assert not action.shortcut().isEmpty(), name
    shortcuts = [key.toString() for action in window.findChildren(type(named["open"])) for key in action.shortcuts()]
    assert len(shortcuts) == len(set(shortcuts)), "two actions share a shortcut"


def test_views_have_accessible_names(opened):
    for widget in (
        opened.sheets.filmstrip,
        opened.pages.tray,
        opened.pages.view.canvas,
        opened.pages.view.ruler,
        opened.sheets.source.view,
    ):
        assert widget.accessibleName()


def test_panels_can_be_hidden(opened):
    for action, dock in ((panel.action, panel.dock) for panel in opened.docks if not panel.missing()):
        shown = dock.isVisible()
        assert action.isChecked() == shown
        action.trigger()
        assert dock.isVisible() != shown
        action.trigger()
        assert dock.isVisible() == shown


def test_settings_file_that_was_spoilt_is_no_reason_not_to_start(tmp_path):
    path = tmp_path / "spoilt.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    store.setValue("recent", "{not json")
    store.setValue("theme", "pink")
    store.setValue("window/geometry", "x")
    store.sync()
    settings = Settings(path)
    assert settings.recent() == []
    assert settings.theme() == "system"
    assert settings.window()[0].isEmpty()


def test_paths_of_the_command_line_are_opened(qtbot, window, engine, draw_sheet):
    window.opener.open([Path(draw_sheet("a.png"))])
    until_page(qtbot, window)
    assert len(engine.runs) == 1
