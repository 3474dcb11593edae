"""The bar below the page in which words are looked for."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from app import theme
from app.widgets.controls import TicksButton, build, button, label
from app.widgets.layouts import in_row


class FindBar(QWidget):
    """Asks what is to be found, and says how much of it is there; hidden until it is asked for."""

    wanted_changed = Signal(str)
    stepped = Signal(int)
    """To the next hit (1), or to the one before (-1)."""
    closed = Signal()
    line_wanted = Signal()
    """The line of the hit is to be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = _Field(placeholderText=self.tr("Find on all pages"), clearButtonEnabled=True)
        self.field.setAccessibleName(self.tr("Find on all pages"))
        self.field.setFixedWidth(200)
        self.field.textChanged.connect(self.wanted_changed)
        self.field.stepped.connect(self.stepped)
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
        self._search = (self.field, self.previous, self.next, self.count, self.copy_line)
        in_row(
            *self._search, (self.state, 1), self.languages, self.close_button, on=self, margins=(14, 4, 8, 4), spacing=6
        )
        self._draw_icons()
        self.show_count("", False)
        self.hide()

    def _tool(self, tip: str, clicked: object) -> QToolButton:
        return build(QToolButton, toolTip=tip, accessibleName=tip, clicked=clicked)

    def ask(self) -> None:
        """Show the bar and let words be typed; those that were typed last are chosen."""
        self._show_search(True)
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.field.setFocus()
        self.field.selectAll()

    def explain(self, text: str) -> None:
        """Show why nothing can be found, instead of the field."""
        self._show_search(False)
        self.state.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.state.setText(text)
        self.close_button.setFocus()

    def _show_search(self, on: bool) -> None:
        for part in (*self._search, self.languages):
            part.setVisible(on)
        self.copy_line.setVisible(on and self.next.isEnabled())
        self.state.clear()
        self.show()

    def show_count(self, text: str, found: bool) -> None:
        """Say how much was found, and whether one can go from one hit to another."""
        self.count.setText(text)
        for each in (self.previous, self.next):
            each.setEnabled(found)
        self.copy_line.setVisible(found)

    def _draw_icons(self) -> None:
        for tool, name in ((self.previous, "previous"), (self.next, "next"), (self.close_button, "cancel")):
            tool.setIcon(theme.icon(name))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icons()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class _Field(QLineEdit):
    """Return goes on to the next hit, with Shift to the one before; Escape leaves."""

    stepped = Signal(int)
    left = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            event.accept()  # else it would cancel what runs
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)
