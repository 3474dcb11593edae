"""Every action of the window: its text, shortcut, tooltip and icon, in one table."""

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app import theme

Key = QKeySequence.StandardKey


class Actions:
    """The actions by name; menus, tool bar and shortcuts share them."""

    def __init__(self, window: QWidget) -> None:
        tr: Callable[[str], str] = window.tr
        self._window = window
        self._icons: dict[QAction, str] = {}
        make = self._make
        self.open = make(tr("&Open Sheets…"), "open", tr("Open scans of shreds"), Key.Open)
        self.open_folder = make(tr("Open &Folder…"), "", tr("Open a folder of scans"), "Ctrl+Shift+O")
        self.add = make(tr("&Add Sheets…"), "add", tr("Reconstruct more scans together with these"), "Ctrl+Shift+A")
        self.sample = make(
            tr("Open the &Sample"), "", tr("Reconstruct two sheets that come with Rejoin"), "Ctrl+Shift+E"
        )
        self.again = make(tr("&Reconstruct Again"), "again", tr("Read the same files again and reconstruct"), "F5")
        self.cancel = make(tr("&Cancel"), "cancel", tr("Stop the work"), "Esc")
        self.export = make(tr("&Export Pages…"), "export", tr("Write the pages to a PDF, TIFF or PNG file"), "Ctrl+E")
        self.save = make(tr("&Save Case"), "", tr("Save the case with everything set by hand"), Key.Save)
        self.save_as = make(tr("Save Case &As…"), "", tr("Save the case to another file"), "Ctrl+Shift+S")
        self.undo = make(tr("&Undo"), "", tr("Take the last step back"), Key.Undo)
        self.redo = make(tr("&Redo"), "", tr("Do the step again"), "Ctrl+Shift+Z", "Ctrl+Y")
        self.quit = make(tr("&Quit"), "", tr("Close Rejoin"), "Ctrl+Q")
        self.clear_recent = make(tr("&Clear This List"), "", tr("Forget what was opened"))
        self.zoom_in = make(tr("Zoom &In"), "zoom-in", tr("Enlarge"), Key.ZoomIn, "Ctrl+=", "+", "=")
        self.zoom_out = make(tr("Zoom &Out"), "zoom-out", tr("Reduce"), Key.ZoomOut, "-")
        self.fit = make(tr("&Fit"), "fit", tr("Show the whole picture"), "Ctrl+0", "0")
        self.actual_size = make(tr("&Actual Size"), "actual-size", tr("Show every pixel of the scan"), "Ctrl+1", "1")
        self.previous_page = make(tr("&Previous Page"), "previous", tr("Show the page before"), "PgUp")
        self.next_page = make(tr("&Next Page"), "next", tr("Show the page after"), "PgDown")
        self.first_page = make(tr("F&irst Page"), "", tr("Show the first page"), "Ctrl+Home")
        self.last_page = make(tr("&Last Page"), "", tr("Show the last page"), "Ctrl+End")
        self.log = make(tr("Show &Log File"), "", tr("Open the folder with the log file"), "Ctrl+Shift+L")
        self.about = make(tr("&About Rejoin"), "", tr("Version and method"), "F1")
        self.refresh_icons()

    def _make(self, text: str, icon: str, tip: str, *shortcuts: str | Key) -> QAction:
        action = QAction(text, self._window)
        sequences = [sequence for shortcut in shortcuts for sequence in _sequences(shortcut)]
        action.setShortcuts(list(dict.fromkeys(sequences)))
        shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({shown})" if shown else tip)
        action.setStatusTip(tip)
        self._window.addAction(action)
        if icon:
            self._icons[action] = icon
        return action

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the theme."""
        for action, name in self._icons.items():
            action.setIcon(theme.icon(name))


def _sequences(shortcut: str | Key) -> list[QKeySequence]:
    return [QKeySequence(shortcut)] if isinstance(shortcut, str) else QKeySequence.keyBindings(shortcut)
