"""Who works on the case: a name for the history, asked for once, in a line below the page that stops nothing."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app.shell import Shell
from app.widgets.controls import build, button
from app.widgets.layouts import Flow, in_column
from core.system.host import login_name

_FIELD_PX = 130
"""All of the line is one row where a small screen is shown at 200 %."""


class Examiner(QObject):
    """Knows who works on the case, and asks when something is done for the first time and no name was given yet.

    Until it is answered, the name of the login stands in the history.

    Parameters
    ----------
    shell : Shell
        The window; its settings keep the name.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._settings = shell.settings
        self._asked = False
        self.line = ExaminerLine()
        self.line.kept.connect(self.keep)
        shell.session.journal.who = self.name
        shell.session.document.arrangement_changed.connect(self.ask_once)

    def name(self) -> str:
        """Return the name that stands in the history."""
        return self._settings.examiner() or login_name()

    def keep(self, name: str) -> None:
        """Remember the name; it is not asked for any more."""
        self._settings.set_examiner(name)
        self.line.hide()

    def ask_once(self) -> None:
        """Ask for the name, unless it is known or has been asked for; the keys go on to where they went."""
        if not self._asked and not self._settings.examiner():
            self._asked = True
            self.line.show_name(self.name())


class ExaminerLine(QWidget):
    """A field for the name; Enter keeps it, Esc leaves things as they are."""

    kept = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("examiner_line")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        text = QLabel(self.tr("&Name for the history:"))
        tip = self.tr("From now on; what is recorded already stays as it is. File › Case Details changes it")
        self.field = build(QLineEdit, maxLength=80, toolTip=tip, returnPressed=self._keep)
        self.field.setAccessibleName(self.tr("Name of the examiner"))
        self.field.setFixedWidth(_FIELD_PX)
        text.setBuddy(self.field)
        tip = self.tr("Use this name from now on, in other cases too (Enter)")
        self.keep_button = button(self.tr("Keep"), tip, self._keep)
        tip = self.tr("Go on under the name of the login (Esc)")
        self.later_button = button(self.tr("Not now"), tip, self.hide, "link")
        row = Flow(text, self.field, self.keep_button, self.later_button, spacing=10)
        in_column(row, on=self, margins=(14, 5, 8, 5), spacing=0)
        self.hide()

    def show_name(self, name: str) -> None:
        """Show the field with a name in it."""
        self.field.setText(name)
        self.show()

    def _keep(self) -> None:
        name = " ".join(self.field.text().split())
        if name:
            self.kept.emit(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
