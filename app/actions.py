"""Every action of the window in one table, with its text, shortcut, tooltip and icon; and the tool bar made of them."""

from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QSizePolicy, QToolBar, QToolButton, QWidget

from app import theme
from app.wording import translate

Key = QKeySequence.StandardKey

_ROOM_FOR_WORDS_PX = 1160


class Actions(QObject):
    """The actions by name; menus, tool bar and shortcuts share them."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._icons: dict[QAction, str] = {}
        self._drawn_in: theme.Colours | None = None
        make = self._make
        self.open = make(self.tr("&Open Sheets…"), self.tr("Open scans of shreds"), Key.Open, icon="open")
        self.open_folder = make(self.tr("Open &Folder…"), self.tr("Open a folder of scans"), "Ctrl+Shift+O")
        self.add = make(self.tr("A&dd Sheets…"), self.tr("Add more scans to these"), "Ctrl+Shift+A", icon="add")
        self.sample = make(
            self.tr("Open the Sa&mple"), self.tr("Reconstruct two sheets that come with Rejoin"), "Ctrl+Shift+E"
        )
        self.again = make(
            self.tr("Reconstruct A&gain"), self.tr("Read the same files again and reconstruct"), "F5", icon="again"
        )
        self.cancel = make(self.tr("&Cancel"), self.tr("Stop the work"), "Esc", icon="cancel")
        pause_tip = self.tr("Let the work stand still for a while; other programs have the machine then")
        self.pause = make(self.tr("Pa&use"), pause_tip, "Pause")
        self.pause.setCheckable(True)
        self.export = make(
            self.tr("&Export Pages…"), self.tr("Write the pages to a PDF, TIFF or PNG file"), "Ctrl+E", icon="export"
        )
        self.export_folder = make(
            self.tr("Export as Fo&lder…"),
            self.tr("Write pages, the order as a table and each shred as files for other programs"),
            "Ctrl+Alt+E",
        )
        self.report = make(
            self.tr("Re&port…"), self.tr("Write all that another examiner needs to judge and repeat this"), "Ctrl+P"
        )
        self.save = make(self.tr("&Save Case"), self.tr("Save the case with everything set by hand"), Key.Save)
        self.save_as = make(self.tr("Save Case &As…"), self.tr("Save the case to another file"), "Ctrl+Shift+S")
        self.save_packed = make(
            self.tr("Save with S&heets…"),
            self.tr("Save the case with the scans packed inside, byte by byte: one file holds all"),
            "Ctrl+Alt+S",
        )
        self.verify = make(
            self.tr("&Verify Case…"),
            self.tr("See whether anything was altered, and whether the history leads from the sheets to these pages"),
            "F4",
        )
        self.undo = make(self.tr("&Undo"), self.tr("Take the last step back"), Key.Undo)
        self.redo = make(self.tr("&Redo"), self.tr("Do the step again"), "Ctrl+Shift+Z", "Ctrl+Y")
        self.cut = make(
            self.tr("Cu&t"), self.tr("Take the chosen shreds along; they stay until they are pasted"), Key.Cut
        )
        self.paste = make(self.tr("&Paste After"), self.tr("Put what was cut behind the current shred"), Key.Paste)
        self.paste_before = make(
            self.tr("Paste &Before"), self.tr("Put what was cut in front of the current shred"), "Ctrl+Shift+V"
        )
        self.choose_page = make(
            self.tr("Choose the Whole Pa&ge"), self.tr("Choose all shreds of the page"), Key.SelectAll
        )
        self.find = make(self.tr("&Find…"), self.tr("Find words, shreds, sheets, pages and notes"), "Ctrl+F")
        self.find_next = make(self.tr("Find Ne&xt"), self.tr("Go to the next place where they stand"), "F3")
        self.find_previous = make(
            self.tr("Find Pre&vious"), self.tr("Go to the place before where they stand"), "Shift+F3"
        )
        self.copy_text = make(
            self.tr("Cop&y Text of This Page"), self.tr("Copy what is read on the page shown"), "Ctrl+Shift+C"
        )
        self.move_left = make(self.tr("Move &Left"), self.tr("Move the chosen shreds to the left"), "Ctrl+Left")
        self.move_right = make(self.tr("Move &Right"), self.tr("Move the chosen shreds to the right"), "Ctrl+Right")
        self.to_previous_page = make(
            self.tr("To the Page Be&fore"), self.tr("Move the chosen shreds to the end of the page before"), "Ctrl+PgUp"
        )
        self.to_next_page = make(
            self.tr("To the Page Aft&er"),
            self.tr("Move the chosen shreds to the beginning of the page after"),
            "Ctrl+PgDown",
        )
        self.to_new_page = make(
            self.tr("To a &New Page"), self.tr("Move the chosen shreds to a page of their own"), "Ctrl+Shift+N"
        )
        self.begin_page = make(
            self.tr("Page &Starts Here"), self.tr("Begin a page with the current shred"), "Ctrl+Return", "Ctrl+Enter"
        )
        self.merge_pages = make(self.tr("&Merge with Next Page"), self.tr("Append the next page to this one"), "Ctrl+M")
        self.set_aside = make(self.tr("Set &Aside"), self.tr("Take the chosen shreds off the page"), "Del")
        self.bring_back = make(
            self.tr("Bring Bac&k"), self.tr("Put the chosen shreds from the tray at the end of the page"), "Ins"
        )
        self.mend = make(
            self.tr("Men&d on the Sheet…"), self.tr("Split, merge or redraw what was found on a sheet"), "Ctrl+D"
        )
        self.withdraw = make(
            self.tr("&Withdraw Sheet…"),
            self.tr("Use nothing of the chosen sheet; again takes it back in"),
            "Ctrl+Shift+X",
        )
        self.withdraw.setCheckable(True)
        self.lay_on_desk = make(
            self.tr("&Lay on the Desk"), self.tr("Lay the chosen shreds on the desk, to try them there"), "Ctrl+L"
        )
        self.half_turn = make(self.tr("&Half-Turn"), self.tr("Turn the chosen shreds upside down"), "H")
        self.nudge_up = make(
            self.tr("Nudge &Up"), self.tr("Move the chosen shreds up by a pixel of the scan"), "Alt+Up"
        )
        self.nudge_down = make(self.tr("Nudge &Down"), self.tr("Move the chosen shreds down by a pixel"), "Alt+Down")
        self.turn_left = make(
            self.tr("Turn by 0.&1° to the Left"), self.tr("Turn counter-clockwise a little"), "Alt+Left"
        )
        self.turn_right = make(self.tr("Turn by 0.1° to the R&ight"), self.tr("Turn clockwise a little"), "Alt+Right")
        self.turn_page = make(
            self.tr("Turn Page by a &Quarter"), self.tr("Turn the page by a quarter, counter-clockwise"), "Ctrl+Shift+T"
        )
        self.turn_over = make(
            self.tr("Turn Page Ov&er"), self.tr("Show what is on the other face of the page's paper"), "V"
        )
        self.turn_chosen_over = make(
            self.tr("Turn Shreds O&ver"), self.tr("Show what is on the other face of the chosen shreds"), "Shift+V"
        )
        self.turn = make(self.tr("Turn b&y an Angle…"), self.tr("Turn the current shred, and see it turn"), "Ctrl+T")
        self.confirm = make(self.tr("&Confirm Join"), self.tr("These two belong together; again takes it back"), "Y")
        self.forbid = make(
            self.tr("&Forbid Join"), self.tr("These two do not belong together; again takes it back"), "N"
        )
        self.confirm_below = make(
            self.tr("Confirm Belo&w"),
            self.tr("The chosen piece and the one directly below it belong together; again takes it back"),
            "Shift+Y",
        )
        self.forbid_below = make(
            self.tr("Forbi&d Below"),
            self.tr("The piece directly below the chosen one does not belong there; again takes it back"),
            "Shift+N",
        )
        self.row_up = make(self.tr("Row &Up"), self.tr("Move the row past the one above it"), "Ctrl+Up")
        self.row_down = make(self.tr("Row &Down"), self.tr("Move the row past the one below it"), "Ctrl+Down")
        self.row_left = make(
            self.tr("Row &to the Left"), self.tr("Move the row to the left by a piece"), "Ctrl+Shift+Left"
        )
        self.row_right = make(
            self.tr("Row t&o the Right"), self.tr("Move the row to the right by a piece"), "Ctrl+Shift+Right"
        )
        self.row_alone = make(
            self.tr("Row to a Pa&ge of Its Own"),
            self.tr("Take the row off its page, to stand by itself"),
            "Ctrl+Shift+Up",
        )
        self.row_turned = make(self.tr("Row Upside Do&wn"), self.tr("Turn the row as a whole upside down"), "Shift+H")
        self.release = make(
            self.tr("&Release Join"),
            self.tr("Take back what was said of it, or that it was made by hand; of a pinned shred, its pin"),
            "Ctrl+Shift+Y",
        )
        self.pin = make(
            self.tr("P&in to Its Page"),
            self.tr(
                "Solving again leaves the chosen shreds on their page, whatever their neighbours; again releases them"
            ),
            "Ctrl+Shift+P",
        )
        self.solve_again = make(
            self.tr("&Solve Again"), self.tr("Find the order that keeps to everything said and done"), "Ctrl+R"
        )
        self.note = make(self.tr("&Note…"), self.tr("Write a note about the join, the shred, or the case"), "Ctrl+K")
        self.details = make(
            self.tr("Case De&tails…"), self.tr("Number, exhibit, laboratory, examiner: for title and report"), "Ctrl+I"
        )
        self.quit = make(self.tr("&Quit"), self.tr("Close Rejoin"), "Ctrl+Q")
        self.clear_recent = make(self.tr("&Clear This List"), self.tr("Forget what was opened"))
        self.zoom_in = make(self.tr("Zoom &In"), self.tr("Enlarge"), Key.ZoomIn, "Ctrl+=", "+", "=", icon="zoom-in")
        self.zoom_out = make(self.tr("Zoom &Out"), self.tr("Reduce"), Key.ZoomOut, "-", icon="zoom-out")
        self.fit = make(self.tr("&Fit"), self.tr("Show the whole picture"), "Ctrl+0", "0", icon="fit")
        self.actual_size = make(
            self.tr("&Actual Size"), self.tr("Show every pixel of the scan"), "Ctrl+1", "1", icon="actual-size"
        )
        self.previous_page = make(self.tr("&Previous Page"), self.tr("Show the page before"), "PgUp", icon="previous")
        self.next_page = make(self.tr("Ne&xt Page"), self.tr("Show the page after"), "PgDown", icon="next")
        self.first_page = make(self.tr("F&irst Page"), self.tr("Show the first page"), "Ctrl+Home")
        self.last_page = make(self.tr("&Last Page"), self.tr("Show the last page"), "Ctrl+End")
        self.reading_page = make(
            self.tr("Reading &Page"),
            self.tr("Show pages as they read best, rims of cuts over one another; again shows the evidence"),
            "R",
        )
        self.table = make(
            self.tr("Light &Table"),
            self.tr("Show all pages side by side; again shows one by itself"),
            "G",
            icon="table",
        )
        self.go_to_page = make(self.tr("&Go to Page…"), self.tr("Show a page by its number"), "P")
        self.next_doubtful = make(
            self.tr("Next Doubtful &Join"), self.tr("Choose the next join that is doubtful and not answered"), "J"
        )
        self.previous_doubtful = make(
            self.tr("Previous Doubtf&ul Join"), self.tr("Choose the doubtful join before"), "Shift+J"
        )
        self.only_doubtful = make(self.tr("D&oubtful"), self.tr("Show only pages with a doubtful join"), "Alt+5")
        self.only_wide = make(self.tr("Too &Wide"), self.tr("Show only pages that are wider than paper"), "Alt+6")
        self.only_edited = make(self.tr("&Edited"), self.tr("Show only pages that were changed by hand"), "Alt+7")
        self.only_new = make(
            self.tr("Not Re&viewed"), self.tr("Show only pages that are new, or were changed since"), "Alt+8"
        )
        self.name_page = make(self.tr("&Name…"), self.tr("Give the page a name"), "F2")
        self.group_pages = make(
            self.tr("&Document…"), self.tr("Say to which document the chosen pages belong"), "Ctrl+Shift+G"
        )
        self.page_new = make(self.tr("New &Again"), self.tr("The chosen pages are still to be looked at"), "Alt+1")
        self.page_reviewed = make(self.tr("&Reviewed"), self.tr("The chosen pages have been looked at"), "Alt+2")
        self.page_done = make(self.tr("D&one"), self.tr("Nothing is left to do on the chosen pages"), "Alt+3")
        self.page_earlier = make(
            self.tr("Move &Earlier"),
            self.tr("Move the chosen pages before the one in front of them"),
            "Ctrl+Shift+PgUp",
        )
        self.page_later = make(
            self.tr("Mo&ve Later"), self.tr("Move the chosen pages behind the one after them"), "Ctrl+Shift+PgDown"
        )
        self.fit_width = make(self.tr("Fit &Width"), self.tr("Show the whole width of the picture"), "Ctrl+2")
        self.measure = make(
            self.tr("Meas&ure"), self.tr("Drag a line: its length in millimetres and its slope; Esc ends it"), "M"
        )
        self.annotate = make(
            self.tr("A&nnotate…"),
            self.tr("Drag a frame over a place on the page, and write what is there: the report has both"),
            "A",
        )
        self.guide = make(
            self.tr("&Guide Lines"),
            self.tr("Drag a line along a baseline: it goes on across the picture; a click on it takes it away"),
            "U",
        )
        self.level_page = make(
            self.tr("Le&vel by Guide Line"),
            self.tr("Turn the page so that the guide line drawn last is level"),
            "Ctrl+U",
        )
        self.log = make(self.tr("Show &Log File"), self.tr("Open the folder with the log file"), "Ctrl+Shift+L")
        self.loupe = make(self.tr("&Loupe"), self.tr("Enlarge what is under the pointer"), "L")
        self.to_read = make(self.tr("To Rea&d"), self.tr("The page alone, without panels"), "Ctrl+F9")
        self.to_review = make(self.tr("To Re&view"), self.tr("The page, and beside it the questions"), "Ctrl+F10")
        self.to_correct = make(
            self.tr("To &Correct"), self.tr("The page with the order, the tray, and the source of a shred"), "Ctrl+F11"
        )
        self.larger_thumbnails = make(
            self.tr("La&rger Thumbnails"), self.tr("Enlarge the sheets in their list"), "Ctrl+Alt+="
        )
        self.smaller_thumbnails = make(
            self.tr("S&maller Thumbnails"), self.tr("Reduce the sheets in their list"), "Ctrl+Alt+-"
        )
        self.shortcuts = make(
            self.tr("&Keyboard and Mouse"), self.tr("All keys, and what the mouse does; with search"), "F1"
        )
        self.cache = make(
            self.tr("&Cache…"), self.tr("Where what was read of sheets is kept, and how much of it"), "Ctrl+Shift+K"
        )
        self.about = make(self.tr("&About Rejoin"), self.tr("Version and method"), "Ctrl+F1")
        self.filters = (self.only_doubtful, self.only_wide, self.only_edited, self.only_new)
        """They say which pages the light table shows."""
        looking = (self.loupe, self.measure, self.guide, self.annotate)
        for action in (
            self.confirm,
            self.forbid,
            self.confirm_below,
            self.forbid_below,
            *looking,
            self.reading_page,
            self.table,
            *self.filters,
        ):
            action.setCheckable(True)
        self.refresh_icons()

    def _make(self, text: str, tip: str, *shortcuts: str | Key, icon: str = "") -> QAction:
        action = QAction(text, self._window, statusTip=tip)
        sequences = [sequence for shortcut in shortcuts for sequence in _sequences(shortcut)]
        action.setShortcuts(list(dict.fromkeys(sequences)))
        shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({shown})" if shown else tip)
        self._window.addAction(action)
        if icon:
            self._icons[action] = icon
        return action

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the theme, unless they are in these already."""
        if self._drawn_in is theme.colours():
            return
        self._drawn_in = theme.colours()
        for action, name in self._icons.items():
            action.setIcon(theme.icon(name))


