import gc
import shutil
import threading
import weakref
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from app.files import Restorer
from app.main_window import MainWindow
from app.reasons import reason_against
from app.session.safety.autosave import Autosave
from app.session.session import Session
from app.session.tasks import Task
from core.arrangement.edits import HalfTurn
from core.case.file import save


def test_status_bar_tells_the_place_under_the_pointer(qtbot, opened):
    canvas, status = opened.pages.view.canvas, opened.status
    canvas.set_zoom(1.0)
    at = canvas.mapFromScene(QPointF(100, 200))
    qtbot.mouseMove(canvas.viewport(), at + QPoint(3, 0))
    qtbot.mouseMove(canvas.viewport(), at)
    assert status.position.text() == "Page 1: 100, 200 px  ·  8.5, 16.9 mm"
    canvas.pointed.emit(None)
    assert status.position.text() == ""
    opened.session.document.select_shred("2-01")
    opened.sheets.source.view.pointed.emit(QPointF(10, 20))
    assert status.position.text().startswith("Sheet 2: 10, 20 px")


def test_a_moving_pointer_lays_out_nothing_anew(qtbot, opened):
    canvas, laid_out = opened.pages.view.canvas, []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.LayoutRequest:
                laid_out.append(watched)
            return False

    at = canvas.mapFromScene(canvas.whole.center())
    qtbot.mouseMove(canvas.viewport(), at)
    qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)  # what is composed meanwhile may lay out something
    QApplication.processEvents()
    watch = Watch()
    opened.installEventFilter(watch)
    for step in range(5):
        qtbot.mouseMove(canvas.viewport(), at - QPoint(9 * step, 0))
        QApplication.processEvents()
    assert "Page 1" in opened.status.position.text()
    assert laid_out == []


def test_a_summary_that_has_no_room_ends_in_an_ellipsis_and_its_tip_has_all_of_it(opened):
    summary = opened.status.summary
    assert summary.toolTip() == summary.text()
    summary.setFixedWidth(200)
    cut = summary.grab().toImage()
    room = summary.contentsRect().width()
    whole = summary.text()
    summary.setText(summary.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room))
    assert summary.text() != whole
    assert summary.grab().toImage() == cut


@pytest.mark.parametrize(("gap", "within"), [(1e-7, "0.01 %"), (0.00012, "0.02 %"), (0.021, "2.10 %")])
def test_an_order_that_is_not_proved_is_never_within_nothing(opened, gap, within):
    case = replace(opened.session.document.case, optimal=False, gap=gap)
    assert opened.status._describe_order(case) == f"order within {within} of the cheapest"


def test_a_join_that_was_confirmed_is_not_counted_as_doubtful(qtbot, opened):
    assert ", 1 doubtful" in opened.status.summary.text()
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_J)
    qtbot.keyClick(opened.pages.view.canvas, Qt.Key.Key_Y)
    assert len(opened.session.document.case.arrangement.confirmed) == 1
    assert ", 0 doubtful" in opened.status.summary.text()


def test_status_bar_tells_what_is_running(qtbot, opened, engine, draw_sheet):
    engine.hold = threading.Event()
    opened.opener.open([draw_sheet("b.png")])
    qtbot.waitUntil(lambda: opened.status.running.text() == "Reconstructing, 60%")
    engine.hold.set()
    qtbot.waitUntil(lambda: not opened.session.jobs.busy)
    assert opened.status.running.text() == ""


def test_work_is_paused_by_key_and_by_button(qtbot, opened, engine, draw_sheet, monkeypatch):
    pauses = []
    monkeypatch.setattr(Task, "pause", lambda task, on: pauses.append(on))
    pause, panel = opened.commands.pause, opened.progress_panel
    assert reason_against(pause) == "Nothing is under way that could be paused."
    engine.hold = threading.Event()
    opened.opener.open([draw_sheet("b.png")], add=True)
    qtbot.waitUntil(pause.isEnabled)
    pauses.clear()
    qtbot.keyClick(opened, Qt.Key.Key_Pause)
    assert pauses == [True]
    assert panel.pause_button.text() == "Go On"
    assert panel._left.text() == "paused"
    qtbot.mouseClick(panel.pause_button, Qt.MouseButton.LeftButton)
    assert pauses == [True, False]
    assert panel.pause_button.text() == "Pause"
    pause.trigger()
    engine.hold.set()
    qtbot.waitUntil(lambda: not opened.session.jobs.busy)
    assert not pause.isChecked(), "the next work begins as usual"


