"""Exports and the report: what to write is asked in small windows, and written on a worker."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout

from app import wording
from app.shell import Shell
from app.widgets import messages
from app.widgets.controls import TicksButton, build
from app.widgets.layouts import in_column, in_row
from core.options import SUMS, Export, OrderFormat, PageFormat
from core.text import tesseract


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
        """Ask which pages to write, then for a file, and write them."""
        if self._document.case is not None:
            dialog = PagesDialog(self._shell)
            dialog.accepted.connect(lambda: self._export_pages(*dialog.wanted))
            dialog.open()

    def export_folder(self) -> None:
        """Ask what to write for other programs, and write it."""
        if self._document.case is not None:
            dialog = FolderDialog(self._shell)
            dialog.accepted.connect(lambda: self._export_folder(dialog.wanted))
            dialog.open()

    def write_report(self) -> None:
        """Ask what the report is to hold, and write it."""
        if self._document.case is not None:
            dialog = ReportDialog(self._shell)
            dialog.accepted.connect(lambda: self._write_report(dialog))
            dialog.open()

    @property
    def _folder(self) -> Path:
        return Path(self._shell.settings.folder("export"))

    def _export_pages(self, evidence: bool, reading: bool) -> None:
        name = self.tr("{name} reconstructed.pdf") if evidence else self.tr("{name} reading.pdf")
        path = messages.choose_export(self._shell.parent, self._folder / name.format(name=self._document.name))
        if path is None:
            return
        self._shell.settings.set_folder("export", path.parent)
        if not evidence:
            self._writer.export(None, path)
        elif not reading:
            self._writer.export(path)
        else:
            self._writer.export(path, _free(path.parent, self.tr("{name} reading").format(name=path.stem), path.suffix))

    def _export_folder(self, wanted: Export) -> None:
        place = messages.choose_place(self._shell.parent, self._folder)
        if place is None:
            return
        self._shell.settings.set_folder("export", place)
        folder = _free(place, self.tr("{name} export").format(name=self._document.name))
        engine, name = self._jobs.engine, self._document.name
        self._writer.write(
            folder.name,
            lambda case, progress: engine.export_folder(folder, case, wanted, name, progress),
            self.tr("with reading pages") if wanted.reading else "",
        )

    def _write_report(self, dialog: ReportDialog) -> None:
        layout, seams, languages = dialog.layout_wanted, dialog.seams.isChecked(), dialog.text.languages
        reading = dialog.reading.isChecked() and layout != "appendix"
        proposed = self._folder / self.tr("{name} report.pdf").format(name=self._document.name)
        path = messages.choose_report(self._shell.parent, proposed)
        if path is None:
            return
        self._shell.settings.set_folder("export", path.parent)
        name, engine = self.tr("{name} appendix").format(name=path.stem), self._jobs.engine
        appendix = _free(path.parent, name, ".pdf") if layout == "two" else None
        parts = {"appendix": appendix, "with_pages": layout != "appendix", "seams": seams, "languages": languages}
        wanted = {"name": self._document.name, "reading": reading, **parts}
        kind = self.tr("with reading pages") if reading else ""
        self._writer.write(path.name, lambda case, progress: engine.report(path, case, progress, **wanted), kind)

    def _show_exported(self, paths: tuple[Path, ...], kind: str) -> None:
        shown = tuple(path.parent if path.name == SUMS else path for path in paths)
        url = QUrl.fromLocalFile(str(shown[0]))
        text = self.tr("Written: {name}, {kind}") if kind else self.tr("Written: {name}")
        text = text.format(name=wording.named(shown), kind=kind)
        self._shell.notices.tell(text, self.tr("Open"), lambda: QDesktopServices.openUrl(url))


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
        self.pages = _choice(kinds, self.tr("On a reading copy rims of cuts lie over one another; it says so itself"))
        form = QFormLayout()
        form.addRow(self.tr("&Pages to write:"), self.pages)
        _finish(self, form, self.tr("&Export…"))

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
        self.pages = _choice(kinds, self.tr("Each pixel as scanned, 300 dpi, without loss"))
        tip = self.tr("Pages once more, rims of cuts over one another: made to be read, no evidence")
        self.reading = _check(self.tr("&Reading pages"), tip)
        tip = self.tr("Where each shred stands and how sure its join is, for spreadsheets")
        self.csv = _check(self.tr("Order as a &table (CSV)"), tip)
        self.csv.setChecked(True)
        self.json = _check(self.tr("Order for &programs (JSON)"), self.tr("The same, with hashes of the sheets"))
        tip = self.tr("PNG, transparent beyond the paper, named by number")
        self.shreds = _check(self.tr("Each &shred cut out"), tip)
        tip = self.tr("Pages once more, with cuts drawn and numbers above the paper; the others stay as they are")
        self.seams = _check(self.tr("Pages with &cuts and numbers"), tip)
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
        self.buttons = _finish(self, form, self.tr("&Export…"))

    @property
    def wanted(self) -> Export:
        """What was chosen."""
        pages: PageFormat | None = self.pages.currentData()
        boxes: dict[OrderFormat, QCheckBox] = {"csv": self.csv, "json": self.json}
        order = tuple(name for name, box in boxes.items() if box.isChecked())
        shreds, seams, reading = (box.isChecked() for box in (self.shreds, self.seams, self.reading))
        return Export(pages, order, shreds, seams, self.text.languages, reading)

    def _refresh(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self.wanted != Export())


class ReportDialog(QDialog):
    """Asks what the report is to hold."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self.setWindowTitle(self.tr("Report"))
        layouts = {
            self.tr("One file: pages, then what led to them"): "one",
            self.tr("Two files: pages, and what led to them"): "two",
            self.tr("Only what led to the pages"): "appendix",
        }
        tip = self.tr("Sheets with hashes, all shreds, every join with its cost, options, history, method")
        self.files = _choice(layouts, tip)
        tip = self.tr("A layer above the paper that the reader of the PDF can switch off; no pixel is changed")
        self.seams = _check(self.tr("Show &cuts and numbers of shreds"), tip)
        tip = self.tr("After the evidence pages, rims of cuts over one another: made to be read, and marked as that")
        self.reading = _check(self.tr("&Reading pages too"), tip)
        self.text = TextChoice(shell, self.tr("Pages can be &searched; text in:"), self)
        form = QFormLayout()
        form.addRow(self.tr("&Files:"), self.files)
        form.addRow(self.seams)
        form.addRow(self.reading)
        form.addRow(in_row(self.text.box, self.text.button, None))
        _finish(self, form, self.tr("&Write…"))

    @property
    def layout_wanted(self) -> str:
        """Return "one", "two" or "appendix"."""
        return str(self.files.currentData())


