"""Large pictures, composed pages and sheets at full resolution: made on a worker, the latest few kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QPolygonF, QTransform

from app.images import Pyramid, pyramid_from
from app.session.document import Document
from app.session.originals import Originals
from app.session.tasks import Jobs, Task
from core.arrangement.grid import place_of_row, rows_beside
from core.case.case import Case
from core.options import CompositionOptions, Options
from core.sheets.sheet import Sheet

if TYPE_CHECKING:
    from core.arrangement.arrangement import GridPlace
    from core.arrays import Doubles
    from core.composition.page_image import PageImage, Rendition  # brings OpenCV along
    from core.composition.pose import Pose
    from core.matching.costs import Costs

_KEPT = 6
"""Three pages in both renditions. A page of A4 with its coarser copies takes some 45 MB."""

_AT_ONCE = 2
"""While shreds are nudged, pages are asked for faster than they can be composed."""


@dataclass(frozen=True)
class PageLook:
    """All that the picture of a page depends on; `page` is its number at the time."""

    page: int = field(compare=False)
    shreds: tuple[str, ...]
    offsets_px: tuple[int, ...]
    turns: tuple[tuple[bool, float], ...]
    compared: tuple[Costs | None, frozenset[str]]
    """The costs, by which a nudge is told from what was found, and which shreds of the page they say nothing of."""
    composition: CompositionOptions
    rendition: Rendition = "evidence"
    quarter_turns: int = 0
    slope_deg: float = 0.0
    rows: tuple[GridPlace, ...] = ()
    """Where the rows stand of a page of cross-cut paper that is shown as a whole."""

    @classmethod
    def of(cls, case: Case, page: int, rendition: Rendition = "evidence") -> PageLook:
        """Look up a page of a case."""
        arrangement, shreds = case.arrangement, case.arrangement.pages[page]
        offsets, turns = tuple(arrangement.offsets_px(page).values()), tuple(map(arrangement.turn_of, shreds))
        compared, composition = (case.costs, case.turned_since.intersection(shreds)), case.options.composition
        slope_deg = arrangement.page_mark("page_slopes", page) or 0.0
        turned = case.quarter_turns(page), slope_deg
        return cls(page, shreds, offsets, turns, compared, composition, rendition, *turned)

    @classmethod
    def whole(cls, case: Case, page: int, rendition: Rendition = "evidence") -> PageLook:
        """Look up the whole page on which a row of pieces stands, the same for each row; of strips, the page."""
        rows = [cls.of(case, row, rendition) for row in rows_beside(case.arrangement, page)]
        if len(rows) == 1:
            return rows[0]
        return replace(
            rows[0],
            shreds=tuple(chain.from_iterable(row.shreds for row in rows)),
            offsets_px=tuple(chain.from_iterable(row.offsets_px for row in rows)),
            turns=tuple(chain.from_iterable(row.turns for row in rows)),
            compared=(case.costs, frozenset().union(*(row.compared[1] for row in rows))),
            rows=tuple(place_of_row(case.arrangement, row.page) for row in rows),
        )

    @property
    def draft(self) -> PageLook:
        """The same page as it is composed in a moment: edge to edge, levelled by hand alone."""
        return replace(self, composition=replace(self.composition, level=False), rendition="evidence")


Key: TypeAlias = tuple[Literal["page"], PageLook] | tuple[Literal["sheet"], int]


@dataclass(frozen=True, eq=False)
class Picture:
    """What a view shows.

    Attributes
    ----------
    levels : tuple of QImage
        From the full resolution down.
    size_px : tuple of int
        Width and height at full resolution.
    places : dict of str to QRectF
        Where on a page each shred lies, from left to right; empty for a sheet.
    outlines : dict of str to QPolygonF
        The corners of each shred's own picture on the page, clockwise from its top left one, turned as it is turned.
    maps : dict of str to QTransform
        From each shred's own picture to the page.
    poses : dict of str to Pose
        At which the shreds were laid.
    look : PageLook or None
        Which page it is; None for a sheet.
    around : dict of str to QRectF
        Where the shreds of its other rows lie, of a page of cross-cut paper of which `places` are one row.
    """

    levels: Pyramid
    size_px: tuple[int, int]
    places: dict[str, QRectF] = field(default_factory=dict)
    outlines: dict[str, QPolygonF] = field(default_factory=dict)
    maps: dict[str, QTransform] = field(default_factory=dict)
    poses: Mapping[str, Pose] = field(default_factory=dict)
    look: PageLook | None = None
    around: dict[str, QRectF] = field(default_factory=dict)

    @property
    def row(self) -> QRectF | None:
        """Where the row lies on the page; None where there is no other."""
        corners = [corner for of in self.places.values() for corner in (of.topLeft(), of.bottomRight())]
        return QPolygonF(corners).boundingRect() if self.around else None


class Pictures(QObject):
    """Makes pictures when they are asked for.

    Parameters
    ----------
    document : Document
        What they show.
    jobs : Jobs
        Make them.
    originals : Originals
        Know where else sheets may lie.
    """

    ready = Signal(object)
    """The key of a picture that `get` now returns."""
    failed = Signal(object)
    """The exception that kept a picture from being made."""

    def __init__(self, document: Document, jobs: Jobs, originals: Originals) -> None:
        super().__init__(document)
        self._document, self._jobs, self._originals = document, jobs, originals
        self._kept: OrderedDict[Key, Picture] = OrderedDict()
        self._making: dict[Key, Task] = {}
        self._failed: set[Key] = set()
        self._waiting: dict[Key, Callable[[], Picture]] = {}
        self._shown: Picture | None = None
        document.replaced.connect(self.clear)
        # Of the pictures that were asked for and not begun, none is made.
        document.arrangement_changed.connect(lambda: self._waiting.clear())

    def clear(self) -> None:
        """Forget all pictures, also those being made: the case is another one."""
        for task in list(self._making.values()):
            task.cancel()
        for pictures in (self._making, self._waiting, self._kept, self._failed):
            pictures.clear()
        self._shown = None

    def page(self, number: int) -> Picture | None:
        """Return the picture of a page as it is now, if it has been composed; otherwise `ready` tells when it is."""
        look = self._look(number)
        picture = None if look is None else self._of_row(self.get(("page", look)), number)
        if picture is not None and number == self._document.page:
            self._shown = picture
        return picture

    def draft(self, number: int) -> Picture | None:
        """Return a draft of a page, or the page itself if it is there; the draft is dropped once that is."""
        look = self._look(number)
        if look is None:
            return None
        return self._of_row(self.get(("page", look if ("page", look) in self._kept else look.draft)), number)

    def _of_row(self, picture: Picture | None, number: int) -> Picture | None:
        """Return the picture of a whole page with one of its rows told from the others."""
        if picture is None or self._document.case is None or picture.look is None or not picture.look.rows:
            return picture
        row, places = self._document.case.arrangement.pages[number], picture.places
        here = {shred: places[shred] for shred in row}
        return replace(picture, places=here, around={one: at for one, at in places.items() if one not in here})

    def _look(self, number: int) -> PageLook | None:
        case, document = self._document.case, self._document
        if case is None or not 0 <= number < document.n_pages:
            return None
        return PageLook.whole(case, number, document.rendition)

    def pose(self, shred_id: str) -> Pose | None:
        """Return where on the page that is shown a shred lies, as it was composed last, if it was levelled."""
        case, page = self._document.case, self._document.page
        self.page(page)
        if case is None or self._shown is None or case.arrangement.page_of(shred_id) != page:
            return None
        pose = self._shown.poses.get(shred_id)
        return pose if pose is not None and isfinite(pose.angle_error_deg) else None

    def get(self, key: Key) -> Picture | None:
        """Return a picture if it is there; otherwise have it made, and `ready` tells when it is.

        One that could not be made is not tried again, so that its failure is told once.
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._making and key not in self._failed:
            self._waiting.pop(key, None)
            self._waiting[key] = self._prepare(key)
            self._make_next()
        return None

    def _make_next(self) -> None:
        """Begin with what was asked for last."""
        while self._waiting and len(self._making) < _AT_ONCE:
            self._begin(*self._waiting.popitem())

    def _begin(self, key: Key, make: Callable[[], Picture]) -> None:
        task = self._jobs.start(lambda progress, deliver: make())
        self._making[key] = task
        task.succeeded.connect(lambda picture: self._keep(key, picture))
        task.failed.connect(lambda error: self._give_up(key, error))

    def _keep(self, key: Key, picture: Picture) -> None:
        del self._making[key]
        self._kept[key] = picture
        if key[0] == "page" and key[1].draft.composition != key[1].composition:
            self._kept.pop(("page", key[1].draft), None)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        self._make_next()
        self.ready.emit(key)

    def _give_up(self, key: Key, error: BaseException) -> None:
        del self._making[key]
        self._failed.add(key)
        self._make_next()
        self.failed.emit(error)

    def try_again(self) -> None:
        """Have the pictures made that could not be made before."""
        failed, self._failed = self._failed, set()
        for key in failed:
            self.get(key)

    def _prepare(self, key: Key) -> Callable[[], Picture]:
        """Return what composes a page or reads a sheet again; it runs on a worker and sees only what is open now."""
        opened, engine = self._document.opened, self._jobs.engine
        if key[0] == "page":
            look = key[1]
            assert opened.case is not None
            shown = replace(opened.case, options=replace(opened.case.options, composition=look.composition))

            def compose() -> Picture:
                from core.composition.rows import whole_of

                return page_picture(engine.compose(*whole_of(shown, look.page), look.rendition), shown, look)

            return compose
        index = key[1]
        options = (opened.case.options if opened.case else Options()).reading
        case, path, folders = opened.case, self._document.read_from, self._originals.folders

        def reread() -> Picture:
            if case is None:
                return sheet_picture(engine.reread(opened.sheets[index], options))
            from core.case.originals import at_hand

            with at_hand(case, case.sheets[index], path, folders) as sheet:
                return sheet_picture(engine.reread(sheet, options))

        return reread


def page_picture(page: PageImage, case: Case, look: PageLook) -> Picture:
    """Build the picture of a composed page; on a worker."""
    height, width, _ = page.pixels.shape
    places = {shred_id: QRectF(*place) for shred_id, place in page.placements.items()}
    maps = {shred_id: transform_from(matrix) for shred_id, matrix in page.maps.items()}
    sizes = {shred_id: case.shred_by_id[shred_id].mask.shape for shred_id in maps}
    outlines = {name: maps[name].map(QPolygonF(QRectF(0, 0, wide, high))) for name, (high, wide) in sizes.items()}
    return Picture(pyramid_from(page.pixels), (width, height), places, outlines, maps, page.poses, look)


def transform_from(matrix: Doubles) -> QTransform:
    """Return as Qt has it a map of shape (2, 3) or (3, 3), which takes (x, y, 1)."""
    (a, b, x), (c, d, y) = matrix[:2].tolist()
    return QTransform(a, c, b, d, x, y)


def sheet_picture(sheet: Sheet) -> Picture:
    """Build the picture of a sheet; on a worker."""
    return Picture(pyramid_from(sheet.pixels), sheet.info.size_px)
