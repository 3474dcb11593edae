"""Going from page to page, to one by its number, and from one doubtful join to the next."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QInputDialog

from app.reasons import allow, first_reason, unless, unless_first, unless_last, unless_page
from app.shell import Shell
from app.table.page_model import PageModel
from core.arrangement.arrangement import Pair

_MESSAGE_MS = 8000


class Going(QObject):
    """Goes to what is asked for, on the page and on the light table alike.

    Parameters
    ----------
    shell : Shell
        The window.
    model : PageModel
        Knows which pages the filters hide.
    """

    went = Signal()
    """Another page was gone to, or the same."""

    def __init__(self, shell: Shell, model: PageModel) -> None:
        super().__init__(shell.parent)
        self._shell, self._document, self._model = shell, shell.session.document, model
        actions, document = shell.actions, self._document
        actions.go_to_page.triggered.connect(self.ask_page)
        actions.next_doubtful.triggered.connect(lambda: self.step_doubtful(1))
        actions.previous_doubtful.triggered.connect(lambda: self.step_doubtful(-1))
        for action, turn in (
            (actions.previous_page, lambda: self.before[-1]),
            (actions.next_page, lambda: self.behind[0]),
            (actions.first_page, lambda: self.before[0]),
            (actions.last_page, lambda: self.behind[-1]),
        ):
            action.triggered.connect(lambda _=False, turn=turn: document.show_page(turn()))
        for signal in (document.case_changed, document.arrangement_changed, document.page_changed, model.modelReset):
            signal.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        actions, page, n_pages = self._shell.actions, self._document.page, self._document.n_pages
        no_page = unless_page(self._document.case, n_pages)
        first = unless(self.before, self.tr("No page before this one passes the filter of the light table."))
        last = unless(self.behind, self.tr("No page after this one passes the filter of the light table."))
        allow(no_page, actions.go_to_page, actions.next_doubtful, actions.previous_doubtful)
        allow(first_reason(no_page, unless_first(page), first), actions.previous_page, actions.first_page)
        allow(first_reason(no_page, unless_last(page, n_pages), last), actions.next_page, actions.last_page)

    @property
    def before(self) -> Sequence[int]:
        """The pages before the one that is shown, but those that the filters hide."""
        pages = self._pages
        return pages[: bisect_left(pages, self._document.page)]

    @property
    def behind(self) -> Sequence[int]:
        """The pages behind the one that is shown, but those that the filters hide."""
        pages = self._pages
        return pages[bisect_right(pages, self._document.page) :]

    @property
    def _pages(self) -> Sequence[int]:
        return self._model.pages if self._model.filtered else range(self._document.n_pages)

    def ask_page(self) -> None:
        """Ask for the number of a page, and show it."""
        document = self._document
        dialog = QInputDialog(self._shell.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Go to Page"))
        dialog.setLabelText(self.tr("Page, 1 to {n}:").format(n=document.n_pages))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(1, document.n_pages)
        dialog.setIntValue(document.page + 1)
        dialog.setOkButtonText(self.tr("&Go"))
        dialog.intValueSelected.connect(self.go_to)
        dialog.open()

    def go_to(self, number: int) -> None:
        """Show a page by its number, counted from 1."""
        self._document.show_page(number - 1)
        self.went.emit()

    def doubtful(self) -> list[Pair]:
        """List the doubtful joins that nothing was said of, as they stand; of rows both ways."""
        case = self._document.case
        if case is None:
            return []
        now = case.arrangement
        beside = [(join.left, join.right) for join in case.doubtful_joins]
        beside = [pair for pair in beside if now.state(*pair) == "suggested"]
        below = [join.pair for join in case.doubtful_below if now.state_below(*join.pair) == "suggested"]
        return sorted([*beside, *below], key=lambda pair: now.places[pair[1]]) if below else beside

    def step_doubtful(self, by: int) -> None:
        """Choose the next doubtful join (1) or the one before (-1), from the chosen shred on; around the ends."""
        document, joins = self._document, self.doubtful()
        if document.case is None or not joins:
            self._shell.status_bar.showMessage(self.tr("No join is doubtful."), _MESSAGE_MS)
            return
        places = document.case.arrangement.places
        here = places.get(document.selection.shred, (document.page, -1 if by > 0 else 0))
        if by > 0:
            pair = next((pair for pair in joins if places[pair[1]] > here), joins[0])
        else:
            pair = next((pair for pair in reversed(joins) if places[pair[1]] < here), joins[-1])
        document.select_shreds(pair, pair[1])
        document.show_shred(pair[1])
        self.went.emit()
