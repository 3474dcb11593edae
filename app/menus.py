"""The menus of the window, made of its actions; keys reach what is grey in them, too, and why it is so."""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QToolTip, QWidget

from app.actions import Actions
from app.reasons import reason_against
from app.wording import translate

if TYPE_CHECKING:
    from PySide6.QtWidgets import QProxyStyle


def build_menus(
    bar: QMenuBar,
    actions: Actions,
    recent: QMenu,
    panels: Iterable[QAction],
    chosen_theme: str,
    choose_theme: Callable[[str], object],
) -> None:
    """Build the menu bar.

    Parameters
    ----------
    bar : QMenuBar
        Of the window.
    actions : Actions
        What is in the menus.
    recent : QMenu
        What was opened lately.
    panels : iterable of QAction
        They show and hide the panels.
    chosen_theme : str
        The theme that is marked.
    choose_theme : callable
        Puts another one in force.
    """
    opening = [actions.open, actions.open_folder, actions.add, recent.menuAction(), actions.sample]
    saving = [actions.save, actions.save_as, actions.save_packed, actions.details, actions.verify]
    exports = [actions.export, actions.export_folder, actions.report]
    file_menu = bar.addMenu(translate("menus", "&File"))
    _fill_menu(file_menu, opening, [actions.again, actions.pause, actions.cancel], saving, exports, [actions.quit])
    edit_menu = bar.addMenu(translate("menus", "&Edit"))
    _fill_menu(edit_menu, [actions.undo, actions.redo])
    fill_shred_menu(actions, edit_menu)
    finding = [actions.find, actions.find_next, actions.find_previous, actions.copy_text]
    _fill_menu(edit_menu, finding, [actions.note], [actions.mend, actions.withdraw], [actions.cache])
    join_menu = bar.addMenu(translate("menus", "&Joins"))
    below = [actions.confirm_below, actions.forbid_below]
    _fill_menu(join_menu, [actions.confirm, actions.forbid, *below, actions.release], [actions.solve_again])
    zooms = [actions.fit, actions.fit_width, actions.actual_size, actions.zoom_in, actions.zoom_out]
    looking = [actions.loupe, actions.measure, actions.guide, actions.level_page, actions.annotate]
    turning = [actions.previous_page, actions.next_page, actions.first_page, actions.last_page]
    pages_menu = bar.addMenu(translate("menus", "&Pages"))
    doubtful = [actions.next_doubtful, actions.previous_doubtful]
    _fill_menu(pages_menu, [actions.table, *turning, actions.go_to_page], doubtful)
    pages_menu.addSeparator()
    pages_menu.addMenu(translate("menus", "&Show Only")).addActions(actions.filters)
    fill_page_menu(actions, pages_menu)
    pages = [actions.reading_page]
    view_menu = bar.addMenu(translate("menus", "&View"))
    _fill_menu(view_menu, zooms, looking, pages, [actions.larger_thumbnails, actions.smaller_thumbnails])
    view_menu.addSeparator()
    view_menu.addMenu(translate("menus", "Panel&s")).addActions([*panels])
    layouts = [actions.to_read, actions.to_review, actions.to_correct]
    view_menu.addMenu(translate("menus", "La&yout")).addActions(layouts)
    _fill_theme_menu(view_menu.addMenu(translate("menus", "&Theme")), chosen_theme, choose_theme)
    help_menu = bar.addMenu(translate("menus", "&Help"))
    help_menu.addActions([actions.shortcuts, actions.log, actions.about])
    for menu in bar.findChildren(QMenu):
        menu.setToolTipsVisible(True)  # they say why what is grey cannot be done now


def _fill_menu(menu: QMenu, *groups: Sequence[QAction]) -> None:
    """Add actions to a menu, with a line between one group and the next."""
    for group in groups:
        if not menu.isEmpty():
            menu.addSeparator()
        menu.addActions(group)


