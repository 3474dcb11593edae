"""How a failure looks: a sentence, details on demand. No other place in the window decides that."""

import logging

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.wording import translate
from core.errors import NothingFoundError, OutputError, RejoinError, UnreadableInputError, UsageError
from core.system.versions import details

logger = logging.getLogger(__name__)


def heading(error: BaseException) -> str:
    """Name the kind of failure in a few words."""
    kinds: tuple[tuple[type[BaseException], str], ...] = (
        (UnreadableInputError, translate("messages", "A file could not be read")),
        (NothingFoundError, translate("messages", "Nothing to reconstruct was found")),
        (OutputError, translate("messages", "The pages could not be written")),
        (UsageError, translate("messages", "This cannot be done")),
        (RejoinError, translate("messages", "The work was stopped")),
        (MemoryError, translate("messages", "The memory is full")),
    )
    return next(
        (text for kind, text in kinds if isinstance(error, kind)),
        translate("messages", "Something unexpected happened"),
    )


def sentence(error: BaseException) -> str:
    """Say what was found, why it stops the work, and what to do."""
    if isinstance(error, RejoinError):
        return str(error)
    if isinstance(error, MemoryError):
        return translate(
            "messages", "This computer does not have enough free memory. Close other programs, or open fewer sheets."
        )
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        return translate("messages", "{name}{reason}. Check the file and try again.").format(
            name=name, reason=error.strerror
        )
    return translate(
        "messages",
        "The work was stopped by a fault in the program; your scans are untouched. "
        "Try again, and if it happens once more, report it with the details below.",
    )


def show_error(parent: QWidget | None, error: BaseException) -> QDialog:
    """Show a failure; the dialog does not block."""
    told = details(error)
    logger.error("%s", sentence(error), exc_info=error)
    dialog = MessageDialog(parent, heading(error), sentence(error), told, "error")
    dialog.open()
    return dialog


def show_left_out(parent: QWidget | None, sentences: tuple[str, ...]) -> QDialog:
    """List inputs that were left out."""
    title = translate("messages", "Some inputs were left out")
    text = translate("messages", "The pages were reconstructed from the others.")
    dialog = MessageDialog(parent, title, text, "\n\n".join(sentences), "warning", open_details=True)
    dialog.open()
    return dialog


class MessageDialog(QDialog):
    """A heading, a sentence, and details that can be unfolded and copied."""

    def __init__(
        self, parent: QWidget | None, title: str, text: str, details: str, icon: str, *, open_details: bool = False
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Rejoin"))
        colours = theme.colours()
        picture = QLabel()
        colour = colours.doubtful if icon == "error" else colours.fair
        picture.setPixmap(theme.picture(icon, 36, colour, self.devicePixelRatioF()))
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        top = QLabel(title)
        top.setProperty("role", "heading")
        self.text = QLabel(text)
        self.text.setWordWrap(True)
        self.text.setMinimumWidth(420)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setAccessibleName(self.tr("Details"))
        self.details.setMinimumHeight(170)
        if not open_details:
            self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setVisible(open_details)
        column = QVBoxLayout()
        column.setSpacing(8)
        for widget in (top, self.text, self.details):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(picture)
        row.addLayout(column, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 16)
        layout.setSpacing(16)
        layout.addLayout(row)
        layout.addWidget(self._buttons(open_details))

    def _buttons(self, open_details: bool) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setProperty("main", True)
        close.setDefault(True)
        self.copy_button = buttons.addButton(self.tr("Copy Details"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setToolTip(
            self.tr("Copy the message and its details, as shown, to send them to whoever helps")
        )
        self.copy_button.clicked.connect(self._copy)
        self.details_button = buttons.addButton(self.tr("Details"), QDialogButtonBox.ButtonRole.ActionRole)
        self.details_button.setCheckable(True)
        self.details_button.setChecked(open_details)
        self.details_button.toggled.connect(self._unfold)
        for button in (self.copy_button, self.details_button):
            button.setAutoDefault(False)
        return buttons

    def _unfold(self, unfolded: bool) -> None:
        self.details.setVisible(unfolded)
        self.adjustSize()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.text.text()}\n\n{self.details.toPlainText()}")


class NoticeBar(QWidget):
    """A line above the page for what is worth knowing and stops nothing."""

    more_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._picture = QLabel()
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self.more_button = QPushButton()
        self.more_button.setProperty("link", True)
        self.more_button.clicked.connect(self.more_clicked)
        self._close = QToolButton()
        self._close.setToolTip(self.tr("Dismiss"))
        self._close.setAccessibleName(self.tr("Dismiss"))
        self._close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 4, 8, 4)
        layout.setSpacing(10)
        layout.addWidget(self._picture)
        layout.addWidget(self._text)
        layout.addWidget(self.more_button)
        layout.addStretch()
        layout.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def tell(self, text: str, more: str = "", icon: str = "information") -> None:
        """Show a text, with a button for more if there is more to say."""
        colours = theme.colours()
        self._picture.setPixmap(theme.picture(icon, 18, colours.fair, self.devicePixelRatioF()))
        self._close.setIcon(theme.icon("cancel"))
        self._text.setText(text)
        self.more_button.setText(more)
        self.more_button.setVisible(bool(more))
        self.show()
