"""All answers that hold, the last one first, each to be asked about again or withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QPushButton, QWidget

from app import wording
from app.reasons import allow, unless
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from app.widgets.rows import DeleteKey, EntryDelegate, set_up_list
from core.case.history import History

if TYPE_CHECKING:
    from core.inspection.answers import Answer


class AnswerList(QWidget):
    """Lists answers; which one is meant its signals say."""

    chosen = Signal(object)
    """The answer on which the cursor stands, or which was clicked."""
    asked_again = Signal(object)
    withdrawn = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: tuple[Answer, ...] = ()
        self._model = QStandardItemModel(self)
        self.rows = build(_Rows, model=self._model, editTriggers=QListView.EditTrigger.NoEditTriggers)
        set_up_list(self.rows, EntryDelegate(self.rows), self.tr("Answers"))
        self.rows.moved.connect(lambda: self._emit(self.chosen))
        self.rows.clicked.connect(lambda index: self._emit(self.chosen))
        self.rows.activated.connect(lambda index: self._emit(self.asked_again))
        DeleteKey(self.rows).pressed.connect(lambda: self._emit(self.withdrawn))
        self.nothing = label(self.tr("Nothing was answered yet."), wordWrap=True)
        tip = self.tr("Ask the question again (Return, or a double click)")
        self.again = self._button(self.tr("Ask Again"), tip, self.asked_again)
        tip = self.tr("Take this answer back, whatever was answered since (Delete)")
        self.withdraw = self._button(self.tr("Withdraw"), tip, self.withdrawn)
        buttons = in_row(self.again, self.withdraw, None)
        in_column(self.nothing, (self.rows, 1), buttons, on=self, margins=(0, 0, 0, 0), spacing=6)
        self.setFocusProxy(self.rows)
        self._allow()

    def _button(self, text: str, tip: str, signal: SignalInstance) -> QPushButton:
        return button(text, tip, lambda: self._emit(signal), "narrow", focusPolicy=Qt.FocusPolicy.TabFocus)

    def show_answers(self, answers: tuple[Answer, ...], history: History) -> None:
        """Show answers, which stand in the history; the cursor stays where it is."""
        if answers == self._answers:
            return
        row = max(0, min(self.rows.currentIndex().row(), len(answers) - 1))
        self._answers = answers
        self._model.clear()
        for answer in reversed(answers):
            self._model.appendRow([QStandardItem(text) for text in _cells(answer, history)])
        self.rows.setCurrentIndex(self._model.index(row, 0))
        self.nothing.setVisible(not answers)
        self._allow()

    def _allow(self) -> None:
        allow(unless(self._answers, self.tr("There is no answer yet.")), self.again, self.withdraw)

    def _emit(self, signal: SignalInstance) -> None:
        row = self.rows.currentIndex().row()
        if 0 <= row < len(self._answers):
            signal.emit(self._answers[-1 - row])


class _Rows(QListView):
    """Tells a move of the cursor by a key from one that follows the answers."""

    moved = Signal()
    """The cursor was moved by a key."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex().row()
        super().keyPressEvent(event)
        if self.currentIndex().row() != before:
            self.moved.emit()


def _cells(answer: Answer, history: History) -> tuple[str, str, str, str]:
    """Return the number of an answer's entry in the history, when and by whom it was given, and what it says."""
    entry = history[answer.number - 1] if 0 < answer.number <= len(history) else None
    said = wording.answer(answer.joins, answer.margins, below=answer.below)
    return ("", "", "", said) if entry is None else (str(entry.number), wording.local_time(entry.when), entry.who, said)
