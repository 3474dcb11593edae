from PySide6.QtCore import Qt

from tests.app.looking.looked_at import CTRL, LEFT, SHIFT

Key = Qt.Key


def test_sliders_by_key_and_back_by_double_click(qtbot, opened, canvas):
    qtbot.keyClick(opened, Key.Key_B, CTRL | SHIFT)
    panel = opened.looking.panel
    panel.brightness.setFocus()
    qtbot.keyClick(panel.brightness, Key.Key_Left)
    assert panel.values == (-1, 0, None, "all")
    qtbot.mouseDClick(panel.brightness, LEFT)
    assert panel.as_it_is
    panel.threshold.setFocus()
    qtbot.keyClick(panel.threshold, Key.Key_Right)
    assert panel.values[2] == 161, "a threshold that is set is in force"
    panel.ink.setFocus()
    qtbot.keyClick(panel.ink, Key.Key_Down)
    assert panel.values[3] == "black"
    qtbot.mouseClick(panel.reset, LEFT)
    assert panel.as_it_is
