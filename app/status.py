"""What follows from what is open: the status bar, which actions make sense, what is in the middle, the title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF
from PySide6.QtWidgets import QLabel

from app import theme, wording
from core.matching.confidence import DOUBTFUL
from core.units import MM_PER_PX

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.widgets.image_view import ImageView
if TYPE_CHECKING:
    from app.main_window import MainWindow


class StatusLine(QObject):
    """Fills a window's status bar.

    Parameters
    ----------
    window : MainWindow
        Whose pictures and work it tells of.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.running = QLabel()
        self.running.setAccessibleName(self.tr("What is running"))
        self.position = QLabel()
        self.position.setAccessibleName(self.tr("Place under the pointer"))
        self.position.setToolTip(self.tr("From the left and from the top, at 300 dpi"))
        self.summary, self.zoom = QLabel(), QLabel()
        self.zoom.setAccessibleName(self.tr("Scale"))
        self.zoom.setToolTip(self.tr("Screen pixels for each pixel of the scan"))
        bar = window.statusBar()
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.summary, 1)
        for label in (self.position, self.running, self.zoom):
            bar.addPermanentWidget(label)
        for view in (window.page_view.canvas, window.sheet_view):
            view.zoom_changed.connect(lambda zoom: self.zoom.setText(f"{100 * zoom:.0f} %"))
        self._background = ""
        for view in (window.page_view.canvas, window.sheet_view, window.source_view.view):
            view.pointed.connect(lambda point, view=view: self._point(view, point))
        workspace = window.workspace
        for signal in (workspace.sheets_changed, workspace.case_changed, workspace.arrangement_changed):
            signal.connect(self._sum_up)
        workspace.running_changed.connect(self._follow)
        window.inspector.waiting.connect(lambda on: self._tell_background(self.tr("Embedding") if on else ""))
        window.inspector.progressed.connect(lambda part, text: self._tell_background(f"{text}, {part:.0%}"))
        self._sum_up()

    def _sum_up(self) -> None:
        """Say what is open."""
        self.summary.setText(self._summarise())
        self.zoom.setVisible(bool(self._window.workspace.opened.sheets))

    def _summarise(self) -> str:
        workspace = self._window.workspace
        case, opened = workspace.case, workspace.opened
        if not opened.sheets:
            return ""
        parts = [
            wording.counted(len(opened.sheets), self.tr("sheet"), self.tr("sheets")),
            wording.counted_shreds(shred for of_sheet in opened.shreds for shred in of_sheet),
        ]
        if case is not None:
            doubtful = sum(join.confidence < DOUBTFUL for join in case.joins)
            joins = wording.counted(len(case.joins), self.tr("join"), self.tr("joins"))
            parts.append(wording.counted(workspace.n_pages, self.tr("page"), self.tr("pages")))
            parts.append(self.tr("{joins}, {n} doubtful").format(joins=joins, n=doubtful))
            parts.append(self._window.set_aside.summary(case))
            parts.append(
                self.tr("order changed by hand")
                if case.by_hand
                else self.tr("order proved the cheapest")
                if case.optimal
                else self.tr("order within {gap:.2%} of the cheapest").format(gap=case.gap)
            )
        return "  ·  ".join(part for part in parts if part)

    def _point(self, view: ImageView, point: QPointF | None) -> None:
        """Tell a place on the page or sheet in pixels and millimetres."""
        if point is None or not view.image_item.boundingRect().contains(point):
            self.position.clear()
            return
        window = self._window
        workspace = window.workspace
        if view is window.page_view.canvas:
            what = self.tr("Page {n}").format(n=workspace.page + 1)
        else:
            chosen = workspace.selection.sheet
            shown = chosen if chosen >= 0 else len(workspace.opened.sheets) - 1
            what = self.tr("Sheet {n}").format(n=shown + 1)
        place = self.tr("{what}: {x:.0f}, {y:.0f} px  ·  {x_mm:.1f}, {y_mm:.1f} mm")
        x, y = point.x(), point.y()
        self.position.setText(place.format(what=what, x=x, y=y, x_mm=x * MM_PER_PX, y_mm=y * MM_PER_PX))

    def _follow(self) -> None:
        running = self._window.workspace.running
        if running is not None:
            running.task.progressed.connect(lambda fraction, text, title=running.title: self._advance(title, fraction))
        self._show("" if running is None else running.title)

    def _advance(self, title: str, fraction: float) -> None:
        self._show(f"{title}, {fraction:.0%}")

    def _tell_background(self, text: str) -> None:
        self._background = text
        if self._window.workspace.running is None:
            self._show("")

    def _show(self, text: str) -> None:
        self.running.setText(text or self._background)


