"""The main window: connections only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from app import actions, theme, wording
from app.actions import Actions
from app.docks import Panels
from app.files import Opening, Saving
from app.habits import Habits
from app.joins.controller import JoinPanels
from app.pages.controller import EditPanel
from app.pages.page_view import PageView
from app.pages.tray import SetAside
from app.record.controller import CaseRecord
from app.record.export import Exporting
from app.samples.controller import InspectorLinks
from app.samples.inspector import Inspector
from app.samples.sample_panel import NeighboursView
from app.session.session import Workspace
from app.settings import Settings
from app.sheets.filmstrip import Filmstrip
from app.sheets.sheet_view import SheetView
from app.sheets.source_view import SourceView
from app.status import WindowState
from app.widgets import messages
from app.widgets.drop import DropOverlay
from app.widgets.image_view import ImageView
from app.widgets.progress_panel import ProgressPanel
from app.widgets.welcome import Welcome


class MainWindow(QMainWindow):
    """Menus, tool bar, docks and status bar around the page.

    Parameters
    ----------
    workspace : Workspace
        What is open.
    settings : Settings
        What the window remembers between sessions.
    log_path : Path or None
        Where the log is.
    """

    def __init__(self, workspace: Workspace, settings: Settings, log_path: Path | None = None) -> None:
        super().__init__()
        self.workspace = workspace
        self.settings = settings
        self.log_path = log_path
        self._more: Callable[[], object] = lambda: None
        self._page_shown: int | None = None
        self._leaving = False
        self.commands = Actions(self)
        self.panels = Panels(self, settings)
        self.setWindowTitle(self.tr("Rejoin"))
        self.resize(1320, 860)
        self.setMinimumSize(720, 480)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._build_centre()
        self._build_docks()
        self.recent_menu = actions.build_menus(self)
        self.page_label = actions.build_tool_bar(self)
        self.saving = Saving(self)
        self.state = WindowState(self)
        self.opening = Opening(self)
        self._connect()
        self._restore()
        self.state.refresh()

    def _build_centre(self) -> None:
        self.welcome = Welcome()
        self.reading = QLabel(self.tr("Reading…"), alignment=Qt.AlignmentFlag.AlignCenter)
        self.reading.setProperty("role", "title")
        self.sheet_view = SheetView()
        self.page_view = PageView()
        self.centre = QStackedWidget()
        for widget in (self.welcome, self.reading, self.sheet_view, self.page_view):
            self.centre.addWidget(widget)
        self.notice = messages.NoticeBar()
        self.progress_panel = ProgressPanel()
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.centre, 1)
        column.addWidget(self.progress_panel)
        self.setCentralWidget(holder)
        self.drop_overlay = DropOverlay(self)

    def _build_docks(self) -> None:
        self.filmstrip = Filmstrip()
        self.set_aside = SetAside()
        self.source_view = SourceView(self.workspace)
        self.inspector = Inspector(self.workspace)
        self.neighbours_view = NeighboursView(self.inspector)
        self.editing = EditPanel(self)
        workspace, add, area = self.workspace, self.panels.add, Qt.DockWidgetArea
        left, right, bottom = area.LeftDockWidgetArea, area.RightDockWidgetArea, area.BottomDockWidgetArea
        has_case = lambda: workspace.case is not None  # noqa: E731
        opened = lambda: bool(workspace.opened.paths)  # noqa: E731
        is_aside = lambda: self.set_aside.count() > 0  # noqa: E731
        self.sheets_dock = add("sheets", self.tr("Sheets"), self.filmstrip, left, "F6", opened)
        self.set_aside_dock = add("set_aside", self.tr("Set Aside"), self.set_aside, left, "F7", is_aside)
        self.source_dock = add("source", self.tr("Source"), self.source_view, right, "F8", has_case)
        order_tip = self.tr("All shreds in their order: choose, drag, walk by keys")
        self.order_dock = add("order", self.tr("Order"), self.editing.strip, bottom, "F10", has_case, tip=order_tip)
        samples_tip = self.tr("What could stand on the other side of a cut, sample by sample")
        self.samples_dock = add(
            "samples", self.tr("Samples"), self.neighbours_view, right, "F9", has_case, tip=samples_tip, shown=False
        )
        self.joins = JoinPanels(self)
        self.habits = Habits(self)
        self.record = CaseRecord(self)
        self.exporting = Exporting(self)
        self.setCorner(Qt.Corner.BottomRightCorner, right)
        # One upon another: side by side on a small screen, none of them would have room.
        joins, habits, record = self.joins, self.habits, self.record
        for dock in (self.samples_dock, joins.review_dock, joins.pair_dock, habits.options_dock, record.dock):
            self.tabifyDockWidget(self.source_dock, dock)
        self.setTabPosition(right, QTabWidget.TabPosition.North)
        self.resizeDocks([self.sheets_dock, self.source_dock], [190, 380], Qt.Orientation.Horizontal)
        self.resizeDocks([self.sheets_dock, self.set_aside_dock], [560, 220], Qt.Orientation.Vertical)

    def _connect(self) -> None:
        actions, workspace = self.commands, self.workspace
        actions.undo.triggered.connect(workspace.undo)
        actions.redo.triggered.connect(workspace.redo)
        actions.quit.triggered.connect(self.close)
        actions.log.triggered.connect(self._show_log)
        actions.about.triggered.connect(lambda: messages.show_about(self, self.log_path))
        for source in (actions.cancel.triggered, self.progress_panel.cancel_clicked):
            source.connect(workspace.cancel)
        for name in ("zoom_in", "zoom_out", "fit", "actual_size"):
            getattr(actions, name).triggered.connect(lambda _=False, name=name: getattr(self.view_in_use(), name)())
        actions.previous_page.triggered.connect(lambda: workspace.show_page(workspace.page - 1))
        actions.next_page.triggered.connect(lambda: workspace.show_page(workspace.page + 1))
        actions.first_page.triggered.connect(lambda: workspace.show_page(0))
        actions.last_page.triggered.connect(lambda: workspace.show_page(workspace.n_pages - 1))

        workspace.sheets_changed.connect(self._show_sheets)
        workspace.case_changed.connect(self._show_case)
        workspace.arrangement_changed.connect(self._show_arrangement)
        workspace.edit_refused.connect(lambda text: self.notice.tell(text, icon="warning"))
        workspace.history_changed.connect(self.state.refresh)
        workspace.page_changed.connect(self._show_page)
        workspace.selection_changed.connect(self._show_selection)
        workspace.running_changed.connect(self._show_running)
        workspace.cancelled.connect(self._show_cancelled)
        workspace.failed.connect(lambda error: messages.show_error(self, error))
        workspace.pictures.ready.connect(lambda key: self._show_page() if key[0] == "page" else None)
        workspace.pictures.failed.connect(lambda error: messages.show_error(self, error))

        self.filmstrip.sheet_chosen.connect(workspace.select_sheet)
        self.set_aside.shred_chosen.connect(workspace.select_shred)
        self.set_aside.crumb_chosen.connect(self.source_view.show_crumb)
        self.source_view.shred_chosen.connect(workspace.select_shred)
        self.page_view.canvas.shred_chosen.connect(workspace.select_shred)
        self.notice.more_clicked.connect(lambda: self._more())

        self.links = InspectorLinks(self)
        self.editing.connect_actions()
        self.joins.connect_actions()

    def _restore(self) -> None:
        geometry, state = self.settings.window()
        self.restoreGeometry(geometry)
        self.restoreState(state)

    # What the user does

    def open(self, paths: object, add: bool = False) -> None:
        """Reconstruct files and folders, alone or together with what is open."""
        self.opening.open(paths, add)

    def set_theme(self, chosen: str) -> None:
        """Put a theme in force and remember it."""
        self.settings.set_theme(chosen)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, chosen)

    def _show_log(self) -> None:
        if self.log_path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.log_path.parent)))

    # What the workspace tells

    def _show_sheets(self) -> None:
        workspace = self.workspace
        self.filmstrip.set_opened(workspace.opened, workspace.glimpses, working=workspace.busy)
        if not workspace.case and workspace.opened.sheets and workspace.selection.sheet < 0:
            self.sheet_view.set_sheet(workspace.opened.sheets[-1], workspace.opened.shreds[-1])
        self.state.refresh()

    def _show_case(self) -> None:
        case = self.workspace.case
        self._page_shown = None
        self.set_aside.set_case(case)
        self.notice.hide()
        if case is None:
            self.page_view.clear()
        else:
            self._show_page()
            self.page_view.canvas.setFocus()
            if case.unreadable and not self.habits.ask_about_twice(case):
                n = len(case.unreadable)
                text = wording.counted(n, self.tr("input was left out"), self.tr("inputs were left out"))
                show = lambda: messages.show_left_out(self, case.unreadable)  # noqa: E731
                self.tell(f"{text}.", self.tr("Details"), show, "warning")
        self.state.refresh()

    def _show_arrangement(self) -> None:
        self.set_aside.set_case(self.workspace.case)
        self._show_page()

    def _show_page(self) -> None:
        workspace = self.workspace
        picture = workspace.page_picture(workspace.page)
        if picture is not None and workspace.case is not None:
            self.page_view.set_page(picture, workspace.case.joins, edited=self._page_shown == workspace.page)
            self.editing.page_editor.shown()
            self._page_shown = workspace.page
            workspace.page_picture(workspace.page + 1)  # so that it is there when it is turned to
        elif workspace.n_pages == 0:
            self.page_view.clear()
        elif self._page_shown != workspace.page:
            self.page_view.wait()  # an edited page is shown as it was until it has been composed anew
        self.state.refresh()

    def _show_selection(self) -> None:
        selection, opened = self.workspace.selection, self.workspace.opened
        self.filmstrip.choose(selection.sheet)
        if not self.workspace.case and 0 <= selection.sheet < len(opened.sheets):
            self.sheet_view.set_sheet(opened.sheets[selection.sheet], opened.shreds[selection.sheet])

    def _show_running(self) -> None:
        self.progress_panel.follow(self.workspace.running)
        if self.workspace.running:
            self.notice.hide()
        self._show_sheets()

    def _show_cancelled(self) -> None:
        if self.workspace.opened.paths and not self.workspace.case:
            self.tell(self.tr("Cancelled."), self.tr("Reconstruct again"), self.workspace.reconstruct_again)

    def tell(self, text: str, more: str, action: Callable[[], object], icon: str = "information") -> None:
        """Show a notice with a button."""
        self._more = action
        self.notice.tell(text, more, icon)

    def view_in_use(self) -> ImageView:
        """Give the view that the zoom actions mean: the one with the focus, or the one in the middle."""
        if self.source_view.view.hasFocus():
            return self.source_view.view
        return self.page_view.canvas if self.workspace.case else self.sheet_view

    def _close_now(self) -> None:
        self._leaving = True
        self.close()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.commands.refresh_icons()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._leaving:
            self.saving.leave(self._close_now)
        if not self._leaving:
            event.ignore()
            return
        self.settings.set_window(self.saveGeometry(), self.saveState())
        self.workspace.close()
        super().closeEvent(event)
