"""What the case is called where it is worked on: entered in one window, and remembered for new cases."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
)

from app.images import logo_from
from app.reasons import allow, unless
from app.record.examiner import Examiner
from app.shell import Shell
from app.widgets import messages
from app.widgets.controls import build, button, label
from app.widgets.layouts import give_size, in_column, in_row, scrolling
from core.arrangement.details import MAX_LINE, MAX_REMARKS, CaseDetails, encoded_logo
from core.arrangement.edits import WriteDetails

_LOGO_SIZE = QSize(180, 66)


class Details(QObject):
    """Knows what new cases are called, and lets the examiner say what the open one is.

    Parameters
    ----------
    shell : Shell
        The window; its settings keep laboratory and logo for new cases.
    examiner : Examiner
        Knows who works on the case.
    """

    def __init__(self, shell: Shell, examiner: Examiner) -> None:
        super().__init__(shell.parent)
        self._shell, self._examiner = shell, examiner
        shell.session.journal.defaults = self._of_new_cases
        shell.actions.details.triggered.connect(self.ask)

    def ask(self) -> None:
        """Show what was entered, and let it be changed; without a case it is what new cases begin with."""
        case = self._shell.session.document.case
        entered = CaseDetails() if case is None else CaseDetails.of(case.arrangement)
        dialog = DetailsDialog(self._shell, entered, self._defaults(), case is not None)
        dialog.accepted.connect(lambda: self._keep(dialog))
        dialog.open()

    def _defaults(self) -> CaseDetails:
        """Return what is proposed where nothing was entered."""
        try:
            kept = CaseDetails(**self._shell.settings.details())
        except (TypeError, ValueError):  # a settings file edited by hand is no reason not to start
            kept = CaseDetails()
        return CaseDetails(laboratory=kept.laboratory, logo=kept.logo, examiner=self._examiner.name())

    def _of_new_cases(self) -> CaseDetails:
        """Return what a new case begins with: nothing, unless the examiner once entered something for all cases."""
        defaults = self._defaults()
        return defaults if defaults.laboratory or defaults.logo else CaseDetails()

    def _keep(self, dialog: DetailsDialog) -> None:
        details, shell = dialog.details, self._shell
        if dialog.name_changed and details.examiner:
            self._examiner.keep(details.examiner)
        if dialog.for_new_cases.isChecked():
            shell.settings.set_details({"laboratory": details.laboratory, "logo": details.logo})
        if shell.session.document.case is not None:
            shell.session.editor.edit(WriteDetails(details.values()), self.tr("details of the case"))


class DetailsDialog(QDialog):
    """A field for each thing.

    Parameters
    ----------
    shell : Shell
        The window.
    entered : CaseDetails
        Those of the case.
    defaults : CaseDetails
        Proposed where nothing was entered.
    has_case : bool
        Whether a case is open; otherwise what is entered is for new cases alone.
    """

    def __init__(self, shell: Shell, entered: CaseDetails, defaults: CaseDetails, has_case: bool) -> None:
        super().__init__(shell.parent)
        self._shell = shell
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Case Details") if has_case else self.tr("Details of New Cases"))
        shown = entered if entered.values() else defaults
        self._shown_name = shown.examiner or defaults.examiner
        self.number = _line(shown.number, self.tr("Case number"), self.tr("As the file of the matter is numbered"))
        self.exhibit = _line(shown.exhibit, self.tr("Exhibit"), self.tr("What the shreds are called as evidence"))
        self.laboratory = _line(shown.laboratory, self.tr("Laboratory"), self.tr("Stands on reports and exports"))
        tip = self.tr("Stands on reports, and from now on beside every step of the history")
        self.examiner = _line(self._shown_name, self.tr("Examiner"), tip)
        self.remarks = build(QPlainTextEdit, shown.remarks, tabChangesFocus=True, accessibleName=self.tr("Remarks"))
        self.remarks.setPlaceholderText(self.tr("Who asked for what, and what is known of the shreds…"))
        self.remarks.setFixedHeight(96)
        of_a_case = unless(has_case, self.tr("This is entered for each case: open one first."))
        allow(of_a_case, self.number, self.exhibit, self.remarks)
        text = self.tr("Laboratory, examiner and logo for &new cases too")
        self.for_new_cases = build(QCheckBox, text, checked=True)
        self.problem = label(wordWrap=True, visible=False)
        form = self._form()
        rows = (scrolling(form), 1), self.for_new_cases, self.problem, self._buttons()
        in_column(*rows, on=self, margins=(16, 14, 16, 12), spacing=12)
        self.for_new_cases.setVisible(has_case)
        self.keep_button.setDefault(True)  # not before it is in the dialog: Qt would take Cancel
        self._show_logo(shown.logo)
        give_size(self, 520, form.sizeHint().height() + 150)
        (self.number if has_case else self.laboratory).setFocus()

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.addRow(self.tr("Case n&umber:"), self.number)
        form.addRow(self.tr("&Exhibit:"), self.exhibit)
        form.addRow(self.tr("&Laboratory:"), self.laboratory)
        form.addRow(self.tr("E&xaminer:"), self.examiner)
        form.addRow(self.tr("&Remarks:"), self.remarks)
        form.addRow(self.tr("Logo:"), self._logo_row())
        return form

    def _logo_row(self) -> QVBoxLayout:
        self.picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.picture.setObjectName("logo")
        self.picture.setFixedSize(_LOGO_SIZE + QSize(12, 12))
        self.picture.setAccessibleName(self.tr("Logo of the laboratory"))
        tip = self.tr("A picture for the first page of reports; large ones are made smaller")
        self.choose_button = button(self.tr("Choose &Picture…"), tip, self._choose_logo, autoDefault=False)
        tip = self.tr("Have no logo on reports")
        self.remove_button = button(self.tr("Re&move"), tip, lambda: self._show_logo(""), "link", autoDefault=False)
        return in_column(in_row(self.picture, self.choose_button, self.remove_button, None, spacing=10))

    def _buttons(self) -> QDialogButtonBox:
        cancel = QDialogButtonBox.StandardButton.Cancel
        buttons = build(QDialogButtonBox, cancel, accepted=self.accept, rejected=self.reject)
        self.keep_button = buttons.addButton(self.tr("Keep"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.keep_button.setProperty("main", True)
        return buttons

    @property
    def details(self) -> CaseDetails:
        """What stands in the fields."""
        lines = {
            "number": self.number,
            "exhibit": self.exhibit,
            "laboratory": self.laboratory,
            "examiner": self.examiner,
        }
        entered = {name: " ".join(line.text().split()) for name, line in lines.items()}
        return CaseDetails(**entered, remarks=self.remarks.toPlainText().strip(), logo=self._logo)

    @property
    def name_changed(self) -> bool:
        """Whether another examiner was entered than was shown."""
        return self.details.examiner != self._shown_name

    def accept(self) -> None:
        if len(self.remarks.toPlainText()) > MAX_REMARKS:
            self._refuse(self.tr("The remarks are longer than {n:,} letters. Shorten them.").format(n=MAX_REMARKS))
            return
        super().accept()

    def _refuse(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.show()

    def _choose_logo(self) -> None:
        path = messages.choose_picture(self, self._shell.settings.folder("open"))
        if path is not None:
            task = self._shell.session.jobs.start(lambda progress, deliver: logo_from(path))
            task.succeeded.connect(self._take_logo)

    def _take_logo(self, png: bytes) -> None:
        self.problem.hide()
        try:
            self._show_logo(encoded_logo(png))
        except ValueError:
            self._refuse(self.tr("That is no picture that can be read. Choose a PNG or JPEG file."))

    def _show_logo(self, logo: str) -> None:
        self._logo = logo
        pixmap = QPixmap()
        pixmap.loadFromData(CaseDetails(logo=logo).logo_png)
        ratio = self.devicePixelRatioF()
        if not pixmap.isNull():
            kept = Qt.AspectRatioMode.KeepAspectRatio
            pixmap = pixmap.scaled(_LOGO_SIZE * ratio, kept, Qt.TransformationMode.SmoothTransformation)
            pixmap.setDevicePixelRatio(ratio)
        self.picture.setPixmap(pixmap)
        if pixmap.isNull():
            self.picture.setText(self.tr("No logo"))
        allow(unless(logo, self.tr("There is no logo.")), self.remove_button)


def _line(text: str, name: str, tip: str) -> QLineEdit:
    return build(QLineEdit, text, maxLength=MAX_LINE, accessibleName=name, toolTip=tip)
