"""The steps of a history as a model: in a sentence each, filtered by words and shreds, and all that belongs to one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QSortFilterProxyModel, Qt

from app.widgets.rows import Index
from app.wording import local_time, translate
from core.case.history import Entry, History
from core.options import Options

Row = tuple[str, str]
"""A label, and what stands beside it."""

_LONGEST = 2_000


class HistoryModel(QAbstractTableModel):
    """The entries of a history, one in each row: number, when, who, what."""

    history: History = ()
    marks: Mapping[int, str] = {}
    """Names that were given to the states after steps."""

    def set_history(self, history: History) -> None:
        """Show a history; where it has only grown, what is chosen stays chosen."""
        before, marked = self.history, self.marks
        self.marks = marks_of(history)
        if before and history[: len(before)] == before:
            if len(history) > len(before):
                self.beginInsertRows(QModelIndex(), len(before), len(history) - 1)
                self.history = history
                self.endInsertRows()
                for number in {number for number, _ in self.marks.items() ^ marked.items()}:
                    row = number - 1
                    self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))
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
            return (str(entry.number), local_time(entry.when), entry.who, self._what(entry))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{entry.number}. {self._what(entry)}\n{_utc(entry)}, {entry.who}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.number}. {self._what(entry)}, {local_time(entry.when)}, {entry.who}"
        return None

    def _what(self, entry: Entry) -> str:
        mark = self.marks.get(entry.number)
        return f"⚑ {mark}  ·  {in_words(entry)}" if mark else in_words(entry)


class HistoryFilter(QSortFilterProxyModel):
    """Keeps the entries that have every word of a text somewhere in them, and that concern certain shreds."""

    _words: Sequence[str] = ()
    _shreds: Collection[str] = ()

    def set_text(self, text: str) -> None:
        """Keep what has these words in it."""
        self._words = text.casefold().split()
        self.invalidate()

    def set_shreds(self, shreds: Collection[str]) -> None:
        """Keep what concerns one of these shreds; with none of them all."""
        self._shreds = frozenset(shreds)
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        if not self._words and not self._shreds:
            return True
        model = self.sourceModel()
        assert isinstance(model, HistoryModel)
        line = " ".join(str(model.index(row, column).data()) for column in range(model.columnCount())).casefold()
        concerned = not self._shreds or concerns(model.history, model.history[row], self._shreds)
        return concerned and all(word in line for word in self._words)


def concerns(history: History, entry: Entry, shreds: Collection[str]) -> bool:
    """Return whether a step names one of some shreds, or undoes or does again one that does."""
    if isinstance(to := entry.parameters.get("to"), int):
        between = history[min(to, entry.number) : entry.number - 1]
        return any("to" not in step.parameters and concerns(history, step, shreds) for step in between)
    return not named_in(entry).isdisjoint(shreds)


def named_in(entry: Entry) -> set[str]:
    """Return the texts in the edit of a step: the shreds that it names are among them."""
    return _texts(entry.parameters.get("edit"))


def _texts(value: Any) -> set[str]:
    """List all texts within values, those of joins apart."""
    if isinstance(value, str):
        return {*value.partition("@")[0].split("|")}
    parts = [*value.keys(), *value.values()] if isinstance(value, Mapping) else value if isinstance(value, list) else []
    return set().union(*map(_texts, parts))


def marks_of(history: History) -> dict[int, str]:
    """Return the names that were given to the states after steps."""
    marks = (entry.parameters for entry in history if entry.what == "marked")
    return {step["of"]: step["mark"] for step in marks if isinstance(step.get("of"), int) and "mark" in step}


def in_words(entry: Entry) -> str:
    """Describe what was done: "Moved shred 3-12 from page 4, place 2 to page 7, place 1"."""
    kinds = {
        "reconstructed": translate("history", "Reconstructed"),
        "read again": translate("history", "Read again"),
        "mended": translate("history", "Mended"),
        "taken over": translate("history", "Taken over"),
        "undone": translate("history", "Undone"),
        "redone": translate("history", "Redone"),
        "solved again": translate("history", "Solved again"),
        "options changed": translate("history", "Options changed"),
        "restored": translate("history", "Restored"),
        "saved": translate("history", "Saved"),
        "not saved": translate("history", "Not saved"),
        "exported": translate("history", "Exported"),
        "marked": translate("history", "Marked"),
    }
    named = entry.what in ("edited", "mended", "solved again", "sheets added") or entry.text.startswith(entry.what)
    if named and entry.text:  # it names the kind: commands write "saved as matter.rejoin"
        return entry.text[0].upper() + entry.text[1:]
    kind = kinds.get(entry.what, entry.what)
    text = f"{kind}: {entry.text}" if entry.text else kind
    if "to" in entry.parameters:
        return translate("history", "{what}; as after step {n}").format(what=text, n=entry.parameters["to"])
    return text


def details_of(entry: Entry, history: History) -> list[Row]:
    """List all that belongs to a step, as it is checked: what it takes to repeat it, and its hashes."""
    return [
        (translate("history", "Step"), f"{entry.number}. {in_words(entry)}"),
        (translate("history", "When"), f"{local_time(entry.when)} ({_utc(entry)})"),
        (translate("history", "Who"), entry.who),
        *(
            (label, value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…")
            for label, value in _rows(entry, history)
        ),
        (translate("history", "SHA-256 of the arrangement"), entry.result_sha256),
        (translate("history", "SHA-256 of the step before"), entry.previous_sha256),
        (translate("history", "SHA-256 of this step"), entry.sha256),
    ]


def _utc(entry: Entry) -> str:
    return entry.when.replace("T", " ").replace("Z", " UTC")


def _rows(entry: Entry, history: History) -> Iterator[Row]:
    """List the parameters of a step."""
    for name, value in entry.parameters.items():
        if name == "options":
            yield from _options(value, history[: entry.number - 1])
        elif name in ("sheets", "added", "files"):
            label = translate("history", "File") if name == "files" else translate("history", "Sheet")
            yield from ((label, f"{file['name']}, SHA-256 {file['sha256']}") for file in value)
        elif name == "edit":
            yield from _edit(value)
        elif name == "versions":
            yield (
                translate("history", "Versions"),
                ", ".join(f"{library} {number}" for library, number in value.items()),
            )
        else:
            yield _labels().get(name, name), _plain(name, value)


def _edit(edit: Mapping[str, Any]) -> Iterator[Row]:
    """List the fields of an edit, and of those that it is made of."""
    yield translate("history", "Kind of step"), str(edit["edit"])
    for name, value in edit.items():
        if name == "edits":
            for part in value:
                yield from _edit(part)
        elif name in ("details", "parts"):
            yield from ((str(key), _plain(key, part)) for key, part in value.items())
        elif name != "edit":
            yield _labels().get(name, name), _plain(name, value)


def _options(options: Mapping[str, Any], before: History) -> Iterator[Row]:
    """List the options that a step changed; of the first step those that are not as they are by default."""
    told = next((entry.parameters["options"] for entry in reversed(before) if "options" in entry.parameters), None)
    changed = False
    for stage, values in options.items():
        for name, value in values.items():
            default = getattr(getattr(Options(), stage, None), name, None)
            was = default if told is None else told.get(stage, {}).get(name, default)
            if was != value:
                changed = True
                yield f"{stage}.{name}", f"{_plain(name, was)} → {_plain(name, value)}"
    if not changed:
        as_before = translate("history", "as before") if before else translate("history", "all as they are by default")
        yield translate("history", "Options"), as_before


def _labels() -> dict[str, str]:
    return {
        "shreds": translate("history", "Shreds"),
        "shred": translate("history", "Shred"),
        "left": translate("history", "Left shred"),
        "right": translate("history", "Right shred"),
        "page": translate("history", "Page"),
        "position": translate("history", "In front of place"),
        "new_page": translate("history", "On a page of its own"),
        "break_joins": translate("history", "Confirmed joins broken"),
        "by_px": translate("history", "Moved down by, px"),
        "shift_px": translate("history", "Shift, px"),
        "angle_deg": translate("history", "Turn, °"),
        "quarter_turns": translate("history", "Quarter turns"),
        "state": translate("history", "State"),
        "side": translate("history", "Side"),
        "about": translate("history", "About"),
        "text": translate("history", "Text"),
        "to": translate("history", "Back to the state after step"),
        "of": translate("history", "State after step"),
        "mark": translate("history", "Name"),
        "file": translate("history", "File"),
        "packed": translate("history", "Sheets packed in it"),
        "solve": translate("history", "Order found anew"),
        "keep": translate("history", "What was said is kept"),
        "left_out": translate("history", "Left out"),
        "weights_sha256": translate("history", "SHA-256 of the weights"),
        "arrangement": translate("history", "Arrangement"),
    }


def _plain(name: str, value: Any) -> str:
    """Write a value for people; pages and places count from 1."""
    if name == "logo" and value:
        return translate("history", "a picture")
    if isinstance(value, bool):
        return translate("history", "yes") if value else translate("history", "no")
    if name in ("page", "position") and isinstance(value, int):
        return str(value + 1)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_plain('', part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(f"({_plain('', part)})" if isinstance(part, list) else _plain("", part) for part in value)
    return "–" if value is None or value == "" else str(value)
