import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app.main_window import MainWindow
from app.session.session import Session
from core.arrangement.edits import SetAside


def test_closing_a_panel_unchecks_it_and_its_key_brings_it_back(qtbot, opened):
    action = opened.docks["source"].action
    opened.docks["source"].dock.close()
    assert not action.isChecked()
    opened.session.document.select_sheet(1)
    opened.session.jobs.running_changed.emit()  # whatever refreshes the window must not bring it back
    assert not opened.docks["source"].dock.isVisible()
    qtbot.keyClick(opened, Qt.Key.Key_F8)
    assert opened.docks["source"].dock.isVisible()


def test_panels_can_float(opened):
    features = opened.docks["source"].dock.features()
    assert features & features.DockWidgetFloatable


def test_which_panels_are_shown_is_remembered(qtbot, opened, engine, settings):
    hidden, shown = (
        {panel.dock.objectName() for panel in opened.docks if panel.action.isChecked() == on} for on in (0, 1)
    )
    assert "samples" in hidden
    empty = {panel.dock.objectName() for panel in opened.docks if panel.missing()}  # they cannot be asked for
    for action in (panel.action for panel in opened.docks):
        action.trigger()
    other = MainWindow(Session(engine), settings)
    qtbot.addWidget(other)
    assert {panel.dock.objectName() for panel in other.docks if panel.action.isChecked()} == hidden - empty
    assert shown


def test_a_panel_that_is_asked_for_comes_before_those_that_share_its_place(qtbot, opened):
    def is_in_front(dock):
        place = dock.widget().mapTo(opened, dock.widget().rect().center())
        return opened.rect().contains(place) and dock.isAncestorOf(opened.childAt(place))

    qtbot.keyClick(opened, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: is_in_front(opened.docks["samples"].dock))
    opened.docks.show("source")
    qtbot.waitUntil(lambda: is_in_front(opened.docks["source"].dock) and not is_in_front(opened.docks["samples"].dock))


@pytest.mark.parametrize(("name", "key"), [("options", Qt.Key.Key_Comma), ("history", Qt.Key.Key_H)])
def test_a_panel_to_be_filled_in_takes_the_focus_and_gives_it_back(qtbot, opened, name, key):
    canvas, ctrl = opened.pages.view.canvas, Qt.KeyboardModifier.ControlModifier
    canvas.setFocus()
    qtbot.keyClick(canvas, key, ctrl)
    qtbot.waitUntil(lambda: opened.docks[name].dock.isAncestorOf(opened.focusWidget()))
    qtbot.keyClick(opened.focusWidget(), key, ctrl)
    qtbot.waitUntil(lambda: opened.pages.view.isAncestorOf(opened.focusWidget()))


def test_the_key_of_a_panel_behind_another_brings_it_forward(qtbot, opened):
    source, samples = opened.docks["source"].dock, opened.docks["samples"].dock
    qtbot.keyClick(opened, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: source.visibleRegion().isEmpty() and not samples.visibleRegion().isEmpty())
    qtbot.keyClick(opened, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: samples.visibleRegion().isEmpty() and not source.visibleRegion().isEmpty())
    qtbot.keyClick(opened, Qt.Key.Key_F8)
    assert not opened.docks["source"].action.isChecked()


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_passes_over_panels_that_are_behind_others(qtbot, opened, key):
    opened.session.document.select_shred("1-02")
    source, history = opened.docks["source"].dock, opened.docks["history"].dock
    opened.docks.show("history")
    opened.docks.show("source")
    qtbot.waitUntil(lambda: history.visibleRegion().isEmpty() and not source.visibleRegion().isEmpty())
    opened.pages.view.canvas.setFocus()
    reached = []
    while not reached or reached[-1] is not opened.pages.view.canvas:
        qtbot.keyClick(opened.focusWidget(), key)
        reached.append(opened.focusWidget())
    assert opened.sheets.filmstrip in reached
    assert any(source.isAncestorOf(widget) for widget in reached)
    assert not any(history.isAncestorOf(widget) for widget in reached)


