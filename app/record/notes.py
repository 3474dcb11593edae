"""Notes of the examiner: about the case, a shred or a join; written in a small window, undone like any other step."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from app.reasons import allow, unless_case
from app.session.document import Document
from app.session.editor import Editor
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from app.widgets.note_marks import title_of
from app.widgets.rows import TITLE_ROLE, DeleteKey, NoteDelegate, set_up_list
from app.wording import translate
from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import WriteNote
from core.arrangement.noted import abouts_of_join, subject_of

CASE = ""
"""What a note is about that is about the whole case."""

_FIRST = (-1, 0)
"""Stands before the places of all shreds."""


def write(editor: Editor, about: str, text: str) -> bool:
    """Write a note, or remove it if the text is empty; return whether that changed anything."""
    what = translate("notes", "note about {what}") if text else translate("notes", "removal of the note about {what}")
    title = title_of(about)
    return editor.edit(WriteNote(about, text), what.format(what=title[0].lower() + title[1:]))


def subjects(document: Document) -> list[str]:
    """List what a note can be about as things are chosen, the likeliest first."""
    case, pair, selection = document.case, document.chosen_join, document.selection
    join = []
    if pair is not None and case is not None:
        abouts = abouts_of_join(*pair, case.arrangement.other_faces)
        join = [next((about for about in abouts if about in case.arrangement.notes), abouts[0])]
    shred = [selection.shred] if selection.shred else []
    return [*(join + shred if len(selection.shreds) == 2 else shred + join), CASE]


def in_order(arrangement: Arrangement) -> list[tuple[str, str]]:
    """List the notes: of the case first, then as the shreds stand, a shred's before its join's."""

    def place(about: str) -> tuple[tuple[int, int], int]:
        shreds, place_px = subject_of(about)
        kind = 3 if place_px else len(shreds)
        return arrangement.places.get(shreds[0], _FIRST) if shreds else _FIRST, kind

    return sorted(arrangement.notes.items(), key=lambda note: place(note[0]))


class NoteDialog(QDialog):
    """A field for the text, and what it is about."""

    def __init__(
        self, document: Document, editor: Editor, about: str | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._editor = document, editor
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Note"))
        self.resize(460, 260)
        self.about_box = build(QComboBox, accessibleName=self.tr("What the note is about"))
        for subject in subjects(document) if about is None else [about]:
            self.about_box.addItem(title_of(subject), subject)
        self.about_box.currentIndexChanged.connect(self._fill)
        title = QLabel(self.tr("&About:"))
        title.setBuddy(self.about_box)
        placeholder = self.tr("What should be known of it: why it is right, who was asked, what is odd…")
        self.field = build(QPlainTextEdit, placeholderText=placeholder, tabChangesFocus=True)
        self.field.setAccessibleName(self.tr("Text of the note"))
        cancel = QDialogButtonBox.StandardButton.Cancel
        buttons = build(QDialogButtonBox, cancel, accepted=self.accept, rejected=self.reject)
        self.keep_button = buttons.addButton(self.tr("Keep"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.keep_button.setProperty("main", True)
        self.keep_button.setShortcut("Ctrl+Return")
        tip = self.tr("Put the note into the case and its report (Ctrl+Return); without text there is none")
        self.keep_button.setToolTip(tip)
        row = in_row(title, (self.about_box, 1))
        in_column(row, (self.field, 1), buttons, on=self, margins=(16, 14, 16, 12), spacing=10)
        self._fill()
        self.field.setFocus()

    @property
    def about(self) -> str:
        """What the note is about."""
        return str(self.about_box.currentData())

    def _fill(self) -> None:
        case = self._document.case
        self.field.setPlainText(case.arrangement.notes.get(self.about, "") if case else "")

    def accept(self) -> None:
        write(self._editor, self.about, self.field.toPlainText().strip())
        super().accept()


class NotesList(QWidget):
    """All notes; a click goes to what one is about, a double click or Enter opens it."""

    def __init__(self, document: Document, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._editor = document, editor
        self.list = QListWidget()
        set_up_list(self.list, NoteDelegate(self.list), self.tr("Notes"))
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setAccessibleDescription(self.tr("Enter opens a note, Delete removes it."))
        self.list.itemClicked.connect(lambda item: self._go_to(item.data(Qt.ItemDataRole.UserRole)))
        self.list.itemActivated.connect(lambda item: self.open(item.data(Qt.ItemDataRole.UserRole)))
        DeleteKey(self.list).pressed.connect(self._remove)
        text = self.tr("No notes yet. Ctrl+K writes one: about the chosen join or shred, or about the whole case.")
        self.nothing = label(text, wordWrap=True)
        tip = self.tr("Write what should be known of the whole case")
        self.write_button = button(self.tr("Note about the Case…"), tip, lambda: self.open(CASE))
        foot = in_row(None, self.write_button)
        in_column(self.nothing, (self.list, 1), foot, on=self, margins=(10, 8, 10, 8), spacing=6)
        document.case_changed.connect(self._show)
        document.arrangement_changed.connect(self._show)
        self._show()

    def open(self, about: str) -> None:
        """Open a note, there or not."""
        if self._document.case is not None:
            NoteDialog(self._document, self._editor, about, self.window()).open()

    def _remove(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            write(self._editor, item.data(Qt.ItemDataRole.UserRole), "")

    def _go_to(self, about: str) -> None:
        shreds, _ = subject_of(about)
        if shreds:
            self._document.select_shreds(shreds, shreds[-1])
            self._document.show_shred(shreds[-1])

    def _show(self) -> None:
        case = self._document.case
        notes = in_order(case.arrangement) if case else []
        listed = map(self.list.item, range(self.list.count()))
        shown = [(item.data(Qt.ItemDataRole.UserRole), item.text()) for item in listed]
        if notes != shown:
            self.list.clear()
            for about, text in notes:
                item = QListWidgetItem(text, self.list)
                item.setData(Qt.ItemDataRole.UserRole, about)
                item.setData(TITLE_ROLE, title_of(about))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title_of(about)}: {text}")
        self.nothing.setVisible(not notes)
        allow(unless_case(case is not None), self.write_button)
