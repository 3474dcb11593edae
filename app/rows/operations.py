"""What the examiner does with rows of pieces: each a step with a name."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject

from app.session.answers import Answers
from app.session.document import Document
from app.session.editor import Editor
from core.arrangement.arrangement import JoinState, Pair
from core.arrangement.edit import Edit, InvalidEditError
from core.arrangement.grid import pieces_below, place_of_row, rows_at
from core.arrangement.row_edits import place_row, turn_row
from core.case.case import Case


class RowOperations(QObject):
    """Moves the row that is worked on, and says which pieces stand below each other.

    Parameters
    ----------
    document : Document
        Whose rows.
    editor : Editor
        Carries edits out.
    answers : Answers
        Record what is said of two pieces.
    """

    def __init__(self, document: Document, editor: Editor, answers: Answers) -> None:
        super().__init__(document)
        self._document, self._editor, self._answers = document, editor, answers

    @property
    def case(self) -> Case | None:
        """The case, if its paper is cross-cut and pieces stand in rows."""
        case = self._document.case
        return (
            case if case is not None and case.cross_cut and self._document.page < len(case.arrangement.pages) else None
        )

    # Rows

    def level(self, step: int) -> list[int]:
        """List the rows directly above (-1) or below (1) the one that is worked on; none at an end of its page."""
        return [] if self.case is None else rows_at(self.case.arrangement, self._document.page, step)

    def move(self, step: int) -> None:
        """Move the row above (-1) or below (1) its neighbour; at an end of its page on to the page beside it."""
        case, row = self.case, self._document.page
        beside, above = self._target(step)
        if case is None or beside is None:
            return
        right_px = place_of_row(case.arrangement, row)[2] - place_of_row(case.arrangement, beside)[2]
        same_page = place_of_row(case.arrangement, row)[0] == place_of_row(case.arrangement, beside)[0]
        self._place(beside, above, right_px if same_page else 0)

    def can_move(self, step: int) -> bool:
        """Return whether there is a row, or a page, to move past."""
        return self._target(step)[0] is not None

    def _target(self, step: int) -> tuple[int | None, bool]:
        """Return the row beside which the one that is worked on goes, and whether it goes above that."""
        beside = self.level(step)
        if beside:
            return beside[0], step < 0
        if self.case is None:
            return None, False
        arrangement = self.case.arrangement
        places = [place_of_row(arrangement, number) for number in range(len(arrangement.pages))]
        pages = list(dict.fromkeys(page for page, _, _ in places))
        at = pages.index(places[self._document.page][0]) + step
        if not 0 <= at < len(pages):
            return None, False
        rows = [number for number, place in enumerate(places) if place[0] == pages[at]]
        return (min if step > 0 else max)(rows, key=lambda number: places[number][1]), step > 0

    def shift(self, step: int) -> None:
        """Move the row to the left (-1) or right (1) by a piece, against the others of its page."""
        case, row = self.case, self._document.page
        over, under = self.level(-1), self.level(1)
        if case is None or not (over or under):
            return
        beside, own = (over or under)[0], place_of_row(case.arrangement, row)[2]
        piece = case.arrangement.pages[row][0]
        right_px = own - place_of_row(case.arrangement, beside)[2] + step * case.width_px(piece)
        self._place(beside, not over, right_px)

    def stand_alone(self) -> None:
        """Put the row on a page of its own."""
        self._place(None, False, 0)

    def turn(self) -> None:
        """Turn the row upside down as a whole."""
        case, row = self.case, self._document.page
        if case is not None:
            arrangement, width_of = case.arrangement, case.width_px
            self._edit(partial(turn_row, arrangement, row, width_of), self.tr("half-turn of the row of {shred}"))

    def _place(self, beside: int | None, above: bool, right_px: int) -> None:
        case, row = self.case, self._document.page
        if case is not None:
            arrangement, width_of = case.arrangement, case.width_px
            placing = partial(place_row, arrangement, row, beside, above, right_px, width_of)
            self._edit(placing, self.tr("move of the row of {shred}"))

    def _edit(self, composed: Callable[[], Edit], text: str) -> None:
        """Carry out an edit of the row that is worked on, or say why it cannot be; then show that row."""
        assert self.case is not None
        first = self.case.arrangement.pages[self._document.page][0]
        try:
            edit = composed()
        except InvalidEditError as error:
            self._editor.refused.emit(str(error))
            return
        if self._editor.edit(edit, text.format(shred=first)):
            self._document.show_shred(first)

    # Pieces below each other

    def chosen_below(self) -> Pair | None:
        """Return the pieces that are chosen: the current one and the one directly below it, or two that stand so.

        Of a piece in the last row, the one above it and itself.
        """
        case, selection = self.case, self._document.selection
        page = None if case is None or not selection.shred else case.arrangement.page_of(selection.shred)
        if case is None or page is None:
            return None
        below, above = self.below(page), self.above(page)
        if len(selection.shreds) == 2:
            pairs = [pair for row in self._rows_of(selection.shreds) for pair in self.below(row).items()]
            return next((pair for pair in pairs if {*pair} == {*selection.shreds}), None)
        if len(selection.shreds) > 1:
            return None
        if selection.shred in below:
            return selection.shred, below[selection.shred]
        return (above[selection.shred], selection.shred) if selection.shred in above else None

    def below(self, row: int) -> dict[str, str]:
        """Return which piece stands directly below each of a row."""
        return pieces_below(self.case.arrangement, row, self.case.width_px) if self.case is not None else {}

    def above(self, row: int) -> dict[str, str]:
        """Return which piece stands directly above each of a row."""
        if self.case is None:
            return {}
        upper = rows_at(self.case.arrangement, row, -1)
        return {under: over for number in upper for over, under in self.below(number).items()}

    def say(self, pair: Pair, state: JoinState) -> bool:
        """Say of two pieces whether one stands directly below the other; said again, it is taken back."""
        case = self.case
        if case is None:
            return False
        said = case.arrangement.state_below(*pair) == state
        return self._answers.answer_below(pair, "suggested" if said else state)

    def climb(self, step: int) -> None:
        """Choose the piece above the current one (-1), or below it (1)."""
        case, current = self.case, self._document.selection.shred
        page = None if case is None or not current else case.arrangement.page_of(current)
        if page is not None:
            to = (self.above(page) if step < 0 else self.below(page)).get(current)
            if to is not None:
                self._document.select_shred(to)

    def _rows_of(self, shreds: Sequence[str]) -> set[int]:
        assert self.case is not None
        return {row for shred in shreds if (row := self.case.arrangement.page_of(shred)) is not None}
