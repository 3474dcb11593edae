"""Which shreds are the two faces of one paper: listed, the doubtful ones first, looked at, and set by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, QRectF, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app import wording
from app.images import Pyramid, pyramid_from
from app.reasons import allow, first_reason, unless, unless_case
from app.session.document import Document
from app.session.editor import Editor
from app.session.tasks import Deliver, Jobs, Task
from app.widgets.controls import build, button, label
from app.widgets.image_view import ImageView
from app.widgets.layouts import in_column, in_row, scrolling
from core.arrangement.face_edits import PairFaces, PartFaces
from core.case.case import Case
from core.faces.notes import is_doubtful
from core.progress import Progress

_ROWS_SHOWN = 420
"""So many rows, where most ink meets, are shown at first; a double click shows all."""

_LINES_OF_NOTES = 6
"""More of what does not fit is scrolled to."""

_SHRED = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Paper:
    """A shred that is seen, and its other face.

    Attributes
    ----------
    shred, other : str
        Identifiers; `other` is "" where one face is known.
    confidence : float
        How sure it is that they are one paper.
    by_hand : bool
        Whether the examiner said so.
    """

    shred: str
    other: str = ""
    confidence: float = 0.0
    by_hand: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether it should be looked at."""
        return bool(self.other) and not self.by_hand and is_doubtful(self.confidence)


def papers_of(case: Case) -> list[Paper]:
    """List all paper: first where its faces are doubtful, then where one is known alone, then in reading order."""
    arrangement, listed = case.arrangement, []
    for shred in arrangement.order:
        by_hand = shred in arrangement.paired_by_hand
        if shred in arrangement.other_faces:
            other, _, _, confidence = arrangement.other_faces[shred]
            listed.append(Paper(shred, other, confidence, by_hand))
        elif not case.shred_by_id[shred].scrap:
            listed.append(Paper(shred, by_hand=by_hand))
    rank = {(True, True): 0, (False, False): 1, (False, True): 2}
    return sorted(listed, key=lambda one: (rank[one.doubtful, bool(one.other)], one.confidence if one.doubtful else 0))


