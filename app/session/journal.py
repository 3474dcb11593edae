"""The history of the open case is written here: each step an entry, and none is ever taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.wording import counted

if TYPE_CHECKING:
    from app.session.session import Workspace
    from core.case.case import Case
    from core.case.history import History


def login_name() -> str:
    """Give the name under which somebody is logged in."""
    from core.system.host import login_name

    return login_name()


class Recording(QObject):
    """Writes down what is done with the case of a workspace, so that it can be repeated; see `core.case.history`.

    Undo and redo are entries that name the entry they lead to: for every step of the undo stack it is kept after which
    entry the case was so.

    Parameters
    ----------
    workspace : Workspace
        Whose case it is.
    """

    recorded = Signal()
    """The history has grown."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._numbers = [0]
        self.who: Callable[[], str] = login_name
        self.unsaved = False
        """Whether something was recorded that a saved case should have, and the undo stack knows nothing of."""

    @property
    def history(self) -> History:
        """All entries of the open case."""
        return self._workspace.case.history if self._workspace.case else ()

    # Beginnings

    def begun(self, case: Case, before: Case | None, from_file: bool) -> Case:
        """Give a case that has just been made or read, with a history that tells it.

        Parameters
        ----------
        case : Case
            Of a case file, its history goes on.
        before : Case or None
            What was open before; if it was made of the same sheets, with the same weights, its history goes on. With
            other weights it could not be repeated.
        from_file : bool
            Whether it was read from a case file.
        """
        from core.case.arrangement_json import describe_arrangement
        from core.case.record import reconstruction_parameters, recorded

        if case.history:
            return case
        goes_on = (
            before is not None
            and not from_file
            and _sheets(before) <= _sheets(case)
            and before.weights_sha256 in ("", case.weights_sha256)
        )
        what, parameters = "reconstructed", reconstruction_parameters(case)
        if from_file:
            what, parameters = "taken over", {"arrangement": describe_arrangement(case.arrangement)}
        if before is not None and goes_on:
            case = replace(case, history=before.history)
        return recorded(case, self.who(), what, self._text(case), parameters)

    def _text(self, case: Case) -> str:
        pages = case.arrangement.pages
        return self.tr("{pages} from {shreds} on {sheets}").format(
            pages=counted(len(pages), self.tr("page"), self.tr("pages")),
            shreds=counted(sum(map(len, pages)), self.tr("shred"), self.tr("shreds")),
            sheets=counted(len(case.sheets), self.tr("sheet"), self.tr("sheets")),
        )

    def begin(self) -> None:
        """Begin with a case to which nothing has been done since it was made or read."""
        self._numbers = [len(self.history)]
        self.unsaved = False
        self.recorded.emit()

    def go_on(self, history: History, begun: int) -> None:
        """Put the history of a session that has ended in the place of the one there is.

        Parameters
        ----------
        history : History
            Up to the last change.
        begun : int
            Number of the entry after which the case was as it is now.
        """
        self._put(history)
        self._numbers = [begun]

    # Steps

    def add(self, what: str, text: str, parameters: Mapping[str, Any]) -> int:
        """Write an entry; the case is as it is after the step.

        Returns
        -------
        int
            The entry's number.
        """
        from core.case.record import recorded

        case = self._workspace.case
        assert case is not None
        self._put(recorded(case, self.who(), what, text, parameters).history)
        self.recorded.emit()
        return len(self.history)

    def _put(self, history: History) -> None:
        opened = self._workspace.opened
        assert opened.case is not None
        self._workspace.opened = replace(opened, case=replace(opened.case, history=history))

    def did(self, what: str, text: str, parameters: Mapping[str, Any]) -> None:
        """Write of a step that has just been pushed on the undo stack, merged with the one before, or cancelled it."""
        number = self.add(what, text, parameters)
        self._numbers = [*self._numbers[: self._workspace.undo_stack.index()], number]

    def went(self, before: int) -> None:
        """Write that steps were taken back, or done again.

        Parameters
        ----------
        before : int
            Where the undo stack stood.
        """
        stack = self._workspace.undo_stack
        after = stack.index()
        texts = [stack.text(index) for index in range(min(before, after), max(before, after))]
        if texts:
            what = "undone" if after < before else "redone"
            self.add(what, ", ".join(texts[::-1] if after < before else texts), {"to": self._numbers[after]})

    # Files

    def saved(self, path: Path, packed: bool) -> None:
        """Write that the case is being saved, perhaps with its sheets packed in it; the entry is in the file."""
        self.unsaved = False
        text = self.tr("{name}, with the sheets packed in it") if packed else "{name}"
        self.add("saved", text.format(name=path.name), {"file": path.name, "packed": packed})

    def not_saved(self, path: Path, error: BaseException | None = None) -> None:
        """Write that saving came to nothing."""
        self.add("not saved", path.name if error is None else f"{path.name}: {error}", {"file": path.name})

    def exported(self, files: Iterable[tuple[Path, str]], of: int) -> None:
        """Write which files were written of the case.

        Parameters
        ----------
        files : iterable of (Path, str)
            With the SHA-256 of each.
        of : int
            Number of the entry after which the case was as it was written.
        """
        told = [{"name": path.name, "sha256": sha256} for path, sha256 in files]
        text = self.tr("{first} and {n} more") if len(told) > 1 else "{first}"
        self.unsaved = self._workspace.case_path is not None
        self.add("exported", text.format(first=told[0]["name"], n=len(told) - 1), {"files": told, "of": of})


def with_sha256(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    """Hash files that were written; on a worker."""
    from core.system.files import file_sha256

    return [(path, file_sha256(path)) for path in paths]


def _sheets(case: Case) -> set[tuple[str, int]]:
    return {(sheet.sha256, sheet.page) for sheet in case.sheets}
