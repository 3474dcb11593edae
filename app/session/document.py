"""What the workspace holds: what is open, what is chosen of it, and the work that is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.session.engine import CASE_SUFFIX

if TYPE_CHECKING:
    from app.session.tasks import Task
    from core.case.case import Case
    from core.sheets.inputs import InputFile
    from core.sheets.sheet import SheetInfo
    from core.shreds.shred import Shred


Source: TypeAlias = "Path | InputFile"
"""What can be read: a file or folder, or a file of which it is known how it was read."""


def case_file(paths: Sequence[Source]) -> Path | None:
    """Give the case file that is meant, if it is one and nothing else."""
    first = paths[0] if len(paths) == 1 else None
    return first if isinstance(first, Path) and first.suffix.lower() == CASE_SUFFIX else None


@dataclass(frozen=True, eq=False)
class Opened:
    """What was asked for and what has come of it so far; `files` are those in the folders too, once they are known.

    A case file may be open `as_copy`: it is read, and never saved to.
    """

    paths: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    sheets: tuple[SheetInfo, ...] = ()
    shreds: tuple[tuple[Shred, ...], ...] = ()
    case: Case | None = None
    as_copy: bool = False

    def holding(self, case: Case) -> Opened:
        """Give the same files with the case that was made of them."""
        of_sheet = tuple(tuple(shred for shred in case.shreds if shred.sheet == n) for n in range(len(case.sheets)))
        return replace(self, sheets=case.sheets, shreds=of_sheet, case=case)

    @property
    def inputs(self) -> tuple[InputFile, ...]:
        """The files of the sheets, each once, to be read as they were read before."""
        from core.sheets.inputs import InputFile

        files = (InputFile(sheet.path, sheet.mask_path, sheet.single_shred) for sheet in self.sheets)
        return tuple(dict.fromkeys(files))

    def pending(self) -> tuple[Path, ...]:
        """List the files, or folders while their files are not known, of which no sheet has been read yet."""
        read = {sheet.path.absolute() for sheet in self.sheets}
        read |= {parent for path in read for parent in path.parents}
        return tuple(path for path in self.files or self.paths if path.absolute() not in read)


@dataclass(frozen=True)
class Selection:
    """A sheet, the current shred on it, and all shreds that are chosen; -1 and "" for none.

    The chosen ones stand in reading order; the current one, the last that was clicked, is among them.
    """

    sheet: int = -1
    shred: str = ""
    shreds: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.shred and not self.shreds:
            object.__setattr__(self, "shreds", (self.shred,))


@dataclass(frozen=True, eq=False)
class Running:
    """The work the user waits for."""

    task: Task
    kind: str
    title: str
