"""The sheets in the window, put together: their list, the one in the middle or being mended, a shred's own."""

from functools import partial

from PySide6.QtCore import QObject

from app.sheets.filmstrip import Filmstrip
from app.sheets.mending import Mending
from app.sheets.sheet_view import SheetView
from app.sheets.source_view import SourceView
from app.shell import Shell


class Sheets(QObject):
    """Owns the views of sheets.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._document, self._jobs = shell.session.document, shell.session.jobs
        actions, document = shell.actions, self._document
        self.filmstrip, self.view = Filmstrip(), SheetView()
        self.source, self.mending = SourceView(document, shell.session.pictures), Mending(shell)
        self.filmstrip.set_thumbnail_px(shell.settings.thumbnail_px(self.filmstrip.thumbnail_px))
        self.filmstrip.thumbnail_changed.connect(shell.settings.set_thumbnail_px)
        self.filmstrip.sheet_chosen.connect(document.select_sheet)
        self.source.shred_chosen.connect(document.select_shred)
        self.filmstrip.sheet_opened.connect(self.mending.open)
        self.mending.changed.connect(shell.notices.hide)
        for wanted in (self.source.mend_wanted, actions.mend.triggered):
            wanted.connect(lambda: self.mending.open(max(0, document.selection.sheet)))
        actions.larger_thumbnails.triggered.connect(lambda: self.filmstrip.step_thumbnails(1))
        actions.smaller_thumbnails.triggered.connect(lambda: self.filmstrip.step_thumbnails(-1))
        document.sheets_changed.connect(self.show)
        document.selection_changed.connect(self._show_selection)
        self._jobs.running_changed.connect(self.show)
        self._jobs.failed.connect(lambda: self._offer_mending(shell))

    def show(self) -> None:
        """Show what is open; while there is no case, the sheet read last."""
        document = self._document
        self.filmstrip.set_opened(document.opened, document.glimpses, working=self._jobs.busy)
        if not document.case and document.opened.sheets and document.selection.sheet < 0:
            self.view.set_sheet(document.opened.sheets[-1], document.opened.shreds[-1])

    def _offer_mending(self, shell: Shell) -> None:
        """Where sheets were read and nothing was found on them, say what can be done by hand."""
        if self._document.case is None and self._document.opened.sheets:
            text = self.tr(
                "Nothing was found by itself: pick what the shreds lie on, crop the sheet, or draw the shreds."
            )
            shell.notices.tell(text, self.tr("Mend on the sheet…"), partial(self.mending.open, 0))

    def _show_selection(self) -> None:
        selection, opened = self._document.selection, self._document.opened
        self.filmstrip.choose(selection.sheet)
        if not self._document.case and 0 <= selection.sheet < len(opened.sheets):
            self.view.set_sheet(opened.sheets[selection.sheet], opened.shreds[selection.sheet])
