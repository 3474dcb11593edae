"""Verifying a case: everything in its file is what it was, and its history, repeated, leads to the same pages."""

import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from core.case.archive import DAMAGE, Archive
from core.case.case import Case
from core.case.file import load
from core.case.history import arrangement_sha256, check_chain
from core.case.originals import FoundOriginals, files_of, find_originals, on_disk
from core.case.record import LEFT_OUT, check_parameters
from core.errors import UnreadableInputError, UnverifiedError
from core.progress import Progress, no_progress, part
from core.system.files import file_sha256
from core.system.versions import versions
from core.verification import differences
from core.verification.replay import replay
from core.wording import QT_TRANSLATE_NOOP

Outcome: TypeAlias = Literal["ok", "noted", "failed", "not checked"]

_BEFORE = ("file", "history", "result", "sheets", "weights", "versions", "repeated")
_COMPARED: Mapping[str, Callable[[Case, Case], str | None]] = {
    "sheets anew": differences.different_sheets,
    "shreds": differences.different_shreds,
    "costs": differences.different_costs,
    "options": differences.different_options,
    "order": differences.different_order,
    "joins": differences.different_joins,
    "pages": differences.different_pages,
}
"""What of the case on record is compared with the case made anew, and how."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
        What: "file", "history", "result", "sheets", "weights", "versions", "repeated", "sheets anew", "shreds",
        "costs", "options", "order", "joins", "pages".
    outcome : {"ok", "noted", "failed", "not checked"}
        "noted" is worth knowing and refutes nothing.
    text : str
        What was found; a sentence where it failed.
    """

    name: str
    outcome: Outcome
    text: str


@dataclass(frozen=True)
class Verification:
    """What verifying gave.

    Attributes
    ----------
    checks : tuple of Check
        In the order in which they were made.
    last_sha256 : str
        Of the last entry of the history, to be compared with the one that was written down; empty if there is none.
    """

    checks: tuple[Check, ...]
    last_sha256: str

    @property
    def holds(self) -> bool:
        """Whether nothing failed, and nothing was left unchecked."""
        return all(check.outcome in ("ok", "noted") for check in self.checks)

    @property
    def first_difference(self) -> str:
        """The sentence of the first check that failed; empty if none did."""
        return next((check.text for check in self.checks if check.outcome == "failed"), "")


def verify(
    path: Path, weights: Path, folders: Sequence[Path] = (), noted: str = "", progress: Progress = no_progress
) -> Verification:
    """Verify a case.

    Parameters
    ----------
    path : Path
        Of the case file; it is only read.
    weights : Path
        The weights with which it was made.
    folders : sequence of Path
        Where sheets may lie, besides where they lay and beside the case.
    noted : str
        SHA-256 of an entry of the history that was written down; it must be among them.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Verification
        Checks that need what failed before are not made.

    Raises
    ------
    UnreadableInputError
        If there is no such file, or it is no ZIP.
    """
    if not path.is_file() or not zipfile.is_zipfile(path):
        load(path)  # says why
    checks = _Checks()
    checks.make("file", lambda: _check_file(path))
    try:
        case = load(path, part(progress, 0.0, 0.1), check=False)
    except UnreadableInputError as error:
        return checks.result(str(error))
    checks.make("history", lambda: _check_history(case, noted))
    checks.make("result", lambda: _check_result(case), "history")
    found = find_originals(case, path, folders, part(progress, 0.1, 0.15))
    checks.make("sheets", lambda: _check_sheets(case, found, checks.held("history")))
    used = ""
    with suppress(OSError):
        used = file_sha256(weights)
    if used != case.weights_sha256 and found.packed_weights is not None:
        used = case.weights_sha256
        found = replace(found, packed={**found.packed, used: found.packed_weights})
        copy = f"the copy packed in the case, {used[:16]}…: not those in {weights}."
        checks.note("weights", f"{copy} Make sure that they can be relied on", "")
    else:
        checks.make("weights", lambda: _check_weights(case, weights, used))
    checks.note("versions", _different_versions(case, checks.held("history")), "the same as when it was done")
    repeated_cases: list[Case] = []

    def repeat() -> str:
        with on_disk(found) as originals:
            place = originals.get(case.weights_sha256, weights)
            repeated_cases.append(replay(case.history, originals, place, part(progress, 0.15, 0.5)))
        return f"all {len(case.history)} entries give what is on record"

    checks.make("repeated", repeat, "history", "sheets", "weights")
    # All pages are composed anew, of both cases and in both renditions: with many pages half of the whole time.
    by_page = partial(differences.different_pages, progress=part(progress, 0.52, 1.0))
    for number, name in enumerate(_COMPARED):
        progress(0.5 + 0.02 * number / len(_COMPARED), QT_TRANSLATE_NOOP("progress", "Comparing"))
        different = by_page if name == "pages" else _COMPARED[name]
        checks.make(name, partial(_compared, different, case, repeated_cases), "repeated")
    return checks.result("", case.history[-1].sha256 if case.history else "")


