"""How a message looks, question or failure, and the dialogs that ask for files. No other place decides that."""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)

from app import theme
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from app.wording import translate
from core import __version__
from core.case.case import CASE_SUFFIX
from core.errors import RejoinError
from core.system.versions import details

logger = logging.getLogger(__name__)


def heading(error: BaseException) -> str:
    """Return the kind of failure in a few words."""
    if isinstance(error, MemoryError):
        return translate("messages", "The memory is full")
    if not isinstance(error, RejoinError):
        return translate("messages", "Something unexpected happened")
    kinds = {
        "unreadable": translate("messages", "A file could not be read"),
        "missing-sheet": translate("messages", "A sheet is not where it was"),
        "nothing-found": translate("messages", "Nothing to reconstruct was found"),
        "cross-cut": translate("messages", "Pieces that were cut both ways"),
        "torn": translate("messages", "Pieces that were torn by hand"),
        "not-written": translate("messages", "The pages could not be written"),
        "open-elsewhere": translate("messages", "The case is open in another window"),
        "usage": translate("messages", "This cannot be done"),
    }
    return kinds.get(error.code, translate("messages", "The work was stopped"))


def sentence(error: BaseException) -> str:
    """Return what was found, why it stops the work, and what to do."""
    if isinstance(error, RejoinError):
        return str(error)
    if isinstance(error, MemoryError):
        return translate(
            "messages", "This computer does not have enough free memory. Close other programs, or open fewer sheets."
        )
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        text = translate("messages", "{name}{reason}. Check the file and try again.")
        return text.format(name=name, reason=error.strerror)
    return translate(
        "messages",
        "The work was stopped by a fault in the program; your scans are untouched. "
        "Try again, and if it happens once more, report it with the details below.",
    )


def show_error(parent: QWidget | None, error: BaseException) -> QDialog:
    """Show a failure; the dialog does not block."""
    logger.error("%s", sentence(error), exc_info=error)
    dialog = MessageDialog(parent, "error", heading(error), sentence(error), details(error))
    dialog.open()
    return dialog


def show_left_out(parent: QWidget | None, sentences: Sequence[str]) -> QDialog:
    """List inputs that were left out."""
    title = translate("messages", "What was left out")
    text = translate("messages", "The pages were reconstructed from all the other inputs.")
    dialog = MessageDialog(parent, "warning", title, text, "\n\n".join(sentences), open_details=True)
    dialog.open()
    return dialog


def show_remarks(parent: QWidget | None, sentences: Sequence[str]) -> QDialog:
    """List what is remarkable about inputs that were read."""
    title = translate("messages", "Everything was read")
    text = translate("messages", "This is worth knowing of some of the files.")
    dialog = MessageDialog(parent, "information", title, text, "\n\n".join(sentences), open_details=True)
    dialog.open()
    return dialog


