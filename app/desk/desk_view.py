"""The desk as it is seen: groups of shreds with how sure their joins are, chosen, dragged and moved by keys."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from app import theme, wording
from app.desk.groups import GAP_PX, Group, Groups, around
from app.images import Pyramid
from app.pages.dragging import ShredDrag
from app.session.document import Place
from app.widgets.image_view import ImageItem, ImageView
from core.arrangement.arrangement import Pair
from core.matching.confidence import DOUBTFUL, percentage

DESK = Place(-2)
"""Where a drag drops that ends here; no place of the arrangement."""

_ROOM_PX = 1e5
"""So far the desk reaches to either side."""

_A4 = QRectF(0, 0, 2480, 3508)

_STEPS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}
_WALKS = {Qt.Key.Key_Comma: -1, Qt.Key.Key_Period: 1}

_STEP_PX = 24
"""2 mm."""

_OWN_KEYS = Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Enter


class DeskView(ImageView):
    """Shows groups, and says what is done with them.

    Parameters
    ----------
    drag : ShredDrag
        Carries shreds to other views, and here.
    """

    picked = Signal(str)
    """A shred was clicked, or reached by key."""
    pushed = Signal(QPointF)
    """The chosen group is to move by so many pixels to the right and down; snapping only if by more than one."""
    walked = Signal(int)
    """The shred to the left (-1) or right (1) in the chosen group is to be the current one."""
    placed = Signal()
    drawn_out = Signal()
    """The current shred is to leave its group."""
    taken_apart = Signal()
    taken_off = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, drag: ShredDrag, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drag = drag
        self.groups: Groups = ()
        """As they are shown; while something is dragged, as they would lie."""
        self.chosen: tuple[str, ...] = ()
        self.current = ""
        self.grabbed: QPointF | None = None
        """Where in what is dragged from here the pointer holds it; None for what comes from elsewhere."""
        self._pressed: tuple[QPoint, str, bool] | None = None
        self._items: dict[str, ImageItem] = {}
        self._fitted = False
        self.setSceneRect(-_ROOM_PX, -_ROOM_PX, 2 * _ROOM_PX, 2 * _ROOM_PX)
        self.centerOn(self.whole.center())
        self.setDragMode(QGraphicsView.DragMode.NoDrag)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setAccessibleName(self.tr("Desk"))
        keys = self.tr("Tab chooses a group, arrows move it, Enter places it, Backspace takes it apart, Delete off.")
        self.setAccessibleDescription(keys)

    # What is shown

    def show_groups(self, groups: Groups, pictures: Mapping[str, Pyramid], turns_deg: Mapping[str, float]) -> None:
        """Show groups; shreds that are turned by some degrees lie turned."""
        self.groups = groups
        places = {shred: place for group in groups for shred, place in group.places.items()}
        for shred in self._items.keys() - places.keys():
            self.scene().removeItem(self._items.pop(shred))
        for shred, place in places.items():
            if shred not in self._items:
                self._items[shred] = ImageItem()
                self.scene().addItem(self._items[shred])
            item = self._items[shred]
            item.set_images(pictures[shred], place.width(), place.height())
            item.setTransformOriginPoint(place.width() / 2, place.height() / 2)
            item.setRotation(-turns_deg.get(shred, 0.0))
            item.setPos(place.topLeft())
        self.viewport().update()

    def choose(self, shreds: tuple[str, ...], current: str) -> None:
        """Mark what is chosen, as far as it lies here, and of that the current shred."""
        self.chosen, self.current = shreds, current
        self.viewport().update()

    @property
    def whole(self) -> QRectF:
        """All that lies here, with room for what is written beside it; a page's worth where nothing does."""
        rect = around(group.rect for group in self.groups) if self.groups else _A4
        return rect.adjusted(-GAP_PX, -2 * GAP_PX, GAP_PX, 2 * GAP_PX)

    @property
    def seen(self) -> QRectF:
        """What of the desk is in sight, without the room for what is written beside shreds."""
        return self.mapToScene(self.viewport().rect().adjusted(0, 56, 0, -56)).boundingRect()

    def follow_zoom(self, zoom: float) -> None:
        """Show shreds as large as a page shows them, about the middle of the chosen group, or of all that lies here."""
        group = self.group_of(self.current)
        middle = (self.whole if group is None else group.rect).center()
        if not self.viewport().rect().contains(self.mapFromScene(middle)):
            self.centerOn(middle)
        self.set_zoom(zoom, self.mapFromScene(middle))

    def bring_in_sight(self, shred: str) -> None:
        """Move the group of a shred into sight, with what is written beside it."""
        group = self.group_of(shred)
        if group is not None:
            self.ensureVisible(group.rect, 20, 56)

    def bring_all_in_sight(self) -> None:
        """Move what lies here into sight."""
        self.centerOn(self.whole.center())

    def group_of(self, shred: str) -> Group | None:
        """Find the group in which a shred lies."""
        return next((group for group in self.groups if shred in group.places), None)

    def shred_at(self, at: QPoint) -> str:
        """Find the shred at a place in the viewport, the one laid last where two overlap; "" for none."""
        point = self.mapToScene(at)
        places = [(shred, place) for group in self.groups for shred, place in group.places.items()]
        return next((shred for shred, place in reversed(places) if place.contains(point)), "")

    # Painting

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, QColor(theme.colours().canvas))

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        narrowest = min((place.width() for group in self.groups for place in group.places.values()), default=11.0)
        font.setPixelSize(
            max(8, min(int(0.85 * narrowest * self.transform().m11()), 11))
        )  # no text reaches over another
        painter.setFont(font)
        for group in self.groups:
            self._paint_frames(painter, group)
            for pair, sure in group.joins.items():
                self._paint_join(painter, group, pair, sure)
            for shred, place in group.places.items():
                foot = self.mapFromScene(QPointF(place.center().x(), place.bottom()))
                colour = theme.colours().accent if shred == self.current else theme.colours().quiet
                self._write(painter, foot + QPoint(0, 6), shred, colour, below=True)
        if not self.groups:
            painter.setPen(QColor(theme.colours().quiet))
            font.setPixelSize(12)
            painter.setFont(font)
            text = self.tr(
                "Drag shreds here, from the page, the order or the tray, and lay them side by side: they snap to each "
                "other, and it is said how sure their joins are. Nothing is changed before a group is placed."
            )
            room, wrap = self.viewport().rect().adjusted(24, 24, -24, -24), Qt.TextFlag.TextWordWrap
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | wrap, text)

    def _paint_frames(self, painter: QPainter, group: Group) -> None:
        """Draw a frame around what is chosen of a group; none where two meet, since there it is looked at."""
        chosen = [place for shred, place in group.places.items() if shred in self.chosen]
        if chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme.pen(theme.colours().accent, 2))
            painter.drawRect(QRectF(self.mapFromScene(around(chosen)).boundingRect()).adjusted(-1, -1, 1, 1))

    def _paint_join(self, painter: QPainter, group: Group, pair: Pair, sure: float | None) -> None:
        """Write how sure a join is above its seam, and mark the seam's upper end."""
        colours, (left, right) = theme.colours(), (group.places[shred] for shred in pair)
        top = self.mapFromScene(QPointF(right.left(), min(left.top(), right.top())))
        colour, text = colours.quiet, "–"
        if sure is not None and sure < DOUBTFUL:
            colour, text = colours.doubtful, f"{percentage(sure)} ?"
        elif sure is not None:
            colour, text = colours.sure if sure >= wording.SURE else colours.fair, percentage(sure)
        self._write(painter, top - QPoint(0, 6), text, colour, below=False)
        painter.drawLine(top, top - QPoint(0, 4))

    def _write(self, painter: QPainter, at: QPoint, text: str, colour: str, *, below: bool) -> None:
        """Write upwards, since narrow shreds have no more room, below a point or above it, and always in sight."""
        width, height = painter.fontMetrics().horizontalAdvance(text) + 8, painter.font().pixelSize() + 1
        wanted = at.y() if below else at.y() - width
        top = min(wanted, self.viewport().height() - width) if below else max(wanted, 0)
        painter.save()
        painter.translate(at.x(), top + width)
        painter.rotate(-90)
        box = QRectF(0, -height / 2, width, height)
        if top != wanted:  # then it stands on paper
            painter.fillRect(box, theme.translucent(theme.colours().panel, 225))
        painter.setPen(QColor(colour))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)
        painter.restore()
        painter.setPen(QColor(colour))

    # Dropping

    def place_at(self, at: QPoint) -> Place | None:
        """Return the desk if a point of the screen is over it."""
        return DESK if self.viewport().visibleRegion().contains(self.viewport().mapFromGlobal(at)) else None

    def mark_drop(self, place: Place | None) -> None:
        """Do nothing: what is dragged shows itself where it would lie."""

    # Mouse and keys

    def pans(self, event: QMouseEvent) -> bool:
        """Return whether a press moves what is seen: also where no shred lies."""
        empty = not self.shred_at(event.position().toPoint())
        return super().pans(event) or (empty and event.button() == Qt.MouseButton.LeftButton)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        at = event.position().toPoint()
        shred = self.shred_at(at)
        if event.button() == Qt.MouseButton.LeftButton and shred and not self.panning:
            self._pressed = at, shred, event.modifiers() == Qt.KeyboardModifier.AltModifier
            self.picked.emit(shred)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._pressed is None:
            return
        at, shred, alone = self._pressed
        if not self._drag.active:
            group = self.group_of(shred)
            moved = (event.position().toPoint() - at).manhattanLength()
            if group is None or moved < QApplication.startDragDistance():
                return
            shreds = (shred,) if alone else group.shreds
            self.grabbed = self.mapToScene(at) - group.places[shreds[0]].topLeft()
            self._drag.start(shreds)
        self._drag.move(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._pressed is not None and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = None
            if self._drag.active:
                self._drag.drop(event.globalPosition().toPoint())
            self.grabbed = None

    def event(self, event: QEvent) -> bool:
        """Have the keys that mean something else on the page."""
        wanted = event.type() == QEvent.Type.ShortcutOverride and bool(self.chosen)
        if wanted and isinstance(event, QKeyEvent) and event.key() in _OWN_KEYS:
            event.accept()
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(360, 400)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        shred = self.shred_at(event.pos())
        if shred:
            self.picked.emit(shred)
            self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        plain, fine = modifiers == Qt.KeyboardModifier.NoModifier, modifiers == Qt.KeyboardModifier.ShiftModifier
        if key == Qt.Key.Key_Escape and self._drag.active:
            self._drag.cancel()
            self._pressed = self.grabbed = None
        elif key in _STEPS and (plain or fine) and self.chosen:
            self.pushed.emit(_STEPS[Qt.Key(key)] * (1 if fine else _STEP_PX))
        elif key in _WALKS and plain:
            self.walked.emit(_WALKS[Qt.Key(key)])
        elif key == Qt.Key.Key_Backspace and fine and self.chosen:
            self.drawn_out.emit()
        elif key in _OWN_KEYS and plain and self.chosen:
            signals = self.taken_off, self.taken_apart, self.placed, self.placed
            signals[_OWN_KEYS.index(Qt.Key(key))].emit()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Go from group to group with Tab and Shift+Tab, and past the last one to what comes next in the window."""
        firsts: Collection[str] = sorted((group.shreds[0] for group in self.groups), key=self._reading_order)
        at = next((n for n, shred in enumerate(firsts) if shred in self.chosen), -1 if forwards else len(firsts))
        following = list(firsts)[at + 1 :] if forwards else list(firsts)[:at][::-1]
        if not following or not self.hasFocus():
            return super().focusNextPrevChild(forwards)
        self.picked.emit(following[0])
        self.bring_in_sight(following[0])
        return True

    def _reading_order(self, shred: str) -> tuple[float, float]:
        group = self.group_of(shred)
        return (group.rect.left(), group.rect.top()) if group is not None else (0.0, 0.0)
