"""Going to a page by its number, and from one doubtful join to the next."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QInputDialog

from app.reasons import allow, unless_case
from app.shell import Shell
from core.arrangement.arrangement import Pair
from core.matching.confidence import DOUBTFUL

_MESSAGE_MS = 8000


class Going(QObject):
    """Goes to what is asked for, on the page and on the light table alike.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    went = Signal()
    """Another page was gone to, or the same."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._shell, self._document = shell, shell.session.document
        actions, document = shell.actions, self._document
        actions.go_to_page.triggered.connect(self.ask_page)
        actions.next_doubtful.triggered.connect(lambda: self.step_doubtful(1))
        actions.previous_doubtful.triggered.connect(lambda: self.step_doubtful(-1))
        for signal in (document.case_changed, document.arrangement_changed):
            signal.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        actions, no_page = self._shell.actions, unless_case(self._document.n_pages)
        allow(no_page, actions.go_to_page, actions.next_doubtful, actions.previous_doubtful)

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
        """List the doubtful joins that nothing was said of, as they stand."""
        case = self._document.case
        if case is None:
            return []
        joins = ((join.left, join.right) for join in case.joins if join.confidence < DOUBTFUL)
        return [pair for pair in joins if case.arrangement.state(*pair) == "suggested"]

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
