"""Exports and the report: what to write is asked in small windows, and written on a worker."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.shell import Shell
from app.widgets import messages
from app.widgets.layouts import fill
from app.wording import named
from core.case.case import Case
from core.options import SUMS, Export, OrderFormat, PageFormat
from core.output import text_layer
from core.progress import Progress


class Exporter(QObject):
    """Writes pages, folders and reports of what is open.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._shell, self._document = shell, shell.session.document
        self._writer, self._jobs = shell.session.writer, shell.session.jobs
        actions = shell.actions
        actions.export.triggered.connect(self.export_pages)
        actions.export_folder.triggered.connect(self.export_folder)
        actions.report.triggered.connect(self.write_report)
        self._writer.exported.connect(self._show_exported)

    def export_pages(self) -> None:
        """Ask for a file and write the pages to it."""
        if self._document.case is None:
            return
        path = messages.choose_export(self._shell.parent, self._folder / f"{self._document.name} reconstructed.pdf")
        if path is not None:
            self._shell.settings.set_folder("export", path.parent)
            self._writer.export(path)

    def export_folder(self) -> None:
        """Ask what to write for other programs, and write it."""
        if self._document.case is not None:
            dialog = FolderDialog(self._shell.parent)
            dialog.accepted.connect(lambda: self._export_folder(dialog.wanted))
            dialog.open()

    def write_report(self) -> None:
        """Ask what the report is to hold, and write it."""
        if self._document.case is not None:
            dialog = ReportDialog(self._shell.parent)
            dialog.accepted.connect(lambda: self._write_report(dialog))
            dialog.open()

    @property
    def _folder(self) -> Path:
        return Path(self._shell.settings.folder("export"))

    def _export_folder(self, wanted: Export) -> None:
        place = messages.choose_place(self._shell.parent, self._folder)
        if place is None:
            return
        self._shell.settings.set_folder("export", place)
        folder = _free(place, self.tr("{name} export").format(name=self._document.name))
        engine, name = self._jobs.engine, self._document.name

        def write(case: Case, progress: Progress) -> tuple[Path, ...]:
            return engine.export_folder(folder, case, wanted, name, progress)

        self._writer.write(folder.name, write)

    def _write_report(self, dialog: ReportDialog) -> None:
        layout, seams, languages = dialog.layout_wanted, dialog.seams.isChecked(), dialog.languages_wanted
        proposed = self._folder / self.tr("{name} report.pdf").format(name=self._document.name)
        path = messages.choose_report(self._shell.parent, proposed)
        if path is None:
            return
        self._shell.settings.set_folder("export", path.parent)
        name = self.tr("{name} appendix").format(name=path.stem)
        appendix = _free(path.parent, name, ".pdf") if layout == "two" else None
        write = partial(
            self._jobs.engine.report,
            path,
            name=self._document.name,
            appendix=appendix,
            with_pages=layout != "appendix",
            seams=seams,
            languages=languages,
        )
        self._writer.write(path.name, lambda case, progress: write(case=case, progress=progress))

    def _show_exported(self, paths: tuple[Path, ...]) -> None:
        shown = tuple(path.parent if path.name == SUMS else path for path in paths)
        url = QUrl.fromLocalFile(str(shown[0]))
        text = self.tr("Written: {name}").format(name=named(shown))
        self._shell.notices.tell(text, self.tr("Open"), lambda: QDesktopServices.openUrl(url))