def fill_shred_menu(actions: Actions, menu: QMenu) -> None:
    """Add what can be done with the chosen shreds; the Edit menu and the context menu have the same."""
    to_pages = [actions.to_previous_page, actions.to_next_page, actions.to_new_page]
    moves, adjusting = QMenu(translate("menus", "M&ove"), menu), QMenu(translate("menus", "Ad&just"), menu)
    _fill_menu(
        menu,
        [actions.cut, actions.paste, actions.paste_before, actions.choose_page],
        [moves.menuAction(), actions.set_aside, actions.bring_back, actions.lay_on_desk, actions.pin],
        [actions.half_turn, adjusting.menuAction()],
        [actions.begin_page, actions.merge_pages, actions.turn_page, actions.turn_over],
    )
    rows = [
        actions.row_up,
        actions.row_down,
        actions.row_left,
        actions.row_right,
        actions.row_alone,
        actions.row_turned,
    ]
    _fill_menu(moves, [actions.move_left, actions.move_right], to_pages, rows)
    turns = [actions.turn_left, actions.turn_right, actions.turn, actions.turn_chosen_over]
    _fill_menu(adjusting, [actions.nudge_up, actions.nudge_down], turns)
    for part in (moves, adjusting):
        part.setToolTipsVisible(True)


def fill_page_menu(actions: Actions, menu: QMenu) -> None:
    """Add what can be done with the chosen pages; the Pages menu and the context menu have the same."""
    states = [actions.page_new, actions.page_reviewed, actions.page_done]
    moves = [actions.page_earlier, actions.page_later]
    _fill_menu(menu, [actions.name_page, actions.group_pages], states, moves)


def fill_sheet_menu(actions: Actions, menu: QMenu) -> None:
    """Add what can be done with the chosen sheet, and with their list."""
    sizes = [actions.larger_thumbnails, actions.smaller_thumbnails]
    _fill_menu(menu, [actions.mend, actions.withdraw], sizes)


def _fill_theme_menu(menu: QMenu, chosen: str, choose: Callable[[str], object]) -> None:
    group = QActionGroup(menu)
    texts = {
        "system": translate("menus", "As the &System"),
        "light": translate("menus", "&Light"),
        "dark": translate("menus", "&Dark"),
    }
    for number, (name, text) in enumerate(texts.items(), start=1):
        action = QAction(text, group, checkable=True, checked=chosen == name)
        action.setShortcut(f"Ctrl+Alt+{number}")
        action.setToolTip(translate("menus", "Theme: the colours of the window (Ctrl+Alt+{n})").format(n=number))
        action.triggered.connect(functools.partial(choose, name))
        menu.addAction(action)


def reach_all(menu: QMenu) -> None:
    """Let keys reach all entries of a menu; why one is grey stands beside it, as a long menu covers the foot."""
    menu.aboutToShow.connect(lambda: menu.setStyle(_menu_style()))
    menu.hovered.connect(lambda action: _tell_beside(menu, action))


@functools.cache
def _menu_style() -> "QProxyStyle":
    """Make a style that lets the arrow keys reach what is grey in a menu, too, once a menu is shown first."""
    from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleHintReturn, QStyleOption  # some 20 ms of the start

    class MenuStyle(QProxyStyle):
        def styleHint(
            self,
            hint: QStyle.StyleHint,
            option: QStyleOption | None = None,
            widget: QWidget | None = None,
            returned: QStyleHintReturn | None = None,
        ) -> int:
            if hint == QStyle.StyleHint.SH_Menu_AllowActiveAndDisabled:
                return 1
            return super().styleHint(hint, option, widget, returned)

    return MenuStyle(QApplication.style().name())


def _tell_beside(menu: QMenu, action: QAction) -> None:
    place = menu.actionGeometry(action)
    tip = action.toolTip() if reason_against(action) else ""
    QToolTip.showText(menu.mapToGlobal(place.bottomLeft()), tip, menu, place)
