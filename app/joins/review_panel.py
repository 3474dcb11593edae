"""The review queue: one join after the other in close-up, to be answered by a key or a click."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import wording
from app.joins import review_texts
from app.joins.answer_list import AnswerList
from app.joins.blink import Blink
from app.joins.pair_canvas import PairCanvas, PairPicture
from app.joins.review import Review
from app.reasons import allow, first_reason, set_tip, unless
from app.session.answers import shift_between
from app.session.document import Document
from app.session.tasks import Deliver, Jobs, Task
from app.widgets.controls import build, button, label
from app.widgets.layouts import Flow, in_column, in_row
from core.arrangement.arrangement import Pair
from core.progress import Progress
from core.shreds.shred import SIDES, Side

if TYPE_CHECKING:
    from core.inspection.answers import Answer
    from core.inspection.questions import Question

_N_ALTERNATIVES = 3
_SHARED_KEY = "1"
"""While no question is in sight it means the actual size."""
_GLIMPSE = QSize(66, 104)
_GLIMPSE_TEXT_PX = 30
_LEAST_BUTTON_PX, _LEAST_GLIMPSE_PX = 52, 44
"""So narrow may buttons become on a small screen: both sides of a doubt stay in sight, and the cut of each glimpse."""
_GLIMPSE_ROWS = 260
"""So many rows of the scan are seen of an alternative."""


class ReviewQueue(QWidget):
    """Shows the question of a review, and takes the answer.

    Parameters
    ----------
    document : Document
        Has the shreds drawn.
    review : Review
        Asks.
    """

    sight_changed = Signal(bool)
    """Whether the question is in sight."""

    def __init__(self, document: Document, jobs: Jobs, review: Review, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._jobs, self.review = document, jobs, review
        self._in_front = False
        self._drawing: Task | None = None
        self._drawn: tuple[object, ...] = ()
        self._glimpsed: list[tuple[Side, int, Pair]] = []
        self.alternatives: dict[tuple[Side, int], QToolButton] = {}
        self.keys: list[QAction] = []
        """Those of the review but Y and N; see `set_in_sight`."""
        self._build()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)  # it shows by a frame that it has the focus
        self.setAccessibleName(self.tr("Review of joins"))
        review.changed.connect(lambda: self.follow() if self._in_front else None)
        self.follow()

    def _build(self) -> None:
        review, self.canvas = self.review, PairCanvas()
        self.heading, self.detail = label(role="heading", wordWrap=True), label(wordWrap=True)
        self.surprise = QLabel(wordWrap=True)
        tip = self.tr("Full colour: ink goes on across the cut. Hatched: ink on one side alone ends there. (D)")
        text, key = self.tr("Difference"), "D"
        self.ink_box = build(QCheckBox, f"{text}  {key}", toolTip=tip, toggled=self.canvas.show_ink)
        self._add_key(text, key, self.tr("Mark what meets at the cut"), self.ink_box.click)
        self.blink = self._build_blink()
        self.yes = self._button(self.tr("Yes"), "Y", self.tr("These two belong together"), lambda: review.answer(True))
        self.no = self._button(self.tr("No"), "N", self.tr("They do not belong together"), lambda: review.answer(False))
        self.skip = self._button(self.tr("Skip"), "S", self.tr("Leave it for later"), review.skip)
        self.back = self._button(self.tr("Back"), "B", self.tr("Return to the question before"), review.back)
        tip = self.tr("Take the last answer back, or the one in doubt")
        self.take_back = self._button(self.tr("Take Back"), "T", tip, review.take_back)
        self.again = button("", "", review.ask_skipped, "link")
        tip = self.tr("A page ends with it: nothing stands to the right of it")
        self.ends = self._button(self.tr("Page Ends"), "E", tip, lambda: review.say_margin("right"))
        tip = self.tr("A page begins with it: nothing stands to the left of it")
        self.begins = self._button(self.tr("Page Begins"), "F", tip, lambda: review.say_margin("left"))
        answers = Flow(self.yes, self.no, self.skip, self.back, self.take_back, spacing=6)
        margins = in_row(self.ends, self.begins)
        # Beside what was answered, what the rest speaks for, while that is asked about once more.
        self.other_canvas = PairCanvas()
        self.other_canvas.setAccessibleName(self.tr("What all the rest speaks for"))
        self.ink_box.toggled.connect(self.other_canvas.show_ink)
        self.captions = label(wordWrap=True), label(wordWrap=True)
        one, self._other = QWidget(), QWidget()
        for caption, canvas, side in zip(
            self.captions, (self.canvas, self.other_canvas), (one, self._other), strict=True
        ):
            in_column(caption, (canvas, 1), on=side, margins=(0, 0, 0, 0), spacing=2)
        sides = in_row((one, 1), (self._other, 1), spacing=6)
        asked = (self.heading, self.detail, self.surprise, self.again, (sides, 1), self.blink)
        parts = (*asked, answers, margins, self._build_alternatives())
        self.shown, question = QStackedWidget(), QWidget()
        in_column(*parts, on=question, margins=(0, 0, 0, 0), spacing=6)
        self.list = AnswerList()
        for page in (question, self.list):
            self.shown.addWidget(page)
        in_column(self._build_progress(), (self.shown, 1), on=self, margins=(10, 8, 10, 8), spacing=6)

    def _build_blink(self) -> Blink:
        """Build what lays alternatives over the pair, with keys."""
        blink = Blink(self._document, self._jobs, self.canvas, self.ink_box)
        for box, text, key in (
            (blink.blink, self.tr("Blink"), "K"),
            (blink.overlay, self.tr("Overlay"), "O"),
        ):
            box.setText(f"{text}  {key}")
            self._add_key(text, key, self.tr("See the pair that is asked about and an alternative to it"), box.click)
        tip = self.tr("See the next alternative with Blink or Overlay")
        self._add_key(self.tr("Next Candidate"), "C", tip, blink.next_candidate)
        return blink

    def _build_progress(self) -> QVBoxLayout:
        self.progress = build(QProgressBar, textVisible=False, accessibleName=self.tr("Answered so far"))
        self.left = label(wordWrap=True)
        tip = self.tr("All answers, each to be asked about again or withdrawn")
        self.list_button = button("", tip, self._turn_list, "link", checkable=True)
        self.list_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.list.asked_again.connect(self._ask_again)
        self.list.withdrawn.connect(self.review.withdraw)
        return in_column(in_row((self.left, 1), self.list_button), self.progress, spacing=2)

    def _turn_list(self, on: bool) -> None:
        """Show the list of answers in place of the question, or the question again."""
        self.list_button.setChecked(on)
        self.shown.setCurrentIndex(int(on))
        self.set_in_front(self._in_front)
        self._sum_up()
        (self.list if on else self).setFocus()

    def _ask_again(self, answer: Answer) -> None:
        self._turn_list(False)
        self.review.ask_about(answer.pair, below=answer.below)

    def _button(self, text: str, key: str, tip: str, clicked: Callable[[], object]) -> QPushButton:
        built = button(f"{text}  {key}", f"{tip} ({key})", clicked, "narrow", accessibleName=text)
        built.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        built.setMinimumWidth(_LEAST_BUTTON_PX)
        if key not in "YN":  # those two are keys of the window, and mean the question while it is in sight
            self._add_key(text, key, tip, built.click)
        return built

    def _add_key(self, text: str, key: str, tip: str, act: Callable[[], object]) -> QAction:
        """Add a key that works wherever in the window the focus is, once for each time it is pressed."""
        action = build(QAction, text, self, statusTip=tip, autoRepeat=False, enabled=False, triggered=act)
        action.setData(key)
        action.setShortcut("" if key == _SHARED_KEY else key)
        self.keys.append(action)
        return action

    def _build_alternatives(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(4)
        self._titles = {side: label() for side in SIDES}
        for half, (side, title) in enumerate(self._titles.items()):
            grid.addWidget(title, 0, half * _N_ALTERNATIVES, 1, _N_ALTERNATIVES)
            for number in range(_N_ALTERNATIVES):
                choose = functools.partial(self.choose, side, number)
                one = build(QToolButton, iconSize=_GLIMPSE, focusPolicy=Qt.FocusPolicy.TabFocus, clicked=choose)
                one.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
                one.setProperty("glimpse", True)
                one.setMinimumSize(_LEAST_GLIMPSE_PX, _GLIMPSE.height() + _GLIMPSE_TEXT_PX)
                one.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
                grid.addWidget(one, 1, half * _N_ALTERNATIVES + number)
                self.alternatives[side, number] = one
                key = len(self.alternatives)
                text = self.tr("Alternative {n}").format(n=key)
                tip = self.tr("Another shred instead: 1 to 3 to the left, 4 to 6 to the right")
                self._add_key(text, str(key), tip, one.click)
        return grid

    # What the examiner does

    def choose(self, side: Side, number: int) -> None:
        """Choose an alternative, counted from 0."""
        shreds = self._offered(side)
        if number < len(shreds):
            self.review.choose(side, shreds[number])

    @property
    def in_sight(self) -> bool:
        """Whether the question is: this panel in front of others, and not the list of answers in its place."""
        return self._in_front and not self.shown.currentIndex()

    def set_in_front(self, in_front: bool) -> None:
        """Put the keys in force while the question is in sight; in front are panels that no other covers."""
        self._in_front = in_front
        on = self.in_sight
        allow(unless(on, self.tr("Bring the question of the review to the front first, with F11.")), *self.keys)
        for action in self.keys:
            if action.data() == _SHARED_KEY:
                action.setShortcut(_SHARED_KEY if on else "")
        self.sight_changed.emit(on)
        self.follow()

    # What follows from the question

    def follow(self) -> None:
        """Show the question as it is now."""
        question, review = self.review.question, self.review
        no_question = unless(question, self.tr("There is no question."))
        seen = review.doubted is None or review.sides_seen
        not_seen = unless(seen, self.tr("Both sides are still to be seen."))
        answers = self.yes, self.no, self.skip, self.ends, self.begins, *self.alternatives.values()
        allow(first_reason(no_question, not_seen), *answers)
        left, right = question.pair if question is not None else ("…", "…")
        for answer, key, short, text in (
            (self.ends, "E", self.tr("Ends with {shred}"), self.tr("Page ends with {shred}").format(shred=left)),
            (self.begins, "F", self.tr("Begins with {shred}"), self.tr("Page begins with {shred}").format(shred=right)),
        ):
            answer.setVisible(question is None or not question.below)  # rows have their ends side by side
            answer.setText(f"{short.format(shred=left if key == 'E' else right)}  {key}")
            answer.setAccessibleName(text)
        allow(unless(review.can_go_back, self.tr("There is no question before.")), self.back)
        answered = review.doubted or review.to_take_back
        set_tip(self.take_back, review_texts.what_is_taken_back(review))
        allow(unless(answered, self.tr("Nothing was answered yet.")), self.take_back)
        self.again.setVisible(review.n_skipped > 0)
        skipped = wording.counted(review.n_skipped, self.tr("skipped join"), self.tr("skipped joins"))
        self.again.setText(self.tr("{joins}: ask again").format(joins=skipped))
        self.detail.setText(review_texts.describe(question))
        doubt = review_texts.doubt(review)
        self.surprise.setVisible(bool(doubt))
        self.surprise.setText(doubt)
        if question is None:
            self.heading.setText(self.tr("Looking for questions…") if review.searching else self.tr("No questions"))
        else:
            self.heading.setText(review_texts.heading(question, once_more=review.in_doubt is not None))
        self._name_sides()
        self._sum_up()
        self._offer(question)
        self._compare(question)
        self._draw(question)

    def _name_sides(self) -> None:
        """Say above the pictures what they show, while there are two."""
        objection, said = self.review.objection, self.review.in_doubt
        for part in (self.captions[0], self._other):
            part.setVisible(objection is not None)
        if objection is None or said is None:
            return
        for caption, text in zip(self.captions, review_texts.sides(said, objection), strict=True):
            caption.setText(text)

    def _sum_up(self) -> None:
        """Say how far the review has come, and list the answers."""
        case = self._document.case
        answers, left = self.review.answers, self.review.outlook
        answered = wording.counted(len(answers), self.tr("answer"), self.tr("answers"))
        self.list_button.setText(self.tr("Back to the question") if self.list_button.isChecked() else answered)
        self.left.setText(wording.questions_left(left.n_questions, left.n_wrong))
        self.progress.setRange(0, max(1, len(answers) + left.n_questions))
        self.progress.setValue(len(answers) if answers or left.n_questions else 1)
        self.list.show_answers(answers, case.history if case is not None else ())

    def _offered(self, side: Side) -> tuple[str, ...]:
        question = self.review.question
        if question is None:
            return ()
        return question.alternatives_right if side == "right" else question.alternatives_left

    def _offer(self, question: Question | None) -> None:
        titles = {"left": self.tr("Or left of {shred}:"), "right": self.tr("Or right of {shred}:")}
        for side, title in self._titles.items():
            kept = "" if question is None else question.right if side == "left" else question.left
            title.setText(titles[side].format(shred=kept) if self._offered(side) else "")
        for (side, number), one in self.alternatives.items():
            shreds = self._offered(side)
            one.setVisible(number < len(shreds))
            if number < len(shreds):
                key = number + 1 + (_N_ALTERNATIVES if side == "right" else 0)
                one.setText(f"{shreds[number]}\n{key}")
                one.setAccessibleName(self.tr("Shred {id} instead").format(id=shreds[number]))
                set_tip(one, self.tr("It is {id} instead ({key})").format(id=shreds[number], key=key))

    def _compare(self, question: Question | None) -> None:
        """Let the alternatives that are offered be laid over the pair; another question begins with the pair alone."""
        asked = None if self.review.objection is not None else question  # in doubt both sides are in the picture anyway
        pair = None if asked is None else asked.pair
        if pair != self.blink.pair:
            for box in (self.blink.blink, self.blink.overlay):
                box.setChecked(False)
        self.blink.setVisible(asked is None or not asked.below)  # of rows nothing is laid over the other
        self.blink.offer(pair, tuple(other for _, _, other in self._others(asked)))

    def _others(self, question: Question | None) -> list[tuple[Side, int, Pair]]:
        """List the alternatives that are offered, in the order of their keys, each as the pair that it would make."""
        if question is None:
            return []
        return [
            (side, number, (question.left, shred) if side == "right" else (shred, question.right))
            for side in SIDES
            for number, shred in enumerate(self._offered(side))
        ]

    def _draw(self, question: Question | None) -> None:
        """Have the pair and its alternatives drawn on a worker, unless they are drawn already."""
        case, engine, objection = self._document.case, self._jobs.engine, self.review.objection
        if question is None or case is None:
            self._drawn, self._glimpsed = (), []
            for canvas in (self.canvas, self.other_canvas):
                canvas.set_pair(None)
            return
        sides = (question.pair,) if objection is None else (objection.said, objection.instead)
        shifts = tuple(None if pair is None else shift_between(case, pair) for pair in sides)
        rows = case.arrangement.pages if question.below else ()
        wanted = (sides, shifts, rows, self.review.doubted, question.alternatives_left, question.alternatives_right)
        if wanted == self._drawn:
            return
        self._drawn = wanted
        if self._drawing is not None:
            self._drawing.cancel()
        others = self._others(question)
        if others == self._glimpsed:
            others = []
        else:
            self._glimpsed = []
            for one in self.alternatives.values():
                one.setIcon(QIcon())

        close_up = engine.close_up_below if question.below else engine.close_up

        def work(progress: Progress, deliver: Deliver) -> None:
            drawn = [
                None if pair is None else PairPicture.of(close_up(case, *pair, shift_px or 0))
                for pair, shift_px in zip(sides, shifts, strict=True)
            ]
            deliver(drawn)
            for number, (side, place, pair) in enumerate(others):
                progress(number / len(others), "Drawing alternatives")
                other = PairPicture.of(engine.close_up(case, *pair, shift_between(case, pair)))
                deliver((side, place, other.glimpse(_GLIMPSE_ROWS, _GLIMPSE)))

        self._drawing = self._jobs.start(work)
        self._drawing.delivered.connect(self._show)
        self._drawing.succeeded.connect(lambda _: self._keep_glimpses(others))
        self._drawing.failed.connect(self._jobs.failed)

    def _keep_glimpses(self, drawn: list[tuple[Side, int, Pair]]) -> None:
        """Note which alternatives are drawn: they stay while the same are offered."""
        self._glimpsed = drawn or self._glimpsed

    def _show(self, arrived: list[PairPicture | None] | tuple[Side, int, QImage]) -> None:
        if isinstance(arrived, list):
            for canvas, picture in zip((self.canvas, self.other_canvas), [*arrived, None][:2], strict=True):
                canvas.set_pair(picture)
            self.blink.lay()
            if self.review.doubted is not None:
                self.review.see_sides()
        else:
            side, number, image = arrived
            self.alternatives[side, number].setIcon(QIcon(QPixmap.fromImage(image)))