@pytest.mark.parametrize("width", [1016, 675], ids=["XGA", "1366 at 200 %"])
def test_what_is_best_done_next_stays_in_sight(opened, width):
    opened.setMinimumSize(width, 480)  # as on a screen that has no more room
    opened.resize(width, 728)
    assert opened.width() == width
    button = next(one for one in opened.findChildren(QToolButton) if one.defaultAction() is opened.joins.lead)
    assert button.isVisible()
    assert opened.rect().contains(button.mapTo(opened, button.rect().bottomRight()))


@pytest.mark.parametrize("size", [(1016, 728), (1272, 680), (952, 500)], ids=["XGA", "HD", "full HD at 200 %"])
def test_no_panel_makes_the_window_larger_than_a_small_screen(qtbot, opened, size):
    opened.resize(*size)
    for panel in opened.docks:
        panel.action.setChecked(True)
        panel.dock.raise_()
        qtbot.wait(1)
        hint = opened.minimumSizeHint()
        assert hint.width() <= size[0]
        assert (opened.width(), opened.height()) == size, panel.action.text()


def test_a_panel_scrolls_where_it_has_no_room(qtbot, opened):
    opened.resize(opened.minimumSize())
    opened.docks.show("review")
    area = opened.docks["review"].dock.widget()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() + area.horizontalScrollBar().maximum() > 0)
    assert area.widget() is opened.joins.review_queue


@pytest.mark.parametrize("name", ["history", "options", "review", "tones"])
def test_a_panel_that_is_asked_for_is_as_wide_as_it_needs_where_the_window_has_room(qtbot, opened, name):
    opened.resize(952, 500)
    source, docks = opened.docks["source"].dock, opened.docks
    opened.resizeDocks([source], [150], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: source.width() < 200)
    docks.show(name)
    area = docks[name].dock.widget()
    qtbot.waitUntil(lambda: area.horizontalScrollBar().maximum() == 0)
    assert docks[name].dock.width() < opened.width() / 2


def test_options_are_applied_on_a_low_screen_too(qtbot, opened):
    panel = opened.options_panel
    opened.docks.show("options")
    area = opened.docks["options"].dock.widget()
    panel.inputs["solver", "n_pages"].set_value(2)
    opened.setMinimumSize(100, 100)
    opened.resize(952, 300)
    qtbot.waitUntil(lambda: area.isVisible() and area.height() < 200)
    buttons = panel.default_button, panel.revert_button, panel.apply_button
    qtbot.waitUntil(lambda: all(each.visibleRegion().boundingRect() == each.rect() for each in buttons))
    assert area.horizontalScrollBar().maximum() == area.verticalScrollBar().maximum() == 0


def test_the_first_window_fits_its_screen(qtbot, engine, settings):
    window = MainWindow(Session(engine), settings)
    qtbot.addWidget(window)
    assert window.size().boundedTo(window.screen().availableGeometry().size()) == window.size()
    window.session.close()


def test_three_layouts_use_the_whole_window(qtbot, opened):
    def shown():
        return {name for name, panel in opened.docks._panels.items() if panel.dock.isVisible()}

    ctrl, canvas = Qt.KeyboardModifier.ControlModifier, opened.pages.view.canvas
    qtbot.keyClick(opened, Qt.Key.Key_F9, ctrl)
    assert shown() == set()
    qtbot.waitUntil(lambda: canvas.width() == opened.width())
    qtbot.keyClick(opened, Qt.Key.Key_F10, ctrl)
    assert shown() == {"review"}
    qtbot.waitUntil(lambda: abs(opened.docks["review"].dock.width() - opened.width() / 2) < 20)
    opened.session.editor.edit(SetAside(("1-01",)), "setting aside")
    qtbot.keyClick(opened, Qt.Key.Key_F11, ctrl)
    assert shown() == {"set_aside", "source", "order"}
    qtbot.waitUntil(lambda: opened.docks["source"].dock.width() < 0.35 * opened.width())