class _Checks:
    """Collects outcomes."""

    def __init__(self) -> None:
        self._made: dict[str, Check] = {}

    def make(self, name: str, check: Callable[[], str], *needs: str) -> None:
        """Make a check unless one that it needs failed; it gives a text, or raises the sentence that says why not."""
        if not all(map(self.held, needs)):
            return
        try:
            self._made[name] = Check(name, "ok", check())
        except (UnverifiedError, UnreadableInputError) as error:
            self._made[name] = Check(name, "failed", str(error))

    def held(self, name: str) -> bool:
        """Whether a check was made, and what was looked at was as it should be."""
        return name in self._made and self._made[name].outcome != "failed"

    def note(self, name: str, text: str, otherwise: str) -> None:
        """Note something that refutes nothing, if there is something."""
        self._made[name] = Check(name, "noted" if text else "ok", text or otherwise)

    def result(self, unreadable: str, last_sha256: str = "") -> Verification:
        """Return all checks; what was not made stands among them."""
        if unreadable and self._made["file"].outcome == "ok":
            self._made["file"] = Check("file", "failed", unreadable)
        names = (*_BEFORE, *_COMPARED)
        checks = (self._made.get(name, Check(name, "not checked", "something before failed")) for name in names)
        return Verification(tuple(checks), last_sha256)


def _check_file(path: Path) -> str:
    """Check that every entry of the file has the SHA-256 that the manifest tells."""
    try:
        with Archive(path) as archive:
            archive.check()
            archive.check_packaging()
            name = next(archive.altered(), None)
            n_entries, sha256 = len(archive.names), file_sha256(path)
    except (OSError, *DAMAGE) as error:
        raise UnverifiedError(f"The file is not as it was saved: {error}.") from error
    if name is not None:
        raise UnverifiedError(f"The file is not as it was saved: {name} was altered, its SHA-256 is another.")
    return f"its {n_entries} entries are as they were saved; the file has the SHA-256 {sha256}"


def _check_history(case: Case, noted: str) -> str:
    """Check that the chain holds, and that it has the entry that was written down."""
    check_chain(case.history)
    if not case.history:
        raise UnverifiedError("The case has no history: an earlier version of Rejoin wrote it, or it was taken out.")
    if noted and noted.lower() not in {entry.sha256 for entry in case.history}:
        raise UnverifiedError(
            f"No entry of the history has the SHA-256 {noted} that was written down: it is another history."
        )
    check_parameters(case.history)
    return f"{len(case.history)} entries, each with the SHA-256 of the one before"


def _check_result(case: Case) -> str:
    """Check that the arrangement is the one that the last entry left."""
    last = case.history[-1]
    if arrangement_sha256(case.arrangement) != last.result_sha256:
        raise UnverifiedError(
            f'The arrangement in the case is not the one after the last entry of its history ("{last.text}"): it was '
            "changed without an entry, or an entry was taken out."
        )

    def recorded(name: str) -> list[Any]:
        return [entry.parameters[name] for entry in case.history if name in entry.parameters]

    if case.versions not in recorded("versions"):
        raise UnverifiedError("The case tells of other versions of Rejoin and its libraries than its history.")
    left_out = recorded(LEFT_OUT)
    if left_out and list(case.unreadable) not in left_out:
        raise UnverifiedError("The case tells of other inputs that were left out than its history.")
    if set(recorded("weights_sha256")) != {case.weights_sha256}:
        raise UnverifiedError(
            "The case and its history tell of different weights: it cannot be repeated with one file."
        )
    return "the arrangement is the one that the last entry left"


def _check_sheets(case: Case, found: FoundOriginals, by_history: bool) -> str:
    """Check that every sheet was found unchanged, and that it is the one which the history names, if that holds."""
    if found.problems:
        raise UnverifiedError(found.problems[0])
    files = files_of(case)
    hashes = {file.sha256 for file in files}
    for entry in case.history if by_history else ():
        for sheet in (*entry.parameters.get("sheets", ()), *entry.parameters.get("added", ())):
            if not {sheet["sha256"], sheet["mask_sha256"]} <= hashes | {None}:
                raise UnverifiedError(f"{sheet['name']} has another SHA-256 in the history than the case tells.")
    packed = f", {len(found.packed)} of them packed in the case" if found.packed else ""
    return f"{len(files)} files found, unchanged{packed}"


def _check_weights(case: Case, weights: Path, sha256: str) -> str:
    """Check that the weights are those with which the case was made."""
    if not sha256:
        raise UnverifiedError(f"The weights {weights} cannot be read. Name their file.")
    if sha256 != case.weights_sha256:
        raise UnverifiedError(
            f"{weights} does not hold the weights with which the case was made: its SHA-256 is {sha256[:16]}…, theirs "
            f"{case.weights_sha256[:16]}…. Name their file."
        )
    return f"those with which the case was made, {sha256[:16]}…"


def _different_versions(case: Case, by_history: bool) -> str:
    """List which versions are others now than when the case was made and worked on."""
    now = versions()
    recorded_versions = [entry.parameters.get("versions", {}) for entry in case.history] if by_history else []
    different = {
        f"{name} was {then.get(name, 'absent')}, is {now.get(name, 'absent')}": name
        for then in filter(None, (case.versions, *recorded_versions))
        for name in then.keys() | now.keys()
        if then.get(name) != now.get(name)
    }
    return ", ".join(sorted(different))


def _compared(different: Callable[[Case, Case], str | None], recorded: Case, repeated_cases: Sequence[Case]) -> str:
    """Compare the case on record with the case made anew."""
    (repeated,) = repeated_cases
    if sentence := different(recorded, repeated):
        raise UnverifiedError(sentence)
    if different is not differences.different_costs:
        return "the same anew"
    by = differences.largest_difference(recorded, repeated)
    return f"the same anew but for rounding, at most {by:.1g}" if by else "the same anew, bit for bit"
