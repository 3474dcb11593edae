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
    rows = dialog.tree.findItems("Not now", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive, 2)
    assert not rows, "it is said what something is for, whether or not it can be done now"
    for action in (panel.action for panel in opened.docks):
        assert action.text() in everything
    qtbot.keyClicks(dialog.search, "export pdf")
    assert dialog.shown() == ["Export Pages"]
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "wheel zoom")
    assert dialog.shown() == ["Zoom at the pointer"]
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "split")
    assert "Split a shred" in dialog.shown()
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "alternative")
    named = {f"Alternative {n}" for n in range(1, 7)}
    assert named <= {*dialog.shown()}, "keys of a panel that was never shown"
    assert dialog.tree.horizontalScrollBar().maximum() == 0, "nothing is out of sight at the right"
    qtbot.keyClicks(dialog.search, "xyzzy")
    assert dialog.nothing.isVisible()
    dialog.close()


def test_no_key_stands_for_two_things(opened):
    keys = Counter(key.toString() for action in opened.actions() for key in action.shortcuts())
    assert [key for key, n in keys.items() if n > 1] == []
