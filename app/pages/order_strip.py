"""The order of all shreds as a strip of thumbnails, page after page: choose, drag, and walk by keys."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import chain
from operator import itemgetter

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QTransform
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from app import theme, wording
from app.images import STRIP_SIZE
from app.pages.dragging import ShredDrag
from app.pages.pointer import ShredPointer, extended
from app.pages.shred_operations import Place, ShredOperations
from app.pages.strips import Cell, StripPictures
from app.session.document import Document, Selection
from app.session.tasks import Jobs
from app.widgets.note_marks import SIDE, noted, paint_mark
from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.edit import ShiftOf, unknown_shift
from core.arrangement.noted import abouts_of_join
from core.case.case import Case, JoinInfo
from core.case.joins import known_shifts, nudge_px
from core.matching.confidence import JoinBelow

_GAP, _PAGE_GAP, _TITLE, _HEAD, _FOOT = 3, 26, 17, 31, 16
_SCROLL_ZONE = 36
"""So near to its ends a strip scrolls while something is dragged over it."""
_BELOW = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
_MIN_WIDTH, _MAX_WIDTH = 10, 60


class OrderStrip(QAbstractScrollArea):
    """Shows the order and lets it be changed.

    Parameters
    ----------
    document : Document
        Whose case it shows.
    jobs : Jobs
        Draw the thumbnails.
    operations : ShredOperations
        What can be done with chosen shreds.
    drag : ShredDrag
        Carries shreds between the views.
    """

    menu_wanted = Signal(QPoint)

    def __init__(self, document: Document, jobs: Jobs, operations: ShredOperations, drag: ShredDrag) -> None:
        super().__init__()
        self._document, self._operations = document, operations
        self._thumbnails = StripPictures(document, jobs)
        self._thumbnails.drawn.connect(self.viewport().update)
        self._arrangement = Arrangement()
        self._pages: list[tuple[int, int]] = []
        self._joins: Mapping[str, JoinInfo] = {}
        self._below: Mapping[str, JoinBelow] = {}
        self._placed: frozenset[Pair] = frozenset()
        self._case: Case | None = None
        self._found_px: ShiftOf = unknown_shift
        self._cells: dict[tuple[int, int], Cell] = {}
        self.marked: Place | None = None
        """The place that is marked for a drop."""
        self._cell_width = 26
        self._shown = Selection()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(90)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(self.tr("Order of the shreds"))
        self.setAccessibleDescription(self.tr("Left and Right choose a shred, with Shift several; Ctrl moves them."))
        self._pointer = ShredPointer(self.viewport(), document, drag, self.shred_at, self.shreds_in)
        drag.add_target(self)
        document.case_changed.connect(self._show_case)
        document.arrangement_changed.connect(self._arrange)
        document.arrangement_changed.connect(self._show_selection)
        document.page_changed.connect(self._show_page)
        document.selection_changed.connect(self._show_selection)
        operations.cut_changed.connect(self.viewport().update)

    # What is shown

    def _show_case(self) -> None:
        """Have the thumbnails of another case made."""
        self._thumbnails.begin()
        self._arrange()

    def picture(self, shred: str) -> QImage | None:
        """Return the small picture of a shred, once it has been drawn."""
        return self._thumbnails.get(shred)

    def _arrange(self) -> None:
        """Find where the pages are drawn."""
        case, pages, cells = self._document.case, self._pages, set(self._visible())
        self._cells.clear()
        self._arrangement = case.arrangement if case else Arrangement()
        self._joins = case.join_left_of if case else {}
        self._below = {join.above: join for join in case.joins_below} if case else {}
        self._placed = case.placed_by_hand if case else frozenset()
        self._case, self._found_px = case, known_shifts(case) if case else unknown_shift
        self._pages, x = [], _GAP
        for page in self._arrangement.pages:
            end = x + len(page) * self._step
            self._pages.append((x, end - _GAP))
            x = end + _PAGE_GAP
        self._fit_scroll_bar()
        if self._pages != pages:
            self.viewport().update()
        for cell in cells ^ set(self._visible()):
            self.viewport().update(self._column(cell))

    def _fit_scroll_bar(self) -> None:
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        end = self._pages[-1][1] + _PAGE_GAP if self._pages else 0
        bar.setPageStep(width)
        bar.setSingleStep(self._step)
        bar.setRange(0, max(0, end - width))

    def set_cell_width(self, width: int) -> None:
        """Draw thumbnails wider or narrower, in pixels of the screen."""
        self._cell_width = max(_MIN_WIDTH, min(width, _MAX_WIDTH))
        self._arrange()

    def _show_page(self) -> None:
        """Bring the page that is shown in sight, unless the middle of it is."""
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        self.viewport().update(0, 0, width, _HEAD)
        start, end = next(iter(self._pages[self._document.page :]), (0, 0))
        if not bar.value() <= (start + end) // 2 <= bar.value() + width:
            bar.setValue(start - _GAP)

    def _show_selection(self) -> None:
        """Bring the current shred in sight, and draw those anew that are chosen now or were before."""
        before, self._shown = self._shown, self._document.selection
        changed = {*before.shreds, *self._shown.shreds}
        for shown in self._visible():
            if shown.shred in changed:
                self.viewport().update(self._column(shown))
        bar, room = self.horizontalScrollBar(), self.viewport().width() - self._cell_width
        if (current := self._cell_of(self._shown.shred)) is not None:
            chosen = [cell.x for shred in self._shown.shreds if (cell := self._cell_of(shred)) is not None]
            near = [x for x in chosen if abs(x - current.x) <= room // 2]  # all that are chosen, where there is room
            if not bar.value() <= min(near) <= max(near) <= bar.value() + room:
                bar.setValue(current.x - self.viewport().width() // 2)

    # Places

    def rect_of(self, shred: str) -> QRect:
        """Return where a shred is drawn in the viewport; empty for one that stands on no page."""
        cell = self._cell_of(shred)
        return self._rect(cell) if cell else QRect()

    @property
    def _step(self) -> int:
        """How far from one shred to the next, in pixels of the screen."""
        return self._cell_width + _GAP

    def _cell(self, page: int, position: int) -> Cell:
        """Return what is drawn at a place; only what is in sight is put together, and once."""
        if (page, position) not in self._cells:
            self._cells[page, position] = self._put_together(page, position)
        return self._cells[page, position]

    def _put_together(self, page: int, position: int) -> Cell:
        arrangement, shreds = self._arrangement, self._arrangement.pages[page]
        shred, x = shreds[position], self._pages[page][0] + position * self._step
        join = self._joins.get(shred) if position else None
        signs = self._signs(join, self._below.get(shred))
        abouts = abouts_of_join(join.left, shred, arrangement.other_faces) if join and arrangement.notes else ()
        join_noted = any(about in arrangement.notes for about in abouts)
        turned, pinned, noted = (shred in of for of in (arrangement.half_turned, arrangement.pinned, arrangement.notes))
        return Cell(shred, page, position, x, turned, pinned, noted, self._is_by_hand(shred), *signs, join_noted)

    def _is_by_hand(self, shred: str) -> bool:
        """Return whether the examiner turned a shred, or nudged it."""
        case = self._case
        if case is None:
            return False
        turned = case.turned_by_hand(shred) or shred in case.arrangement.turned_deg
        return turned or nudge_px(case, shred, self._found_px) != 0

    def _signs(self, join: JoinInfo | None, below: JoinBelow | None) -> tuple[str, str]:
        """Return the signs of the join to a shred's left, and of that with the piece below it."""
        signs, now = ["", ""], self._arrangement
        if join is not None:
            pair = join.left, join.right
            signs[0] = wording.join_sign(now.state(*pair), pair in self._placed, join.doubtful)
        if below is not None:
            said = now.state_below(*below.pair)
            signs[1] = wording.join_sign(said, below.pair in now.held_below, below.doubtful)
        return signs[0], signs[1]

    def _cell_of(self, shred: str) -> Cell | None:
        return None if self._arrangement.page_of(shred) is None else self._cell(*self._arrangement.places[shred])

    def _rect(self, cell: Cell) -> QRect:
        height = self.viewport().height() - _HEAD - _FOOT
        return QRect(cell.x - self.horizontalScrollBar().value(), _HEAD, self._cell_width, height)

    def _visible(self, area: QRect | None = None) -> Iterator[Cell]:
        """List the cells in sight, or in a part of it, and one more at either end, whose name may be there."""
        area = area or self.viewport().rect()
        left, right = (self.horizontalScrollBar().value() + x for x in (area.left(), area.right() + 1))
        for number in range(bisect_left(self._pages, left - self._step, key=itemgetter(1)), len(self._pages)):
            start, _ = self._pages[number]
            if start > right + self._step:
                break
            first = max(0, (left - start) // self._step - 1)
            last = min(len(self._arrangement.pages[number]), (right - start) // self._step + 2)
            yield from (self._cell(number, position) for position in range(first, last))

    def shred_at(self, at: QPoint) -> str:
        """Find the shred at a place in the viewport, "" for none."""
        return next((cell.shred for cell in self._visible() if self._rect(cell).contains(at)), "")

    def shreds_in(self, area: QRect) -> list[str]:
        """Find the shreds that an area of the viewport touches."""
        return [cell.shred for cell in self._visible() if self._rect(cell).intersects(area)]

    def place_at(self, at: QPoint) -> Place | None:
        """Return the place in the order under a point of the screen; near the ends scroll on."""
        inside = self.viewport().mapFromGlobal(at)
        if not self.isVisible() or not self.viewport().rect().contains(inside) or not self._pages:
            return None
        bar, right = self.horizontalScrollBar(), self.viewport().width() - _SCROLL_ZONE
        step = -1 if inside.x() < _SCROLL_ZONE else int(inside.x() > right)
        bar.setValue(bar.value() + step * self._cell_width)
        x = inside.x() + bar.value()
        page = min(bisect_left([end + _PAGE_GAP // 2 for _, end in self._pages], x), len(self._pages) - 1)
        position = round((x - self._pages[page][0]) / self._step)
        return Place(page, max(0, min(position, len(self._arrangement.pages[page]))))

    def mark_drop(self, place: Place | None) -> None:
        """Show a place in the order, or take the mark away."""
        if place != self.marked:
            for mark in (self.marked, place):
                if mark is not None and mark.page < len(self._pages):  # where pages are others now, all is drawn anew
                    self.viewport().update(self._mark_rect(mark))
            self.marked = place

    # Painting

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        colours, painter = theme.colours(), QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(colours.window))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        font = painter.font()
        font.setPixelSize(11)
        painter.setFont(font)
        self._paint_pages(painter, colours)
        font.setPixelSize(9)
        painter.setFont(font)
        chosen, cut = set(self._document.selection.shreds), set(self._operations.cut)
        for cell in self._visible(event.rect()):
            if event.region().intersects(self._column(cell).adjusted(0, _HEAD, 0, 0)):
                self._paint_cell(painter, cell, cell.shred in chosen, cell.shred in cut)
            self._paint_join(painter, cell)
        if self.marked is not None:
            painter.fillRect(self._mark_rect(self.marked), QColor(colours.accent))

    def _column(self, cell: Cell) -> QRect:
        """Return all that a cell covers: its name below it reaches further than itself, its join to its left."""
        rect = self._rect(cell)
        return QRect(rect.left() - _GAP - 8, 0, rect.width() + _GAP + 16, self.viewport().height())

    def _paint_pages(self, painter: QPainter, colours: theme.Colours) -> None:
        left, width = self.horizontalScrollBar().value(), self.viewport().width()
        for number, (start, end) in enumerate(self._pages):
            if end > left and start < left + width:
                shown = number == self._document.page
                painter.setPen(QColor(colours.text if shown else colours.quiet))
                # The name stays in sight while any part of its page is.
                x = max(start - left, min(_GAP, end - left - 60))
                name = self._arrangement.page_mark("page_names", number) or ""
                title, room = wording.page_title(self._arrangement, number, name), max(60, end - left - x)
                title = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room)
                painter.drawText(QPoint(x, 13), title)
                if shown:
                    painter.fillRect(start - left, _TITLE, end - start, 2, QColor(colours.accent))

    def _paint_cell(self, painter: QPainter, cell: Cell, chosen: bool, cut: bool) -> None:
        colours, rect = theme.colours(), self._rect(cell)
        thumbnail = self._thumbnails.get(cell.shred)
        painter.setOpacity(0.35 if cut else 1.0)
        if thumbnail is None:
            painter.fillRect(rect, QColor(colours.hover))
        else:
            painter.drawImage(rect, thumbnail.transformed(QTransform().rotate(180)) if cell.half_turned else thumbnail)
        painter.setOpacity(1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if chosen:
            tint = QColor(colours.accent)
            tint.setAlpha(60)
            painter.fillRect(rect, tint)
            painter.setPen(QPen(QColor(colours.accent), 3 if cell.shred == self._document.selection.shred else 2))
            painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))
        else:
            painter.setPen(QColor(colours.border))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        if cell.noted:
            paint_mark(painter, rect.topRight())
        painter.setPen(QColor(theme.LIGHT.accent))  # on paper, which is white in every theme
        middle, signs = Qt.AlignmentFlag.AlignHCenter, (("↻", cell.half_turned), (wording.PINNED, cell.pinned))
        above = "\n".join(sign for sign, there in signs if there)
        painter.drawText(rect.adjusted(0, 2, 0, 0), middle | Qt.AlignmentFlag.AlignTop, above)
        if cell.by_hand:
            painter.drawText(rect.adjusted(0, 0, 0, -2), middle | Qt.AlignmentFlag.AlignBottom, wording.BY_HAND)
        painter.setPen(QColor(_shade(theme.LIGHT, cell.below_sign)))
        painter.drawText(rect.adjusted(0, 0, -2, 1), _BELOW, cell.below_sign)
        painter.setPen(QColor(colours.text if chosen else colours.quiet))
        fits = painter.fontMetrics().horizontalAdvance(cell.shred) < self._step
        name = cell.shred if fits else cell.shred.split("-")[-1]
        foot = QRect(rect.left() - 6, rect.bottom() + 2, rect.width() + 12, _FOOT - 2)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, name)

    def _paint_join(self, painter: QPainter, cell: Cell) -> None:
        """Draw above a seam what was said of it, or a query mark where it is doubtful."""
        x, y = cell.x - self.horizontalScrollBar().value() - _GAP // 2 - 1, _HEAD
        if cell.join_sign:
            painter.setPen(QColor(_shade(theme.colours(), cell.join_sign)))
            painter.drawText(QRect(x - 7, y - 12, 14, 12), Qt.AlignmentFlag.AlignCenter, cell.join_sign)
        if cell.join_noted:
            paint_mark(painter, QPoint(x + SIDE // 2, self._rect(cell).bottom() - 2 * SIDE))

    def _mark_rect(self, place: Place) -> QRect:
        start = self._pages[place.page][0] - self.horizontalScrollBar().value()
        height = self.viewport().height() - _HEAD - _FOOT + 12
        return QRect(start + place.position * self._step - _GAP // 2 - 2, _HEAD - 6, 4, height)

    # Mouse and keys

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the notes of what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QtGui.QHelpEvent):
            QToolTip.showText(event.globalPos(), self.notes_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def notes_at(self, at: QPoint) -> str:
        """Return notes on what is at a place in the viewport, a shred and a join; and how sure what is below it is."""
        cell = next((cell for cell in self._visible() if self._rect(cell).adjusted(-_GAP, 0, 0, 0).contains(at)), None)
        if cell is None:
            return ""
        below = self._below.get(cell.shred)
        first = cell.position - (at.x() < self._rect(cell).center().x())
        near = self._arrangement.pages[cell.page][max(0, first) : first + 2]
        abouts = abouts_of_join(*near, self._arrangement.other_faces) if len(near) == 2 else ()
        notes = noted(self._arrangement.notes, (cell.shred, *abouts))
        return "\n".join(filter(None, (notes, "" if below is None else wording.how_sure_below(below))))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.press(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pointer.release(event)
            self._document.show_shred(self._document.selection.shred)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        shred = self.shred_at(event.pos())
        if shred and shred not in self._document.selection.shreds:
            self._document.select_shred(shred)
        self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        key, shifted = event.key(), event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key == Qt.Key.Key_Escape:
            if not self._pointer.cancel():
                self._operations.drop_cut()
        elif self._pages and (plain or shifted) and key in (*steps, Qt.Key.Key_Home, Qt.Key.Key_End):
            ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: sum(map(len, self._arrangement.pages)) - 1}
            self._walk(ends[Qt.Key(key)] if key in ends else None, steps.get(Qt.Key(key), 0), shifted)
        else:
            super().keyPressEvent(event)

    def _walk(self, to: int | None, step: int, extend: bool) -> None:
        """Choose the next shred, or with `extend` all up to the one next to the end of the choice."""
        order, selection = list(chain.from_iterable(self._arrangement.pages)), self._document.selection
        moving = selection.shred
        if extend and len(selection.shreds) > 1:
            moving = selection.shreds[-1] if selection.shreds[0] == selection.shred else selection.shreds[0]
        at = order.index(moving) if moving in order else -1
        target = order[max(0, min(at + step if to is None else to, len(order) - 1))]
        if extend and selection.shred in order:
            self._document.select_shreds(extended(order, selection.shred, target), selection.shred)
        else:
            self._document.select_shred(target)
        self._document.show_shred(target)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_cell_width(self._cell_width + (2 if event.angleDelta().y() > 0 else -2))
        else:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - (event.angleDelta().y() or event.angleDelta().x()))
        event.accept()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_scroll_bar()

    def sizeHint(self) -> QSize:
        return QSize(600, STRIP_SIZE[1] // 2 + _HEAD + _FOOT + 12)


def _shade(colours: theme.Colours, sign: str) -> str:
    """Return the colour of the sign of a join."""
    return {wording.CONFIRMED: colours.sure, wording.BY_HAND: colours.accent}.get(sign, colours.doubtful)
