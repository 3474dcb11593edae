"""Any two shreds side by side: which pixels are compared, where they agree, what the join costs and why."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, QStringListModel, Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QComboBox, QCompleter, QLabel, QSpinBox, QWidget

from app import wording
from app.joins.behind import Seen, seen
from app.joins.blink import Blink
from app.joins.cost_plot import CostPlot
from app.joins.pair_canvas import Lane, PairCanvas, PairPicture
from app.reasons import allow, first_reason, unless
from app.session.answers import shift_between
from app.session.document import Document
from app.session.editor import Editor
from app.session.tasks import Deliver, Jobs, Task
from app.session.texts import Texts
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from app.widgets.note_marks import noted
from core.arrangement.arrangement import Pair
from core.arrangement.edit import Edit
from core.arrangement.edits import MoveShreds, ShiftJoin
from core.arrangement.noted import abouts_of_join
from core.case.case import Case
from core.case.joins import posed_of, row_in_costs
from core.progress import Progress

if TYPE_CHECKING:
    from core.inspection.pair import Seam
    from core.matching.costs import Costs

_LARGEST_SHIFT_PX = 4000
_QUOTED = 5
"""Of the words across a cut so many are quoted."""


class PairView(QWidget):
    """Follows what is chosen, or shows the two shreds that are chosen here.

    Parameters
    ----------
    document : Document
        Whose shreds they are.
    jobs : Jobs
        Draw and compare them.
    editor : Editor
        Shifts and joins them.
    texts : Texts
        Know what was read across their cut.
    """

    def __init__(
        self, document: Document, jobs: Jobs, editor: Editor, texts: Texts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._jobs, self._editor, self._texts = document, jobs, editor, texts
        self._drawing: Task | None = None
        self._shown: tuple[object, ...] = ()
        self.pair: Pair | None = None
        self.shift_px = 0
        self.seam: Seam | None = None
        self._rest = build(QTimer, self, singleShot=True, interval=60, timeout=self._draw)
        self._build()
        document.case_changed.connect(self._begin)
        document.arrangement_changed.connect(self.follow)
        texts.changed.connect(lambda: self._describe() if self.isVisible() else None)
        self._begin()

    def _build(self) -> None:
        self._names = QStringListModel(self)
        self.left_box, self.right_box = self._chooser(self.tr("Left shred")), self._chooser(self.tr("Right shred"))
        tip = self.tr("By how much the right shred lies lower than the sheets say; drag it with Ctrl held, too")
        self.shift_box = build(QSpinBox, suffix=self.tr(" px"), accessibleName=self.tr("Shift"), toolTip=tip)
        self.shift_box.setRange(-_LARGEST_SHIFT_PX, _LARGEST_SHIFT_PX)
        self.shift_box.valueChanged.connect(self.set_shift)
        tip = self.tr("Put the right shred beside the left one on the page")
        self.side_by_side = button(self.tr("Join them"), tip, self.put_side_by_side, "narrow")
        boxes = (self.left_box, QLabel("|"), self.right_box, self.shift_box)
        chosen = in_row(*boxes, self.side_by_side, None, spacing=4)
        self.detail = label(wordWrap=True)
        self.detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.canvas = PairCanvas()
        self.canvas.show_samples(True)
        self.canvas.dragged.connect(lambda way: self.set_shift(self.shift_px + (-way if self._is_behind else way)))
        self.samples_box = self._box(self.tr("&Samples"), self.tr("Outline what is compared"), self.canvas.show_samples)
        self.ink_box = self._box(self.tr("&Difference"), self.tr("Mark ink that ends at the cut"), self.canvas.show_ink)
        self.samples_box.setChecked(True)
        tip = self.tr("Show how the two meet when both are turned over: their other faces, the other way round")
        self.behind_box = self._box(self.tr("From Be&hind"), tip, self.follow)
        tip = self.tr("The longer and redder a bar beside the shreds, the less they agree at that height")
        bars = label(self.tr("Bars: distance"), toolTip=tip)
        shown = in_row(self.samples_box, self.ink_box, self.behind_box, None, bars)
        self.blink = Blink(self._document, self._jobs, self.canvas)
        self.right_plot, self.left_plot = CostPlot(), CostPlot()
        parts = (chosen, self.detail, (self.canvas, 1), shown, self.blink, self.right_plot, self.left_plot)
        in_column(*parts, on=self, margins=(10, 8, 10, 8), spacing=6)
        self.setAccessibleName(self.tr("Pair of shreds"))

    def _chooser(self, name: str) -> QComboBox:
        box = build(QComboBox, editable=True, minimumContentsLength=5, accessibleName=name, toolTip=name)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setModel(self._names)  # of thousands one list for both, and none is measured
        completer = box.completer()
        assert completer is not None
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        box.activated.connect(self._choose)
        return box

    def _box(self, text: str, tip: str, show: object) -> QCheckBox:
        return build(QCheckBox, text, toolTip=tip, toggled=show)

    # What the examiner does

    def show_pair(self, pair: Pair | None) -> None:
        """Show two shreds; as they stand, or as they would stand."""
        case = self._document.case
        self.pair = pair if case is not None and pair is not None and pair[0] != pair[1] else None
        self.follow()

    def set_shift(self, shift_px: int) -> None:
        """Move the right shred up or down; where the two are neighbours, in the arrangement, as a step to be undone."""
        case = self._document.case
        if case is None or self.pair is None or shift_px == self.shift_px:
            return
        if case.arrangement.has_join(*self.pair):
            left, right = self.pair
            text = self.tr("shift of {left} | {right}").format(left=left, right=right)
            self._editor.edit(ShiftJoin(left, right, shift_px), text)
        else:
            self.shift_px = shift_px
            self._show_shift()
            self._rest.start()

    def put_side_by_side(self) -> None:
        """Move the right shred beside the left one; the left one beside the right one if that alone is placed."""
        case = self._document.case
        if case is None or self.pair is None:
            return
        left, right = self.pair
        of_left, of_right = case.arrangement.page_of(left), case.arrangement.page_of(right)
        edit: Edit
        if of_left is not None:
            edit = MoveShreds((right,), of_left, case.arrangement.pages[of_left].index(left) + 1)
        elif of_right is not None:
            edit = MoveShreds((left,), of_right, case.arrangement.pages[of_right].index(right))
        else:
            edit = MoveShreds((left, right), len(case.arrangement.pages))
        self._editor.edit(edit, self.tr("joining of {left} | {right}").format(left=left, right=right))

    def _choose(self) -> None:
        seen = self._document.seen
        self.show_pair((seen(self.left_box.currentText()), seen(self.right_box.currentText())))

    def _seen(self) -> Seen | None:
        """Return what is drawn: the pair, or its other faces if these are to be seen and both are known."""
        case, pair = self._document.case, self.pair
        if case is None or pair is None:
            return None
        behind = seen(case, pair, self.shift_px, behind=self.behind_box.isChecked())
        return behind or Seen(case, pair, self.shift_px)

    @property
    def _is_behind(self) -> bool:
        of = self._seen()
        return of is not None and of.pair != self.pair

    # What follows from the pair

    def _begin(self) -> None:
        case = self._document.case
        self._names.setStringList([shred.id for shred in case.shreds] if case else [])
        self.show_pair(None)

    def follow(self) -> None:
        """Show the pair as it is now; what is out of sight follows when it is shown."""
        case, pair = self._document.case, self.pair
        if case is None or pair is None or not case.arrangement.places.keys() >= set(pair):
            self.pair = None
            self._shown = ()
            self.canvas.set_pair(None)
            self.blink.offer(None)
        elif not self.isVisible():
            return
        else:
            for box, shred in zip((self.left_box, self.right_box), pair, strict=True):
                box.setCurrentText(shred)
            are_neighbours = case.arrangement.has_join(*pair)
            if are_neighbours or self._shown[:2] != pair:
                self.shift_px = shift_between(case, pair)
            allow(unless(not are_neighbours, self.tr("They stand side by side.")), self.side_by_side)
            self.blink.offer(pair, behind=self._is_behind)
            self._rest.start()
        no_pair = unless(self.pair, self.tr("Choose a join, or two shreds, first."))
        allow(no_pair, self.shift_box, self.samples_box, self.ink_box)
        faces = case.arrangement.other_faces if case is not None else {}
        alone = [shred for shred in self.pair or () if shred not in faces]
        not_known = self.tr("What is on the other face of {shreds} is not known.").format(shreds=", ".join(alone))
        allow(first_reason(no_pair, unless(not alone, not_known)), self.behind_box)
        self._show_shift()
        if self.isVisible():  # plots take time, and bring a library along
            self._describe()

    def _show_shift(self) -> None:
        with QSignalBlocker(self.shift_box):
            self.shift_box.setValue(self.shift_px)

    def _draw(self) -> None:
        """Have the pair drawn and compared on a worker, unless it is drawn already."""
        of, engine = self._seen(), self._jobs.engine
        if of is None or not self.isVisible():
            return
        case, pair, shift_px = of
        turns = tuple(case.arrangement.turn_of(shred) for shred in pair)
        wanted = (*pair, shift_px, turns, case.options, id(case.shreds))
        if wanted == self._shown:
            return
        self._shown, self.seam = wanted, None
        if self._drawing is not None:
            self._drawing.cancel()
        self._describe()

        def work(progress: Progress, deliver: Deliver) -> Seam:
            picture = PairPicture.of(engine.close_up(case, *pair, shift_px))
            deliver(picture)
            seam = engine.seam(case, *pair, shift_px, progress)
            deliver(Lane.of(seam, picture, pair[0]))
            return seam

        self._drawing = self._jobs.start(work)
        self._drawing.delivered.connect(self._show)
        self._drawing.succeeded.connect(self._tell)
        self._drawing.failed.connect(self._jobs.failed)

    def _show(self, arrived: PairPicture | Lane) -> None:
        if isinstance(arrived, Lane):
            self.canvas.set_lane(arrived)
        else:
            self.canvas.set_pair(arrived)
            self.blink.lay()

    def _tell(self, seam: Seam) -> None:
        self.seam = seam
        self._describe()

    def _describe(self) -> None:
        case, pair = self._document.case, self.pair
        if case is None or pair is None:
            text = self.tr("Choose a shred, and its left neighbour is shown beside it; or name two shreds.")
            self.detail.setText(text)
            self._plot_nothing()
            return
        lines = [wording.join_state(case.arrangement.state(*pair))]
        join = next((join for join in case.joins if (join.left, join.right) == pair), None)
        if join is not None:
            lines[0] += f"  ·  {wording.degree(join.confidence)}"
        of = self._seen()
        if of is not None and of.pair != pair:
            text = self.tr("From behind: left {one}, behind {right}; right {other}, behind {left}")
            one, other = of.pair
            lines.append(text.format(one=one, other=other, left=pair[0], right=pair[1]))
        note = noted(case.arrangement.notes, (*abouts_of_join(*pair, case.arrangement.other_faces), *pair))
        lines += [f"◥ {note}"] if note else []
        lines += self._across(pair)
        row, column = map(row_in_costs(case), pair)
        if row is None or column is None:
            lines.append(self.tr("These two have not been compared."))
            self._plot_nothing()
        elif not self._is_priced(case, row, column):
            lines.append(self._not_priced())
            self._plot_nothing()
        else:
            lines.append(self._parts(case, row, column))
            self._plot(case, row, column)
        if self.seam is not None:
            text = self.tr("Ink at this shift: {cost}, of {n} samples with ink")
            lines.append(text.format(cost=_number(self.seam.ink_cost), n=int(self.seam.inked.sum())))
        elif self.isVisible():
            lines.append(self.tr("Comparing sample by sample…"))
        self.detail.setText("\n".join(lines))

    def _across(self, pair: Pair) -> list[str]:
        """Quote the words that go across the cut, the longest first; nothing where none is known."""
        words = sorted({word.text for word in self._texts.across(pair)}, key=lambda text: (-len(text), text))
        if not words:
            return []
        quoted = ", ".join(self.tr("“{word}”").format(word=word) for word in words[:_QUOTED])
        text = self.tr("Words across this cut: {words}")
        if len(words) > _QUOTED:
            text = self.tr("Words across this cut: {words} and {n} more")
        return [text.format(words=quoted, n=len(words) - _QUOTED)]

    def _plot_nothing(self) -> None:
        for plot in (self.right_plot, self.left_plot):
            plot.set_costs(None, 0, "")

    @staticmethod
    def _is_priced(case: Case, row: int, column: int) -> bool:
        """Return whether a join was priced by all cues; of thousands of shreds the best of each border were."""
        return int(_costs(case).at(row, column)) >= 0

    def _not_priced(self) -> str:
        """Say what a join costs that was not priced when the order was found."""
        if self.seam is None:
            return self.tr("Others fit these two borders better, so that they were not priced together.")
        text = self.tr(
            "Others fit these two borders better, so that they were not priced together. By ink alone: {cost}"
        )
        return text.format(cost=_number(self.seam.ink_cost))

    def _parts(self, case: Case, row: int, column: int) -> str:
        """Describe what the cost is made of."""
        costs = _costs(case)
        cost, cues = float(costs.cost_of(row, column)), costs.parts(row, column)
        parts = [self.tr("ink {n}").format(n=_number(cost - sum(cues.values())))]
        names = {
            "contour": self.tr("contour {n}"),
            "tone": self.tr("grey tones {n}"),
            "lines": self.tr("lines of print {n}"),
            "laying": self.tr("how they were laid {n}"),
        }
        for cue, name in names.items():
            if cues[cue] or cue == "contour":
                parts.append(name.format(n=_number(cues[cue])))
        text = self.tr("Cost {cost}: {parts}; best at {shift} px")
        return text.format(cost=_number(cost), parts=", ".join(parts), shift=int(costs.shift_of(row, column)))

    def _plot(self, case: Case, row: int, column: int) -> None:
        """Show the cost among those of both borders."""
        costs = _costs(case)
        cost = float(costs.cost_of(row, column))
        titles = (self.tr("All right neighbours of {shred}"), self.tr("All left neighbours of {shred}"))
        of_borders = costs.cost[costs.after(row)], costs.cost[costs.before(column)]
        for plot, title, all_costs, shred in zip(
            (self.right_plot, self.left_plot), titles, of_borders, self.pair or (), strict=True
        ):
            finite = all_costs[abs(all_costs) < float("inf")]
            rank = int((finite < cost).sum()) + 1
            place = self.tr("this one is number {rank} of {n}").format(rank=rank, n=len(finite))
            plot.set_costs(finite, cost, f"{title.format(shred=shred)}: {place}")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.canvas.seam_item.update()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.follow()


def _costs(case: Case) -> Costs:
    posed = posed_of(case)
    assert posed is not None
    return posed.costs


def _number(value: float) -> str:
    """Write a cost: whole where it is large."""
    if not isfinite(value):
        return "∞"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{round(value, 2) or 0:.3g}"
