"""What ties the sample inspector to the pictures: clicks inspect, samples are marked, neighbours are gone to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsPolygonItem

from app import theme
from app.joins.pair_canvas import PairCanvas
from app.pages.page_canvas import PageCanvas
from app.samples.inspector import Inspector
from app.samples.sample_panel import SamplePanel
from app.session.pictures import transform_from
from app.sheets.sheet_view import SheetView
from app.shell import Shell
from app.status import StatusLine
from app.widgets.image_view import ImageView

if TYPE_CHECKING:
    from core.inspection.samples import Sample

_ROOM_PX = 500
"""So much of the page is shown around a sample that is gone to."""
_LEAST_ZOOM = 0.5
"""On a smaller page a sample cannot be made out: it is enlarged."""


class SampleMarks:
    """Frames around samples on a view: the first in the colour of its side, thick; the others thin.

    Parameters
    ----------
    view : ImageView
        Where they are drawn.
    """

    def __init__(self, view: ImageView) -> None:
        self._view = view
        self._items: list[QGraphicsPolygonItem] = []

    @property
    def frames(self) -> list[QRectF]:
        """Where the frames are, in scene coordinates."""
        return [item.polygon().boundingRect() for item in self._items]

    def set_marks(self, marks: list[tuple[QPolygonF, str]]) -> None:
        """Draw frames: each where, and for which side."""
        for item in self._items:
            self._view.scene().removeItem(item)
        self._items = []
        colours = theme.colours()
        for number, (frame, side) in enumerate(marks):
            item = QGraphicsPolygonItem(frame)
            width, style = (2, Qt.PenStyle.DashLine) if number else (3, Qt.PenStyle.SolidLine)
            item.setPen(theme.pen(colours.of_side(side), width, style))
            item.setZValue(20)
            self._view.scene().addItem(item)
            self._items.append(item)


class Samples(QObject):
    """Owns the sample inspector, and connects it with the pictures.

    Parameters
    ----------
    shell : Shell
        The window.
    page : PageCanvas
        Where a page is shown.
    pair : PairCanvas
        Where two shreds are shown side by side.
    sheet : SheetView
        Where the sheet is shown that a shred came from.
    status : StatusLine
        Says how far the embeddings are.
    """

    def __init__(self, shell: Shell, page: PageCanvas, pair: PairCanvas, sheet: SheetView, status: StatusLine) -> None:
        super().__init__(shell.parent)
        self._notices, self._document, self._editor = shell.notices, shell.session.document, shell.session.editor
        self._page, self._pair, self._sheet = page, pair, sheet
        self._marked: tuple[Sample, ...] = ()
        self._show_when_composed: Sample | None = None
        self.inspector = Inspector(self._document, shell.session.jobs)
        self.panel = SamplePanel(self.inspector)
        self.page_marks, self.sheet_marks, self.pair_marks = SampleMarks(page), SampleMarks(sheet), SampleMarks(pair)
        for canvas in (page, pair):
            canvas.clicked.connect(lambda at, canvas=canvas: self._inspect(canvas, at))
        sheet.clicked.connect(self._inspect_sheet)
        self.panel.shred_chosen.connect(self.go_to)
        self.panel.join_tried.connect(self.try_join)
        self.panel.marks_changed.connect(self._set_marked)
        self.inspector.waiting.connect(lambda on: status.set_background(self.tr("Embedding") if on else ""))
        self.inspector.progressed.connect(lambda part, text: status.set_background(f"{text}, {part:.0%}"))
        document = self._document
        for signal in (document.page_changed, document.rendition_changed, document.selection_changed):
            signal.connect(self.refresh)
        shell.session.pictures.ready.connect(lambda key: self.refresh())

    def _inspect(self, canvas: PageCanvas | PairCanvas, at: QPointF) -> None:
        shred_id = canvas.shred_at(at) if self.inspector.on else ""
        if shred_id:
            on_shred = self._to_canvas(shred_id, canvas).inverted()[0].map(at)
            self.inspector.choose_at(shred_id, on_shred.x(), on_shred.y())

    def _inspect_sheet(self, at: QPointF) -> None:
        shred_id = self._sheet.shred_at(at) if self.inspector.on else ""
        if shred_id:
            self.inspector.choose_on_sheet(shred_id, at.x(), at.y())

    def go_to(self, sample: Sample) -> None:
        """Choose the shred of a sample, and bring it into sight on the page where it stands."""
        document = self._document
        case = document.case
        document.select_shred(sample.shred)
        page = case.arrangement.page_of(sample.shred) if case else None
        if page is not None:
            self._show_when_composed = sample
            document.show_page(page)
            self.refresh()
        else:
            document.show_shred(sample.shred)  # of a face that is not seen, its paper

    def try_join(self, sample: Sample, shred_id: str) -> None:
        """Move a shred beside the border of a sample, as one step that can be undone."""
        from core.inspection.sample_view import beside

        case, one, other = self._document.case, self._document.seen(sample.shred), self._document.seen(shred_id)
        edit = beside(case.arrangement, sample, shred_id) if case else None
        is_seen = one == sample.shred
        left, right = (one, other) if (sample.side == "right") == is_seen else (other, one)
        if is_seen != (other == shred_id):
            behind, seen = (shred_id, other) if is_seen else (sample.shred, one)
            text = self.tr("{id} is behind {seen}: turn one of the two over first (Shift+V).")
            self._notices.tell(text.format(id=behind, seen=seen), icon="warning")
        elif edit is None:
            text = self.tr("{id} stands on no page, so nothing can stand beside it.").format(id=sample.shred)
            self._notices.tell(text, icon="warning")
        elif case and case.arrangement.has_join(left, right):
            self._notices.tell(self.tr("{left} and {right} are neighbours already.").format(left=left, right=right))
        elif self._editor.edit(edit, self.tr("trial of {left} | {right}").format(left=left, right=right)):
            self.go_to(sample)

    def _set_marked(self, samples: tuple[Sample, ...]) -> None:
        self._marked = samples
        self.refresh()

    def refresh(self) -> None:
        """Draw the marks where the samples lie now."""
        for marks, place in (
            (self.page_marks, lambda sample: self._on_shred(sample, self._page)),
            (self.pair_marks, lambda sample: self._on_shred(sample, self._pair)),
            (self.sheet_marks, self._on_sheet),
        ):
            placed = [(place(sample), sample.side) for sample in self._marked]
            marks.set_marks([(frame, side) for frame, side in placed if frame is not None])
        wanted = self._show_when_composed
        if wanted is not None and (frame := self._on_shred(wanted, self._page)) is not None:
            self._show_when_composed = None
            canvas, rect = self._page, frame.boundingRect()
            seen = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
            if canvas.zoom < _LEAST_ZOOM or not seen.contains(rect):
                canvas.show_region(rect.adjusted(-_ROOM_PX, -_ROOM_PX, _ROOM_PX, _ROOM_PX), fill=1.0)

    def _on_shred(self, sample: Sample, canvas: PageCanvas | PairCanvas) -> QPolygonF | None:
        box = self.inspector.box_on_shred(sample)
        if box is None or sample.shred not in canvas.places:
            return None
        return self._to_canvas(sample.shred, canvas).map(QPolygonF(QRectF(*box)))

    def _to_canvas(self, shred_id: str, canvas: PageCanvas | PairCanvas) -> QTransform:
        """Return the map to a canvas from a shred's pixels, turned as the examiner turned it."""
        if isinstance(canvas, PageCanvas):
            return transform_from(self.inspector.turn(shred_id)).inverted()[0] * canvas.maps[shred_id]
        place = canvas.places[shred_id]
        return QTransform.fromTranslate(place.x(), place.y())

    def _on_sheet(self, sample: Sample) -> QPolygonF | None:
        shred = self._document.shred(sample.shred)
        if shred is None or shred.sheet != self._document.selection.sheet:
            return None
        corners = self.inspector.box_on_sheet(sample)
        return QPolygonF([QPointF(x, y) for x, y in corners]) if corners else None
