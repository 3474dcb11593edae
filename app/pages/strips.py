"""Small pictures of the shreds for the order and all that is carried: of thousands those are drawn that are seen."""

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.images import strips
from app.session.document import Document
from app.session.tasks import Jobs, Task

_AHEAD = 3000
"""Up to so many are drawn before anybody scrolls to them: 60 MB."""

_KEPT = 6000
_AT_ONCE = 50
_ASKED_FOR = 500
"""Who scrolls far leaves behind more than anybody will see: of those asked for, so many are remembered."""


class Cell(NamedTuple):
    """A shred as it is drawn, with the joins to its left and below; `x` is in the coordinates of the whole strip."""

    shred: str
    page: int
    position: int
    x: int
    half_turned: bool
    pinned: bool
    noted: bool
    by_hand: bool
    join_sign: str
    below_sign: str
    join_noted: bool


class StripPictures(QObject):
    """Draws shreds on a worker, those last that were asked for first.

    Parameters
    ----------
    document : Document
        Whose shreds they are.
    jobs : Jobs
        Draw them.
    """

    drawn = Signal()
    """Some have come."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._jobs = document, jobs
        self._kept: dict[str, QImage] = {}
        self._wanted: dict[str, None] = {}
        self._task: Task | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def begin(self) -> None:
        """Draw those of another case: few of them all at once, of many those that are asked for."""
        if self._task is not None:
            self._task.cancel()
        self._kept, self._wanted, self._task = {}, {}, None
        case = self._document.case
        if case is not None and len(case.shreds) <= _AHEAD:
            self._wanted = dict.fromkeys(shred.id for shred in reversed(case.shreds))
            self._draw_next()

    def get(self, shred: str) -> QImage | None:
        """Return a picture if it is there; otherwise it is drawn, and `drawn` tells when it is."""
        picture = self._kept.get(shred)
        case = self._document.case
        if picture is None and case is not None and shred in case.shred_by_id:
            self._wanted.pop(shred, None)
            self._wanted[shred] = None
            if len(case.shreds) > _AHEAD and len(self._wanted) > _ASKED_FOR:
                del self._wanted[next(iter(self._wanted))]
            self._draw_next()
        return picture

    def _draw_next(self) -> None:
        case = self._document.case
        if self._task is not None or case is None or not self._wanted:
            return
        names = [self._wanted.popitem()[0] for _ in range(min(_AT_ONCE, len(self._wanted)))]
        shreds = [case.shred_by_id[name] for name in names if name in case.shred_by_id]
        self._task = self._jobs.start(lambda progress, deliver: strips(shreds, progress, deliver))
        self._task.delivered.connect(self._keep)
        self._task.succeeded.connect(lambda _: self._go_on())
        self._task.failed.connect(self._jobs.failed)

    def _keep(self, made: dict[str, QImage]) -> None:
        self._kept |= made
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        self.drawn.emit()

    def _go_on(self) -> None:
        self._task = None
        self._draw_next()
