from PySide6.QtCore import Qt

from core.inspection.view_tones import ViewTones
from tests.app.looking.looked_at import CTRL, LEFT, SHIFT

Key = Qt.Key


def test_sliders_by_key_and_back_by_double_click(qtbot, opened, canvas):
    qtbot.keyClick(opened, Key.Key_B, CTRL | SHIFT)
    panel = opened.looking.panel
    panel.brightness.setFocus()
    qtbot.keyClick(panel.brightness, Key.Key_Left)
    assert panel.tones == ViewTones(brightness=-1)
    qtbot.mouseDClick(panel.brightness, LEFT)
    assert not panel.tones
    panel.threshold.setFocus()
    qtbot.keyClick(panel.threshold, Key.Key_Right)
    assert panel.tones.threshold == 161, "a threshold that is set is in force"
    panel.ink.setFocus()
    qtbot.keyClick(panel.ink, Key.Key_Down)
    assert panel.tones.ink == "black"
    qtbot.mouseClick(panel.reset, LEFT)
    assert not panel.tones
