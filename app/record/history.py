"""What was done with the case, step by step, and what was noted of it: the panel, its list, and what a step holds."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QListView,
    QSplitter,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.reasons import allow, unless
from app.record.notes import NotesList
from app.record.steps import HistoryFilter, HistoryModel, details_of
from app.shell import Shell
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from app.widgets.rows import EntryDelegate, set_up_list, wrap_cells
from core.case.history import Entry

_SHOWN_OF_HASH = 16


class HistoryPanel(QTabWidget):
    """Two pages: the steps, and the notes.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        document = self._document = shell.session.document
        self.steps = StepsList(shell)
        self.notes = NotesList(document, shell.session.editor)
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
    """The entries of the history, to be read, searched, compared and copied; never to be changed.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, document = shell, shell.session.document
        self._document = document
        self.model, self.filtered = HistoryModel(self), HistoryFilter(self)
        self.filtered.setSourceModel(self.model)
        placeholder = self.tr("Search: move, saved, a name, a date…")
        self.search = build(QLineEdit, placeholderText=placeholder, clearButtonEnabled=True, textChanged=self._filter)
        self.search.setAccessibleName(self.tr("Search the history"))
        tip = self.tr("List only the steps that concern the chosen shreds")
        self.of_shred = build(QCheckBox, self.tr("Chosen shreds"), toolTip=tip, toggled=self._filter)
        self.table = self._build_table()
        self.nothing = label(self.tr("There is no such step."), alignment=Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()
        self.details = self._build_details()
        splitter = build(QSplitter, Qt.Orientation.Vertical, childrenCollapsible=True)
        for number, widget in enumerate((self.table, self.details)):
            splitter.addWidget(widget)
            splitter.setStretchFactor(number, 3 - number)
        searching = in_row((self.search, 1), self.of_shred, spacing=8)
        parts = searching, self.nothing, (splitter, 1), self._buttons(), self._foot()
        in_column(*parts, on=self, margins=(10, 8, 10, 8), spacing=6)
        # A step may bring several changes.
        self._soon = build(QTimer, self, singleShot=True, interval=0, timeout=self._show)
        document.case_changed.connect(self._soon.start)
        document.history_changed.connect(self._soon.start)
        document.selection_changed.connect(self._follow_selection)
        self._show()

    def _build_table(self) -> _Table:
        table = build(_Table, uniformItemSizes=True)
        table.setModel(self.filtered)
        set_up_list(table, EntryDelegate(table), self.tr("Steps"))
        table.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        table.setMinimumHeight(90)
        table.setAccessibleDescription(
            self.tr("Enter shows the state after a step. Ctrl+C copies the chosen steps with all that belongs to them.")
        )
        table.copied.connect(self._copy_steps)
        table.activated.connect(lambda _: self.show_state())
        table.selectionModel().selectionChanged.connect(self._show_chosen)
        return table

    def _build_details(self) -> QTreeWidget:
        details = build(QTreeWidget, accessibleName=self.tr("All of the step"))
        details.setHeaderLabels([self.tr("What"), self.tr("Value")])
        details.setMinimumHeight(60)
        wrap_cells(details, 1)
        return details

    def _buttons(self) -> QHBoxLayout:
        tip = self.tr("See the pages as they were after the chosen step (Enter); two chosen steps are compared")
        self.see_button = button(self.tr("See State…"), tip, self.show_state)
        tip = self.tr("Give the state after the chosen step a name, as “As submitted”; that is recorded")
        self.mark_button = button(self.tr("Mark…"), tip, self._ask_for_mark)
        return in_row(self.see_button, self.mark_button, None, spacing=8)

    def _foot(self) -> QHBoxLayout:
        self.hash_label = label()
        self.copy_button = button(self.tr("Copy"), "", self._copy_hash)
        return in_row((self.hash_label, 1), self.copy_button)

    def _show(self) -> None:
        """Show the history as it is now, and its end unless something else is looked at; out of sight, not yet."""
        if not self.isVisible():
            return
        bar = self.table.verticalScrollBar()
        follows = bar.value() == bar.maximum() or not self.model.history
        self.model.set_history(self._document.history)
        if follows:
            self.table.scrollToBottom()
        self._show_chosen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()
        if not self.chosen:  # it has its height only now
            self.table.scrollToBottom()

    def _filter(self, *_: object) -> None:
        self.filtered.set_text(self.search.text())
        self.filtered.set_shreds(self._document.selection.shreds if self.of_shred.isChecked() else ())
        self.nothing.setVisible(bool(self.model.history) and self.filtered.rowCount() == 0)
        self._show_chosen()

    def _follow_selection(self) -> None:
        if self.of_shred.isChecked():
            self._filter()

    @property
    def chosen(self) -> list[Entry]:
        """The chosen entries, in their order."""
        rows = {self.filtered.mapToSource(index).row() for index in self.table.selectionModel().selectedIndexes()}
        return [self.model.history[row] for row in sorted(rows)]

    def _entry(self) -> Entry | None:
        """Return the entry that is meant: the chosen one, or the last."""
        history = self.model.history
        return self.chosen[-1] if self.chosen else history[-1] if history else None

    def _show_chosen(self) -> None:
        """Show all of the entry that is meant, and what can be done with it."""
        entry = self._entry()
        nothing = unless(entry, self.tr("The history has no entry yet."))
        allow(nothing, self.copy_button, self.see_button, self.mark_button)
        self.see_button.setText(self.tr("Compare…") if len(self.chosen) == 2 else self.tr("See State…"))
        self.details.clear()
        if entry is None:
            self.hash_label.setText("")
            return
        for what, value in details_of(entry, self.model.history):
            item = QTreeWidgetItem(self.details, [what, value])
            item.setToolTip(1, value)
        text = self.tr("Step {n}: SHA-256 {sha256}…")
        self.hash_label.setText(text.format(n=entry.number, sha256=entry.sha256[:_SHOWN_OF_HASH]))
        self.hash_label.setToolTip(
            self.tr(
                "{sha256}\nWhoever has noted this hash elsewhere can see later that no step up to here was changed."
            ).format(sha256=entry.sha256)
        )
        self.copy_button.setToolTip(self.tr("Copy the whole hash of step {n}").format(n=entry.number))

    def show_state(self) -> None:
        """Show the state after the entry that is meant; of two chosen ones in what they differ."""
        case, entry, chosen = self._document.case, self._entry(), self.chosen
        if case is not None and entry is not None:
            from app.record.past import PastDialog

            other = chosen[0].number if len(chosen) == 2 else None
            PastDialog(self._shell, case, entry.number, other).open()

    def _ask_for_mark(self) -> None:
        entry = self._entry()
        if entry is None:
            return
        dialog = QInputDialog(self.window())
        dialog.setInputMode(QInputDialog.InputMode.TextInput)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Mark Step {n}").format(n=entry.number))
        dialog.setLabelText(self.tr("What the state after this step is called:"))
        dialog.setTextValue(self.tr("As submitted"))
        dialog.setOkButtonText(self.tr("&Mark"))
        dialog.textValueSelected.connect(lambda name: self._mark(entry.number, " ".join(name.split())))
        dialog.open()

    def _mark(self, number: int, name: str) -> None:
        if name and self._document.case is not None:
            self._shell.session.journal.marked(number, name)

    def _copy_hash(self) -> None:
        if (entry := self._entry()) is not None:
            QGuiApplication.clipboard().setText(entry.sha256)

    def _copy_steps(self) -> None:
        steps = (details_of(entry, self.model.history) for entry in self.chosen)
        text = "\n\n".join("\n".join(f"{what}\t{value}" for what, value in step) for step in steps)
        QGuiApplication.clipboard().setText(text)


class _Table(QListView):
    """Copies whole steps."""

    copied = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep showing the end of the history where that is shown."""
        bar = self.verticalScrollBar()
        at_end = bar.value() == bar.maximum()
        super().resizeEvent(event)
        if at_end:
            self.scrollToBottom()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        else:
            super().keyPressEvent(event)
