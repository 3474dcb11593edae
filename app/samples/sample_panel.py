"""The sample inspector: what could stand on the other side of a cut, sample by sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QHideEvent, QImage, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.images import image_from
from app.samples.inspector import Inspector
from app.samples.sample_cards import SampleCards
from app.samples.sample_map import SampleMap
from app.widgets.controls import label
from app.widgets.layouts import fill

if TYPE_CHECKING:
    from core.inspection.sample_view import Inspection, NeighbourLook, SampleLook
    from core.inspection.samples import Sample

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
        self.map = SampleMap(self._look_at)
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
        self.hint = QLabel(
            self.tr(
                "Click a shred near one of its borders, on the page or on its sheet:\n"
                "here is then shown what could stand on the other side of the cut."
            )
        )
        self.hint.setProperty("role", "quiet")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.heading = label(role="heading")
        self.state = label(wordWrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the embeddings"))
        self.bar.hide()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.cards)
        split.addWidget(self.map)
        split.setSizes([300, 220])
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        self._shown = QWidget()
        fill(
            QVBoxLayout(self._shown),
            self.heading,
            self._build_query(),
            self.state,
            self.bar,
            (split, 1),
            margins=(10, 6, 10, 8),
            spacing=6,
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(self._shown)

    def _build_query(self) -> QHBoxLayout:
        """Lay the sample beside what can be done with it."""
        self.detail = label(wordWrap=True)
        side = fill(QVBoxLayout(), self._build_steps(), self._build_search(), self._build_buttons(), None, spacing=4)
        left = fill(QVBoxLayout(), self.picture, self.detail, None, spacing=4)
        return fill(QHBoxLayout(), left, (side, 1), spacing=10)

    def _build_search(self) -> QHBoxLayout:
        self.k_box = QSpinBox()
        self.k_box.setRange(1, _MAX_NEIGHBOURS)
        self.k_box.setValue(self._inspector.k)
        self.k_box.setAccessibleName(self.tr("Number of neighbours"))
        self.k_box.setToolTip(self.tr("How many of the nearest samples are shown, of each shred at most one"))
        self.scope_box = QComboBox()
        for scope, text in (
            ("all", self.tr("on all shreds")),
            ("sheet", self.tr("on this sheet")),
            ("height", self.tr("at this height")),
        ):
            self.scope_box.addItem(text, scope)
        self.scope_box.setAccessibleName(self.tr("Where to look"))
        self.scope_box.setToolTip(
            self.tr("Where samples are looked for; “at this height” allows for the shift between neighbours")
        )
        self.scope_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.k_box.valueChanged.connect(self._search)
        self.scope_box.currentIndexChanged.connect(self._search)
        return fill(QHBoxLayout(), self.k_box, (self.scope_box, 1), spacing=4)

    def _build_steps(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        for text, name, tip, key, act in (
            ("▲", self.tr("Sample Above"), self.tr("Inspect the sample above"), "[", lambda: self._inspector.step(-1)),
            ("▼", self.tr("Sample Below"), self.tr("Inspect the sample below"), "]", lambda: self._inspector.step(1)),
            (
                "⇄",
                self.tr("Other Border"),
                self.tr("Inspect this shred's other border"),
                "X",
                self._inspector.cross,
            ),
        ):
            action = self._action(name, tip, key, act)
            action.setIconText(text)
            button = QToolButton()
            button.setDefaultAction(action)
            button.setAccessibleName(name)
            row.addWidget(button)
        row.addStretch()
        return row

    def _action(self, name: str, tip: str, key: str, act: Callable[[], object]) -> QAction:
        action = QAction(name, self)
        action.setShortcut(key)
        action.setToolTip(f"{tip} ({key})")
        action.setStatusTip(tip)
        action.triggered.connect(act)
        self.addAction(action)
        return action

    def _build_buttons(self) -> QHBoxLayout:
        go_tip = self.tr("Show the shred of the chosen neighbour where it lies")
        try_tip = self.tr("Put the shred of the chosen neighbour beside this one")
        self.go_action = self._action(self.tr("Go to Neighbour"), go_tip, "Ctrl+G", self._go)
        self.try_action = self._action(self.tr("Try the Join"), try_tip, "Ctrl+J", self._try)
        self.go_button, self.try_button = QPushButton(self.tr("Go to")), QPushButton(self.tr("Try"))
        for button, action in ((self.go_button, self.go_action), (self.try_button, self.try_action)):
            button.setToolTip(action.toolTip())
            button.setAccessibleName(action.text())
            button.clicked.connect(action.trigger)
        return fill(QHBoxLayout(), self.go_button, self.try_button, spacing=4)

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
        look = self._look_at(sample) if sample is not None else None
        self._stack.setCurrentWidget(self.hint if look is None else self._shown)
        if look is not None:
            self._describe(look)
        self._refresh_buttons()
        self._mark()

    def _describe(self, look: SampleLook) -> None:
        right = look.sample.side == "right"
        self.heading.setText(
            (self.tr("▶ Right border, {id}") if right else self.tr("◀ Left border, {id}")).format(id=look.sample.shred)
        )
        colours = theme.colours()
        self.heading.setStyleSheet(f"color: {colours.right_border if right else colours.left_border}")
        text = (
            self.tr("{mm:.0f} mm from its top; asks left borders")
            if right
            else self.tr("{mm:.0f} mm from its top; asks right borders")
        )
        self.detail.setText(text.format(mm=look.height_mm))
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
        rank = next((rank for rank, found in enumerate(inspection.found, start=1) if found.by_order), None)
        text = self.tr("In the order it meets {id}, at distance {d:.2f}").format(
            id=inspection.partner.shred, d=inspection.partner_distance
        )
        return (
            f"{text}."
            if rank
            else self.tr("{text}: not among the nearest {n}.").format(text=text, n=len(inspection.found))
        )

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
        for part in (self.go_button, self.try_button, self.go_action, self.try_action):
            part.setEnabled(self.cards.count() > 0)

    def _current(self) -> NeighbourLook | None:
        """Return the neighbour that a button means: that of the current card, or the nearest."""
        if self.cards.current is not None:
            return self.cards.current
        return self.inspection.found[0] if self.inspection and self.inspection.found else None

    def _go(self) -> None:
        found = self._current()
        if found is not None:
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

    def _look_at(self, sample: Sample) -> SampleLook | None:
        return self._inspector.look_at(sample)


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
        painter, colours = QPainter(self), theme.colours()
        colour = colours.right_border if self._side == "right" else colours.left_border
        for number, image in enumerate(self.images):
            place = QRect(2 + number * (_SIDE_PX + 6), 2, _SIDE_PX, _SIDE_PX)
            painter.drawImage(place, image)
            painter.setPen(QPen(QColor(colour), 2))
            painter.drawRect(place)
            # The thick side is the cut.
            x = place.right() if self._side == "right" else place.left()
            painter.setPen(QPen(QColor(colour), 5))
            painter.drawLine(x, place.top(), x, place.bottom())
