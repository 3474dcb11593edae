"""Opening and saving: by dialog, drop, button or list; and what becomes of unsaved changes before that."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from app import theme, wording
from app.session.document import case_file
from app.session.engine import CASE_SUFFIX
from app.session.ownership import may_be_stale, sentence
from app.widgets import messages

if TYPE_CHECKING:
    from app.main_window import MainWindow
if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.session.autosave import Session
    from core.case.lock import Holder


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
            source.connect(lambda: self.open(self._ask(messages.choose_files)))
        for source in (actions.open_folder.triggered, welcome.open_folder):
            source.connect(lambda: self.open(self._ask(messages.choose_folder)))
        for source in (actions.sample.triggered, welcome.open_sample):
            source.connect(lambda: self.open(theme.sample_paths()))
        welcome.open_recent.connect(self.open)
        actions.add.triggered.connect(lambda: self.open(self._ask(messages.choose_files), add=True))
        window.drop_overlay.dropped.connect(self.open)
        actions.again.triggered.connect(lambda: window.saving.leave(window.workspace.reconstruct_again))
        actions.clear_recent.triggered.connect(self._clear_recent)
        welcome.sample_button.setVisible(bool(theme.sample_paths()))
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
        answer = messages.ask_about_other(self._window, sentence(path, holder), may_be_stale(holder))
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


class Saving(QObject):
    """Saves what a window has open, and asks before unsaved changes are left.

    Parameters
    ----------
    window : MainWindow
        With its workspace and settings.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = window.workspace
        self._then: Callable[[], object] | None = None
        window.commands.save.triggered.connect(self.save)
        window.commands.save_as.triggered.connect(lambda: self.save_as())
        window.commands.save_packed.triggered.connect(lambda: self.save_as(pack_sheets=True))
        self._workspace.saved.connect(self._show_saved)
        self._workspace.holding.elsewhere.connect(self._show_copied)
        self._workspace.failed.connect(self._stay)
        self._workspace.cancelled.connect(self._stay)

    def save(self) -> None:
        """Save to the file that is open, or ask for one."""
        path = self._workspace.case_path
        if path is None:
            self.save_as()
        else:
            self._workspace.save(path)

    def save_as(self, pack_sheets: bool = False) -> None:
        """Ask for a file and save to it, with the sheets in it if they are to be packed."""
        workspace, settings = self._workspace, self._window.settings
        if workspace.case is None:
            return
        path = messages.choose_case(self._window, self._proposed())
        if path is None:
            return
        settings.set_folder("export", path.parent)
        holder = workspace.holding.claim(path)
        if holder is None and pack_sheets:
            workspace.missing.find(lambda: workspace.save(path, pack_sheets=True), on_disk=False)
        elif holder is None:
            workspace.save(path)
        else:
            workspace.holding.disclaim()
            text = self.tr("{told} Choose another file.").format(told=sentence(path, holder))
            self._window.tell(text, self.tr("Save As…"), self.save_as, "warning")

    def _proposed(self) -> Path:
        """Propose a file to save to."""
        workspace = self._workspace
        if workspace.case_path is not None:
            return workspace.case_path
        read = case_file(workspace.opened.paths)
        if read is not None:
            return read.with_name(self.tr("{name} copy").format(name=read.stem) + CASE_SUFFIX)
        return Path(self._window.settings.folder("export")) / f"{workspace.opened.sheets[0].path.stem}{CASE_SUFFIX}"

    def save_first(self, go_on: Callable[[], object], text: str, button: str) -> None:
        """Go on at once if the file has everything; otherwise say that it is to be saved, and go on after that."""
        if self._workspace.case_path is not None and not self._workspace.modified:
            go_on()
        else:
            self._window.tell(text, button, lambda: self._save_and(go_on))

    def _save_and(self, go_on: Callable[[], object]) -> None:
        self.save()
        self._then = go_on if self._workspace.busy else None  # a dialog that was closed saves nothing

    def leave(self, go_on: Callable[[], object]) -> None:
        """Go on to something that leaves the case, once it is settled what becomes of unsaved changes."""
        workspace = self._workspace
        if not workspace.modified:
            go_on()
            return
        answer = messages.ask_to_save(self._window)
        if answer == QMessageBox.StandardButton.Save:
            self._save_and(go_on)
        elif answer == QMessageBox.StandardButton.Discard:
            workspace.discard_changes()
            go_on()

    def _show_saved(self, path: Path) -> None:
        window = self._window
        window.opening.remember((path,))
        window.statusBar().showMessage(self.tr("Saved: {name}").format(name=path.name), 4000)
        then, self._then = self._then, None
        if then is not None:
            then()

    def _show_copied(self, path: Path, holder: Holder) -> None:
        """Say that what came back is a copy because the case itself is open elsewhere."""
        text = self.tr("{told} This is a copy of it: saving asks for another file.")
        self._window.tell(text.format(told=sentence(path, holder)), self.tr("Save As…"), self.save_as, "warning")

    def _stay(self, *_: object) -> None:
        """Do not leave after all: the case could not be saved."""
        self._then = None

    # After a crash

    def show_restored(self, session: Session) -> None:
        """Say that unsaved changes are back, and let them be discarded."""
        text = self.tr("Restored: changes up to {when} that had not been saved.")
        ended = QDateTime.fromSecsSinceEpoch(round(session.ended.timestamp()))
        when = QLocale().toString(ended, QLocale.FormatType.ShortFormat)
        self._window.tell(text.format(when=when), self.tr("Discard"), self._workspace.undo_all)

    def offer_restoring(self, restore: Callable[[], object]) -> None:
        """Say that there are unsaved changes to something else, and let them be restored."""
        text = self.tr("Rejoin ended unexpectedly; there are unsaved changes.")
        self._window.tell(text, self.tr("Restore"), lambda: self.leave(restore), "warning")
