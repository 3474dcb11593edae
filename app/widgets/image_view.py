"""A large picture to pan and zoom: coarser copies for small scales, the finest for the rest."""

from collections.abc import Callable, Sequence
from math import ceil

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QRegion, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QGraphicsView, QStyleOptionGraphicsItem, QWidget

from app import theme
from app.images import Pyramid

_MAX_ZOOM = 16.0
_WHEEL_STEP = 1.2
_MARGIN_PX = 14
_SHADE = 130
"""How strongly what is not worked on is shaded, of 255."""


class ImageItem(QGraphicsItem):
    """Draws from the level of a pyramid that suits the scale, and only what is exposed."""

    def __init__(self) -> None:
        super().__init__()
        self._levels: Pyramid = ()
        self._rect = QRectF()
        self.tint: QColor | None = None
        """What white is shown as, if not as white."""
        self.adjustment: Callable[[QImage], QImage] | None = None
        """Changes the tones of what is drawn; it gets what is seen, at the size at which it is seen."""
        self._gap: tuple[float, float] | None = None
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)  # for `exposedRect`

    def set_images(self, levels: Sequence[QImage], width_px: float, height_px: float) -> None:
        """Show a picture; it fills a rectangle of that size in the scene, however fine its levels are."""
        self.prepareGeometryChange()
        self._levels = tuple(levels)
        self._rect = QRectF(0, 0, width_px, height_px)
        self.update()

    def part(self, gap: tuple[float, float] | None) -> None:
        """Draw what lies right of a place farther right by so much, so that a gap opens; None closes it."""
        before, self._gap = self._gap, gap
        if before == gap:
            return
        if before is not None and gap is not None and before[1] == gap[1]:
            (first, last), (_, width) = sorted((before[0], gap[0])), gap
            self.update(QRectF(first, 0, last - first + width, self._rect.height()))  # nothing else moves
        else:
            self.prepareGeometryChange()

    def set_adjustment(self, adjustment: Callable[[QImage], QImage] | None) -> None:
        """Draw the picture in other tones, or as it is."""
        self.adjustment = adjustment
        self.update()

    @property
    def finest(self) -> QImage | None:
        """The picture at its full resolution, if there is one."""
        return self._levels[0] if self._levels else None

    def boundingRect(self) -> QRectF:
        return self._rect if self._gap is None else self._rect.adjusted(0, 0, self._gap[1], 0)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if not self._levels:
            return
        if self._gap is None:
            self._paint(painter, option.exposedRect)
            return
        x, width = self._gap
        left, right = QRectF(self._rect), QRectF(self._rect)
        left.setRight(x)
        right.setLeft(x)
        self._paint(painter, option.exposedRect.intersected(left))
        painter.translate(width, 0)
        self._paint(painter, option.exposedRect.translated(-width, 0).intersected(right))

    def _paint(self, painter: QPainter, exposed: QRectF) -> None:
        """Draw a part of the picture."""
        scale = QStyleOptionGraphicsItem.levelOfDetailFromTransform(painter.worldTransform())
        scale *= painter.device().devicePixelRatio()
        image = self.level(self._rect.width() * scale)
        per_unit_x, per_unit_y = image.width() / self._rect.width(), image.height() / self._rect.height()
        # Beyond twice the size pixels are shown as they are: an examiner must not take smoothing for strokes.
        smooth = scale < 2 * per_unit_x
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        target = exposed.intersected(self._rect)
        if target.isEmpty():
            return
        source = QTransform.fromScale(per_unit_x, per_unit_y).mapRect(target)
        if self.adjustment is None:
            painter.drawImage(target, image, source)
        else:
            painter.drawImage(target, self._adjusted(image, source, target.size() * scale, smooth=smooth))
        if self.tint is not None:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
            painter.fillRect(target, self.tint)

    def _adjusted(self, image: QImage, source: QRectF, size: QSizeF, *, smooth: bool) -> QImage:
        """Return a part of a level in other tones, at the size in pixels at which it is drawn."""
        assert self.adjustment is not None
        part = QImage(max(1, ceil(size.width())), max(1, ceil(size.height())), QImage.Format.Format_RGB32)
        painter = QPainter(part)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawImage(QRectF(part.rect()), image, source)
        painter.end()
        return self.adjustment(part)

    def level(self, width_px: float) -> QImage:
        """Choose the coarsest level that is at least as wide as it is drawn."""
        wide_enough = (image for image in reversed(self._levels) if image.width() >= width_px * 0.99)
        return next(wide_enough, self._levels[0])


