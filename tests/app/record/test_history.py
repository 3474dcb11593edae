from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QLineEdit

from app.record.notes import write
from app.record.past import PastDialog
from app.wording import local_time
from core.arrangement.edits import HalfTurn, MoveShreds
from core.case.record import check_parameters

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def steps(qtbot, opened):
    """The panel with four steps, shown by its key."""
    opened.session.journal.who = lambda: "Ada"
    opened.session.editor.edit(MoveShreds(("1-01",), 0, 6), "move of shred 1-01")
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn of shred 1-02")
    opened.session.editor.undo()
    qtbot.keyClick(opened, Qt.Key.Key_H, CTRL)
    panel = opened.record.history_panel.steps
    qtbot.waitUntil(lambda: panel.filtered.rowCount() == 4)
    return panel


def shown(steps):
    return [steps.filtered.index(row, 3).data() for row in range(steps.filtered.rowCount())]


def dialog(window, kind=PastDialog):
    return next(each for each in window.findChildren(kind) if each.isVisible())


def choose(qtbot, steps, row, modifier=Qt.KeyboardModifier.NoModifier):
    """Click a step."""
    steps.table.scrollTo(steps.filtered.index(row, 0))
    place = steps.table.visualRect(steps.filtered.index(row, 0)).center()
    qtbot.mouseClick(steps.table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def details(steps):
    items = (steps.details.topLevelItem(row) for row in range(steps.details.topLevelItemCount()))
    return {item.text(0): item.text(1) for item in items}


def test_the_steps_are_listed_as_sentences_from_where_to_where(opened, steps):
    assert opened.docks["history"].dock.isVisible()
    assert shown(steps) == [
        "Reconstructed: 2 pages from 9 shreds on 3 sheets",
        "Moved shred 1-01 from page 1, place 1 to page 1, place 6",
        "Turned shred 1-02 by a half, on page 1, place 1",
        "Undone: half-turn of shred 1-02; as after step 2",
    ]
    assert [steps.filtered.index(1, column).data() for column in (0, 2)] == ["2", "Ada"]


def test_a_time_is_told_by_the_clock_of_the_place_and_in_utc(qtbot, steps):
    entry = steps.model.history[1]
    local = datetime.strptime(entry.when, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).astimezone()
    assert local_time(entry.when).endswith(local.strftime("%H:%M:%S"))
    tip = steps.filtered.index(1, 3).data(Qt.ItemDataRole.ToolTipRole)
    assert f"{entry.when[:10]} {entry.when[11:19]} UTC, Ada" in tip


def test_all_of_a_step_is_a_table(qtbot, opened, steps, settings):
    choose(qtbot, steps, 1)
    entry, told = steps.model.history[1], details(steps)
    assert told["Step"] == "2. Moved shred 1-01 from page 1, place 1 to page 1, place 6"
    assert (told["Kind of step"], told["Shreds"], told["Page"]) == ("MoveShreds", "1-01", "1")
    assert (told["In front of place"], told["On a page of its own"]) == ("7", "no")
    assert told["SHA-256 of this step"] == entry.sha256
    assert not any("{" in value for value in told.values())
    choose(qtbot, steps, 0)
    assert details(steps)["Options"] == "all as they are by default"
    assert details(steps)["Sheet"].startswith("scan3.png, SHA-256 ")
    document = opened.session.document
    lossy = replace(document.case.options, output=replace(document.case.options.output, lossless=False))
    opened.session.updater.apply(lossy)
    qtbot.waitUntil(lambda: steps.filtered.rowCount() == 5)
    choose(qtbot, steps, 4)
    assert details(steps)["output.lossless"] == "yes → no"


def test_steps_are_searched_for(qtbot, steps):
    qtbot.keyClicks(steps.search, "half")
    assert [text[:6] for text in shown(steps)] == ["Turned", "Undone"]
    qtbot.keyClicks(steps.search, " undone ada")
    assert shown(steps) == ["Undone: half-turn of shred 1-02; as after step 2"]
    assert steps.nothing.isHidden()
    qtbot.keyClicks(steps.search, " never")
    assert shown(steps) == []
    assert not steps.nothing.isHidden()


def test_steps_are_filtered_by_the_chosen_shred(qtbot, opened, steps):
    opened.session.document.select_shred("1-02")
    qtbot.mouseClick(steps.of_shred, Qt.MouseButton.LeftButton, pos=QPoint(8, steps.of_shred.height() // 2))
    assert [text[:6] for text in shown(steps)] == ["Turned", "Undone"]
    opened.session.document.select_shred("1-01")
    assert [text[:5] for text in shown(steps)] == ["Moved"]
    write(opened.session.editor, "1-03|1-04", "a stamp")
    opened.session.document.select_shred("1-04")
    qtbot.waitUntil(lambda: [text[:5] for text in shown(steps)] == ["Noted"])
    qtbot.mouseClick(steps.of_shred, Qt.MouseButton.LeftButton, pos=QPoint(8, steps.of_shred.height() // 2))
    assert len(shown(steps)) == 5


def test_the_hash_of_the_last_step_is_copied_or_of_the_chosen_one(qtbot, opened, steps):
    history = opened.session.document.case.history
    qtbot.mouseClick(steps.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == history[-1].sha256
    choose(qtbot, steps, 1)
    assert history[1].sha256[:16] in steps.hash_label.text()
    qtbot.mouseClick(steps.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == history[1].sha256
    qtbot.keyClick(steps.table, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text().startswith("Step\t2. Moved shred 1-01 from")


def test_a_state_is_marked_and_that_is_recorded(qtbot, opened, steps):
    choose(qtbot, steps, 1)
    qtbot.mouseClick(steps.mark_button, Qt.MouseButton.LeftButton)
    asked = dialog(opened, QInputDialog)
    field = asked.findChild(QLineEdit)
    assert field.text() == "As submitted"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: steps.filtered.rowCount() == 5)
    entry = opened.session.document.history[-1]
    assert (entry.what, dict(entry.parameters)) == ("marked", {"mark": "As submitted", "of": 2})
    check_parameters(opened.session.document.history)
    assert shown(steps)[1].startswith("⚑ As submitted  ·  Moved shred 1-01")
    assert shown(steps)[4] == "Marked: the state after step 2 as “As submitted”"


def test_another_case_has_another_history(qtbot, opened, steps, draw_sheet):
    opened.session.reader.open([draw_sheet("other.png")])
    qtbot.waitUntil(lambda: shown(steps) == ["Reconstructed: 1 page from 3 shreds on 1 sheet"])


# The examiner's name


def test_the_name_is_asked_for_once_and_stops_nothing(qtbot, opened, settings):
    line = opened.record.examiner.line
    assert not line.isVisible()
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    assert line.isVisible()
    assert line.field.text() == opened.session.document.case.history[-1].who, "the name of the login"
    assert not line.field.hasFocus()
    line.field.selectAll()
    qtbot.keyClicks(line.field, "  Ada   Lovelace ")
    qtbot.keyClick(line.field, Qt.Key.Key_Return)
    assert not line.isVisible()
    assert settings.examiner() == "Ada Lovelace"
    opened.session.editor.undo()
    assert opened.session.document.case.history[-1].who == "Ada Lovelace"
    assert not line.isVisible()


def test_nothing_is_cut_of_the_line_that_asks_for_the_name(qtbot, opened):
    line = opened.record.examiner.line
    opened.resize(952, 500)
    opened.docks.show("history")
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    for each in (line.field, line.keep_button, line.later_button):
        qtbot.waitUntil(lambda each=each: each.visibleRegion().boundingRect() == each.rect())


def test_the_end_of_the_history_stays_in_sight_when_the_panel_changes_its_size(qtbot, opened):
    for _ in range(12):
        opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    opened.resize(952, 500)
    qtbot.keyClick(opened, Qt.Key.Key_H, CTRL)
    table = opened.record.history_panel.steps.table
    bar = table.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)
    before = table.height()
    opened.resize(952, 480)
    qtbot.waitUntil(lambda: table.height() < before)
    assert bar.value() == bar.maximum()


def test_the_name_can_be_given_later(qtbot, opened, settings):
    line = opened.record.examiner.line
    opened.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    qtbot.mouseClick(line.later_button, Qt.MouseButton.LeftButton)
    opened.session.editor.undo()
    assert not line.isVisible()
    assert settings.examiner() == ""
    line.show_name(" ")
    line.keep_button.click()
    assert line.isVisible(), "a name of blanks is none"


def test_the_line_that_asks_for_the_name_covers_nothing(qtbot, opened):
    canvas, bar = opened.pages.view.canvas, opened.pages.view.find_bar
    whole = canvas.height()
    opened.session.editor.edit(MoveShreds(("1-02",), 0, 0), "move")
    line = opened.record.examiner.line
    qtbot.keyClick(opened, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bar.isVisible() and canvas.height() < whole)
    for each in (canvas.viewport(), bar.field, line.field):
        qtbot.waitUntil(lambda each=each: each.visibleRegion().boundingRect() == each.rect())
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    qtbot.mouseClick(line.later_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: canvas.height() == whole)
