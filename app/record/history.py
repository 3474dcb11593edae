"""What was done with the case, step by step, and what was noted of it: the panel, its table, and how rows are drawn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QSortFilterProxyModel, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QListView, QPushButton, QTabWidget, QWidget

from app.record.notes import NotesList
from app.session.document import Document
from app.session.editor import Editor
from app.widgets.controls import build, label
from app.widgets.layouts import in_column, in_row
from app.widgets.rows import EntryDelegate, Index
from app.wording import local_time, translate
from core.case.history import Entry, History

_SHOWN_OF_HASH = 16


class HistoryPanel(QTabWidget):
    """Two pages: the steps, and the notes.

    Parameters
    ----------
    document : Document
        Whose steps they are.
    editor : Editor
        Writes notes.
    """

    def __init__(self, document: Document, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.steps = StepsList(document)
        self.notes = NotesList(document, editor)
        self.addTab(self.steps, self.tr("Steps"))
        self.addTab(self.notes, self.tr("Notes"))
        self.setDocumentMode(True)
        self.setAccessibleName(self.tr("History"))
        document.case_changed.connect(self._count_notes)
        document.arrangement_changed.connect(self._count_notes)

    def _count_notes(self) -> None:
        n = len(self._document.case.arrangement.notes) if self._document.case else 0
        self.setTabText(1, self.tr("Notes ({n})").format(n=n) if n else self.tr("Notes"))


class StepsList(QWidget):
    """The entries of the history, to be read, searched and copied; never to be changed."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.model = HistoryModel(self)
        self.filtered = HistoryFilter(self)
        self.filtered.setSourceModel(self.model)
        placeholder = self.tr("Search: move, saved, a name, a date…")
        self.search = build(QLineEdit, placeholderText=placeholder, clearButtonEnabled=True, textChanged=self._filter)
        self.search.setAccessibleName(self.tr("Search the history"))
        self.table = self._build_table()
        self.nothing = label(self.tr("No step has these words in it."), alignment=Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()
        self.hash_label = label()
        self.copy_button = build(QPushButton, self.tr("Copy"), clicked=self._copy_hash)
        foot = in_row((self.hash_label, 1), self.copy_button)
        in_column(self.search, (self.table, 1), self.nothing, foot, on=self, margins=(10, 8, 10, 8), spacing=6)
        # A step may bring several changes.
        self._soon = build(QTimer, self, singleShot=True, interval=0, timeout=self._show)
        document.case_changed.connect(self._soon.start)
        document.history_changed.connect(self._soon.start)
        self._show()

    def _build_table(self) -> _Table:
        table = build(_Table, uniformItemSizes=True, mouseTracking=True, accessibleName=self.tr("Steps"))
        table.setModel(self.filtered)
        table.setItemDelegate(EntryDelegate(table))
        table.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.setAccessibleDescription(self.tr("Ctrl+C copies the chosen steps with all that belongs to them."))
        table.copied.connect(self._copy_steps)
        table.selectionModel().selectionChanged.connect(self._show_hash)
        return table

    def _show(self) -> None:
        """Show the history as it is now, and its end unless something else is looked at."""
        bar = self.table.verticalScrollBar()
        follows = bar.value() == bar.maximum() or not self.model.history
        self.model.set_history(self._document.history)
        if follows:
            self.table.scrollToBottom()
        self._show_hash()

    def _filter(self, text: str) -> None:
        self.filtered.set_text(text)
        self.nothing.setVisible(bool(self.model.history) and self.filtered.rowCount() == 0)
        self._show_hash()

    @property
    def chosen(self) -> list[Entry]:
        """The chosen entries, in their order."""
        rows = {self.filtered.mapToSource(index).row() for index in self.table.selectionModel().selectedIndexes()}
        return [self.model.history[row] for row in sorted(rows)]

    def _entry(self) -> Entry | None:
        """Return the entry whose hash is shown: the chosen one, or the last."""
        history = self.model.history
        return self.chosen[-1] if self.chosen else history[-1] if history else None

    def _show_hash(self) -> None:
        entry = self._entry()
        self.copy_button.setEnabled(entry is not None)
        if entry is None:
            self.hash_label.setText("")
            return
        text = self.tr("Step {n}: SHA-256 {sha256}…")
        self.hash_label.setText(text.format(n=entry.number, sha256=entry.sha256[:_SHOWN_OF_HASH]))
        self.hash_label.setToolTip(
            self.tr(
                "{sha256}\nWhoever has noted this hash elsewhere can see later that no step up to here was changed."
            ).format(sha256=entry.sha256)
        )
        self.copy_button.setToolTip(self.tr("Copy the whole hash of step {n}").format(n=entry.number))

    def _copy_hash(self) -> None:
        if (entry := self._entry()) is not None:
            QGuiApplication.clipboard().setText(entry.sha256)

    def _copy_steps(self) -> None:
        QGuiApplication.clipboard().setText("\n\n".join(described(entry) for entry in self.chosen))


class _Table(QListView):
    """Copies whole steps."""

    copied = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        else:
            super().keyPressEvent(event)


_LONGEST_PARAMETERS = 1200
"""More of them than this many characters no tooltip needs; the case file has them all."""


class HistoryModel(QAbstractTableModel):
    """The entries of a history, one in each row: number, when, who, what."""

    history: History = ()

    def set_history(self, history: History) -> None:
        """Show a history; where it has only grown, what is chosen stays chosen."""
        before = self.history
        if before and history[: len(before)] == before:
            if len(history) > len(before):
                self.beginInsertRows(QModelIndex(), len(before), len(history) - 1)
                self.history = history
                self.endInsertRows()
        elif history or before:
            self.beginResetModel()
            self.history = history
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.history)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.history[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (str(entry.number), local_time(entry.when), entry.who, in_words(entry))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return described(entry)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.number}. {in_words(entry)}, {local_time(entry.when)}, {entry.who}"
        return None


