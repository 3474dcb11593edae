"""What makes a case stand up as evidence, in the window: who works on it, its history, its notes, its sheets."""

from PySide6.QtCore import QObject

from app.reasons import allow, unless_case
from app.record.details import Details
from app.record.examiner import Examiner
from app.record.export import Exporter
from app.record.history import HistoryPanel
from app.record.notes import NoteDialog
from app.record.verification import SaveFirst, Verifier
from app.session.originals import Missing, question
from app.shell import Shell
from app.widgets import messages


class Record(QObject):
    """Owns what belongs to the record of a case, and connects its actions.

    Parameters
    ----------
    shell : Shell
        The window.
    save_first : callable
        Goes on once the case file has everything.
    """

    def __init__(self, shell: Shell, save_first: SaveFirst) -> None:
        super().__init__(shell.parent)
        self._shell, session = shell, shell.session
        document = self._document = session.document
        self.examiner = Examiner(shell)
        self.details = Details(shell, self.examiner)
        self.history_panel = HistoryPanel(shell)
        self.verifier = Verifier(shell, save_first)
        self.exporter = Exporter(shell)
        shell.actions.note.triggered.connect(self._write_note)
        session.originals.asked.connect(self._ask_for_sheets)
        document.case_changed.connect(self._refresh)
        self._refresh()

    def _write_note(self) -> None:
        if self._document.case is not None:
            NoteDialog(self._document, self._shell.session.editor, parent=self._shell.parent).open()

    def annotate(self, about: str) -> None:
        """Let a note be written about a place; none where no shred lies."""
        if about:
            NoteDialog(self._document, self._shell.session.editor, about, self._shell.parent).open()
        else:
            self._shell.notices.tell(self.tr("No shred lies in the middle of the frame: a note keeps to its shred."))

    def _ask_for_sheets(self, missing: Missing) -> None:
        """Ask the one question for a folder, and go on with it."""
        problem, remedy = question(missing.problems)
        folder = messages.ask_for_sheets(self._shell.parent, problem, remedy, self._shell.settings.folder("open"))
        if folder is not None:
            missing.resume(folder)

    def _refresh(self) -> None:
        allow(unless_case(self._document.case is not None), self._shell.actions.note)
