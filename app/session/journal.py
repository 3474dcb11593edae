"""The history of the open case is written here: each step an entry, and none is ever taken away."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from app.session.document import Document, case_file
from app.wording import counted
from core.arrangement.details import CaseDetails
from core.case.arrangement_json import describe_arrangement
from core.case.case import Case
from core.case.history import History
from core.case.record import detailed, reconstruction_parameters, recorded
from core.case.states import all_kept
from core.system.host import login_name


class Journal(QObject):
    """Records what is done with the open case, so that it can be repeated; see `core.case.history`.

    Undo and redo are entries that name the entry they lead to: for every step of the undo stack it is kept after which
    entry the case was so.

    Parameters
    ----------
    document : Document
        Whose case it is.
    """

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._numbers = [0]
        self.who: Callable[[], str] = login_name
        self.defaults: Callable[[], CaseDetails] = CaseDetails
        """What a new case is called as long as nobody says otherwise."""

    # Beginnings

    def begun(self, case: Case, before: Case | None, from_file: bool) -> Case:
        """Return a case that has just been made or read, with a history that begins so.

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
            case = replace(case, history=before.history, states=before.states)
        case = recorded(case, self.who(), what, self._text(case), parameters)
        if before is not None and goes_on:
            return self._called(case, before.arrangement.details)
        return case if from_file else self._called(case, self.defaults().values())

    def _called(self, case: Case, details: dict[str, str]) -> Case:
        """Return a case that has just been made with its details, as a step of its history."""
        return detailed(case, details, self.who(), self.tr("details of the case"))

    def _text(self, case: Case) -> str:
        pages = case.arrangement.pages
        text = self.tr("{pages} from {shreds} on {sheets}")
        if case.n_found_upside_down:
            text = self.tr("{pages} from {shreds}, {n} of them found upside down, on {sheets}")
        return text.format(
            n=case.n_found_upside_down,
            pages=counted(len(pages), self.tr("page"), self.tr("pages")),
            shreds=counted(sum(map(len, pages)), self.tr("shred"), self.tr("shreds")),
            sheets=counted(len(case.sheets), self.tr("sheet"), self.tr("sheets")),
        )

    def begin(self) -> None:
        """Begin with a case to which nothing has been done since it was made or read."""
        self._numbers = [len(self._document.history)]
        document = self._document
        document.unsaved = False
        document.fresh = document.case is not None and case_file(document.opened.paths) is None
        document.history_changed.emit()

    def go_on(self, history: History, begun: int) -> None:
        """Replace the history by that of a session that has ended.

        Parameters
        ----------
        history : History
            Up to the last change.
        begun : int
            Number of the entry after which the case was as it is now.
        """
        case = replace(self._case, history=history)
        self._document.put(case=replace(case, states=all_kept(case)))
        self._numbers = [begun]

    # Steps

    def add(self, what: str, text: str, parameters: Mapping[str, Any]) -> int:
        """Add an entry; the case is as it is after the step.

        Returns
        -------
        int
            The entry's number.
        """
        self._document.put(case=recorded(self._case, self.who(), what, text, parameters))
        self._document.history_changed.emit()
        return len(self._document.history)

    @property
    def _case(self) -> Case:
        assert self._document.case is not None
        return self._document.case

    def did(self, what: str, text: str, parameters: Mapping[str, Any]) -> None:
        """Record a step that has just been pushed on the undo stack, merged with the one before, or cancelled it."""
        number = self.add(what, text, parameters)
        self._numbers = [*self._numbers[: self._document.undo_stack.index()], number]

    def went(self, before: int) -> None:
        """Record that steps were taken back, or done again.

        Parameters
        ----------
        before : int
            Where the undo stack stood.
        """
        stack = self._document.undo_stack
        after = stack.index()
        texts = [stack.text(index) for index in range(min(before, after), max(before, after))]
        if texts:
            what = "undone" if after < before else "redone"
            self.add(what, ", ".join(texts[::-1] if after < before else texts), {"to": self._numbers[after]})

    # Files

    def saved(self, path: Path, packed: bool) -> None:
        """Record that the case is being saved, perhaps with its sheets packed in it; the entry is in the file."""
        self._document.unsaved = False
        text = self.tr("{name}, with the sheets packed in it") if packed else "{name}"
        self.add("saved", text.format(name=path.name), {"file": path.name, "packed": packed})

    def not_saved(self, path: Path, error: BaseException | None = None) -> None:
        """Record that saving came to nothing."""
        self.add("not saved", path.name if error is None else f"{path.name}: {error}", {"file": path.name})

    def marked(self, number: int, name: str) -> None:
        """Record that the state after an entry was given a name: "As submitted"."""
        self._document.unsaved = self._document.case_path is not None
        text = self.tr("the state after step {n} as “{name}”").format(n=number, name=name)
        self.add("marked", text, {"mark": name, "of": number})

    def exported(self, files: Iterable[tuple[Path, str]], of: int, kind: str = "") -> None:
        """Record which files were written of the case.

        Parameters
        ----------
        files : iterable of (Path, str)
            With the SHA-256 of each.
        of : int
            Number of the entry after which the case was as it was written.
        kind : str
            What the files hold, if their names do not say it.
        """
        written = [{"name": path.name, "sha256": sha256} for path, sha256 in files]
        text = self.tr("{first} and {n} more") if len(written) > 1 else "{first}"
        text = text.format(first=written[0]["name"], n=len(written) - 1) + (f": {kind}" if kind else "")
        self._document.unsaved = self._document.case_path is not None
        self.add("exported", text, {"files": written, "of": of})


def _sheets(case: Case) -> set[tuple[str, int]]:
    return {(sheet.sha256, sheet.page) for sheet in case.sheets}
