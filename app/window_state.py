"""What follows from what is open: which actions make sense, what is in the middle, the title, the page's number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app import resources, wording

if TYPE_CHECKING:
    from app.main_window import MainWindow


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
        actions.sample.setVisible(bool(resources.sample_paths()))
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
