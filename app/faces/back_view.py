"""The other face of the page that is shown, beside it and looked at with it: composed on a worker while in sight."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPolygonItem, QStackedLayout, QWidget

from app import theme, wording
from app.docks import ROOM_PX
from app.faces.linked_views import LinkedViews, over
from app.session.document import Document
from app.session.pictures import PageLook, Picture, Pictures, page_picture
from app.session.tasks import Deliver, Jobs, Task
from app.widgets.controls import build, label
from app.widgets.image_view import ImageView
from app.widgets.layouts import in_column
from app.widgets.note_marks import word_marks
from core.arrangement.arrangement import OtherFace
from core.progress import Progress

_WIDTH_PX = 560
"""So wide it is made by itself, where the window has room: both faces are to be seen side by side."""

_FADED = 0.25

BackLook: TypeAlias = tuple[PageLook, tuple[OtherFace | None, ...]]
"""All that the picture of a back depends on: its front, and which shreds are behind that."""


class BackCanvas(ImageView):
    """The back of a page; what is chosen is marked, and a click chooses."""

    shred_clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[QGraphicsPolygonItem] = []
        """Frames around the shreds that are chosen."""
        self.found: list[QGraphicsItem] = []
        """Marks on words that were looked for."""
        self._gone_to: list[QRectF] = []
        self.picture: Picture | None = None
        self.setAccessibleName(self.tr("Other face of the page"))
        self.clicked.connect(lambda point: self.shred_clicked.emit(self.shred_at(point)))

    def set_back(self, picture: Picture | None) -> None:
        """Show a back, or none."""
        self.picture = picture
        levels, size_px = (picture.levels, picture.size_px) if picture is not None else ((), (0, 0))
        self.set_images(levels, *size_px)

    @property
    def _outlines(self) -> dict[str, QPolygonF]:
        return self.picture.outlines if self.picture is not None else {}

    def mark_found(self, others: list[QRectF], current: list[QRectF]) -> None:
        """Mark the words that were looked for, and bring those of the current hit into sight."""
        for mark in self.found:
            self.scene().removeItem(mark)
        self.found = word_marks(others, current)
        for mark in self.found:
            self.scene().addItem(mark)
        if current and current != self._gone_to:
            self.ensureVisible(current[0])
        self._gone_to = current

    def shred_at(self, point: QPointF) -> str:
        """Find the shred at a place; where pictures overlap, the one whose middle is nearest; "" if there is none."""
        hits = [name for name, of in self._outlines.items() if of.containsPoint(point, Qt.FillRule.OddEvenFill)]
        away = {name: (self._outlines[name].boundingRect().center() - point).manhattanLength() for name in hits}
        return min(hits, key=away.__getitem__, default="")

    def mark(self, shreds: Collection[str]) -> None:
        """Frame shreds, as the page frames what is chosen there."""
        for mark in self.marks:
            self.scene().removeItem(mark)
        colour = QColor(theme.colours().accent)
        self.marks = [QGraphicsPolygonItem(of) for name, of in self._outlines.items() if name in shreds]
        for mark in self.marks:
            pen = QPen(colour, 2)
            pen.setCosmetic(True)
            mark.setPen(pen)
            mark.setBrush(theme.translucent(theme.colours().accent, 36))
            self.scene().addItem(mark)


class BackView(QWidget):
    """Follows the page that is shown.

    Parameters
    ----------
    document : Document
        Whose pages have backs.
    jobs : Jobs
        Compose them.
    pictures : Pictures
        Have the page itself.
    page : ImageView
        Shows that.
    """

    shred_chosen = Signal(str)

    def __init__(
        self, document: Document, jobs: Jobs, pictures: Pictures, page: ImageView, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._document, self._jobs = document, jobs
        self._composing: Task | None = None
        self._in_front = False
        self._wanted: BackLook | None = None
        self._rest = build(QTimer, self, singleShot=True, interval=60, timeout=self._compose)
        self.setProperty(ROOM_PX, _WIDTH_PX)
        self.canvas = BackCanvas()
        self._linked = LinkedViews(page, self.canvas, self)
        self.heading = label(role="heading")
        self.detail = label(wordWrap=True)
        self.hint = label(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        shown = QWidget()
        in_column(self.heading, self.detail, (self.canvas, 1), on=shown, margins=(0, 8, 0, 0), spacing=3)
        for text in (self.heading, self.detail):
            text.setIndent(12)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(shown)
        self.setAccessibleName(self.tr("Other face of the page"))
        self.canvas.shred_clicked.connect(lambda shred: self.shred_chosen.emit(shred) if shred else None)
        changes = document.case_changed, document.arrangement_changed, document.page_changed
        for signal in (*changes, document.rendition_changed):
            signal.connect(self.follow)
        document.selection_changed.connect(self._mark)
        pictures.ready.connect(self._tie)
        self.follow()

    def set_in_front(self, on: bool) -> None:
        """Compose only what can be seen."""
        self._in_front = on
        self.follow()

    def follow(self) -> None:
        """Show the other face of the page as it is now; what is out of sight follows when it is shown."""
        if not self._in_front:
            return
        look = self._look()
        if look != self._wanted:
            self._wanted = look
            if self._composing is not None:
                self._composing.cancel()
            self._rest.start()
            self._linked.part()
            self.canvas.image_item.setOpacity(_FADED)
        self._tell()

    def _look(self) -> BackLook | None:
        """Return what is to be shown; None where no other face is known."""
        document, case = self._document, self._document.case
        if case is None or document.page >= document.n_pages:
            return None
        faces, page = case.arrangement.other_faces, case.arrangement.pages[document.page]
        if faces.keys().isdisjoint(page):
            return None
        return PageLook.of(case, document.page, document.rendition), tuple(map(faces.get, page))

    def _compose(self) -> None:
        case, wanted, engine = self._document.case, self._wanted, self._jobs.engine
        if case is None or wanted is None:
            self.canvas.set_back(None)
            return
        look = wanted[0]

        def work(progress: Progress, deliver: Deliver) -> Picture:
            return page_picture(engine.compose_back(case, look.page, look.rendition), case, look)

        self._composing = self._jobs.start(work)
        self._composing.succeeded.connect(self._show)
        self._composing.failed.connect(self._jobs.failed)

    def _show(self, picture: Picture) -> None:
        self.canvas.set_back(picture)
        self.canvas.image_item.setOpacity(1.0)
        self._mark()
        self._tell()
        self._tie()

    def _tie(self) -> None:
        """Look at the back where the page is looked at, once both are composed as they are now."""
        case, back, wanted = self._document.case, self.canvas.picture, self._wanted
        if case is None or back is None or wanted is None or back.look != wanted[0]:
            return
        page = self._pictures.page(self._document.page)
        behind = over(page, back, case.arrangement.other_faces.items()) if page is not None else None
        if behind is not None:
            self._linked.tie(behind)

    def _mark(self) -> None:
        case, chosen = self._document.case, self._document.selection.shreds
        faces = case.arrangement.other_faces if case is not None else {}
        self.canvas.mark({faces[shred][0] for shred in chosen if shred in faces})

    def _tell(self) -> None:
        """Say of which page it is the other face, and how much of that is known; or why nothing is shown."""
        if self._wanted is None:
            self.hint.setText(self.tr("Nothing is known of the other face of this page."))
            self._stack.setCurrentIndex(0)
            return
        faces = self._wanted[1]
        n_known, n = sum(face is not None for face in faces), len(faces)
        case = self._document.case
        page = "" if case is None else wording.page_title(case.arrangement, self._document.page, "")
        self.heading.setText(self.tr("{page} from behind").format(page=page))
        shreds = wording.counted(n, self.tr("shred"), self.tr("shreds"))
        text = self.tr("{n} of {shreds}: of the others one face is known") if n_known < n else shreds
        self.detail.setText(self.tr("Composing…") if self._is_composing else text.format(n=n_known, shreds=shreds))
        self._stack.setCurrentIndex(1)

    @property
    def _is_composing(self) -> bool:
        return self._rest.isActive() or (self._composing is not None and not self._composing.settled)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark()
