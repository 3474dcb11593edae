"""The files of the sheets, wherever they lie now: looked for before something reads them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.wording import translate

if TYPE_CHECKING:
    from app.session.session import Workspace
    from core.case.case import Case
    from core.case.originals import FoundOriginals

Then = Callable[[], object]


@dataclass(frozen=True)
class Missing:
    """What cannot go on before the examiner has named a folder.

    Attributes
    ----------
    problems : tuple of str
        A sentence for each file that is missing or was changed; none if all are packed in the case.
    resume : callable
        Goes on with a folder, in which the files lie, or into which packed ones are to be written.
    """

    problems: tuple[str, ...]
    resume: Callable[[Path], object]


class MissingSheets(QObject):
    """Finds the files of a workspace's sheets: where they lay, beside the case, in folders that were named, or packed.

    Parameters
    ----------
    workspace : Workspace
        Whose sheets they are.
    """

    asked = Signal(object)
    """`Missing`: the examiner is to name a folder."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self.folders: tuple[Path, ...] = ()
        """Those that were named; they are looked through again."""

    def find(self, then: Then, on_disk: bool = True) -> None:
        """Go on once every file has been found unchanged.

        Parameters
        ----------
        then : callable
            Called when they have been found; the case tells their places by then.
        on_disk : bool
            Whether copies that are packed in the case do not suffice.
        """
        workspace, case = self._workspace, self._workspace.case
        if case is None:
            then()
            return
        if workspace.busy:
            return
        engine, path, folders = workspace.engine, workspace.read_from, self.folders
        task = workspace.tasks.start(lambda progress, deliver: engine.find_originals(case, path, folders, progress))
        workspace.wait_for(task, "find", self.tr("Looking for the sheets"))
        task.succeeded.connect(lambda found: self._settle(case, found, then, on_disk))

    def _settle(self, case: Case, found: FoundOriginals, then: Then, on_disk: bool) -> None:
        if found.problems:
            self.asked.emit(Missing(found.problems, lambda folder: self._look_in(folder, then, on_disk)))
        elif found.packed and on_disk:
            self.asked.emit(Missing((), lambda folder: self._unpack(case, found, folder, then)))
        else:
            self._workspace.put_sheets(case, found)
            then()

    def add(self, folder: Path) -> None:
        """Look in another folder too, from now on."""
        self.folders = (folder, *(other for other in self.folders if other != folder))

    def _look_in(self, folder: Path, then: Then, on_disk: bool) -> None:
        self.add(folder)
        self.find(then, on_disk)

    def _unpack(self, case: Case, found: FoundOriginals, folder: Path, then: Then) -> None:
        workspace, engine = self._workspace, self._workspace.engine
        task = workspace.tasks.start(lambda progress, deliver: engine.unpack(case, found, folder, progress))
        workspace.wait_for(task, "find", self.tr("Unpacking the sheets"))
        task.succeeded.connect(lambda unpacked: self._settle(case, unpacked, then, True))


def question(problems: Sequence[str]) -> tuple[str, str]:
    """Put into words what is the matter, and what to do."""
    if not problems:
        return (
            translate("missing", "The sheets are packed in the case, and no longer where they lay."),
            translate("missing", "To be read again they are unpacked. Choose a folder for them."),
        )
    how = translate("missing", "The folder is looked through with all that is in it; files are known by their SHA-256.")
    if len(problems) > 1:
        how = translate("missing", "So it is with {n} files.").format(n=len(problems)) + " " + how
    return problems[0], how
