"""Which sample is inspected, and what is found about it: embeddings and answers come from workers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from app.session.document import Document
from app.session.tasks import Deliver, Jobs, Task
from app.widgets.plots import pyqtgraph
from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import as_they_stand
from core.progress import Progress
from core.shreds.shred import Shred

if TYPE_CHECKING:
    from core.inspection.neighbours import Scope
    from core.inspection.sample_index import SampleIndex
    from core.inspection.sample_view import Inspection, Poses, SampleLook
    from core.inspection.samples import Sample


class Inspector(QObject):
    """Follows the open case; embeds its samples once somebody wants to see them.

    Parameters
    ----------
    document : Document
        Whose case is inspected.
    jobs : Jobs
        Embed its samples.
    """

    changed = Signal()
    """Another sample is inspected, or none."""
    answered = Signal(object)
    """An Inspection."""
    waiting = Signal(bool)
    """Whether embeddings are being computed."""
    progressed = Signal(float, str)

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._jobs = document, jobs
        self.index: SampleIndex | None = None
        """The embeddings, once there are some."""
        self._indexing: Task | None = None
        self._asking: Task | None = None
        self._poses: Poses | None = None
        self._framed: tuple[tuple[Shred, ...], tuple[int, int]] | None = None
        self.on = False
        self.sample: Sample | None = None
        self.k = 3
        self.scope: Scope = "all"
        document.case_changed.connect(self._begin)
        document.arrangement_changed.connect(self._follow)

    @property
    def ready(self) -> bool:
        """Whether the samples of the case, as it is now, have been embedded."""
        case, index = self._document.case, self.index
        if case is None or index is None:
            return False
        return index.holds(self._posed(), case.options.binarization, case.options.border)

    @property
    def frame(self) -> tuple[int, int]:
        """The rows in which samples are counted; see `core.inspection.samples.sample_frame`."""
        from core.inspection.samples import sample_frame

        case = self._document.case
        if case is None:
            return 0, 0
        if self._framed is None or self._framed[0] is not case.shreds:
            self._framed = case.shreds, sample_frame(case.shreds)  # asked for at every click
        return self._framed[1]

    def shred(self, shred_id: str) -> Shred | None:
        """Find a shred that is not blank, as it stands; one that is not seen, as it does when it is turned over."""
        standing, shred = self._standing, self._document.shred(shred_id)
        return standing.pose(shred) if standing and shred and shred.compared else None

    @property
    def _standing(self) -> Arrangement | None:
        """How all faces stand."""
        return as_they_stand(self._document.case.arrangement) if self._document.case else None

    def set_on(self, on: bool) -> None:
        """Set whether anybody looks; without that nothing is computed."""
        self.on = on
        if on:
            self._follow()

    def set_search(self, k: int, scope: Scope) -> None:
        """Set how many neighbours to find, and where."""
        self.k, self.scope = k, scope
        self._ask()

    def choose_at(self, shred_id: str, column: float, row: float) -> None:
        """Inspect the sample around a place on a shred, in its upright pixels; of a blank one there is none."""
        from core.inspection.samples import sample_at

        shred = self.shred(shred_id)
        self.choose(sample_at(shred, column, row, self.frame) if shred else None)

    def choose_on_sheet(self, shred_id: str, x: float, y: float) -> None:
        """Inspect the sample around a place on a sheet, in pixels at 300 dpi."""
        matrix = self._from_sheet(shred_id)
        if matrix is not None:
            column, row, _ = matrix @ (x, y, 1.0)
            self.choose_at(shred_id, column, row)

    def box_on_shred(self, sample: Sample) -> tuple[int, int, int, int] | None:
        """Return x, y, width and height of a sample on its shred, in its upright pixels."""
        from core.inspection.samples import sample_box

        shred = self.shred(sample.shred)
        return sample_box(shred, sample, self.frame) if shred else None

    def box_on_sheet(self, sample: Sample) -> list[tuple[float, float]] | None:
        """Return the four corners of a sample on the sheet it was found on."""
        from core.inspection.samples import corners_on_sheet

        box, matrix = self.box_on_shred(sample), self._from_sheet(sample.shred)
        return corners_on_sheet(box, matrix) if box is not None and matrix is not None else None

    def _from_sheet(self, shred_id: str) -> NDArray[np.float64] | None:
        from core.inspection.samples import sheet_to_shred

        standing, shred = self._standing, self._document.shred(shred_id)
        if standing is None or shred is None:
            return None
        half_turn, by_deg = standing.turn_of(shred_id)
        return sheet_to_shred(shred, half_turn=half_turn, by_deg=by_deg)

    def turn(self, shred_id: str) -> NDArray[np.float64]:
        """Return the map from a shred's pixels as they were found to those turned as the examiner turned it."""
        from core.inspection.samples import turn_matrix

        case, found, posed = self._document.case, self._document.shred(shred_id), self.shred(shred_id)
        if case is None or found is None or posed is None:
            return np.eye(3)
        return turn_matrix(found, posed, case.arrangement.turn_of(shred_id)[1])

    def step(self, rows: int) -> None:
        """Inspect the sample so many rows farther down."""
        if self.sample is not None:
            self.choose(replace(self.sample, row=max(0, self.sample.row + rows)))

    def cross(self) -> None:
        """Inspect the other border of the same shred, at the same height."""
        if self.sample is not None:
            self.choose(replace(self.sample, side="left" if self.sample.side == "right" else "right"))

    def look_at(self, sample: Sample) -> SampleLook | None:
        """Read how a sample looks; of a shred that is not there, or blank, there is none."""
        from core.inspection.sample_view import look_at

        case, shred = self._document.case, self.shred(sample.shred)
        return look_at(shred, sample, self.frame, case.options) if case and shred else None

    def choose(self, sample: Sample | None) -> None:
        """Inspect a sample, or none."""
        if sample != self.sample:
            self.sample = sample
            self.changed.emit()
            self._ask()

    def _posed(self) -> tuple[Shred, ...]:
        """Return the case's shreds as they are turned now; what has not been turned since is the same object."""
        from core.inspection.sample_view import Poses

        case = self._document.case
        if case is None:
            return ()
        self._poses = self._poses or Poses()
        return self._poses.of(case.shreds, case.arrangement)

    def _begin(self) -> None:
        """Forget what was known: another case is open."""
        for task in (self._indexing, self._asking):
            if task is not None:
                task.cancel()
        self.index = self._indexing = self._asking = self._poses = self._framed = None
        self.waiting.emit(False)
        self.choose(None)
        self._follow()

    def _follow(self) -> None:
        """Embed what has not been embedded, or has been turned since; then answer anew."""
        case = self._document.case
        if not self.on or case is None or self._indexing is not None:
            return
        if self.ready:
            self._ask()
            return
        engine, shreds, frame, before = self._jobs.engine, self._posed(), self.frame, self.index

        def work(progress: Progress, deliver: Deliver) -> SampleIndex:
            pyqtgraph()  # for the map, so that the window does not wait for the import
            return engine.index_samples(shreds, frame, case.options, before, progress)

        self._indexing = task = self._jobs.start(work)
        task.progressed.connect(self.progressed)
        task.succeeded.connect(self._keep)
        task.failed.connect(self._give_up)
        self.waiting.emit(True)

    def _keep(self, index: SampleIndex) -> None:
        self.index, self._indexing = index, None
        self.waiting.emit(False)
        self._follow()

    def _give_up(self, error: BaseException) -> None:
        self._indexing = None
        self.waiting.emit(False)
        self._jobs.failed.emit(error)

    def _ask(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        case, index, sample = self._document.case, self.index, self.sample
        if case is None or index is None or sample is None or not self.ready:
            return
        engine, k, scope = self._jobs.engine, self.k, self.scope
        self._asking = self._jobs.start(lambda progress, deliver: engine.inspect(index, case, sample, k, scope))
        self._asking.succeeded.connect(self._answer)
        self._asking.failed.connect(self._jobs.failed)

    def _answer(self, inspection: Inspection) -> None:
        self._asking = None
        self.answered.emit(inspection)
