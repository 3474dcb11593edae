"""A page is edited on its canvas: choosing, dragging, and shreds that float until the page is composed anew."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QImage, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsPixmapItem

from app.pages.dragging import ShredDrag
from app.pages.page_canvas import PageCanvas
from app.pages.pointer import ShredPointer, extended
from app.pages.shred_operations import ShredOperations
from app.session.document import Document
from app.session.pictures import PageLook
from core.arrangement.arrangement import Arrangement
from core.shreds.shred import Shred, rgba


class PageEditor(QObject):
    """Lets a page be edited on its canvas.

    Parameters
    ----------
    canvas : PageCanvas
        Where the page is shown.
    document : Document
        Whose page it is.
    operations : ShredOperations
        What can be done with chosen shreds.
    drag : ShredDrag
        Carries shreds between the views.
    """

    def __init__(self, canvas: PageCanvas, document: Document, operations: ShredOperations, drag: ShredDrag) -> None:
        super().__init__(canvas)
        self._canvas, self._document = canvas, document
        self._look: PageLook | None = None
        canvas.pointer = ShredPointer(
            canvas.viewport(), document, drag, lambda at: canvas.shred_at(canvas.mapToScene(at)), canvas.shreds_in
        )
        canvas.may_drop = self._may_drop
        drag.add_target(canvas)
        canvas.nudged.connect(operations.nudge)
        canvas.escaped.connect(operations.drop_cut)
        canvas.extended_to.connect(self._extend)
        operations.cut_changed.connect(lambda: canvas.show_cut(operations.cut))
        document.selection_changed.connect(self._follow)
        document.arrangement_changed.connect(self._float)

    def shown(self) -> None:
        """Note that the page is shown as it is now."""
        case, page = self._document.case, self._document.page
        self._look = PageLook.of(case, page) if case is not None and page < self._document.n_pages else None
        self._canvas.page = page
        self._mark()

    def _may_drop(self) -> bool:
        """Return whether the canvas shows the page that it is meant to show; for a moment it may be the one before."""
        case, page = self._document.case, self._document.page
        if case is None or not self._canvas.places:
            return False
        return tuple(self._canvas.places) == case.arrangement.pages[page]

    def _follow(self) -> None:
        """Mark what is chosen; where that stands in another row of the page that is seen, work on that row."""
        self._mark()
        if self._canvas.picture is not None and self._document.selection.shred in self._canvas.picture.around:
            self._document.show_shred(self._document.selection.shred)

    def _mark(self) -> None:
        self._canvas.choose(self._document.selection.shred, self._document.selection.shreds)

    def _extend(self, to: str) -> None:
        document = self._document
        current = document.selection.shred
        document.select_shreds(extended(document.order(), current, to), current)

    def _float(self) -> None:
        """Show shreds that have been nudged or turned where they will lie, until the page has been composed anew."""
        document, before = self._document, self._look
        if document.case is None or before is None or document.page >= document.n_pages:
            return
        now = PageLook.of(document.case, document.page)
        if now.shreds == before.shreds and set(now.shreds) == set(self._canvas.places):
            self._canvas.lift(self._moved(before, now))

    def _moved(self, before: PageLook, now: PageLook) -> Iterator[QGraphicsPixmapItem]:
        """Picture the shreds that lie otherwise than before; the first one moves when all others do."""
        assert self._document.case is not None
        steps = [new - old for old, new in zip(before.offsets_px, now.offsets_px, strict=True)]
        usual = max(set(steps), key=steps.count)
        for shred_id, step, old_turn, new_turn in zip(now.shreds, steps, before.turns, now.turns, strict=True):
            found = self._document.shred(shred_id)
            if found is not None and (step != usual or old_turn != new_turn):
                item = QGraphicsPixmapItem(_pixmap(found, self._document.case.arrangement))
                item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
                x, y = self._canvas.places[shred_id].center().toTuple()
                by = self._canvas.down * (step - usual)
                moved = (
                    QTransform().translate(x + by.x(), y + by.y()).rotate(old_turn[1] - new_turn[1]).translate(-x, -y)
                )
                item.setTransform(self._canvas.maps[shred_id] * moved)
                yield item


def _pixmap(shred: Shred, arrangement: Arrangement) -> QPixmap:
    """Draw a shred the way up in which it is to be read, clear where there is no paper."""
    from core.composition.pose import picture

    drawn = rgba(*picture(shred, arrangement.half_turned))
    height, width, _ = drawn.shape
    return QPixmap.fromImage(QImage(drawn.data, width, height, 4 * width, QImage.Format.Format_RGBA8888))
