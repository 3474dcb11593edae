"""Rows of cross-cut paper in the window, put together: they are moved, and said to belong below each other, by key."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.pages.dragging import ShredDrag
from app.pages.page_canvas import PageCanvas
from app.reasons import allow, first_reason, unless, unless_case
from app.rows.marks import RowMarks
from app.rows.operations import RowOperations
from app.shell import DoneMessage, Shell
from core.arrangement.arrangement import JoinState


class Rows(QObject):
    """Owns what working on rows of pieces needs in the window.

    Parameters
    ----------
    shell : Shell
        The window.
    canvas : PageCanvas
        On which the page is shown.
    drag : ShredDrag
        Carries shreds to rows, too.
    """

    def __init__(self, shell: Shell, canvas: PageCanvas, drag: ShredDrag) -> None:
        super().__init__(shell.parent)
        session = shell.session
        self._document, self._actions, self._done = session.document, shell.actions, DoneMessage(shell)
        self.operations = RowOperations(session.document, session.editor, session.answers)
        self.marks = RowMarks(canvas, session.document, self.operations)
        drag.begun.connect(lambda shreds: self.marks.show_all(True))
        drag.ended.connect(lambda: self.marks.show_all(False))
        canvas.climbed.connect(self.operations.climb)
        actions, operations = shell.actions, self.operations
        for action, do in (
            (actions.confirm_below, lambda: self._say("confirmed")),
            (actions.forbid_below, lambda: self._say("forbidden")),
            (actions.row_up, lambda: operations.move(-1)),
            (actions.row_down, lambda: operations.move(1)),
            (actions.row_left, lambda: operations.shift(-1)),
            (actions.row_right, lambda: operations.shift(1)),
            (actions.row_alone, operations.stand_alone),
            (actions.row_turned, operations.turn),
        ):
            action.triggered.connect(lambda _=False, do=do: do())
        document = session.document
        changes = document.case_changed, document.arrangement_changed, document.page_changed
        for signal in (*changes, document.selection_changed):
            signal.connect(self.refresh)
        session.pictures.ready.connect(lambda key: self.marks.refresh())
        self.refresh()

    @property
    def all_actions(self) -> tuple[QAction, ...]:
        """What can be done with rows."""
        actions = self._actions
        moves = actions.row_up, actions.row_down, actions.row_left, actions.row_right, actions.row_alone
        return actions.confirm_below, actions.forbid_below, *moves, actions.row_turned

    def refresh(self) -> None:
        """Allow the actions that make sense, and mark what was said."""
        actions, operations, case = self._actions, self.operations, self._document.case
        in_rows = operations.case is not None
        for action in self.all_actions:
            action.setVisible(in_rows)
        strips = unless(in_rows, self.tr("This paper is cut into strips: there are no rows of pieces."))
        no_rows = first_reason(unless_case(case is not None), strips)
        pair = operations.chosen_below() if in_rows else None
        no_pair = unless(pair, self.tr("Choose a piece that has one directly below it first."))
        for action, state in ((actions.confirm_below, "confirmed"), (actions.forbid_below, "forbidden")):
            allow(first_reason(no_rows, no_pair), action)
            said = pair is not None and case is not None and case.arrangement.state_below(*pair) == state
            action.setChecked(said)
        for action, step in ((actions.row_up, -1), (actions.row_down, 1)):
            at_end = unless(operations.can_move(step), self.tr("There is no row and no page to move past."))
            allow(first_reason(no_rows, at_end), action)
        beside = operations.level(-1) or operations.level(1)
        alone = unless(beside, self.tr("The row stands on a page by itself."))
        allow(first_reason(no_rows, alone), actions.row_left, actions.row_right, actions.row_alone)
        allow(no_rows, actions.row_turned)
        self.marks.refresh()

    def _say(self, state: JoinState) -> None:
        """Say what the chosen pieces are to each other, and tell it with a way back."""
        pair = self.operations.chosen_below()
        if pair is None or not self.operations.say(pair, state):
            self.refresh()
            return
        assert self._document.case is not None
        above, below = pair
        texts = {
            "confirmed": self.tr("Confirmed: {below} stands directly below {above}."),
            "forbidden": self.tr(
                "Forbidden: {below} does not stand directly below {above}. Solve Again (Ctrl+R) parts them."
            ),
            "suggested": self.tr("Withdrawn: whether {below} stands directly below {above} is open again."),
        }
        text = texts[self._document.case.arrangement.state_below(above, below)].format(above=above, below=below)
        self._done.tell(text)
