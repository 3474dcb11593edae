"""Repeating the history of a case from the original sheets: what comes out must be what is on record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import Edit, Replace
from core.case.arrangement_json import read_arrangement, read_edit, read_options
from core.case.case import Case
from core.case.history import Entry, History, arrangement_sha256
from core.case.joins import JoinTable, join_table, known_shifts, rearranged, told
from core.case.record import read_mending
from core.errors import NothingFoundError, UnverifiedError, UsageError
from core.matching.costs import Costs
from core.pipeline import load_encoder, reconstruct
from core.progress import Progress, in_parts, no_progress, part
from core.renewal.adding import add, read_added
from core.renewal.mending import mend
from core.renewal.update import carry_over, redo, solve_again
from core.sheets.input_file import InputFile
from core.wording import QT_TRANSLATE_NOOP, Message

if TYPE_CHECKING:
    from core.embedding.encoder import Encoder

_WRONG = (ValueError, KeyError, TypeError, AttributeError, UsageError, NothingFoundError)
"""What an entry raises that cannot be repeated as it stands."""


def replay(history: History, originals: Mapping[str, Path], weights: Path, progress: Progress = no_progress) -> Case:
    """Carry out a history once more, from the sheets on.

    Parameters
    ----------
    history : History
        Begins with a reconstruction.
    originals : mapping of str to Path
        The files of the sheets and their masks, by SHA-256.
    weights : Path
        The weights with which the case was made.
    progress : Progress
        Called for each entry.

    Returns
    -------
    Case
        As it was after the last entry; without a history of its own.

    Raises
    ------
    UnverifiedError
        A sentence that names the first entry that cannot be repeated, or gives something else than is on record.
    UnreadableInputError
        If a sheet cannot be read.
    """
    if not history or "sheets" not in history[0].parameters:
        raise UnverifiedError(
            "The history does not begin with a reconstruction from sheets, so that it cannot be repeated: the case was "
            "made before a history was kept."
        )
    replayer = _Replayer(originals, weights)
    wanted = {to for entry in history if isinstance(to := entry.parameters.get("to"), int)}
    kept: dict[Any, Case] = {}
    case: Case | None = None
    for entry, here in in_parts(history, progress):
        text = QT_TRANSLATE_NOOP("progress", "Repeating step {number} of {n}")
        here(0.0, Message(text, number=entry.number, n=len(history)))
        try:
            case = replayer.step(case, entry, kept, here)
        except _WRONG as error:
            raise UnverifiedError(f"{_named(entry)} cannot be repeated: {error}") from error
        if arrangement_sha256(case.arrangement) != entry.result_sha256:
            raise UnverifiedError(f"{_named(entry)}, repeated, gives another arrangement than the one on record.")
        if entry.number in wanted:
            kept[entry.number] = case
    assert case is not None
    progress(1.0, QT_TRANSLATE_NOOP("progress", "Repeating"))
    return case


@dataclass
class _Replayer:
    """Carries out one entry after the other."""

    originals: Mapping[str, Path]
    weights: Path
    _last_table: tuple[Costs | None, Arrangement | None, JoinTable | None] = (None, None, None)

    @cached_property
    def encoder(self) -> "Encoder":
        """The encoder, loaded when it is first needed."""
        return load_encoder(self.weights)

    def step(self, case: Case | None, entry: Entry, kept: Mapping[Any, Case], progress: Progress) -> Case:
        """Return the case after an entry."""
        parameters = entry.parameters
        if "sheets" in parameters:
            return self._reconstruct(case, parameters, progress)
        assert case is not None
        if "added" in parameters:
            return self._added(case, parameters, progress)
        if "mends" in parameters:
            return self._mended(case, parameters, progress)
        if "edit" in parameters:
            return self._edited(case, read_edit(parameters["edit"]))
        if "arrangement" in parameters:
            return self._edited(case, Replace(read_arrangement(parameters["arrangement"])))
        if "options" in parameters:
            return redo(case, read_options(parameters["options"]), lambda: self.encoder, progress)
        if parameters.get("solve") or entry.what == "solved again":
            return solve_again(case, lambda: self.encoder, progress)
        if "to" in parameters:
            return kept[parameters["to"]]
        return case

    def _reconstruct(self, before: Case | None, parameters: Mapping[str, Any], progress: Progress) -> Case:
        """Begin from the sheets, taking over what was said before where that is on record."""
        files = self._files(parameters["sheets"])
        options, mends = read_options(parameters["options"]), read_mending(parameters)
        case = reconstruct(files, options, self.weights, mends=mends, progress=progress)
        if before is not None and parameters.get("keep"):
            case, _ = carry_over(before, case, lambda: self.encoder, progress)
        return case

    def _added(self, case: Case, parameters: Mapping[str, Any], progress: Progress) -> Case:
        """Add sheets once more."""
        found = read_added(case, self._files(parameters["added"]), progress=part(progress, 0.0, 0.5))
        return add(case, found, lambda: self.encoder, part(progress, 0.5, 1.0))

    def _files(self, described: Sequence[Mapping[str, Any]]) -> list[InputFile]:
        """List files to be read as they were read before, wherever they lie now."""
        files = []
        for sheet in described:
            mask = self.originals[sheet["mask_sha256"]] if sheet["mask_sha256"] else None
            known = {name: sheet[name] for name in ("single_shred", "dpi", "dpi_source") if name in sheet}
            files.append(InputFile(self.originals[sheet["sha256"]], mask, **known))
        return files

    def _mended(self, case: Case, parameters: Mapping[str, Any], progress: Progress) -> Case:
        """Mend sheets once more, each by itself."""
        numbers = {(sheet.sha256, sheet.page): number for number, sheet in enumerate(case.sheets)}
        for of_sheet, mends in read_mending(parameters).items():
            case, _ = mend(case, numbers[of_sheet], mends, lambda: self.encoder, progress)
        return case

    def _edited(self, case: Case, edit: Edit) -> Case:
        """Carry out an edit, and describe the joins as the window does."""
        arrangement, _ = edit.apply(case.arrangement, known_shifts(case))
        edited = replace(case, arrangement=arrangement, solved=case.solved or case.arrangement)
        costs, before, table = self._last_table
        if before != (now := told(edited)) or costs is not case.costs:
            table = join_table(edited)
            self._last_table = case.costs, now, table
        return rearranged(case, arrangement, table)


def _named(entry: Entry) -> str:
    return f'Entry {entry.number} of the history ("{entry.text}")'