def _sequences(shortcut: str | Key) -> list[QKeySequence]:
    return [QKeySequence(shortcut)] if isinstance(shortcut, str) else QKeySequence.keyBindings(shortcut)


class _ToolBar(QToolBar):
    """Has no words beside icons where that leaves room for what is best done next."""

    def __init__(self, *arguments: Any, **properties: Any) -> None:
        super().__init__(*arguments, **properties)
        self.named: list[QToolButton] = []

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        style, wide = Qt.ToolButtonStyle, self.width() >= _ROOM_FOR_WORDS_PX
        for lead in self.findChildren(QToolButton, "lead"):
            lead.setMinimumWidth(290 if wide else 0)  # its text changes with every answer, and nothing beside it moves
        for button in self.named:
            button.setToolButtonStyle(style.ToolButtonTextBesideIcon if wide else style.ToolButtonIconOnly)


def build_tool_bar(window: QMainWindow, actions: Actions, page_label: QLabel, lead: QAction) -> None:
    """Build the tool bar of a window, with the label that says which page is shown, and what is best done next."""
    bar = _ToolBar(translate("menus", "Tools"), movable=False)
    bar.setObjectName("tools")
    page_label.setMinimumWidth(96)
    page_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    spacer = QWidget(sizePolicy=QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred))
    with_text = {
        actions.open: translate("menus", "Open"),
        actions.add: translate("menus", "Add"),
        actions.export: translate("menus", "Export"),
    }
    bar.addActions(list(with_text))
    bar.addSeparator()
    bar.addActions([actions.again, lead])  # where there is no room the last ones give way first
    bar.widgetForAction(lead).setObjectName("lead")
    bar.addWidget(spacer)
    bar.addActions([actions.table, actions.previous_page])
    bar.addWidget(page_label)
    bar.addActions([actions.next_page, actions.reading_page])
    bar.widgetForAction(actions.reading_page).setMinimumWidth(118)  # its text changes, too
    separator = bar.addSeparator()
    separator.setVisible(actions.next_page.isVisible())
    actions.next_page.changed.connect(lambda: separator.setVisible(actions.next_page.isVisible()))
    bar.addActions([actions.zoom_out, actions.zoom_in, actions.fit, actions.actual_size])
    for action in bar.actions():
        button = bar.widgetForAction(action)
        if isinstance(button, QToolButton):
            button.setAccessibleName(action.text().replace("&", ""))
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # menus and keys do the same: the page keeps the focus
            if action in with_text:
                action.setIconText(with_text[action])
                bar.named.append(button)
    window.addToolBar(bar)
