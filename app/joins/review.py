"""Which join the examiner is asked about: the queue follows the answers, which may come faster than solutions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.answers import Answers
from app.session.document import Document
from app.session.editor import Editor
from app.session.tasks import Jobs, Task
from core.arrangement.arrangement import Arrangement, JoinState, Pair
from core.case.case import Case, JoinInfo
from core.case.history import History
from core.inspection.outlook import Outlook, outlook
from core.shreds.shred import Side

if TYPE_CHECKING:
    from core.inspection.answers import Answer
    from core.inspection.objections import Objection
    from core.inspection.questions import Question


@dataclass(frozen=True)
class Said:
    """An answer as it was given: what it says of joins, side by side or below, and at which side there is a margin."""

    joins: tuple[tuple[Pair, JoinState], ...]
    margin: Side | None = None
    below: bool = False

    def holds(self, arrangement: Arrangement) -> bool:
        """Return whether an arrangement says so."""
        return all(state_of(arrangement, pair, self.below) == state for pair, state in self.joins)


def state_of(arrangement: Arrangement, pair: Pair, below: bool) -> JoinState:
    """Return what was said of two shreds: whether the second stands right of the first, or directly below it."""
    return arrangement.state_below(*pair) if below else arrangement.state(*pair)


class Review(QObject):
    """Asks one question after the other.

    Parameters
    ----------
    document : Document
        Whose joins are asked about.
    jobs : Jobs
        Weigh the questions.
    editor : Editor
        Takes answers back.
    answers : Answers
        Carries answers out.
    """

    changed = Signal()
    """Another question is asked, or none, or what is known of it has changed."""

    def __init__(self, document: Document, jobs: Jobs, editor: Editor, answers: Answers) -> None:
        super().__init__(document)
        self._document, self._jobs, self._editor, self._answers = document, jobs, editor, answers
        self._queue: list[Question] = []
        self._past: list[Question] = []
        self._skipped: set[Pair] = set()
        self._latest: Question | None = None
        self._listed: tuple[Arrangement | None, History, tuple[Answer, ...]] = (None, (), ())
        self._insisted: set[tuple[str, str, JoinState]] = set()
        self._weighed: tuple[Arrangement | None, Outlook] = (None, Outlook(0, 0.0))
        self._counted: tuple[tuple[JoinInfo, ...], Arrangement | None, Outlook] = ((), None, Outlook(0, 0.0))
        self._went_back = False
        self._asking: Task | None = None
        self._wanted: tuple[bool, Case | None, frozenset[Pair], Pair | None] = (False, None, frozenset(), None)
        self.on = False
        self.question: Question | None = None
        self.doubted: Said | None = None
        """The answer that is asked about once more before it counts."""
        self.sides_seen = False
        """Whether both its sides are in the picture: only then it is asked."""
        self.without_order: Question | None = None
        """What was asked last, if the answer leaves no order."""
        self.taken_back: Answer | None = None
        """What was taken back last, until something else is done."""
        document.case_changed.connect(self._begin)
        document.arrangement_changed.connect(self.refresh)
        document.history_changed.connect(self.changed)
        answers.solved.connect(lambda changes: self.refresh())
        answers.unsolvable.connect(self._point_out)

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
        return bool(self._past) or self.doubted is not None

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All answers that hold, the last one last, whether they were given here or elsewhere."""
        case = self._document.case
        if case is None:
            return ()
        known_arrangement, known_history, answers = self._listed
        if known_arrangement is not case.arrangement or known_history is not case.history:
            from core.inspection.answers import answers_of

            answers = answers_of(case)
            self._listed = case.arrangement, case.history, answers
        return answers

    @property
    def outlook(self) -> Outlook:
        """What is still to be asked, and what that is worth."""
        case, (weighed_of, weighed) = self._document.case, self._weighed
        if case is None:
            return Outlook(0, 0.0)
        if weighed_of is case.arrangement or (weighed_of and self.searching):
            return weighed
        if self._counted[0] is not case.joins or self._counted[1] is not case.arrangement:
            self._counted = case.joins, case.arrangement, outlook(case)
        return self._counted[2]

    @property
    def to_take_back(self) -> Answer | None:
        """The answer that `take_back` takes back: the one that is asked about once more, or else the last one."""
        answers = self.answers
        if self.question is not None and self.question.state != "suggested":
            of_question = (self.question.pair, self.question.state)
            answers = tuple(answer for answer in answers if of_question in answer.joins)
        return answers[-1] if answers else None

    def set_on(self, on: bool) -> None:
        """Set whether anybody looks; without that nothing is computed."""
        if on != self.on:
            self.on = on
            self.refresh()

    def answer(self, right: bool) -> None:
        """Answer yes or no to the question."""
        if (question := self.question) is not None:
            pair = question.pair
            state: JoinState = "confirmed" if right else "forbidden"
            answer = self._answers.answer_below if question.below else self._answers.answer
            self._give(Said(((pair, state),), below=question.below), lambda: answer(pair, state))

    def choose(self, side: Side, shred: str) -> None:
        """Answer that another shred stands on that side of the cut."""
        if (question := self.question) is not None:
            wrong = question.pair
            pair = (question.left, shred) if side == "right" else (shred, question.right)
            said = Said(((wrong, "forbidden"), (pair, "confirmed")))
            self._give(said, lambda: self._answers.answer_instead(wrong, pair))

    def say_margin(self, side: Side) -> None:
        """Answer that the left shred ends a page (right), or that the right one begins one (left)."""
        if (question := self.question) is not None:
            wrong = question.pair
            self._give(Said(((wrong, "forbidden"),), side), lambda: self._answers.answer_margin(wrong, side))

    def _give(self, said: Said, give: Callable[[], bool]) -> None:
        """Carry out an answer, or ask once more if all the rest speaks against it and it was not just repeated."""
        question, case = self.question, self._document.case
        assert question is not None
        assert case is not None
        if self.doubted is not None and not self.sides_seen:
            return  # whoever has not seen both sides is not asked yet
        repeated = said == self.doubted or said == Said(((question.pair, question.state),), below=question.below)
        if not repeated and self._objection_to(said) is not None:
            self.doubted, self.sides_seen = said, False
            self.changed.emit()
            return
        if repeated:
            self._insisted |= {(*pair, state) for pair, state in said.joins}
        self._advance(question)
        self._latest = question
        if not give() and not said.holds(case.arrangement):
            self.back()  # it was refused, and the window says why
        elif self._document.case is case:
            self.refresh()  # it had been said already
        else:
            self._answers.solve_again()

    def _objection_to(self, said: Said) -> Objection | None:
        from core.inspection.answers import doubt_in
        from core.inspection.objections import objection_to

        question, case = self.question, self._document.case
        if question is None or case is None or question.below:  # of rows a second look is no more than the first
            return None
        doubt = doubt_in(case)
        return objection_to(question, dict(said.joins), case.arrangement, doubt)

    @property
    def in_doubt(self) -> Said | None:
        """The answer that is asked about once more: one that does not count yet, or one given before."""
        if self.doubted is not None or self.question is None or self.question.state == "suggested":
            return self.doubted
        return Said(((self.question.pair, self.question.state),), below=self.question.below)

    @property
    def objection(self) -> Objection | None:
        """What speaks against the answer that is asked about once more."""
        return None if self.in_doubt is None else self._objection_to(self.in_doubt)

    def see_sides(self) -> None:
        """Note that both sides of what is asked about once more are in the picture."""
        self.sides_seen = True
        self.changed.emit()

    def _drop_doubted(self) -> None:
        """Take an answer back that does not count yet."""
        self.doubted = None
        self.changed.emit()

    def take_back(self) -> None:
        """Withdraw the answer that is asked about once more, or else the last one, which is asked about again."""
        answer = self.to_take_back
        if self.doubted is not None:
            self._drop_doubted()
            return
        if answer is None:
            return
        if self.question is not None and self.question.pair == answer.pair:
            self._advance(self.question)
            self.withdraw(answer)
            return
        self.withdraw(answer)
        asked = next((question for question in self._past[::-1] if question.pair == answer.pair), None)
        if asked is not None:
            self._past.remove(asked)
            self._ask_again(asked)
            self.taken_back = answer
            self.changed.emit()

    def _point_out(self) -> None:
        """Point out that the last answer leaves no order."""
        self.without_order = self._latest
        self.changed.emit()

    def skip(self) -> None:
        """Leave the question for later."""
        if self.question is not None:
            self._skipped.add(self.question.pair)
            self._advance(self.question)
            self.refresh()

    def back(self) -> None:
        """Return to the question before, answered or skipped; another answer takes the place of the earlier one."""
        if self.doubted is not None:
            self._drop_doubted()
        elif self._past:
            self._ask_again(self._past.pop())

    def _ask_again(self, question: Question) -> None:
        if self.question is not None and not self._went_back:
            self._queue.insert(0, self.question)
        case = self._document.case
        state = state_of(case.arrangement, question.pair, question.below) if case is not None else question.state
        self.question = replace(question, state=state)
        self.without_order = self.taken_back = self.doubted = None
        self._skipped.discard(question.pair)
        self._went_back = True
        self.changed.emit()

    def ask_about(self, pair: Pair, *, below: bool = False) -> None:
        """Ask about any join, answered or not; the question that was asked comes after it."""
        from core.inspection.questions import Question

        case = self._document.case
        if case is not None and (self.question is None or self.question.pair != pair):
            known = next((join.confidence for join in case.joins if (join.left, join.right) == pair), 0.0)
            known = (case.sure_below(*pair) or 0.0) if below else known
            self._ask_again(Question(*pair, known, 0.0, (), (), state_of(case.arrangement, pair, below), below=below))
            self.refresh()  # finds what else could stand there

    def withdraw(self, answer: Answer) -> None:
        """Withdraw an answer; the question that is asked stays."""
        text = self.tr("withdrawal of the answer to {left} | {right}")
        text = self.tr("withdrawal of the answer to {right} below {left}") if answer.below else text
        text = text.format(left=answer.pair[0], right=answer.pair[1])
        if self._editor.edit(answer.withdrawal, text):
            self.taken_back = answer
            self.changed.emit()
            self._answers.solve_again()

    def ask_skipped(self) -> None:
        """Ask again what was skipped."""
        self._skipped.clear()
        self.refresh()

    def refresh(self) -> None:
        """Weigh the questions anew; the one that is asked stays, as long as it is one."""
        case, engine, skipped = self._document.case, self._jobs.engine, frozenset(self._skipped)
        self._drop_settled()
        about = self.question.pair if self.question is not None and self._went_back else None
        wanted = self.on, case, skipped, about
        if self._asking is not None and wanted != self._wanted:  # what an answer changes is told of more than once
            self._asking.cancel()
        if case is not None and self.on and self._asking is None:
            task = self._jobs.start(lambda progress, deliver: engine.questions(case, skipped, progress, about))
            task.succeeded.connect(lambda found: self._take(found, case.arrangement))
            task.failed.connect(self._jobs.failed)
            task.at_outcome(self._end)
            self._asking, self._wanted = task, wanted
        self.changed.emit()

    def _begin(self) -> None:
        self._queue, self._past, self.question, self._went_back = [], [], None, False
        self.without_order = self.taken_back = self._latest = self.doubted = None
        self._weighed = None, Outlook(0, 0.0)
        for kept in (self._skipped, self._insisted):
            kept.clear()
        self.refresh()

    def _advance(self, question: Question) -> None:
        """Ask the next question that is at hand; better ones may arrive while it is looked at."""
        self._past.append(question)
        self.taken_back = self.without_order = self.doubted = None
        self._went_back = False
        self.question = None
        while self._queue and self.question is None:
            following = self._queue.pop(0)
            if following != question and self._is_open(following):
                self.question = following
        self.changed.emit()

    def _is_open(self, question: Question) -> bool:
        """Return whether a join still stands there, with nothing said of it, or an answer still does, once doubted."""
        case, pair = self._document.case, question.pair
        if case is None or pair in self._skipped or state_of(case.arrangement, pair, question.below) != question.state:
            return False
        if question.state != "suggested":
            return (*pair, question.state) not in self._insisted
        if question.below:
            return any(join.pair == pair for join in case.joins_below)
        return case.arrangement.has_join(*pair)

    def _drop_settled(self) -> None:
        if self.question is not None and not self._went_back and not self._is_open(self.question):
            self.question = self.doubted = None

    def _end(self, *_: object) -> None:
        self._asking = None
        self.changed.emit()

    def _take(self, found: tuple[list[Question], Outlook], of: Arrangement) -> None:
        questions, left = found
        self._weighed = of, left
        self._drop_settled()
        asked = self.question
        same = [question for question in questions if asked is not None and question.pair == asked.pair]
        self._queue = [question for question in questions if self._is_open(question) and question not in same]
        if asked is None and self._queue:
            self.question = self._queue.pop(0)
        elif same:
            self.question = same[0]
