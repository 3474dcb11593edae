"""What a step did, in a sentence that says from where to where; and in what two states of a case differ."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.wording import counted, join_state, page_state, translate
from core.arrangement import edits, face_edits, page_edits
from core.arrangement.arrangement import Arrangement
from core.arrangement.details import CaseDetails
from core.arrangement.edit import Edit
from core.arrangement.exchange import Exchange
from core.arrangement.grid import number_of, whole_page
from core.arrangement.noted import subject_of
from core.units import MM_PER_PX

_FEW = 3
_LONGEST = 60


@dataclass(frozen=True)
class Difference:
    """In what two states differ: of what, how it was, how it is; where it can be seen is a shred."""

    what: str
    before: str
    after: str
    shred: str = ""


def sentence(edit: Edit, before: Arrangement, after: Arrangement) -> str:
    """Say what an edit did: "Moved shred 3-12 from page 4, place 2 to page 7, place 1"; "" of a kind unknown here."""
    say = {
        edits.MoveShreds: _moved,
        edits.SetAside: _set_aside,
        edits.SplitPage: _split,
        edits.MergePages: _merged,
        edits.ShiftShreds: _shifted,
        edits.ShiftJoin: _join_shifted,
        edits.HalfTurn: _half_turned,
        edits.TurnShred: _turned,
        edits.TurnPage: _page_turned,
        edits.SetJoin: _join_set,
        edits.FreeJoin: _join_freed,
        Exchange: _exchanged,
        edits.WriteNote: _noted,
        edits.WriteDetails: _details_written,
        page_edits.MovePages: _pages_moved,
        page_edits.NamePage: _page_named,
        page_edits.LevelPage: _page_levelled,
        page_edits.PinShreds: _pinned,
        page_edits.GroupPages: _pages_grouped,
        page_edits.SetPageState: _page_states_set,
        face_edits.TurnOver: _turned_over,
        face_edits.PairFaces: _paired,
        face_edits.PartFaces: _parted,
        edits.Together: _together,
    }.get(type(edit))
    return "" if say is None else say(edit, before, after)  # type: ignore[operator]


def place(arrangement: Arrangement, shred: str) -> str:
    """Say where a shred stands: "page 4, place 2", "the tray", or "behind shred 3-12"."""
    if (seen := arrangement.seen(shred)) != shred:
        return translate("sentences", "behind {shred}").format(shred=listed((seen,)))
    page, at = arrangement.places[shred]
    if page == len(arrangement.pages):
        return translate("sentences", "the tray")
    text = translate("sentences", "{page}, place {place}")
    return text.format(page=pages(arrangement, [page]), place=at + 1)


def pages(arrangement: Arrangement, numbers: Sequence[int]) -> str:
    """Name pages: "page 4", "pages 4, 5 and 9 more"; rows of pieces "page 1, row 2; page 1, row 3"."""
    rows = [(page + 1, row) for page, row in (number_of(arrangement, number) for number in numbers[:_FEW])]
    n_more = len(numbers) - len(rows)
    shown, text = ", ".join(str(page) for page, _ in rows), translate("sentences", "pages {n}")
    if any(row is not None for _, row in rows):
        of_page, of_row = translate("sentences", "page {n}"), translate("sentences", "page {n}, row {row}")
        shown = "; ".join((of_page if row is None else of_row).format(n=page, row=1 + (row or 0)) for page, row in rows)
        text = "{n}"
    elif len(numbers) == 1:
        text = translate("sentences", "page {n}")
    if n_more > 0:
        text = translate("sentences", "{pages} and {n_more} more").format(pages=text, n_more=n_more)
    return text.format(n=shown)


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def listed(shreds: Sequence[str]) -> str:
    """Name shreds: "shred 3-12", "shreds 3-12, 3-13 and 4 more"."""
    if len(shreds) == 1:
        return translate("sentences", "shred {id}").format(id=shreds[0])
    shown, n_more = ", ".join(shreds[:_FEW]), len(shreds) - _FEW
    text = translate("sentences", "shreds {ids} and {n} more") if n_more > 0 else translate("sentences", "shreds {ids}")
    return text.format(ids=shown, n=n_more)


def _with_neighbours(before: Arrangement, shreds: Sequence[str], alone: bool = False) -> tuple[str, ...]:
    """List shreds with those that confirmed joins hold to them."""
    return tuple(dict.fromkeys(other for shred in shreds for other in ((shred,) if alone else before.group(shred))))


def _moved(edit: edits.MoveShreds, before: Arrangement, after: Arrangement) -> str:
    shreds = _with_neighbours(before, edit.shreds, edit.break_joins)
    text = translate("sentences", "Moved {shreds} from {before} to {after}")
    return text.format(shreds=listed(shreds), before=place(before, shreds[0]), after=place(after, shreds[0]))


def _set_aside(edit: edits.SetAside, before: Arrangement, after: Arrangement) -> str:
    shreds = _with_neighbours(before, edit.shreds, edit.break_joins)
    text = translate("sentences", "Set aside {shreds}, from {before}")
    return text.format(shreds=listed(shreds), before=place(before, shreds[0]))


def _split(edit: edits.SplitPage, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "{page} begins with shred {id}, which stood on {before}")
    page = _first_upper(pages(after, [after.places[edit.shred][0]]))
    return text.format(page=page, id=edit.shred, before=place(before, edit.shred))


def _merged(edit: edits.MergePages, before: Arrangement, after: Arrangement) -> str:
    n = counted(len(before.pages[edit.page + 1]), translate("wording", "shred"), translate("wording", "shreds"))
    text = translate("sentences", "Merged {next} ({n}, from {id} on) into {page}")
    merged, page = pages(before, [edit.page + 1]), pages(before, [edit.page])
    return text.format(next=merged, n=n, id=before.pages[edit.page + 1][0], page=page)


def _shifted(edit: edits.ShiftShreds, before: Arrangement, after: Arrangement) -> str:
    down, up = (
        translate("sentences", "Moved {shreds} down by {n} px"),
        translate("sentences", "Moved {shreds} up by {n} px"),
    )
    return (down if edit.by_px > 0 else up).format(shreds=listed(edit.shreds), n=abs(edit.by_px))


def _join_shifted(edit: edits.ShiftJoin, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Moved shred {right} against {left} from {before} to {after} px")
    was = before.shift_px.get(edit.right, 0)
    return text.format(left=edit.left, right=edit.right, before=f"{was:+d}", after=f"{edit.shift_px:+d}")


def _half_turned(edit: edits.HalfTurn, before: Arrangement, after: Arrangement) -> str:
    shreds = _with_neighbours(before, edit.shreds)
    text = translate("sentences", "Turned {shreds} by a half, on {place}")
    return text.format(shreds=listed(shreds), place=place(after, shreds[0]))


def _turned(edit: edits.TurnShred, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Turned shred {id} from {before} to {after}")
    was = before.turned_deg.get(edit.shred, 0.0)
    return text.format(id=edit.shred, before=f"{was:+.2f}°", after=f"{edit.angle_deg:+.2f}°")


def _page_turned(edit: edits.TurnPage, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Turned {page} from {before} to {after}, counter-clockwise")
    page, turns = pages(before, [edit.page]), (_page_turn(before, edit.page), _page_turn(after, edit.page))
    return text.format(page=page, before=turns[0], after=turns[1])


def _page_turn(arrangement: Arrangement, page: int) -> str:
    turns = arrangement.turned_by_hand_to(page)
    return translate("sentences", "as its print says") if turns is None else f"{90 * turns}°"


def _page_levelled(edit: page_edits.LevelPage, before: Arrangement, after: Arrangement) -> str:
    was = before.page_mark("page_slopes", edit.page) or 0.0
    text = translate("sentences", "Levelled {page} by hand: from {before} to {after}")
    return text.format(page=pages(before, [edit.page]), before=f"{was:+.2f}°", after=f"{edit.angle_deg:+.2f}°")


def _pinned(edit: page_edits.PinShreds, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Pinned {shreds} to {place}")
    if not edit.pinned:
        text = translate("sentences", "Released {shreds} from {place}")
    numbers = sorted({page for shred in edit.shreds if (page := after.page_of(shred)) is not None})
    return text.format(shreds=listed(edit.shreds), place=pages(after, numbers))


def _join_set(edit: edits.SetJoin, before: Arrangement, after: Arrangement) -> str:
    was = join_state(before.state(edit.left, edit.right)).lower()
    text = translate("sentences", "Join {left} | {right}: from {before} to {after}")
    return text.format(left=edit.left, right=edit.right, before=was, after=join_state(edit.state).lower())


def _join_freed(edit: edits.FreeJoin, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Join {left} | {right}: from placed by hand to suggested")
    return text.format(left=edit.left, right=edit.right)


def _exchanged(edit: Exchange, before: Arrangement, after: Arrangement) -> str:
    was, now = (", ".join(f"{left} | {right}" for left, right in pairs) for pairs in (edit.undone, edit.made))
    text = translate("sentences", "Joins in other places: from {before} to {after}")
    return text.format(before=was or translate("sentences", "none"), after=now or translate("sentences", "none"))


def _about(about: str) -> str:
    """Name what a note is about."""
    shreds, place_px = subject_of(about)
    if len(shreds) == 2:
        return translate("sentences", "the join {left} | {right}").format(left=shreds[0], right=shreds[1])
    if place_px is not None:
        return translate("sentences", "a place on {shred}").format(shred=listed(shreds))
    return listed(shreds) if shreds else translate("sentences", "the case")


def _noted(edit: edits.WriteNote, before: Arrangement, after: Arrangement) -> str:
    was, now = before.notes.get(edit.about, ""), after.notes.get(edit.about, "")
    text = translate("sentences", "Noted about {what}: {after}")
    if was:
        text = translate("sentences", "Changed the note about {what} from {before} to {after}")
    if not now:
        text = translate("sentences", "Removed the note about {what}: {before}")
    return text.format(what=_about(edit.about), before=_quoted(was), after=_quoted(now))


def _details_written(edit: edits.WriteDetails, before: Arrangement, after: Arrangement) -> str:
    changed = (f"{difference.what} {difference.before} → {difference.after}" for difference in _details(before, after))
    return translate("sentences", "Details of the case: {changes}").format(changes=", ".join(changed))


def _pages_moved(edit: page_edits.MovePages, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Moved {pages}, so that it is page {n}")
    if len(edit.pages) > 1:
        text = translate("sentences", "Moved {pages}, so that they begin with page {n}")
    first = edit.before - sum(page < edit.before for page in edit.pages) + 1
    return text.format(pages=pages(before, edit.pages), n=first)


def _page_named(edit: page_edits.NamePage, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Named {page} {after}; before {before}")
    was = before.page_mark("page_names", edit.page)
    return text.format(page=pages(before, [edit.page]), before=_quoted(was) if was else "–", after=_quoted(edit.name))


def _pages_grouped(edit: page_edits.GroupPages, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Put {pages} into the document {name}")
    if not edit.document:
        text = translate("sentences", "Took {pages} out of the document")
    return text.format(pages=pages(before, edit.pages), name=_quoted(edit.document))


def _page_states_set(edit: page_edits.SetPageState, before: Arrangement, after: Arrangement) -> str:
    state = page_state(edit.state, False).lower()
    return translate("sentences", "Called {pages} {state}").format(pages=pages(before, edit.pages), state=state)


def _turned_over(edit: face_edits.TurnOver, before: Arrangement, after: Arrangement) -> str:
    page = before.page_of(edit.shreds[0])
    if page is not None and {*edit.shreds} == {*whole_page(before, page)}:
        text = translate("sentences", "Turned over page {page}: {n}")
        n = counted(len(edit.shreds), translate("wording", "shred"), translate("wording", "shreds"))
        return text.format(page=1 + number_of(before, page)[0], n=n)
    text = translate("sentences", "Turned over {shreds}, on {place}")
    return text.format(shreds=listed(edit.shreds), place=place(before, edit.shreds[0]))


def _paired(edit: face_edits.PairFaces, before: Arrangement, after: Arrangement) -> str:
    return translate("sentences", "Paired {one} with {other}").format(one=edit.one, other=edit.other)


def _parted(edit: face_edits.PartFaces, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Parted {one} from {other}, as two pieces of paper")
    return text.format(one=edit.shred, other=before.other_faces[edit.shred][0])


def _together(edit: edits.Together, before: Arrangement, after: Arrangement) -> str:
    parts = [part for each in edit.edits[:_FEW] if (part := sentence(each, before, after))]
    parts += ["…"] if len(edit.edits) > _FEW else []
    return "; ".join([*parts[:1], *(part[:1].lower() + part[1:] for part in parts[1:])])


def _quoted(text: str) -> str:
    """Quote a text so that it has room in a line."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _LONGEST else f"“{line[:_LONGEST]}…”"


