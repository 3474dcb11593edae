"""Lengths in millimetres, guide lines and frames, drawn over a picture."""

from typing import Literal

from PySide6.QtCore import QEvent, QLineF, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsLineItem, QGraphicsRectItem, QGraphicsSimpleTextItem

from app import theme
from app.widgets.image_view import ImageView
from app.wording import translate
from core.units import MM_PER_PX

Tool = Literal["", "measure", "guide", "frame"]

_ABOVE = 30
_CLOSE_PX = 6
"""A click so near to a guide line takes it away."""

_STEPS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


class Ruler(QObject):
    """Measures on a view, and draws guide lines over it, by mouse or by keys.

    Parameters
    ----------
    view : ImageView
        Its scene has the pixels of 300 dpi for units.
    """

    left = Signal()
    """The examiner is done with the tool."""
    framed = Signal(QRectF)
    """A part of the picture was framed."""

    def __init__(self, view: ImageView) -> None:
        super().__init__(view)
        self._view = view
        self.tool: Tool = ""
        self.line = QLineF()
        """What is measured, or drawn."""
        self.guides: list[QLineF] = []
        self._drawing = False
        self._items: list[QGraphicsItem] = []
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        view.view_changed.connect(self.draw)

    def take(self, tool: Tool) -> None:
        """Take up a tool, or put it down; guide lines stay, a measure does not."""
        self.tool, self.line, self._drawing = tool, QLineF(), False
        self._view.viewport().setCursor(Qt.CursorShape.CrossCursor if tool else Qt.CursorShape.ArrowCursor)
        self.draw()

    def forget(self) -> None:
        """Take all lines away: another picture is shown."""
        self.line, self.guides, self._drawing = QLineF(), [], False
        self.draw()

    @property
    def text(self) -> str:
        """The length and slope of the line, in words; "" if there is none."""
        if self.line.isNull():
            return ""
        text = translate("ruler", "{mm:.1f} mm  ·  {slope:.1f}°")
        return text.format(mm=self.line.length() * MM_PER_PX, slope=slope(self.line))

    # What the examiner does

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.tool or self._view.panning:
            return False
        if isinstance(event, QMouseEvent) and watched is self._view.viewport():
            return self._follow_mouse(event)
        if isinstance(event, QKeyEvent) and watched is self._view:
            if event.type() == QEvent.Type.ShortcutOverride and self._uses(event):
                event.accept()
                return True
            return event.type() == QEvent.Type.KeyPress and self._follow_key(event)
        return False

    def _follow_mouse(self, event: QMouseEvent) -> bool:
        at, kind = self._view.mapToScene(event.position().toPoint()), event.type()
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            if self._view.pans(event):
                return False
            self.line, self._drawing = QLineF(at, at), True
        elif kind == QEvent.Type.MouseMove and self._drawing:
            self._reach(at, straight=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif kind == QEvent.Type.MouseButtonRelease and self._drawing:
            self._finish()
        elif kind == QEvent.Type.MouseMove:
            self._view.viewport().setCursor(Qt.CursorShape.CrossCursor)
            return False  # the place under the pointer is still told
        self.draw()
        return True

    def _uses(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return False
        return event.key() in (*_STEPS, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Delete)

    def _follow_key(self, event: QKeyEvent) -> bool:
        """Enter begins a line in the middle of the view and ends it, arrows move its end, Esc puts the tool down."""
        if not self._uses(event):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.forget()
        elif event.key() in _STEPS and self._drawing:
            far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            step = max(1.0, 1 / self._view.transform().m11())  # what is seen as a pixel, or one of the scan
            self.line.setP2(self.line.p2() + _STEPS[Qt.Key(event.key())] * (20 if far else 1) * step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._drawing:
                self._finish()
            else:
                middle = self._view.mapToScene(self._view.viewport().rect().center())
                self.line, self._drawing = QLineF(middle, middle), True
        else:
            return False
        self.draw()
        return True

    def _reach(self, at: QPointF, *, straight: bool) -> None:
        """Let the line end at a place; a straight one is level or upright."""
        start = self.line.p1()
        if straight:
            way = at - start
            at = QPointF(at.x(), start.y()) if abs(way.x()) >= abs(way.y()) else QPointF(start.x(), at.y())
        self.line.setP2(at)

    def _finish(self) -> None:
        self._drawing = False
        if self.tool == "measure":
            return
        line, self.line = self.line, QLineF()
        if self.tool == "frame":
            if line.dx() and line.dy():
                self.framed.emit(QRectF(line.p1(), line.p2()).normalized())
            return
        close = _CLOSE_PX / self._view.transform().m11()
        if line.length() > close:
            self.guides.append(line)
        else:
            self.guides = [guide for guide in self.guides if _distance(guide, line.p1()) > close]

    # What is seen

    def draw(self) -> None:
        """Draw all lines anew."""
        for item in self._items:
            self._view.scene().removeItem(item)
        self._items = []
        colour = theme.LIGHT.accent  # paper is light in either theme
        picture = self._view.image_item.boundingRect()
        for guide in self.guides:
            self._add_line(across(guide, 2 * (picture.width() + picture.height())), colour, 1.0)
        if self._drawing and self.tool == "frame":
            frame = QGraphicsRectItem(QRectF(self.line.p1(), self.line.p2()).normalized())
            frame.setPen(theme.pen(theme.LIGHT.doubtful, 2.0))
            self._add(frame)
        elif self._drawing or not self.line.isNull():
            self._add_line(self.line, theme.LIGHT.doubtful, 2.0)
            self._add_text()

    def _add_line(self, line: QLineF, colour: str, width_px: float) -> None:
        item = QGraphicsLineItem(line)
        item.setPen(theme.pen(colour, width_px))
        self._add(item)

    def _add_text(self) -> None:
        """Write the length beside the end of the line, on a ground on which it can be read."""
        text = QGraphicsSimpleTextItem(self.text)
        text.setBrush(QBrush(QColor(theme.LIGHT.text)))
        text.setPos(8, 4)
        room = QGraphicsRectItem(text.boundingRect().adjusted(0, 0, 16, 8))
        room.setBrush(QColor(theme.LIGHT.panel))
        room.setPen(theme.pen(theme.LIGHT.border, 1.0))
        text.setParentItem(room)
        room.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        room.setPos(self.line.p2() + QPointF(12, 12) / self._view.transform().m11())
        self._add(room)

    def _add(self, item: QGraphicsItem) -> None:
        item.setZValue(_ABOVE)
        self._view.scene().addItem(item)
        self._items.append(item)


def slope(line: QLineF) -> float:
    """Return how a line slopes, in degrees from -90 to 90, counter-clockwise positive."""
    return (line.angle() + 90) % 180 - 90


def across(line: QLineF, length: float) -> QLineF:
    """Return a line prolonged by so much at both ends."""
    way = line.unitVector()
    step = QPointF(way.dx(), way.dy()) * length
    return QLineF(line.p1() - step, line.p2() + step)


def _distance(line: QLineF, point: QPointF) -> float:
    """Return how far a point lies from a line without ends."""
    way = line.unitVector()
    to = point - line.p1()
    return abs(way.dx() * to.y() - way.dy() * to.x())