class WindowState(QObject):
    """Keeps a window in step with its workspace.

    Parameters
    ----------
    window : MainWindow
        With its actions, views and panels.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def refresh(self) -> None:
        """Bring everything up to date."""
        self._choose_view()
        self._enable_actions()
        self._name_steps()
        self._tell_page()
        self._set_title()
        window, workspace = self._window, self._window.workspace
        window.drop_overlay.can_add = bool(workspace.opened.paths)
        window.drop_overlay.enabled = not workspace.exporting
        window.panels.refresh()

    def _choose_view(self) -> None:
        window, opened = self._window, self._window.workspace.opened
        if opened.case is not None:
            window.centre.setCurrentWidget(window.page_view)
        elif opened.sheets:
            window.centre.setCurrentWidget(window.sheet_view)
        else:
            window.centre.setCurrentWidget(window.reading if opened.paths else window.welcome)

    def _enable_actions(self) -> None:
        actions, workspace = self._window.commands, self._window.workspace
        has_case, is_open = workspace.case is not None, bool(workspace.opened.paths)
        for action in (actions.open, actions.open_folder, actions.sample):
            action.setEnabled(not workspace.exporting)
        actions.sample.setVisible(bool(theme.sample_paths()))
        actions.add.setEnabled(is_open and not workspace.exporting)
        actions.again.setEnabled(is_open and not workspace.busy)
        actions.cancel.setEnabled(workspace.busy or self._window.joins.joining.solving)
        writing = (actions.export, actions.export_folder, actions.report)
        for action in (*writing, actions.save, actions.save_as, actions.save_packed, actions.verify):
            action.setEnabled(has_case and not workspace.busy)
        for action in (actions.zoom_in, actions.zoom_out, actions.fit, actions.actual_size):
            action.setEnabled(bool(workspace.opened.sheets))

    def _name_steps(self) -> None:
        actions, workspace = self._window.commands, self._window.workspace
        has_case, stack = workspace.case is not None, workspace.undo_stack
        actions.undo.setEnabled(has_case and stack.canUndo())
        actions.undo.setText(self.tr("&Undo {step}").format(step=stack.undoText()).strip())
        actions.redo.setEnabled(has_case and stack.canRedo())
        actions.redo.setText(self.tr("&Redo {step}").format(step=stack.redoText()).strip())

    def _tell_page(self) -> None:
        actions, workspace = self._window.commands, self._window.workspace
        has_case, page, n_pages = workspace.case is not None, workspace.page, workspace.n_pages
        for action in (actions.previous_page, actions.next_page):
            action.setVisible(has_case)
        for action in (actions.previous_page, actions.first_page):
            action.setEnabled(page > 0)
        for action in (actions.next_page, actions.last_page):
            action.setEnabled(page < n_pages - 1)
        text = self.tr("Page {page} of {n}").format(page=page + 1, n=n_pages)
        self._window.page_label.setText(text if has_case else "")

    def _set_title(self) -> None:
        window, workspace = self._window, self._window.workspace
        window.setWindowModified(workspace.modified)
        paths = workspace.opened.paths
        title = self.tr("{name}[*] – Rejoin") if paths else self.tr("Rejoin")
        if workspace.opened.as_copy:
            title = self.tr("{name} (copy)[*] – Rejoin")
        window.setWindowTitle(title.format(name=wording.named(paths)) if paths else title)
