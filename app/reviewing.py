"""Which join the examiner is asked about: the queue follows the answers, which may come faster than solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from app.joining import Joining
from app.tasks import Task

if TYPE_CHECKING:
    from app.workspace import Workspace
    from core.arrangement import Pair
    from core.review import Question

_ALL_BUT_SURE = 0.95
"""A "no" to a join surer than this is as likely a slip as a find, and pointed out."""


class Reviewing(QObject):
    """Asks one question after the other.

    Parameters
    ----------
    workspace : Workspace
        Whose joins are asked about.
    joining : Joining
        Takes the answers.
    """

    changed = Signal()
    """Another question is asked, or none, or what is known of it has changed."""

    def __init__(self, workspace: Workspace, joining: Joining) -> None:
        super().__init__(workspace)
        self._workspace, self._joining = workspace, joining
        self._queue: list[Question] = []
        self._past: list[Question] = []
        self._skipped: set[Pair] = set()
        self._went_back = False
        self._asking: Task | None = None
        self.on = False
        self.question: Question | None = None
        self.surprise: Question | None = None
        """The question answered last, if the answer goes against what is all but sure."""
        workspace.case_changed.connect(self._begin)
        workspace.arrangement_changed.connect(self.refresh)
        joining.solved.connect(lambda changes: self.refresh())

    @property
    def searching(self) -> bool:
        """Whether questions are being weighed."""
        return self._asking is not None

    @property
    def n_skipped(self) -> int:
        """How many joins were skipped."""
        return len(self._skipped)

    @property
    def can_go_back(self) -> bool:
        """Whether there was a question before."""
        return bool(self._past)

    def set_on(self, on: bool) -> None:
        """Say whether anybody looks; without that nothing is computed."""
        if on != self.on:
            self.on = on
            self.refresh()

    def answer(self, right: bool) -> None:
        """Say yes or no to the question."""
        question = self.question
        if question is not None:
            self._advance(question, surprising=not right and question.confidence > _ALL_BUT_SURE)
            self._joining.say((question.left, question.right), "confirmed" if right else "forbidden")
            self._joining.solve_again()

    def choose(self, side: Literal["left", "right"], shred: str) -> None:
        """Say that another shred stands on that side of the cut."""
        question = self.question
        if question is not None:
            pair = (question.left, shred) if side == "right" else (shred, question.right)
            self._advance(question, surprising=question.confidence > _ALL_BUT_SURE)
            self._joining.say_instead((question.left, question.right), pair)
            self._joining.solve_again()

    def say_margin(self, side: Literal["left", "right"]) -> None:
        """Say that the left shred ends a page (right), or that the right one begins one (left)."""
        question = self.question
        if question is not None:
            self._advance(question, surprising=question.confidence > _ALL_BUT_SURE)
            self._joining.say_margin((question.left, question.right), side)
            self._joining.solve_again()

    def skip(self) -> None:
        """Leave the question for later."""
        if self.question is not None:
            self._skipped.add((self.question.left, self.question.right))
            self._advance(self.question)
            self.refresh()

    def back(self) -> None:
        """Return to the question before, answered or skipped; another answer takes the place of the earlier one."""
        if self._past:
            if self.question is not None and not self._went_back:
                self._queue.insert(0, self.question)
            self.question = self._past.pop()
            self.surprise = None
            self._skipped.discard((self.question.left, self.question.right))
            self._went_back = True
            self.changed.emit()

    def ask_skipped(self) -> None:
        """Ask again what was skipped."""
        self._skipped.clear()
        self.refresh()

    def refresh(self) -> None:
        """Weigh the questions anew; the one that is asked stays, as long as it is one."""
        if self._asking is not None:
            self._asking.cancel()
        case, engine, skipped = self._workspace.case, self._workspace.engine, frozenset(self._skipped)
        self._drop_settled()
        if case is not None and self.on:
            task = self._workspace.tasks.start(lambda progress, deliver: engine.questions(case, skipped, progress))
            task.succeeded.connect(self._take)
            task.failed.connect(self._workspace.failed)
            for end in (task.succeeded, task.failed, task.cancelled):
                end.connect(self._end)
            self._asking = task
        self.changed.emit()

    def _begin(self) -> None:
        self._queue, self._past, self.question, self._went_back = [], [], None, False
        self.surprise = None
        self._skipped.clear()
        self.refresh()

    def _advance(self, question: Question, surprising: bool = False) -> None:
        """Ask the next question that is at hand; better ones may arrive while it is looked at."""
        self._past.append(question)
        self.surprise = question if surprising else None
        self._went_back = False
        self.question = None
        while self._queue and self.question is None:
            following = self._queue.pop(0)
            if following != question and self._is_open(following):
                self.question = following
        self.changed.emit()

    def _is_open(self, question: Question) -> bool:
        """Tell whether a join still stands there, and nothing was said of it."""
        case, pair = self._workspace.case, (question.left, question.right)
        if case is None or pair in self._skipped or case.arrangement.state(*pair) != "suggested":
            return False
        return pair in case.arrangement.joins()

    def _drop_settled(self) -> None:
        if self.question is not None and not self._went_back and not self._is_open(self.question):
            self.question = None

    def _end(self, *_: object) -> None:
        self._asking = None
        self.changed.emit()

    def _take(self, questions: list[Question]) -> None:
        self._queue = [question for question in questions if self._is_open(question)]
        self._drop_settled()
        if self.question is None and self._queue:
            self.question = self._queue.pop(0)
        elif self.question is not None:
            same = [q for q in self._queue if (q.left, q.right) == (self.question.left, self.question.right)]
            self.question = same[0] if same else self.question
            self._queue = [question for question in self._queue if question not in same]