class ImageView(QGraphicsView):
    """A picture with zoom at the cursor, pan by dragging, fit and actual size; keyboard alike."""

    zoom_changed = Signal(float)
    """Screen pixels for each pixel of the picture at full resolution."""
    view_changed = Signal()
    """What is seen of the scene has moved or changed scale."""
    pointed = Signal(object)
    """The place under the pointer, in scene coordinates; None when the pointer leaves."""
    clicked = Signal(QPointF)
    """A click that was no drag, in scene coordinates."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setScene(QGraphicsScene(self))
        self.image_item = ImageItem()
        self.scene().addItem(self.image_item)
        self.spotlight: QRectF | None = None
        """The part of the picture that is worked on, where what is around it is shaded."""
        self._fitted = True
        self._pressed_at: QPointF | None = None
        self._space_held = False
        self._panned_to: QPoint | None = None
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setAcceptDrops(False)  # the window takes drops, wherever they fall
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setMinimumSize(120, 120)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so that what is scrolled is not redrawn
        self.horizontalScrollBar().valueChanged.connect(self.view_changed)
        self.verticalScrollBar().valueChanged.connect(self.view_changed)

    def set_images(
        self, levels: Sequence[QImage], width_px: float, height_px: float, *, keep_view: bool = False
    ) -> None:
        """Show a picture; the scale and place stay if it is as large as the one before, or if they are to be kept."""
        same_size = self.image_item.boundingRect() == QRectF(0, 0, width_px, height_px)
        self.image_item.set_images(levels, width_px, height_px)
        if not same_size:
            # Room beyond the picture, so that its edges can be brought to the middle of the view.
            room = 0.5 * max(width_px, height_px)
            self.setSceneRect(QRectF(0, 0, width_px, height_px).adjusted(-room, -room, room, room))
            if self._fitted or not keep_view:
                self.fit()

    @property
    def whole(self) -> QRectF:
        """What there is to be seen of the scene: the picture."""
        return self.image_item.boundingRect()

    @property
    def zoom(self) -> float:
        """Screen pixels for each pixel of the picture."""
        return self.transform().m11() * self.devicePixelRatioF()

    def set_zoom(self, zoom: float, at: QPoint | None = None) -> None:
        """Set the scale; a point of the viewport, the middle if none is given, stays where it is."""
        least = min(self._fit_zoom() * 0.5, 1.0)
        factor = min(max(zoom, least), _MAX_ZOOM) / self.zoom
        at = self.viewport().rect().center() if at is None else at
        point = self.mapToScene(at)
        self._fitted = False
        self.scale(factor, factor)
        moved = self.mapFromScene(point) - at
        self._move_by(moved.x(), moved.y())
        self.zoom_changed.emit(self.zoom)
        self.view_changed.emit()

    def zoom_in(self) -> None:
        """Enlarge by a step, about the middle."""
        self.set_zoom(self.zoom * 1.5)

    def zoom_out(self) -> None:
        """Reduce by a step, about the middle."""
        self.set_zoom(self.zoom / 1.5)

    def actual_size(self) -> None:
        """Show each pixel of the picture as one pixel of the screen."""
        self.set_zoom(1.0)

    def fit(self) -> None:
        """Show the whole picture, and keep doing so while the view is resized."""
        rect = self.whole
        if rect.isEmpty():
            return
        self._show(rect, self._fit_zoom() / self.devicePixelRatioF(), fitted=True)

    def fit_width(self) -> None:
        """Show the whole width of the picture, its upper edge at that of the view."""
        rect, view = self.whole, self.viewport().size()
        if rect.isEmpty():
            return
        scale = (view.width() - 2 * _MARGIN_PX) / rect.width()
        seen = min(rect.height(), view.height() / scale - 2 * _MARGIN_PX / scale)
        self._show(QRectF(rect.left(), rect.top(), rect.width(), seen), scale, fitted=False)

    @property
    def looked_at(self) -> tuple[float, float, float] | None:
        """The scale and the point in the middle, to be handed to `look_at`; None while the whole picture is shown."""
        if self._fitted or self.image_item.boundingRect().isEmpty():
            return None
        middle = self.mapToScene(self.viewport().rect().center())
        return self.zoom, middle.x(), middle.y()

    def look_at(self, zoom: float, x: float, y: float) -> None:
        """Show what was looked at before."""
        self._show(QRectF(x, y, 0, 0), min(max(zoom, 0.005), _MAX_ZOOM) / self.devicePixelRatioF(), fitted=False)

    def show_region(self, rect: QRectF, *, fill: float = 0.8) -> None:
        """Centre on a part of the picture, at a scale at which it fills that share of the view."""
        if rect.isEmpty():
            return
        size, whole = self.viewport().size(), self.whole
        scale = fill * min(size.width() / rect.width(), size.height() / rect.height())
        # Nothing of the picture is cut off for the room beside it.
        x = _kept_in(rect.center().x(), whole.left(), whole.right(), size.width() / scale)
        y = _kept_in(rect.center().y(), whole.top(), whole.bottom(), size.height() / scale)
        self._show(QRectF(x, y, 0, 0), scale, fitted=False)

    def _show(self, rect: QRectF, scale: float, *, fitted: bool) -> None:
        self._fitted = fitted
        self.setTransform(QTransform.fromScale(scale, scale))
        self.centerOn(rect.center())
        self.zoom_changed.emit(self.zoom)
        self.view_changed.emit()

    def _fit_zoom(self) -> float:
        rect = self.whole
        if rect.isEmpty():
            return 1.0
        width, height = self.viewport().width() - 2 * _MARGIN_PX, self.viewport().height() - 2 * _MARGIN_PX
        return max(0.005, min(width / rect.width(), height / rect.height())) * self.devicePixelRatioF()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, QColor(theme.colours().canvas))
        picture = self.image_item.boundingRect()
        if picture.isEmpty():
            return
        seen = self.mapFromScene(picture).boundingRect()
        painter.save()
        painter.resetTransform()
        beside = QRegion(self.viewport().rect()) - QRegion(seen.adjusted(1, 1, -1, -1))  # under it, nobody sees it
        painter.setClipRegion(beside, Qt.ClipOperation.IntersectClip)
        for spread, strength in ((7, 5), (4, 9), (2, 16), (1, 34)):  # a soft shadow, as paper has on a table
            painter.fillRect(seen.adjusted(-spread, -spread, spread, spread + 1), QColor(0, 0, 0, strength))
        painter.restore()

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawForeground(painter, rect)
        if self.spotlight is not None:
            page, lit = self.image_item.boundingRect(), self.spotlight
            for beside in (
                QRectF(page.topLeft(), QPointF(page.right(), lit.top())),
                QRectF(QPointF(page.left(), lit.bottom()), page.bottomRight()),
                QRectF(QPointF(page.left(), lit.top()), lit.bottomLeft()),
                QRectF(lit.topRight(), QPointF(page.right(), lit.bottom())),
            ):
                painter.fillRect(beside, theme.translucent(theme.colours().canvas, _SHADE))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        # What comes and goes below a picture leaves it where it is.
        same_width = event.oldSize().width() == event.size().width()
        anchors = QGraphicsView.ViewportAnchor
        self.setResizeAnchor(anchors.NoAnchor if same_width else anchors.AnchorViewCenter)
        super().resizeEvent(event)
        if self._fitted:
            self.fit()
        self.view_changed.emit()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        # A wheel zooms, as in every viewer of images; fingers on a touch pad move the picture.
        fingers = event.phase() != Qt.ScrollPhase.NoScrollPhase and not event.pixelDelta().isNull()
        if fingers and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._move_by(-event.pixelDelta().x(), -event.pixelDelta().y())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._move_by(-(event.angleDelta().y() or event.angleDelta().x()), 0)
        else:
            self.set_zoom(self.zoom * _WHEEL_STEP ** (event.angleDelta().y() / 120), event.position().toPoint())
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if (
            isinstance(event, QtGui.QNativeGestureEvent)
            and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture
        ):
            self.set_zoom(self.zoom * (1 + event.value()), event.position().toPoint())
            return True
        return super().viewportEvent(event)

    def pans(self, event: QtGui.QMouseEvent) -> bool:
        """Return whether a press moves the picture, whatever else a press does here: middle button, or Space held."""
        button, buttons = event.button(), Qt.MouseButton
        return button == buttons.MiddleButton or (self._space_held and button == buttons.LeftButton)

    @property
    def panning(self) -> bool:
        """Whether the picture is being moved by the middle button or with Space."""
        return self._panned_to is not None

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.pans(event):
            self._panned_to = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            event.accept()
            return
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        at = event.position().toPoint()
        if self._panned_to is not None:
            self._move_by(self._panned_to.x() - at.x(), self._panned_to.y() - at.y())
            self._panned_to = at
            event.accept()
        else:
            super().mouseMoveEvent(event)
        self.pointed.emit(self.mapToScene(at))

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self.panning:
            self._panned_to = None
            self._set_idle_cursor()
            event.accept()
            return
        super().mouseReleaseEvent(event)
        self._set_idle_cursor()
        if event.button() == Qt.MouseButton.LeftButton and self._pressed_at is not None:
            moved = (event.position() - self._pressed_at).manhattanLength()
            self._pressed_at = None
            if moved < QGuiApplication.styleHints().startDragDistance():
                self.clicked.emit(self.mapToScene(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._space_held = False
        self._set_idle_cursor()

    def _set_idle_cursor(self) -> None:
        """Show by the pointer's shape what a press would do."""
        shape = Qt.CursorShape.OpenHandCursor if self._space_held else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._fitted:
            self.set_zoom(1.0, event.position().toPoint())
        else:
            self.fit()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        keys, step = Qt.Key, 60
        moves = {
            keys.Key_Left: (-step, 0),
            keys.Key_Right: (step, 0),
            keys.Key_Up: (0, -step),
            keys.Key_Down: (0, step),
        }
        if event.key() in moves:
            self._move_by(*moves[keys(event.key())])
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            bar = self.verticalScrollBar()
            rect = self.mapFromScene(self.whole).boundingRect()
            end = rect.bottom() - self.viewport().height() if event.key() == Qt.Key.Key_End else rect.top()
            bar.setValue(bar.value() + end)
        elif event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space_held = True
                self._set_idle_cursor()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space_held = False
            if self._panned_to is None:
                self._set_idle_cursor()
        else:
            super().keyReleaseEvent(event)

    def _move_by(self, x_px: int, y_px: int) -> None:
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() + x_px)
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + y_px)


def _kept_in(middle: float, least: float, most: float, seen: float) -> float:
    """Move the middle of what is seen so that nothing beside the picture is, as far as that is possible."""
    if most - least <= seen:
        return (least + most) / 2
    return min(max(middle, least + seen / 2), most - seen / 2)
