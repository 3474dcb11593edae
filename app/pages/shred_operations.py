"""What the examiner does with the chosen shreds: each a step with a name, by key, menu or mouse."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QObject, Signal

from app.sentences.naming import pages
from app.session.document import Document
from app.session.document import Place as Place
from app.session.editor import Editor
from core.arrangement import edits, page_edits
from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import Edit, InvalidEditError
from core.arrangement.row_edits import as_row

TRAY = Place(-1)


class ShredOperations(QObject):
    """Moves, turns and sets aside what is chosen."""

    cut_changed = Signal()

    def __init__(self, document: Document, editor: Editor) -> None:
        super().__init__(document)
        self._document, self._editor = document, editor
        self.cut: tuple[str, ...] = ()
        document.case_changed.connect(self.drop_cut)

    @property
    def chosen(self) -> tuple[str, ...]:
        """All chosen shreds, in reading order."""
        return self._document.in_reading_order(self._document.selection.shreds)

    @property
    def chosen_on_pages(self) -> tuple[str, ...]:
        """Those of them that stand on a page."""
        aside = set(self._arrangement.set_aside) if self._arrangement else set()
        return tuple(shred for shred in self.chosen if shred not in aside)

    @property
    def chosen_aside(self) -> tuple[str, ...]:
        """Those of them that are set aside."""
        placed = set(self.chosen_on_pages)
        return tuple(shred for shred in self.chosen if shred not in placed)

    @property
    def _arrangement(self) -> Arrangement | None:
        return self._document.case.arrangement if self._document.case else None

    # Moving

    def put(self, shreds: Sequence[str], place: Place) -> bool:
        """Move shreds to a place, or into the tray; they are chosen then, and in sight."""
        arrangement = self._arrangement
        if arrangement is None or not shreds:
            return False
        if place == TRAY:
            return self._edit(edits.SetAside(tuple(shreds)), self.tr("setting aside of {shreds}"), shreds)
        back = set(shreds) <= set(arrangement.set_aside)
        text = self.tr("bringing back of {shreds}") if back else self.tr("move of {shreds}")
        try:
            return self._edit(self._to(shreds, place), text, shreds)
        except InvalidEditError as error:
            self._editor.refused.emit(str(error))
            return False

    def foresee(self, shreds: Sequence[str], place: Place) -> Arrangement | None:
        """Return the arrangement with shreds moved to a place; None where nothing would change or can."""
        if self._arrangement is None or place == TRAY:
            return None
        before = self._arrangement
        try:
            after = self._editor.foresee(self._to(shreds, place))
        except InvalidEditError:
            return None
        same = after is None or (after.pages, after.grid_places) == (before.pages, before.grid_places)
        return None if same else after

    def _to(self, shreds: Sequence[str], place: Place) -> Edit:
        """Compose the edit that moves shreds to a place."""
        case, current = self._document.case, self._document.selection.shred
        if case is None or not place.level:
            return edits.MoveShreds(tuple(shreds), *self.open_gap(place)[:2])
        beside = case.arrangement.pages[place.page][place.position]
        grabbed = current if current in shreds else shreds[0]
        return as_row(case.arrangement, shreds, beside, place.level < 0, grabbed, case.width_px)

    def joins_made(self, after: Arrangement) -> list[tuple[str, str, float]]:
        """List the joins that a foreseen arrangement has and the case has not, with how sure they would be."""
        if self._arrangement is None:
            return []
        before, has_join = set(self._arrangement.pages), self._arrangement.has_join
        made = [pair for page in after.pages if page not in before for pair in pairwise(page) if not has_join(*pair)]
        sure = (self._editor.confidence(*pair, after) for pair in made)
        return [(*pair, known) for pair, known in zip(made, sure, strict=True) if known is not None]

    def open_gap(self, place: Place) -> Place:
        """Return the nearest place where a shred can stand: none is within what confirmed joins hold together."""
        arrangement = self._arrangement
        if arrangement is None or place.level or not 0 <= place.page < len(arrangement.pages):
            return place
        page = arrangement.pages[place.page]
        first = last = place.position
        while 0 < first < len(page) and (page[first - 1], page[first]) in arrangement.confirmed:
            first -= 1
        while 0 < last < len(page) and (page[last - 1], page[last]) in arrangement.confirmed:
            last += 1
        return Place(place.page, first if place.position - first < last - place.position else last)

    def move_by(self, step: int) -> None:
        """Move what is chosen past its left (-1) or right (1) neighbour; at a page's end on to the page beside it."""
        arrangement, chosen = self._arrangement, self.chosen_on_pages
        if arrangement is None or not chosen:
            return
        end = chosen[0] if step < 0 else chosen[-1]
        group = arrangement.group(end)
        number = arrangement.page_of(end)
        assert number is not None
        page = arrangement.pages[number]
        neighbour = page.index(group[0]) - 1 if step < 0 else page.index(group[-1]) + 1
        if 0 <= neighbour < len(page):
            past = arrangement.group(page[neighbour])
            self.put(chosen, Place(number, page.index(past[0]) if step < 0 else page.index(past[-1]) + 1))
        elif 0 <= number + step < len(arrangement.pages):
            self.move_to_page(step)

    def move_to_page(self, step: int) -> None:
        """Move what is chosen to the end of the page before (-1) or to the beginning of the page after (1)."""
        arrangement, chosen = self._arrangement, self.chosen_on_pages
        if arrangement is None or not chosen:
            return
        number = arrangement.page_of(chosen[0] if step < 0 else chosen[-1])
        assert number is not None
        if 0 <= number + step < len(arrangement.pages):
            self.put(chosen, Place(number + step, len(arrangement.pages[number + step]) if step < 0 else 0))

    def move_to_new_page(self) -> None:
        """Move what is chosen to a page of its own, behind the page shown."""
        if self.chosen:
            page = min(self._document.page + 1, self._document.n_pages)
            text = self.tr("move of {shreds} to a new page")
            self._edit(edits.MoveShreds(self.chosen, page, new_page=True), text, self.chosen)

    def cut_chosen(self) -> None:
        """Mark what is chosen as cut; it stays where it is until it is pasted."""
        self.cut = self.chosen
        self.cut_changed.emit()

    def drop_cut(self) -> None:
        """Forget what was cut."""
        self.cut = ()
        self.cut_changed.emit()

    def paste(self, *, after: bool = True) -> None:
        """Insert what was cut behind or in front of the current shred; without one, at the end of the page shown."""
        cut = self._document.in_reading_order(self.cut)
        if self._arrangement is not None and cut and (self.put(cut, self._at_current(after)) or not self.cut):
            self.drop_cut()

    def _at_current(self, after: bool) -> Place:
        """Return the place beside the current shred, or at the end of the page shown."""
        assert self._arrangement is not None
        shred, page = self._document.selection.shred, self._document.page
        number = self._arrangement.page_of(shred)
        if number is not None:
            return Place(number, self._arrangement.pages[number].index(shred) + after)
        pages = self._arrangement.pages
        return Place(page, len(pages[page])) if page < len(pages) else Place(len(pages))

    # Set aside and back

    def set_aside(self) -> None:
        """Remove what is chosen from its pages."""
        self.put(self.chosen_on_pages, TRAY)

    def bring_back(self) -> None:
        """Move what is chosen in the tray to the end of the page shown."""
        if self._arrangement is not None:
            pages, page = self._arrangement.pages, self._document.page
            self.put(self.chosen_aside, Place(page, len(pages[page]) if pages else 0))

    # Pages

    def begin_page(self) -> None:
        """Let a page begin with the current shred."""
        shred = self._document.selection.shred
        if shred:
            self._edit(edits.SplitPage(shred), self.tr("page break before {shreds}"), (shred,))

    def merge_pages(self) -> None:
        """Append the page after the one shown to it."""
        page = self._document.page
        text = self.tr("merging of pages {one} and {two}").format(one=page + 1, two=page + 2)
        self._editor.edit(edits.MergePages(page), text)

    def turn_page(self) -> None:
        """Turn the page that is shown by a quarter, counter-clockwise."""
        case, page = self._document.case, self._document.page
        if case is not None and page < len(case.arrangement.pages):
            text = self.tr("quarter turn of {page}").format(page=pages(case.arrangement, [page]))
            self._editor.edit(edits.TurnPage(page, (case.quarter_turns(page) + 1) % 4), text)

    def level_page(self, slope_deg: float) -> None:
        """Turn the page that is shown so that what slopes on it by so much, counter-clockwise, is level."""
        arrangement, page = self._arrangement, self._document.page
        if arrangement is None or page >= len(arrangement.pages):
            return
        angle_deg = round((arrangement.page_mark("page_slopes", page) or 0.0) - slope_deg, 2)
        text = self.tr("levelling of {page}").format(page=pages(arrangement, [page]))
        self._editor.edit(page_edits.LevelPage(page, angle_deg), text)

    # Turning and shifting

    def half_turn(self) -> None:
        """Turn what is chosen upside down."""
        if self.chosen:
            self._edit(edits.HalfTurn(self.chosen), self.tr("half-turn of {shreds}"), self.chosen)

    def pin(self) -> None:
        """Pin what is chosen to its page; if all of it is pinned, release it."""
        shreds, arrangement = self.chosen_on_pages, self._arrangement
        if arrangement is not None and shreds:
            pinned = not arrangement.pinned.issuperset(shreds)
            text = self.tr("pinning of {shreds}") if pinned else self.tr("release of {shreds}")
            self._edit(page_edits.PinShreds(shreds, pinned), text, shreds)

    def nudge(self, by_px: int) -> None:
        """Move what is chosen down by some pixels, up if negative."""
        shreds = self.chosen_on_pages
        if shreds and by_px:
            self._edit(edits.ShiftShreds(shreds, by_px), self.tr("nudge of {shreds}"), shreds)

    def turn(self, by_deg: float) -> None:
        """Turn each chosen shred by a few tenths of a degree, counter-clockwise positive."""
        self.turn_to({shred: self.angle_deg(shred) + by_deg for shred in self.chosen})

    def turn_to(self, angles_deg: dict[str, float]) -> None:
        """Turn shreds to given angles against how they were found."""
        most = edits.MAX_TURN_DEG
        within = {shred: max(-most, min(angle, most)) for shred, angle in angles_deg.items()}
        turns = tuple(edits.TurnShred(shred, round(angle, 2)) for shred, angle in within.items())
        if turns:
            self._edit(edits.Together(turns), self.tr("turn of {shreds}"), tuple(angles_deg))

    def angle_deg(self, shred: str) -> float:
        """Return by how much a shred has been turned by hand."""
        return self._arrangement.turned_deg.get(shred, 0.0) if self._arrangement else 0.0

    # In words

    def named(self, shreds: Sequence[str]) -> str:
        """Name shreds in the history: "shred 1-02", "3 shreds"."""
        text = self.tr("shred {id}") if len(shreds) == 1 else self.tr("{n} shreds")
        return text.format(id=shreds[0], n=len(shreds))

    def _edit(self, edit: Edit, text: str, shreds: Sequence[str]) -> bool:
        done = self._editor.edit(edit, text.format(shreds=self.named(shreds)))
        if done:
            current = self._document.selection.shred
            self._document.select_shreds(shreds, current if current in shreds else shreds[-1])
            self._document.show_shred(self._document.selection.shred)
        return done
