"""What an empty window shows: drop sheets here, or open them."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app import theme, wording
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row

_MAX_RECENT = 4


class Welcome(QWidget):
    """An invitation."""

    open_files = Signal()
    open_folder = Signal()
    open_sample = Signal()
    open_recent = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        centre = Qt.AlignmentFlag.AlignCenter
        picture = QLabel(pixmap=theme.picture("rejoin", 88, "", self.devicePixelRatioF()), alignment=centre)
        title = label(self.tr("Drop scanned sheets here"), "title", alignment=centre)
        text = self.tr("Lay the shreds on a sheet of plain colour and scan it. Rejoin puts the pages back together.")
        explanation = label(text, alignment=centre)
        formats = label(self.tr("JPEG, PNG, TIFF, PDF and more, or a folder of them"), alignment=centre)
        area = build(QFrame, objectName="drop_area", minimumWidth=520)
        parts = (picture, 10, title, explanation, 14, self._buttons(), 6, formats)
        in_column(*parts, on=area, margins=(48, 40, 48, 36), spacing=8)
        self._recent = in_column(spacing=0)
        column = in_column((None, 3), area, 18, self._recent, (None, 4))
        in_row(None, column, None, on=self)

    def _buttons(self) -> QHBoxLayout:
        tip = self.tr("Choose scans of shreds")
        self.open_button = button(self.tr("Open sheets…"), tip, self.open_files, "main")
        folder = button(self.tr("Open folder…"), self.tr("Choose a folder of scans"), self.open_folder)
        tip = self.tr("Reconstruct two sheets that come with Rejoin")
        self.sample_button = button(self.tr("Try the sample"), tip, self.open_sample, "link")
        return in_row(None, self.open_button, folder, self.sample_button, None, spacing=10)

    def set_recent(self, entries: list[tuple[Path, ...]]) -> None:
        """List what was opened lately."""
        while (item := self._recent.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        if entries:
            heading = label(self.tr("RECENT"), "section", alignment=Qt.AlignmentFlag.AlignLeft)
            heading.setContentsMargins(9, 0, 0, 4)
            self._recent.addWidget(heading)
        for entry in entries[:_MAX_RECENT]:
            self._recent.addWidget(self._recent_button(entry))

    def _recent_button(self, entry: tuple[Path, ...]) -> QPushButton:
        recent = button("", "\n".join(map(str, entry)), lambda: self.open_recent.emit(entry), "link")
        text = f"{wording.named(entry)}   –   {entry[0].parent}"
        recent.setText(recent.fontMetrics().elidedText(text.replace("&", "&&"), Qt.TextElideMode.ElideMiddle, 500))
        recent.setAccessibleName(self.tr("Open {name}").format(name=wording.named(entry)))
        recent.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        return recent
