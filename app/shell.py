"""What every section of the window needs of the window."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject
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


class DoneMessage(QObject):
    """Says what a step did, with Undo, until that would take back another step.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._notices, self._session = shell.notices, shell.session
        self._told: tuple[str, int] = ("", 0)
        self._session.document.history_changed.connect(self._withdraw)

    def tell(self, text: str) -> None:
        """Say what has just been done."""
        undo = QCoreApplication.translate("messages", "Undo")
        self._notices.tell(text, undo, self._session.editor.undo)
        self._told = text, self._session.document.undo_stack.index()

    def _withdraw(self) -> None:
        text, index = self._told
        if self._session.document.undo_stack.index() != index:
            self._notices.withdraw(text)
