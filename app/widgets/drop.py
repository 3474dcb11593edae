"""Drag and drop: the whole window takes files and folders, and says so while they hover over it."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from app import theme


def dropped_paths(data: QMimeData) -> list[Path]:
    """List the local files and folders among what is dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


_SERVERS = frozenset(
    {"smb", "sftp", "ftp", "ftps", "fish", "nfs", "afp", "afc", "dav", "davs", "webdav", "mtp", "gphoto2"}
)
"""How file managers address what lies on another computer, or on a device that is no drive."""


def foreign_places(data: QMimeData) -> list[str]:
    """List what is dragged from a server's folder in the file manager."""
    return [url.toDisplayString() for url in data.urls() if url.scheme().lower() in _SERVERS]


_OVER = frozenset(
    {
        QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.Wheel,
        QEvent.Type.KeyPress,
    }
)  # fmt: skip
"""What no program sees while something is dragged over it: a drag that was given up elsewhere ends without a word."""


class DropOverlay(QWidget):
    """Lies over a window while files hover over it; with a case open one half adds to it, the other replaces it."""

    dropped = Signal(object, bool)
    """The paths, and whether they are to be added to what is open."""

    refused = Signal(object)
    """Addresses that are no files on this computer."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.can_add = False
        self.enabled = True
        self._adding = False
        self.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        if event.type() in _OVER and self.isVisible():
            self.hide()
        if window is not self._window:
            return False
        if isinstance(event, QDropEvent) and not (
            self.enabled and (dropped_paths(event.mimeData()) or foreign_places(event.mimeData()))
        ):
            return False
        if isinstance(event, QDragEnterEvent):
            self.setGeometry(self._window.rect())
            self.raise_()
            self.show()
            self._watch(True)
        if isinstance(event, QDragMoveEvent):
            self._point_at(event.position().toPoint())
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
            return True
        if isinstance(event, QDropEvent):
            self.hide()
            self._point_at(event.position().toPoint())
            event.acceptProposedAction()
            if paths := dropped_paths(event.mimeData()):
                self.dropped.emit(paths, self._adding)
            if foreign := foreign_places(event.mimeData()):
                self.refused.emit(foreign)
            return True
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        self._watch(False)
        super().hideEvent(event)

    def _watch(self, on: bool) -> None:
        """See all events while it is shown: those of mouse and keys come only once the drag is over."""
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        if on:
            application.installEventFilter(self)

    def _point_at(self, point: QPoint) -> None:
        self._adding = self.can_add and point.x() < self._window.width() / 2
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.translucent(theme.colours().window, 225))
        whole = QRectF(self.rect()).adjusted(24, 24, -24, -24)
        if not self.can_add:
            self._paint_zone(painter, whole, self.tr("Drop to reconstruct"), True)
            return
        half = whole.width() / 2
        left, right = whole.adjusted(0, 0, -half - 10, 0), whole.adjusted(half + 10, 0, 0, 0)
        self._paint_zone(painter, left, self.tr("Add to these sheets"), self._adding)
        self._paint_zone(painter, right, self.tr("Start anew with these"), not self._adding)

    def _paint_zone(self, painter: QPainter, zone: QRectF, text: str, active: bool) -> None:
        colours = theme.colours()
        outline = QColor(colours.accent if active else colours.faint)
        painter.setPen(QPen(outline, 2.5 if active else 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(theme.translucent(colours.tint if active else colours.window, 240))
        painter.drawRoundedRect(zone, 16, 16)
        colour = colours.accent if active else colours.quiet
        picture = theme.picture("sheet", 56, colour, self.devicePixelRatioF())
        painter.drawPixmap(zone.center() - QPointF(28, 70), picture)
        font = painter.font()
        font.setPixelSize(22)
        font.setBold(active)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(zone.translated(0, 16), Qt.AlignmentFlag.AlignCenter, text)
