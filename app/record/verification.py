"""Verifying the case: on a worker, with a table of what was looked at and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.shell import Shell
from app.widgets import messages
from app.widgets.controls import build, label
from app.widgets.layouts import give_size, in_column, in_row
from app.wording import short, translate
from core.case.history import History

if TYPE_CHECKING:
    from core.verification.verify import Check, Verification


SaveFirst: TypeAlias = Callable[[Callable[[], object], str, str], object]
"""Takes what to go on with, and what to say, and to write on a button, if the case is to be saved before."""


class Verifier(QObject):
    """Verifies the case file that is open.

    Parameters
    ----------
    shell : Shell
        The window.
    save_first : callable
        Goes on once the case file has everything.
    """

    def __init__(self, shell: Shell, save_first: SaveFirst) -> None:
        super().__init__(shell.parent)
        self._shell, self._session, self._save_first = shell, shell.session, save_first
        shell.actions.verify.triggered.connect(self.verify)

    def verify(self) -> None:
        """Verify the file; what it does not have yet is to be saved first."""
        if self._session.document.case is not None:
            text = self.tr("What is verified is the file; it does not have everything yet.")
            self._save_first(self._verify, text, self.tr("Save and Verify"))

    def _verify(self) -> None:
        document, jobs = self._session.document, self._session.jobs
        path, case = document.read_from, document.case
        if path is None or case is None or jobs.busy:
            return
        engine, folders = jobs.engine, self._session.originals.folders
        task = jobs.start(lambda progress, deliver: engine.verify(path, folders, progress))
        jobs.wait_for(task, "verify", self.tr("Verifying {name}").format(name=short(path.name)))
        task.succeeded.connect(lambda done: self._show(path, done, case.history))

    def _show(self, path: Path, done: Verification, history: History) -> None:
        dialog = VerificationDialog(path, done, history, self._shell.parent)
        dialog.folder_button.clicked.connect(lambda: self._look_elsewhere(dialog))
        dialog.open()

    def _look_elsewhere(self, dialog: QDialog) -> None:
        """Verify again with the sheets in another folder."""
        folder = messages.choose_sheets_folder(self._shell.parent, self._shell.settings.folder("open"))
        if folder is not None:
            self._session.originals.add(folder)
            dialog.accept()
            self._verify()


class VerificationDialog(QDialog):
    """What came of it, in a sentence and a table; a hash that was noted can be compared."""

    def __init__(self, path: Path, done: Verification, history: History, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path, self._done, self._history = path, done, history
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Verification of {name}").format(name=path.name))
        give_size(self, 760, 560)
        rows = self._build_head(), (self._build_table(), 1), self._build_comparison(), self._build_buttons()
        in_column(*rows, on=self, margins=(18, 16, 18, 14), spacing=10)

    def _build_head(self) -> QHBoxLayout:
        colours, holds = theme.colours(), self._done.holds
        picture = QLabel(alignment=Qt.AlignmentFlag.AlignTop)
        icon, colour = ("information", colours.sure) if holds else ("error", colours.doubtful)
        picture.setPixmap(theme.picture(icon, 28, colour, self.devicePixelRatioF()))
        self.title = label(self.tr("Verified") if holds else self.tr("Not verified"), "title")
        text = self.tr("Nothing was altered, and the history leads from the sheets to these very pages.")
        if not holds:
            text = self._done.first_difference or self.tr("Something could not be checked.")
        self.text = QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = in_column(self.title, self.text, spacing=4)
        return in_row(picture, (words, 1), spacing=14)

    def _build_table(self) -> QTreeWidget:
        self.table = build(QTreeWidget, rootIsDecorated=False, wordWrap=True)
        self.table.setAccessibleName(self.tr("What was looked at"))
        self.table.setHeaderLabels([self.tr("What"), self.tr("Outcome"), self.tr("Found")])
        self.table.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        colours = theme.colours()
        shades = {"ok": colours.sure, "failed": colours.doubtful, "noted": colours.fair}
        for check in self._done.checks:
            item = QTreeWidgetItem(self.table, [named(check), outcome(check), check.text])
            item.setToolTip(2, check.text)
            item.setForeground(1, QColor(shades.get(check.outcome, colours.quiet)))
        header = self.table.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        return self.table

    def _build_comparison(self) -> QVBoxLayout:
        """Let a hash be entered that was written down when the case was handed over."""
        placeholder, name = self.tr("SHA-256 of a step, as it was written down"), self.tr("Hash that was written down")
        tip = self.tr("Only a hash that was kept elsewhere shows that the whole history was not written anew")
        self.noted = build(QLineEdit, placeholderText=placeholder, accessibleName=name, toolTip=tip)
        self.noted.textChanged.connect(self._compare)
        self.comparison = label(textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self._compare("")
        return in_column(self.noted, self.comparison, spacing=4)

    def _build_buttons(self) -> QDialogButtonBox:
        buttons = build(QDialogButtonBox, QDialogButtonBox.StandardButton.Close, rejected=self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        self.copy_button = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setToolTip(self.tr("Copy the table as text"))
        self.copy_button.clicked.connect(self._copy)
        self.folder_button = buttons.addButton(self.tr("Folder of the Sheets…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.folder_button.setToolTip(self.tr("Look for the sheets there, and verify again"))
        missing = any(check.name == "sheets" and check.outcome == "failed" for check in self._done.checks)
        self.folder_button.setVisible(missing)
        return buttons

    def _compare(self, text: str) -> None:
        noted = text.strip().lower()
        number = next((entry.number for entry in self._history if entry.sha256 == noted), None)
        if not noted:
            comparison = self.tr("Last step: {sha256}").format(sha256=self._done.last_sha256 or "–")
        elif number is not None:
            comparison = self.tr("✓ It is the hash of step {n} of {all}.").format(n=number, all=len(self._history))
        else:
            comparison = self.tr("✕ No step of this history has that hash.")
        self.comparison.setText(comparison)

    def _copy(self) -> None:
        lines = [str(self._path), self.title.text(), self.text.text(), ""]
        lines += [f"{named(check)}\t{outcome(check)}\t{check.text}" for check in self._done.checks]
        lines.append(self.tr("Last step: {sha256}").format(sha256=self._done.last_sha256))
        QGuiApplication.clipboard().setText("\n".join(lines))


def outcome(check: Check) -> str:
    """Describe what came of a check; the sign says it without colour."""
    return {
        "ok": translate("verifying", "✓ holds"),
        "noted": translate("verifying", "· noted"),
        "failed": translate("verifying", "✕ failed"),
        "not checked": translate("verifying", "– not checked"),
    }[check.outcome]


def named(check: Check) -> str:
    """Name what was looked at."""
    names = {
        "file": translate("verifying", "Case file"),
        "history": translate("verifying", "Chain of the history"),
        "result": translate("verifying", "Last step and order"),
        "sheets": translate("verifying", "Sheets"),
        "weights": translate("verifying", "Weights of the encoder"),
        "versions": translate("verifying", "Versions"),
        "repeated": translate("verifying", "Steps repeated"),
        "sheets anew": translate("verifying", "Sheets, read anew"),
        "shreds": translate("verifying", "Shreds"),
        "costs": translate("verifying", "Costs"),
        "options": translate("verifying", "Options"),
        "order": translate("verifying", "Order and notes"),
        "joins": translate("verifying", "Joins"),
        "pages": translate("verifying", "Pages, pixel by pixel"),
    }
    return names.get(check.name, check.name)
