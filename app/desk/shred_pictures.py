"""Pictures of the shreds on the desk: drawn on a worker, small ones stretched until then."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QTransform

from app.images import Pyramid, pyramid_from
from app.session.document import Document
from app.session.tasks import Deliver, Jobs, Task
from core.arrangement.arrangement import Arrangement
from core.progress import Progress
from core.shreds.shred import Shred, rgba

if TYPE_CHECKING:
    from core.composition.evidence import Extents  # brings OpenCV along

Look: TypeAlias = tuple[str, bool]
"""A shred, and whether it is upside down."""

Drawn: TypeAlias = "tuple[Pyramid, Extents]"
"""Its picture, and where its paper begins and ends in each row."""


class ShredPictures(QObject):
    """Draws what lies on the desk, and forgets what does not.

    Parameters
    ----------
    document : Document
        Whose shreds they are.
    jobs : Jobs
        Draw them.
    thumbnail : callable
        Returns a small picture of a shred as it was found, or None.
    """

    drawn = Signal()
    """A picture has come."""
    settled = Signal()
    """All that were wanted have come, and with them where shreds touch."""

    def __init__(self, document: Document, jobs: Jobs, thumbnail: Callable[[str], QImage | None]) -> None:
        super().__init__(document)
        self._document, self._jobs, self._thumbnail = document, jobs, thumbnail
        self._kept: dict[Look, Drawn] = {}
        self._wanted: tuple[Look, ...] = ()
        self._task: Task | None = None

    def clear(self) -> None:
        """Forget all of them: the case is another one."""
        if self._task is not None:
            self._task.cancel()
        self._kept, self._wanted, self._task = {}, (), None

    def want(self, shreds: Iterable[str]) -> None:
        """Have these drawn, and forget all others."""
        case = self._document.case
        self._wanted = tuple((shred, shred in case.arrangement.half_turned) for shred in shreds) if case else ()
        self._kept = {look: kept for look, kept in self._kept.items() if look in self._wanted}
        self._draw_next()

    def of(self, shred: str) -> Pyramid:
        """Return the picture of a shred, drawn or small; none where there is neither yet."""
        case = self._document.case
        look = shred, case is not None and shred in case.arrangement.half_turned
        if look in self._kept:
            return self._kept[look][0]
        small = self._thumbnail(shred)
        if small is None:
            return ()
        return (small.transformed(QTransform().rotate(180)) if look[1] else small,)

    def beside_px(self, left: str, right: str, lower_px: float) -> int | None:
        """Return how far right of another a shred lies that touches it; None as long as that is not known."""
        case = self._document.case
        turned = case.arrangement.half_turned if case is not None else ()
        one, other = (self._kept.get((shred, shred in turned)) for shred in (left, right))
        if one is None or other is None:
            return None
        from core.composition.evidence import touching_px

        return touching_px(one[1], other[1], round(lower_px))

    def _draw_next(self) -> None:
        case, missing = self._document.case, [look for look in self._wanted if look not in self._kept]
        if case is None or not missing or self._task is not None:
            return
        shreds, arrangement = [case.shred_by_id[shred] for shred, _ in missing], case.arrangement
        self._task = self._jobs.start(lambda progress, deliver: _draw(shreds, arrangement, progress, deliver))
        self._task.delivered.connect(self._keep)
        self._task.failed.connect(self._give_up)
        self._task.succeeded.connect(self._go_on)

    def _keep(self, drawn: tuple[Look, Drawn]) -> None:
        look, picture = drawn
        if look in self._wanted:
            self._kept[look] = picture
            self.drawn.emit()

    def _give_up(self, error: BaseException) -> None:
        self._task = None
        self._jobs.failed.emit(error)

    def _go_on(self) -> None:
        self._task = None
        self.settled.emit()
        self._draw_next()


def _draw(shreds: Sequence[Shred], arrangement: Arrangement, progress: Progress, deliver: Deliver) -> None:
    """Draw shreds the way up in which they are to be read, clear where there is no paper; on a worker."""
    from core.composition.pose import picture
    from core.shreds.deskew import row_extents

    for number, shred in enumerate(shreds):
        progress(number / len(shreds), shred.id)
        pixels, paper = picture(shred, arrangement.half_turned)
        drawn = pyramid_from(rgba(pixels, paper)), row_extents(paper)
        deliver(((shred.id, shred.id in arrangement.half_turned), drawn))