class PairsPanel(QWidget):
    """Follows what is chosen, and chooses.

    Parameters
    ----------
    document : Document
        Whose paper it is.
    jobs : Jobs
        Draw faces, and find how they lie.
    editor : Editor
        Pairs and parts them.
    """

    one_sided = Signal()
    """Faces were paired that were compared as they lie only: finding the order again compares them both ways up."""

    def __init__(self, document: Document, jobs: Jobs, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._jobs, self._editor = document, jobs, editor
        self._listed: list[Paper] = []
        self._items: dict[str, QTreeWidgetItem] = {}
        self._in_front = False
        self._drawn: tuple[object, ...] | None = None
        self._drawing: Task | None = None
        self._finding: Task | None = None
        self._noting: Task | None = None
        self._rest = build(QTimer, self, singleShot=True, interval=60, timeout=self._draw)
        self._build()
        document.case_changed.connect(self.follow)
        document.arrangement_changed.connect(self.follow)
        document.selection_changed.connect(self._choose)
        self.follow()

    def _build(self) -> None:
        self.heading = label(role="heading", wordWrap=True)
        tip = self.tr("What does not fit of the faces of paper")
        self.notes = label(wordWrap=True, accessibleName=tip, toolTip=tip)
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tree = build(QTreeWidget, rootIsDecorated=False, allColumnsShowFocus=True, uniformRowHeights=True)
        self.tree.setHeaderLabels([self.tr("Shred"), self.tr("Other face"), self.tr("Sure"), self.tr("Sheets")])
        self.tree.setAccessibleName(self.tr("Which shreds are one paper"))
        self.tree.setToolTip(self.tr("Choose one to see both its faces; with Ctrl two, to pair them"))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.tree.itemSelectionChanged.connect(self._follow_rows)
        self.caption = label(wordWrap=True)
        self.canvas = ImageView()
        self.canvas.setAccessibleName(self.tr("Both faces of the shred"))
        tip = self.tr("Say that the two chosen shreds, or this one and its other face, are one paper")
        self.pair = button(self.tr("&Pair"), tip, self._pair)
        tip = self.tr("Say that this shred and its other face are two pieces of paper")
        self.part = button(self.tr("P&art"), tip, self._part)
        noted = in_column(self.notes)
        self._noted = scrolling(noted)
        noted.setContentsMargins(0, 0, 0, 0)  # in line with what stands above and below
        parts = (
            self.heading,
            self._noted,
            (self.tree, 2),
            self.caption,
            (self.canvas, 3),
            in_row(self.pair, self.part, None),
        )
        in_column(*parts, on=self, margins=(10, 8, 10, 8), spacing=6)

    # What is listed

    def set_in_front(self, on: bool) -> None:
        """List only what can be seen."""
        self._in_front = on
        self.follow()

    def follow(self) -> None:
        """List the paper as it is now; what is out of sight follows when it is shown."""
        if not self._in_front:
            return
        case = self._document.case
        listed = papers_of(case) if case is not None else []
        if listed != self._listed:
            self._listed = listed
            self._list()
        self._choose()

    def _list(self) -> None:
        with QSignalBlocker(self.tree):
            self.tree.clear()
            self._items = {paper.shred: self._item(paper) for paper in self._listed}
            self.tree.addTopLevelItems(list(self._items.values()))
        for column in range(3):
            self.tree.resizeColumnToContents(column)
        self.heading.setText(self._summary())
        self._note()

    def _note(self) -> None:
        """Have it found on a worker what does not fit, and say it above the list."""
        case, engine = self._document.case, self._jobs.engine
        if self._noting is not None:
            self._noting.cancel()
        self._tell_notes(())
        if case is not None:
            self._noting = self._jobs.start(lambda progress, deliver: engine.notes_on_faces(case))
            self._noting.succeeded.connect(self._tell_notes)
            self._noting.failed.connect(self._jobs.failed)

    def _tell_notes(self, notes: Sequence[str]) -> None:
        self.notes.setText("\n".join(notes))
        self._noted.setMaximumHeight(_LINES_OF_NOTES * self.notes.fontMetrics().lineSpacing())
        self._noted.setVisible(bool(notes))

    def _item(self, paper: Paper) -> QTreeWidgetItem:
        sure = wording.degree(paper.confidence)
        if paper.by_hand:
            sure = self.tr("by hand")
        elif not paper.other:
            sure = "–"
        names = [self._sheet(face) for face in (paper.shred, paper.other) if face]
        item = QTreeWidgetItem([paper.shred, paper.other or "–", sure, ", ".join(names)])
        item.setToolTip(3, "\n".join(names))
        item.setData(0, _SHRED, paper.shred)
        return item

    def _sheet(self, face: str) -> str:
        shred = self._document.shred(face)
        return "" if shred is None else self._document.opened.sheet_names[shred.sheet]

    def _summary(self) -> str:
        n_both, n_doubtful = sum(bool(one.other) for one in self._listed), sum(one.doubtful for one in self._listed)
        one, many = self.tr("shred with both faces"), self.tr("shreds with both faces")
        parts = [wording.counted(n_both, one, many)]
        if n_doubtful:
            parts.append(self.tr("{n} of them doubtful").format(n=n_doubtful))
        if n_alone := len(self._listed) - n_both:
            parts.append(self.tr("{n} with one face").format(n=n_alone))
        return ", ".join(parts)

    # What is chosen

    def _follow_rows(self) -> None:
        chosen = [item.data(0, _SHRED) for item in self.tree.selectedItems()]
        current = self.tree.currentItem()
        if chosen:
            self._document.select_shreds(chosen, current.data(0, _SHRED) if current is not None else "")
            self._document.show_shred(self._document.selection.shred)

    def _choose(self) -> None:
        """Mark what is chosen, and show both its faces."""
        if not self._in_front:
            return
        selection, flag = self._document.selection, QItemSelectionModel.SelectionFlag
        items = [self._items[shred] for shred in selection.shreds if shred in self._items]
        if [*map(id, items)] != [*map(id, self.tree.selectedItems())]:
            with QSignalBlocker(self.tree):
                self.tree.clearSelection()
                for item in items:
                    item.setSelected(True)
                if selection.shred in self._items:
                    self.tree.setCurrentItem(self._items[selection.shred], 0, flag.NoUpdate)
        if selection.shred in self._items:
            self.tree.scrollToItem(self._items[selection.shred])
        self._rest.start()
        self._allow()

    @property
    def _face(self) -> Paper | None:
        """The shred that is chosen alone, if both its faces are known."""
        case, shred = self._document.case, self._document.selection.shred
        alone = len(self._document.selection.shreds) == 1
        if case is None or not alone or shred not in case.arrangement.other_faces:
            return None
        other, _, _, confidence = case.arrangement.other_faces[shred]
        return Paper(shred, other, confidence, shred in case.arrangement.paired_by_hand)

    @property
    def _offered(self) -> Paper | None:
        """The two chosen shreds, if they are not known as one paper."""
        chosen = self._document.selection.shreds
        return Paper(*chosen) if len(chosen) == 2 else None

    def _draw(self) -> None:
        """Have both faces drawn side by side on a worker, unless they are drawn already."""
        case, face, engine = self._document.case, self._offered or self._face, self._jobs.engine
        wanted = None if case is None or face is None else (face, case.arrangement.turn_of(face.shred), id(case.shreds))
        if wanted is None:
            self.caption.setText(self._missing())
        if wanted == self._drawn:
            return
        self._drawn = wanted
        if self._drawing is not None:
            self._drawing.cancel()
        self.canvas.set_images((), 0, 0)
        if case is None or face is None:
            return
        self.caption.setText("")
        shred, other = face.shred, face.other

        def work(progress: Progress, deliver: Deliver) -> tuple[Pyramid, int]:
            seen = engine.both_faces(case, shred, other)
            return pyramid_from(seen.pixels), seen.telling_row(_ROWS_SHOWN)

        self._drawing = self._jobs.start(work)
        self._drawing.succeeded.connect(lambda drawn: self._show(face, *drawn))
        self._drawing.failed.connect(self._jobs.failed)

    def _missing(self) -> str:
        """Say that nothing is known of the other face of the shred that is chosen, and what to do; "" if that is."""
        chosen, case = self._document.selection.shreds, self._document.case
        if case is None or len(chosen) != 1 or chosen[0] in case.arrangement.other_faces:
            return ""
        text = self.tr("Nothing is known of the other face of {shred}. If it was scanned, choose it with Ctrl, too.")
        return text.format(shred=chosen[0])

    def _show(self, face: Paper, levels: Pyramid, row: int) -> None:
        width, height = levels[0].width(), levels[0].height()
        self.canvas.set_images(levels, width, height)
        rows = min(_ROWS_SHOWN, height)
        top = max(0, min(height - rows, row - rows // 2))
        self.canvas.show_region(QRectF(0, top, width, rows), fill=0.95)
        self.caption.setText(self._said_of(face))

    def _said_of(self, face: Paper) -> str:
        """Say what lies left and right, and what that it should show."""
        text = self.tr("Left {shred}; right its other face {other}, turned over: their edges mirror each other")
        if face == self._offered:
            text = self.tr("Left {shred}; right {other}, turned over: of one paper the edges would mirror each other")
        elif face.by_hand:
            text = self.tr("Left {shred}; right its other face {other}, turned over: so you said")
        elif face.doubtful:
            text = self.tr(
                "Left {shred}; right perhaps its other face, {other}, turned over: of one paper the edges would mirror "
                "each other. Pair says that they do, Part that they do not"
            )
        return text.format(shred=face.shred, other=face.other)

    # Set by hand

    def _allow(self) -> None:
        case = self._document.case
        no_case = unless_case(case is not None)
        offered = self._offered or (self._face if self._face and not self._face.by_hand else None)
        two = unless(offered, self.tr("Choose two shreds first: the two faces of one paper."))
        waits = unless(
            self._finding is None or self._finding.settled, self.tr("It is still being found how two faces lie.")
        )
        allow(first_reason(no_case, two, waits), self.pair)
        none = unless(self._face, self.tr("Choose one shred of which both faces are known first."))
        allow(first_reason(no_case, none, waits), self.part)

    def _pair(self) -> None:
        case, offered, engine = self._document.case, self._offered, self._jobs.engine
        face = offered or self._face
        if case is None or face is None:
            return
        text = self.tr("pairing of {one} and {other}").format(one=face.shred, other=face.other)
        if offered is not None:
            self._edit(case, lambda: engine.paired(case, face.shred, face.other), text)
        else:
            as_found = PairFaces(face.shred, *case.arrangement.other_faces[face.shred][:3])
            self._edit(case, lambda: as_found, text)

    def _part(self) -> None:
        case, face = self._document.case, self._face
        if case is not None and face is not None:
            text = self.tr("parting of {one} and {other}").format(one=face.shred, other=face.other)
            self._edit(case, lambda: PartFaces(face.shred), text)

    def _edit(self, case: Case, find: Callable[[], PairFaces | PartFaces], text: str) -> None:
        """Have an edit found on a worker, with what follows from it for the joins; then carry it out."""
        engine = self._jobs.engine

        def work(progress: Progress, deliver: Deliver) -> PairFaces | PartFaces:
            edit = find()
            engine.put_together(case, edit)
            return edit

        self._finding = self._jobs.start(work)
        self._finding.succeeded.connect(lambda edit: self._carry_out(case, edit, text))
        self._finding.failed.connect(self._jobs.failed)
        self._finding.at_outcome(lambda *_: self._allow())
        self._allow()

    def _carry_out(self, begun: Case, edit: PairFaces | PartFaces, text: str) -> None:
        case = self._document.case
        if case is None or case.shreds is not begun.shreds or not self._editor.edit(edit, text):
            return
        if isinstance(edit, PairFaces):
            as_found = case.arrangement.other_faces.get(edit.one, ("",))[0] == edit.other
            doubtful = [paper.shred for paper in self._listed if paper.doubtful and as_found]
            shown = next(iter(doubtful), edit.one)  # said that the one is right, the next one is asked about
            self._document.select_shred(shown)
            self._document.show_shred(shown)
            if case.costs is not None and not case.both_ways:
                self.one_sided.emit()
