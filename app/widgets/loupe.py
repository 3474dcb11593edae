"""The loupe: a piece of the picture around the pointer, enlarged, pixels shown as they are."""

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app import theme
from app.widgets.image_view import ImageView

_SIDE_PX = 220
_LEAST_ZOOM = 3.0
"""Screen pixels for each pixel of the picture; more where the picture itself is enlarged."""
_AWAY_PX = 24


class Loupe(QWidget):
    """Lies over a view while it is switched on, beside the pointer; the mouse goes through it.

    Parameters
    ----------
    view : ImageView
        What is enlarged.
    """

    def __init__(self, view: ImageView) -> None:
        super().__init__(view.viewport())
        self.view = view
        self._point: QPointF | None = None
        self._on = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Loupe"))
        self.resize(_SIDE_PX, _SIDE_PX)
        self.hide()
        view.pointed.connect(self._follow)
        view.view_changed.connect(self._move_along)
        view.viewport().installEventFilter(self)

    def set_on(self, on: bool, *, in_middle: bool = False) -> None:
        """Switch it on or off; it appears under the pointer, or at first in the middle of the view."""
        self._on = on
        middle = self.view.mapToScene(self.view.viewport().rect().center()) if in_middle else None
        self._follow(middle if on else None)

    @property
    def zoom(self) -> float:
        """Screen pixels for each pixel of the picture."""
        return max(_LEAST_ZOOM, 2 * self.view.zoom)

    @property
    def region(self) -> QRectF:
        """The part of the picture that it shows, in scene coordinates."""
        side = _SIDE_PX * self.devicePixelRatioF() / self.zoom
        point = self._point or QPointF()
        return QRectF(point.x() - side / 2, point.y() - side / 2, side, side)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._move_along()
        return super().eventFilter(watched, event)

    def _follow(self, point: QPointF | None) -> None:
        self._point = point
        self.setVisible(self._on and point is not None and self.view.image_item.finest is not None)
        self._move_along()

    def _move_along(self) -> None:
        """Lie right of the pointer and below; on the other side where there is no room."""
        if not self.isVisible() or self._point is None:
            return
        at, room = self.view.mapFromScene(self._point), self.view.viewport().size()
        x = at.x() + _AWAY_PX if at.x() + _AWAY_PX + _SIDE_PX <= room.width() else at.x() - _AWAY_PX - _SIDE_PX
        y = at.y() + _AWAY_PX if at.y() + _AWAY_PX + _SIDE_PX <= room.height() else at.y() - _AWAY_PX - _SIDE_PX
        self.move(max(0, x), max(0, y))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        image, picture = self.view.image_item.finest, self.view.image_item.boundingRect()
        if image is None:
            return
        colours = theme.colours()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colours.canvas))
        region = self.region
        shown = region.intersected(picture)
        if not shown.isEmpty():
            to_widget = _SIDE_PX / region.width()
            target = QRectF((shown.topLeft() - region.topLeft()) * to_widget, shown.size() * to_widget)
            scale = image.width() / picture.width()
            part = QRectF(shown.topLeft() * scale, shown.size() * scale)
            adjustment = self.view.image_item.adjustment
            if adjustment is not None:
                inside = part.toAlignedRect()
                image, part = adjustment(image.copy(inside)), part.translated(-QPointF(inside.topLeft()))
            painter.drawImage(target, image, part)
        painter.setPen(QPen(QColor(colours.accent), 2))
        painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
