"""Editing by hand, put together: the actions do what `handling` can, and are enabled where it makes sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from app.actions import fill_shred_menu
from app.pages.dragging import ShredDrag
from app.pages.order_strip import OrderStrip
from app.pages.page_editor import PageEditor
from app.pages.pointer import ShredPointer
from app.pages.shred_operations import Handling
from app.pages.turn_popup import TurnPopup

if TYPE_CHECKING:
    from app.main_window import MainWindow

TURN_STEP_DEG = 0.1


class EditPanel(QObject):
    """Owns what editing by hand needs in the window.

    Parameters
    ----------
    window : MainWindow
        With its page view, tray and actions.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        workspace = window.workspace
        self.handling = Handling(workspace)
        self.drag = ShredDrag(window, self.handling)
        self.strip = OrderStrip(workspace, self.handling, self.drag)
        self.page_editor = PageEditor(window.page_view.canvas, workspace, self.handling, self.drag)
        self.turn_popup = TurnPopup(window, self.handling)
        self.menu = QMenu(window)
        tray = window.set_aside
        tray.pointer = ShredPointer(tray.viewport(), workspace, self.drag, tray.shred_at, tray.shreds_in)
        self.drag.add_target(tray)

    def connect_actions(self) -> None:
        """Connect the window's actions and views, once they are all there."""
        window, actions, handling = self._window, self._window.commands, self.handling
        fill_shred_menu(window, self.menu)
        for action, do in (
            (actions.cut, handling.cut_chosen),
            (actions.paste, handling.paste),
            (actions.paste_before, lambda: handling.paste(after=False)),
            (actions.choose_page, self._choose_page),
            (actions.move_left, lambda: handling.move_by(-1)),
            (actions.move_right, lambda: handling.move_by(1)),
            (actions.to_previous_page, lambda: handling.move_to_page(-1)),
            (actions.to_next_page, lambda: handling.move_to_page(1)),
            (actions.to_new_page, handling.move_to_new_page),
            (actions.begin_page, handling.begin_page),
            (actions.merge_pages, handling.merge_pages),
            (actions.set_aside, handling.set_aside),
            (actions.bring_back, handling.bring_back),
            (actions.half_turn, handling.half_turn),
            (actions.nudge_up, lambda: handling.nudge(-1)),
            (actions.nudge_down, lambda: handling.nudge(1)),
            (actions.turn_left, lambda: handling.turn(TURN_STEP_DEG)),
            (actions.turn_right, lambda: handling.turn(-TURN_STEP_DEG)),
            (actions.turn, self.turn_popup.ask),
        ):
            action.triggered.connect(lambda _=False, do=do: do())
        for view in (window.page_view.canvas, self.strip, window.set_aside):
            view.menu_wanted.connect(self._show_menu)
        window.set_aside.wanted_back.connect(handling.bring_back)
        workspace = window.workspace
        for signal in (
            workspace.case_changed,
            workspace.arrangement_changed,
            workspace.page_changed,
            workspace.selection_changed,
            handling.cut_changed,
        ):
            signal.connect(self.refresh)
        for signal in (workspace.selection_changed, workspace.arrangement_changed):
            signal.connect(lambda: window.set_aside.choose(workspace.selection.shreds))
        self.refresh()

    def refresh(self) -> None:
        """Enable the actions that make sense."""
        actions, handling, workspace = self._window.commands, self.handling, self._window.workspace
        placed, aside = handling.chosen_on_pages, handling.chosen_aside
        for action in (
            actions.move_left,
            actions.move_right,
            actions.set_aside,
            actions.nudge_up,
            actions.nudge_down,
            actions.begin_page,
        ):
            action.setEnabled(bool(placed))
        for action in (actions.cut, actions.to_new_page, actions.half_turn, actions.turn_left, actions.turn_right):
            action.setEnabled(bool(placed or aside))
        actions.turn.setEnabled(bool(placed or aside))
        actions.bring_back.setEnabled(bool(aside))
        for action in (actions.paste, actions.paste_before):
            action.setEnabled(bool(handling.cut))
        actions.choose_page.setEnabled(workspace.n_pages > 0)
        actions.merge_pages.setEnabled(workspace.page + 1 < workspace.n_pages)
        actions.to_previous_page.setEnabled(bool(placed) and workspace.n_pages > 1)
        actions.to_next_page.setEnabled(bool(placed) and workspace.n_pages > 1)

    def _choose_page(self) -> None:
        workspace = self._window.workspace
        if workspace.case is not None and workspace.n_pages:
            workspace.select_shreds(workspace.case.arrangement.pages[workspace.page], workspace.selection.shred)

    def _show_menu(self, at: QPoint) -> None:
        if self._window.workspace.case is not None:
            self.menu.popup(at)
