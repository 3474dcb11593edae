"""Mending in the window: what was drawn waits on the sheet until it is applied, and can be taken back one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QKeyCombination, QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainterPath

from app import wording
from app.images import polygon_from, pyramid_from
from app.reasons import allow, first_reason, unless, unless_running
from app.session.document import Selection
from app.session.tasks import Task
from app.sheets.mend_page import MendPage
from app.sheets.mend_paint import Outline, Shown
from app.shell import Shell
from core.sheets.mends import (
    OF_THE_SHEET,
    CropSheet,
    Mend,
    Mends,
    PickBackground,
    is_excluded,
    mends_of,
    with_mend,
)
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred

if TYPE_CHECKING:
    from core.arrays import Floats

Found = list[tuple["Shred | Crumb | None", "Floats"]]

_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Mending(QObject):
    """Shows one sheet to be mended in the middle of the window, also where nothing was found and there is no case.

    Parameters
    ----------
    shell : Shell
        The window.
    """

    changed = Signal()
    """It is shown, or no longer."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell.parent)
        self._shell, self._session, self._document = shell, shell.session, shell.session.document
        self.page = MendPage()
        self.canvas = self.page.canvas
        self.active = False
        self.number = -1
        """Index of the sheet."""
        self._before = Selection()
        """What was chosen on the pages, and is so again once they are shown."""
        self._states: list[Mends] = [()]
        self._at = 0
        self._previewing: Task | None = None
        self._refused = ""
        self._last: Found = []
        page, canvas, document = self.page, self.canvas, self._document
        canvas.mended.connect(self._add)
        canvas.told.connect(page.tell)
        canvas.left.connect(self.leave)
        page.apply.clicked.connect(self.apply)
        page.drop.clicked.connect(self.close)
        page.reset.clicked.connect(lambda: self._put(()))
        for modifiers, key, do in (
            (_CTRL, Qt.Key.Key_Return, self.apply),
            (_CTRL, Qt.Key.Key_Enter, self.apply),
            (_CTRL, Qt.Key.Key_Z, partial(self._step, -1)),
            (_CTRL | _SHIFT, Qt.Key.Key_Z, partial(self._step, 1)),
            (_CTRL, Qt.Key.Key_Y, partial(self._step, 1)),
        ):
            page.keys[QKeyCombination(modifiers, key)] = do
        document.case_changed.connect(self._follow_case)
        document.arrangement_changed.connect(self._refresh)
        shell.session.jobs.running_changed.connect(self._refresh)
        shell.session.pictures.ready.connect(self._sharpen)

    # Coming and going

    def open(self, number: int) -> None:
        """Show a sheet to be mended."""
        document = self._document
        reading = document.case is None and self._session.jobs.busy
        if reading or not 0 <= number < len(document.opened.sheets) or (self.active and self.pending):
            return
        already, self.number, self.active = self.active, number, True
        if document.selection.shreds or not already:
            self._before = document.selection
        document.select_sheet(number)  # keys that are about shreds on pages, which are out of sight, do nothing
        self.canvas.take("choose")
        self._begin()
        self._choose(self._before.shreds)
        self._preview()  # of nothing, so that what it needs is loaded before something is drawn
        self._session.mender.prepare()
        self.changed.emit()
        self.canvas.setFocus()

    def leave(self) -> None:
        """Go back to the pages, unless something that was drawn would be lost."""
        if self.pending:
            self.page.tell(self.tr("Ctrl+Return applies what you drew, “Cancel” drops it."))
        else:
            self.close()

    def close(self) -> None:
        """Go back to the pages; what was drawn is dropped, and what was chosen there is chosen again."""
        if self.active:
            before = self._before
            self._end()
            if not self._document.selection.shreds:
                self._document.select_shreds(before.shreds, before.shred)

    def _end(self) -> None:
        if self.active:
            self.active, self._states, self._at, self._last = False, [()], 0, []
            self._before = Selection()
            self._stop_previewing()
            self._session.mender.stop_preparing()
            self.changed.emit()

    def _follow_case(self) -> None:
        """Show the sheet as it is now: mended, or after a step of the history; of another case, nothing."""
        case = self._document.case
        if not self.active:
            return
        if case is None or not self._document.stepping or self.number >= len(case.sheets):
            self._end()
        else:
            self._begin()
            QTimer.singleShot(0, self.canvas.setFocus)  # the pages, out of sight, have asked for it

    def _begin(self) -> None:
        sheet = self._sheet
        self._states, self._at = [sheet.mends], 0
        self.canvas.reshaping.begin(None)
        self._stop_previewing()
        picture = self._session.pictures.get(("sheet", self.number))
        levels = picture.levels if picture is not None else pyramid_from(sheet.preview)
        self.canvas.set_images(levels, *sheet.size_px)
        self._show([(one, one.outline) for one in self._found()])

    def _sharpen(self, key: object) -> None:
        """Show the sheet at full resolution once it is there."""
        picture = self._session.pictures.get(("sheet", self.number)) if key == ("sheet", self.number) else None
        if self.active and picture is not None:
            self.canvas.set_images(picture.levels, *self._sheet.size_px)

    def _choose(self, chosen: Sequence[str]) -> None:
        """Choose shreds by their names."""
        points = [one for one in self.canvas.shown.outlines if one.name in chosen]
        middles = [Shown((one,)).middles() for one in points]
        self.canvas.choose([(point.x(), point.y()) for some in middles for point in some])

    # What waits

    @property
    def _sheet(self) -> SheetInfo:
        return self._document.opened.sheets[self.number]

    @property
    def mends(self) -> Mends:
        """All mends that the sheet is to have."""
        return self._states[self._at]

    @property
    def pending(self) -> int:
        """How many steps wait to be applied."""
        return self._at if self.mends != self._states[0] else 0

    def _found(self) -> list[Shred | Crumb]:
        case = self._document.case
        crumbs = [crumb for crumb in (case.crumbs if case else ()) if crumb.sheet == self.number]
        return [*self._document.opened.shreds[self.number], *(crumb for crumb in crumbs if crumb.reason != "frame")]

    def _add(self, mend: Mend) -> None:
        self._put(with_mend(self.mends, mend, len(self._states[0])))

    def _put(self, mends: Mends) -> None:
        """Let the sheet have these mends, as a step that can be taken back."""
        if self._is_done_again():
            self.canvas.reshape()
            return
        if mends != self.mends:
            self._states = [*self._states[: self._at + 1], mends]
            self._at += 1
            self._preview()

    def _is_done_again(self) -> bool:
        """Return whether the sheet is being done again, and say so: what is drawn meanwhile would be lost."""
        running = self._session.jobs.running
        if running is None or running.kind != "mend":
            return False
        self._shell.status_bar.showMessage(self.tr("The sheet is being done again. Esc stops that."), 8000)
        return True

    def _step(self, by: int) -> None:
        """Take the last step back, or do it again; where none waits, a step of the case."""
        if self._is_done_again():
            return
        if 0 <= self._at + by < len(self._states):
            self._at += by
            self._preview_less()
        elif not self.canvas.busy:
            (self._session.editor.undo if by < 0 else self._session.editor.redo)()

    # What is shown

    def _preview(self) -> None:
        """Find on a worker what would come of what waits, and show it."""
        self._stop_previewing()
        base, mends = _of_shreds(self._states[0]), _of_shreds(self.mends)
        if mends[: len(base)] != base:  # taken back: only applied it shows what was found at first
            self._show([(one, one.outline) for one in self._found()])
            return
        self._show(self._last)  # at once, what needs no work: how much waits, what holds for the whole sheet
        found, size_px, engine, at = self._found(), self._sheet.size_px, self._session.jobs.engine, self._at
        new = mends[len(base) :]
        task = self._session.jobs.start(lambda progress, deliver: engine.preview_mends(found, new, size_px))
        task.succeeded.connect(lambda outcome: self._show_preview(at, *outcome))
        task.failed.connect(self._session.jobs.failed)
        self._previewing = task

    def _preview_less(self) -> None:
        """Show what is left after a mend was taken back; the outline as it comes then is what is bent."""
        self.canvas.reshaping.begin(None)
        self._preview()
        if self._previewing is not None:
            self.canvas.reshaping.begin(None)  # not the one that is still shown

    def _stop_previewing(self) -> None:
        if self._previewing is not None:
            self._previewing.cancel()
            self._previewing = None

    def _show_preview(self, at: int, found: Found, refused: Sequence[str]) -> None:
        if refused:
            self._states, self._at = self._states[:at], at - 1
            self._refused = refused[-1]
            self._preview_less()
            return
        self._show(found)
        if self._refused:
            self.page.tell(self._refused)
            self._refused = ""

    def _show(self, found: Found) -> None:
        mends, self._last = self.mends, found
        there = {id(one) for one, _ in found}
        gone = [_outline(one, one.outline) for one in self._found() if id(one) not in there]
        crop = next((QRectF(*_points(mend.corners)) for mend in mends if isinstance(mend, CropSheet)), None)
        picked = next((QPointF(*mend.at) for mend in mends if isinstance(mend, PickBackground)), None)
        outlines = tuple(_outline(one, outline) for one, outline in found)
        self.canvas.show_found(Shown(outlines, tuple(gone), crop and crop.normalized(), picked, is_excluded(mends)))
        self._refresh()

    def _refresh(self) -> None:
        """Bring up to date what can be done, and how much waits."""
        if not self.active:
            return
        busy, page = self._session.jobs.busy, self.page
        self.canvas.busy = busy
        running = unless_running(self._session.jobs.running.title if self._session.jobs.running else "")
        nothing = unless(self.pending, self.tr("Nothing was changed on this sheet since."))
        allow(first_reason(nothing, running), page.apply)
        page.reset.setVisible(bool(self._states[0]) and not busy)
        allow(unless(self.mends, self.tr("The sheet is as it was found.")), page.reset)
        page.drop.setText(self.tr("Cancel") if self.pending else self.tr("Back to the Pages"))
        shreds = wording.counted_shreds(one for one in self._found() if isinstance(one, Shred))
        name = wording.short(self._document.opened.sheet_names[self.number], 30)
        parts = [self.tr("Sheet {n}: {name}").format(n=self.number + 1, name=name), shreds]
        if self.canvas.shown.excluded:
            parts.append(self.tr("excluded"))
        if self.pending:
            parts.append(self.tr("{n} not applied yet").format(n=self.pending))
        page.set_title("  ·  ".join(parts))
        excluded = unless(not self.canvas.shown.excluded, self.tr("The sheet is excluded."))
        allow(excluded, *(made for name, made in page.buttons.items() if name != "exclude"))

    def apply(self) -> None:
        """Have the sheet done again with all that waits."""
        if not self.pending or self._session.jobs.busy:
            return
        if self._document.case is not None:
            self._session.mender.mend(self.number, self.mends)
        else:
            sheets = self._document.opened.sheets
            self._session.reader.reconstruct_mended(
                mends_of(sheets) | {(self._sheet.sha256, self._sheet.page): self.mends}
            )


def _of_shreds(mends: Mends) -> Mends:
    return tuple(mend for mend in mends if not isinstance(mend, OF_THE_SHEET))


def _points(corners: tuple[tuple[float, float], tuple[float, float]]) -> tuple[QPointF, QPointF]:
    return QPointF(*corners[0]), QPointF(*corners[1])


def _outline(one: Shred | Crumb | None, points: Floats) -> Outline:
    path = QPainterPath()
    if len(points) > 2:
        path.addPolygon(polygon_from(points))
    elif one is not None:
        path.addRect(QRectF(*one.bbox))
    path.closeSubpath()
    if one is None:
        return Outline("", path, "new")
    return Outline(one.id, path) if isinstance(one, Shred) else Outline("", path, "crumb")
