"""What every section of the window needs of the window."""

from dataclasses import dataclass

from PySide6.QtWidgets import QStatusBar, QWidget

from app.actions import Actions
from app.docks import Docks
from app.session.session import Session
from app.settings import Settings
from app.widgets.messages import NoticeBar


@dataclass(frozen=True, eq=False)
class Shell:
    """Stands for the window in its sections; what only some of them need is passed to those.

    Attributes
    ----------
    session : Session
        What is open.
    settings : Settings
        What the window remembers between sessions.
    actions : Actions
        Of menus, tool bar and keys.
    docks : Docks
        The panels around the page.
    notices : NoticeBar
        Says what is worth knowing and stops nothing.
    status_bar : QStatusBar
        At the foot of the window.
    parent : QWidget
        The window itself, as the parent of dialogs.
    """

    session: Session
    settings: Settings
    actions: Actions
    docks: Docks
    notices: NoticeBar
    status_bar: QStatusBar
    parent: QWidget
