"""The history as a table: what each column says of an entry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from app.wording import translate

if TYPE_CHECKING:
    from core.case.history import Entry, History

Index = QModelIndex | QPersistentModelIndex

_LONGEST_PARAMETERS = 1200
"""More of them than this many characters no tooltip needs; the case file has them all."""


class HistoryModel(QAbstractTableModel):
    """The entries of a history, one in each row: number, when, who, what."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history: History = ()

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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: list[str] = []

    def set_text(self, text: str) -> None:
        """Keep what has these words in it."""
        self._words = text.casefold().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        model = self.sourceModel()
        line = " ".join(str(model.index(row, column).data()) for column in range(model.columnCount())).casefold()
        return all(word in line for word in self._words)


def in_words(entry: Entry) -> str:
    """Say what was done: "Edited: move of 3 shreds"."""
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


def local_time(when: str) -> str:
    """Give a time of an entry as the clock of this place showed it."""
    time = QDateTime.fromString(when, Qt.DateFormat.ISODate).toLocalTime()
    return f"{QLocale().toString(time.date(), QLocale.FormatType.ShortFormat)} {time.toString('HH:mm:ss')}"


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
