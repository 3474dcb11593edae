"""The window that asks what a report is to hold, and shows beforehand how it will look."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from app import wording
from app.images import Pyramid, pyramid_from
from app.reasons import allow, first_reason, unless, unless_first, unless_last
from app.record.choices import TextChoice, check, choice, finish
from app.session.tasks import Deliver, Task
from app.shell import Shell
from app.widgets.controls import build, button, label, turning_buttons
from app.widgets.image_view import ImageView
from app.widgets.layouts import give_size, in_column, in_row
from app.widgets.messages import sentence
from core.errors import UsageError
from core.options import REPORT_SECTIONS
from core.output.page_range import read_pages
from core.progress import Progress

_WIDTH_PX = 1_240
"""Of a previewed page: A4 at 150 dpi."""


class ReportDialog(QDialog):
    """Asks what the report is to hold.

    Parameters
    ----------
    shell : Shell
        The window; its settings keep what was chosen last.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self.setWindowTitle(self.tr("Report"))
        self._shell = shell
        layouts = {
            self.tr("One file: pages, then what led to them"): "one",
            self.tr("Two files: pages, and what led to them"): "two",
            self.tr("Only what led to the pages"): "appendix",
        }
        tip = self.tr("Sheets with hashes, all shreds, every join with its cost, options, history, method")
        self.files = choice(layouts, tip)
        tip = self.tr("Numbers and ranges; what led to the pages is told of all of them")
        self.range = build(QLineEdit, placeholderText=self.tr("All; or 3-7, 12"), toolTip=tip)
        self.range.setAccessibleName(self.tr("Pages to show"))
        tip = self.tr("A layer above the paper that the reader of the PDF can switch off; no pixel is changed")
        self.seams = check(self.tr("Show &cuts and numbers of shreds"), tip)
        tip = self.tr("After the evidence pages, rims of cuts over one another: made to be read, and marked as that")
        self.reading = check(self.tr("&Reading pages too"), tip)
        self.text = TextChoice(shell, self.tr("Pages can be &searched; text in:"), self)
        self.problem = label(wordWrap=True)
        self.preview = Preview(shell, self)
        form = QFormLayout()
        form.addRow(self.tr("&Files:"), self.files)
        form.addRow(self.tr("&Pages:"), self.range)
        form.addRow(self.seams)
        form.addRow(self.reading)
        form.addRow(in_row(self.text.box, self.text.button, None))
        form.addRow(self._sections())
        form.addRow(self.problem)
        self.buttons = finish(self, form, self.tr("&Write…"), beside=self.preview)
        self._recall()
        self._follow()
        give_size(self, 980, 620)

    def _sections(self) -> QGroupBox:
        names = {
            "summary": self.tr("Su&mmary"),
            "sheets": self.tr("S&heets with hashes"),
            "shreds": self.tr("Shre&ds"),
            "order": self.tr("&Order: every join"),
            "pictures": self.tr("Shreds in p&ictures"),
            "options": self.tr("Op&tions"),
            "history": self.tr("Histor&y"),
            "software": self.tr("Softw&are and model"),
            "method": self.tr("M&ethod"),
            "limits": self.tr("&Limits, error rates"),
        }
        tip = self.tr("What is left out is named on the first page of the report")
        self.sections = {name: check(text, tip) for name, text in names.items()}
        box, grid = QGroupBox(self.tr("What led to the pages")), QGridLayout()
        for number, each in enumerate(self.sections.values()):
            grid.addWidget(each, number // 2, number % 2)
        box.setLayout(grid)
        return box

    def _recall(self) -> None:
        """Choose what was chosen last."""
        kept = self._shell.settings.report()
        self.files.setCurrentIndex(max(0, self.files.findData(kept.get("layout"))))
        self.seams.setChecked(kept.get("seams") is True)
        self.reading.setChecked(kept.get("reading") is True)
        left_out = kept.get("left_out")
        for name, box in self.sections.items():
            box.setChecked(not (isinstance(left_out, list) and name in left_out))

    def remember(self) -> None:
        """Remember what is chosen for the next report; a range of pages is of this case alone."""
        left_out = [name for name, box in self.sections.items() if not box.isChecked()]
        chosen = {"seams": self.seams.isChecked(), "reading": self.reading.isChecked(), "left_out": left_out}
        self._shell.settings.set_report({"layout": self.layout_wanted, **chosen})

    def _follow(self) -> None:
        for box in (self.seams, self.reading, self.text.box, *self.sections.values()):
            box.toggled.connect(self._refresh)
        self.text.button.changed.connect(self._refresh)
        self.files.currentIndexChanged.connect(self._refresh)
        self.range.textChanged.connect(self._refresh)
        self._refresh()

    def _refresh(self, *_: object) -> None:
        """Enable what makes sense, and say what does not."""
        with_pages = self.layout_wanted != "appendix"
        allow(unless(with_pages, self.tr("The pages are left out.")), self.range, self.seams, self.reading)
        try:
            wanted, problem = self.wanted, ""
            if not wanted["sections"] or (self.layout_wanted == "two" and wanted["sections"] == ["pages"]):
                problem = self.tr("Choose at least one section.")
        except UsageError as error:
            problem = str(error)
        self.problem.setText(problem)
        allow(problem, self.buttons.button(QDialogButtonBox.StandardButton.Ok), self.preview.show_button)
        self.preview.set_wanted(None if problem else wanted)

    @property
    def layout_wanted(self) -> str:
        """Return "one", "two" or "appendix"."""
        return str(self.files.currentData())

    @property
    def wanted(self) -> dict[str, Any]:
        """What was chosen, as `core.output.report.evidence.write_report` names it.

        Raises
        ------
        UsageError
            If the range names no pages.
        """
        with_pages = self.layout_wanted != "appendix"
        ticked = {name for name, box in self.sections.items() if box.isChecked()} | ({"pages"} if with_pages else set())
        return {
            "sections": [name for name in REPORT_SECTIONS if name in ticked],
            "pages": read_pages(self.range.text(), self._shell.session.document.n_pages) if with_pages else None,
            "seams": self.seams.isChecked(),
            "reading": self.reading.isChecked() and with_pages,
            "languages": self.text.languages,
        }


class Preview(QWidget):
    """The report page by page, once it is asked for: writing it takes as long as writing it for good.

    Parameters
    ----------
    shell : Shell
        The window.
    dialog : QDialog
        When it is closed, what was written for the preview is removed.
    """

    def __init__(self, shell: Shell, dialog: QDialog) -> None:
        super().__init__(dialog)
        self._shell = shell
        self._wanted: dict[str, Any] | None = None
        self._folder: TemporaryDirectory[str] | None = None
        self._task: Task | None = None
        self.page, self.n_pages = 0, 0
        self.view = ImageView()
        self.view.setMinimumSize(270, 200)
        tip = self.tr("Write the report for looking at it only, and show its pages")
        self.show_button = button(self.tr("Pre&view"), tip, self._write, autoDefault=False)
        self.previous_button, self.next_button = turning_buttons(self._turn)
        self.state = QLabel()
        row: QHBoxLayout = in_row(self.show_button, (self.state, 1), self.previous_button, self.next_button, spacing=8)
        in_column(row, (self.view, 1), on=self, margins=(0, 0, 0, 0), spacing=8)
        dialog.finished.connect(self._end)
        self._show_state(self.tr("Not written yet"))

    def set_wanted(self, wanted: dict[str, Any] | None) -> None:
        """Preview this from now on; what is shown of other choices fades."""
        self._wanted = wanted
        if self.n_pages:
            self.view.image_item.setOpacity(0.3)
            self._show_state(self.tr("Of other choices"))

    def _write(self) -> None:
        """Write the report to a place of its own, on a worker."""
        document, jobs, wanted = self._shell.session.document, self._shell.session.jobs, self._wanted
        case = document.case
        if case is None or wanted is None:
            return
        self._cancel()
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="rejoin-preview-", ignore_cleanup_errors=True)
        path, engine, name = Path(self._folder.name) / "report.pdf", jobs.engine, document.name
        self.n_pages = 0
        self._show_state(self.tr("Writing…"))
        self._task = jobs.start(lambda progress, deliver: engine.report(path, case, progress, name=name, **wanted))
        self._task.progressed.connect(
            lambda fraction, text: self.state.setText(f"{fraction:.0%}  {wording.translated(text)}")
        )
        self._task.succeeded.connect(lambda _: self._draw(0))
        self._task.failed.connect(lambda error: self._show_state(sentence(error)))

    def _turn(self, by: int) -> None:
        self._draw(self.page + by)

    def _draw(self, page: int) -> None:
        """Draw a page of what was written, on a worker."""
        assert self._folder is not None
        engine, path = self._shell.session.jobs.engine, Path(self._folder.name) / "report.pdf"

        def work(progress: Progress, deliver: Deliver) -> tuple[Pyramid, int]:
            pixels, n_pages = engine.preview(path, page, _WIDTH_PX)
            return pyramid_from(pixels), n_pages

        self._cancel()
        self._task = self._shell.session.jobs.start(work)
        self._task.succeeded.connect(lambda drawn: self._show(page, *drawn))
        self._task.failed.connect(lambda error: self._show_state(sentence(error)))

    def _show(self, page: int, levels: Pyramid, n_pages: int) -> None:
        self.page, self.n_pages = page, n_pages
        self.view.image_item.setOpacity(1)
        self.view.set_images(levels, levels[0].width(), levels[0].height())
        self._show_state(self.tr("Page {page} of {n}").format(page=page + 1, n=n_pages))

    def _show_state(self, text: str) -> None:
        self.state.setText(text)
        nothing = unless(self.n_pages, text)
        allow(first_reason(nothing, unless_first(self.page)), self.previous_button)
        allow(first_reason(nothing, unless_last(self.page, self.n_pages)), self.next_button)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _end(self) -> None:
        """Stop, and remove what was written once nothing writes there any more."""
        writing = self._task is not None and not self._task.settled
        self._cancel()
        folder, self._folder = self._folder, None
        if folder is not None and self._task is not None and writing:
            self._task.finished.connect(folder.cleanup)
        elif folder is not None:
            folder.cleanup()
