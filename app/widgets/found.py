"""A small window that shows what was found among files, and asks what it is: sheets or single shreds, how fine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from app.widgets.controls import build, button, label
from app.widgets.layouts import Item, give_size, in_column, in_row
from app.wording import counted
from core.sheets.sheet import file_names

if TYPE_CHECKING:
    from core.sheets.input_file import InputFile
    from core.sheets.survey import Survey

_PICTURE = QSize(96, 120)
_DPI_BOUNDS = (50.0, 4800.0)


class FoundDialog(QDialog):
    """Lists the files with a picture of each; those that are ticked are single shreds.

    Parameters
    ----------
    parent : QWidget or None
        The window.
    survey : Survey
        What was found.
    pictures : mapping of Path to QImage
        Of the files, as far as there are any.
    """

    def __init__(self, parent: QWidget | None, survey: Survey, pictures: Mapping[Path, QImage]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Rejoin"))
        self._survey = survey
        self.heading = label("", "heading")
        text = self.tr("A file that is ticked holds one shred, as it stands. On the others shreds lie on something.")
        self.list = self._build_list(pictures)
        shreds = button(self.tr("All Are &Shreds"), self.tr("Tick every file"), lambda: self._tick(True))
        sheets = button(self.tr("All Are S&heets"), self.tr("Tick none"), lambda: self._tick(False))
        for each in (shreds, sheets):
            each.setAutoDefault(False)
        parts: list[Item | tuple[Item, int]] = [
            self.heading,
            QLabel(text, wordWrap=True),
            (self.list, 1),
            in_row(shreds, sheets, None),
        ]
        self.dpi, self.extent = self._build_resolution()
        if survey.without_resolution:
            parts += [8, self._resolution_row(), self.extent]
        in_column(*parts, 4, self._build_buttons(), on=self, margins=(22, 20, 22, 16), spacing=10)
        give_size(self, 640, 560)
        self._show_counts()
        self._show_extent()
        self.list.itemChanged.connect(self._show_counts)
        self.dpi.valueChanged.connect(self._show_extent)

    @property
    def files(self) -> tuple[InputFile, ...]:
        """How the files are to be read."""
        return self._survey.answered(self._ticked(), self.dpi.value() or None)

    def _build_list(self, pictures: Mapping[Path, QImage]) -> QListWidget:
        shown = build(
            QListWidget,
            viewMode=QListView.ViewMode.IconMode,
            resizeMode=QListView.ResizeMode.Adjust,
            movement=QListView.Movement.Static,
            iconSize=_PICTURE,
            gridSize=QSize(_PICTURE.width() + 24, _PICTURE.height() + 40),
            uniformItemSizes=True,
        )
        shown.setAccessibleName(self.tr("Files"))
        paths = [look.file.path for look in self._survey.looks]
        for look, name in zip(self._survey.looks, file_names(paths), strict=True):
            item = QListWidgetItem(_icon(pictures.get(look.file.path)), name, shown)
            item.setToolTip(str(look.file.path))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(_state(look.single_shred))
        return shown

    def _build_resolution(self) -> tuple[QDoubleSpinBox, QLabel]:
        dpi = build(QDoubleSpinBox, decimals=0, suffix=self.tr(" dpi"))
        dpi.setRange(0, _DPI_BOUNDS[1])
        dpi.setSpecialValueText(self.tr("each as it was estimated"))
        dpi.setValue(self._survey.common_dpi or 0)
        dpi.setAccessibleName(self.tr("Resolution"))
        return dpi, label("", wordWrap=True)

    def _resolution_row(self) -> QWidget:
        n = len(self._survey.without_resolution)
        one, many = self.tr("file does not say its resolution:"), self.tr("files do not say their resolution:")
        row = QWidget()
        in_row(QLabel(counted(n, one, many)), self.dpi, None, on=row, margins=(0, 0, 0, 0))
        return row

    def _build_buttons(self) -> QDialogButtonBox:
        choices = QDialogButtonBox.StandardButton
        buttons = build(QDialogButtonBox, choices.Ok | choices.Cancel, accepted=self.accept, rejected=self.reject)
        go_on = buttons.button(choices.Ok)
        go_on.setText(self.tr("&Reconstruct"))
        go_on.setProperty("main", True)
        go_on.setDefault(True)
        return buttons

    def _ticked(self) -> list[bool]:
        items = (self.list.item(row) for row in range(self.list.count()))
        return [item.checkState() == Qt.CheckState.Checked for item in items]

    def _tick(self, all_of_them: bool) -> None:
        for row in range(self.list.count()):
            self.list.item(row).setCheckState(_state(all_of_them))

    def _show_counts(self, *_: object) -> None:
        """Say how many sheets and single shreds there are, as it is ticked."""
        ticked = self._ticked()
        n_shreds, n_sheets = sum(ticked), len(ticked) - sum(ticked)
        shreds = counted(n_shreds, self.tr("single shred"), self.tr("single shreds"))
        sheets = counted(n_sheets, self.tr("file of sheets"), self.tr("files of sheets"))
        both = self.tr("Found {shreds} and {sheets}").format(shreds=shreds, sheets=sheets)
        one = self.tr("Found {what}").format(what=shreds if n_shreds else sheets)
        self.heading.setText(both if n_shreds and n_sheets else one)

    def _show_extent(self, *_: object) -> None:
        """Say what the resolution means on paper, so that a wrong one is seen."""
        dpi, survey = self.dpi.value(), self._survey
        if not dpi:
            self.extent.setText(self.tr("Where nothing could be estimated, the files cannot be read without it."))
            return
        longest, together = survey.extent_mm(dpi)
        text = self.tr("At this resolution the longest is {longest:.0f} mm long").format(longest=longest)
        if survey.n_single_shreds > 1:
            text += self.tr("; the shreds together are {together:.0f} mm wide").format(together=together)
        if survey.estimate is not None and dpi == survey.estimate.dpi:
            text += self.tr(". Estimated, {reason}").format(reason=survey.estimate.reason)
        self.extent.setText(text + ".")


def _icon(picture: QImage | None) -> QIcon:
    """Build an icon, an empty one where there is no picture, so that names stand in line."""
    if picture is None:
        empty = QPixmap(_PICTURE)
        empty.fill(Qt.GlobalColor.transparent)
        return QIcon(empty)
    return QIcon(QPixmap.fromImage(picture))


def _state(ticked: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
