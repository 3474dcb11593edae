"""The dialogs that ask for files, and the one that tells what Rejoin is."""

from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.engine import CASE_SUFFIX
from app.wording import translate
from core import __version__

_PAGES = {"PDF (*.pdf)": ".pdf", "TIFF (*.tif *.tiff)": ".tif", "PNG (*.png)": ".png"}


def choose_files(parent: QWidget, folder: str) -> list[Path]:
    """Ask for scans; an empty list if the user changed their mind."""
    from core.sheets.inputs import SUFFIXES  # brings the decoders of all formats, which the window itself does not need

    patterns = " ".join(f"*{suffix} *{suffix.upper()}" for suffix in (*SUFFIXES, CASE_SUFFIX))
    scans, others = translate("dialogs", "Scans and cases"), translate("dialogs", "All files")
    filters = f"{scans} ({patterns});;{others} (*)"
    names, _ = QFileDialog.getOpenFileNames(parent, translate("dialogs", "Open Sheets"), folder, filters)
    return [Path(name) for name in names]


def choose_folder(parent: QWidget, folder: str) -> list[Path]:
    """Ask for a folder; an empty list if the user changed their mind."""
    name = QFileDialog.getExistingDirectory(parent, translate("dialogs", "Open Folder"), folder)
    return [Path(name)] if name else []


def choose_export(parent: QWidget, proposed: Path) -> Path | None:
    """Ask where to write the pages; None if the user changed their mind."""
    title = translate("dialogs", "Export Pages")
    name, chosen = QFileDialog.getSaveFileName(parent, title, str(proposed), ";;".join(_PAGES))
    if not name:
        return None
    path = Path(name)
    return path if path.suffix else path.with_suffix(_PAGES.get(chosen, ".pdf"))


def choose_report(parent: QWidget, proposed: Path) -> Path | None:
    """Ask where to write the report; None if the user changed their mind."""
    name, _ = QFileDialog.getSaveFileName(parent, translate("dialogs", "Write Report"), str(proposed), "PDF (*.pdf)")
    if not name:
        return None
    path = Path(name)
    return path if path.suffix.lower() == ".pdf" else path.with_name(f"{path.name}.pdf")


def choose_place(parent: QWidget, folder: Path) -> Path | None:
    """Ask in which folder a new one is to be made; None if the user changed their mind."""
    title = translate("dialogs", "Export: in Which Folder?")
    name = QFileDialog.getExistingDirectory(parent, title, str(folder))
    return Path(name) if name else None


def choose_case(parent: QWidget, proposed: Path) -> Path | None:
    """Ask where to save the case; None if the user changed their mind."""
    title, kind = translate("dialogs", "Save Case"), translate("dialogs", "Cases")
    name, _ = QFileDialog.getSaveFileName(parent, title, str(proposed), f"{kind} (*{CASE_SUFFIX})")
    if not name:
        return None
    path = Path(name)
    return path if path.suffix.lower() == CASE_SUFFIX else path.with_name(path.name + CASE_SUFFIX)


def ask_to_save(parent: QWidget) -> QMessageBox.StandardButton:
    """Ask what is to become of changes that have not been saved: Save, Discard or Cancel."""
    choices = QMessageBox.StandardButton
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("dialogs", "Rejoin"))
    box.setText(translate("dialogs", "Save the changes to this case?"))
    box.setInformativeText(translate("dialogs", "What you have set by hand is lost otherwise."))
    box.setStandardButtons(choices.Save | choices.Discard | choices.Cancel)
    box.setDefaultButton(choices.Save)
    return choices(box.exec())


def ask_about_other(parent: QWidget, told: str, stale: bool) -> Literal["copy", "anyway", "cancel"]:
    """Say that a case is open in another window, and ask whether to open a copy of it."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(translate("dialogs", "Rejoin"))
    box.setText(told)
    more = translate(
        "dialogs",
        "If both windows saved to it, the later one would undo the work of the other. A copy is safe: saving "
        "it asks for another file.",
    )
    if stale:
        more += " " + translate("dialogs", "If you know that the window there has ended, open the case itself.")
    box.setInformativeText(more)
    copy = box.addButton(translate("dialogs", "Open a &Copy"), QMessageBox.ButtonRole.AcceptRole)
    anyway = (
        box.addButton(translate("dialogs", "Open &Anyway"), QMessageBox.ButtonRole.DestructiveRole) if stale else None
    )
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(copy)
    box.exec()
    if box.clickedButton() is copy:
        return "copy"
    return "anyway" if anyway is not None and box.clickedButton() is anyway else "cancel"


def ask_for_sheets(parent: QWidget, told: str, more: str, folder: str) -> Path | None:
    """Say that sheets are not at hand, and ask for a folder; None if the user changed their mind."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("dialogs", "Rejoin"))
    box.setText(told)
    box.setInformativeText(more)
    choose = box.addButton(translate("dialogs", "Choose &Folder…"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(choose)
    box.exec()
    return choose_sheets_folder(parent, folder) if box.clickedButton() is choose else None


def choose_sheets_folder(parent: QWidget, folder: str) -> Path | None:
    """Ask for a folder of sheets; None if the user changed their mind."""
    name = QFileDialog.getExistingDirectory(parent, translate("dialogs", "Folder of the Sheets"), folder)
    return Path(name) if name else None


def show_about(parent: QWidget, log_path: Path | None) -> None:
    """Tell version and method, and where the log is."""
    text = translate(
        "dialogs",
        "<h3>Rejoin {version}</h3><p>Reconstructs strip-shredded text documents from scans.</p>"
        "<p>After Paixão et al., “Fast(er) Reconstruction of Shredded Text Documents via Self-Supervised Deep "
        "Asymmetric Metric Learning”, CVPR 2020.</p><p>Log file: {log}</p>",
    ).format(version=__version__, log=log_path or translate("dialogs", "none"))
    QMessageBox.about(parent, translate("dialogs", "About Rejoin"), text)
