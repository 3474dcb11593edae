"""What the windows that ask what to write have in common."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout, QHBoxLayout, QWidget

from app import wording
from app.reasons import allow, unless
from app.shell import Shell
from app.widgets.controls import TicksButton, build
from app.widgets.layouts import in_column, in_row, scrolling
from core.text import tesseract


class TextChoice(QObject):
    """A box that is ticked if the pages are to be read, where that is possible, and a button for the languages."""

    def __init__(self, shell: Shell, text: str, dialog: QDialog) -> None:
        super().__init__(dialog)
        self._settings = shell.settings
        missing = self.tr("Needs Tesseract, which is not installed on this machine")
        installed = tesseract.installed()
        self.box = check(text, self.tr("Tesseract reads the pages; it can err"))
        allow(unless(installed, missing), self.box)
        self.button = TicksButton(self.tr("Languages of the text"))
        self.button.setText(self._settings.languages())
        self.box.toggled.connect(self._follow)
        self._follow(False)
        self.button.changed.connect(lambda ticked: self._settings.set_languages("+".join(ticked)))
        if installed:
            jobs = shell.session.jobs
            jobs.start(lambda progress, deliver: jobs.engine.languages()).succeeded.connect(self._offer)

    def _follow(self, ticked: bool) -> None:
        allow(unless(ticked, self.tr("Without text there is no language to choose.")), self.button)

    def _offer(self, available: tuple[str, ...]) -> None:
        usable = tesseract.usable(self._settings.languages(), available)
        self.button.offer(wording.languages(available), usable.split("+"))

    @property
    def languages(self) -> str:
        """In which languages the pages are to be read; "" if not at all."""
        return self.button.text() if self.box.isChecked() else ""


def check(text: str, tip: str) -> QCheckBox:
    """Build a box to be ticked."""
    return build(QCheckBox, text, toolTip=tip)


def choice(values: Mapping[str, str | None], tip: str) -> QComboBox:
    """Build a list of which one is chosen, each with its value."""
    box = build(QComboBox, toolTip=tip)
    for text, value in values.items():
        box.addItem(text, value)
    return box


def finish(dialog: QDialog, form: QFormLayout, go_on: str, beside: QWidget | None = None) -> QDialogButtonBox:
    """Add buttons below a form, perhaps something beside it, and all into a dialog."""
    choices = QDialogButtonBox.StandardButton
    buttons = build(QDialogButtonBox, choices.Ok | choices.Cancel, accepted=dialog.accept, rejected=dialog.reject)
    buttons.button(choices.Ok).setText(go_on)
    buttons.button(choices.Ok).setProperty("main", True)
    form.setHorizontalSpacing(12)
    form.setVerticalSpacing(8)
    main: QFormLayout | QHBoxLayout = form if beside is None else in_row(scrolling(form), (beside, 1), spacing=18)
    in_column((main, 1), buttons, on=dialog, margins=(16, 14, 16, 12), spacing=14)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return buttons
