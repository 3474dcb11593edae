from collections import Counter

from PySide6.QtCore import Qt

from app.widgets.shortcuts import ShortcutsDialog


def test_list_of_keys_is_complete_and_can_be_searched(qtbot, opened):
    qtbot.keyClick(opened, Qt.Key.Key_F1)
    dialog = opened.findChild(ShortcutsDialog)
    everything = dialog.shown()
    for action in vars(opened.commands).values():
        if hasattr(action, "shortcuts") and action.shortcuts():
            assert action.text().replace("&", "").rstrip("…") in everything
    for action in (panel.action for panel in opened.docks):
        assert action.text() in everything
    qtbot.keyClicks(dialog.search, "export pdf")
    assert dialog.shown() == ["Export Pages"]
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "wheel zoom")
    assert dialog.shown() == ["Zoom at the pointer"]
    qtbot.keyClicks(dialog.search, "xyzzy")
    assert dialog.nothing.isVisible()
    dialog.close()


def test_no_key_stands_for_two_things(opened):
    keys = Counter(key.toString() for action in opened.actions() for key in action.shortcuts())
    assert [key for key, n in keys.items() if n > 1] == []
