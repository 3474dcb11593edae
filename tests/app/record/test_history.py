from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.wording import local_time
from core.arrangement.edits import HalfTurn, MoveShreds

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


def test_the_steps_are_listed(opened, steps):
    assert opened.docks["history"].dock.isVisible()
    assert shown(steps) == [
        "Reconstructed: 2 pages from 9 shreds on 3 sheets",
        "Edited: move of shred 1-01",
        "Edited: half-turn of shred 1-02",
        "Undone: half-turn of shred 1-02",
    ]
    assert [steps.filtered.index(1, column).data() for column in (0, 2)] == ["2", "Ada"]


def test_a_time_is_told_by_the_clock_of_the_place_and_in_utc(steps):
    entry = steps.model.history[1]
    local = datetime.strptime(entry.when, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).astimezone()
    assert local_time(entry.when).endswith(local.strftime("%H:%M:%S"))
    tip = steps.filtered.index(1, 3).data(Qt.ItemDataRole.ToolTipRole)
    assert f"{entry.when[:10]} {entry.when[11:19]} UTC, Ada" in tip
    assert entry.sha256 in tip
    assert '"MoveShreds"' in tip


def test_steps_are_searched_for(qtbot, steps):
    qtbot.keyClicks(steps.search, "half")
    assert shown(steps) == ["Edited: half-turn of shred 1-02", "Undone: half-turn of shred 1-02"]
    qtbot.keyClicks(steps.search, " undone ada")
    assert shown(steps) == ["Undone: half-turn of shred 1-02"]
    assert steps.nothing.isHidden()
    qtbot.keyClicks(steps.search, " never")
    assert shown(steps) == []
    assert not steps.nothing.isHidden()


def test_the_hash_of_the_last_step_is_copied_or_of_the_chosen_one(qtbot, opened, steps):
    history = opened.session.document.case.history
    qtbot.mouseClick(steps.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == history[-1].sha256
    steps.table.setCurrentIndex(steps.filtered.index(1, 0))
    assert history[1].sha256[:16] in steps.hash_label.text()
    steps.copy_button.click()
    assert QGuiApplication.clipboard().text() == history[1].sha256
    qtbot.keyClick(steps.table, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text().startswith("2. Edited: move of shred 1-01\n")


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
