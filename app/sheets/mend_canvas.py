"""A sheet on which is drawn what is to be mended: by mouse, or with a cross that the arrow keys move."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, TypeAlias

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPainterPath, QPolygonF
from PySide6.QtWidgets import QWidget

from app.sheets.mend_paint import Shown, paint_bent, paint_cross, paint_draft, paint_found, within
from app.sheets.reshaping import Reshaping
from app.widgets.image_view import ImageView
from core.sheets.mends import (
    CropSheet,
    DrawOutline,
    ExcludeSheet,
    Mend,
    MergeShreds,
    NotPaper,
    PickBackground,
    Point,
    SplitShred,
    ThisIsAShred,
)

Tool: TypeAlias = Literal["choose", "split", "reshape", "outline", "shred", "background", "crop"]

_NEAR_PX = 10.0
_BEND_PX = 3
"""A corner is dragged by as little as this on the screen."""
_STEP_PX, _FINE_PX = 12.0, 1.0
_CHOOSING: tuple[Tool, ...] = ("choose", "reshape")
_DRAGGED: tuple[Tool, ...] = ("split", "crop")
_POLYGONS: tuple[Tool, ...] = ("outline", "shred")
_ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class MendCanvas(ImageView):
    """Turns presses, drags and keys into mends; it knows nothing of the case."""

    mended = Signal(object)
    """A mend that was drawn."""
    told = Signal(str)
    """A sentence: why something cannot be done so."""
    changed = Signal()
    """Another tool, other shreds chosen, or more of a drawing."""
    left = Signal()
    """Esc, and there was nothing to drop."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tool: Tool = "choose"
        self.shown = Shown()
        self.chosen: tuple[Point, ...] = ()
        """A point within each chosen shred."""
        self.points: list[QPointF] = []
        """Of what is being drawn."""
        self.at = QPointF()
        """The pointer, or the cross that the keys move."""
        self.reshaping = Reshaping()
        self.busy = False
        """Whether the sheet is being done again."""
        self._by_keys = False
        self._began = False
        self._dragged_from: QPointF | None = None
        self.setAccessibleName(self.tr("Sheet that is mended"))
        self.clicked.connect(self._click)

    # What is shown

    def show_found(self, shown: Shown) -> None:
        """Show outlines; what was chosen stays so where something is still there."""
        self.shown = shown
        self.chosen = tuple(point for point in self.chosen if shown.name_at(QPointF(*point)) is not None)
        if self.reshaping.bent is None or not self.chosen:
            self.reshape()
        self.viewport().update()

    def reshape(self) -> None:
        """Bend the outline of the chosen shred as it is shown, if that is what the tool does."""
        one = self.shown.name_at(QPointF(*self.chosen[0])) if self.tool == "reshape" and self.chosen else None
        self.reshaping.begin(None if one is None else one.path)
        self.viewport().update()

    def take(self, tool: Tool) -> None:
        """Take up a tool; what was begun with another is dropped."""
        self.tool, self.points = tool, []
        hand = self.DragMode.ScrollHandDrag if tool == "choose" else self.DragMode.NoDrag
        self.setDragMode(hand)
        self._set_idle_cursor()
        self.reshape()
        self._redraw()

    def choose(self, points: Sequence[Point]) -> None:
        """Choose the shreds at these points."""
        self.chosen = tuple(points)
        self.reshape()
        self._redraw()

    def _redraw(self) -> None:
        self.viewport().update()
        self.changed.emit()

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawForeground(painter, rect)
        if self.image_item.boundingRect().isEmpty():
            return
        filled = self.chosen if self.reshaping.bent is None else ()
        paint_found(painter, self.shown, filled, self.image_item.boundingRect())
        paint_draft(painter, self.tool, self.points, self.at)
        bent = self.reshaping.seen(self.at)
        if bent is not None:
            paint_bent(painter, bent, self.reshaping.corner)
        if self._by_keys and self.hasFocus():
            paint_cross(painter, self.at)

    def _set_idle_cursor(self) -> None:
        cross = self.tool != "choose"
        self.viewport().setCursor(Qt.CursorShape.CrossCursor if cross else Qt.CursorShape.ArrowCursor)

    # What is done at once

    def merge(self) -> None:
        """Merge the chosen shreds."""
        if len(self.chosen) < 2:
            self.told.emit(self.tr("Choose the shreds that are one: Ctrl and click, or Space on each."))
            return
        self._emit(MergeShreds(self.chosen))

    def not_paper(self) -> None:
        """Take out the chosen shreds, or the one under the pointer; of an outline that is bent, a corner."""
        if self.tool == "reshape":
            if self.reshaping.remove():
                self._emit_bent()
            else:
                self.told.emit(self.tr("Point at a corner, and it is taken away; three are left at least."))
            return
        points = self.chosen or ((_point(self.at),) if self.shown.name_at(self.at) is not None else ())
        if not points:
            self.told.emit(self.tr("Choose what is no paper first."))
        for point in points:
            self._emit(NotPaper(point))

    def exclude(self) -> None:
        """Exclude the sheet, or take that back."""
        self._emit(ExcludeSheet())

    def _emit(self, mend: Mend) -> None:
        self.points, self.chosen = [], ()
        self.mended.emit(mend)
        self._redraw()

    def _emit_bent(self) -> None:
        """Let the chosen shred have the outline that was bent; it stays chosen."""
        bent, (at, *_) = self.reshaping.bent, self.chosen
        assert bent is not None
        self.mended.emit(DrawOutline(at, bent.points))
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(*point) for point in bent.points]))
        if not path.contains(QPointF(*at)):
            self.chosen = (_point(within(path)),)
        self._redraw()

    # Drawing

    def _press(self, point: QPointF, *, more: bool = False) -> None:
        """Do at a place what the tool does there."""
        point = self._within(point)
        if self.reshaping.grasped:
            self.finish()
        elif self._by_keys and self.reshaping.grasp(point, self._reach):
            self._redraw()
        elif self.tool in _CHOOSING:
            self._choose_at(point, more and self.tool == "choose")
        elif self.tool == "background":
            self._emit(PickBackground(_point(point)))
        elif self.points and self._ends_at(point):
            self.at = point
            self.finish()
        else:
            self.points.append(point)
            self._redraw()

    def _ends_at(self, point: QPointF) -> bool:
        """Check whether a place ends what is being drawn: the second one of a rectangle, the first corner once more."""
        if self.tool in _DRAGGED:
            return self.tool == "crop"
        return len(self.points) > 2 and self._is_near(self.points[0], point)

    def _choose_at(self, point: QPointF, more: bool) -> None:
        name = self.shown.name_at(point)
        others = [one for one in self.chosen if self.shown.name_at(QPointF(*one)) != name] if more else []
        here = name is not None and not (more and len(others) < len(self.chosen))
        self.choose((*others, _point(point)) if here else tuple(others))

    def finish(self) -> None:
        """End what is being drawn, or let go of what is grasped."""
        points = [_point(point) for point in self.points]
        if self.reshaping.drop(self.at):
            self._emit_bent()
        elif self.tool in _DRAGGED and points:
            if not self._is_near(self.points[-1], self.at, 4):
                points.append(_point(self.at))
            if len(points) < 2:
                self.told.emit(self.tr("That is a point: draw on, to another one."))
            else:
                self._emit(SplitShred(tuple(points)) if self.tool == "split" else CropSheet((points[0], points[-1])))
        elif self.tool == "shred" and points:
            self._emit(ThisIsAShred(tuple(points)))
        elif self.tool == "outline" and points:
            at = self.chosen[:1] or tuple(one for one in points if self.shown.name_at(QPointF(*one)) is not None)[:1]
            if at:
                self._emit(DrawOutline(at[0], tuple(points)))
            else:
                self.told.emit(self.tr("Choose the shred of which this is the outline, or begin within it."))

    def _take_back(self) -> None:
        if self.points:
            self.points.pop()
        self._redraw()

    def _drop(self) -> None:
        """Drop what was begun, then what is chosen, then the tool."""
        if self.points:
            self.points = []
        elif self.reshaping.grasped:
            self.reshape()
        elif self.chosen:
            self.choose(())
        elif self.tool != "choose":
            self.take("choose")
        else:
            self.left.emit()
            return
        self._redraw()

    def _within(self, point: QPointF) -> QPointF:
        rect = self.image_item.boundingRect()
        x, y = min(max(point.x(), 0.0), rect.width()), min(max(point.y(), 0.0), rect.height())
        return QPointF(x, y)

    def _is_near(self, one: QPointF, other: QPointF, px: float = _NEAR_PX) -> bool:
        """Check whether two places lie within so many pixels of the screen."""
        return (one - other).manhattanLength() * self.transform().m11() < px

    @property
    def _reach(self) -> float:
        """How far from a place something still is meant by it, in pixels of the sheet."""
        return _NEAR_PX / self.transform().m11()

    # Mouse

    def _click(self, point: QPointF) -> None:
        if self.tool not in _DRAGGED and not self.reshaping.grasped:
            more = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            self._press(point, more=bool(QGuiApplication.keyboardModifiers() & more))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._by_keys = False
        if event.button() == Qt.MouseButton.LeftButton and self.tool in _DRAGGED and not self.panning:
            self._dragged_from, self._began = event.position(), not self.points
            if self._began:
                self.points = [self._grasped(self._within(self.mapToScene(event.position().toPoint())))]
            self._redraw()
        elif event.button() == Qt.MouseButton.LeftButton and self.tool == "reshape" and not self.panning:
            self.at = self._within(self.mapToScene(event.position().toPoint()))
            if self.reshaping.grasp(self.at, self._reach):
                self._dragged_from = event.position()
            self._redraw()

    def _grasped(self, point: QPointF) -> QPointF:
        """Return where a rectangle begins: at the corner opposite to the one that is grasped."""
        rect = self.shown.crop
        if self.tool == "crop" and rect is not None:
            corners = [rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()]
            for at, corner in enumerate(corners):
                if self._is_near(corner, point):
                    return corners[at - 2]
        return point

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.at, self._by_keys = self._within(self.mapToScene(event.position().toPoint())), False
        self.reshaping.point_at(self.at, self._reach)
        if self.points or self.reshaping.bent is not None:
            self.viewport().update()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        began, self._dragged_from = self._dragged_from, None
        if began is not None and event.button() == Qt.MouseButton.LeftButton:
            self.at = self._within(self.mapToScene(event.position().toPoint()))
            least = _BEND_PX if self.tool == "reshape" else QGuiApplication.styleHints().startDragDistance()
            moved = (event.position() - began).manhattanLength() >= least
            if self.tool == "split" and not self._began:
                self.points.append(self.at)  # a bend of the line
            elif moved or (self.tool == "crop" and not self._began):
                self.finish()
            self.reshaping.grasped = False
            self._redraw()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.tool in _POLYGONS or (self.tool == "split" and self.points):
            self.finish()
        elif self.tool == "choose":
            super().mouseDoubleClickEvent(event)

    # Keys

    def event(self, event: QEvent) -> bool:
        """Keep the keys of drawing from the actions of the window that have them too."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QtGui.QKeyEvent)
            if self._does(event, only_ask=True):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if not self._does(event):
            super().keyPressEvent(event)

    def _does(self, event: QtGui.QKeyEvent, only_ask: bool = False) -> bool:
        """Return whether a key means something here; do it, unless that is only asked."""
        do = self._meaning(Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
        if do is not None and not only_ask:
            do()
        return do is not None

    def _meaning(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> Callable[[], object] | None:
        """Find what a key does."""
        keys, held = Qt.Key, Qt.KeyboardModifier
        fine, by = modifiers == held.ShiftModifier, {keys.Key_Left: -1, keys.Key_Right: 1}
        if key in _ARROWS and (fine or modifiers == held.NoModifier):
            return partial(self._move_cross, *_ARROWS[key], fine=fine)
        if key in by and modifiers == held.ControlModifier:
            return partial(self._to_shred, by[key])
        if modifiers != held.NoModifier or (self.busy and key == keys.Key_Escape):  # then it stops the work
            return None
        meanings: dict[Qt.Key, Callable[[], object]] = {
            keys.Key_Space: lambda: self._press(self.at, more=True),
            keys.Key_Return: self.finish,
            keys.Key_Enter: self.finish,
            keys.Key_Backspace: self._take_back,
            keys.Key_Escape: self._drop,
        }
        if self.tool == "reshape":
            meanings |= {keys.Key_Comma: partial(self._to_corner, -1), keys.Key_Period: partial(self._to_corner, 1)}
        return meanings.get(key)

    def _move_cross(self, x: int, y: int, *, fine: bool) -> None:
        """Move the cross by a step on the screen, or a pixel of the sheet, and keep it in sight."""
        step = _FINE_PX if fine else _STEP_PX / self.transform().m11()
        seen = self.mapToScene(self.viewport().rect()).boundingRect()
        at = self.at if self._by_keys or seen.contains(self.at) else seen.center()
        self._put_cross(at + QPointF(x * step, y * step))

    def _put_cross(self, at: QPointF) -> None:
        self.at, self._by_keys = self._within(at), True
        margin = 20 / self.transform().m11()
        self.ensureVisible(QRectF(self.at.x() - margin, self.at.y() - margin, 2 * margin, 2 * margin), 0, 0)
        self.pointed.emit(self.at)
        self.reshaping.point_at(self.at, self._reach)
        self.viewport().update()

    def _to_corner(self, by: int) -> None:
        """Put the cross on the next corner of the outline that is bent."""
        at = self.reshaping.step(self.at, by)
        if at is not None:
            self._put_cross(at)

    def _to_shred(self, by: int) -> None:
        """Put the cross on the next shred, from left to right, and choose that with the tool for it."""
        middles = sorted(self.shown.middles(), key=lambda point: (point.x(), point.y()))
        if not middles:
            return
        begin_x = self.chosen[-1][0] if self.chosen and not self._by_keys else self.at.x()
        beyond = [one for one in middles if (one.x() - begin_x) * by > 0.5]
        target = (beyond[0] if by > 0 else beyond[-1]) if beyond else middles[0 if by > 0 else -1]
        self._put_cross(target)
        if self.tool in _CHOOSING:
            self.choose([_point(target)])


def _point(point: QPointF) -> Point:
    return round(point.x(), 1), round(point.y(), 1)
