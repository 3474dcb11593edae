"""What makes a case stand up as evidence, in the window: who works on it, its history, its notes, its sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from app.record.examiner import Examiner
from app.record.history import HistoryPanel
from app.record.notes import NoteDialog
from app.record.verification import Verifying
from app.session.originals import Missing, question
from app.widgets import messages

if TYPE_CHECKING:
    from app.main_window import MainWindow


class CaseRecord(QObject):
    """Owns what belongs to the record of a case, and connects its actions.

    Parameters
    ----------
    window : MainWindow
        With its panels and actions.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, workspace, actions = window, window.workspace, window.commands
        self.examiner = Examiner(window)
        self.history_panel = HistoryPanel(workspace)
        self.dock = window.panels.add(
            "history",
            self.tr("History"),
            self.history_panel,
            Qt.DockWidgetArea.RightDockWidgetArea,
            "Ctrl+H",
            lambda: workspace.case is not None,
            tip=self.tr("All that was done with the case, and the notes"),
            shown=False,
        )
        self.verifying = Verifying(window)
        actions.note.triggered.connect(self._write_note)
        workspace.missing.asked.connect(self._ask_for_sheets)
        for signal in (workspace.case_changed, workspace.selection_changed):
            signal.connect(self._refresh)
        self._refresh()

    def _write_note(self) -> None:
        if self._window.workspace.case is not None:
            NoteDialog(self._window.workspace, parent=self._window).open()

    def _ask_for_sheets(self, missing: Missing) -> None:
        """Ask the one question for a folder, and go on with it."""
        told, more = question(missing.problems)
        folder = messages.ask_for_sheets(self._window, told, more, self._window.settings.folder("open"))
        if folder is not None:
            missing.resume(folder)

    def _refresh(self) -> None:
        self._window.commands.note.setEnabled(self._window.workspace.case is not None)
