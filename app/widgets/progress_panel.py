"""How far the work is: stage, fraction, time left, Cancel."""

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app import wording
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from core.progress import RemainingTime

_STEPS = 1000

_LEAST_PX = 60
"""A long name is cut rather than let it push the panels at the sides, which would stay as narrow afterwards."""


class ProgressPanel(QWidget):
    """Shows the work that the user waits for."""

    cancel_clicked = Signal()
    pause_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("progress_panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title, self.stage, self._left = label(role="heading"), label(), label()
        for text in (self._title, self.stage):
            text.setMinimumWidth(_LEAST_PX)
        self._bar = build(QProgressBar, textVisible=False, accessibleName=self.tr("Progress"))
        self.cancel_button = button(self.tr("Cancel"), self.tr("Stop the work (Esc)"), self.cancel_clicked)
        self.pause_button = button(self.tr("Pause"), "", self.pause_clicked)
        self._halted_at: float | None = None
        texts = in_row(self._title, (self.stage, 1), self._left, spacing=12)
        column = in_column(texts, self._bar, spacing=8)
        in_row((column, 1), self.pause_button, self.cancel_button, on=self, margins=(18, 12, 18, 12), spacing=18)
        self._remaining = RemainingTime(0)
        self._clock = build(QTimer, self, interval=500, timeout=self._tick)
        self.hide()

    def end(self) -> None:
        """Hide the panel: nothing runs."""
        self.hide()
        self._clock.stop()

    def begin(self, title: str) -> None:
        """Show a piece of work."""
        self.show()
        self._title.setText(title)
        self.stage.setText(self.tr("Starting"))
        self._left.clear()
        self._bar.setRange(0, 0)  # unknown until the first report
        self._remaining = RemainingTime(time.monotonic())
        self._halted_at = None
        self.set_paused(False)
        self._clock.start()

    def advance(self, fraction: float, text: str) -> None:
        """Show how far it is."""
        self._bar.setRange(0, _STEPS)
        self._bar.setValue(round(_STEPS * fraction))
        self.stage.setText(text)
        self._remaining.update(time.monotonic(), fraction)

    def set_paused(self, on: bool) -> None:
        """Show that the work stands still, or that it goes on; that time is none of its own."""
        if on and self._halted_at is None:
            self._halted_at = time.monotonic()
        elif not on and self._halted_at is not None:
            self._remaining.shift(time.monotonic() - self._halted_at)
            self._halted_at = None
        tip = self.tr("Let the work stand still, once what has been begun is done (Pause)")
        self.pause_button.setText(self.tr("Go On") if on else self.tr("Pause"))
        self.pause_button.setToolTip(self.tr("Go on with the work (Pause)") if on else tip)
        self._tick()

    def _tick(self) -> None:
        if self._halted_at is not None:
            self._left.setText(self.tr("paused"))
            return
        self._left.setText(wording.time_left(self._remaining.seconds(time.monotonic())))
