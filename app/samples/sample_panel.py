"""The sample inspector: what could stand on the other side of a cut, sample by sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QHideEvent, QImage, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QComboBox, QProgressBar, QSpinBox, QSplitter, QStackedLayout, QToolButton, QWidget

from app import theme
from app.images import image_from
from app.reasons import allow, unless
from app.samples.inspector import Inspector
from app.samples.sample_cards import SampleCards
from app.samples.sample_map import SampleMap
from app.widgets.controls import build, button, label
from app.widgets.layouts import Item, fill, in_column, in_row

if TYPE_CHECKING:
    from core.inspection.sample_view import Inspection, NeighbourLook, SampleLook

_SIDE_PX = 80
_MAX_NEIGHBOURS = 20


class SamplePanel(QWidget):
    """Shows the inspected sample, its neighbours and the map.

    Parameters
    ----------
    inspector : Inspector
        Which sample that is.
    """

    shred_chosen = Signal(object)
    """A Sample to go to."""
    join_tried = Signal(object, str)
    """A Sample, and the shred that the examiner wants to try at its border."""
    marks_changed = Signal(object)
    """The samples to be marked where they lie: the one asked about, then that of the current card."""

    def __init__(self, inspector: Inspector, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inspector = inspector
        self.inspection: Inspection | None = None
        self.picture = SamplePicture()
        self.cards = SampleCards()
        self.map = SampleMap(inspector.look_at)
        self._build()
        self.setMinimumWidth(340)
        inspector.changed.connect(self._follow)
        inspector.answered.connect(self._show)
        inspector.waiting.connect(self._wait)
        inspector.progressed.connect(self._advance)
        self.cards.chosen.connect(lambda found: self._mark())
        self.cards.opened.connect(lambda found: self.shred_chosen.emit(found.neighbour.sample))
        self.map.clicked.connect(inspector.choose)
        self._follow()

    def _build(self) -> None:
        hint = self.tr(
            "Click a shred near one of its borders, on the page or on its sheet:\n"
            "here is then shown what could stand on the other side of the cut."
        )
        self.hint = label(hint, alignment=Qt.AlignmentFlag.AlignCenter)
        self.heading, self.state = label(role="heading"), label(wordWrap=True)
        name = self.tr("Progress of the embeddings")
        self.bar = build(QProgressBar, textVisible=False, accessibleName=name, visible=False)
        split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        split.addWidget(self.cards)
        split.addWidget(self.map)
        split.setSizes([300, 220])
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        self._shown = QWidget()
        parts = (self.heading, self._build_query(), self.state, self.bar, (split, 1))
        in_column(*parts, on=self._shown, margins=(10, 6, 10, 8), spacing=6)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(self._shown)

    def _build_query(self) -> Item:
        """Lay the sample beside what can be done with it."""
        self.detail = label(wordWrap=True)
        side = in_column(self._build_steps(), self._build_search(), self._build_buttons(), None, spacing=4)
        left = in_column(self.picture, self.detail, None, spacing=4)
        return in_row(left, (side, 1), spacing=10)

    def _build_search(self) -> Item:
        tip = self.tr("How many of the nearest samples are shown, of each shred at most one")
        self.k_box = build(QSpinBox, accessibleName=self.tr("Number of neighbours"), toolTip=tip)
        self.k_box.setRange(1, _MAX_NEIGHBOURS)
        self.k_box.setValue(self._inspector.k)
        tip = self.tr("Where samples are looked for; “at this height” allows for the shift between neighbours")
        self.scope_box = build(QComboBox, accessibleName=self.tr("Where to look"), toolTip=tip)
        for scope, text in (
            ("all", self.tr("on all shreds")),
            ("sheet", self.tr("on this sheet")),
            ("height", self.tr("at this height")),
        ):
            self.scope_box.addItem(text, scope)
        self.scope_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.k_box.valueChanged.connect(self._search)
        self.scope_box.currentIndexChanged.connect(self._search)
        return in_row(self.k_box, (self.scope_box, 1), spacing=4)

    def _build_steps(self) -> Item:
        row, step, cross = in_row(spacing=2), self._inspector.step, self._inspector.cross
        for text, name, tip, key, act in (
            ("▲", self.tr("Sample Above"), self.tr("Inspect the sample above"), "[", lambda: step(-1)),
            ("▼", self.tr("Sample Below"), self.tr("Inspect the sample below"), "]", lambda: step(1)),
            ("⇄", self.tr("Other Border"), self.tr("Inspect this shred's other border"), "X", cross),
        ):
            action = self._action(name, tip, key, act)
            action.setIconText(text)
            tool = build(QToolButton, accessibleName=name)
            tool.setDefaultAction(action)
            row.addWidget(tool)
        return fill(row, None)

    def _action(self, name: str, tip: str, key: str, act: Callable[[], object]) -> QAction:
        action = build(QAction, name, self, shortcut=key, toolTip=f"{tip} ({key})", statusTip=tip, triggered=act)
        self.addAction(action)
        return action

    def _build_buttons(self) -> Item:
        go_tip = self.tr("Show the shred of the chosen neighbour where it lies")
        try_tip = self.tr("Put the shred of the chosen neighbour beside this one")
        self.go_action = self._action(self.tr("Go to Neighbour"), go_tip, "Ctrl+G", self._go)
        self.try_action = self._action(self.tr("Try the Join"), try_tip, "Ctrl+J", self._try)
        self.go_button, self.try_button = (
            button(text, action.toolTip(), action.trigger, accessibleName=action.text())
            for text, action in ((self.tr("Go to"), self.go_action), (self.tr("Try"), self.try_action))
        )
        return in_row(self.go_button, self.try_button, spacing=4)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._inspector.set_on(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._inspector.set_on(False)
        self.marks_changed.emit(())

    def sizeHint(self) -> QSize:
        return QSize(380, 480)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.inspection is not None:
            self._show(self.inspection)

    def _search(self) -> None:
        self._inspector.set_search(self.k_box.value(), self.scope_box.currentData())

    def _follow(self) -> None:
        """Show at once how the sample looks; what is near it comes when it has been found."""
        sample = self._inspector.sample
        self.inspection = None
        self.cards.set_inspection(None)
        look = self._inspector.look_at(sample) if sample is not None else None
        self._stack.setCurrentWidget(self.hint if look is None else self._shown)
        if look is not None:
            self._describe(look)
        self._refresh_buttons()
        self._mark()

    def _describe(self, look: SampleLook) -> None:
        right = look.sample.side == "right"
        title = self.tr("▶ Right border, {id}") if right else self.tr("◀ Left border, {id}")
        self.heading.setText(title.format(id=look.sample.shred))
        self.heading.setStyleSheet(f"color: {theme.colours().of_side(look.sample.side)}")
        asks_left = self.tr("{mm:.0f} mm from its top; asks left borders")
        asks_right = self.tr("{mm:.0f} mm from its top; asks right borders")
        self.detail.setText((asks_left if right else asks_right).format(mm=look.height_mm))
        self.picture.set_look(look)

    def _show(self, inspection: Inspection) -> None:
        self.inspection = inspection
        self._describe(inspection.look)
        self.cards.set_inspection(inspection)
        self.map.set_inspection(inspection)
        self.bar.hide()
        self.state.setText(self._conclude(inspection))
        self._refresh_buttons()
        self._mark()

    def _conclude(self, inspection: Inspection) -> str:
        if inspection.blank:
            return self.tr("No ink here: every blank sample is as near. Choose another height.")
        if not inspection.found:
            return self.tr("There is no ink on the other borders here.")
        if inspection.partner is None:
            return self.tr("In the order nothing stands beside this border.")
        if inspection.partner_distance is None:
            return self.tr("In the order it meets blank paper of {id}.").format(id=inspection.partner.shred)
        text = self.tr("In the order it meets {id}, at distance {d:.2f}")
        text = text.format(id=inspection.partner.shred, d=inspection.partner_distance)
        if any(found.by_order for found in inspection.found):
            return f"{text}."
        return self.tr("{text}: not among the nearest {n}.").format(text=text, n=len(inspection.found))

    def _wait(self, waiting: bool) -> None:
        self.bar.setVisible(waiting)
        self.bar.setRange(0, 0)
        if waiting:
            self.state.setText(self.tr("Embedding all borders; once done, answers are immediate."))

    def _advance(self, fraction: float, text: str) -> None:
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * fraction))
        self.state.setText(text)

    def _refresh_buttons(self) -> None:
        nothing = unless(self.cards.count() > 0, self.tr("Choose a sample on the page first."))
        allow(nothing, self.go_button, self.try_button, self.go_action, self.try_action)

    def _current(self) -> NeighbourLook | None:
        """Return the neighbour that a button means: that of the current card, or the nearest."""
        if self.cards.current is not None:
            return self.cards.current
        return self.inspection.found[0] if self.inspection and self.inspection.found else None

    def _go(self) -> None:
        if (found := self._current()) is not None:
            self.shred_chosen.emit(found.neighbour.sample)

    def _try(self) -> None:
        found = self._current()
        if found is not None and self.inspection is not None:
            self.join_tried.emit(self.inspection.look.sample, found.neighbour.sample.shred)

    def _mark(self) -> None:
        sample, found = self._inspector.sample, self.cards.current
        marked = [sample] if sample is not None and self.isVisible() else []
        if marked and found is not None:
            marked.append(found.neighbour.sample)
        self.marks_changed.emit(tuple(marked))


class SamplePicture(QWidget):
    """A sample in grey, and beside it in ink, enlarged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.images: tuple[QImage, ...] = ()
        self._side = "right"
        self.setFixedSize(2 * _SIDE_PX + 10, _SIDE_PX + 4)
        self.setAccessibleName(self.tr("The sample in grey and in ink"))

    def set_look(self, look: SampleLook) -> None:
        """Show a sample."""
        from core.inspection.sample_view import draw

        self.images = (image_from(draw(look.grey)), image_from(draw(look.ink)))
        self._side = look.sample.side
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colour = QPainter(self), theme.colours().of_side(self._side)
        for number, image in enumerate(self.images):
            place = QRect(2 + number * (_SIDE_PX + 6), 2, _SIDE_PX, _SIDE_PX)
            painter.drawImage(place, image)
            painter.setPen(QPen(QColor(colour), 2))
            painter.drawRect(place)
            # The thick side is the cut.
            x = place.right() if self._side == "right" else place.left()
            painter.setPen(QPen(QColor(colour), 5))
            painter.drawLine(x, place.top(), x, place.bottom())
