"""Exports and the report: what to write is asked in small windows, and written on a worker."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from app import wording
from app.shell import Shell
from app.widgets import messages
from core.options import SUMS, Export

if TYPE_CHECKING:
    from app.record.report import ReportDialog


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
            from app.record.choices import PagesDialog

            dialog = PagesDialog(self._shell)
            dialog.accepted.connect(lambda: self._export_pages(*dialog.wanted))
            dialog.open()

    def export_folder(self) -> None:
        """Ask what to write for other programs, and write it."""
        if self._document.case is not None:
            from app.record.choices import FolderDialog

            dialog = FolderDialog(self._shell)
            dialog.accepted.connect(lambda: self._export_folder(dialog.wanted))
            dialog.open()

    def write_report(self) -> None:
        """Ask what the report is to hold, and write it."""
        if self._document.case is not None:
            from app.record.report import ReportDialog

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


def _free(place: Path, name: str, suffix: str = "") -> Path:
    """Find a name in a folder that is not taken: "matter export", "matter export 2"."""
    names = (f"{name}{suffix}" if number == 1 else f"{name} {number}{suffix}" for number in count(1))
    return next(place / each for each in names if not (place / each).exists())
