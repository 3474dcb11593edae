"""A page of the light table as it is painted: its picture, and below it its number and what is doubtful."""

from math import isnan

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app import theme
from app.table.page_model import OVERVIEW_ROLE, PICTURE_ROLE
from app.widgets.note_marks import paint_mark
from app.widgets.rows import Index, is_selected, paint_tile
from core.inspection.page_overview import PageOverview
from core.matching.confidence import DOUBTFUL, percentage

_PADDING, _GAP = 8, 5
_BREADTH = 0.76
"""Of the room for a picture, as a share of its height: a little more than that of a page."""
_NARROW_PX = 92
"""In a narrower cell there is room for the number and the signs alone."""
_DOUBT, _WIDE = "?", "↔"
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cell_size(side_px: int, line_px: int) -> QSize:
    """Return how much room a page takes, with a picture and lines of text that high."""
    width = round(_BREADTH * side_px) + 2 * _PADDING
    lines = 1 if width < _NARROW_PX else 2
    return QSize(width, side_px + 2 * _PADDING + _GAP + lines * line_px)


class PageDelegate(QStyledItemDelegate):
    """Paints pages."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.side_px = 160
        """Height of the room for a picture, in pixels of the screen."""
        self.paper_mm = 210.0
        """Breadth of an intact page."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return cell_size(self.side_px, option.fontMetrics.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        page: PageOverview = index.data(OVERVIEW_ROLE)
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        paint_tile(painter, option, option.rect.adjusted(2, 2, -2, -2), radius=6)
        inside = option.rect.adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        room = QRect(inside.left(), inside.top(), inside.width(), self.side_px)
        self._paint_picture(painter, room, index.data(PICTURE_ROLE), bool(page.noted))
        line = QRect(inside.left(), room.bottom() + _GAP, inside.width(), option.fontMetrics.height())
        self._paint_first_line(painter, option, line, page)
        if option.rect.width() >= _NARROW_PX:
            self._paint_second_line(painter, line.translated(0, line.height()), page)
        painter.restore()

    def _paint_picture(self, painter: QPainter, room: QRect, picture: QPixmap | None, noted: bool) -> None:
        size = QSize(round(0.7 * room.height()), room.height()) if picture is None else picture.size()
        place = QRect(QPoint(), size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio))
        place.moveCenter(room.center())
        if picture is None:
            painter.fillRect(place, QColor(theme.colours().hover))
        else:
            painter.drawPixmap(place, picture)
        painter.setPen(QColor(0, 0, 0, 60))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        if noted:
            paint_mark(painter, place.topRight())

    def _paint_first_line(
        self, painter: QPainter, option: QStyleOptionViewItem, line: QRect, page: PageOverview
    ) -> None:
        """Write the number, and where there is no other line for it, the signs of what is doubtful."""
        colours, font = theme.colours(), option.font
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(colours.accent if is_selected(option) else colours.text))
        painter.drawText(line, _LEFT, str(page.page + 1))
        if option.rect.width() < _NARROW_PX:
            signs = (_WIDE if page.too_wide else "") + (_DOUBT if page.n_doubtful else "")
            painter.setPen(QColor(colours.doubtful))
            painter.drawText(line, _RIGHT, signs)

    def _paint_second_line(self, painter: QPainter, line: QRect, page: PageOverview) -> None:
        """Write how sure the least sure join is, and how wide the page is; a sign stands before what is doubtful."""
        colours, font = theme.colours(), painter.font()
        font.setBold(False)
        font.setPixelSize(11)
        painter.setFont(font)
        if page.least_sure is not None:
            doubtful = page.least_sure.confidence < DOUBTFUL
            painter.setPen(QColor(colours.doubtful if doubtful else colours.quiet))
            sure = percentage(page.least_sure.confidence)
            painter.drawText(line, _LEFT, f"{_DOUBT} {sure}" if doubtful else sure)
        if not isnan(page.width):
            painter.setPen(QColor(colours.doubtful if page.too_wide else colours.quiet))
            width = self.tr("{n:.0f} mm").format(n=page.width * self.paper_mm)
            painter.drawText(line, _RIGHT, f"{_WIDE} {width}" if page.too_wide else width)
