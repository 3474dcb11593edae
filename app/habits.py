"""What every viewer has: loupe, list of keys, size of thumbnails, options; tied to the window here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from app.session.solving import Adjusting
from app.status import StatusLine
from app.widgets.loupe import Loupe
from app.widgets.options_form import OptionsPanel
from app.widgets.shortcuts import ShortcutsDialog
from app.wording import counted
from core.errors import Duplicate

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from core.case.case import Case


class Habits(QObject):
    """Adds them to a window whose views are there and whose actions are connected."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.adjusting = Adjusting(window.workspace)
        self.options_panel = OptionsPanel()
        tip = self.tr("What each step does, and how it can be made to do otherwise")
        right = Qt.DockWidgetArea.RightDockWidgetArea
        self.options_dock = window.panels.add(
            "options", self.tr("Options"), self.options_panel, right, "Ctrl+,", lambda: True, tip=tip, shown=False
        )
        self.status = StatusLine(window)
        self.loupes = [Loupe(view) for view in (window.page_view.canvas, window.sheet_view, window.source_view.view)]
        window.filmstrip.set_thumbnail_px(window.settings.thumbnail_px(window.filmstrip.thumbnail_px))
        self._connect()

    def _connect(self) -> None:
        window, actions, workspace = self._window, self._window.commands, self._window.workspace
        actions.loupe.toggled.connect(self._show_loupe)
        actions.shortcuts.triggered.connect(lambda: ShortcutsDialog(window).open())
        actions.larger_thumbnails.triggered.connect(lambda: window.filmstrip.step_thumbnails(1))
        actions.smaller_thumbnails.triggered.connect(lambda: window.filmstrip.step_thumbnails(-1))
        window.filmstrip.thumbnail_changed.connect(window.settings.set_thumbnail_px)
        self.options_panel.applied.connect(self.adjusting.apply)
        self.adjusting.lost.connect(self._tell_lost)
        workspace.options_changed.connect(lambda: self.options_panel.show_options(workspace.options_in_force))
        workspace.running_changed.connect(lambda: self.options_panel.set_busy(workspace.busy))

    def _show_loupe(self, on: bool) -> None:
        for loupe in self.loupes:
            loupe.set_on(on, in_middle=loupe.view is self._window.view_in_use())

    def _tell_lost(self, lost: tuple[str, ...]) -> None:
        text = self.tr("Read so, the sheets have no shred where these lay, and what was said of them is lost: {ids}.")
        self._window.notice.tell(text.format(ids=", ".join(lost)), icon="warning")

    def ask_about_twice(self, case: Case) -> bool:
        """Ask about sheets that were given twice, unless more was left out than those; tell whether it asks."""
        if not all(isinstance(sentence, Duplicate) for sentence in case.unreadable):
            return False
        one, many = self.tr("sheet was given twice and taken once"), self.tr("sheets were given twice and taken once")
        told = counted(len(case.unreadable), one, many)
        kept = replace(case.options, reading=replace(case.options.reading, keep_duplicates=True))
        question = self.tr("{told}: the pixels are the same. Are they two pieces of paper all the same?")
        self._window.tell(
            question.format(told=told), self.tr("Keep Both"), lambda: self.adjusting.apply(kept), "warning"
        )
        return True