def test_a_case_that_is_closed_goes_without_the_garbage_collector(qtbot, opened, draw_sheet):
    document, commands = opened.session.document, opened.commands
    gc.disable()
    try:
        document.select_shred("1-02")
        commands.half_turn.trigger()
        commands.solve_again.trigger()
        qtbot.waitUntil(lambda: not opened.session.answers.solving)
        qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
        gone = [weakref.ref(each) for each in (document.case, *document.case.shreds)]
        document.discard_changes()
        opened.opener.open([draw_sheet("b.png")])
        qtbot.waitUntil(lambda: not opened.session.jobs.busy)
        qtbot.waitUntil(lambda: not any(each() for each in gone))
    finally:
        gc.enable()


def test_a_case_comes_back_as_it_was_seen_with_its_panels(qtbot, opened, engine, settings, tmp_path, draw_sheet):
    path = tmp_path / "matter.rejoin"
    opened.session.document.select_shreds(("1-01", "1-02"), "1-01")
    qtbot.keyClick(opened, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(opened.desk.view, Qt.Key.Key_Down)
    lay = on_desk(opened)
    assert [shreds for shreds, _ in lay] == [("1-01", "1-02")]
    with qtbot.waitSignal(opened.session.document.saved):
        opened.session.writer.save(path)
    qtbot.keyClick(opened, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(opened, Qt.Key.Key_F6)
    canvas = opened.pages.view.canvas
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: "3-01" in canvas.places)
    qtbot.keyClick(canvas, Qt.Key.Key_1)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    seen = canvas.looked_at
    assert seen[0] == 1.0
    opened.opener.open([draw_sheet("other.png")])
    qtbot.waitUntil(lambda: "1-01" in canvas.places)
    assert on_desk(opened) == [], "of another case"
    opened.opener.open([path])
    qtbot.waitUntil(lambda: "3-01" in canvas.places and canvas.looked_at is not None)
    assert on_desk(opened) == lay
    assert canvas.looked_at == pytest.approx(seen, abs=1)
    assert opened.close()
    again = MainWindow(Session(engine), settings)
    qtbot.addWidget(again)
    again.show()
    again.opener.open([path])
    canvas = again.pages.view.canvas
    qtbot.waitUntil(lambda: "3-01" in canvas.places and canvas.looked_at is not None)
    assert on_desk(again) == lay
    assert canvas.looked_at == pytest.approx(seen, abs=3), "to a pixel each time the view changes its size"
    assert again.docks["history"].dock.isVisible()
    assert not again.docks["history"].dock.visibleRegion().isEmpty(), "it was in front"
    assert not again.docks["sheets"].dock.isVisible()
    again.session.close()
    qtbot.waitUntil(lambda: len(again.session.jobs) == 0)


def on_desk(window):
    return [(group.shreds, group.places[group.shreds[0]].topLeft()) for group in window.desk.groups]


def look_and_lay(qtbot, window):
    """Lay a shred on the desk and look at the second page at its actual size, by keys."""
    window.session.document.select_shred("1-01")
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window.desk.view, Qt.Key.Key_Down)
    canvas = window.pages.view.canvas
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: "3-01" in canvas.places)
    qtbot.keyClick(canvas, Qt.Key.Key_1)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    return canvas.looked_at, on_desk(window)


def test_a_copy_of_a_case_is_seen_as_the_case_was_until_it_goes_its_own_way(qtbot, opened, tmp_path):
    path, copy = tmp_path / "matter.rejoin", tmp_path / "elsewhere" / "copy.rejoin"
    with qtbot.waitSignal(opened.session.document.saved):
        opened.session.writer.save(path)
    seen, lay = look_and_lay(qtbot, opened)
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes())
    opened.opener.open([copy])
    canvas = opened.pages.view.canvas
    qtbot.waitUntil(lambda: "3-01" in canvas.places and canvas.looked_at is not None)
    qtbot.waitUntil(lambda: canvas.looked_at == pytest.approx(seen, abs=1))
    assert on_desk(opened) == lay
    opened.session.document.select_shred("1-01")
    qtbot.keyClick(opened.desk.view, Qt.Key.Key_Delete)
    assert on_desk(opened) == []
    opened.opener.open([path])
    qtbot.waitUntil(lambda: on_desk(opened) == lay)
    opened.opener.open([copy])
    qtbot.waitUntil(lambda: opened.session.document.case_path == copy and not opened.session.jobs.busy)
    assert on_desk(opened) == []


