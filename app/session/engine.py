"""The functions of `core` that the window has run on a worker, imported there when first called.

Importing the stages takes seconds (TensorFlow), so nothing here is imported before it is needed. Tests give the
window an engine of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.session.document import case_file
from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.face_edits import PairFaces, PartFaces
from core.case.case import Case
from core.options import Export, Options, ReadingOptions
from core.progress import Progress, part
from core.sheets.mends import Mends, MendsOfSheets
from core.sheets.sheet import Sheet, SheetInfo
from core.shreds.shred import Crumb, Shred, turned
from core.system.places import CACHE_GB, stages_folder, weights_path

if TYPE_CHECKING:
    from core.arrays import Floats, Pixels
    from core.case.joins import JoinTable
    from core.case.originals import FoundOriginals
    from core.composition.page_image import PageImage, Rendition
    from core.embedding.encoder import Encoder
    from core.inspection.neighbours import Scope
    from core.inspection.outlook import Outlook
    from core.inspection.pair import CloseUp, Seam
    from core.inspection.questions import Question
    from core.inspection.sample_index import SampleIndex
    from core.inspection.sample_view import Inspection
    from core.inspection.samples import Sample
    from core.memory import Memory
    from core.sheets.input_file import InputFile
    from core.sheets.survey import Survey
    from core.shreds.detect import Found
    from core.text.page_text import PageText
    from core.verification.verify import Verification

    OnSheet = Callable[[SheetInfo, tuple[Shred, ...]], None]


class Engine:
    """Everything slow that the window can ask for."""

    cache_gb, cache_folder = CACHE_GB, stages_folder()
    """How much may be kept on disk of what was read of sheets and borders, and where."""

    _encoder: Future[Encoder] | None = None
    _lock = Lock()

    @cached_property
    def memory(self) -> Memory:
        """What was read of the borders compared last; its cache, what was read of sheets in earlier sessions, too."""
        from core.memory import Memory
        from core.system.disk_cache import DiskCache

        return Memory(DiskCache(self.cache_folder, self.cache_gb) if self.cache_gb > 0 else None)

    def set_cache(self, folder: Path, limit_gb: float) -> None:
        """Keep there, from now on, what is read of sheets and borders."""
        if (folder, limit_gb) != (self.cache_folder, self.cache_gb):
            self.cache_folder, self.cache_gb = folder, limit_gb
            self.__dict__.pop("memory", None)  # made anew when it is asked for

    def reconstruct(
        self,
        paths: Sequence[Path | InputFile],
        on_sheet: OnSheet,
        progress: Progress,
        options: Options = Options(),
        mends: MendsOfSheets | None = None,
    ) -> Case:
        """Turn files and folders into a case; `on_sheet` is called for each sheet as soon as it has been read.

        A single case file is read as it was saved; other sheets are mended as they were before.
        """
        path = case_file(paths)
        if path is not None:
            # Before several workers ask for it at once, which Python 3.11 may refuse: comparing and composing do.
            import scipy.sparse
            import scipy.special  # noqa: F401

            from core.case.archive import COPIED_BYTES
            from core.case.file import load
            from core.system.versions import versions

            versions()  # the first step asks for them, and not on a worker
            return load(path, progress, check_at_most_bytes=COPIED_BYTES)
        from core.pipeline import reconstruct

        weights, memory = weights_path(), self.memory
        return reconstruct(paths, options, weights, mends=mends, on_sheet=on_sheet, progress=progress, memory=memory)

    def check_rest(self, case: Case, progress: Progress) -> None:
        """Check the pictures of a case that was opened before they were, and find out how high they are."""
        from core.case.file import check_rest
        from core.shreds.shred import common_frame

        check_rest(case, part(progress, 0, 0.95))
        if case.shreds:
            common_frame(case.shreds)

    def new_inputs(self, case: Case, paths: Sequence[Path]) -> tuple[list[InputFile], list[Path]]:
        """Tell files of which a case lacks sheets from those that it has."""
        from core.renewal.adding import known_inputs

        new, known = known_inputs(case.sheets, paths)
        return new, [file.path for file in known]

    def read_added(self, case: Case, files: Sequence[InputFile], progress: Progress) -> Found:
        """Read sheets that are to be added to a case, and find the shreds on them."""
        from core.renewal.adding import read_added

        return read_added(case, files, progress=progress, cache=self.memory.cache)

    def add(self, case: Case, found: Found, progress: Progress) -> Case:
        """Price the shreds of new sheets against all others, and find the order of all."""
        from core.renewal.adding import add

        return add(case, found, lambda: self.encoder(part(progress, 0, 0.05)), progress, memory=self.memory)

    def mend(
        self, case: Case, number: int, mends: Mends, path: Path | None, folders: Sequence[Path], progress: Progress
    ) -> tuple[Case, tuple[str, ...]]:
        """Do one sheet again with other mends, wherever its file lies; with the shreds that are lost by that."""
        from core.case.originals import at_hand
        from core.renewal.mending import mend

        load = lambda: self.encoder(part(progress, 0.3, 0.35))  # noqa: E731
        with at_hand(case, case.sheets[number], path, folders) as source:
            return mend(case, number, mends, load, progress, source=source, memory=self.memory)

    def prepare_mending(self, case: Case, progress: Progress) -> None:
        """Read the borders of a case ahead, so that a mend need read those of one sheet alone."""
        from core.renewal.mending import prepare

        prepare(case, lambda: self.encoder(part(progress, 0, 0.1)), self.memory, part(progress, 0.1, 1))

    def preview_mends(
        self, found: Sequence[Shred | Crumb], mends: Mends, size_px: tuple[int, int]
    ) -> tuple[list[tuple[Shred | Crumb | None, Floats]], tuple[str, ...]]:
        """Find what would come of mends: outlines, and why some cannot be made."""
        from core.shreds.regions.mended import preview

        return preview(found, mends, size_px[::-1])

    def survey(
        self,
        paths: Sequence[Path | InputFile],
        options: ReadingOptions,
        progress: Progress,
        known: Sequence[SheetInfo] = (),
    ) -> Survey:
        """Look at files before they are read: sheets or single shreds, and at which resolution."""
        from core.sheets.survey import survey

        return survey(paths, options, progress, known)

    def state_after(
        self, case: Case, number: int, path: Path | None, folders: Sequence[Path], progress: Progress
    ) -> Case:
        """Find the state of a case after a step of its history, wherever the files of its sheets lie."""
        from core.renewal.mending import past_state

        return past_state(case, number, path, folders, progress)

    def states_on_the_way(self, case: Case) -> dict[str, Arrangement]:
        """Collect the states of a case that can be found again, before its costs are others."""
        from core.case.states import on_the_way

        return on_the_way(case)

    def compose(self, case: Case, page: int, rendition: Rendition = "evidence") -> PageImage:
        """Compose one page of a case."""
        from core.composition.pages import compose

        return compose(case, page, rendition)

    def compose_back(self, case: Case, page: int, rendition: Rendition = "evidence") -> PageImage:
        """Compose what is seen when a page is turned over; of one of its shreds at least both faces are known."""
        from core.composition.backs import with_backs
        from core.composition.pages import compose

        alone = replace(case.arrangement, pages=case.arrangement.pages[page : page + 1], set_aside=())
        return compose(with_backs(replace(case, arrangement=alone)), 1, rendition)

    def both_faces(self, case: Case, shred: str, other: str) -> CloseUp:
        """Lay the other face of a shred beside it, as it is seen when the paper is turned over to the right.

        Of two that are not paired it is laid as if they were.
        """
        from core.arrangement.faces import other_faces
        from core.faces.pairing import pair_of
        from core.inspection.pair import close_up

        arrangement, shreds = case.arrangement, case.shred_by_id
        faces = arrangement.other_faces
        if shred not in faces or faces[shred][0] != other:
            faces = other_faces([pair_of(shreds[shred], shreds[other])])
        half_turn = faces[shred][1]
        upside_down = half_turn != (shred in arrangement.half_turned)
        back = turned(shreds[other], half_turn=upside_down, by_deg=arrangement.turned_deg.get(other, 0.0))
        return close_up(arrangement.pose(shreds[shred]), back, faces[other][2], case.options)

    def notes_on_faces(self, case: Case) -> tuple[str, ...]:
        """Say what does not fit of the faces of paper."""
        from core.faces.notes import notes_on_faces

        return notes_on_faces(case.shreds, case.arrangement, case.sheets)

    def paired(self, case: Case, one: str, other: str) -> PairFaces:
        """Find how two shreds lie that are said to be the faces of one paper."""
        from core.faces.pairing import pair_of

        found = pair_of(case.shred_by_id[one], case.shred_by_id[other])
        return PairFaces(one, other, found.half_turn, found.lower_px)

    def put_together(self, case: Case, edit: PairFaces | PartFaces) -> None:
        """Put together what joins cost of paper as an edit pairs it, so that the edit itself takes no time."""
        from core.case.joins import posed_of

        posed_of(replace(case, arrangement=edit.apply(case.arrangement)[0]))

    def thumbnail(self, case: Case, page: int, reduction: int) -> Pixels:
        """Compose a page so much smaller."""
        from core.composition.thumbnail import compose_thumbnail

        return compose_thumbnail(case, page, reduction)

    def paper_widths(self, case: Case) -> dict[str, float]:
        """Measure by how much of the breadth of an intact page each shred makes its page wider."""
        from core.inspection.page_overview import paper_widths

        return paper_widths(case)

    def languages(self) -> tuple[str, ...]:
        """List the languages in which pages can be read; none where Tesseract is not installed."""
        from core.text.tesseract import languages

        return languages()

    def read_pages(
        self, case: Case, pages: Sequence[int], languages: str, progress: Progress
    ) -> Iterator[tuple[int, PageText]]:
        """Read what is written on pages."""
        from core.text.reading import read_pages

        return read_pages(case, pages, languages, progress)

    def compare(self, case: Case) -> JoinTable | None:
        """Compute how sure every possible join is."""
        from core.case.joins import join_table

        return join_table(case)

    def solve_again(self, case: Case, progress: Progress) -> Case:
        """Find the order that keeps to what was said and done by hand."""
        from core.renewal.update import solve_again

        return solve_again(case, lambda: self.encoder(part(progress, 0, 0.05)), progress, memory=self.memory)

    def redo(self, case: Case, options: Options, progress: Progress) -> Case:
        """Do again what depends on other options than the case was made with, but for reading its sheets."""
        from core.renewal.update import redo

        return redo(case, options, lambda: self.encoder(part(progress, 0, 0.05)), progress, self.memory)

    def keep_said(self, before: Case, after: Case, progress: Progress) -> tuple[Case, tuple[str, ...]]:
        """Carry over what was said of a case to one that was read anew; with the shreds of which it could not be."""
        from core.renewal.update import carry_over

        return carry_over(before, after, lambda: self.encoder(part(progress, 0, 0.05)), progress)

    def put_away(self, others: Sequence[Sequence[Shred]], shown: Sequence[Shred]) -> list[tuple[Shred, ...]]:
        """Pack shreds that are not shown at present, as far as there is no room for them."""
        from core.shreds.storage.packed import put_away

        return put_away(others, shown)

    def questions(
        self, case: Case, skipped: Collection[Pair], progress: Progress, about: Pair | None = None
    ) -> tuple[list[Question], Outlook]:
        """List the joins to ask about, one that is asked for first, then the most useful question; and sum them up."""
        from core.inspection.questions import questions_of

        return questions_of(case, skipped, progress, about)

    def close_up(self, case: Case, left: str, right: str, shift_px: int) -> CloseUp:
        """Compose two shreds side by side, turned as the examiner turned them."""
        from core.inspection.pair import close_up

        posed = {shred.id: case.arrangement.pose(shred) for shred in case.shreds if shred.id in (left, right)}
        return close_up(posed[left], posed[right], shift_px, case.options)

    def close_up_below(self, case: Case, above: str, below: str, shift_px: int) -> CloseUp:
        """Compose a piece below another one, with the pieces beside both."""
        from core.inspection.pair import close_up_below

        return close_up_below(case.shred_by_id, case.arrangement, above, below, case.options)

    def seam(self, case: Case, left: str, right: str, shift_px: int, progress: Progress) -> Seam:
        """Compare two borders that would meet, sample by sample."""
        from core.inspection.pair import read_seam

        posed = {shred.id: case.arrangement.pose(shred) for shred in case.shreds}
        with_ink = [shred for shred in posed.values() if shred.compared]
        encoder = self.encoder(part(progress, 0, 0.5))
        return read_seam(posed[left], posed[right], shift_px, with_ink, encoder, case.options, part(progress, 0.5, 1))

    def index_samples(
        self,
        shreds: Sequence[Shred],
        frame: tuple[int, int],
        options: Options,
        previous: SampleIndex | None,
        progress: Progress,
    ) -> SampleIndex:
        """Embed all borders for the sample inspector."""
        from core.inspection.sample_index import index_samples

        encoder = self.encoder(part(progress, 0, 0.1))
        return index_samples(
            shreds, frame, encoder, options.binarization, options.border, previous, part(progress, 0.1, 1)
        )

    def inspect(self, index: SampleIndex, case: Case, sample: Sample, k: int, scope: Scope) -> Inspection:
        """Gather all that is to be seen of a sample."""
        from core.inspection.sample_view import inspect

        return inspect(index, case.arrangement, case.options, sample, k, scope)

    def encoder(self, progress: Progress) -> Encoder:
        """Return the encoder; it is loaded once, and Cancel does not wait for that."""
        from core.parallel import wait_for
        from core.pipeline import LOADING_ENCODER, load_encoder

        with self._lock:
            if self._encoder is None or (self._encoder.done() and self._encoder.exception()):
                loader = ThreadPoolExecutor(1, thread_name_prefix="encoder")
                self._encoder = loader.submit(load_encoder, weights_path())
                loader.shutdown(wait=False)
            loading = self._encoder
        return wait_for(loading, progress, LOADING_ENCODER)

    def reread(self, info: SheetInfo, options: ReadingOptions) -> Sheet:
        """Read a sheet again at full resolution."""
        from core.sheets.reader import reread

        return reread(info, options)

    def find_originals(
        self, case: Case, path: Path | None, folders: Sequence[Path], progress: Progress
    ) -> FoundOriginals:
        """Look for the files of the sheets."""
        from core.case.originals import find_originals

        return find_originals(case, path, folders, progress)

    def unpack(self, case: Case, found: FoundOriginals, folder: Path, progress: Progress) -> FoundOriginals:
        """Write the files that are packed in the case into a folder."""
        from core.case.originals import unpack

        return unpack(case, found, folder, progress)

    def verify(self, path: Path, folders: Sequence[Path], progress: Progress) -> Verification:
        """Check a case file, and repeat its history from the sheets."""
        from core.verification.verify import verify

        return verify(path, weights_path(), folders, progress=progress)

    def export(
        self, path: Path, case: Case, name: str, progress: Progress, rendition: Rendition = "evidence"
    ) -> tuple[Path, ...]:
        """Write the pages; what kind of file, its name says."""
        from core.output.pages import write_pages

        return write_pages(path, case, name=name, rendition=rendition, progress=progress)

    def export_folder(
        self, folder: Path, case: Case, wanted: Export, name: str, progress: Progress
    ) -> tuple[Path, ...]:
        """Write files for other programs; the list of their hashes stands for all of them."""
        from core.options import SUMS
        from core.output.export import write_export

        return (write_export(folder, case, wanted, name=name, progress=progress) / SUMS,)

    def report(self, path: Path, case: Case, progress: Progress, **wanted: Any) -> tuple[Path, ...]:
        """Write the report; what is wanted of it is named as `core.output.report.evidence.write_report` names it."""
        from core.output.report.evidence import write_report

        return write_report(path, case, progress=progress, **wanted)

    def preview(self, pdf: Path, page: int, width_px: int) -> tuple[NDArray[np.uint8], int]:
        """Draw a page of a report that was just written; with the number of all pages."""
        from core.output.report.preview import draw_page

        return draw_page(pdf, page, width_px)

    def save(self, path: Path, case: Case, progress: Progress, pack_sheets: bool | None = None) -> Path:
        """Write a case file; if it is not said, the sheets are packed in it if they were before."""
        from core.case.file import save

        save(case, path, progress, pack_sheets=pack_sheets)
        return path