def differences(before: Arrangement, after: Arrangement) -> list[Difference]:
    """List in what two states differ, the shreds in the later order: places and neighbours, turns, shifts, answers."""
    return [
        *_places(before, after),
        *_heights_and_turns(before, after),
        *_faces(before, after),
        *_answers(before, after),
        *_notes(before, after),
        *_details(before, after),
        *_page_marks(before, after),
    ]


def _difference(what: str, states: Iterable[str], shred: str = "") -> Difference:
    before, after = states
    return Difference(what, before, after, shred)


def _places(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    """List the shreds that have another left neighbour: all that stands behind them has only been counted on."""
    was, now = _left_neighbours(before), _left_neighbours(after)
    over = {after.other_faces[shred][0] for shred in now.keys() - was.keys() if shred in after.other_faces}
    for shred in sorted((was.keys() ^ now.keys()) - (over & was.keys())):  # of paper turned over what is seen now
        where = [_where(state, shred, left.get(shred, "")) for state, left in ((before, was), (after, now))]
        yield _difference(_about(shred), where, shred if shred in now else "")
    for shred in (shred for shred in after.order if shred in was and was[shred] != now[shred]):
        where = [_where(state, shred, left[shred]) for state, left in ((before, was), (after, now))]
        yield _difference(_about(shred), where, shred)


def _left_neighbours(arrangement: Arrangement) -> dict[str, str]:
    """Name the left neighbour of each shred; "" of a first one, and "aside" of one that stands on no page."""
    pairs = {right: left for left, right in arrangement.joins()}
    return dict.fromkeys(arrangement.set_aside, "aside") | {
        shred: pairs.get(shred, "") for page in arrangement.pages for shred in page
    }


def _where(arrangement: Arrangement, shred: str, left: str) -> str:
    if shred not in arrangement.places and shred not in arrangement.other_faces:
        return translate("sentences", "not there")
    beside = translate("sentences", "{place}, right of {left}")
    return (
        beside.format(place=place(arrangement, shred), left=left)
        if left not in ("", "aside")
        else place(arrangement, shred)
    )


def _heights_and_turns(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    joins = set(before.joins()) & set(after.joins())
    height, turn = translate("sentences", "height of {shred}"), translate("sentences", "turn of {shred}")
    for right in (pair[1] for pair in after.joins() if pair in joins):
        was, now = before.shift_px.get(right, 0), after.shift_px.get(right, 0)
        if was != now:
            texts = (f"{shift * MM_PER_PX:+.2f} mm" for shift in (was, now))
            yield _difference(height.format(shred=_about(right)), texts, right)
    for shred in (shred for shred in after.order if shred in before.places):
        turns = [state.turn_of(shred) for state in (before, after)]
        if turns[0] != turns[1]:
            texts = (f"{180 * half:d}° {angle:+.2f}°" for half, angle in turns)
            yield _difference(turn.format(shred=_about(shred)), texts, shred)
    pages = translate("sentences", "turn of the page of {shred}")
    for shred in sorted(dict(before.page_turns.items() ^ after.page_turns.items())):
        texts = (f"{90 * turns.get(shred, 0)}°" for turns in (before.page_turns, after.page_turns))
        yield _difference(pages.format(shred=_about(shred)), texts, shred)


def _faces(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    """List the shreds of paper of which another face is known: each pair under the one that comes first."""
    was, now = ({shred: face[0] for shred, face in state.other_faces.items()} for state in (before, after))
    what = translate("sentences", "other face of {shred}")
    for shred in sorted(was.keys() | now.keys()):
        other, before_it = now.get(shred, "–"), was.get(shred, "–")
        if other != before_it and not any(face < shred and face != "–" for face in (other, before_it)):
            yield Difference(what.format(shred=_about(shred)), before_it, other, shred)


def _answers(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    for left, right in sorted((before.confirmed ^ after.confirmed) | (before.forbidden ^ after.forbidden)):
        states = (join_state(state.state(left, right)) for state in (before, after))
        yield _difference(_about(f"{left}|{right}"), states, right)
    texts = translate("sentences", "free"), translate("sentences", "pinned to its page")
    for shred in sorted(before.pinned ^ after.pinned):
        yield _difference(_about(shred), (texts[shred in state.pinned] for state in (before, after)), shred)


def _notes(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    what = translate("sentences", "note about {what}")
    for about in sorted(dict(before.notes.items() ^ after.notes.items())):
        texts = (_quoted(notes[about]) if about in notes else "–" for notes in (before.notes, after.notes))
        yield _difference(what.format(what=_about(about)), texts, next(iter(subject_of(about)[0]), ""))


def _details(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    names = {
        "number": translate("sentences", "case number"),
        "exhibit": translate("sentences", "exhibit"),
        "laboratory": translate("sentences", "laboratory"),
        "examiner": translate("sentences", "examiner"),
        "remarks": translate("sentences", "remarks"),
        "logo": translate("sentences", "logo"),
    }
    was, now = CaseDetails.of(before), CaseDetails.of(after)
    for name, shown in names.items():
        texts = [getattr(details, name) for details in (was, now)]
        if texts[0] != texts[1]:
            logo = translate("sentences", "a picture")
            parts = [(logo if name == "logo" else _quoted(text)) if text else "–" for text in texts]
            yield _difference(shown, parts)


def _page_marks(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    """List what is said otherwise of pages, by the first shred of each."""
    whats = {
        "page_names": translate("sentences", "name of the page of {shred}"),
        "page_slopes": translate("sentences", "levelling of the page of {shred}"),
        "page_documents": translate("sentences", "document of the page of {shred}"),
        "page_states": translate("sentences", "state of the page of {shred}"),
    }
    for name, what in whats.items():
        for first in (page[0] for page in after.pages):
            marks = [_page_mark(state, name, first) for state in (before, after)]
            if marks[0] != marks[1]:
                yield _difference(what.format(shred=_about(first)), marks, first)


def _page_mark(arrangement: Arrangement, name: str, shred: str) -> str:
    page = arrangement.page_of(arrangement.seen(shred))
    mark = None if page is None else arrangement.page_mark(name, page)
    if mark is None:
        return "–"
    if isinstance(mark, float):
        return f"{mark:+.2f}°"
    return page_state(mark[0], False) if name == "page_states" else _quoted(mark)