class MessageDialog(QDialog):
    """Whatever is told or asked: a heading, a sentence, details that can be unfolded and copied, and what can be done.

    Parameters
    ----------
    parent : QWidget or None
        The window.
    icon : str
        Beside the heading: "question", "information", "warning" or "error".
    title, text, details : str
        What happened; why, and what to do; "" for no details.
    choices : mapping of str to str, optional
        Verbs by their names, the safe one first: it is the default. Without any there is nothing to choose.
    open_details : bool
        Whether details are for whoever reads the message, and not for who helps them.
    """

    def __init__(
        self,
        parent: QWidget | None,
        icon: str,
        title: str,
        text: str,
        details: str = "",
        choices: Mapping[str, str] | None = None,
        *,
        open_details: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Rejoin"))
        self.chosen = "cancel"
        self.text = build(QLabel, text, wordWrap=True, minimumWidth=420, textFormat=Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = build(QPlainTextEdit, details, readOnly=True, tabChangesFocus=True, minimumHeight=170)
        self.details.setAccessibleName(self.tr("Details"))
        if not open_details:
            self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setVisible(open_details)
        self.buttons = QDialogButtonBox()
        self._add_choices(choices or {})
        if details:
            self._add_details(open_details)
        heading = label(title, "heading", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        column = in_column(heading, self.text, self.details, spacing=8)
        row = in_row(self._picture(icon), (column, 1), spacing=16)
        in_column(row, self.buttons, on=self, margins=(22, 20, 22, 16), spacing=16)
        self._safe.setFocus()

    def _picture(self, icon: str) -> QLabel:
        colours = theme.colours()
        colour = {"error": colours.doubtful, "warning": colours.fair}.get(icon, colours.accent)
        pixmap = theme.picture(icon, 36, colour, self.devicePixelRatioF())
        return QLabel(pixmap=pixmap, alignment=Qt.AlignmentFlag.AlignTop)

    def _add_choices(self, choices: Mapping[str, str]) -> None:
        """Add a button for each choice, and one that leaves everything as it is, as Escape does."""
        role = QDialogButtonBox.ButtonRole
        buttons = {
            name: self.buttons.addButton(text, role.ActionRole if number else role.AcceptRole)
            for number, (name, text) in enumerate(choices.items())
        }
        text = self.tr("Cancel") if choices else self.tr("Close")
        buttons["cancel"] = self.buttons.addButton(text, role.RejectRole)
        for name, each in buttons.items():
            each.setAutoDefault(False)
            each.clicked.connect(lambda _=False, name=name: self._choose(name))
        safe = next(iter(buttons.values()))
        safe.setProperty("main", True)
        safe.setDefault(True)
        self._safe = safe

    def _choose(self, name: str) -> None:
        self.chosen = name
        self.done(name != "cancel")

    def _add_details(self, unfolded: bool) -> None:
        role = QDialogButtonBox.ButtonRole.ResetRole  # at the other end than what can be chosen
        self.copy_button = self.buttons.addButton(self.tr("Copy Details"), role)
        tip = self.tr("Copy the message and its details, as shown, to send them to whoever helps")
        self.copy_button.setToolTip(tip)
        self.copy_button.clicked.connect(self._copy)
        self.details_button = self.buttons.addButton(self.tr("Details"), role)
        self.details_button.setCheckable(True)
        self.details_button.setChecked(unfolded)
        self.details_button.toggled.connect(self._unfold)
        for each in (self.copy_button, self.details_button):
            each.setAutoDefault(False)

    def _unfold(self, unfolded: bool) -> None:
        self.details.setVisible(unfolded)
        self.adjustSize()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.text.text()}\n\n{self.details.toPlainText()}")


def ask(parent: QWidget, icon: str, title: str, text: str, choices: Mapping[str, str]) -> str:
    """Ask what is to be done, and wait for the answer; see `MessageDialog`.

    Returns
    -------
    str
        The name of the choice; "cancel" if everything is to stay as it is.
    """
    dialog = MessageDialog(parent, icon, title, text, choices=choices)
    dialog.exec()
    return dialog.chosen


class NoticeBar(QWidget):
    """A line above the page for what is worth knowing and stops nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._action: Callable[[], object] = lambda: None
        self._picture, self._text = QLabel(), QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        by_tab = {"focusPolicy": Qt.FocusPolicy.TabFocus}  # a click leaves the focus where it is
        self.more_button = button("", "", lambda: self._action(), "link", **by_tab)
        dismiss = self.tr("Dismiss")
        self._close = build(QToolButton, toolTip=dismiss, accessibleName=dismiss, clicked=self.hide, **by_tab)
        parts = (self._picture, (self._text, 1), self.more_button, self._close)
        in_row(*parts, on=self, margins=(14, 4, 8, 4), spacing=10)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def tell(
        self, text: str, more: str = "", action: Callable[[], object] | None = None, icon: str = "information"
    ) -> None:
        """Show a text, with a button for an action if there is one."""
        if action is not None:
            self._action = action
        colours = theme.colours()
        self._picture.setPixmap(theme.picture(icon, 18, colours.fair, self.devicePixelRatioF()))
        self._close.setIcon(theme.icon("cancel"))
        self._text.setText(text)
        self.more_button.setText(more)
        self.more_button.setVisible(bool(more))
        self.show()

    def withdraw(self, text: str) -> None:
        """Take a text away that is true no longer, if it is still shown."""
        if text == self.text:
            self.hide()


_PAGES = {"PDF (*.pdf)": ".pdf", "TIFF (*.tif *.tiff)": ".tif", "PNG (*.png)": ".png"}


def choose_files(parent: QWidget, folder: str) -> list[Path]:
    """Ask for scans; an empty list if the user changed their mind."""
    from core.sheets.inputs import SUFFIXES  # brings the decoders of all formats, which the window itself does not need

    patterns = " ".join(f"*{suffix} *{suffix.upper()}" for suffix in (*SUFFIXES, CASE_SUFFIX))
    scans, others = translate("dialogs", "Scans and cases"), translate("dialogs", "All files")
    filters = f"{scans} ({patterns});;{others} (*)"
    names, _ = QFileDialog.getOpenFileNames(parent, translate("dialogs", "Open Sheets"), folder, filters)
    return [Path(name) for name in names]


def choose_folder(parent: QWidget, folder: str) -> list[Path]:
    """Ask for a folder; an empty list if the user changed their mind."""
    path = _choose_folder(parent, translate("dialogs", "Open Folder"), folder)
    return [path] if path else []


def choose_picture(parent: QWidget, folder: str) -> Path | None:
    """Ask for a picture for the laboratory's logo; None if the user changed their mind."""
    title, kind = translate("dialogs", "Logo of the Laboratory"), translate("dialogs", "Pictures")
    name, _ = QFileDialog.getOpenFileName(parent, title, folder, f"{kind} (*.png *.jpg *.jpeg *.bmp *.webp *.svg)")
    return Path(name) if name else None


def choose_place(parent: QWidget, folder: Path) -> Path | None:
    """Ask in which folder a new one is to be made; None if the user changed their mind."""
    return _choose_folder(parent, translate("dialogs", "Export: in Which Folder?"), str(folder))


def choose_sheets_folder(parent: QWidget, folder: str) -> Path | None:
    """Ask for a folder of sheets; None if the user changed their mind."""
    return _choose_folder(parent, translate("dialogs", "Folder of the Sheets"), folder)


def _choose_folder(parent: QWidget, title: str, folder: str) -> Path | None:
    name = QFileDialog.getExistingDirectory(parent, title, folder)
    return Path(name) if name else None


def choose_export(parent: QWidget, proposed: Path) -> Path | None:
    """Ask where to write the pages; None if the user changed their mind."""
    title = translate("dialogs", "Export Pages")
    name, chosen = QFileDialog.getSaveFileName(parent, title, str(proposed), ";;".join(_PAGES))
    if not name:
        return None
    path = Path(name)
    return path if path.suffix else path.with_suffix(_PAGES.get(chosen, ".pdf"))


def choose_report(parent: QWidget, proposed: Path) -> Path | None:
    """Ask where to write the report; None if the user changed their mind."""
    return _choose_file(parent, translate("dialogs", "Write Report"), proposed, "PDF", ".pdf")


def choose_case(parent: QWidget, proposed: Path) -> Path | None:
    """Ask where to save the case; None if the user changed their mind."""
    title, kind = translate("dialogs", "Save Case"), translate("dialogs", "Cases")
    return _choose_file(parent, title, proposed, kind, CASE_SUFFIX)


def _choose_file(parent: QWidget, title: str, proposed: Path, kind: str, suffix: str) -> Path | None:
    """Ask for a file to write; the suffix is added to a name that does not end in it."""
    name, _ = QFileDialog.getSaveFileName(parent, title, str(proposed), f"{kind} (*{suffix})")
    if not name:
        return None
    path = Path(name)
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


SaveAnswer: TypeAlias = Literal["save", "discard", "cancel"]


def ask_to_save(parent: QWidget) -> SaveAnswer:
    """Ask what is to become of changes that have not been saved."""
    title = translate("dialogs", "There are changes that are not saved")
    text = translate("dialogs", "What you have set by hand since the case was saved is lost otherwise.")
    return _ask_to_save(parent, title, text, translate("dialogs", "&Discard Changes"))


def ask_to_save_new(parent: QWidget) -> SaveAnswer:
    """Ask what is to become of a reconstruction that was never saved."""
    title = translate("dialogs", "This reconstruction is not saved")
    text = translate("dialogs", "It is in no file yet, and would have to be made again. Saving makes a case of it.")
    return _ask_to_save(parent, title, text, translate("dialogs", "&Discard Reconstruction"))


def _ask_to_save(parent: QWidget, title: str, text: str, discard: str) -> SaveAnswer:
    choices = {"save": translate("dialogs", "&Save"), "discard": discard}
    return cast(SaveAnswer, ask(parent, "question", title, text, choices))


def ask_about_other(parent: QWidget, holder: str, stale: bool) -> Literal["copy", "anyway", "cancel"]:
    """Ask whether to open a copy of a case that another window, which a sentence names, has open."""
    more = translate(
        "dialogs",
        "If both windows saved to it, the later one would undo the work of the other. A copy is safe: saving "
        "it asks for another file.",
    )
    choices = {"copy": translate("dialogs", "Open a &Copy")}
    if stale:
        more += " " + translate("dialogs", "If you know that the window there has ended, open the case itself.")
        choices["anyway"] = translate("dialogs", "Open &Anyway")
    title = translate("dialogs", "This case is open elsewhere")
    answer = ask(parent, "warning", title, f"{holder} {more}", choices)
    return cast(Literal["copy", "anyway", "cancel"], answer)


def ask_for_sheets(parent: QWidget, missing: str, more: str, folder: str) -> Path | None:
    """Ask for the folder of sheets that a sentence says are missing; None if the user changed their mind."""
    title, choices = translate("dialogs", "The sheets are needed"), {"choose": translate("dialogs", "Choose &Folder…")}
    answer = ask(parent, "question", title, f"{missing} {more}", choices)
    return choose_sheets_folder(parent, folder) if answer == "choose" else None


def show_about(parent: QWidget, log_path: Path | None, kept: tuple[Path, float]) -> QDialog:
    """Show version and method, where the log is, and where how much (GB) is kept of what was read."""
    folder, gb = kept
    nothing = translate("dialogs", "nothing")
    where = translate("dialogs", "up to {gb} GB in {folder}").format(gb=f"{gb:g}", folder=folder) if gb > 0 else nothing
    text = translate(
        "dialogs",
        "Reconstructs strip-shredded text documents from scans.\n\nAfter Paixão et al., “Fast(er) Reconstruction of "
        "Shredded Text Documents via Self-Supervised Deep Asymmetric Metric Learning”, CVPR 2020.\n\n"
        "Log file: {log}\n\nKept of what was read of sheets, so that it need not be read again: {kept}",
    ).format(log=log_path or translate("dialogs", "none"), kept=where)
    dialog = MessageDialog(parent, "rejoin", translate("dialogs", "Rejoin {version}").format(version=__version__), text)
    dialog.open()
    return dialog
