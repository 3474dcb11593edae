"""Small pictures of pages: composed on workers for what is in sight first, the latest kept as far as there is room."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter, QPixmap

from app.images import image_from
from app.session.document import Document
from app.session.engine import Engine
from app.session.pictures import PageLook
from app.session.tasks import Deliver, Jobs, Task
from core.case.case import Case
from core.progress import Progress

_KEPT_BYTES = 96 << 20
"""Pictures of 600 pages as large as 54 of them fit a large screen; of larger ones those looked at last."""

_PACKED_PAGES = 1000
"""Of so many pages a picture is kept packed, some 40 KB each: to compose one of packed shreds takes a hundred times."""

_AT_ONCE = 2
_IN_A_TASK = 6
"""A task is a thread: pages are composed a few at a time."""

_REDUCTIONS = (16, 8, 4, 2)
"""A reduced page that is no smaller than what is shown of it, and no larger than need be, takes the least time."""

_PACKED_FROM = 8
"""Pages that are reduced less are too large to be kept."""


class Packed(NamedTuple):
    """A page that was reduced, as JPEG: smaller pictures are made of it."""

    reduction: int
    jpeg: QByteArray


class Thumbnails(QObject):
    """Makes small pictures of pages when they are asked for.

    Parameters
    ----------
    document : Document
        Whose pages they show.
    jobs : Jobs
        Compose them.
    """

    changed = Signal(int)
    """The page of which there is a picture now."""

    def __init__(self, document: Document, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._jobs = document, jobs
        self._side_px = 0
        self._kept: OrderedDict[PageLook, tuple[int, QPixmap]] = OrderedDict()
        self._kept_bytes = 0
        self._packed: OrderedDict[PageLook, Packed] = OrderedDict()
        self._looks: dict[int, PageLook] = {}
        self._pages: dict[PageLook, int] = {}
        """As `_looks`, from the other side: no two pages hold the same shreds."""
        self._waiting: deque[int] = deque()
        self._making: set[PageLook] = set()
        self._failed: set[PageLook] = set()
        """They are not tried again, so that a failure is told once."""
        self._tasks: set[Task] = set()
        document.replaced.connect(self._forget)
        document.arrangement_changed.connect(self._look_anew)

    def _look_anew(self) -> None:
        for each in (self._looks, self._pages, self._waiting):
            each.clear()

    def _forget(self) -> None:
        self._waiting.clear()  # the end of a task begins the next one
        for task in list(self._tasks):
            task.cancel()
        for each in (self._kept, self._packed, self._looks, self._pages, self._making, self._failed):
            each.clear()
        self._kept_bytes = 0

    def picture(self, page: int) -> QPixmap | None:
        """Return the picture of a page as it is now, perhaps of another size than is wanted; None if there is none."""
        found = self._kept.get(self._look(page))
        return None if found is None else found[1]

    def want(self, pages: Sequence[int], side_px: int) -> None:
        """Have the pictures made of pages, in this order, so that they fit a square; what was wanted before is not."""
        self._side_px = side_px
        self._waiting = deque(pages)
        self._make_next()

    def _is_missing(self, page: int) -> bool:
        look = self._look(page)
        if look in self._kept:
            self._kept.move_to_end(look)
        return look not in self._making | self._failed and self._kept.get(look, (0, None))[0] != self._side_px

    def _look(self, page: int) -> PageLook:
        if page not in self._looks:
            assert self._document.case is not None
            look = PageLook.of(self._document.case, page).draft
            self._looks[page], self._pages[look] = look, page
        return self._looks[page]

    def _make_next(self) -> None:
        while self._waiting and len(self._tasks) < _AT_ONCE:
            missing: list[int] = []
            while self._waiting and len(missing) < _IN_A_TASK:
                page = self._waiting.popleft()
                if self._is_missing(page):
                    missing.append(page)
            if missing:
                self._begin({page: self._look(page) for page in missing}, self._side_px)

    def _begin(self, looks: dict[int, PageLook], side_px: int) -> None:
        case, engine = self._document.case, self._jobs.engine
        assert case is not None
        packed = {look: self._packed.get(look) for look in looks.values()}

        def work(progress: Progress, deliver: Deliver) -> None:
            for page, look in looks.items():
                image, made = _drawn(engine, case, page, side_px, packed[look])
                deliver((look, side_px, image, made))

        self._making |= set(looks.values())
        task = self._jobs.start(work)
        self._tasks.add(task)
        task.delivered.connect(lambda made: self._keep(*made))
        task.failed.connect(lambda _: self._failed.update(looks.values()))
        task.failed.connect(self._jobs.failed)
        task.at_outcome(lambda *_: self._end(task, looks.values()))

    def _keep(self, look: PageLook, side_px: int, image: QImage, made: Packed | None) -> None:
        if made is not None:
            self._packed[look] = made
            while len(self._packed) > _PACKED_PAGES:
                self._packed.popitem(last=False)
        _, before = self._kept.pop(look, (0, None))
        self._kept_bytes += _n_bytes(image) - (0 if before is None else _n_bytes(before))
        self._kept[look] = side_px, QPixmap.fromImage(image)
        self._making.discard(look)
        while self._kept_bytes > _KEPT_BYTES:
            _, (_, gone) = self._kept.popitem(last=False)
            self._kept_bytes -= _n_bytes(gone)
        if (page := self._pages.get(look)) is not None:  # edits give pages other numbers
            self.changed.emit(page)

    def _end(self, task: Task, looks: object) -> None:
        self._tasks.discard(task)
        self._making.difference_update(looks)  # type: ignore[arg-type]
        self._make_next()


def _reduction(case: Case, page: int, side_px: int) -> int:
    """Choose how much smaller a page is composed: not smaller than it is shown."""
    long_px = max(case.shred_by_id[shred].height_px for shred in case.arrangement.pages[page])
    return next((factor for factor in _REDUCTIONS if long_px >= factor * side_px), _REDUCTIONS[-1])


def _drawn(engine: Engine, case: Case, page: int, side_px: int, packed: Packed | None) -> tuple[QImage, Packed | None]:
    """Draw a page as it was packed, or compose it; runs on a worker. Returns what is to be kept packed, too."""
    reduction = _reduction(case, page, side_px)
    if packed is not None and packed.reduction <= reduction:
        return _fitting(QImage.fromData(packed.jpeg), side_px), None
    image = image_from(engine.thumbnail(case, page, reduction))
    return _fitting(image, side_px), Packed(reduction, _jpeg(image)) if reduction >= _PACKED_FROM else None


def _jpeg(image: QImage) -> QByteArray:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(b"jpg"))
    writer.setQuality(90)
    writer.write(image)
    return data


def _fitting(image: QImage, side_px: int) -> QImage:
    """Scale a picture to a square, and outline it; runs on a worker."""
    size = image.size().scaled(QSize(side_px, side_px), Qt.AspectRatioMode.KeepAspectRatio)
    fitting = image.scaled(size, mode=Qt.TransformationMode.SmoothTransformation)
    with QPainter(fitting) as painter:
        painter.setPen(QColor(0, 0, 0, 60))
        painter.drawRect(fitting.rect().adjusted(0, 0, -1, -1))
    return fitting


def _n_bytes(picture: QImage | QPixmap) -> int:
    return picture.width() * picture.height() * picture.depth() // 8
