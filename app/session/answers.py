"""What the examiner answers of joins, and solving again: on a worker, while the examiner goes on."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal

from app.session.document import Document
from app.session.editor import Editor
from app.session.tasks import Jobs, Task
from core.arrangement.arrangement import JoinState, Pair
from core.arrangement.changes import changes, turned_as
from core.arrangement.edits import SetJoin, SetMargin, Together
from core.arrangement.row_edits import SetBelow
from core.case.case import Case
from core.case.joins import known_shifts
from core.errors import UsageError
from core.inspection.answers import doubt_in, rivals
from core.shreds.shred import Side


class Answers(QObject):
    """Carries out what the examiner answers of joins, and finds the order again.

    Answers are steps of the history of their own, taken at once; a solution that was begun before an answer is never
    shown, but begun anew with it.

    Parameters
    ----------
    document : Document
        Whose case it is.
    jobs : Jobs
        Find the order.
    editor : Editor
        Makes a step of each answer.
    """

    solving_changed = Signal(bool)
    """Whether an order is being looked for."""
    solved = Signal(object)
    """What has changed: `core.arrangement.changes.Changes`."""
    unsolvable = Signal()
    """There is no order that keeps to all that was said."""

    def __init__(self, document: Document, jobs: Jobs, editor: Editor) -> None:
        super().__init__(document)
        self._document, self._jobs, self._editor = document, jobs, editor
        self._task: Task | None = None
        document.case_changed.connect(self.stop)

    @property
    def solving(self) -> bool:
        """Whether an order is being looked for."""
        return self._task is not None

    def answer(self, pair: Pair, state: JoinState) -> bool:
        """Answer what a join is, in place of what contradicts it; return whether that changed anything."""
        case = self._document.case
        if case is None:
            return False
        texts = {
            "confirmed": self.tr("confirmation of {left} | {right}"),
            "forbidden": self.tr("ban of {left} | {right}"),
            "suggested": self.tr("withdrawal of the answer to {left} | {right}"),
        }
        withdrawn = _withdrawals(case, pair) if state == "confirmed" else ()
        edit = Together((*withdrawn, SetJoin(*pair, state)))
        return self._editor.edit(edit, texts[state].format(left=pair[0], right=pair[1]))

    def answer_below(self, pair: Pair, state: JoinState) -> bool:
        """Answer whether a piece stands directly below another one; return whether that changed anything."""
        texts = {
            "confirmed": self.tr("confirmation of {below} below {above}"),
            "forbidden": self.tr("ban of {below} below {above}"),
            "suggested": self.tr("withdrawal of the answer to {below} below {above}"),
        }
        return self._editor.edit(SetBelow(*pair, state), texts[state].format(above=pair[0], below=pair[1]))

    def toggle(self, pair: Pair, state: JoinState) -> bool:
        """Answer what a join is, or take that back if it is the answer already."""
        case = self._document.case
        is_answer = case is not None and case.arrangement.state(*pair) == state
        return self.answer(pair, "suggested" if is_answer else state)

    def answer_instead(self, wrong: Pair, right: Pair) -> bool:
        """Answer that one join is wrong and another is right, as one step."""
        case = self._document.case
        if case is None:
            return False
        edit = Together((*_withdrawals(case, right), SetJoin(*wrong, "forbidden"), SetJoin(*right, "confirmed")))
        return self._editor.edit(edit, self.tr("choice of {left} | {right}").format(left=right[0], right=right[1]))

    def answer_margin(self, wrong: Pair, side: Side) -> bool:
        """Answer that a join is wrong because a page ends there (right), or begins there (left), as one step."""
        shred = wrong[0] if side == "right" else wrong[1]
        text = self.tr("end of a page with {shred}") if side == "right" else self.tr("start of a page with {shred}")
        edit = Together((SetJoin(*wrong, "forbidden"), SetMargin(shred, side)))
        return self._editor.edit(edit, text.format(shred=shred))

    def solve_again(self) -> None:
        """Find the order that keeps to all that was said and done; whatever is under way begins anew."""
        jobs, case = self._jobs, self._document.case
        self.stop()
        # Comparing all borders anew takes long enough to be waited for, and cancelled.
        waits = case is not None and bool(case.turned_since)
        if case is None or case.costs is None or (waits and jobs.busy):
            return
        task = jobs.start(lambda progress, deliver: jobs.engine.solve_again(case, progress))
        if waits:
            jobs.wait_for(task, "solve", self.tr("Solving again"))
        else:
            task.failed.connect(jobs.failed)
        task.failed.connect(self._end)
        task.failed.connect(lambda error: self.unsolvable.emit() if isinstance(error, UsageError) else None)
        task.cancelled.connect(self._end)
        task.succeeded.connect(lambda found: self._adopt(case, found))
        self._task = task
        self.solving_changed.emit(True)

    def stop(self) -> None:
        """Look for no order any more."""
        if self._task is not None:
            self._task.cancel()

    def _end(self, *_: object) -> None:
        self._task = None
        self.solving_changed.emit(False)

    def _adopt(self, begun: Case, found: Case) -> None:
        self._end()
        case = self._document.case
        if case is None or case.shreds is not begun.shreds:
            return
        if case.arrangement != begun.arrangement or case.costs is not begun.costs:
            self.solve_again()
            return
        changed = changes(turned_as(case.arrangement, found.arrangement), found.arrangement)
        moved = found.arrangement.grid_places != case.arrangement.grid_places
        if changed or moved or found.costs is not case.costs:
            self._editor.adopt(found, self.tr("solving again"))
        self.solved.emit(changed)


def _withdrawals(case: Case, pair: Pair) -> Iterator[SetJoin]:
    """Withdraw what was said of the joins that contradict one that is confirmed."""
    doubt = doubt_in(case)
    return (SetJoin(*other, "suggested") for other in rivals(case.arrangement, pair, doubt))


def shift_between(case: Case, pair: Pair) -> int:
    """Return the shift at which two shreds would join: as they stand, or else as the costs say."""
    if case.arrangement.has_join(*pair):
        return case.arrangement.shift_px.get(pair[1], 0)
    return known_shifts(case)(*pair) or 0