class HistoryFilter(QSortFilterProxyModel):
    """Keeps the entries that have every word of a text somewhere in them, in whatever column."""

    _words: Sequence[str] = ()

    def set_text(self, text: str) -> None:
        """Keep what has these words in it."""
        self._words = text.casefold().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        model = self.sourceModel()
        line = " ".join(str(model.index(row, column).data()) for column in range(model.columnCount())).casefold()
        return all(word in line for word in self._words)


def in_words(entry: Entry) -> str:
    """Describe what was done: "Edited: move of 3 shreds"."""
    kinds = {
        "reconstructed": translate("history", "Reconstructed"),
        "read again": translate("history", "Read again"),
        "taken over": translate("history", "Taken over"),
        "edited": translate("history", "Edited"),
        "undone": translate("history", "Undone"),
        "redone": translate("history", "Redone"),
        "solved again": translate("history", "Solved again"),
        "options changed": translate("history", "Options changed"),
        "restored": translate("history", "Restored"),
        "saved": translate("history", "Saved"),
        "not saved": translate("history", "Not saved"),
        "exported": translate("history", "Exported"),
    }
    kind = kinds.get(entry.what, entry.what)
    return f"{kind}: {entry.text}" if entry.text else kind


def described(entry: Entry) -> str:
    """Write all of an entry, as it is checked."""
    parameters = json.dumps(entry.parameters, ensure_ascii=False)
    if len(parameters) > _LONGEST_PARAMETERS:
        parameters = f"{parameters[:_LONGEST_PARAMETERS]}…"
    utc = entry.when.replace("T", " ").replace("Z", " UTC")
    lines = (
        f"{entry.number}. {in_words(entry)}",
        f"{utc}, {entry.who}",
        translate("history", "Repeated with: {parameters}").format(parameters=parameters),
        translate("history", "Result, SHA-256: {sha256}").format(sha256=entry.result_sha256),
        translate("history", "Entry, SHA-256: {sha256}").format(sha256=entry.sha256),
    )
    return "\n".join(lines)
