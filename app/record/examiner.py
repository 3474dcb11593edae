"""Who works on the case: a name for the history, asked for once, in a line over the page that stops nothing."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app.shell import Shell
from app.widgets.controls import build, button
from app.widgets.layouts import Flow, in_column
from core.system.host import login_name


class Examiner(QObject):
    """Knows who works on the case, and asks when something is done for the first time and no name was given yet.

    Until it is answered, the name of the login stands in the history.

    Parameters
    ----------
    shell : Shell
        The window; its settings keep the name.
    centre : QWidget
        Over the lower edge of which the name is asked for.
    bar : QWidget
        At its lower edge at times: the name is asked for above it.
    """

    def __init__(self, shell: Shell, centre: QWidget, bar: QWidget) -> None:
        super().__init__(shell.parent)
        self._settings = shell.settings
        self._asked = False
        self.line = ExaminerLine(centre, bar)
        self.line.kept.connect(self.keep)
        for widget in (centre, bar):
            widget.installEventFilter(self)
        shell.session.journal.who = self.name
        shell.session.document.arrangement_changed.connect(self.ask_once)

    def name(self) -> str:
        """Return the name that stands in the history."""
        return self._settings.examiner() or login_name()

    def keep(self, name: str) -> None:
        """Remember the name; it is not asked for any more."""
        self._settings.set_examiner(name)
        self.line.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide):
            self.line.settle()
        return False

    def ask_once(self) -> None:
        """Ask for the name, unless it is known or has been asked for; the keys go on to where they went."""
        if not self._asked and not self._settings.examiner():
            self._asked = True
            self.line.show_name(self.name())


class ExaminerLine(QWidget):
    """A field for the name; Enter keeps it, Esc leaves things as they are."""

    kept = Signal(str)

    def __init__(self, over: QWidget, bar: QWidget) -> None:
        super().__init__(over.parentWidget())
        self._over, self._bar = over, bar
        self.setObjectName("examiner_line")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        text = QLabel(self.tr("&Name for the history of this case:"))
        tip = self.tr("From now on; what is recorded already stays as it is. File › Case Details changes it")
        self.field = build(QLineEdit, maxLength=80, minimumWidth=180, toolTip=tip, returnPressed=self._keep)
        self.field.setAccessibleName(self.tr("Name of the examiner"))
        text.setBuddy(self.field)
        tip = self.tr("Use this name from now on, in other cases too (Enter)")
        self.keep_button = button(self.tr("Keep"), tip, self._keep)
        tip = self.tr("Go on under the name of the login (Esc)")
        self.later_button = button(self.tr("Not now"), tip, self.hide, "link")
        row = Flow(text, self.field, self.keep_button, self.later_button, spacing=10)
        self._rows = in_column(row, on=self, margins=(14, 5, 8, 5), spacing=0)
        self.hide()

    def show_name(self, name: str) -> None:
        """Show the field with a name in it."""
        self.field.setText(name)
        self.settle()
        self.show()
        self.raise_()

    def settle(self) -> None:
        """Lie over the lower edge of what is in the middle, so that the page does not move."""
        around = self._over.geometry()
        height = self._rows.totalHeightForWidth(around.width())
        above = self._bar.height() if self._bar.isVisible() else 0
        self.setGeometry(around.left(), around.bottom() + 1 - height - above, around.width(), height)

    def _keep(self) -> None:
        name = " ".join(self.field.text().split())
        if name:
            self.kept.emit(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
