"""Opening: by dialog, drop, button, or from the list of what was opened lately."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app import dialogs, resources, wording
from app.holding import may_be_stale, sentence
from app.opened import case_file

if TYPE_CHECKING:
    from app.main_window import MainWindow


class Opening(QObject):
    """Opens files and folders in a window, once it is settled what becomes of unsaved changes.

    Parameters
    ----------
    window : MainWindow
        With its actions, welcome page and menu of what was opened lately.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        actions, welcome = window.commands, window.welcome
        for source in (actions.open.triggered, welcome.open_files):
            source.connect(lambda: self.open(self._ask(dialogs.choose_files)))
        for source in (actions.open_folder.triggered, welcome.open_folder):
            source.connect(lambda: self.open(self._ask(dialogs.choose_folder)))
        for source in (actions.sample.triggered, welcome.open_sample):
            source.connect(lambda: self.open(resources.sample_paths()))
        welcome.open_recent.connect(self.open)
        actions.add.triggered.connect(lambda: self.open(self._ask(dialogs.choose_files), add=True))
        window.drop_overlay.dropped.connect(self.open)
        actions.again.triggered.connect(lambda: window.saving.leave(window.workspace.reconstruct_again))
        actions.clear_recent.triggered.connect(self._clear_recent)
        welcome.sample_button.setVisible(bool(resources.sample_paths()))
        self._fill_recent()

    def open(self, paths: object, add: bool = False) -> None:
        """Reconstruct files and folders, alone or together with what is open."""
        chosen = [Path(str(path)) for path in paths] if isinstance(paths, list | tuple) else []
        if chosen and not self._window.workspace.exporting:
            self._window.saving.leave(lambda: self._open(chosen, add))

    def _open(self, chosen: list[Path], add: bool) -> None:
        workspace = self._window.workspace
        as_copy = False if add else self._ask_whose(chosen)
        if as_copy is None:
            return
        self._window.settings.set_folder("open", chosen[0].absolute().parent)
        if add:
            workspace.add(chosen)
        else:
            workspace.open(chosen, as_copy)
        self.remember(workspace.opened.paths)

    def _ask_whose(self, chosen: list[Path]) -> bool | None:
        """Tell whether to open a copy because a case is open in another window; None for not at all."""
        path, held = case_file(chosen), self._window.workspace.holding
        holder = None if path is None else held.claim(path)
        if path is None or holder is None:
            return False
        answer = dialogs.ask_about_other(self._window, sentence(path, holder), may_be_stale(holder))
        if answer != "anyway":
            held.disclaim()
        return None if answer == "cancel" else answer == "copy"

    def remember(self, paths: tuple[Path, ...]) -> None:
        """Put what is open at the head of what was opened lately."""
        self._window.settings.add_recent(paths)
        self._fill_recent()
        self._window.state.refresh()

    def _ask(self, choose: Callable[[QWidget, str], list[Path]]) -> list[Path]:
        return choose(self._window, self._window.settings.folder("open"))

    def _clear_recent(self) -> None:
        self._window.settings.clear_recent()
        self._fill_recent()

    def _fill_recent(self) -> None:
        window, entries = self._window, self._window.settings.recent()
        menu = window.recent_menu
        window.welcome.set_recent(entries)
        menu.clear()
        for number, entry in enumerate(entries, start=1):
            action = menu.addAction(f"&{number}  {wording.named(entry).replace('&', '&&')}")
            action.setToolTip("\n".join(str(path) for path in entry))
            action.triggered.connect(functools.partial(self.open, entry))
        menu.addSeparator()
        menu.addAction(window.commands.clear_recent)
        menu.setEnabled(bool(entries))
