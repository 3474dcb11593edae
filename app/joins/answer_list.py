"""All answers that hold, the last one first, each to be asked about again or withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton, QWidget

from app import wording
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from core.case.history import History

if TYPE_CHECKING:
    from core.inspection.answers import Answer

_ROW_HEIGHT = 40


class AnswerList(QWidget):
    """Lists answers; which one is meant its signals say."""

    chosen = Signal(object)
    """The answer on which the cursor stands, or which was clicked."""
    asked_again = Signal(object)
    withdrawn = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: tuple[Answer, ...] = ()
        self.rows = build(_Rows, accessibleName=self.tr("Answers"), uniformItemSizes=True)
        self.rows.currentRowChanged.connect(lambda row: self._emit(self.chosen))
        self.rows.itemClicked.connect(lambda item: self._emit(self.chosen))
        self.rows.itemActivated.connect(lambda item: self._emit(self.asked_again))
        self.rows.delete_pressed.connect(lambda: self._emit(self.withdrawn))
        self.nothing = label(self.tr("Nothing was answered yet."), wordWrap=True)
        tip = self.tr("Ask the question again (Return, or a double click)")
        self.again = self._button(self.tr("Ask Again"), tip, self.asked_again)
        tip = self.tr("Take this answer back, whatever was answered since (Delete)")
        self.withdraw = self._button(self.tr("Withdraw"), tip, self.withdrawn)
        in_column(
            self.nothing,
            (self.rows, 1),
            in_row(self.again, self.withdraw, None),
            on=self,
            margins=(0, 0, 0, 0),
            spacing=6,
        )
        self.setFocusProxy(self.rows)
        self.show_answers((), ())

    def _button(self, text: str, tip: str, signal: SignalInstance) -> QPushButton:
        return button(text, tip, lambda: self._emit(signal), "narrow", focusPolicy=Qt.FocusPolicy.TabFocus)

    def show_answers(self, answers: tuple[Answer, ...], history: History) -> None:
        """Show answers, which stand in the history; the cursor stays where it is."""
        if answers == self._answers:
            return
        row = self.rows.currentRow()
        self._answers = answers
        self.rows.blockSignals(True)
        self.rows.clear()
        for answer in reversed(answers):
            item = QListWidgetItem(_text(answer, history))
            item.setSizeHint(QSize(0, _ROW_HEIGHT))
            self.rows.addItem(item)
        self.rows.setCurrentRow(max(0, min(row, len(answers) - 1)))
        self.rows.blockSignals(False)
        self.nothing.setVisible(not answers)
        for part in (self.again, self.withdraw):
            part.setEnabled(bool(answers))

    def _emit(self, signal: SignalInstance) -> None:
        row = self.rows.currentRow()
        if 0 <= row < len(self._answers):
            signal.emit(self._answers[-1 - row])


class _Rows(QListWidget):
    """Delete means the answer here, and not the shreds chosen on the page."""

    delete_pressed = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _deletes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _deletes(event):
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


def _deletes(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Delete and event.modifiers() == Qt.KeyboardModifier.NoModifier


def _text(answer: Answer, history: History) -> str:
    """Describe an answer, and below it when it was given and by whom."""
    said = wording.answer(answer.joins, answer.margins)
    entry = history[answer.number - 1] if 0 < answer.number <= len(history) else None
    return said if entry is None else f"{said}\n{wording.local_time(entry.when)}  ·  {entry.who}"
