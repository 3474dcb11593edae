"""Exports and the report: what to write is asked in small windows, and written on a worker."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFormLayout

from app import wording
from app.reasons import allow, unless
from app.record.choices import TextChoice, check, choice, finish
from app.record.report import ReportDialog
from app.shell import Shell
from app.widgets import messages
from app.widgets.layouts import in_row
from core.options import SUMS, Export, OrderFormat, PageFormat


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
        wanted, layout = dialog.wanted, dialog.layout_wanted
        dialog.remember()
        proposed = self._folder / self.tr("{name} report.pdf").format(name=self._document.name)
        path = messages.choose_report(self._shell.parent, proposed)
        if path is None:
            return
        self._shell.settings.set_folder("export", path.parent)
        name, engine = self.tr("{name} appendix").format(name=path.stem), self._jobs.engine
        appendix = _free(path.parent, name, ".pdf") if layout == "two" else None
        wanted |= {"appendix": appendix, "name": self._document.name}
        kind = self.tr("with reading pages") if wanted["reading"] else ""
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


def _free(place: Path, name: str, suffix: str = "") -> Path:
    """Find a name in a folder that is not taken: "matter export", "matter export 2"."""
    names = (f"{name}{suffix}" if number == 1 else f"{name} {number}{suffix}" for number in count(1))
    return next(place / each for each in names if not (place / each).exists())
