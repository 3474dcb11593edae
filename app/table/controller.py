"""The light table in the window, put together."""

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.menus import fill_page_menu
from app.session.tasks import Task
from app.shell import Shell
from app.table.going import Going
from app.table.page_model import Filter, PageModel
from app.table.page_operations import PageOperations
from app.table.table_bar import TableBar
from app.table.table_view import TableView
from app.table.thumbnails import Thumbnails
from app.widgets.controls import build, button
from app.widgets.layouts import in_column


class Table(QObject):
    """Owns the table of pages and what is known of each.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._shell, self._document = shell, shell.session.document
        self._measuring: Task | None = None
        self._stale = False
        self.thumbnails = Thumbnails(self._document, shell.session.jobs, self)
        self.model = PageModel(self._document, self.thumbnails, self)
        self.view, self.bar, self.widget = (
            TableView(self.model, self._document),
            TableBar(shell.actions.filters),
            QWidget(),
        )
        in_column(self.bar, (self.view, 1), on=self.widget, margins=(0, 0, 0, 0), spacing=0)
        self.widget.setFocusProxy(self.view)
        self.bar.show_size(self.view.side_px)
        self.operations = PageOperations(shell, self.chosen)
        self.going = Going(shell, self.model)
        tip = self.tr("Page Up and Page Down skip the pages that the light table hides; show all pages again")
        self.hint = button("", tip, self._lift, "link")
        self.hint.hide()
        shell.status_bar.addPermanentWidget(self.hint)
        self.menu = build(QMenu, shell.parent, toolTipsVisible=True)
        fill_page_menu(shell.actions, self.menu)
        self.menu.addSeparator()
        self.menu.addActions([shell.actions.merge_pages, shell.actions.turn_page])
        self._connect()

    def chosen(self) -> Sequence[int]:
        """List the pages that are meant: those chosen on the table while it is shown, else the one that is shown."""
        on_table = self._shell.actions.table.isChecked()
        return (self.view.chosen() if on_table else ()) or (self._document.page,)

    def _connect(self) -> None:
        document, view, action = self._document, self.view, self._shell.actions.table
        document.case_changed.connect(self._show_case)
        document.options_changed.connect(self._measure)
        document.arrangement_changed.connect(self._follow)
        document.page_changed.connect(lambda: view.show_current(document.page) if action.isChecked() else None)
        action.toggled.connect(lambda on: self._look_over() if on and self._stale else None)
        self.going.went.connect(self._reveal)
        view.page_chosen.connect(document.show_page)
        view.page_wanted.connect(self._show_page)
        view.left.connect(lambda: action.setChecked(False))
        view.in_sight.connect(self._want)
        view.menu_wanted.connect(self.menu.popup)
        view.drag.pages_dropped.connect(self.operations.move)
        self.operations.moved.connect(view.choose)
        view.size_changed.connect(self.bar.show_size)
        self.bar.size_wanted.connect(view.set_side)
        for filter_action in self._shell.actions.filters:
            filter_action.toggled.connect(self._filter)

    def _filter(self, on: bool) -> None:
        """Show only the pages that pass all filters that are on, on the table."""
        actions = self._shell.actions
        passes: dict[QAction, Filter] = {
            actions.only_doubtful: lambda page: page.n_doubtful > 0,
            actions.only_wide: lambda page: page.too_wide,
            actions.only_edited: lambda page: page.edited,
            actions.only_new: lambda page: page.state == "new" or page.changed,
        }
        if self._stale:
            self._look_over()
        self.model.set_filters([test for action, test in passes.items() if action.isChecked()])
        self._show_shown()
        if on and not self.view.currentIndex().isValid():
            self.view.show_row(0)
        if on:
            actions.table.setChecked(True)

    def _show_shown(self) -> None:
        """Say how many pages are shown; the current one is the one that the window shows, if it is among them."""
        case = self._document.case
        in_rows = case is not None and bool(case.arrangement.grid_places)
        self.bar.show_count(self.model.rowCount(), self._document.n_pages, in_rows)
        self.hint.setText(self.tr("Filtered: {pages}").format(pages=self.bar.count.text()))
        self.hint.setVisible(self.model.filtered and self._document.n_pages > 0)
        self.view.set_with_document(self.model.has_documents)
        self.view.show_current(self._document.page)

    def _show_case(self) -> None:
        self.model.set_widths({})
        if self._document.case is None:
            self._look_over()
        else:
            self._follow()

    def _measure(self) -> None:
        """Measure on a worker how wide shreds are against the paper that the options tell of."""
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring = None
        case, jobs = self._document.case, self._shell.session.jobs
        if case is not None:
            self.view.delegate.paper_mm = case.options.solver.page_width_mm
            self._measuring = jobs.start(lambda progress, deliver: jobs.engine.paper_widths(case))
            self._measuring.succeeded.connect(self._learn_widths)
            self._measuring.failed.connect(jobs.failed)

    def _learn_widths(self, widths: dict[str, float]) -> None:
        self.model.set_widths(widths)
        self._follow()

    def _follow(self) -> None:
        """Show pages as they are now; where the current one no longer passes the filters, the next one is.

        While the table is out of sight and hides none, it waits: hundreds of pages are not looked over at every nudge.
        """
        in_sight = self._shell.actions.table.isChecked()
        if not in_sight and not self.model.filtered:
            self._stale = True
            return
        row = self.view.currentIndex().row()
        self._look_over()
        if in_sight and row >= 0 and not self.view.currentIndex().isValid():
            self.view.show_row(row)

    def _look_over(self) -> None:
        self._stale = False
        self.model.look_over()
        self._show_shown()

    def _reveal(self) -> None:
        """Show the page that was gone to, whatever the filters say."""
        if self.model.row_of(self._document.page) < 0:
            self._lift()

    def _lift(self) -> None:
        """Hide no page."""
        for action in self._shell.actions.filters:
            action.setChecked(False)

    def _show_page(self, page: int) -> None:
        self._document.show_page(page)
        self._shell.actions.table.setChecked(False)

    def _want(self, pages: Sequence[int]) -> None:
        self.thumbnails.want(pages, round(self.view.side_px * self.view.devicePixelRatioF()))
