"""The main window: connections only."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMainWindow,
    QMessageBox,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app import dialogs, menus, messages, resources, theme, wording
from app.actions import Actions
from app.drop import DropOverlay
from app.edit_panel import EditPanel
from app.filmstrip import Filmstrip
from app.habits import Habits
from app.image_view import ImageView
from app.inspector import Inspector
from app.inspector_links import InspectorLinks
from app.join_panels import JoinPanels
from app.neighbours_view import NeighboursView
from app.page_view import PageView
from app.panels import Panels
from app.progress_panel import ProgressPanel
from app.saving import Saving
from app.set_aside import SetAside
from app.settings import Settings
from app.sheet_view import SheetView
from app.source_view import SourceView
from app.welcome import Welcome
from app.workspace import Workspace
from core import __version__
from core.matching import DOUBTFUL


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
        self.recent_menu = menus.build_menus(self)
        self.page_label = menus.build_tool_bar(self)
        self._build_status_bar()
        self.saving = Saving(self)
        self._connect()
        self._restore()
        self._refresh()

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
        self.setCorner(Qt.Corner.BottomRightCorner, right)
        # One upon another: side by side on a small screen, none of them would have room.
        for dock in (self.samples_dock, self.joins.review_dock, self.joins.pair_dock, self.habits.options_dock):
            self.tabifyDockWidget(self.source_dock, dock)
        self.setTabPosition(right, QTabWidget.TabPosition.North)
        self.resizeDocks([self.sheets_dock, self.source_dock], [190, 380], Qt.Orientation.Horizontal)
        self.resizeDocks([self.sheets_dock, self.set_aside_dock], [560, 220], Qt.Orientation.Vertical)

    def _build_status_bar(self) -> None:
        self.summary = QLabel()
        self.zoom_label = QLabel()
        self.zoom_label.setToolTip(self.tr("Screen pixels for each pixel of the scan"))
        self.statusBar().addWidget(self.summary, 1)
        self.statusBar().addPermanentWidget(self.zoom_label)
        self.statusBar().setSizeGripEnabled(False)

    def _connect(self) -> None:
        actions, workspace = self.commands, self.workspace
        for source in (actions.open.triggered, self.welcome.open_files):
            source.connect(lambda: self.open(self._ask(dialogs.choose_files)))
        for source in (actions.open_folder.triggered, self.welcome.open_folder):
            source.connect(lambda: self.open(self._ask(dialogs.choose_folder)))
        for source in (actions.sample.triggered, self.welcome.open_sample):
            source.connect(lambda: self.open(resources.sample_paths()))
        self.welcome.open_recent.connect(self.open)
        actions.add.triggered.connect(lambda: self.open(self._ask(dialogs.choose_files), add=True))
        self.drop_overlay.dropped.connect(self.open)
        actions.again.triggered.connect(lambda: self.saving.leave(workspace.reconstruct_again))
        actions.export.triggered.connect(self._export)
        actions.undo.triggered.connect(workspace.undo)
        actions.redo.triggered.connect(workspace.redo)
        actions.quit.triggered.connect(self.close)
        actions.clear_recent.triggered.connect(self._clear_recent)
        actions.log.triggered.connect(self._show_log)
        actions.about.triggered.connect(self._about)
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
        workspace.history_changed.connect(self._refresh)
        workspace.page_changed.connect(self._show_page)
        workspace.selection_changed.connect(self._show_selection)
        workspace.running_changed.connect(self._show_running)
        workspace.exported.connect(self._show_exported)
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
        for view in (self.page_view.canvas, self.sheet_view):
            view.zoom_changed.connect(self._show_zoom)

        self.links = InspectorLinks(self)
        self.editing.connect_actions()
        self.joins.connect_actions()

    def _restore(self) -> None:
        geometry, state = self.settings.window()
        self.restoreGeometry(geometry)
        self.restoreState(state)
        self.welcome.sample_button.setVisible(bool(resources.sample_paths()))
        self._fill_recent()

    # What the user does

    def open(self, paths: object, add: bool = False) -> None:
        """Reconstruct files and folders, alone or together with what is open."""
        chosen = [Path(str(path)) for path in paths] if isinstance(paths, list | tuple) else []
        if chosen and not self.workspace.exporting:
            self.saving.leave(lambda: self._open(chosen, add))

    def _open(self, chosen: list[Path], add: bool) -> None:
        self.settings.set_folder("open", chosen[0].absolute().parent)
        (self.workspace.add if add else self.workspace.open)(chosen)
        self.remember(self.workspace.opened.paths)

    def remember(self, paths: tuple[Path, ...]) -> None:
        """Put what is open at the head of what was opened lately."""
        self.settings.add_recent(paths)
        self._fill_recent()
        self._refresh()

    def _ask(self, choose: Callable[[QWidget, str], list[Path]]) -> list[Path]:
        return choose(self, self.settings.folder("open"))

    def _export(self) -> None:
        if self.workspace.case is None:
            return
        name = f"{self.workspace.opened.sheets[0].path.stem} reconstructed.pdf"
        path = dialogs.choose_export(self, Path(self.settings.folder("export")) / name)
        if path is not None:
            self.settings.set_folder("export", path.parent)
            self.workspace.export(path)

    def set_theme(self, chosen: str) -> None:
        """Put a theme in force and remember it."""
        self.settings.set_theme(chosen)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, chosen)

    def _clear_recent(self) -> None:
        self.settings.clear_recent()
        self._fill_recent()

    def _show_log(self) -> None:
        if self.log_path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.log_path.parent)))

    def _about(self) -> None:
        text = self.tr(
            "<h3>Rejoin {version}</h3><p>Reconstructs strip-shredded text documents from scans.</p>"
            "<p>After Paixão et al., “Fast(er) Reconstruction of Shredded Text Documents via Self-Supervised Deep "
            "Asymmetric Metric Learning”, CVPR 2020.</p><p>Log file: {log}</p>"
        ).format(version=__version__, log=self.log_path or self.tr("none"))
        QMessageBox.about(self, self.tr("About Rejoin"), text)

    # What the workspace tells

    def _show_sheets(self) -> None:
        workspace = self.workspace
        self.filmstrip.set_opened(workspace.opened, workspace.glimpses, working=workspace.busy)
        if not workspace.case and workspace.opened.sheets and workspace.selection.sheet < 0:
            self.sheet_view.set_sheet(workspace.opened.sheets[-1], workspace.opened.shreds[-1])
        self._refresh()

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
            if case.unreadable:
                n = len(case.unreadable)
                text = wording.counted(n, self.tr("input was left out"), self.tr("inputs were left out"))
                show = lambda: messages.show_left_out(self, case.unreadable)  # noqa: E731
                self.tell(f"{text}.", self.tr("Details"), show, "warning")
        self._refresh()

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
        self._refresh()

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

    def _show_exported(self, paths: tuple[Path, ...]) -> None:
        url = QUrl.fromLocalFile(str(paths[0]))
        text = self.tr("Written: {name}").format(name=wording.named(paths))
        self.tell(text, self.tr("Open"), lambda: QDesktopServices.openUrl(url))

    def _show_cancelled(self) -> None:
        if self.workspace.opened.paths and not self.workspace.case:
            self.tell(self.tr("Cancelled."), self.tr("Reconstruct again"), self.workspace.reconstruct_again)

    def tell(self, text: str, more: str, action: Callable[[], object], icon: str = "information") -> None:
        """Show a notice with a button."""
        self._more = action
        self.notice.tell(text, more, icon)

    def _show_zoom(self, zoom: float) -> None:
        self.zoom_label.setText(f"{100 * zoom:.0f} %")

    # What follows from the state

    def view_in_use(self) -> ImageView:
        """Give the view that the zoom actions mean: the one with the focus, or the one in the middle."""
        if self.source_view.view.hasFocus():
            return self.source_view.view
        return self.page_view.canvas if self.workspace.case else self.sheet_view

    def _refresh(self) -> None:
        workspace, actions = self.workspace, self.commands
        has_case, n_pages = workspace.case is not None, workspace.n_pages
        shown = bool(workspace.opened.sheets)
        if has_case:
            self.centre.setCurrentWidget(self.page_view)
        elif shown:
            self.centre.setCurrentWidget(self.sheet_view)
        else:
            self.centre.setCurrentWidget(self.reading if workspace.opened.paths else self.welcome)
        for action in (actions.open, actions.open_folder, actions.sample):
            action.setEnabled(not workspace.exporting)
        actions.sample.setVisible(bool(resources.sample_paths()))
        actions.add.setEnabled(bool(workspace.opened.paths) and not workspace.exporting)
        actions.again.setEnabled(bool(workspace.opened.paths) and not workspace.busy)
        actions.cancel.setEnabled(workspace.busy)
        for action in (actions.export, actions.save, actions.save_as):
            action.setEnabled(has_case and not workspace.busy)
        stack = workspace.undo_stack
        actions.undo.setEnabled(has_case and stack.canUndo())
        actions.undo.setText(self.tr("&Undo {step}").format(step=stack.undoText()).strip())
        actions.redo.setEnabled(has_case and stack.canRedo())
        actions.redo.setText(self.tr("&Redo {step}").format(step=stack.redoText()).strip())
        for action in (actions.zoom_in, actions.zoom_out, actions.fit, actions.actual_size):
            action.setEnabled(shown)
        for action in (actions.previous_page, actions.next_page):
            action.setVisible(has_case)
        for action in (actions.previous_page, actions.first_page):
            action.setEnabled(workspace.page > 0)
        for action in (actions.next_page, actions.last_page):
            action.setEnabled(workspace.page < n_pages - 1)
        self.page_label.setText(
            self.tr("Page {page} of {n}").format(page=workspace.page + 1, n=n_pages) if has_case else ""
        )
        self.drop_overlay.can_add = bool(workspace.opened.paths)
        self.drop_overlay.enabled = not workspace.exporting
        self.zoom_label.setVisible(shown)
        self.setWindowModified(has_case and not workspace.undo_stack.isClean())
        self.setWindowTitle(
            self.tr("{name}[*] – Rejoin").format(name=wording.named(workspace.opened.paths))
            if workspace.opened.paths
            else self.tr("Rejoin")
        )
        self.summary.setText(self._summarise())
        self.panels.refresh()

    def _summarise(self) -> str:
        case, opened = self.workspace.case, self.workspace.opened
        if not opened.sheets:
            return ""
        parts = [
            wording.counted(len(opened.sheets), self.tr("sheet"), self.tr("sheets")),
            wording.counted(sum(map(len, opened.shreds)), self.tr("shred"), self.tr("shreds")),
        ]
        if case is not None:
            doubtful = sum(join.confidence < DOUBTFUL for join in case.joins)
            parts.append(wording.counted(self.workspace.n_pages, self.tr("page"), self.tr("pages")))
            parts.append(
                self.tr("{joins}, {n} doubtful").format(
                    joins=wording.counted(len(case.joins), self.tr("join"), self.tr("joins")), n=doubtful
                )
            )
            parts.append(self.set_aside.summary(case))
            parts.append(
                self.tr("order changed by hand")
                if case.by_hand
                else self.tr("order proved the cheapest")
                if case.optimal
                else self.tr("order within {gap:.2%} of the cheapest").format(gap=case.gap)
            )
        return "  ·  ".join(part for part in parts if part)

    def _fill_recent(self) -> None:
        entries = self.settings.recent()
        self.welcome.set_recent(entries)
        self.recent_menu.clear()
        for number, entry in enumerate(entries, start=1):
            action = self.recent_menu.addAction(f"&{number}  {wording.named(entry).replace('&', '&&')}")
            action.setToolTip("\n".join(str(path) for path in entry))
            action.triggered.connect(functools.partial(self.open, entry))
        self.recent_menu.addSeparator()
        self.recent_menu.addAction(self.commands.clear_recent)
        self.recent_menu.setEnabled(bool(entries))

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
