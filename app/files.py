"""Opening and saving: by dialog, drop, button or list; and what becomes of unsaved changes before that."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject
from PySide6.QtWidgets import QMenu, QWidget

from app import wording
from app.reasons import allow, reason_against, unless
from app.session.document import case_file
from app.session.reader import Undecided
from app.session.safety.autosave import Autosave, UnsavedState
from app.session.safety.ownership import may_be_stale, sentence
from app.shell import Shell
from app.widgets import messages
from app.widgets.drop import DropOverlay
from app.widgets.welcome import Welcome
from core.case.case import CASE_SUFFIX, Case
from core.case.lock import Holder
from core.case.record import predates
from core.errors import Duplicate, Likeness, Remark, UnreadableInputError
from core.system.places import sample_paths
from core.wording import alike_once


class RecentFiles(QObject):
    """Lists what was opened lately, in a menu and on the welcome page.

    Parameters
    ----------
    shell : Shell
        The window.
    menu : QMenu
        Is filled with it.
    welcome : Welcome
        Shows it, too.
    """

    def __init__(self, shell: Shell, menu: QMenu, welcome: Welcome) -> None:
        super().__init__(shell.parent)
        self._shell, self._menu, self._welcome = shell, menu, welcome
        shell.actions.clear_recent.triggered.connect(self._clear)
        self._fill()

    def remember(self, paths: tuple[Path, ...]) -> None:
        """Insert what is open at the head of the list."""
        self._shell.settings.add_recent(paths)
        self._fill()

    def _clear(self) -> None:
        self._shell.settings.clear_recent()
        self._fill()

    def _fill(self) -> None:
        entries = self._shell.settings.recent()
        self._welcome.set_recent(entries)
        self._menu.clear()
        for number, entry in enumerate(entries, start=1):
            action = self._menu.addAction(f"&{number}  {wording.named(entry).replace('&', '&&')}")
            action.setToolTip("\n".join(str(path) for path in entry))
            action.triggered.connect(lambda _=False, entry=entry: self._welcome.open_recent.emit(entry))
        self._menu.addSeparator()
        self._menu.addAction(self._shell.actions.clear_recent)
        allow(unless(entries, self.tr("Nothing was opened lately.")), self._menu, self._menu.menuAction())


class Saver(QObject):
    """Saves what is open, and asks before unsaved changes are left.

    Parameters
    ----------
    shell : Shell
        The window.
    recent : RecentFiles
        Lists what was saved.
    """

    def __init__(self, shell: Shell, recent: RecentFiles) -> None:
        super().__init__(shell.parent)
        self._shell, self._recent = shell, recent
        self._session, self._document = shell.session, shell.session.document
        self._then: Callable[[], object] | None = None
        shell.actions.save.triggered.connect(self.save)
        shell.actions.save_as.triggered.connect(lambda: self.save_as())
        shell.actions.save_packed.triggered.connect(lambda: self.save_as(pack_sheets=True))
        self._document.saved.connect(self._show_saved)
        self._session.ownership.elsewhere.connect(self._show_copied)
        self._session.jobs.failed.connect(self._stay)
        self._session.jobs.cancelled.connect(self._stay)

    def save(self) -> None:
        """Save to the file that is open, or ask for one."""
        path = self._document.case_path
        if path is None:
            self.save_as()
        else:
            self._session.writer.save(path)

    def save_as(self, pack_sheets: bool = False) -> None:
        """Ask for a file and save to it, with the sheets in it if they are to be packed."""
        session = self._session
        if self._document.case is None:
            return
        path = messages.choose_case(self._shell.parent, self._proposed())
        if path is None:
            return
        self._shell.settings.set_folder("export", path.parent)
        holder = session.ownership.claim(path)
        if holder is None and pack_sheets:
            session.originals.find(lambda: session.writer.save(path, pack_sheets=True), on_disk=False)
        elif holder is None:
            session.writer.save(path)
        else:
            session.ownership.disclaim()
            text = self.tr("{other} Choose another file.").format(other=sentence(path, holder))
            self._shell.notices.tell(text, self.tr("Save As…"), self.save_as, "warning")

    def _proposed(self) -> Path:
        """Propose a file to save to."""
        document = self._document
        if document.case_path is not None:
            return document.case_path
        if document.read_from is not None:
            read = document.read_from
            return read.with_name(self.tr("{name} copy").format(name=read.stem) + CASE_SUFFIX)
        return Path(self._shell.settings.folder("export")) / f"{document.name}{CASE_SUFFIX}"

    def save_first(self, go_on: Callable[[], object], text: str, button: str) -> None:
        """Go on at once if the file has everything; otherwise say that it is to be saved, and go on after that."""
        if self._document.case_path is not None and not self._document.modified:
            go_on()
        else:
            self._shell.notices.tell(text, button, lambda: self._save_and(go_on))

    def _save_and(self, go_on: Callable[[], object]) -> None:
        self.save()
        self._then = go_on if self._session.jobs.busy else None  # a dialog that was closed saves nothing

    def leave(self, go_on: Callable[[], object], closing: bool = True) -> None:
        """Go on to something that leaves the case, once it is settled what becomes of unsaved changes.

        A reconstruction that was never saved is asked about, too, unless the same sheets are reconstructed again.
        """
        if not self._document.modified and not (self._document.fresh and closing):
            go_on()
            return
        ask = messages.ask_to_save if self._document.modified else messages.ask_to_save_new
        answer = ask(self._shell.parent)
        if answer == "save":
            self._save_and(go_on)
        elif answer == "discard":
            self._document.discard_changes()
            go_on()

    def _show_saved(self, path: Path) -> None:
        self._recent.remember((path,))
        self._shell.status_bar.showMessage(self.tr("Saved: {name}").format(name=path.name), 4000)
        then, self._then = self._then, None
        if then is not None:
            then()

    def _show_copied(self, path: Path, holder: Holder) -> None:
        """Show that what came back is a copy because the case itself is open elsewhere."""
        text = self.tr("{other} This is a copy of it: saving asks for another file.")
        text = text.format(other=sentence(path, holder))
        self._shell.notices.tell(text, self.tr("Save As…"), self.save_as, "warning")

    def _stay(self, *_: object) -> None:
        """Do not leave after all: the case could not be saved."""
        self._then = None


class Restorer(QObject):
    """Brings back, or offers, what a program that ended unexpectedly left unsaved.

    Parameters
    ----------
    shell : Shell
        The window.
    saver : Saver
        Asks before unsaved changes are left.
    autosave : Autosave
        Keeps unsaved states.
    """

    def __init__(self, shell: Shell, saver: Saver, autosave: Autosave) -> None:
        super().__init__(shell.parent)
        self._shell, self._saver, self._autosave = shell, saver, autosave
        self._document = shell.session.document
        self._told_of_others = False
        self._document.case_changed.connect(self._look)
        autosave.restored.connect(self._show_restored)

    def restore_latest(self) -> None:
        """Bring back what was changed last, if anything was left."""
        unsaved = self._autosave.left_behind()
        if unsaved is not None:
            self._autosave.restore(unsaved)

    def _look(self) -> None:
        """Look on a worker for unsaved states, once a case is open."""
        opened, jobs = self._document.opened, self._shell.session.jobs
        if opened.case is not None and not self._document.stepping:
            task = jobs.start(lambda progress, deliver: self._autosave.all_left_behind())
            task.succeeded.connect(lambda found: self._offer(opened.paths, found))

    def _offer(self, paths: tuple[Path, ...], found: list[UnsavedState]) -> None:
        """Offer the latest state of what is open; of something else once, so that it is not forgotten."""
        if self._document.opened.paths != paths or not found:
            return
        own = [unsaved for unsaved in found if unsaved.newer_than(paths)]
        unsaved = max(own or found, key=lambda unsaved: unsaved.ended)
        text = self.tr("Rejoin ended unexpectedly; there are unsaved changes to {name}, up to {when}.")
        if own:
            text = self.tr("There are newer changes to {name} that were not saved, up to {when}.")
        elif self._told_of_others:
            return
        self._told_of_others |= not own
        text = text.format(name=wording.named(unsaved.paths), when=_told(unsaved.ended))
        restore = lambda: self._saver.leave(lambda: self._autosave.restore(unsaved), closing=not own)  # noqa: E731
        self._shell.notices.tell(text, self.tr("Restore"), restore, "warning")

    def _show_restored(self, unsaved: UnsavedState) -> None:
        """Show that unsaved changes are back, and let them be discarded."""
        text = self.tr("Restored: changes up to {when} that had not been saved.").format(when=_told(unsaved.ended))
        self._shell.notices.tell(text, self.tr("Discard"), self._shell.session.editor.undo_all)


def _told(when: datetime) -> str:
    """Write a time as the clock of this place shows it."""
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(round(when.timestamp())), QLocale.FormatType.ShortFormat)


class Opener(QObject):
    """Opens files and folders, once it is settled what becomes of unsaved changes, and says what was left out of them.

    Parameters
    ----------
    shell : Shell
        The window.
    saver : Saver
        Asks before unsaved changes are left.
    recent : RecentFiles
        Lists what was opened.
    welcome : Welcome
        Has buttons to open by.
    drop_overlay : DropOverlay
        Takes what is dropped.
    """

    def __init__(
        self, shell: Shell, saver: Saver, recent: RecentFiles, welcome: Welcome, drop_overlay: DropOverlay
    ) -> None:
        super().__init__(shell.parent)
        self._shell, self._session, self._saver, self._recent = shell, shell.session, saver, recent
        actions = shell.actions
        for source in (actions.open.triggered, welcome.open_files):
            source.connect(lambda: self.open(self._ask(messages.choose_files)))
        for source in (actions.open_folder.triggered, welcome.open_folder):
            source.connect(lambda: self.open(self._ask(messages.choose_folder)))
        for source in (actions.sample.triggered, welcome.open_sample):
            source.connect(lambda: self.open(sample_paths()))
        welcome.open_recent.connect(self.open)
        actions.add.triggered.connect(lambda: self.open(self._ask(messages.choose_files), add=True))
        drop_overlay.dropped.connect(self.open)
        drop_overlay.refused.connect(self._show_foreign)
        self._session.reader.asked.connect(self._ask_what_it_is)
        self._session.reader.known.connect(self._show_known)
        actions.again.triggered.connect(lambda: saver.leave(self._session.reader.reconstruct_again, closing=False))
        for sample in (welcome.sample_button, actions.sample):
            sample.setVisible(bool(sample_paths()))
        self._listed: tuple[str, ...] = ()
        self._session.document.case_changed.connect(self._show_left_out)

    def open(self, paths: object, add: bool = False) -> None:
        """Reconstruct files and folders, alone or together with what is open."""
        chosen = [Path(str(path)) for path in paths] if isinstance(paths, list | tuple) else []
        if chosen and add and self._session.document.case is not None:
            self._add(chosen)  # a step like any other: nothing is left by it
        elif chosen and not self._session.jobs.exporting:
            self._saver.leave(lambda: self._open(chosen, add), closing=not add)

    def _add(self, chosen: list[Path]) -> None:
        """Add to the case, or say why that cannot be done now."""
        if reason := reason_against(self._shell.actions.add):
            self._shell.notices.tell(reason)
        else:
            self._shell.settings.set_folder("open", chosen[0].absolute().parent)
            self._session.reader.add(chosen)

    def _open(self, chosen: list[Path], add: bool) -> None:
        reader = self._session.reader
        as_copy = False if add else self._ask_whose(chosen)
        if as_copy is None:
            return
        self._shell.settings.set_folder("open", chosen[0].absolute().parent)
        if add:
            reader.add(chosen)
        else:
            reader.open(chosen, as_copy)
        self._recent.remember(self._session.document.opened.paths)

    def _ask_whose(self, chosen: list[Path]) -> bool | None:
        """Return whether to open a copy because a case is open in another window; None for not at all."""
        path, ownership = case_file(chosen), self._session.ownership
        holder = None if path is None else ownership.claim(path)
        if path is None or holder is None:
            return False
        answer = messages.ask_about_other(self._shell.parent, sentence(path, holder), may_be_stale(holder))
        if answer != "anyway":
            ownership.disclaim()
        return None if answer == "cancel" else answer == "copy"

    def _ask(self, choose: Callable[[QWidget, str], list[Path]]) -> list[Path]:
        return choose(self._shell.parent, self._shell.settings.folder("open"))

    def _ask_what_it_is(self, undecided: Undecided) -> None:
        """Show what was found among the files, and let the examiner say what it is."""
        from app.widgets.found import FoundDialog

        dialog = FoundDialog(self._shell.parent, undecided.survey, undecided.pictures)
        dialog.accepted.connect(lambda: undecided.resume(dialog.files))
        dialog.rejected.connect(lambda: undecided.resume(None))
        dialog.open()

    def _show_foreign(self, places: list[str]) -> None:
        """Say that what was dropped lies elsewhere."""
        first, n_more = wording.short(places[0], 80), len(places) - 1
        what = self.tr("{first} and {n} more are no files").format(first=first, n=n_more)
        text = self.tr("{what} on this computer, and Rejoin never uses the network. ") + self.tr(
            "Copy it here, or connect its folder as a drive, and open it from there."
        )
        what = what if n_more else self.tr("{first} is no file").format(first=first)
        messages.show_error(self._shell.parent, UnreadableInputError(text.format(what=what)))

    # What was left out

    def _show_known(self, paths: list[Path]) -> None:
        """Say which files were not added, since the case has their sheets."""
        text = self.tr("{name} is in the case already, and was not added again.").format(name=paths[0].name)
        if len(paths) > 1:
            text = self.tr("{n} files are in the case already, and were not added again.").format(n=len(paths))
        self._shell.notices.tell(text)

    def _show_left_out(self) -> None:
        """Show which inputs have no part in the case that is open now, or what is remarkable about those that have."""
        case, notices = self._session.document.case, self._shell.notices
        before, self._listed = self._listed, tuple(case.unreadable) if case is not None else ()
        if self._session.document.stepping and self._listed == before:
            return  # it was said once, and may have been put away
        notices.hide()
        earlier = self._of_earlier_version(case)
        if case is None or not case.unreadable:
            if earlier:
                notices.tell(earlier, self.tr("Options"), lambda: self._shell.docks.show("options"))
            return
        left_out = [sentence for sentence in case.unreadable if not isinstance(sentence, Remark)]
        if left_out and all(isinstance(sentence, Duplicate) for sentence in left_out):
            self._ask_about_duplicates(case, left_out)
            return
        text = wording.counted(len(left_out), self.tr("input was left out"), self.tr("inputs were left out"))
        if not left_out:
            one, many = self.tr("remark on what was read"), self.tr("remarks on what was read")
            text = wording.counted(len(case.unreadable), one, many)
        show = messages.show_left_out if left_out else messages.show_remarks
        said = [*alike_once(case.unreadable), *([earlier] if earlier else [])]
        details = lambda: show(self._shell.parent, said)  # noqa: E731
        notices.tell(f"{text}.", self.tr("Details"), details, "warning" if left_out else "information")

    def _of_earlier_version(self, case: Case | None) -> str:
        """Say of a case that has just been opened that its pages are not levelled, as it was made before that was."""
        if case is None or self._session.document.stepping or case.options.composition.level:
            return ""
        if not predates(case, "composition", "level"):
            return ""
        return self.tr(
            "Made with an earlier version: its evidence pages stand as they were cut out. "
            "Options → Pages → Level pages sets them to the pixel."
        )

    def _ask_about_duplicates(self, case: Case, left_out: list[str]) -> None:
        one, many = self.tr("sheet was given twice and taken once"), self.tr("sheets were given twice and taken once")
        kept = replace(case.options, reading=replace(case.options.reading, keep_duplicates=True))
        question = self.tr("{duplicates}: the pixels are the same. Are they two pieces of paper all the same?")
        if any(isinstance(sentence, Likeness) for sentence in left_out):
            question = self.tr("{duplicates}: they show the same. Are they two pieces of paper all the same?")
        question = question.format(duplicates=wording.counted(len(left_out), one, many))
        apply = lambda: self._session.updater.apply(kept)  # noqa: E731
        self._shell.notices.tell(question, self.tr("Keep Both"), apply, "warning")
