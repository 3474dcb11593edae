"""The bar below the page in which words, shreds, sheets, pages and notes are looked for."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QListWidgetItem, QSizePolicy, QToolButton, QWidget

from app import theme
from app.reasons import allow, unless
from app.widgets.controls import TicksButton, build, button, label
from app.widgets.layouts import in_column, in_row

_ROWS = 7


class FindBar(QWidget):
    """Asks what is to be found, and says how much of it is there; hidden until it is asked for."""

    wanted_changed = Signal(str)
    stepped = Signal(int)
    """To the next hit (1), or to the one before (-1)."""
    closed = Signal()
    line_wanted = Signal()
    """The line of the hit is to be copied."""
    chosen = Signal(int)
    """The number of a row of the list of what was found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = _Field(placeholderText=self.tr("Word, shred, sheet, page, note"), clearButtonEnabled=True)
        self.field.setAccessibleName(self.tr("Find in the case"))
        self.field.setFixedWidth(200)
        self.field.textChanged.connect(self.wanted_changed)
        self.field.stepped.connect(self._step)
        self.field.moved.connect(self._move)
        self.field.left.connect(self.closed)
        self.previous = self._tool(self.tr("To the hit before (Shift+F3)"), lambda: self.stepped.emit(-1))
        self.next = self._tool(self.tr("To the next hit (F3)"), lambda: self.stepped.emit(1))
        self.count = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.state = label(wordWrap=True)
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        tip = self.tr("Copy the line in which the hit stands")
        self.copy_line = button(self.tr("Copy Line"), tip, self.line_wanted, "link")
        self.languages = TicksButton(self.tr("Languages in which the pages are read"))
        self.close_button = self._tool(self.tr("Close (Esc)"), self.closed)
        self.list = build(QListWidget, accessibleName=self.tr("What was found"), itemClicked=self._choose)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Up and Down in the field move in it
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.hide()
        self._words = (self.previous, self.next, self.count, self.copy_line)
        row = in_row(
            self.field,
            *self._words,
            (self.state, 1),
            self.languages,
            self.close_button,
            margins=(14, 4, 8, 4),
            spacing=6,
        )
        in_column(self.list, row, on=self, margins=(0, 0, 0, 0), spacing=0)
        self.show_count("", False)
        self.hide()

    def _tool(self, tip: str, clicked: object) -> QToolButton:
        return build(QToolButton, toolTip=tip, accessibleName=tip, clicked=clicked)

    def ask(self, without_words: str = "") -> None:
        """Show the bar and let something be typed; what was typed last is chosen. Say why no words can be found."""
        for part in (*self._words, self.languages):
            part.setVisible(not without_words)
        self.copy_line.setVisible(not without_words and self.next.isEnabled())
        self.state.setText(without_words)
        side = Qt.AlignmentFlag.AlignLeft if without_words else Qt.AlignmentFlag.AlignRight
        self.state.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def show_found(self, lines: Sequence[str]) -> None:
        """List what was found; a row that was chosen stays so while it is listed."""
        item = self.list.currentItem()
        before = "" if item is None else item.text()
        self.list.clear()
        self.list.addItems(lines)
        if before in lines:
            self.list.setCurrentRow(lines.index(before))
        row_px = self.list.sizeHintForRow(0) if lines else 0
        self.list.setFixedHeight(min(len(lines), _ROWS) * row_px + 4)
        self.list.setVisible(bool(lines))

    def _move(self, by: int) -> None:
        """Choose the next row of the list, or the one before."""
        self.list.setCurrentRow(max(0, min(self.list.currentRow() + by, self.list.count() - 1)))

    def _step(self, by: int) -> None:
        """Go to the row that is chosen; where none is, to the next hit."""
        if self.list.currentItem() is not None:
            self.chosen.emit(self.list.currentRow())
        else:
            self.stepped.emit(by)

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self.list.row(item))

    def show_count(self, text: str, found: bool) -> None:
        """Say how much was found, and whether one can go from one hit to another."""
        self.count.setText(text)
        allow(unless(found, self.tr("Nothing was found to go to.")), self.previous, self.next)
        self.copy_line.setVisible(found)

    def _draw_icons(self) -> None:
        for tool, name in ((self.previous, "previous"), (self.next, "next"), (self.close_button, "cancel")):
            tool.setIcon(theme.icon(name))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.isVisible():
            self._draw_icons()

    def showEvent(self, event: QShowEvent) -> None:
        self._draw_icons()
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class _Field(QLineEdit):
    """Return goes on to the next hit, with Shift to the one before; Up and Down choose in the list; Escape leaves."""

    stepped = Signal(int)
    moved = Signal(int)
    left = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            event.accept()  # else it would cancel what runs
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)
