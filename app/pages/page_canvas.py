"""The page itself, with marks of what is chosen, cut, dragged and about to move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsLineItem,
    QGraphicsPixmapItem,
    QGraphicsPolygonItem,
    QWidget,
)

from app import theme
from app.pages.dragging import OtherRows
from app.pages.pointer import ShredPointer
from app.pages.shred_operations import Place
from app.session.pictures import Picture
from app.widgets.image_view import ImageView
from app.widgets.note_marks import frames, size_of, word_marks
from core.arrangement.noted import over, place_key

if TYPE_CHECKING:
    from core.composition.page_image import Rendition  # brings OpenCV along

_READING_TINT = QColor(255, 247, 226)
"""The paper of a reading page on the screen, in either theme: nobody takes it for evidence, at whatever scale."""

_DOWN = QPointF(0, 1), QPointF(1, 0), QPointF(0, -1), QPointF(-1, 0)
"""What was down on a page before it was turned by 0 to 3 quarters."""

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_LEVELS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class PageCanvas(ImageView):
    """The page with the chosen shreds marked; `pointer` follows the mouse once it has been set."""

    shred_chosen = Signal(str)
    extended_to = Signal(str)
    """The choice is to reach from the current shred to this one."""
    climbed = Signal(int)
    """The shred above the current one (-1), or below it (1), is to be chosen."""
    nudged = Signal(int)
    """The chosen shreds are to move down by so many pixels."""
    menu_wanted = Signal(QPoint)
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.places: dict[str, QRectF] = {}
        self.outlines: dict[str, QPolygonF] = {}
        self.maps: dict[str, QTransform] = {}
        self.picture: Picture | None = None
        self._axes: dict[str, tuple[QTransform, float]] = {}
        """From the page to each shred's own picture, and where in that its long axis lies."""
        self.rendition: Rendition = "evidence"
        self.down = _DOWN[0]
        """Where shreds move on the page that move down, by a pixel."""
        self.chosen = ""
        self.pointer: ShredPointer | None = None
        self.may_drop: Callable[[], bool] = lambda: False
        self.other_rows: OtherRows | None = None
        self.page = 0
        self._all_chosen: tuple[str, ...] = ()
        self._cut: tuple[str, ...] = ()
        self._carried: tuple[str, ...] = ()
        self._nudged_from: QPointF | None = None
        self.marks: list[QGraphicsItem] = []
        """Frames around the shreds that are chosen or cut."""
        self.floats: list[QGraphicsItem] = []
        """Shreds that float above the page."""
        self.new_joins: list[QGraphicsItem] = []
        """Lines along the joins that are new."""
        self.found: list[QGraphicsItem] = []
        """Marks on words that were looked for."""
        self.noted: list[QGraphicsItem] = []
        """Frames around places that there are notes about."""
        self._seam, self.drop = QGraphicsLineItem(), QGraphicsLineItem()
        for item in (self._seam, self.drop):
            item.setVisible(False)
            self.scene().addItem(item)
        self.drop.setZValue(2)
        self.setDragMode(ImageView.DragMode.NoDrag)
        self.setAccessibleName(self.tr("Reconstructed page"))
        keys = self.tr("Left and Right choose a shred, with Shift several; Space with the mouse moves the page.")
        self.setAccessibleDescription(keys)

    def set_page(self, picture: Picture, *, edited: bool = False) -> None:
        """Show a page; if it is the same one, composed anew, what is in the middle of the view stays there."""
        moved = self._moved(picture.maps) if edited else QPointF()
        self.places, self.outlines, self.maps = picture.places, picture.outlines, picture.maps
        inverse = {shred: to_page.inverted()[0] for shred, to_page in self.maps.items()}
        everywhere = picture.places | picture.around
        self._axes = {shred: (inverse[shred], inverse[shred].map(of.center()).x()) for shred, of in everywhere.items()}
        self.rendition = picture.look.rendition if picture.look is not None else "evidence"
        self.down = _DOWN[picture.look.quarter_turns if picture.look is not None else 0]
        self.image_item.tint = _READING_TINT if self.rendition == "reading" else None
        other_row = self.picture is not None and picture.levels is self.picture.levels and not edited
        self.picture = picture
        self.set_images(picture.levels, *picture.size_px, keep_view=edited or other_row)
        if not moved.isNull() and not self._fitted:
            scale = self.transform().m11()
            self._move_by(round(moved.x() * scale), round(moved.y() * scale))
        self.lift(())
        self._mark()
        self.show_seam(None)
        self.spotlight = picture.row
        if other_row and not self._fitted:
            self.show_place(self.area)

    @property
    def area(self) -> QRectF:
        """The page, of cross-cut paper the row within it."""
        return self.spotlight or self.image_item.boundingRect()

    def forget_page(self) -> None:
        """Take what is shown for no page of which anything is known."""
        self.picture = self.spotlight = None
        self.places, self.outlines, self.maps, self._axes = {}, {}, {}, {}

    def _moved(self, maps: dict[str, QTransform]) -> QPointF:
        """Return how far what is in the middle of the view has come, by a shred there that was not edited itself."""
        middle = self.mapToScene(self.viewport().rect().center())
        common = [shred for shred in self.maps if shred in maps]
        calm = [shred for shred in common if shred not in self._all_chosen] or common
        nearest = min(calm, key=lambda shred: abs(self._right_of_middle(shred, middle)), default=None)
        return QPointF() if nearest is None else maps[nearest].map(self._axes[nearest][0].map(middle)) - middle

    def _right_of_middle(self, shred: str, point: QPointF) -> float:
        """Return how far a place on the page lies to the right of a shred's long axis, in pixels."""
        on_shred, axis_x = self._axes[shred]
        return on_shred.map(point).x() - axis_x

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawBackground(painter, rect)
        page = self.image_item.boundingRect()
        if self.rendition == "reading" and not page.isEmpty():
            painter.save()
            painter.resetTransform()
            font = painter.font()
            font.setPixelSize(10)
            painter.setFont(font)
            painter.setPen(QColor(theme.colours().quiet))
            painter.drawText(self.mapFromScene(page.topLeft()) + QPoint(0, -3), self.tr("Reading copy"))
            painter.restore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark()

    def choose(self, shred_id: str, others: Sequence[str] = ()) -> None:
        """Mark the current shred and the others that are chosen; those that are not on this page have no mark."""
        self.chosen = shred_id
        self._all_chosen = tuple(dict.fromkeys((*others, shred_id))) if shred_id else tuple(others)
        self._mark()

    def show_cut(self, shreds: Sequence[str]) -> None:
        """Fade the shreds that have been cut and not pasted."""
        self._cut = tuple(shreds)
        self._mark()

    def show_carried(self, shreds: Sequence[str]) -> None:
        """Fade the places that dragged shreds leave."""
        self._carried = tuple(shreds)
        self._mark()

    def _mark(self) -> None:
        """Draw the marks anew."""
        _clear(self.marks)
        colours = theme.colours()
        accent, tint, veil = (QColor(colour) for colour in (colours.accent, colours.accent, colours.canvas))
        tint.setAlpha(36)
        veil.setAlpha(170)
        for shred in self._cut:
            if shred in self.outlines:
                self._add_mark(self.outlines[shred], QPen(accent, 1.5, Qt.PenStyle.DashLine), veil)
        for shred in self._carried:
            if shred in self.outlines:
                self._add_mark(self.outlines[shred], QPen(Qt.PenStyle.NoPen), veil)
        for shred in () if self._carried else self._all_chosen:
            if shred in self.outlines:
                self._add_mark(self.outlines[shred], QPen(accent, 3 if shred == self.chosen else 1.5), tint)

    def _add_mark(self, outline: QPolygonF, pen: QPen, fill: QColor) -> None:
        mark = QGraphicsPolygonItem(outline)
        pen.setCosmetic(True)
        mark.setPen(pen)
        mark.setBrush(fill)
        self.scene().addItem(mark)
        self.marks.append(mark)

    def lift(self, items: Iterable[QGraphicsPixmapItem]) -> None:
        """Let shreds float above the page, as they will lie, until the page has been composed anew."""
        _clear(self.floats)
        for item in items:
            item.setZValue(1)
            self.scene().addItem(item)
            self.floats.append(item)

    def mark_new(self, pairs: Collection[tuple[str, str]]) -> None:
        """Draw a line along each of these joins that is on the page that is shown."""
        _clear(self.new_joins)
        # The page may be shown as it was before for a moment: a join is marked once it can be seen.
        for left, right in pairwise(self.places):
            if (left, right) in pairs:
                line = QGraphicsLineItem()
                line.setZValue(3)
                self.scene().addItem(line)
                self.new_joins.append(line)
                pen = QPen(QColor(theme.colours().accent), 3, Qt.PenStyle.DotLine)
                self._draw_line(line, self.seam(left, right), pen)

    def mark_found(self, others: Iterable[QRectF], current: Iterable[QRectF]) -> None:
        """Mark the words that were looked for, those of the current hit more strongly."""
        _clear(self.found)
        self.found += word_marks(others, current)
        for mark in self.found:
            self.scene().addItem(mark)

    def mark_noted(self, notes: Mapping[str, str], half_turned: Collection[str]) -> None:
        """Frame the places on this page that there are notes about, each with its number and the note."""
        _clear(self.noted)
        for frame in frames(notes, self.maps, self.outlines, half_turned):
            self.scene().addItem(frame)
            self.noted.append(frame)

    def place_key(self, area: QRectF, half_turned: Collection[str]) -> str:
        """Return how a note about an area of the page is kept: by the shred under its middle; "" if there is none."""
        shred = self.shred_at(area.center())
        if not shred:
            return ""
        place = self.maps[shred].inverted()[0].mapRect(area).toAlignedRect()
        place_px = place.x(), place.y(), place.width(), place.height()
        size_px = size_of(self.outlines[shred])
        return place_key(shred, over(place_px, size_px) if shred in half_turned else place_px)

    def show_place(self, place: QRectF) -> None:
        """Move a place on the page into sight, with some room around it."""
        room = min(80, self.viewport().width() // 4, self.viewport().height() // 4)
        self.ensureVisible(place, room, room)

    def show_seam(self, seam: QLineF | None) -> None:
        """Draw a line where two shreds meet, while the pointer rests on its marker; None takes it away."""
        self._draw_line(self._seam, seam, QPen(QColor(theme.colours().accent), 1.5, Qt.PenStyle.DashLine))

    def _draw_line(self, item: QGraphicsLineItem, line: QLineF | None, pen: QPen) -> None:
        item.setVisible(line is not None)
        if line is not None:
            pen.setCosmetic(True)
            item.setPen(pen)
            item.setLine(line)

    def shred_at(self, point: QPointF) -> str:
        """Find the shred at a place on the page; where pictures overlap, the one whose long axis is nearest."""
        hits = [name for name, of in self.outlines.items() if of.containsPoint(point, Qt.FillRule.OddEvenFill)]
        return min(hits, key=lambda shred: abs(self._right_of_middle(shred, point)), default="")

    def shreds_in(self, area: QRect) -> list[str]:
        """Find the shreds that an area of the viewport touches."""
        region = self.mapToScene(area)
        return [shred for shred, outline in self.outlines.items() if outline.intersects(region)]

    # Dropping

    def place_at(self, at: QPoint) -> Place | None:
        """Return the place on the page under a point of the screen."""
        inside = self.viewport().mapFromGlobal(at)
        if not self.isVisible() or not self.viewport().rect().contains(inside) or not self.may_drop():
            return None
        point = self.mapToScene(inside)
        elsewhere = self.other_rows.place_at(point) if self.other_rows is not None else None
        return elsewhere or Place(self.page, sum(self._right_of_middle(shred, point) > 0 for shred in self.places))

    def mark_drop(self, place: Place | None) -> None:
        """Show a place on the page, or take the mark away."""
        pen = QPen(QColor(theme.colours().accent), 5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        line = None if place is None or self.other_rows is None else self.other_rows.line(place)
        self._draw_line(self.drop, line or (None if place is None else self.gap(place.position)), pen)

    def gap(self, position: int) -> QLineF:
        """Return the line along which the shred at a position begins, or the last one ends."""
        shreds = list(self.places)
        if not shreds:
            return QLineF()
        if 0 < position < len(shreds):
            return self.seam(shreds[position - 1], shreds[position])
        return self._through(*(self._left(shreds[0]) if position <= 0 else self._right(shreds[-1])))

    def seam(self, left: str, right: str) -> QLineF:
        """Return the line along which two neighbours meet, from one edge of the page to the other."""
        ends = zip(self._right(left), self._left(right), strict=True)
        return self._through(*((one + other) / 2 for one, other in ends))

    def _left(self, shred: str) -> tuple[QPointF, QPointF]:
        return self.outlines[shred].at(0), self.outlines[shred].at(3)

    def _right(self, shred: str) -> tuple[QPointF, QPointF]:
        return self.outlines[shred].at(1), self.outlines[shred].at(2)

    def _through(self, top: QPointF, foot: QPointF) -> QLineF:
        """Draw a line through two points out to both edges of the page, the upper and the lower, or left and right."""
        area, along = self.area, foot - top
        if abs(along.x()) > abs(along.y()):
            rise, ends = along.y() / along.x(), (area.left(), area.right())
            return QLineF(*(QPointF(x, top.y() + rise * (x - top.x())) for x in ends))
        lean, ends = along.x() / (along.y() or 1.0), (area.top(), area.bottom())
        return QLineF(*(QPointF(top.x() + lean * (y - top.y()), y) for y in ends))

    def seam_x(self, left: str, right: str) -> float:
        """Return where two neighbours meet at the upper edge of what is seen of the page.

        Joins of shreds that lie above one another are spread over the width of the page, in their order.
        """
        seam = self.seam(left, right)
        if abs(seam.dx()) > abs(seam.dy()):
            return self.image_item.boundingRect().width() * list(self.places).index(right) / len(self.places)
        hidden = max(0.0, self.mapToScene(0, 0).y() - seam.y1())
        return seam.x1() + seam.dx() * min(1.0, hidden / max(1.0, seam.dy()))

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.panning or self.pointer is None or event.button() != Qt.MouseButton.LeftButton:
            return
        at = self.mapToScene(event.position().toPoint())
        shred = self.shred_at(at)
        if event.modifiers() == Qt.KeyboardModifier.AltModifier and shred:
            if shred not in self._all_chosen:
                self.shred_chosen.emit(shred)
            self._nudged_from = at
        else:
            self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self.panning or self.pointer is None:
            return
        if self._nudged_from is not None:
            moved = self.mapToScene(event.position().toPoint()) - self._nudged_from
            by_px = round(QPointF.dotProduct(moved, self.down))
            self._nudged_from += self.down * by_px
            self.nudged.emit(by_px)
        else:
            self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_panning = self.panning
        super().mouseReleaseEvent(event)
        if self._nudged_from is not None:
            self._nudged_from = None
        elif self.pointer is not None and not was_panning and event.button() == Qt.MouseButton.LeftButton:
            self.pointer.release(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        shred = self.shred_at(self.mapToScene(event.pos()))
        if shred and shred not in self._all_chosen:
            self.shred_chosen.emit(shred)
        self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys = event.key(), list(self.places)
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_Escape and self.pointer is not None and self.pointer.cancel():
            return
        if key == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif keys and modifiers == Qt.KeyboardModifier.NoModifier and key in (*_STEPS, Qt.Key.Key_Home, Qt.Key.Key_End):
            self._walk_to({Qt.Key.Key_Home: keys[0], Qt.Key.Key_End: keys[-1]}.get(Qt.Key(key)) or self._beside(key))
        elif key in _LEVELS and modifiers == Qt.KeyboardModifier.NoModifier and self.picture and self.picture.around:
            self.climbed.emit(_LEVELS[Qt.Key(key)])
        elif self.chosen in keys and modifiers == Qt.KeyboardModifier.ShiftModifier and key in _STEPS:
            self.extended_to.emit(self._beyond(_STEPS[Qt.Key(key)]))
        else:
            super().keyPressEvent(event)

    def _beside(self, key: int) -> str:
        """Return the neighbour of the current shred, or the first shred."""
        keys = list(self.places)
        at = keys.index(self.chosen) if self.chosen in keys else -1
        return keys[max(0, min(at + _STEPS[Qt.Key(key)], len(keys) - 1))]

    def _beyond(self, step: int) -> str:
        """Return the shred next to the end of the choice that is not the current shred."""
        keys = list(self.places)
        on_page = [shred for shred in keys if shred in self._all_chosen]
        moving = on_page[-1] if on_page[0] == self.chosen else on_page[0]
        return keys[max(0, min(keys.index(moving) + step, len(keys) - 1))]

    def _walk_to(self, shred: str) -> None:
        self.shred_chosen.emit(shred)
        self.ensureVisible(self.places[shred].adjusted(0, 0, 0, -self.places[shred].height()), 60, 0)


def _clear(items: list[QGraphicsItem]) -> None:
    """Remove items from the scene."""
    while items:
        item = items.pop()
        item.scene().removeItem(item)