def test_what_comes_back_after_a_crash_is_seen_as_it_was(qtbot, opened, engine, settings, tmp_path):
    autosave = Autosave(opened.session, tmp_path / "unsaved")
    autosave._begin()
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    seen, lay = look_and_lay(qtbot, opened)
    first = opened.session.document.history[0]
    qtbot.waitUntil(lambda: settings.view(opened.session.document.key).get("page") == 1)
    qtbot.waitUntil(lambda: bool(list(tmp_path.glob("unsaved/*/state.json"))))
    shutil.copytree(next(tmp_path.glob("unsaved/*/state.json")).parent, tmp_path / "left" / "one")
    (tmp_path / "left" / "one" / "lock").unlink()
    again = MainWindow(Session(engine), settings)
    qtbot.addWidget(again, before_close_func=lambda window: window.session.document.discard_changes())
    again.show()
    later = Autosave(again.session, tmp_path / "left")
    Restorer(again.shell, again.saver, later).restore_latest()
    canvas = again.pages.view.canvas
    qtbot.waitUntil(lambda: "3-01" in canvas.places and canvas.looked_at == pytest.approx(seen, abs=1))
    assert again.session.document.history[0] == first
    assert on_desk(again) == lay
    again.session.close()
    qtbot.waitUntil(lambda: len(again.session.jobs) == 0)


def test_a_view_in_settings_edited_by_hand_is_left_out(qtbot, opened, settings, tmp_path):
    path = tmp_path / "matter.rejoin"
    with qtbot.waitSignal(opened.session.document.saved):
        opened.session.writer.save(path)
    settings._store.setValue("views", f'[3, {{"path": "{path}", "page": "two", "looked_at": [1, "x"]}}]')
    opened.opener.open([path])
    qtbot.waitUntil(lambda: bool(opened.pages.view.canvas.places))
    assert opened.session.document.page == 0


def test_a_key_whose_action_cannot_be_done_now_says_why(qtbot, window, engine, draw_sheet, tmp_path):
    def press(key, modifier=Qt.KeyboardModifier.ControlModifier):
        window.statusBar().clearMessage()
        qtbot.keyClick(window.focusWidget() or window, key, modifier)
        return window.statusBar().currentMessage()

    assert press(Qt.Key.Key_S) == "Save Case: No case is open: open scans or a case first."
    window.opener.open([draw_sheet("scan1.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    assert press(Qt.Key.Key_Z) == "Undo: There is nothing to undo."
    assert press(Qt.Key.Key_M) == "Merge with Next Page: This is the last page."
    assert press(Qt.Key.Key_V) == "Paste After: Nothing has been cut."
    assert (
        press(Qt.Key.Key_H, Qt.KeyboardModifier.NoModifier)
        == "Half-Turn: Choose a shred on the page or in the strip first."
    )
    engine.save = held = HeldSave()
    window.session.writer.save(tmp_path / "matter.rejoin")
    text = press(Qt.Key.Key_F4, Qt.KeyboardModifier.NoModifier)
    assert text == "Verify Case: “Saving matter.rejoin” is still under way; wait for it, or cancel it with Esc."
    held.release.set()
    qtbot.waitUntil(lambda: not window.session.jobs.busy)


class HeldSave:
    """Saves once it is let."""

    def __init__(self):
        self.release = threading.Event()

    def __call__(self, path, case, progress, pack_sheets=None):
        self.release.wait(60)
        save(case, path, progress)
        return path


def test_status_bar_tells_that_paper_is_cross_cut(opened):
    document, summary = opened.session.document, opened.status.summary
    assert "cross-cut" not in summary.text()
    shreds = tuple(one.changed(cross_cut=True) for one in document.case.shreds)
    document.opened = document.opened.holding(replace(document.case, shreds=shreds))
    document.sheets_changed.emit()
    assert "shreds  ·  cross-cut  ·" in summary.text()
