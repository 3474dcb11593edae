"""The functions of `core` that the window has run on a worker, imported there when first called.

Importing the stages takes seconds (TensorFlow), so nothing here is imported before it is needed. Tests give the
window an engine of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app import resources
from core.options import Options, ReadingOptions
from core.progress import Progress

if TYPE_CHECKING:
    from core.case import Case
    from core.composition import PageImage
    from core.sheet import Sheet, SheetInfo
    from core.shred import Shred

    OnSheet = Callable[[SheetInfo, tuple[Shred, ...]], None]

CASE_SUFFIX = ".rejoin"


class Engine:
    """Everything slow that the window can ask for."""

    def reconstruct(self, paths: Sequence[Path], on_sheet: OnSheet, progress: Progress) -> Case:
        """Turn files and folders into a case; `on_sheet` is called for each sheet as soon as it has been read.

        A single case file is read as it was saved.
        """
        if len(paths) == 1 and paths[0].suffix.lower() == CASE_SUFFIX:
            from core.case import load

            return load(paths[0], progress)
        from core.pipeline import reconstruct

        return reconstruct(paths, Options(), resources.weights_path(), on_sheet=on_sheet, progress=progress)

    def compose(self, case: Case, page: int) -> PageImage:
        """Compose one page of a case."""
        from core.composition import compose_page

        return compose_page({shred.id: shred for shred in case.shreds}, case.arrangement, page)

    def reread(self, info: SheetInfo, options: ReadingOptions) -> Sheet:
        """Read a sheet again at full resolution."""
        from core.images import reread

        return reread(info, options)

    def export(self, path: Path, case: Case, progress: Progress) -> tuple[Path, ...]:
        """Write the pages; what kind of file, its name says."""
        from core.report import write_pages

        return write_pages(path, case, progress=progress)
