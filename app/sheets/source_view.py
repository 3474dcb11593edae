"""Where a shred came from: its sheet, with the shred outlined, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from app import wording
from app.session.document import Document
from app.session.pictures import Pictures
from app.sheets.sheet_view import SheetView
from app.widgets.controls import build, button, label
from app.widgets.layouts import in_column, in_row
from core.case.case import Case
from core.case.joins import known_shifts, nudge_px
from core.faces.blank_paper import filling_places
from core.shreds.shred import Crumb, Shred
from core.units import px_to_mm

if TYPE_CHECKING:
    from core.composition.pose import Pose  # brings OpenCV along

_SHARPER_FROM = 1.15
"""Screen pixels for each pixel of the preview at which the sheet is read again at full resolution."""


class SourceView(QWidget):
    """Follows what is chosen."""

    shred_chosen = Signal(str)
    mend_wanted = Signal()

    def __init__(self, document: Document, pictures: Pictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._pictures = document, pictures
        self._sheet = -1
        self._sharp = False
        self.view = SheetView()
        flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        self._heading = label(role="heading", minimumWidth=60)
        self._detail = label(wordWrap=True, textInteractionFlags=flags)
        header = build(QWidget, objectName="panel_header")
        header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        tip = self.tr("Split, merge or redraw what was found on this sheet")
        mend = button(self.tr("Mend on the sheet…"), tip, self.mend_wanted, "link")
        parts = self._heading, self._detail, in_row(mend, None)
        in_column(*parts, on=header, margins=(12, 8, 12, 10), spacing=3)
        hint = self.tr("Click a shred to see\nthe sheet it came from.")
        self._hint = label(hint, alignment=Qt.AlignmentFlag.AlignCenter)
        self._shown = QWidget()
        in_column(header, (self.view, 1), on=self._shown, margins=(0, 0, 0, 0), spacing=0)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._hint)
        self._stack.addWidget(self._shown)
        # A turn of the wheel passes through many scales; only the one at which it rests is worth reading a file for.
        self._rest = build(QTimer, self, singleShot=True, interval=150, timeout=self._sharpen)
        self.view.zoom_changed.connect(self._rest.start)
        self.view.shred_clicked.connect(self.shred_chosen)
        document.selection_changed.connect(self.follow)
        document.arrangement_changed.connect(self._tell)
        document.page_changed.connect(self._tell)
        pictures.ready.connect(lambda key: self._sharpen() if key == ("sheet", self._sheet) else self._tell())
        self.follow()

    def follow(self) -> None:
        """Show what is chosen."""
        chosen, opened = self._document.selection, self._document.opened
        if chosen.sheet < 0 or chosen.sheet >= len(opened.sheets):
            self._sheet = -1
            self._stack.setCurrentWidget(self._hint)
            return
        info = opened.sheets[chosen.sheet]
        self._stack.setCurrentWidget(self._shown)
        if chosen.sheet != self._sheet:
            self._sheet, self._sharp = chosen.sheet, False
            self.view.set_sheet(info, opened.shreds[chosen.sheet])
        shred = self._document.shred(self._document.chosen_face)
        self.view.choose(shred.id if shred is not None else "")
        if shred is None:
            self.view.fit()
            self._heading.setText(wording.short(opened.sheet_names[chosen.sheet], 34))
            self._detail.setText(wording.counted_shreds(opened.shreds[chosen.sheet]))
        else:
            self.view.show_shred(shred.id)
            self._heading.setText(self._named(shred.id))
            self._detail.setText(self._describe(shred))
        self._heading.setToolTip(str(info.path))
        self._rest.start()

    def _named(self, shred: str) -> str:
        """Return what a shred is called; of one that is not seen, what is seen of its paper, too."""
        seen = self._document.seen(shred)
        text = self.tr("Shred {id}") if seen == shred else self.tr("Shred {id}, behind {seen}")
        return text.format(id=shred, seen=seen)

    def _tell(self) -> None:
        """Describe anew what stands beside the shred; the picture stays as it is."""
        shred = self._document.shred(self._document.chosen_face)
        if shred is not None:
            self._heading.setText(self._named(shred.id))
            self._detail.setText(self._describe(shred))

    def show_crumb(self, crumb: Crumb) -> None:
        """Show where on its sheet a crumb lies."""
        self._document.select_sheet(crumb.sheet)
        self.view.choose_crumb(crumb)

    def _describe(self, shred: Shred) -> str:
        name = self._document.opened.sheet_names[shred.sheet]
        width, height = map(px_to_mm, shred.bbox[2:])
        direction = self.tr("counter-clockwise") if shred.angle_deg > 0 else self.tr("clockwise")
        place = self.tr("On {sheet}, {w:.1f} × {h:.0f} mm, turned {angle:.1f}° {direction}")
        angle = abs(shred.angle_deg)
        lines = [place.format(sheet=name, w=width, h=height, angle=angle, direction=direction)]
        case = self._document.case
        if shred.scrap:
            lines.append(self.tr("Too small to be compared: only you can say where it belongs."))
        elif shred.blank and case and shred.id in filling_places(case.shreds, case.arrangement):
            lines.append(
                self.tr("Blank: it fills a place that others leave. Nothing tells which of several equal ones.")
            )
        elif shred.blank:
            lines.append(self.tr("Blank: nothing on it tells where it belongs."))
        if case and case.turned_by(shred.id):
            lines.append(wording.turned_by(case.turned_by(shred.id)))
        if case:
            lines += self._other_face(case, shred.id)
            lines += self._by_hand(case, shred.id)
        if (pose := self._pictures.pose(shred.id)) is not None:
            lines.append(self._how_exact(pose))
            if pose.bend_px is not None:
                bent = self.tr("Bent by up to {mm:.1f} mm; straight on the reading copy.")
                lines.append(bent.format(mm=px_to_mm(abs(pose.bend_px).max())))
        for join in case.joins_beside(shred.id) if case else ():
            side = self.tr("Left") if join.right == shred.id else self.tr("Right")
            other = join.left if join.right == shred.id else join.right
            text = self.tr("{side}: {other}, {sure}")
            lines.append(text.format(side=side, other=other, sure=wording.how_sure(join)))
        for below in case.joins_below if case else ():
            if shred.id in below.pair:
                side, other = (
                    (self.tr("Below"), below.below) if below.above == shred.id else (self.tr("Above"), below.above)
                )
                text = self.tr("{side}: {other}, {sure}")
                lines.append(text.format(side=side, other=other, sure=wording.sure_if_known(below.confidence)))
        return "\n".join(lines)

    def _other_face(self, case: Case, shred: str) -> Iterator[str]:
        """Say what is on the other face of a shred's paper, and how sure that is."""
        if shred in case.arrangement.other_faces:
            other, _, _, confidence = case.arrangement.other_faces[shred]
            by_hand = shred in case.arrangement.paired_by_hand
            sure = self.tr("set by hand") if by_hand else wording.degree(confidence)
            yield self.tr("Other face: {other}, {sure}").format(other=other, sure=sure)

    def _by_hand(self, case: Case, shred: str) -> Iterator[str]:
        """Say what was done with a shred by hand besides turning it over."""
        angle = case.arrangement.turned_deg.get(shred, 0.0)
        if angle:
            direction = self.tr("counter-clockwise") if angle > 0 else self.tr("clockwise")
            text = self.tr("Turned by hand by {angle:.1f}° {direction}.")
            yield text.format(angle=abs(angle), direction=direction)
        if shred in case.arrangement.pinned:
            yield self.tr("Pinned to its page: solving again leaves it there.")
        by_px = nudge_px(case, shred, known_shifts(case))
        if by_px:
            direction = self.tr("down") if by_px > 0 else self.tr("up")
            text = self.tr("Nudged by hand by {n} px {direction} against its left neighbour.")
            yield text.format(n=abs(by_px), direction=direction)

    def _how_exact(self, pose: Pose) -> str:
        """Return how uncertain it is where on its page a shred lies."""
        turn = self.tr("angle ± {deg:.1f}°").format(deg=max(0.1, pose.angle_error_deg))
        if not isfinite(pose.y_error_px):
            return self.tr("On its page: {turn}; no line of print tells its height").format(turn=turn)
        text = self.tr("On its page: height ± {px:.1f} px, {turn}")
        return text.format(px=max(0.1, pose.y_error_px), turn=turn)

    def _sharpen(self) -> None:
        """Once the preview is too coarse for the scale, have the sheet read again, and show it when it is there."""
        opened = self._document.opened
        if self._sharp or not self.isVisible() or not 0 <= self._sheet < len(opened.sheets):
            return
        info = opened.sheets[self._sheet]
        if self.view.zoom * info.size_px[0] / info.preview.shape[1] < _SHARPER_FROM:
            return
        picture = self._pictures.get(("sheet", self._sheet))
        if picture is not None:
            self._sharp = True
            self.view.set_images(picture.levels, *info.size_px)
