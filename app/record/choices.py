"""The windows that ask which pages and files to write, and what all windows of that kind have in common."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout, QHBoxLayout, QWidget

from app import wording
from app.reasons import allow, unless
from app.shell import Shell
from app.widgets.controls import TicksButton, build
from app.widgets.layouts import in_column, in_row, scrolling
from core.options import Export, OrderFormat, PageFormat
from core.text import tesseract


class TextChoice(QObject):
    """A box that is ticked if the pages are to be read, where that is possible, and a button for the languages."""

    def __init__(self, shell: Shell, text: str, dialog: QDialog) -> None:
        super().__init__(dialog)
        self._settings = shell.settings
        missing = self.tr("Needs Tesseract, which is not installed on this machine")
        installed = tesseract.installed()
        self.box = check(text, self.tr("Tesseract reads the pages; it can err"))
        allow(unless(installed, missing), self.box)
        self.button = TicksButton(self.tr("Languages of the text"))
        self.button.setText(self._settings.languages())
        self.box.toggled.connect(self._follow)
        self._follow(False)
        self.button.changed.connect(lambda ticked: self._settings.set_languages("+".join(ticked)))
        if installed:
            jobs = shell.session.jobs
            jobs.start(lambda progress, deliver: jobs.engine.languages()).succeeded.connect(self._offer)

    def _follow(self, ticked: bool) -> None:
        allow(unless(ticked, self.tr("Without text there is no language to choose.")), self.button)

    def _offer(self, available: tuple[str, ...]) -> None:
        usable = tesseract.usable(self._settings.languages(), available)
        self.button.offer(wording.languages(available), usable.split("+"))

    @property
    def languages(self) -> str:
        """In which languages the pages are to be read; "" if not at all."""
        return self.button.text() if self.box.isChecked() else ""


def check(text: str, tip: str) -> QCheckBox:
    """Build a box to be ticked."""
    return build(QCheckBox, text, toolTip=tip)


def choice(values: Mapping[str, str | None], tip: str) -> QComboBox:
    """Build a list of which one is chosen, each with its value."""
    box = build(QComboBox, toolTip=tip)
    for text, value in values.items():
        box.addItem(text, value)
    return box


def finish(dialog: QDialog, form: QFormLayout, go_on: str, beside: QWidget | None = None) -> QDialogButtonBox:
    """Add buttons below a form, perhaps something beside it, and all into a dialog."""
    choices = QDialogButtonBox.StandardButton
    buttons = build(QDialogButtonBox, choices.Ok | choices.Cancel, accepted=dialog.accept, rejected=dialog.reject)
    buttons.button(choices.Ok).setText(go_on)
    buttons.button(choices.Ok).setProperty("main", True)
    form.setHorizontalSpacing(12)
    form.setVerticalSpacing(8)
    main: QFormLayout | QHBoxLayout = form if beside is None else in_row(scrolling(form), (beside, 1), spacing=18)
    in_column((main, 1), buttons, on=dialog, margins=(16, 14, 16, 12), spacing=14)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return buttons


class PagesDialog(QDialog):
    """Asks which pages are to be written."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self.setWindowTitle(self.tr("Export Pages"))
        kinds = {
            self.tr("Evidence pages: every pixel of paper"): "evidence",
            self.tr("Reading copies: made to be read, no evidence"): "reading",
            self.tr("Both, as two files"): "both",
        }
        self.pages = choice(kinds, self.tr("On a reading copy rims of cuts lie over one another; it says so itself"))
        form = QFormLayout()
        form.addRow(self.tr("&Pages to write:"), self.pages)
        finish(self, form, self.tr("&Export…"))

    @property
    def wanted(self) -> tuple[bool, bool]:
        """Whether evidence pages, and whether reading copies were chosen."""
        chosen = self.pages.currentData()
        return chosen != "reading", chosen != "evidence"


class FolderDialog(QDialog):
    """Asks what is to be written for other programs."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self.setWindowTitle(self.tr("Export as Folder"))
        kinds = {self.tr("PNG, one file each"): "png", self.tr("TIFF, one file each"): "tiff", self.tr("None"): None}
        self.pages = choice(kinds, self.tr("Each pixel as scanned, 300 dpi, without loss"))
        tip = self.tr("Pages once more, rims of cuts over one another: made to be read, no evidence")
        self.reading = check(self.tr("&Reading pages"), tip)
        tip = self.tr("Where each shred stands and how sure its join is, for spreadsheets")
        self.csv = check(self.tr("Order as a &table (CSV)"), tip)
        self.csv.setChecked(True)
        self.json = check(self.tr("Order for &programs (JSON)"), self.tr("The same, with hashes of the sheets"))
        tip = self.tr("PNG, transparent beyond the paper, named by number")
        self.shreds = check(self.tr("Each &shred cut out"), tip)
        tip = self.tr("Pages once more, with cuts drawn and numbers above the paper; the others stay as they are")
        self.seams = check(self.tr("Pages with &cuts and numbers"), tip)
        self.text = TextChoice(shell, self.tr("Te&xt of the pages, in:"), self)
        form = QFormLayout()
        form.addRow(self.tr("&Pages:"), self.pages)
        boxes = self.reading, self.csv, self.json, self.shreds, self.seams
        for box in boxes:
            form.addRow(box)
        form.addRow(in_row(self.text.box, self.text.button, None))
        for box in (*boxes, self.text.box):
            box.toggled.connect(self._refresh)
        self.pages.currentIndexChanged.connect(self._refresh)
        self.buttons = finish(self, form, self.tr("&Export…"))

    @property
    def wanted(self) -> Export:
        """What was chosen."""
        pages: PageFormat | None = self.pages.currentData()
        boxes: dict[OrderFormat, QCheckBox] = {"csv": self.csv, "json": self.json}
        order = tuple(name for name, box in boxes.items() if box.isChecked())
        shreds, seams, reading = (box.isChecked() for box in (self.shreds, self.seams, self.reading))
        return Export(pages, order, shreds, seams, self.text.languages, reading)

    def _refresh(self) -> None:
        nothing = unless(self.wanted != Export(), self.tr("Choose at least one thing to write."))
        allow(nothing, self.buttons.button(QDialogButtonBox.StandardButton.Ok))
