"""What the tests of this room have in common: a page in the window, and a line dragged over it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

LEFT, SHIFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def drag(view, start, end, modifiers=Qt.KeyboardModifier.NoModifier):
    port = view.viewport()
    QTest.mousePress(port, LEFT, modifiers, start)
    QTest.mouseMove(port, (start + end) / 2)
    QTest.mouseMove(port, end)
    QTest.mouseRelease(port, LEFT, modifiers, end)
