"""The pages in the window, put together: shown, and edited by hand wherever that makes sense."""

from PySide6.QtCore import QObject, QPoint, QRectF
from PySide6.QtWidgets import QLabel, QMenu

from app.menus import fill_shred_menu
from app.pages.carried import Carried
from app.pages.dragging import ShredDrag
from app.pages.finder import Finder
from app.pages.order_strip import OrderStrip
from app.pages.page_editor import PageEditor
from app.pages.page_view import PageView
from app.pages.shred_operations import ShredOperations
from app.pages.tray import Tray
from app.pages.turn_popup import TurnPopup
from app.reasons import allow, first_reason, unless, unless_case, unless_chosen, unless_last, unless_page
from app.session.pictures import PageLook, Picture
from app.shell import Shell
from app.widgets.controls import build

TURN_STEP_DEG = 0.1


class Pages(QObject):
    """Owns the views of pages and of the order, and what editing by hand needs.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._shell, self._document, self._pictures = shell, shell.session.document, shell.session.pictures
        self._page_shown: int | None = None
        self._look_shown: PageLook | None = None
        self._paused = False
        document = self._document
        self.view = PageView()
        self.label = QLabel()
        """Says which page is shown."""
        self.operations = ShredOperations(document, shell.session.editor)
        self.drag = ShredDrag(shell.parent, self.operations)
        self.strip = OrderStrip(document, shell.session.jobs, self.operations, self.drag)
        self.carried = Carried(self.view.canvas, document, self.drag, self.strip.picture)
        self.page_editor = PageEditor(self.view.canvas, document, self.operations, self.drag)
        self.turn_popup = TurnPopup(shell.parent, self.operations)
        self.finder = Finder(shell, self.view)
        self.menu = build(QMenu, shell.parent, toolTipsVisible=True)
        self.tray = Tray(document, self.drag)
        fill_shred_menu(shell.actions, self.menu)
        self._connect_actions()
        self._follow_views()
        self._follow_document()
        self.refresh()

    def _connect_actions(self) -> None:
        actions, operations = self._shell.actions, self.operations
        for action, do in (
            (actions.cut, operations.cut_chosen),
            (actions.paste, operations.paste),
            (actions.paste_before, lambda: operations.paste(after=False)),
            (actions.choose_page, self._choose_page),
            (actions.move_left, lambda: operations.move_by(-1)),
            (actions.move_right, lambda: operations.move_by(1)),
            (actions.to_previous_page, lambda: operations.move_to_page(-1)),
            (actions.to_next_page, lambda: operations.move_to_page(1)),
            (actions.to_new_page, operations.move_to_new_page),
            (actions.begin_page, operations.begin_page),
            (actions.merge_pages, operations.merge_pages),
            (actions.turn_page, operations.turn_page),
            (actions.set_aside, operations.set_aside),
            (actions.bring_back, operations.bring_back),
            (actions.half_turn, operations.half_turn),
            (actions.pin, operations.pin),
            (actions.nudge_up, lambda: operations.nudge(-1)),
            (actions.nudge_down, lambda: operations.nudge(1)),
            (actions.turn_left, lambda: operations.turn(TURN_STEP_DEG)),
            (actions.turn_right, lambda: operations.turn(-TURN_STEP_DEG)),
            (actions.turn, self.turn_popup.ask),
        ):
            action.triggered.connect(lambda _=False, do=do: do())
        reads = self._shell.settings.reading_page()
        self._document.show_rendition("reading" if reads else "evidence")
        actions.reading_page.setChecked(reads)
        actions.reading_page.toggled.connect(self._choose_rendition)

    def _choose_rendition(self, reading: bool) -> None:
        self._shell.settings.set_reading_page(reading)
        self._document.show_rendition("reading" if reading else "evidence")

    def _follow_views(self) -> None:
        for view in (self.view.canvas, self.strip, self.tray):
            view.menu_wanted.connect(self._show_menu)
        self.tray.wanted_back.connect(self.operations.bring_back)
        self.tray.shred_chosen.connect(self._document.select_shred)
        self.view.canvas.shred_chosen.connect(self._document.select_shred)

    def _follow_document(self) -> None:
        document = self._document
        document.case_changed.connect(self._show_case)
        document.arrangement_changed.connect(self._show_arrangement)
        document.page_changed.connect(self._show_page)
        document.rendition_changed.connect(self._show_page)
        self._pictures.ready.connect(lambda key: self._show_page() if key[0] == "page" else None)
        changes = document.case_changed, document.arrangement_changed, document.page_changed
        for signal in (*changes, document.selection_changed, self.operations.cut_changed):
            signal.connect(self.refresh)
        for signal in (document.case_changed, document.arrangement_changed, self._shell.session.editor.compared):
            signal.connect(self.drag.forget)
        for signal in (document.selection_changed, document.arrangement_changed):
            signal.connect(lambda: self.tray.choose(document.selection.shreds))

    # What is shown

    def pause(self, on: bool) -> None:
        """Compose no pages while something else stands in their place; then show the one that is to be shown."""
        self._paused = on
        self._show_page()

    def _show_case(self) -> None:
        self._page_shown = self._look_shown = None
        self.tray.set_case(self._document.case)
        if self._document.case is None:
            self.view.clear()
        else:
            self._show_page()
            self.view.canvas.setFocus()

    def _show_arrangement(self) -> None:
        self._mark_noted()
        self.tray.set_case(self._document.case)
        self._show_page()

    def _show_page(self) -> None:
        document, pictures = self._document, self._pictures
        if self._paused and document.n_pages:
            return
        # An edited page is shown as it was until it has been composed anew; another one first as a draft, and alone:
        # composed beside it, the page itself would only delay it.
        draft = None if self._page_shown == document.page else pictures.draft(document.page)
        picture = None if self._page_shown != document.page and draft is None else pictures.page(document.page)
        if document.n_pages == 0:
            self.view.clear()
        elif picture is not None:
            self._show_picture(picture)
            pictures.page(document.page + 1)  # so that it is there when it is turned to
        elif draft is not None:
            self._show_picture(draft)
        elif self._page_shown != document.page:
            self.view.wait()
        self._tell_rendition()

    def _show_picture(self, picture: Picture) -> None:
        document = self._document
        assert document.case is not None
        anew = self._page_shown == document.page
        self.view.set_page(picture, document.case.joins, edited=anew)
        self.page_editor.shown()
        self._mark_noted()
        self._page_shown, self._look_shown = document.page, picture.look
        self.finder.page_shown(edited=anew)

    def _mark_noted(self) -> None:
        """Mark what was said of shreds."""
        if self._document.case is not None:
            arrangement = self._document.case.arrangement
            self.view.ruler.set_pinned(arrangement.pinned)
            self.view.canvas.mark_noted(arrangement.notes, arrangement.half_turned)

    def place_key(self, area: QRectF) -> str:
        """Return what a note about an area of the page is about; "" where no shred lies."""
        case = self._document.case
        return self.view.canvas.place_key(area, case.arrangement.half_turned) if case is not None else ""

    def _tell_rendition(self) -> None:
        """Say beside the number of the page what is shown of it."""
        case, shown = self._document.case, self._look_shown
        texts = {"evidence": self.tr("Evidence page"), "reading": self.tr("Reading copy")}
        text = texts[self._document.rendition if shown is None else shown.rendition]
        if case is not None and case.options.composition.level and shown is not None and shown == shown.draft:
            text = self.tr("Draft")
        self._shell.actions.reading_page.setIconText(text)

    def _choose_page(self) -> None:
        document = self._document
        if document.case is not None and document.n_pages:
            document.select_shreds(document.case.arrangement.pages[document.page], document.selection.shred)

    def _show_menu(self, at: QPoint) -> None:
        if self._document.case is not None:
            self.menu.popup(at)

    # What makes sense

    def refresh(self) -> None:
        """Allow the actions that make sense, and say which page is shown."""
        actions, operations, document = self._shell.actions, self.operations, self._document
        has_case, page, n_pages = document.case is not None, document.page, document.n_pages
        no_case, no_page = unless_case(has_case), unless_page(has_case, n_pages)
        not_placed = first_reason(no_page, unless_chosen(operations.chosen_on_pages))
        not_chosen = first_reason(no_case, unless_chosen(operations.chosen))
        not_aside = unless(operations.chosen_aside, self.tr("Choose a shred in the tray first."))
        not_cut = unless(operations.cut, self.tr("Nothing has been cut."))
        one_page = unless(n_pages > 1, self.tr("There is only one page."))
        moves, nudges = [actions.move_left, actions.move_right], [actions.nudge_up, actions.nudge_down]
        turns = [actions.half_turn, actions.turn_left, actions.turn_right, actions.turn]
        allow(not_placed, *moves, actions.set_aside, *nudges, actions.begin_page, actions.pin)
        allow(not_chosen, actions.cut, actions.to_new_page, *turns)
        allow(first_reason(no_case, not_aside), actions.bring_back)
        allow(first_reason(no_case, not_cut), actions.paste, actions.paste_before)
        allow(no_page, actions.choose_page, actions.turn_page, actions.copy_text)
        allow(no_page, actions.find, actions.find_next, actions.find_previous)
        allow(first_reason(not_placed, one_page), actions.to_previous_page, actions.to_next_page)
        allow(first_reason(no_page, unless_last(page, n_pages)), actions.merge_pages)
        allow(no_case, actions.reading_page)
        for action in (actions.previous_page, actions.next_page, actions.reading_page):
            action.setVisible(has_case)
        rows = document.case is not None and bool(document.case.arrangement.grid_places)
        text = self.tr("Row {page} of {n}") if rows else self.tr("Page {page} of {n}")
        self.label.setText(text.format(page=page + 1, n=n_pages) if has_case else "")
        name = None if document.case is None or not n_pages else document.case.arrangement.page_mark("page_names", page)
        self.label.setToolTip(name or "")
