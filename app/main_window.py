"""The main window: its sections, built and tied together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QTabWidget, QWidget
from shiboken6 import isValid

from app import actions, menus, theme
from app.actions import Actions
from app.desk.controller import Desk
from app.docks import LAYOUTS, Docks
from app.faces.controller import Faces
from app.files import Opener, RecentFiles, Saver
from app.joins.controller import Joins
from app.looking.controller import Looking
from app.pages.controller import Pages
from app.preferences.cache import CachePreferences
from app.reasons import first_reason, reason_against, unless, unless_case
from app.record.controller import Record
from app.rows.controller import Rows
from app.samples.controller import Samples
from app.session.session import Session
from app.settings import Settings
from app.sheets.controller import Sheets
from app.shell import Shell
from app.status import LastView, StatusLine, refresh_actions, why_not
from app.table.controller import Table
from app.table.table_view import TableView
from app.widgets import messages
from app.widgets.controls import label
from app.widgets.drop import DropOverlay
from app.widgets.image_view import ImageView
from app.widgets.layouts import Pile, give_size, in_column
from app.widgets.loupe import Loupe
from app.widgets.options_form import OptionsPanel
from app.widgets.progress_panel import ProgressPanel
from app.widgets.welcome import Welcome
from core.errors import MissingOriginalError

if TYPE_CHECKING:
    from app.sheets.mending import Mending


class MainWindow(QMainWindow):
    """Menus, tool bar, docks and status bar around the page.

    Parameters
    ----------
    session : Session
        What is open.
    settings : Settings
        What the window remembers between sessions.
    log_path : Path or None
        Where the log is.
    """

    def __init__(self, session: Session, settings: Settings, log_path: Path | None = None) -> None:
        super().__init__()
        self.session = session
        self._settings = settings
        self._log_path = log_path
        self._leaving = False
        self.commands = Actions(self)
        self.docks = Docks(self, settings)
        self.notices = messages.NoticeBar()
        self.shell = Shell(session, settings, self.commands, self.docks, self.notices, self.statusBar(), self)
        self.setWindowTitle(self.tr("Rejoin"))
        give_size(self, 1320, 860)
        self.setMinimumSize(QSize(720, 480).boundedTo(self.size()))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._build_centre()
        self._build_files()
        self._build_sections()
        self._build_docks()
        bar, panels, chosen = self.menuBar(), (panel.action for panel in self.docks), settings.theme()
        menus.build_menus(bar, self.commands, self.recent_menu, panels, chosen, self._choose_theme)
        actions.build_tool_bar(self, self.commands, self.pages.label, self.joins.lead)
        for menu in self.findChildren(QMenu):
            menus.reach_all(menu)
        self._connect()
        self.restoreGeometry(settings.window()[0])
        self.restoreState(settings.window()[1])
        self._refresh()

    def _build_centre(self) -> None:
        self.sheets, self.pages, self.table = Sheets(self.shell), Pages(self.shell), Table(self.shell)
        self.welcome = Welcome()
        self._reading = label(self.tr("Reading…"), "title", alignment=Qt.AlignmentFlag.AlignCenter)
        self.centre = Pile()
        middle = self.sheets.view, self.pages.view, self.table.widget
        for widget in (self.welcome, self._reading, *middle):
            self.centre.addWidget(widget)
        self.progress_panel = ProgressPanel()
        holder = QWidget()
        parts = self.notices, (self.centre, 1), self.progress_panel
        self._middle = in_column(*parts, on=holder, margins=(0, 0, 0, 0), spacing=0)
        self.setCentralWidget(holder)
        self.drop_overlay = DropOverlay(self)

    def _build_sections(self) -> None:
        shell, page, sheet, source = self.shell, self.pages.view.canvas, self.sheets.view, self.sheets.source.view
        self.joins = Joins(shell)
        self.rows = Rows(shell, page, self.pages.drag)
        self.faces = Faces(shell, page)
        self.options_panel = OptionsPanel()
        self.status = StatusLine(shell, page, sheet, source)
        self.last_view = LastView(shell, page)
        back = self.faces.back.canvas
        self.loupes = [Loupe(view) for view in (page, sheet, source, back)]
        self.record = Record(shell, self.saver.save_first)
        self._middle.insertWidget(2, self.record.examiner.line)
        toned = page, sheet, source, self.joins.pair_view.canvas, back
        self.looking = Looking(shell, toned, (page, sheet, source))
        self.cache = CachePreferences(shell)
        self.desk = Desk(shell, self.pages.drag, self.pages.operations, self.pages.strip.picture)
        self.samples = Samples(shell, page, self.joins.pair_view.canvas, source, self.status)

    def _build_docks(self) -> None:
        document, add, area = self.session.document, self.docks.add, Qt.DockWidgetArea
        left, right, bottom = area.LeftDockWidgetArea, area.RightDockWidgetArea, area.BottomDockWidgetArea
        sheets, pages, joins = self.sheets, self.pages, self.joins
        no_case = lambda: unless_case(document.case is not None)  # noqa: E731
        no_sheet = lambda: unless_case(document.opened.paths)  # noqa: E731
        mended = self.tr("Go back to the pages first: a sheet is being mended.")
        no_page = lambda: first_reason(  # noqa: E731
            unless_case(document.case is not None), unless(not sheets.is_mending, mended)
        )
        nothing = self.tr("Nothing is set aside.")
        none_aside = lambda: first_reason(unless_case(document.case is not None), unless(pages.tray.count(), nothing))  # noqa: E731
        add("sheets", self.tr("Sheets"), sheets.filmstrip, left, "F6", no_sheet)
        add("set_aside", self.tr("Set Aside"), pages.tray, left, "F7", none_aside)
        add("source", self.tr("Source"), sheets.source, right, "F8", no_page)
        tip = self.tr("All shreds in their order: choose, drag, walk by keys")
        add("order", self.tr("Order"), pages.strip, bottom, "F10", no_page, tip=tip)
        tip = self.tr("What could stand on the other side of a cut, sample by sample")
        add("samples", self.tr("Samples"), self.samples.panel, right, "F9", no_page, tip=tip, shown=False)
        tip = self.tr("Answer questions about joins, the most useful one first")
        add("review", self.tr("Review"), joins.review_queue, right, "F11", no_page, tip=tip, shown=False)
        tip = self.tr("What another order has in place of the one before: accept or refuse it")
        unchanged = self.tr("Solving again has changed nothing else yet.")
        same = lambda: unless(joins.changes_panel.parts, unchanged)  # noqa: E731
        add("changes", self.tr("Changes"), joins.changes_panel, right, "Ctrl+Shift+R", same, tip=tip, shown=False)
        tip = self.tr("Two shreds side by side: where they agree, and what the join costs")
        add("pair", self.tr("Pair"), joins.pair_view, right, "F12", no_page, tip=tip, shown=False)
        tip = self.tr("What is seen when the page is turned over, beside it")
        add("back", self.tr("Other Face"), self.faces.back, right, "Ctrl+B", no_page, tip=tip, shown=False)
        tip = self.tr("Which shreds are the two faces of one paper, the doubtful ones first")
        add("faces", self.tr("Faces"), self.faces.pairs, right, "Ctrl+Shift+F", no_page, tip=tip, shown=False)
        tip = self.tr("Groups of shreds, to be laid side by side and tried before they are placed")
        add("desk", self.tr("Desk"), self.desk.panel, right, "Ctrl+Shift+D", no_page, tip=tip, shown=False)
        tip = self.tr("Brightness, contrast, threshold and ink of one colour, on the screen only")
        add("tones", self.tr("Tones"), self.looking.panel, right, "Ctrl+Shift+B", no_sheet, tip=tip, shown=False)
        tip = self.tr("What each step does, and how it can be made to do otherwise")
        add("options", self.tr("Options"), self.options_panel, right, "Ctrl+,", lambda: "", tip=tip, shown=False)
        tip = self.tr("All that was done with the case, and the notes")
        add("history", self.tr("History"), self.record.history_panel, right, "Ctrl+H", no_case, tip=tip, shown=False)
        # One upon another: side by side on a small screen, none of them would have room.
        others = "samples", "review", "changes", "pair", "back", "faces", "desk", "tones", "options", "history"
        for name in others:
            self.tabifyDockWidget(self.docks["source"].dock, self.docks[name].dock)
        for name in ("faces", "changes", "tones", "options", "history"):
            self.docks.focus_when_asked_for(name)
        joins.follow_docks(self.docks["review"], self.docks["pair"])
        self.faces.follow_docks(self.docks["back"], self.docks["faces"])
        self.pages.finder.marked_behind.connect(self.faces.back.canvas.mark_found)
        self.setCorner(Qt.Corner.BottomRightCorner, right)
        self.setTabPosition(right, QTabWidget.TabPosition.North)
        film, tray, source, order = (self.docks[name].dock for name in ("sheets", "set_aside", "source", "order"))
        beside, below = round(0.29 * self.width()), round(0.22 * self.height())  # on a small screen the page has most
        self.resizeDocks([film, source], [min(190, beside), min(380, beside)], Qt.Orientation.Horizontal)
        self.resizeDocks([film, tray], [560, 220], Qt.Orientation.Vertical)
        self.resizeDocks([order], [min(180, below)], Qt.Orientation.Vertical)

    def _build_files(self) -> None:
        self.recent_menu = QMenu(self.tr("Open &Recent"), self)
        self.recent_menu.setToolTipsVisible(True)
        recent = RecentFiles(self.shell, self.recent_menu, self.welcome)
        self.saver = Saver(self.shell, recent)
        self.opener = Opener(self.shell, self.saver, recent, self.welcome, self.drop_overlay)

    def _connect(self) -> None:
        actions, session = self.commands, self.session
        document, jobs, updater = session.document, session.jobs, session.updater
        actions.undo.triggered.connect(session.editor.undo)
        actions.redo.triggered.connect(session.editor.redo)
        actions.quit.triggered.connect(self.close)
        actions.log.triggered.connect(self._show_log)
        actions.table.toggled.connect(self._show_table)
        actions.about.triggered.connect(self._show_about)
        actions.shortcuts.triggered.connect(self._show_shortcuts)
        actions.loupe.toggled.connect(self._show_loupe)
        for layout in LAYOUTS:
            getattr(actions, f"to_{layout}").triggered.connect(
                lambda _=False, layout=layout: self.docks.arrange(layout)
            )
        for source in (actions.cancel.triggered, self.progress_panel.cancel_clicked):
            source.connect(jobs.cancel)
        self.progress_panel.pause_clicked.connect(actions.pause.toggle)
        for follow in (jobs.pause, self.progress_panel.set_paused):
            actions.pause.toggled.connect(follow)
        for name in ("zoom_in", "zoom_out", "fit", "fit_width", "actual_size"):
            getattr(actions, name).triggered.connect(lambda _=False, name=name: getattr(self.view_in_use(), name)())
        changes = document.sheets_changed, document.case_changed, document.arrangement_changed, document.history_changed
        running = jobs.running_changed, session.texts.reading_changed, session.answers.solving_changed
        for signal in (*changes, document.page_changed, document.saved, *running):
            signal.connect(self._refresh)
        jobs.running_changed.connect(self._show_running)
        jobs.cancelled.connect(self._show_cancelled)
        for failed in (jobs.failed, session.pictures.failed, session.texts.failed):
            failed.connect(self._show_failure)
        session.editor.refused.connect(lambda text: self.notices.tell(text, icon="warning"))
        document.options_changed.connect(lambda: self.options_panel.show_options(document.options_in_force))
        jobs.running_changed.connect(lambda: self.options_panel.set_busy(jobs.busy))
        self.options_panel.applied.connect(updater.apply)
        for lost in (updater.lost, session.mender.lost):
            lost.connect(self._show_lost)
        self.sheets.mending_built.connect(self._take_in)
        self.sheets.mending_changed.connect(self._show_mending)
        self.pages.tray.crumb_chosen.connect(self.sheets.source.show_crumb)
        self.pages.menu.addSeparator()
        below = actions.confirm_below, actions.forbid_below
        self.pages.menu.addActions([actions.confirm, actions.forbid, *below, actions.release])
        self.pages.drag.add_target(self.table.view)
        self.desk.view.menu_wanted.connect(self.pages.menu.popup)
        self.pages.view.canvas.zoom_changed.connect(self.desk.view.follow_zoom)
        self.looking.slope_told.connect(self.pages.operations.level_page)
        self.looking.framed.connect(lambda area: self.record.annotate(self.pages.place_key(area)))
        self.joins.marks_changed.connect(self.pages.view.mark_joins)
        self.joins.pair_shown.connect(lambda: actions.table.setChecked(False))
        self.joins.pair_shown.connect(self.pages.view.bring_in_sight)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._keep_focus)
        self.centre.currentChanged.connect(lambda _: self.status.show_zoom(self.view_in_use()))
        self.joins.refresh()

    # What follows from what is open

    def _refresh(self) -> None:
        """Bring up to date what is in the middle, the actions, the panels and the title."""
        opened, exporting = self.session.document.opened, self.session.jobs.exporting
        if opened.sheets and self.sheets.is_mending:
            self.centre.setCurrentWidget(self.sheets.mending.page)
        elif opened.case is not None:
            on_table = self.commands.table.isChecked()
            self.centre.setCurrentWidget(self.table.widget if on_table else self.pages.view)
        elif opened.sheets:
            self.centre.setCurrentWidget(self.sheets.view)
        else:
            self.centre.setCurrentWidget(self._reading if opened.paths else self.welcome)
        refresh_actions(self.shell)
        if self.isWindowModified() != self.session.document.modified:  # set again it costs milliseconds
            self.setWindowModified(self.session.document.modified)
        title = self.tr("{name}[*] – Rejoin") if opened.paths else self.tr("Rejoin")
        if opened.as_copy:
            title = self.tr("{name} (copy)[*] – Rejoin")
        self.setWindowTitle(title.format(name=self.session.document.heading) if opened.paths else title)
        self.drop_overlay.can_add = bool(opened.paths)
        self.drop_overlay.enabled = not exporting
        self.docks.refresh()

    def _show_about(self) -> None:
        engine = self.session.jobs.engine
        messages.show_about(self, self._log_path, (engine.cache_folder, engine.cache_gb))

    def _show_shortcuts(self) -> None:
        from app.widgets.shortcuts import ShortcutsDialog

        ShortcutsDialog(self).open()

    def _show_running(self) -> None:
        running = self.session.jobs.running
        self.commands.pause.setChecked(False)
        if running is None:
            self.progress_panel.end()
        else:
            self.progress_panel.begin(running.title)
            running.task.progressed.connect(self.progress_panel.advance)
            self.notices.hide()

    def _show_cancelled(self) -> None:
        if self.session.document.opened.paths and not self.session.document.case:
            again = self.session.reader.reconstruct_again
            self.notices.tell(self.tr("Cancelled."), self.tr("Reconstruct again"), again)

    def _show_failure(self, error: BaseException) -> None:
        """Show what went wrong; where the file of a sheet is missing, offer to name its folder."""
        if isinstance(error, MissingOriginalError):
            session = self.session
            look = lambda: session.originals.find(session.pictures.try_again, on_disk=False)  # noqa: E731
            self.notices.tell(messages.sentence(error), self.tr("Folder of the Sheets…"), look, "warning")
        else:
            messages.show_error(self, error)

    def _show_lost(self, lost: tuple[str, ...]) -> None:
        text = self.tr("There is no shred any more where these lay, and what was said of them went with them: {ids}.")
        self.notices.tell(text.format(ids=", ".join(lost)), icon="warning")

    def _keep_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Give the focus to the picture when what had it is hidden or disabled, and not to whatever comes next."""
        middle = self.centre.currentWidget()
        if before is None or now is None or middle is None or not isValid(before) or now.window() is not self:
            return
        if self.isAncestorOf(before) and not (before.isVisible() and before.isEnabled()):
            middle.setFocus()

    # What the user does

    def _choose_theme(self, chosen: str) -> None:
        """Apply a theme and remember it."""
        self._settings.set_theme(chosen)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, chosen)

    def _show_log(self) -> None:
        if self._log_path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log_path.parent)))

    def _show_table(self, on: bool) -> None:
        """Show all pages on the light table, or one page by itself."""
        if self.sheets.is_mending:
            self.sheets.mending.leave()
        self.pages.pause(on or self.sheets.is_mending)
        self._refresh()
        (self.table.view if on else self.pages.view).setFocus()

    def _take_in(self, mending: Mending) -> None:
        """Give what sheets are mended with its place, and all that the other pictures have."""
        self.centre.addWidget(mending.page)
        self.status.follow(mending.canvas)
        self.looking.include(mending.canvas)
        self.loupes.append(Loupe(mending.canvas))
        self.loupes[-1].set_on(self.commands.loupe.isChecked())

    def _show_mending(self) -> None:
        """Show a sheet that is mended, or what was shown before."""
        self.pages.pause(self.sheets.is_mending or self.commands.table.isChecked())
        self._refresh()

    def _show_loupe(self, on: bool) -> None:
        for loupe in self.loupes:
            loupe.set_on(on, in_middle=loupe.view is self.view_in_use())

    def view_in_use(self) -> ImageView | TableView:
        """Return the view that the zoom actions mean: the one with the focus, or the one in the middle."""
        beside = self.sheets.source.view, self.desk.view, self.faces.back.canvas, self.faces.pairs.canvas
        focused = next((view for view in beside if view.hasFocus()), None)
        if focused is not None:
            return focused
        if self.sheets.is_mending:
            return self.sheets.mending.canvas
        if self.centre.currentWidget() is self.table.widget:
            return self.table.view
        return self.pages.view.canvas if self.session.document.case else self.sheets.view

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.commands.refresh_icons()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Let Tab pass over panels that are behind others: Qt holds them for visible."""
        begun_at = self.focusWidget()
        moved = super().focusNextPrevChild(forward)
        while moved and self.docks.is_behind(self.focusWidget()) and self.focusWidget() is not begun_at:
            moved = super().focusNextPrevChild(forward)
        return moved

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Say why the action of a key cannot be done now: nobody else wanted the key."""
        keys = QKeySequence(event.keyCombination())
        action = next((each for each in self.actions() if keys in each.shortcuts() and reason_against(each)), None)
        if action is not None and action is not self.commands.cancel:
            self.statusBar().showMessage(why_not(action), 8000)
        else:
            super().keyPressEvent(event)

    def _close_now(self) -> None:
        self._leaving = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._leaving:
            self.saver.leave(self._close_now)
        if not self._leaving:
            event.ignore()
            return
        self.last_view.remember()
        self.docks.remember()
        self._settings.set_window(self.saveGeometry(), self.saveState())
        self.session.close()
        super().closeEvent(event)
