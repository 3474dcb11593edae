"""The order of all shreds as a strip of thumbnails, page after page: choose, drag, and walk by keys."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app import theme
from app.handling import Handling, Place
from app.note_marks import SIDE, paint_mark, told
from app.notes import key_of
from app.opened import Selection
from app.pointer import ShredPointer, extended
from app.thumbnails import STRIP_SIZE, strips
from app.workspace import Workspace
from core.matching import DOUBTFUL

if TYPE_CHECKING:
    from app.dragging import ShredDrag
    from app.tasks import Task
    from core.arrangement import JoinState
    from core.case import JoinInfo

_GAP, _PAGE_GAP, _HEAD, _FOOT = 3, 26, 20, 16
_SCROLL_ZONE = 36
"""So near to its ends a strip scrolls while something is dragged over it."""
_MIN_WIDTH, _MAX_WIDTH = 10, 60


@dataclass(frozen=True)
class Cell:
    """Where a shred is drawn, in the coordinates of the whole strip."""

    shred: str
    page: int
    position: int
    x: int


class OrderStrip(QAbstractScrollArea):
    """Shows the order and lets it be changed.

    Parameters
    ----------
    workspace : Workspace
        Whose case it shows.
    handling : Handling
        What can be done with chosen shreds.
    drag : ShredDrag
        Carries shreds between the views.
    """

    menu_wanted = Signal(QPoint)

    def __init__(
        self, workspace: Workspace, handling: Handling, drag: ShredDrag, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace, self._handling = workspace, handling
        self._thumbnails: dict[str, QImage] = {}
        self._cells: list[Cell] = []
        self._starts: list[int] = []
        self._pages: list[tuple[int, int]] = []
        self._joins: dict[str, JoinInfo] = {}
        self._notes: dict[str, str] = {}
        self._marked: Place | None = None
        self._task: Task | None = None
        self._cell_width = 20
        self._shown = Selection()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(90)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(self.tr("Order of the shreds"))
        self.setAccessibleDescription(self.tr("Left and Right choose a shred, with Shift several; Ctrl moves them."))
        self._pointer = ShredPointer(self.viewport(), workspace, drag, self.shred_at, self.shreds_in)
        drag.add_target(self)
        workspace.case_changed.connect(self._show_case)
        workspace.arrangement_changed.connect(self._arrange)
        workspace.page_changed.connect(self.viewport().update)
        workspace.selection_changed.connect(self._show_selection)
        handling.cut_changed.connect(self.viewport().update)

    # What is shown

    def _show_case(self) -> None:
        """Have the thumbnails of another case made."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._thumbnails.clear()
        self._arrange()
        case = self._workspace.case
        if case is not None:
            shreds = case.shreds
            self._task = self._workspace.tasks.start(lambda progress, deliver: strips(shreds, progress, deliver))
            self._task.delivered.connect(self._add_thumbnails)
            self._task.failed.connect(self._workspace.failed)

    def _add_thumbnails(self, made: dict[str, QImage]) -> None:
        self._thumbnails |= made
        self.viewport().update()

    def _arrange(self) -> None:
        """Find where everything is drawn."""
        case = self._workspace.case
        self._cells, self._pages, x = [], [], _GAP
        for number, page in enumerate(case.arrangement.pages if case else ()):
            start = x
            for position, shred in enumerate(page):
                self._cells.append(Cell(shred, number, position, x))
                x += self._cell_width + _GAP
            self._pages.append((start, x - _GAP))
            x += _PAGE_GAP
        self._starts = [cell.x for cell in self._cells]
        self._joins = {join.right: join for join in case.joins} if case else {}
        self._notes = case.arrangement.notes if case else {}
        self._fit_scroll_bar()
        self.viewport().update()

    def _fit_scroll_bar(self) -> None:
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        end = self._pages[-1][1] + _PAGE_GAP if self._pages else 0
        bar.setPageStep(width)
        bar.setSingleStep(self._cell_width + _GAP)
        bar.setRange(0, max(0, end - width))

    def set_cell_width(self, width: int) -> None:
        """Draw thumbnails wider or narrower, in pixels of the screen."""
        self._cell_width = max(_MIN_WIDTH, min(width, _MAX_WIDTH))
        self._arrange()

    def _show_selection(self) -> None:
        """Bring the current shred in sight, and draw those anew that are chosen now or were before."""
        before, self._shown = self._shown, self._workspace.selection
        changed = {*before.shreds, *self._shown.shreds}
        for shown in self._visible():
            if shown.shred in changed:
                self.viewport().update(self._column(shown))
        cell = next((cell for cell in self._cells if cell.shred == self._shown.shred), None)
        if cell is not None:
            bar = self.horizontalScrollBar()
            if not bar.value() <= cell.x <= bar.value() + self.viewport().width() - self._cell_width:
                bar.setValue(cell.x - self.viewport().width() // 2)

    # Places

    def rect_of(self, shred: str) -> QRect:
        """Give where a shred is drawn in the viewport; empty for one that stands on no page."""
        cell = next((cell for cell in self._cells if cell.shred == shred), None)
        return self._rect(cell) if cell else QRect()

    def _rect(self, cell: Cell) -> QRect:
        height = self.viewport().height() - _HEAD - _FOOT
        return QRect(cell.x - self.horizontalScrollBar().value(), _HEAD, self._cell_width, height)

    def _visible(self) -> Iterator[Cell]:
        left = self.horizontalScrollBar().value()
        first = max(0, bisect_left(self._starts, left - self._cell_width) - 1)
        last = bisect_right(self._starts, left + self.viewport().width())
        return iter(self._cells[first:last])

    def shred_at(self, at: QPoint) -> str:
        """Find the shred at a place in the viewport, "" for none."""
        return next((cell.shred for cell in self._visible() if self._rect(cell).contains(at)), "")

    def shreds_in(self, area: QRect) -> list[str]:
        """Find the shreds that an area of the viewport touches."""
        return [cell.shred for cell in self._visible() if self._rect(cell).intersects(area)]

    def place_at(self, at: QPoint) -> Place | None:
        """Give the place in the order under a point of the screen; near the ends scroll on."""
        inside = self.viewport().mapFromGlobal(at)
        if not self.isVisible() or not self.viewport().rect().contains(inside) or not self._pages:
            return None
        bar = self.horizontalScrollBar()
        if inside.x() < _SCROLL_ZONE:
            bar.setValue(bar.value() - self._cell_width)
        elif inside.x() > self.viewport().width() - _SCROLL_ZONE:
            bar.setValue(bar.value() + self._cell_width)
        x = inside.x() + bar.value()
        ends = [end + _PAGE_GAP // 2 for _, end in self._pages]
        page = min(bisect_left(ends, x), len(self._pages) - 1)
        step = self._cell_width + _GAP
        n = len(self._workspace.case.arrangement.pages[page]) if self._workspace.case else 0
        return Place(page, max(0, min(round((x - self._pages[page][0]) / step), n)))

    def mark_drop(self, place: Place | None) -> None:
        """Show a place in the order, or take the mark away."""
        if place != self._marked:
            self._marked = place
            self.viewport().update()

    @property
    def marked(self) -> Place | None:
        """The place that is marked for a drop."""
        return self._marked

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, painter = theme.colours(), QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(colours.window))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        font = painter.font()
        font.setPixelSize(11)
        painter.setFont(font)
        self._paint_pages(painter, colours)
        font.setPixelSize(9)
        painter.setFont(font)
        chosen, cut = set(self._workspace.selection.shreds), set(self._handling.cut)
        arrangement = self._workspace.case.arrangement if self._workspace.case else None
        for cell in self._visible():
            if not event.region().intersects(self._column(cell)):
                continue
            upside_down = arrangement is not None and cell.shred in arrangement.half_turned
            self._paint_cell(painter, cell, cell.shred in chosen, cell.shred in cut, upside_down)
            if cell.position:
                self._paint_join(painter, cell)
        if self._marked is not None:
            self._paint_drop(painter, self._marked)

    def _column(self, cell: Cell) -> QRect:
        """Give all that is painted for a cell: its name below it reaches further than itself, its join to its left."""
        rect = self._rect(cell)
        return QRect(rect.left() - _GAP - 8, 0, rect.width() + _GAP + 16, self.viewport().height())

    def _paint_pages(self, painter: QPainter, colours: theme.Colours) -> None:
        left, width = self.horizontalScrollBar().value(), self.viewport().width()
        for number, (start, end) in enumerate(self._pages):
            if end > left and start < left + width:
                shown = number == self._workspace.page
                painter.setPen(QColor(colours.text if shown else colours.quiet))
                # The name stays in sight while any part of its page is.
                x = max(start - left, min(_GAP, end - left - 60))
                painter.drawText(QPoint(x, 13), self.tr("Page {n}").format(n=number + 1))
                if shown:
                    painter.fillRect(start - left, _HEAD - 3, end - start, 2, QColor(colours.accent))

    def _paint_cell(self, painter: QPainter, cell: Cell, chosen: bool, cut: bool, upside_down: bool) -> None:
        colours, rect = theme.colours(), self._rect(cell)
        thumbnail = self._thumbnails.get(cell.shred)
        painter.setOpacity(0.35 if cut else 1.0)
        if thumbnail is None:
            painter.fillRect(rect, QColor(colours.hover))
        elif upside_down:
            painter.save()
            painter.translate(rect.x() + rect.width(), rect.y() + rect.height())
            painter.rotate(180)
            painter.drawImage(QRect(QPoint(), rect.size()), thumbnail)
            painter.restore()
        else:
            painter.drawImage(rect, thumbnail)
        painter.setOpacity(1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if chosen:
            accent = QColor(colours.accent)
            painter.fillRect(rect, QColor(accent.red(), accent.green(), accent.blue(), 60))
            current = cell.shred == self._workspace.selection.shred
            painter.setPen(QPen(accent, 3 if current else 2))
            painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))
        else:
            painter.setPen(QColor(colours.border))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        if cell.shred in self._notes:
            paint_mark(painter, rect.topRight())
        if upside_down:
            painter.setPen(QColor(theme.LIGHT.accent))  # on paper, which is white in every theme
            painter.drawText(rect.adjusted(0, 2, 0, 0), Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, "↻")
        painter.setPen(QColor(colours.text if chosen else colours.quiet))
        name = cell.shred if self._cell_width >= 20 else cell.shred.split("-")[-1]
        foot = QRect(rect.left() - 6, rect.bottom() + 2, rect.width() + 12, _FOOT - 2)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, name)

    def _paint_join(self, painter: QPainter, cell: Cell) -> None:
        """Draw above a seam what was said of it, or a query mark where it is doubtful."""
        join, case = self._joins.get(cell.shred), self._workspace.case
        if join is None or case is None:
            return
        sign, colour = _sign(join.confidence, case.arrangement.state(join.left, join.right))
        x, y = cell.x - self.horizontalScrollBar().value() - _GAP // 2 - 1, _HEAD
        painter.setPen(QColor(colour))
        painter.drawText(QRect(x - 7, y - 12, 14, 12), Qt.AlignmentFlag.AlignCenter, sign)
        if key_of(join.left, join.right) in self._notes:
            paint_mark(painter, QPoint(x + SIDE // 2, self._rect(cell).bottom() - 2 * SIDE))

    def _paint_drop(self, painter: QPainter, place: Place) -> None:
        start = self._pages[place.page][0] - self.horizontalScrollBar().value()
        x = start + place.position * (self._cell_width + _GAP) - _GAP // 2 - 1
        accent = QColor(theme.colours().accent)
        painter.fillRect(x - 1, _HEAD - 6, 4, self.viewport().height() - _HEAD - _FOOT + 12, accent)

    # Mouse and keys

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the notes of what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.notes_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def notes_at(self, at: QPoint) -> str:
        """Give the notes about the shred at a place in the viewport, and about the join at whose side that is."""
        cell = next((cell for cell in self._visible() if self._rect(cell).adjusted(-_GAP, 0, 0, 0).contains(at)), None)
        if cell is None or not self._notes:
            return ""
        order, number = self._cells, self._cells.index(cell)
        first = number - (at.x() < self._rect(cell).center().x())
        near = [order[n].shred for n in (first, first + 1) if 0 <= n < len(order)]
        return told(self._notes, (cell.shred, "|".join(near)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.release(event)
            self._workspace.show_shred(self._workspace.selection.shred)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        shred = self.shred_at(event.pos())
        if shred and shred not in self._workspace.selection.shreds:
            self._workspace.select_shred(shred)
        self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shifted = event.key(), event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key == Qt.Key.Key_Escape:
            if not self._pointer.cancel():
                self._handling.drop_cut()
        elif self._cells and (plain or shifted) and key in (*steps, Qt.Key.Key_Home, Qt.Key.Key_End):
            ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self._cells) - 1}
            self._walk(ends[Qt.Key(key)] if key in ends else None, steps.get(Qt.Key(key), 0), shifted)
        else:
            super().keyPressEvent(event)

    def _walk(self, to: int | None, step: int, extend: bool) -> None:
        """Choose the next shred, or with `extend` all up to the one next to the end of the choice."""
        order, selection = [cell.shred for cell in self._cells], self._workspace.selection
        moving = selection.shred
        if extend and len(selection.shreds) > 1:
            moving = selection.shreds[-1] if selection.shreds[0] == selection.shred else selection.shreds[0]
        at = order.index(moving) if moving in order else -1
        target = order[max(0, min(at + step if to is None else to, len(order) - 1))]
        if extend and selection.shred in order:
            self._workspace.select_shreds(extended(order, selection.shred, target), selection.shred)
        else:
            self._workspace.select_shred(target)
        self._workspace.show_shred(target)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_cell_width(self._cell_width + (2 if event.angleDelta().y() > 0 else -2))
        else:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - (event.angleDelta().y() or event.angleDelta().x()))
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_scroll_bar()

    def sizeHint(self) -> QSize:
        return QSize(600, STRIP_SIZE[1] // 2 + _HEAD + _FOOT + 12)


def _sign(confidence: float, state: JoinState) -> tuple[str, str]:
    """Give the sign of a join and its colour; a sure one that nothing was said of has none."""
    colours = theme.colours()
    if state == "confirmed":
        return "✓", colours.sure
    if state == "forbidden":
        return "✕", colours.doubtful
    return ("?", colours.doubtful) if confidence < DOUBTFUL else ("", colours.quiet)
