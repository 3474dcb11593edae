"""The sheets in the window, put together: their list, the one in the middle or being mended, a shred's own."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu

from app import wording
from app.images import image_from
from app.menus import fill_sheet_menu
from app.reasons import allow, first_reason, unless, unless_case, unless_running
from app.session.tasks import Deliver, Task
from app.sheets.filmstrip import Filmstrip
from app.sheets.sheet_view import SheetView
from app.sheets.source_view import SourceView
from app.shell import Shell
from app.widgets import messages
from app.widgets.controls import build
from core.progress import Progress
from core.sheets.mends import is_excluded

if TYPE_CHECKING:
    from app.sheets.mending import Mending

_ASKED_FOR = 40
"""Who scrolls far leaves behind more sheets than anybody will see: of those asked for, so many are remembered."""


class Sheets(QObject):
    """Owns the views of sheets.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    mending_built = Signal(object)
    """A sheet is mended for the first time: what it is mended with, see `mending`."""
    mending_changed = Signal()
    """A sheet is shown to be mended, or no longer."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._shell, self._document, self._jobs = shell, shell.session.document, shell.session.jobs
        actions, document = shell.actions, self._document
        self.filmstrip, self.view = Filmstrip(), SheetView()
        self.source = SourceView(document, shell.session.pictures)
        self.filmstrip.set_thumbnail_px(shell.settings.thumbnail_px(self.filmstrip.thumbnail_px))
        self._wanted: dict[int, None] = {}
        self._drawing: Task | None = None
        self.filmstrip.thumbnail_wanted.connect(self._want)
        self.filmstrip.thumbnail_changed.connect(shell.settings.set_thumbnail_px)
        self.filmstrip.sheet_chosen.connect(document.select_sheet)
        self.source.shred_chosen.connect(document.select_shred)
        self.filmstrip.sheet_opened.connect(self._mend)
        self.menu = build(QMenu, shell.parent, toolTipsVisible=True)
        fill_sheet_menu(actions, self.menu)
        self.filmstrip.menu_wanted.connect(self.menu.popup)
        actions.withdraw.triggered.connect(self._withdraw)
        mended = shell.session.mender.mended
        mended.connect(lambda number: None if self.is_mending else document.select_sheet(number))
        for signal in (document.selection_changed, document.case_changed, self._jobs.running_changed):
            signal.connect(self._refresh)
        self.mending_changed.connect(self._refresh)
        self._refresh()
        self.mending_changed.connect(shell.notices.hide)
        for wanted in (self.source.mend_wanted, actions.mend.triggered):
            wanted.connect(lambda: self._mend(max(0, document.selection.sheet)))
        actions.larger_thumbnails.triggered.connect(lambda: self.filmstrip.step_thumbnails(1))
        actions.smaller_thumbnails.triggered.connect(lambda: self.filmstrip.step_thumbnails(-1))
        document.sheets_changed.connect(self.show)
        document.selection_changed.connect(self._show_selection)
        self._jobs.running_changed.connect(self.show)
        self._jobs.failed.connect(lambda: self._offer_mending(shell))

    @cached_property
    def mending(self) -> Mending:
        """What sheets are mended with: built when it is first asked for, since most cases are never mended."""
        from app.sheets.mending import Mending

        mending = Mending(self._shell)
        mending.changed.connect(self.mending_changed)
        self.mending_built.emit(mending)
        return mending

    @property
    def is_mending(self) -> bool:
        """Whether a sheet is shown to be mended."""
        return "mending" in self.__dict__ and self.mending.active

    def _mend(self, number: int) -> None:
        self.mending.open(number)

    def show(self) -> None:
        """Show what is open; while there is no case, the sheet read last."""
        document = self._document
        self.filmstrip.set_opened(document.opened, document.glimpses, working=self._jobs.busy)
        if not document.case and document.opened.sheets and document.selection.sheet < 0:
            self.view.set_sheet(document.opened.sheets[-1], document.opened.shreds[-1])

    def _want(self, row: int) -> None:
        """Have the thumbnail of a sheet drawn on a worker; what was asked for last is in sight."""
        self._wanted.pop(row, None)
        self._wanted[row] = None
        if len(self._wanted) > _ASKED_FOR:
            del self._wanted[next(iter(self._wanted))]
        self._draw_next()

    def _draw_next(self, *_: object) -> None:
        self._drawing = None if self._drawing is None or self._drawing.settled else self._drawing
        sheets = self._document.opened.sheets
        self._wanted = {row: None for row in self._wanted if row < len(sheets)}
        if self._drawing is not None or not self._wanted:
            return
        row, room = self._wanted.popitem()[0], self.filmstrip.room_px
        sheet = sheets[row]

        def draw(progress: Progress, deliver: Deliver) -> QImage:
            keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            return image_from(sheet.preview).scaled(room, keep, smooth)

        self._drawing = self._jobs.start(draw)
        self._drawn = row, sheet
        self._drawing.succeeded.connect(self._show_thumbnail)  # a method: forgotten with the window
        self._drawing.failed.connect(self._jobs.failed)
        self._drawing.at_outcome(self._draw_next)

    def _show_thumbnail(self, preview: QImage) -> None:
        row, sheet = self._drawn
        if self._document.opened.sheets[row : row + 1] == (sheet,):
            self.filmstrip.show_thumbnail(row, preview)

    def _offer_mending(self, shell: Shell) -> None:
        """Where sheets were read and nothing was found on them, say what can be done by hand."""
        if self._document.case is None and self._document.opened.sheets:
            text = self.tr(
                "Nothing was found by itself: pick what the shreds lie on, crop the sheet, or draw the shreds."
            )
            shell.notices.tell(text, self.tr("Mend on the sheet…"), lambda: self._mend(0))

    def _withdraw(self) -> None:
        """Withdraw the chosen sheet once that is confirmed; a withdrawn one is taken back in, and nobody asked."""
        document, number = self._document, self._document.selection.sheet
        back = is_excluded(document.opened.sheets[number].mends)
        if back or self._confirmed(number):
            self._shell.session.mender.withdraw(number, back=back)
        self._refresh()

    def _confirmed(self, number: int) -> bool:
        opened = self._document.opened
        title = self.tr("Withdraw sheet {number}, {name}?")
        text = self.tr(
            "Its {shreds} leave their pages, and what was said of them, joins and notes, goes with them. The sheet "
            "stays on record with its number and its SHA-256. Undo brings everything back."
        )
        title = title.format(number=number + 1, name=wording.short(opened.sheet_names[number], 40))
        text = text.format(shreds=wording.counted_shreds(opened.shreds[number]))
        choices = {"withdraw": self.tr("&Withdraw")}
        return messages.ask(self._shell.parent, "question", title, text, choices) == "withdraw"

    def _refresh(self) -> None:
        """Allow to withdraw the chosen sheet, or to take it back in, where that can be done."""
        document, withdraw = self._document, self._shell.actions.withdraw
        case, number = document.case, document.selection.sheet
        running = self._jobs.running
        chosen = case is not None and 0 <= number < len(case.sheets)
        withdrawn = chosen and is_excluded(document.opened.sheets[number].mends)
        withdraw.setChecked(withdrawn)
        others = withdrawn or any(shred.compared and shred.sheet != number for shred in (case.shreds if case else ()))
        allow(
            first_reason(
                unless_case(case is not None),
                unless(chosen, self.tr("Choose a sheet in the list first.")),
                unless_running(running.title if running is not None else ""),
                unless(not self.is_mending, self.tr("Go back to the pages first: a sheet is being mended.")),
                unless(others, self.tr("No other sheet has shreds: nothing would be left to put in order.")),
            ),
            withdraw,
        )

    def _show_selection(self) -> None:
        selection, opened = self._document.selection, self._document.opened
        self.filmstrip.choose(selection.sheet)
        if not self._document.case and 0 <= selection.sheet < len(opened.sheets):
            self.view.set_sheet(opened.sheets[selection.sheet], opened.shreds[selection.sheet])
