"""An earlier state of the case, to be looked at: its pages, and in what it differs from another one."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGraphicsRectItem,
    QHBoxLayout,
    QLabel,
    QListView,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app import theme
from app.images import Pyramid, pyramid_from
from app.reasons import allow, unless_first, unless_last
from app.record.steps import HistoryModel, in_words, marks_of, named_in
from app.sentences.differences import Difference, differences
from app.session.tasks import Deliver, Task
from app.shell import Shell
from app.widgets.controls import build, button, label, turning_buttons
from app.widgets.image_view import ImageView
from app.widgets.layouts import in_column, in_row
from app.widgets.messages import sentence
from app.widgets.rows import EntryDelegate, set_up_list, wrap_cells
from app.wording import counted, local_time
from core.case.case import Case
from core.progress import Progress, part

_NOW, _BEFORE = -1, 0
"""What a state is compared with, besides that after a step: the case as it is, and the state before the step."""

Places = dict[str, tuple[int, int, int, int]]


@dataclass(frozen=True, eq=False)
class _Look:
    """A state, and in what it differs from another one, the earlier of the two first."""

    case: Case
    differences: list[Difference]
    names: tuple[str, str]


class PastDialog(QDialog):
    """Shows the pages as they were after a step; nothing can be changed meanwhile.

    Parameters
    ----------
    shell : Shell
        The window.
    case : Case
        As it is.
    number : int
        Of the step.
    other : int, optional
        Of the step whose state it is compared with; the case as it is, if absent.
    """

    def __init__(self, shell: Shell, case: Case, number: int, other: int | None = None) -> None:
        super().__init__(shell.parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Earlier State"))
        self._jobs, self._case = shell.session.jobs, case
        self._read_from, self._originals = shell.session.document.read_from, shell.session.originals
        self._look: _Look | None = None
        self._page, self._marked = shell.session.document.page, ""
        self._task: Task | None = None
        self._drawing: Task | None = None
        splitter = build(QSplitter, Qt.Orientation.Horizontal, childrenCollapsible=False)
        for widget, width in ((self._steps(), 300), (self._centre(), 590), (self._comparison(other), 330)):
            splitter.addWidget(widget)
            splitter.setStretchFactor(splitter.count() - 1, int(width == 590))
        splitter.setSizes([300, 590, 330])
        in_column(self._banner(), (splitter, 1), on=self, margins=(0, 0, 0, 0), spacing=0)
        self.resize(shell.parent.size() - QSize(24, 24))
        self.finished.connect(self._stop)
        self.go_to(number)
        self.list.setFocus()

    # Parts

    def _banner(self) -> QWidget:
        banner = QWidget()
        banner.setObjectName("notice_bar")
        banner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        tip = self.tr("Close this and go on with the case as it is (Esc)")
        self.back_button = button(self.tr("Back to Now"), tip, self.reject, "main", autoDefault=False)
        in_row((self.text, 1), self.back_button, on=banner, margins=(14, 6, 8, 6), spacing=10)
        return banner

    def _steps(self) -> QListView:
        self.model = HistoryModel(self)
        self.model.set_history(self._case.history)
        self.list = build(QListView, uniformItemSizes=True)
        self.list.setModel(self.model)
        set_up_list(self.list, EntryDelegate(self.list), self.tr("Steps"))
        self.list.selectionModel().currentChanged.connect(lambda index, _: self._show(index.row() + 1))
        return self.list

    def _centre(self) -> QWidget:
        centre = QWidget()
        self.view = ImageView()
        self.page_label = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.previous_button, self.next_button = turning_buttons(self._turn)
        row: QHBoxLayout = in_row(None, self.previous_button, self.page_label, self.next_button, None, spacing=10)
        row.setContentsMargins(8, 6, 8, 6)
        in_column(row, (self.view, 1), on=centre, margins=(0, 0, 0, 0), spacing=0)
        pen = QPen(QColor(theme.LIGHT.accent), 3)
        pen.setCosmetic(True)
        self._outline = QGraphicsRectItem()
        self._outline.setPen(pen)
        self._outline.hide()
        self.view.scene().addItem(self._outline)
        return centre

    def _comparison(self, other: int | None) -> QWidget:
        panel = QWidget()
        self.compared_with = build(QComboBox, accessibleName=self.tr("Compared with"))
        self.compared_with.addItem(self.tr("Now"), _NOW)
        self.compared_with.addItem(self.tr("The state before this step"), _BEFORE)
        marks = marks_of(self._case.history)
        for number in sorted({*marks, *([] if other is None else [other])}):
            text = self.tr("Step {n}").format(n=number) + (f" ⚑ {marks[number]}" if number in marks else "")
            self.compared_with.addItem(text, number)
        if other is not None:
            self.compared_with.setCurrentIndex(self.compared_with.findData(other))
        self.compared_with.currentIndexChanged.connect(lambda _: self._show(self.number))
        title = QLabel(self.tr("&Compared with:"))
        title.setBuddy(self.compared_with)
        self.tree = build(QTreeWidget, columnCount=3, accessibleName=self.tr("Differences"))
        wrap_cells(self.tree, 0, 1, 2)
        self.tree.currentItemChanged.connect(self._go_to_difference)
        self.summary = label(wordWrap=True)
        row = in_row(title, (self.compared_with, 1), spacing=8)
        in_column(row, self.summary, (self.tree, 1), on=panel, margins=(10, 8, 10, 8), spacing=6)
        return panel

    # What is shown

    @property
    def number(self) -> int:
        """Of the step whose state is shown."""
        return self.list.currentIndex().row() + 1

    @property
    def differences(self) -> list[tuple[str, ...]]:
        """The rows of the comparison."""
        model = self.tree.model()
        return [tuple(str(model.index(row, at).data()) for at in range(3)) for row in range(model.rowCount())]

    def go_to(self, number: int) -> None:
        """Show the state after a step."""
        index = self.model.index(number - 1, 0)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.list.scrollTo(index)

    def _show(self, number: int) -> None:
        """Find the state after a step, and in what it differs, on a worker."""
        entry = self._case.history[number - 1]
        text = self.tr("As it was after step {n} of {all}, {when}, {who}: {what}. Nothing can be changed here.")
        when = local_time(entry.when)
        what = in_words(entry).rstrip(".")
        self.text.setText(text.format(n=number, all=len(self.model.history), when=when, who=entry.who, what=what))
        self._stop()
        self._marked = ""
        engine, case, path, folders = self._jobs.engine, self._case, self._read_from, self._originals.folders
        chosen = self.compared_with.currentData()
        other = max(1, number - 1) if chosen == _BEFORE else chosen
        names = [self.tr("Step {n}").format(n=each) for each in sorted((number, other))]
        names = [names[1], self.tr("Now")] if other == _NOW else names

        def work(progress: Progress, deliver: Deliver) -> _Look:
            then = engine.state_after(case, number, path, folders, part(progress, 0, 0.5))
            compared = case if other == _NOW else engine.state_after(case, other, path, folders, part(progress, 0.5, 1))
            pair = (compared, then) if _NOW < other < number else (then, compared)
            return _Look(then, differences(*(each.arrangement for each in pair)), (names[0], names[1]))

        self._task = self._jobs.start(work)
        self._task.succeeded.connect(self._show_look)
        self._task.failed.connect(self._show_nothing)

    def _show_look(self, look: _Look) -> None:
        self._look = look
        entry, places = self._case.history[self.number - 1], look.case.arrangement.places
        shreds = [shred for shred in named_in(entry) if shred in places]
        pages = [page for shred in shreds if (page := look.case.arrangement.page_of(shred)) is not None]
        self.tree.clear()
        self.tree.setHeaderLabels([self.tr("What"), *look.names])
        for difference in look.differences:
            item = QTreeWidgetItem(self.tree, [difference.what, difference.before, difference.after])
            item.setData(0, Qt.ItemDataRole.UserRole, difference.shred)
            for column in range(3):
                item.setToolTip(column, item.text(column))
        n, same = len(look.differences), self.tr("Nothing differs.")
        summary = counted(n, self.tr("difference"), self.tr("differences")) if n else same
        if look.case.costs is None and self._case.costs is not None:
            otherwise = self.tr("Sheets were mended since, and were read again as then: its pages are not levelled.")
            summary = f"{summary}. {otherwise}" if n else f"{summary} {otherwise}"
        self.summary.setText(summary)
        self._show_page(pages[0] if pages else self._page)

    def _show_nothing(self, error: BaseException) -> None:
        self._look = None
        self.tree.clear()
        self.tree.setHeaderLabels(["", "", ""])
        self.summary.setText(sentence(error))
        self.view.set_images((), 0, 0)
        self.page_label.clear()
        allow(sentence(error), self.previous_button, self.next_button)

    def _turn(self, by: int) -> None:
        self._marked = ""
        self._show_page(self._page + by)

    def _show_page(self, page: int) -> None:
        """Compose a page of the state on a worker, and show it."""
        if self._look is None:
            return
        engine, case, n = self._jobs.engine, self._look.case, len(self._look.case.arrangement.pages)
        self._page = page = max(0, min(page, n - 1))
        self.page_label.setText(self.tr("Page {page} of {n}").format(page=page + 1, n=n) if n else self.tr("No page"))
        allow(unless_first(page), self.previous_button)
        allow(unless_last(page, n), self.next_button)
        self._outline.hide()
        if self._drawing is not None:
            self._drawing.cancel()
        if not n:
            self.view.set_images((), 0, 0)
            return
        self.view.image_item.setOpacity(0.25)

        def draw(progress: Progress, deliver: Deliver) -> tuple[Pyramid, Places]:
            composed = engine.compose(case, page)
            return pyramid_from(composed.pixels), composed.placements

        self._drawing = self._jobs.start(draw)
        self._drawing.succeeded.connect(self._show_picture)
        self._drawing.failed.connect(self._show_nothing)

    def _show_picture(self, drawn: tuple[Pyramid, Places]) -> None:
        levels, places = drawn
        self.view.image_item.setOpacity(1)
        self.view.set_images(levels, levels[0].width(), levels[0].height())
        if self._marked in places:
            self._outline.setRect(QRectF(*places[self._marked]))
            self._outline.show()

    def _go_to_difference(self, item: QTreeWidgetItem | None, _: object = None) -> None:
        """Show the page of the shred that a difference is about, outlined."""
        shred = "" if item is None else str(item.data(0, Qt.ItemDataRole.UserRole))
        page = self._look.case.arrangement.page_of(shred) if self._look is not None and shred else None
        if page is not None:
            self._marked = shred
            self._show_page(page)

    def _stop(self, *_: object) -> None:
        for task in (self._task, self._drawing):
            if task is not None:
                task.cancel()
