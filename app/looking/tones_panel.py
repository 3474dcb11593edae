"""The panel of tones: brightness, contrast, threshold and one colour of ink, on the screen only."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QSlider, QWidget

from app.reasons import allow, unless
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from app.wording import translate
from core.inspection.view_tones import INKS, Ink, ViewTones

_USUAL_THRESHOLD = 160


class Slider(QSlider):
    """A slider that a double click puts back."""

    def __init__(self, least: int, most: int, usual: int, name: str, tip: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._usual = usual
        self.setRange(least, most)
        self.setValue(usual)
        self.setPageStep(10)
        self.setAccessibleName(name)
        self.setToolTip(tip)

    def put_back(self) -> None:
        """Set the usual value."""
        self.setValue(self._usual)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.put_back()


class TonesPanel(QWidget):
    """Lets tones be set; nothing of the case depends on them."""

    changed = Signal(object)
    """The tones that are wanted: `core.inspection.view_tones.ViewTones`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        again = self.tr("a double click puts it back")
        name = self.tr("Brightness")
        self.brightness = Slider(-100, 100, 0, name, f"{name}: {again}")
        name = self.tr("Contrast")
        self.contrast = Slider(-100, 100, 0, name, f"{name}: {again}")
        name = self.tr("Threshold")
        self.threshold = Slider(1, 254, _USUAL_THRESHOLD, name, f"{name}: {again}")
        tip = self.tr("White from this grey value on, black below")
        self.two_tones = build(QCheckBox, self.tr("&Two tones"), toolTip=tip, toggled=self._change)
        tip = self.tr("Ink of one colour alone, everything else white")
        self.ink = build(QComboBox, accessibleName=self.tr("Ink shown"), toolTip=tip)
        for ink in INKS:
            self.ink.addItem(ink_name(ink))
        self._values: dict[QSlider, QLabel] = {}
        self.hint = label(self.tr("On the screen only: pages, exports and the report stay as they are."), wordWrap=True)
        self.reset = button(self.tr("&As It Is"), self.tr("Show tones as they are"), self.put_back)
        in_column(
            self._grid(), in_row(self.reset, None), self.hint, None,
            on=self, margins=(12, 10, 12, 10), spacing=8,
        )  # fmt: skip
        for slider in (self.brightness, self.contrast, self.threshold):
            slider.valueChanged.connect(self._change)
        self.ink.currentIndexChanged.connect(self._change)
        self.threshold.valueChanged.connect(lambda: self.two_tones.setChecked(True))
        self.setAccessibleName(self.tr("Tones of the view"))
        self._change()

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for row, slider in enumerate((self.brightness, self.contrast, self.threshold)):
            value = label(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setMinimumWidth(34)
            self._values[slider] = value
            named = self.two_tones if slider is self.threshold else QLabel(slider.accessibleName())
            grid.addWidget(named, row, 0)
            grid.addWidget(slider, row, 1)
            grid.addWidget(value, row, 2)
        grid.addWidget(QLabel(self.tr("Ink")), 3, 0)
        grid.addWidget(self.ink, 3, 1)
        return grid

    @property
    def tones(self) -> ViewTones:
        """The tones that are wanted."""
        threshold = self.threshold.value() if self.two_tones.isChecked() else None
        ink = INKS[self.ink.currentIndex()]
        return ViewTones(self.brightness.value(), self.contrast.value(), threshold, ink)

    def put_back(self) -> None:
        """Show tones as they are."""
        blocked = [QSignalBlocker(one) for one in (self.brightness, self.contrast, self.threshold, self.ink)]
        for slider in (self.brightness, self.contrast, self.threshold):
            slider.put_back()
        self.ink.setCurrentIndex(0)
        del blocked
        self.two_tones.setChecked(False)
        self._change()

    def _change(self) -> None:
        for slider, shown in self._values.items():
            value = slider.value()
            shown.setText(str(value) if slider is self.threshold else f"{value:+d}" if value else "0")
        plain = self.tr("Tones are shown as they are.")
        allow(unless(self.two_tones.isChecked(), self.two_tones.toolTip()), self._values[self.threshold])
        allow(unless(self.tones, plain), self.reset)
        self.changed.emit(self.tones)


def ink_name(ink: Ink) -> str:
    """Name the ink of a colour."""
    return {
        "all": translate("tones", "All"),
        "black": translate("tones", "Black"),
        "red": translate("tones", "Red"),
        "green": translate("tones", "Green"),
        "blue": translate("tones", "Blue"),
        "violet": translate("tones", "Violet"),
    }[ink]