class FolderDialog(QDialog):
    """Asks what is to be written for other programs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export as Folder"))
        self.pages = QComboBox()
        self.pages.addItem(self.tr("PNG, one file each"), "png")
        self.pages.addItem(self.tr("TIFF, one file each"), "tiff")
        self.pages.addItem(self.tr("None"), None)
        self.pages.setToolTip(self.tr("Each pixel as scanned, 300 dpi, without loss"))
        tip = self.tr("Where each shred stands and how sure its join is, for spreadsheets")
        self.csv = _check(self.tr("Order as a &table (CSV)"), tip)
        self.csv.setChecked(True)
        self.json = _check(self.tr("Order for &programs (JSON)"), self.tr("The same, with hashes of the sheets"))
        self.shreds = _check(
            self.tr("Each &shred cut out"), self.tr("PNG, transparent beyond the paper, named by number")
        )
        tip = self.tr("Pages once more, with cuts drawn and numbers above the paper; the others stay as they are")
        self.seams = _check(self.tr("Pages with &cuts and numbers"), tip)
        form = QFormLayout()
        form.addRow(self.tr("&Pages:"), self.pages)
        for box in (self.csv, self.json, self.shreds, self.seams):
            form.addRow(box)
            box.toggled.connect(self._refresh)
        self.pages.currentIndexChanged.connect(self._refresh)
        self.buttons = _finish(self, form, self.tr("&Export…"))

    @property
    def wanted(self) -> Export:
        """What was chosen."""
        pages: PageFormat | None = self.pages.currentData()
        order: list[OrderFormat] = []
        if self.csv.isChecked():
            order.append("csv")
        if self.json.isChecked():
            order.append("json")
        return Export(pages, tuple(order), self.shreds.isChecked(), self.seams.isChecked())

    def _refresh(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self.wanted != Export())


class ReportDialog(QDialog):
    """Asks what the report is to hold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Report"))
        self.files = QComboBox()
        self.files.addItem(self.tr("One file: pages, then what led to them"), "one")
        self.files.addItem(self.tr("Two files: pages, and what led to them"), "two")
        self.files.addItem(self.tr("Only what led to the pages"), "appendix")
        self.files.setToolTip(
            self.tr("Sheets with hashes, all shreds, every join with its cost, options, history, method")
        )
        tip = self.tr("A layer above the paper that the reader of the PDF can switch off; no pixel is changed")
        self.seams = _check(self.tr("Show &cuts and numbers of shreds"), tip)
        self.text = _check(
            self.tr("Pages can be &searched; text in:"), self.tr("Tesseract reads the pages; it can err")
        )
        self.languages = QLineEdit("eng")
        self.languages.setAccessibleName(self.tr("Languages of the text"))
        self.languages.setToolTip(self.tr("As Tesseract names them, joined by +: deu+eng"))
        self.languages.setEnabled(False)
        self.text.toggled.connect(self.languages.setEnabled)
        self.text.setEnabled(text_layer.installed())
        if not self.text.isEnabled():
            self.text.setToolTip(self.tr("Needs Tesseract, which is not installed on this machine"))
        form = QFormLayout()
        form.addRow(self.tr("&Files:"), self.files)
        form.addRow(self.seams)
        form.addRow(self.text, self.languages)
        _finish(self, form, self.tr("&Write…"))

    @property
    def layout_wanted(self) -> str:
        """Return "one", "two" or "appendix"."""
        return str(self.files.currentData())

    @property
    def languages_wanted(self) -> str:
        """In which languages the pages are to be read; "" if not at all."""
        return self.languages.text().strip().replace(" ", "") if self.text.isChecked() else ""


def _check(text: str, tip: str) -> QCheckBox:
    box = QCheckBox(text)
    box.setToolTip(tip)
    return box


def _finish(dialog: QDialog, form: QFormLayout, go_on: str) -> QDialogButtonBox:
    """Add buttons below a form and both into a dialog."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    go = buttons.button(QDialogButtonBox.StandardButton.Ok)
    go.setText(go_on)
    go.setProperty("main", True)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    form.setHorizontalSpacing(12)
    form.setVerticalSpacing(8)
    fill(QVBoxLayout(dialog), form, buttons, margins=(16, 14, 16, 12), spacing=14)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return buttons


def _free(place: Path, name: str, suffix: str = "") -> Path:
    """Find a name in a folder that is not taken: "matter export", "matter export 2"."""
    names = (f"{name}{suffix}" if number == 1 else f"{name} {number}{suffix}" for number in count(1))
    return next(place / each for each in names if not (place / each).exists())
