"""Joins in the window, put together: answers by key, solving again, the review queue, the pair view, what is new."""

import functools

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from app import wording
from app.docks import Panel
from app.joins.changes_panel import ChangesPanel
from app.joins.pair_view import PairView
from app.joins.review import Review
from app.joins.review_panel import ReviewQueue
from app.reasons import allow, first_reason, unless, unless_case
from app.sentences.naming import pages
from app.shell import DoneMessage, Shell
from app.widgets.controls import build
from core.arrangement.arrangement import JoinState, Pair
from core.arrangement.changes import Changes, turned_as
from core.arrangement.edits import FreeJoin
from core.arrangement.exchange import beyond_answers
from core.arrangement.page_edits import PinShreds
from core.case.case import Case

_MESSAGE_MS = 8000


class Joins(QObject):
    """Owns what answering and looking at joins needs in the window.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    marks_changed = Signal(object, object, object)
    """The answers to joins, those that are new since solving again, and the one that is chosen."""
    pair_shown = Signal(str, str)
    """Two shreds that are to be in sight on the page."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        session = shell.session
        self._document, self._jobs, self._answers = session.document, session.jobs, session.answers
        self._editor = session.editor
        self._actions, self._status_bar = shell.actions, shell.status_bar
        self._docks, self._notices = shell.docks, shell.notices
        document, jobs, answers, actions = self._document, self._jobs, self._answers, self._actions
        self.review = Review(document, jobs, session.editor, answers)
        self.review_queue = ReviewQueue(document, jobs, self.review)
        self.changes_panel = ChangesPanel(document, session.editor)
        self.pair_view = PairView(document, jobs, session.editor, session.texts)
        self.new: frozenset[Pair] = frozenset()
        self.reviewing = False
        """Whether the question is in sight: then the keys of the review are in force, wherever the focus is."""
        tip = self.tr("Joins that are not sure, and how many of them are wrong as their doubts add up (F11)")
        self.lead = build(QAction, self.tr("Review"), shell.parent, checkable=True, enabled=False, toolTip=tip)
        """Says what is left to be asked; it leads to the review."""
        self.lead.triggered.connect(self._follow_lead)
        self._done = DoneMessage(shell)
        self._shown: tuple[Pair, int | None] | None = None
        self._pointed_out = ""
        """The message that more has changed than was answered, as long as that is so."""
        shell.parent.addActions(self.review_queue.keys)
        actions.confirm.triggered.connect(lambda: self._answer("confirmed"))
        actions.forbid.triggered.connect(lambda: self._answer("forbidden"))
        actions.release.triggered.connect(self._release)
        actions.solve_again.triggered.connect(answers.solve_again)
        actions.cancel.triggered.connect(answers.stop)
        shown = document.case_changed, document.selection_changed, document.page_changed, document.rendition_changed
        for signal in shown:
            signal.connect(self.refresh)
        document.case_changed.connect(self._forget_new)
        document.arrangement_changed.connect(self._forget_new)
        document.arrangement_changed.connect(self._withdraw_notice)
        document.selection_changed.connect(self._show_pair)
        document.selection_changed.connect(self._follow_choice)
        session.pictures.ready.connect(lambda key: self.refresh())
        answers.solving_changed.connect(self._show_solving)
        answers.solved.connect(self._show_solved)
        self.review.changed.connect(self._follow_question)
        self.review_queue.sight_changed.connect(self._set_reviewing)
        self.review_queue.list.chosen.connect(lambda answer: self._go_to(*answer.joins[-1][0]))
        self.changes_panel.pair_shown.connect(self._go_to)
        session.editor.rearranged.connect(self._point_out)

    def follow_docks(self, review: Panel, pair: Panel) -> None:
        """Review while its panel is asked for, and bring up to date what comes to the front."""
        review.action.toggled.connect(lambda on: self._turn_review(review, on))
        review.dock.visibilityChanged.connect(self.review_queue.set_in_front)
        self.review.set_on(review.action.isChecked())
        review.dock.visibilityChanged.connect(self.lead.setChecked)
        for signal in (self._document.case_changed, self._document.arrangement_changed, self.review.changed):
            signal.connect(self._sum_up)
        pair.action.toggled.connect(lambda on: self._bring_forward(pair, on))

    def _sum_up(self) -> None:
        """Say on the button of the review what is left to be asked, and what that is worth."""
        left = self.review.outlook
        has_case = self._document.case is not None
        self.lead.setIconText(wording.questions_left(left.n_questions, left.n_wrong) if has_case else self.lead.text())
        allow(unless_case(has_case), self.lead)

    def _follow_lead(self, on: bool) -> None:
        """Bring the review to the front, or put it away if it is there."""
        if on:
            self._docks.show("review")
            self.review_queue.setFocus()
        else:
            self._docks["review"].action.setChecked(False)

    def _set_reviewing(self, on: bool) -> None:
        """Let the keys mean the question while it is in sight, and show on the page what it is about."""
        self.reviewing = on
        plain = QKeySequence("1")  # an alternative then; with Ctrl it keeps its meaning
        others = [key for key in self._actions.actual_size.shortcuts() if key != plain]
        self._actions.actual_size.setShortcuts(others if on else [*others, plain])
        self._follow_question()

    @property
    def asked(self) -> Pair | None:
        """The join that is asked about in sight of the examiner."""
        question = self.review.question
        return question.pair if self.reviewing and question is not None else None

    def refresh(self) -> None:
        """Show the state of all joins, and allow the actions that make sense."""
        document, actions = self._document, self._actions
        case, pair = document.case, self.asked or document.chosen_join
        states: dict[Pair, wording.JoinMark] = {}
        if case is not None:
            states = dict.fromkeys(case.placed_by_hand, "placed")
            states |= dict.fromkeys(case.arrangement.forbidden, "forbidden")
            states |= dict.fromkeys(case.arrangement.confirmed, "confirmed")
        self.marks_changed.emit(states, self.new, pair)
        no_case = unless_case(case is not None)
        no_join = first_reason(no_case, unless(pair, self.tr("Choose a shred that has one to its left first.")))
        said = pair in states or self._chosen_pinned()
        not_said = unless(said, self.tr("Nothing was said of the chosen join, nor is the shred pinned."))
        not_compared = self.tr("This case does not hold what borders cost: reconstruct again first.")
        for action, state in ((actions.confirm, "confirmed"), (actions.forbid, "forbidden")):
            allow(no_join, action)
            action.setChecked(pair is not None and states.get(pair) == state)
        allow(first_reason(no_case, not_said), actions.release)
        allow(first_reason(no_case, unless(case and case.costs is not None, not_compared)), actions.solve_again)

    def _answer(self, state: JoinState) -> None:
        """Answer the question in sight, or else say of the chosen join what it is, or take that back."""
        pair = self._document.chosen_join
        if self.asked is not None:
            self.review.answer(state == "confirmed")
        elif pair is not None and not self._is_in_sight(pair):
            self._go_to(*pair)
            text = self.tr("{left} | {right} was not in sight and nothing was answered: here it is.")
            self._notices.tell(text.format(left=pair[0], right=pair[1]))
        elif pair is not None and self._answers.toggle(pair, state):
            self._tell_answer(pair)
        self.refresh()

    def _release(self) -> None:
        """Take back what was said of the chosen join, or that it was made by hand; else the pin of what is chosen."""
        case, pair = self._document.case, self._document.chosen_join
        if case is None:
            return
        if pair is not None and case.arrangement.state(*pair) != "suggested":
            self._answers.answer(pair, "suggested")
            self._tell_answer(pair)
        elif pair is not None and pair in case.placed_by_hand:
            text = self.tr("release of {left} | {right}").format(left=pair[0], right=pair[1])
            self._editor.edit(FreeJoin(*pair), text)
        elif pinned := self._chosen_pinned():
            text = self.tr("release of {shreds}").format(shreds=wording.short(", ".join(pinned), 60))
            self._editor.edit(PinShreds(pinned, False), text)
        self.refresh()

    def _chosen_pinned(self) -> tuple[str, ...]:
        """List those of the chosen shreds that are pinned to their page."""
        case, chosen = self._document.case, self._document.selection.shreds
        return () if case is None else tuple(shred for shred in chosen if shred in case.arrangement.pinned)

    def _is_in_sight(self, pair: Pair) -> bool:
        """Return whether the page on which two neighbours stand is shown."""
        document = self._document
        on_page = document.case is not None and document.case.arrangement.page_of(pair[1]) == document.page
        return on_page and not self._actions.table.isChecked()

    def _tell_answer(self, pair: Pair) -> None:
        """Say what has just been answered, with a way back."""
        assert self._document.case is not None
        texts = {
            "confirmed": self.tr("Confirmed: {right} stands to the right of {left}."),
            "forbidden": self.tr(
                "Forbidden: {right} does not stand to the right of {left}. Solve Again (Ctrl+R) parts them."
            ),
            "suggested": self.tr("Withdrawn: whether {right} stands to the right of {left} is open again."),
        }
        text = texts[self._document.case.arrangement.state(*pair)].format(left=pair[0], right=pair[1])
        self._done.tell(text)

    def _turn_review(self, panel: Panel, on: bool) -> None:
        self.review.set_on(on)
        self._bring_forward(panel, on)
        if on:
            self.review_queue.setFocus()

    def _bring_forward(self, panel: Panel, on: bool) -> None:
        if on:
            panel.dock.raise_()
            self._show_pair()

    def _follow_question(self) -> None:
        """Show on the page and in the order what is asked about, when that is another join or has another place."""
        pair, case = self.asked, self._document.case
        shown = (pair, case.arrangement.page_of(pair[1])) if pair is not None and case is not None else None
        if pair is not None and shown != self._shown:
            self._shown = shown
            self._go_to(*pair)
        self._shown = shown
        self.refresh()

    def _follow_choice(self) -> None:
        """Ask about the join that is chosen on the page or in the order: what is asked and what is marked are one."""
        chosen, asked = self._document.chosen_join, self.asked
        if asked is not None and chosen is not None and {*self._document.selection.shreds} != {*asked}:
            self.review.ask_about(chosen)

    def _go_to(self, left: str, right: str) -> None:
        """Show two shreds on the page and in the order."""
        self._document.show_shred(right)
        self._document.select_shreds((left, right), right)
        self.pair_shown.emit(left, right)

    def _show_pair(self) -> None:
        """Let the pair view follow the choice: a join, or two shreds wherever they stand."""
        chosen = self._document.selection.shreds
        pair = self._document.chosen_join or ((chosen[0], chosen[1]) if len(chosen) == 2 else None)
        if pair is not None:
            self.pair_view.show_pair(pair)

    # Solving again

    def _show_solving(self, on: bool) -> None:
        if on:
            self._status_bar.showMessage(self.tr("Solving again…"))
        else:
            self._status_bar.clearMessage()

    def _show_solved(self, changes: Changes) -> None:
        self.new = frozenset(changes.new)
        self.refresh()
        self._status_bar.showMessage(self._summarise(changes), _MESSAGE_MS)

    def _point_out(self, before: Case, after: Case) -> None:
        """Show what changed beyond what was answered; in a review only say so, since it goes on."""
        solved, asked = (turned_as(one, after.arrangement) for one in (before.found_as_seen, before.arrangement))
        answered = (solved.confirmed ^ asked.confirmed) | (solved.forbidden ^ asked.forbidden)
        self._docks.refresh()
        if not beyond_answers(self.changes_panel.parts, answered):
            return
        show = functools.partial(self._docks.show, "changes")
        if self.reviewing:
            text = self.tr("Solving again changed more than you answered.")
            if len(after.sheets) > len(before.sheets):
                text = self.tr("The sheets that were added changed joins.")
            self._notices.tell(text, self.tr("Show the changes"), show)
            self._pointed_out = text
        else:
            show()

    def _withdraw_notice(self) -> None:
        """Say no longer that something has changed, once all of it is taken back."""
        if self._pointed_out and not self.changes_panel.stands:
            self._notices.withdraw(self._pointed_out)
            self._pointed_out = ""

    def _summarise(self, changes: Changes) -> str:
        case = self._document.case
        if not changes or case is None:
            return self.tr("Solved again: nothing has changed.")
        joins = wording.counted(len(changes.new), self.tr("new join"), self.tr("new joins"))
        on = sorted({page for _, right in changes.new if (page := case.arrangement.page_of(right)) is not None})
        if not on:
            return self.tr("Solved again: {joins}.").format(joins=joins)
        text = self.tr("Solved again: {joins}, on {pages}; marked ▼ until the next step.")
        return text.format(joins=joins, pages=pages(case.arrangement, on))

    def _forget_new(self) -> None:
        self.new = frozenset()
        self.refresh()
