"""Both faces in the window, put together: paper is turned over by key, its back is shown, and faces are paired."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.docks import Panel
from app.faces.back_view import BackView
from app.faces.pairs_panel import PairsPanel
from app.reasons import allow, first_reason, unless, unless_case, unless_chosen, unless_page
from app.shell import Shell
from app.widgets.image_view import ImageView
from core.arrangement.arrangement import Arrangement
from core.arrangement.face_edits import TurnOver
from core.arrangement.grid import number_of, whole_page

_FEW = 3


class Faces(QObject):
    """Owns what looking at both faces of paper needs in the window.

    Parameters
    ----------
    shell : Shell
        The window.
    page : ImageView
        Where a page is shown.
    """

    def __init__(self, shell: Shell, page: ImageView) -> None:
        super().__init__(shell.parent)
        session = shell.session
        self._document, self._editor, self._actions = session.document, session.editor, shell.actions
        self._docks, self._notices = shell.docks, shell.notices
        document = self._document
        self.back = BackView(document, session.jobs, session.pictures, page)
        self.pairs = PairsPanel(document, session.jobs, session.editor)
        self.back.shred_chosen.connect(document.select_shred)
        text = self.tr("These were compared as they lie only. Solve Again (Ctrl+R) lets both faces count.")
        self.pairs.one_sided.connect(lambda: shell.notices.tell(text))
        shell.actions.turn_over.triggered.connect(self.turn_page_over)
        shell.actions.turn_chosen_over.triggered.connect(self.turn_chosen_over)
        changes = document.case_changed, document.arrangement_changed, document.page_changed
        for signal in (*changes, document.selection_changed):
            signal.connect(self.refresh)
        self.refresh()

    def follow_docks(self, back: Panel, pairs: Panel) -> None:
        """Bring up to date what comes to the front."""
        back.dock.visibilityChanged.connect(self.back.set_in_front)
        pairs.dock.visibilityChanged.connect(self.pairs.set_in_front)

    @property
    def _arrangement(self) -> Arrangement | None:
        return self._document.case.arrangement if self._document.case is not None else None

    @property
    def _on_page(self) -> tuple[str, ...]:
        """The shreds of the page that is shown, of cross-cut paper those of all its rows."""
        arrangement, page = self._arrangement, self._document.page
        return whole_page(arrangement, page) if arrangement is not None and page < len(arrangement.pages) else ()

    def turn_page_over(self) -> None:
        """Turn over all paper of the page that is shown; the same row of it stays in sight.

        Paper of which one face was scanned has nothing to show there: the page stays, and is looked at from behind,
        with a hole there.
        """
        arrangement, page = self._arrangement, self._document.page
        if arrangement is None:
            return
        if not_known := self._unless_known(self._on_page):
            self._docks.show("back")
            text = self.tr(
                "{not_known} The page stays as it stands; beside it, it is seen from behind, with a hole there."
            )
            self._notices.tell(text.format(not_known=not_known))
            return
        text = self.tr("turning over of page {page}").format(page=1 + number_of(arrangement, page)[0])
        shown = arrangement.pages[page][0]
        self._turn_over(self._on_page, text, shown)

    def turn_chosen_over(self) -> None:
        """Turn over the chosen shreds, each where it stands."""
        chosen = self._document.in_reading_order(self._document.selection.shreds)
        text = self.tr("turning over of shred {id}") if len(chosen) == 1 else self.tr("turning over of {n} shreds")
        first = chosen[0] if chosen else ""
        self._turn_over(chosen, text.format(id=first, n=len(chosen)), first)

    def _turn_over(self, shreds: Sequence[str], text: str, shown: str) -> None:
        if self._editor.edit(TurnOver(tuple(shreds)), text):
            self._document.show_shred(shown)

    def refresh(self) -> None:
        """Allow the actions that make sense."""
        has_case = self._document.case is not None
        chosen, page = self._document.selection.shreds, self._on_page
        no_page = unless_page(has_case, self._document.n_pages)
        faces = self._arrangement.other_faces if self._arrangement is not None else {}
        none = unless(not faces.keys().isdisjoint(page), self.tr("Nothing is known of the other face."))
        allow(first_reason(no_page, none), self._actions.turn_over)
        not_chosen = first_reason(unless_case(has_case), unless_chosen(chosen))
        allow(first_reason(not_chosen, self._unless_known(chosen)), self._actions.turn_chosen_over)

    def _unless_known(self, shreds: Sequence[str]) -> str:
        """Return why shreds cannot be turned over; "" if they can."""
        faces = self._arrangement.other_faces if self._arrangement is not None else {}
        alone = [shred for shred in shreds if shred not in faces]
        if len(alone) == len(shreds):
            return self.tr("Nothing is known of the other face.")
        text = self.tr("What is on the other face of {shreds} is not known.")
        if len(alone) > _FEW:
            text = self.tr("What is on the other face of {shreds} and {n} more is not known.")
        return unless(not alone, text.format(shreds=", ".join(alone[:_FEW]), n=len(alone) - _FEW))