class TextChoice(QObject):
    """A box that is ticked if the pages are to be read, where that is possible, and a button for the languages."""

    def __init__(self, shell: Shell, text: str, dialog: QDialog) -> None:
        super().__init__(dialog)
        self._settings = shell.settings
        missing = self.tr("Needs Tesseract, which is not installed on this machine")
        installed = tesseract.installed()
        self.box = _check(text, self.tr("Tesseract reads the pages; it can err") if installed else missing)
        self.box.setEnabled(installed)
        self.button = TicksButton(self.tr("Languages of the text"))
        self.button.setText(self._settings.languages())
        self.button.setEnabled(False)
        self.box.toggled.connect(self.button.setEnabled)
        self.button.changed.connect(lambda ticked: self._settings.set_languages("+".join(ticked)))
        if installed:
            jobs = shell.session.jobs
            jobs.start(lambda progress, deliver: jobs.engine.languages()).succeeded.connect(self._offer)

    def _offer(self, available: tuple[str, ...]) -> None:
        usable = tesseract.usable(self._settings.languages(), available)
        self.button.offer(wording.languages(available), usable.split("+"))

    @property
    def languages(self) -> str:
        """In which languages the pages are to be read; "" if not at all."""
        return self.button.text() if self.box.isChecked() else ""


def _check(text: str, tip: str) -> QCheckBox:
    return build(QCheckBox, text, toolTip=tip)


def _choice(values: Mapping[str, str | None], tip: str) -> QComboBox:
    box = build(QComboBox, toolTip=tip)
    for text, value in values.items():
        box.addItem(text, value)
    return box


def _finish(dialog: QDialog, form: QFormLayout, go_on: str) -> QDialogButtonBox:
    """Add buttons below a form and both into a dialog."""
    choices = QDialogButtonBox.StandardButton
    buttons = build(QDialogButtonBox, choices.Ok | choices.Cancel, accepted=dialog.accept, rejected=dialog.reject)
    buttons.button(choices.Ok).setText(go_on)
    buttons.button(choices.Ok).setProperty("main", True)
    form.setHorizontalSpacing(12)
    form.setVerticalSpacing(8)
    in_column(form, buttons, on=dialog, margins=(16, 14, 16, 12), spacing=14)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return buttons


def _free(place: Path, name: str, suffix: str = "") -> Path:
    """Find a name in a folder that is not taken: "matter export", "matter export 2"."""
    names = (f"{name}{suffix}" if number == 1 else f"{name} {number}{suffix}" for number in count(1))
    return next(place / each for each in names if not (place / each).exists())
