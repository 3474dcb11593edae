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
        self.cut = make(tr("Cu&t"), "", tr("Take the chosen shreds along; they stay until they are pasted"), Key.Cut)
        self.paste = make(tr("&Paste After"), "", tr("Put what was cut behind the current shred"), Key.Paste)
        self.paste_before = make(
            tr("Paste &Before"), "", tr("Put what was cut in front of the current shred"), "Ctrl+Shift+V"
        )
        self.choose_page = make(tr("Choose the Whole Pa&ge"), "", tr("Choose all shreds of the page"), Key.SelectAll)
        self.move_left = make(tr("Move &Left"), "", tr("Move the chosen shreds to the left"), "Ctrl+Left")
        self.move_right = make(tr("Move &Right"), "", tr("Move the chosen shreds to the right"), "Ctrl+Right")
        self.to_previous_page = make(
            tr("To the Page Be&fore"), "", tr("Move the chosen shreds to the end of the page before"), "Ctrl+PgUp"
        )
        self.to_next_page = make(
            tr("To the Page Aft&er"), "", tr("Move the chosen shreds to the beginning of the page after"), "Ctrl+PgDown"
        )
        self.to_new_page = make(
            tr("To a &New Page"), "", tr("Move the chosen shreds to a page of their own"), "Ctrl+Shift+N"
        )
        self.begin_page = make(
            tr("Page &Starts Here"), "", tr("Begin a page with the current shred"), "Ctrl+Return", "Ctrl+Enter"
        )
        self.merge_pages = make(tr("&Merge with Next Page"), "", tr("Append the next page to this one"), "Ctrl+M")
        self.set_aside = make(tr("Set &Aside"), "", tr("Take the chosen shreds off the page"), Key.Delete)
        self.bring_back = make(
            tr("Bring Bac&k"), "", tr("Put the chosen shreds from the tray at the end of the page"), "Ins"
        )
        self.half_turn = make(tr("&Half-Turn"), "", tr("Turn the chosen shreds upside down"), "H")
        self.nudge_up = make(tr("Nudge &Up"), "", tr("Move the chosen shreds up by a pixel of the scan"), "Alt+Up")
        self.nudge_down = make(tr("Nudge &Down"), "", tr("Move the chosen shreds down by a pixel"), "Alt+Down")
        self.turn_left = make(tr("Turn by 0.&1° to the Left"), "", tr("Turn counter-clockwise a little"), "Alt+Left")
        self.turn_right = make(tr("Turn by 0.1° to the R&ight"), "", tr("Turn clockwise a little"), "Alt+Right")
        self.turn = make(tr("Turn b&y an Angle…"), "", tr("Turn the current shred, and see it turn"), "Ctrl+T")
        self.confirm = make(tr("&Confirm Join"), "", tr("These two belong together; again takes it back"), "Y")
        self.forbid = make(tr("&Forbid Join"), "", tr("These two do not belong together; again takes it back"), "N")
        self.confirm.setCheckable(True)
        self.forbid.setCheckable(True)
        self.solve_again = make(
            tr("&Solve Again"), "", tr("Find the order that keeps to everything said and done"), "Ctrl+R"
        )
        self.note = make(tr("&Note…"), "", tr("Write a note about the join, the shred, or the case"), "Ctrl+K")
        self.examiner = make(tr("E&xaminer…"), "", tr("The name that stands beside every step of the history"), "Ctrl+I")
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
        self.loupe = make(tr("&Loupe"), "", tr("Enlarge what is under the pointer"), "L")
        self.loupe.setCheckable(True)
        self.larger_thumbnails = make(
            tr("La&rger Thumbnails"), "", tr("Enlarge the sheets in their list"), "Ctrl+Alt+="
        )
        self.smaller_thumbnails = make(
            tr("S&maller Thumbnails"), "", tr("Reduce the sheets in their list"), "Ctrl+Alt+-"
        )
        self.shortcuts = make(tr("&Keyboard and Mouse"), "", tr("All keys, and what the mouse does; with search"), "F1")
        self.about = make(tr("&About Rejoin"), "", tr("Version and method"), "Ctrl+F1")
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
