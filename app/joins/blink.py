"""Two candidates for the same place, one upon the other: blinking, or both at once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSignalBlocker, QTimer
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.joins.behind import Seen, seen
from app.joins.pair_canvas import PairCanvas, PairPicture
from app.reasons import allow, unless
from app.session.answers import shift_between
from app.session.document import Document
from app.session.tasks import Deliver, Jobs, Task
from app.widgets.controls import build, label
from app.widgets.image_view import ImageItem
from app.widgets.layouts import in_column, in_row
from core.arrangement.arrangement import Pair
from core.inspection.alternatives import alternatives
from core.progress import Progress

BLINK_MS = 700
_HALF = 0.5


class Blink(QWidget):
    """Lets an alternative to the pair on a canvas be chosen, and lays it over the pair; what both share stays in place.

    Parameters
    ----------
    document : Document
        Whose shreds they are.
    jobs : Jobs
        Draw the alternative.
    canvas : PairCanvas
        Shows the pair.
    *beside : QWidget
        What else changes how it is seen.
    """

    def __init__(self, document: Document, jobs: Jobs, canvas: PairCanvas, *beside: QWidget) -> None:
        super().__init__()
        self._document, self._jobs, self._canvas = document, jobs, canvas
        self.pair: Pair | None = None
        self._named: tuple[Pair, ...] | None = None
        self._behind = False
        self._drawing: Task | None = None
        self._picture: PairPicture | None = None
        self._turned: list[tuple[bool, float]] = []
        self.over = ImageItem()
        """The alternative, above the pair."""
        self.over.setZValue(4)
        self.over.hide()
        canvas.scene().addItem(self.over)
        tip = self.tr("Another candidate for the same place, the cheapest first")
        self.other = build(QComboBox, accessibleName=self.tr("Other candidate"), toolTip=tip, minimumContentsLength=11)
        self.other.currentIndexChanged.connect(self._draw)
        tip = self.tr("Show the two candidates in turn, in the same place")
        self.blink = build(QCheckBox, self.tr("&Blink"), toolTip=tip, toggled=self.lay)
        tip = self.tr("Lay the other candidate over this one, so that both are seen")
        self.overlay = build(QCheckBox, self.tr("&Overlay"), toolTip=tip, toggled=self.lay)
        self.blink.toggled.connect(lambda on: self.overlay.setChecked(False) if on else None)
        self.overlay.toggled.connect(lambda on: self.blink.setChecked(False) if on else None)
        self.shown = label(wordWrap=True)
        """Says which of the two is seen."""
        boxes = in_row(*beside, self.blink, self.overlay, None)
        against = in_row(label(self.tr("Against")), self.other, (self.shown, 1), spacing=6)
        in_column(boxes, against, on=self, margins=(0, 0, 0, 0), spacing=2)
        self._clock = build(QTimer, self, interval=BLINK_MS, timeout=self._turn)
        self.offer(None)

    def offer(self, pair: Pair | None, named: tuple[Pair, ...] | None = None, *, behind: bool = False) -> None:
        """Offer the alternatives to a pair, all or those that are named, unless they are offered already.

        From behind those are offered of which both other faces are known.
        """
        case = self._document.case
        if pair is not None and (pair, named, behind) == (self.pair, self._named, self._behind):
            if self._turns() != self._turned:  # the alternative looks otherwise now
                self._draw()
            return
        self.pair, self._named, self._behind = pair, named, behind
        others = named or ()
        if named is None and case is not None and pair is not None:
            others = alternatives(case, pair)
        others = tuple(other for other in others if self._seen(other) is not None)
        with QSignalBlocker(self.other):
            self.other.clear()
            for other in others:
                self.other.addItem(" | ".join(other), other)
        none = unless(others, self.tr("There is no alternative to this join."))
        allow(none, self.other, self.blink, self.overlay)
        self._draw()

    def next_candidate(self) -> None:
        """Choose the next alternative, after the last one the first again."""
        if self.other.count():
            self.other.setCurrentIndex((self.other.currentIndex() + 1) % self.other.count())

    def _draw(self) -> None:
        """Have the chosen alternative drawn on a worker, once it is wanted."""
        self._picture, self._turned = None, self._turns()
        if self._drawing is not None:
            self._drawing.cancel()  # another one's, and it would be taken for this one's
            self._drawing = None
        self.lay()

    def _turns(self) -> list[tuple[bool, float]]:
        """Return how the shreds of the chosen alternative are turned by now."""
        case, other = self._document.case, self.other.currentData()
        return [] if case is None or other is None else [case.arrangement.turn_of(shred) for shred in other]

    def _seen(self, pair: Pair | None) -> Seen | None:
        """Return what is drawn of a pair, or of an alternative to it."""
        case = self._document.case
        if case is None or pair is None:
            return None
        return seen(case, pair, shift_between(case, pair), behind=self._behind)

    def _name(self, pair: Pair | None) -> str:
        of = self._seen(pair)
        return "" if of is None else " | ".join(of.pair)

    def lay(self) -> None:
        """Lay the alternative over the pair as it is drawn now, or take it away."""
        wanted = self.pair is not None and (self.blink.isChecked() or self.overlay.isChecked())
        self._clock.stop()
        if wanted and self._drawing is None:
            self._begin()
        picture, below = self._picture, self._canvas.seam_item.picture
        is_laid, drawn = False, self._seen(self.pair)
        # The pair itself may still be drawn: until then the one before is seen.
        of_pair = drawn is not None and below is not None and {*below.seen.placements} == {*drawn.pair}
        if wanted and picture is not None and below is not None and of_pair:
            is_laid = True
            height, width, _ = picture.seen.pixels.shape
            self.over.set_images(picture.levels, width, height)
            (kept,) = set(picture.seen.placements) & set(below.seen.placements)
            here, there = below.seen.placements[kept], picture.seen.placements[kept]
            self.over.setPos(QPointF(here[0] - there[0], here[1] - there[1]))
            self.over.setOpacity(_HALF if self.overlay.isChecked() else 1.0)
            if self.blink.isChecked():
                self._clock.start()
        self._show(over=is_laid)

    def _begin(self) -> None:
        wanted, engine = self._seen(self.other.currentData()), self._jobs.engine
        if wanted is None:
            return
        case, pair, shift_px = wanted

        def work(progress: Progress, deliver: Deliver) -> PairPicture:
            return PairPicture.of(engine.close_up(case, *pair, shift_px))

        self._drawing = self._jobs.start(work)
        self._drawing.succeeded.connect(self._have)
        self._drawing.failed.connect(self._jobs.failed)

    def _have(self, picture: PairPicture) -> None:
        self._picture = picture
        self.lay()

    def _turn(self) -> None:
        self._show(over=not self.over.isVisible())

    def _show(self, *, over: bool) -> None:
        """Show the alternative, and of the pair below only what an overlay lets through."""
        alone = over and self.blink.isChecked()
        self.over.setVisible(over)
        self._canvas.image_item.setVisible(not alone)
        self._canvas.seam_item.setVisible(not alone)
        pair, other = self._name(self.pair), self._name(self.other.currentData())
        names = [other] if alone else [pair, other] if over else [pair]
        text = self.tr("Seen: {names}").format(names=self.tr(" and ").join(names))
        self.shown.setText(text if self._clock.isActive() or over else "")
