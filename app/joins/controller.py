"""Joins in the window, put together: answers by key, solving again, the review queue, the pair view, what is new."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsLineItem

from app import theme, wording
from app.joins.pair_view import PairView
from app.joins.review import Reviewing
from app.joins.review_panel import ReviewQueue
from app.session.solving import Joining, chosen_join

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from core.arrangement.arrangement import JoinState, Pair
    from core.arrangement.changes import Changes

_MESSAGE_MS = 8000


class JoinPanels(QObject):
    """Owns what saying something of joins needs in the window.

    Parameters
    ----------
    window : MainWindow
        With its page view, panels and actions.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, workspace = window, window.workspace
        self.joining = Joining(workspace)
        self.reviewing = Reviewing(workspace, self.joining)
        self.review_queue = ReviewQueue(workspace, self.reviewing)
        self.pair_view = PairView(workspace)
        self.new: frozenset[Pair] = frozenset()
        self._lines: list[QGraphicsLineItem] = []
        right, add = Qt.DockWidgetArea.RightDockWidgetArea, window.panels.add
        has_case = lambda: workspace.case is not None  # noqa: E731
        review_tip = self.tr("Answer questions about joins, the most useful one first")
        pair_tip = self.tr("Two shreds side by side: where they agree, and what the join costs")
        self.review_dock = add(
            "review", self.tr("Review"), self.review_queue, right, "F11", has_case, tip=review_tip, shown=False
        )
        self.pair_dock = add("pair", self.tr("Pair"), self.pair_view, right, "F12", has_case, tip=pair_tip, shown=False)

    def connect_actions(self) -> None:
        """Connect the window's actions and views, once they are all there."""
        window, workspace, actions = self._window, self._window.workspace, self._window.commands
        actions.confirm.triggered.connect(lambda: self._say("confirmed"))
        actions.forbid.triggered.connect(lambda: self._say("forbidden"))
        actions.solve_again.triggered.connect(self.joining.solve_again)
        actions.cancel.triggered.connect(self.joining.stop)
        window.editing.menu.addSeparator()
        window.editing.menu.addActions([actions.confirm, actions.forbid])
        for signal in (workspace.case_changed, workspace.selection_changed, workspace.page_changed):
            signal.connect(self.refresh)
        workspace.case_changed.connect(self._forget_new)
        workspace.arrangement_changed.connect(self._forget_new)
        workspace.selection_changed.connect(self._show_pair)
        workspace.pictures.ready.connect(lambda key: self.refresh())
        self.joining.solving_changed.connect(self._show_solving)
        self.joining.solved.connect(self._show_solved)
        self.review_queue.pair_shown.connect(self._go_to)
        for action, dock in window.panels:
            if dock is self.review_dock:
                action.toggled.connect(self._turn_review)
                self.reviewing.set_on(action.isChecked())
            elif dock is self.pair_dock:
                action.toggled.connect(lambda on: self._bring_forward(self.pair_dock, on))
        self.refresh()

    def refresh(self) -> None:
        """Show the state of all joins, and enable the actions that make sense."""
        window, case = self._window, self._window.workspace.case
        pair = chosen_join(window.workspace)
        states: dict[Pair, JoinState] = {}
        if case is not None:
            states = dict.fromkeys(case.arrangement.forbidden, "forbidden")
            states |= dict.fromkeys(case.arrangement.confirmed, "confirmed")
        window.page_view.ruler.set_states(states, self.new, pair)
        actions = window.commands
        for action, state in ((actions.confirm, "confirmed"), (actions.forbid, "forbidden")):
            action.setEnabled(pair is not None)
            action.setChecked(pair is not None and states.get(pair) == state)
        actions.solve_again.setEnabled(case is not None and case.costs is not None)
        self._mark_new()

    def _say(self, state: JoinState) -> None:
        pair = chosen_join(self._window.workspace)
        if pair is not None and self.joining.toggle(pair, state) and self.reviewing.on:
            self.joining.solve_again()  # an answer during a review, wherever it is given
        self.refresh()

    def _turn_review(self, on: bool) -> None:
        self.reviewing.set_on(on)
        self._bring_forward(self.review_dock, on)
        if on:
            self.review_queue.setFocus()

    def _bring_forward(self, dock: object, on: bool) -> None:
        if on and dock in (self.review_dock, self.pair_dock):
            (self.review_dock if dock is self.review_dock else self.pair_dock).raise_()
            self._show_pair()

    def _go_to(self, left: str, right: str) -> None:
        """Show on the page what is asked about."""
        workspace = self._window.workspace
        page = workspace.case.arrangement.page_of(right) if workspace.case else None
        if page is not None:
            workspace.show_page(page)
        workspace.select_shreds((left, right), right)

    def _show_pair(self) -> None:
        """Let the pair view follow the choice: a join, or two shreds wherever they stand."""
        workspace = self._window.workspace
        chosen = workspace.selection.shreds
        pair = chosen_join(workspace) or ((chosen[0], chosen[1]) if len(chosen) == 2 else None)
        if pair is not None:
            self.pair_view.show_pair(pair)

    # Solving again

    def _show_solving(self, on: bool) -> None:
        self._window.commands.cancel.setEnabled(on or self._window.workspace.busy)
        if on:
            self._window.statusBar().showMessage(self.tr("Solving again…"))
        else:
            self._window.statusBar().clearMessage()

    def _show_solved(self, changes: Changes) -> None:
        self.new = frozenset(changes.new)
        self.refresh()
        self._window.statusBar().showMessage(self._summarise(changes), _MESSAGE_MS)

    def _summarise(self, changes: Changes) -> str:
        case = self._window.workspace.case
        if not changes or case is None:
            return self.tr("Solved again: nothing has changed.")
        joins = wording.counted(len(changes.new), self.tr("new join"), self.tr("new joins"))
        pages = sorted({page + 1 for _, right in changes.new if (page := case.arrangement.page_of(right)) is not None})
        if not pages:
            return self.tr("Solved again: {joins}.").format(joins=joins)
        where = self.tr("page") if len(pages) == 1 else self.tr("pages")
        text = self.tr("Solved again: {joins}, on {where} {pages}; marked ▼ until the next step.")
        return text.format(joins=joins, where=where, pages=", ".join(map(str, pages)))

    def _forget_new(self) -> None:
        self.new = frozenset()
        self.refresh()

    def _mark_new(self) -> None:
        """Draw a line along every new join of the page that is shown."""
        canvas = self._window.page_view.canvas
        for line in self._lines:
            canvas.scene().removeItem(line)
        self._lines = []
        pen = QPen(QColor(theme.colours().accent), 3, Qt.PenStyle.DotLine)
        pen.setCosmetic(True)
        # The page may be shown as it was before for a moment: a join is marked once it can be seen.
        for left, right in pairwise(canvas.places):
            if (left, right) in self.new:
                x = (canvas.places[left].right() + canvas.places[right].left()) / 2
                line = QGraphicsLineItem(x, 0, x, canvas.image_item.boundingRect().height())
                line.setPen(pen)
                line.setZValue(3)
                canvas.scene().addItem(line)
                self._lines.append(line)

    @property
    def new_lines(self) -> int:
        """How many new joins are marked on the page that is shown."""
        return len(self._lines)
