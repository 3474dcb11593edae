"""Why something cannot be done now: shown where it is offered, and said when its key is pressed.

Nothing else in the window enables or disables anything, so that there is a reason wherever something is disabled.
"""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QStatusTipEvent
from PySide6.QtWidgets import QApplication, QToolBar, QWidget

translate = QCoreApplication.translate

_REASON, _TIP = "reason", "tip_when_allowed"


def allow(reason: str, *things: QAction | QWidget) -> None:
    """Allow actions and controls if there is no reason against it; otherwise their tips give the reason."""
    for thing in things:
        if reason != reason_against(thing):
            _show(thing, reason)
        thing.setEnabled(not reason)


def reason_against(thing: QAction | QWidget) -> str:
    """Return why something cannot be done now; "" if it can."""
    return thing.property(_REASON) or ""


def tip_of(action: QAction) -> str:
    """Return what an action is for, whether or not it is allowed now."""
    tool_tip, status_tip = action.property(_TIP) if reason_against(action) else (action.toolTip(), action.statusTip())
    return str(status_tip or tool_tip)


def set_tip(thing: QWidget, tip: str) -> None:
    """Give a control another tip, whether or not it is allowed now."""
    reason = reason_against(thing)
    if reason:
        _show(thing, "")
    thing.setToolTip(tip)
    if reason:
        _show(thing, reason)


def _show(thing: QAction | QWidget, reason: str) -> None:
    if not reason_against(thing):
        thing.setProperty(_TIP, [thing.toolTip(), thing.statusTip()])
    tool_tip, status_tip = thing.property(_TIP)
    thing.setProperty(_REASON, reason)
    if reason:
        not_now = translate("reasons", "Not now. {reason}").format(reason=reason)
        tool_tip, status_tip = "\n".join(filter(None, (tool_tip, not_now))), not_now
    thing.setToolTip(tool_tip)
    thing.setStatusTip(status_tip)
    for button in _buttons(thing):
        if button.underMouse():  # Qt clears a tip in the status line on leaving, but not where there is none any more
            QApplication.sendEvent(button, QStatusTipEvent(status_tip))


def _buttons(thing: QAction | QWidget) -> list[QWidget]:
    """List what shows a tip in the status line while the pointer rests on it."""
    if isinstance(thing, QWidget):
        return [thing]
    bars = [one for one in thing.associatedObjects() if isinstance(one, QToolBar)]
    return [button for bar in bars if (button := bar.widgetForAction(thing)) is not None]


def first_reason(*reasons: str) -> str:
    """Return the first of several reasons that there is."""
    return next(filter(None, reasons), "")


def unless(possible: object, reason: str) -> str:
    """Return a reason, unless what it is about is possible."""
    return "" if possible else reason


def unless_case(has_case: object) -> str:
    """Return why what needs a case cannot be done; "" with one."""
    return unless(has_case, translate("reasons", "No case is open: open scans or a case first."))


def unless_page(has_case: object, n_pages: int) -> str:
    """Return why what needs a page cannot be done; "" with one."""
    return first_reason(unless_case(has_case), unless(n_pages, translate("reasons", "No shred stands on a page.")))


def unless_chosen(chosen: object) -> str:
    """Return why what needs a chosen shred cannot be done; "" with one."""
    return unless(chosen, translate("reasons", "Choose a shred on the page or in the strip first."))


def unless_running(title: str) -> str:
    """Return why what has to wait for something else cannot be done, by its title; "" if nothing runs."""
    text = translate("reasons", "“{running}” is still under way; wait for it, or cancel it with Esc.")
    return unless(not title, text.format(running=title))


def unless_first(page: int) -> str:
    """Return why there is no page before one, counted from 0."""
    return unless(page > 0, translate("reasons", "This is the first page."))


def unless_last(page: int, n_pages: int) -> str:
    """Return why there is no page after one, counted from 0."""
    return unless(page < n_pages - 1, translate("reasons", "This is the last page."))
