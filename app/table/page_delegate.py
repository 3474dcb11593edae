"""A page of the light table as it is painted: its picture, and below it its number and what is doubtful."""

from math import isnan
from time import perf_counter

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap, QRegion
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app import theme
from app.table.page_model import OVERVIEW_ROLE, PICTURE_ROLE
from app.widgets.note_marks import paint_mark
from app.widgets.rows import Index, is_selected, paint_tile
from core.inspection.page_overview import PageOverview
from core.matching.confidence import percentage

_PADDING, _GAP = 8, 5
_BREADTH = 0.76
"""Of the room for a picture, as a share of its height: a little more than that of a page."""
_PAGE = 0.7
_NARROW_PX = 92
"""In a narrower cell there is room for the number and the signs alone."""
_FRAME_S, _HASTE_S = 0.012, 0.004
"""So long pages are painted in a frame, and then pictures alone: what else it takes leaves room for 30 a second."""
_DOUBT, _WIDE = "?", "↔"
_DISC = 14
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def cell_size(side_px: int, line_px: int, with_document: bool) -> QSize:
    """Return how much room a page takes, with a picture and lines of text that high."""
    width = round(_BREADTH * side_px) + 2 * _PADDING
    lines = 1 if width < _NARROW_PX else 2 + with_document
    return QSize(width, side_px + 2 * _PADDING + _GAP + lines * line_px)


def picture_place(cell: QRect, side_px: int, picture: QPixmap | None) -> QRect:
    """Return where in its cell the picture of a page is drawn, or the sheet that stands for it until it is made."""
    inside = cell.adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
    room = QRect(inside.left(), inside.top(), inside.width(), side_px)
    size = QSize(round(_PAGE * side_px), side_px) if picture is None else picture.size()
    place = QRect(QPoint(), size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio))
    place.moveCenter(room.center())
    return place


class PageDelegate(QStyledItemDelegate):
    """Paints pages."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.side_px = 160
        """Height of the room for a picture, in pixels of the screen."""
        self.with_document = False
        """Whether there is a line for the document that a page belongs to."""
        self.paper_mm = 210.0
        """Breadth of an intact page."""
        self.left_over: set[int] = set()
        """Rows that the frame had no time for: pictures alone, or empty sheets, stand there until the next one."""
        self.begin_frame(QRegion(), QFont())

    def begin_frame(self, region: QRegion, font: QFont) -> None:
        """Begin to paint a region in that type, for so long as a frame may take."""
        self._region, self._ends = region, perf_counter() + _FRAME_S
        self._colours, self._plain, self._bold, self._small = theme.colours(), font, QFont(font), QFont(font)
        self._bold.setBold(True)
        self._small.setPixelSize(11)
        self._metrics = QFontMetrics(self._bold)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return cell_size(self.side_px, option.fontMetrics.height(), self.with_document)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if not self._region.intersects(option.rect):
            return  # Qt paints all that lies between the cells that changed
        if (late_s := perf_counter() - self._ends) > 0:
            self.left_over.add(index.row())
            self._paint_hastily(painter, option.rect, index.data(PICTURE_ROLE) if late_s < _HASTE_S else None)
            return
        page: PageOverview = index.data(OVERVIEW_ROLE)
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        paint_tile(painter, option, option.rect.adjusted(2, 2, -2, -2), radius=6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        inside = option.rect.adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        picture: QPixmap | None = index.data(PICTURE_ROLE)
        place = picture_place(option.rect, self.side_px, picture)
        self._paint_picture(painter, place, picture, bool(page.noted))
        line = QRect(inside.left(), inside.top() + self.side_px + _GAP, inside.width(), option.fontMetrics.height())
        self._paint_first_line(painter, option, line, page)
        if option.rect.width() >= _NARROW_PX:
            self._paint_second_line(painter, line.translated(0, line.height()), page)
            painter.setPen(QColor(self._colours.quiet))
            _write(painter, line.translated(0, 2 * line.height()), page.document)
        painter.restore()

    def _paint_hastily(self, painter: QPainter, cell: QRect, picture: QPixmap | None) -> None:
        """Paint the picture alone, and an empty sheet for one that would have to be scaled."""
        place = picture_place(cell, self.side_px, picture)
        is_as_large = picture is not None and picture.size() == place.size() * painter.device().devicePixelRatio()
        self._paint_picture(painter, place, picture if is_as_large else None, noted=False)

    def _paint_picture(self, painter: QPainter, place: QRect, picture: QPixmap | None, noted: bool) -> None:
        if picture is None:
            painter.fillRect(place, QColor(self._colours.hover))
        else:
            painter.drawPixmap(place, picture)
        if noted:
            paint_mark(painter, place.topRight())

    def _paint_first_line(
        self, painter: QPainter, option: QStyleOptionViewItem, line: QRect, page: PageOverview
    ) -> None:
        """Write the number, and where there is no other line for it, the signs of what is doubtful."""
        colours = self._colours
        painter.setFont(self._bold)
        painter.setPen(QColor(colours.accent if is_selected(option) else colours.text))
        number = f"{page.page + 1} "
        painter.drawText(line, _LEFT, number)
        line = line.adjusted(self._metrics.horizontalAdvance(number), 0, 0, 0)
        if page.state != "new":
            _paint_state(painter, QPoint(line.right() - _DISC // 2, line.center().y()), page)
            line = line.adjusted(0, 0, -_DISC - 4, 0)
        if option.rect.width() >= _NARROW_PX:
            painter.setFont(self._plain)
            painter.setPen(QColor(colours.text))
            _write(painter, line, page.name)
        else:
            signs = (_WIDE if page.too_wide else "") + (_DOUBT if page.n_doubtful else "")
            painter.setPen(QColor(colours.doubtful))
            painter.drawText(line, _RIGHT, signs)

    def _paint_second_line(self, painter: QPainter, line: QRect, page: PageOverview) -> None:
        """Write how sure the least sure join is, and how wide the page is; a sign stands before what is doubtful."""
        colours = self._colours
        painter.setFont(self._small)
        if page.least_sure is not None:
            doubtful = page.least_sure.doubtful
            painter.setPen(QColor(colours.doubtful if doubtful else colours.quiet))
            sure = percentage(page.least_sure.confidence or 0.0)
            painter.drawText(line, _LEFT, f"{_DOUBT} {sure}" if doubtful else sure)
        if not isnan(page.width):
            painter.setPen(QColor(colours.doubtful if page.too_wide else colours.quiet))
            width = self.tr("{n:.0f} mm").format(n=page.width * self.paper_mm)
            painter.drawText(line, _RIGHT, f"{_WIDE} {width}" if page.too_wide else width)


def _write(painter: QPainter, line: QRect, text: str) -> None:
    """Write a text from the left, shortened to the room there is."""
    if text:
        painter.drawText(line, _LEFT, painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width()))


def _paint_state(painter: QPainter, middle: QPoint, page: PageOverview) -> None:
    """Draw a disc: open for what was reviewed, with a tick for what is done, with "!" for what was changed since."""
    colours, font = theme.colours(), painter.font()
    colour = QColor(colours.fair if page.changed else colours.sure)
    filled = page.changed or page.state == "done"
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.6))
    painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
    disc = QRect(0, 0, _DISC, _DISC)
    disc.moveCenter(middle)
    painter.drawEllipse(disc.adjusted(1, 1, -1, -1))
    font.setPixelSize(_DISC - 4)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(colours.panel if filled else colours.sure))
    painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, "!" if page.changed else "✓" if filled else "")
    painter.restore()
