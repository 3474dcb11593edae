"""A small panel over the page that turns the chosen shreds by an angle while they are watched."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QFrame, QLabel, QSlider, QWidget

from app.pages.shred_operations import ShredOperations
from app.widgets.controls import build
from app.widgets.layouts import in_row

_RANGE_DEG = 10.0
_STEPS_PER_DEG = 20


class TurnPopup(QFrame):
    """A slider and a number; every change is the same step of the history, so that one Undo takes it back.

    Parameters
    ----------
    window : QWidget
        Over which it is shown.
    operations : ShredOperations
        Turns the shreds.
    """

    def __init__(self, window: QWidget, operations: ShredOperations) -> None:
        super().__init__(window)
        self._operations = operations
        self._before: dict[str, float] = {}
        self.setObjectName("turn_popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hide()
        self._title = QLabel()
        self.slider = build(QSlider, Qt.Orientation.Horizontal, minimumWidth=260, accessibleName=self.tr("Angle"))
        self.slider.setRange(-round(_RANGE_DEG * _STEPS_PER_DEG), round(_RANGE_DEG * _STEPS_PER_DEG))
        self.slider.setInvertedAppearance(True)  # counter-clockwise is to the left
        name, tip = self.tr("Angle, counter-clockwise"), self.tr("Counter-clockwise; Enter closes, Esc takes it back")
        self.angle = build(QDoubleSpinBox, singleStep=0.05, suffix="°", accessibleName=name, toolTip=tip)
        self.angle.setRange(-_RANGE_DEG, _RANGE_DEG)
        in_row(self._title, self.slider, self.angle, on=self, margins=(12, 8, 12, 8), spacing=10)
        self.slider.valueChanged.connect(lambda value: self.angle.setValue(value / _STEPS_PER_DEG))
        self.angle.valueChanged.connect(self._turn)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    def ask(self) -> None:
        """Show the panel for what is chosen."""
        chosen = self._operations.chosen
        if not chosen:
            return
        self._before = {shred: self._operations.angle_deg(shred) for shred in chosen}
        self._title.setText(self.tr("Turn {shreds}").format(shreds=self._operations.named(chosen)))
        with QSignalBlocker(self.slider), QSignalBlocker(self.angle):
            self.angle.setValue(self._before[chosen[-1]])
            self.slider.setValue(round(self._before[chosen[-1]] * _STEPS_PER_DEG))
        self.adjustSize()
        window = self.parentWidget()
        if window is not None:
            self.move((window.width() - self.width()) // 2, 118)
        self.show()
        self.raise_()
        self.angle.setFocus()
        self.angle.selectAll()

    def _follow_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        """Close as soon as the examiner turns to something else."""
        if self.isVisible() and now is not None and not self.isAncestorOf(now):
            self.hide()

    def _turn(self, angle_deg: float) -> None:
        """Turn all chosen shreds by as much as the current one."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(angle_deg * _STEPS_PER_DEG))
        by_deg = angle_deg - list(self._before.values())[-1]
        self._operations.turn_to({shred: angle + by_deg for shred, angle in self._before.items()})

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._operations.turn_to(self._before)
            self.hide()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.hide()
        else:
            super().keyPressEvent(event)
