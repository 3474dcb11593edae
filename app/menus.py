"""Menus and tool bar of the main window, built from its actions."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from app.wording import translate

if TYPE_CHECKING:
    from app.main_window import MainWindow


def build_menus(window: MainWindow) -> QMenu:
    """Build the menu bar.

    Returns
    -------
    QMenu
        The one to be filled with what was opened lately.
    """
    actions, bar = window.commands, window.menuBar()
    file_menu = bar.addMenu(translate("menus", "&File"))
    file_menu.addActions([actions.open, actions.open_folder, actions.add])
    recent_menu = file_menu.addMenu(translate("menus", "Open &Recent"))
    recent_menu.setToolTipsVisible(True)
    file_menu.addAction(actions.sample)
    file_menu.addSeparator()
    file_menu.addActions([actions.again, actions.cancel])
    file_menu.addSeparator()
    file_menu.addActions([actions.save, actions.save_as, actions.save_packed, actions.verify])
    file_menu.addSeparator()
    file_menu.addActions([actions.export, actions.export_folder, actions.report])
    file_menu.addSeparator()
    file_menu.addAction(actions.quit)
    edit_menu = bar.addMenu(translate("menus", "&Edit"))
    edit_menu.addActions([actions.undo, actions.redo])
    edit_menu.addSeparator()
    fill_shred_menu(window, edit_menu)
    edit_menu.addSeparator()
    edit_menu.addActions([actions.note, actions.examiner])
    join_menu = bar.addMenu(translate("menus", "&Joins"))
    join_menu.addActions([actions.confirm, actions.forbid])
    join_menu.addSeparator()
    join_menu.addAction(actions.solve_again)
    view_menu = bar.addMenu(translate("menus", "&View"))
    view_menu.addActions([actions.fit, actions.actual_size, actions.zoom_in, actions.zoom_out, actions.loupe])
    view_menu.addSeparator()
    view_menu.addActions([actions.previous_page, actions.next_page, actions.first_page, actions.last_page])
    view_menu.addSeparator()
    view_menu.addActions([action for action, _ in window.panels])
    view_menu.addActions([actions.larger_thumbnails, actions.smaller_thumbnails])
    view_menu.addSeparator()
    _fill_theme_menu(window, view_menu.addMenu(translate("menus", "&Theme")))
    help_menu = bar.addMenu(translate("menus", "&Help"))
    help_menu.addActions([actions.shortcuts, actions.log, actions.about])
    return recent_menu


def fill_shred_menu(window: MainWindow, menu: QMenu) -> None:
    """Add what can be done with the chosen shreds; the Edit menu and the context menu have the same."""
    actions = window.commands
    menu.addActions([actions.cut, actions.paste, actions.paste_before, actions.choose_page])
    menu.addSeparator()
    menu.addActions([actions.move_left, actions.move_right])
    menu.addActions([actions.to_previous_page, actions.to_next_page, actions.to_new_page])
    menu.addSeparator()
    menu.addActions([actions.begin_page, actions.merge_pages])
    menu.addSeparator()
    menu.addActions([actions.set_aside, actions.bring_back])
    menu.addSeparator()
    menu.addActions([actions.half_turn, actions.nudge_up, actions.nudge_down])
    menu.addActions([actions.turn_left, actions.turn_right, actions.turn])


def _fill_theme_menu(window: MainWindow, menu: QMenu) -> None:
    group = QActionGroup(window)
    texts = {
        "system": translate("menus", "As the &System"),
        "light": translate("menus", "&Light"),
        "dark": translate("menus", "&Dark"),
    }
    for number, (name, text) in enumerate(texts.items(), start=1):
        action = QAction(text, group)
        action.setCheckable(True)
        action.setChecked(window.settings.theme() == name)
        action.setShortcut(f"Ctrl+Alt+{number}")
        action.setToolTip(translate("menus", "Colours of the window (Ctrl+Alt+{n})").format(n=number))
        action.triggered.connect(functools.partial(window.set_theme, name))
        menu.addAction(action)


def build_tool_bar(window: MainWindow) -> QLabel:
    """Build the tool bar.

    Returns
    -------
    QLabel
        The one to say which page is shown.
    """
    actions, bar = window.commands, QToolBar(translate("menus", "Tools"))
    bar.setObjectName("tools")
    bar.setMovable(False)
    page_label = QLabel()
    page_label.setMinimumWidth(96)
    page_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    spacer = QWidget()
    spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    with_text = {
        actions.open: translate("menus", "Open"),
        actions.add: translate("menus", "Add"),
        actions.export: translate("menus", "Export"),
    }
    bar.addActions(list(with_text))
    bar.addSeparator()
    bar.addAction(actions.again)
    bar.addWidget(spacer)
    bar.addAction(actions.previous_page)
    bar.addWidget(page_label)
    bar.addAction(actions.next_page)
    separator = bar.addSeparator()
    actions.next_page.changed.connect(lambda: separator.setVisible(actions.next_page.isVisible()))
    bar.addActions([actions.zoom_out, actions.zoom_in, actions.fit, actions.actual_size])
    for action in bar.actions():
        button = bar.widgetForAction(action)
        if isinstance(button, QToolButton):
            button.setAccessibleName(action.text().replace("&", ""))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if action in with_text:
                action.setIconText(with_text[action])
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    window.addToolBar(bar)
    return page_label
