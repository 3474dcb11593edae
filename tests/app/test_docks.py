from PySide6.QtCore import Qt

from app.main_window import MainWindow
from app.session.session import Workspace


def test_closing_a_panel_unchecks_it_and_its_key_brings_it_back(qtbot, opened):
    action = next(action for action, dock in opened.panels if dock is opened.source_dock)
    opened.source_dock.close()
    assert not action.isChecked()
    opened.workspace.select_sheet(1)
    opened.workspace.running_changed.emit()  # whatever refreshes the window must not bring it back
    assert not opened.source_dock.isVisible()
    qtbot.keyClick(opened, Qt.Key.Key_F8)
    assert opened.source_dock.isVisible()


def test_panels_can_float(opened):
    features = opened.source_dock.features()
    assert features & features.DockWidgetFloatable


def test_which_panels_are_shown_is_remembered(qtbot, opened, engine, settings):
    hidden, shown = ({dock.objectName() for action, dock in opened.panels if action.isChecked() == on} for on in (0, 1))
    assert "samples" in hidden
    for action, _ in opened.panels:
        action.trigger()
    other = MainWindow(Workspace(engine), settings)
    qtbot.addWidget(other)
    assert {dock.objectName() for action, dock in other.panels if action.isChecked()} == hidden
    assert shown


def test_a_panel_that_is_asked_for_comes_before_those_that_share_its_place(qtbot, opened):
    def is_in_front(dock):
        place = dock.widget().mapTo(opened, dock.widget().rect().center())
        return opened.rect().contains(place) and dock.isAncestorOf(opened.childAt(place))

    qtbot.keyClick(opened, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: is_in_front(opened.samples_dock), timeout=5000)
    opened.panels.show(opened.source_dock)
    qtbot.waitUntil(lambda: is_in_front(opened.source_dock) and not is_in_front(opened.samples_dock), timeout=5000)
