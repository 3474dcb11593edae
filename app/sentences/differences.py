"""In what two states of a case differ."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.sentences.naming import about, pages, place, quoted
from app.wording import join_state, page_state, translate
from core.arrangement.arrangement import Arrangement
from core.arrangement.details import CaseDetails
from core.arrangement.grid import number_of, place_of_row, rows_at
from core.arrangement.noted import subject_of
from core.units import MM_PER_PX


@dataclass(frozen=True)
class Difference:
    """In what two states differ: of what, how it was, how it is; where it can be seen is a shred."""

    what: str
    before: str
    after: str
    shred: str = ""


def differences(before: Arrangement, after: Arrangement) -> list[Difference]:
    """List in what two states differ, the shreds in the later order: places and neighbours, turns, shifts, answers."""
    return [
        *_places(before, after),
        *(_rows(before, after) if before.grid_places or after.grid_places else ()),
        *_heights_and_turns(before, after),
        *_faces(before, after),
        *_answers(before, after),
        *_notes(before, after),
        *details_changed(before, after),
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
        yield _difference(about(shred), where, shred if shred in now else "")
    for shred in (shred for shred in after.order if shred in was and was[shred] != now[shred]):
        where = [_where(state, shred, left[shred]) for state, left in ((before, was), (after, now))]
        yield _difference(about(shred), where, shred)


def _rows(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    """List the rows of pieces that stand below another row, or otherwise below it: those below have only moved on."""
    what = translate("sentences", "row of {shred}")
    for number, row in enumerate(after.pages):
        was = before.page_of(row[0])
        if was is not None and before.pages[was][0] == row[0] and _hangs(before, was) != _hangs(after, number):
            yield _difference(
                what.format(shred=row[0]), (_place_of_row(before, was), _place_of_row(after, number)), row[0]
            )


def _hangs(arrangement: Arrangement, page: int) -> tuple[str, int]:
    """Return below which row one stands, by its first piece, and by how many pixels it begins right of it."""
    right_px = place_of_row(arrangement, page)[2]
    for above in rows_at(arrangement, page, -1):
        return arrangement.pages[above][0], right_px - place_of_row(arrangement, above)[2]
    return "", 0


def _place_of_row(arrangement: Arrangement, page: int) -> str:
    if number_of(arrangement, page)[1] is None:
        return translate("sentences", "by itself")
    text = translate("sentences", "{row}, {mm} mm from the left")
    right_px = place_of_row(arrangement, page)[2]
    return text.format(row=pages(arrangement, [page]), mm=f"{right_px * MM_PER_PX:.1f}")


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
            yield _difference(height.format(shred=about(right)), texts, right)
    for shred in (shred for shred in after.order if shred in before.places):
        turns = [state.turn_of(shred) for state in (before, after)]
        if turns[0] != turns[1]:
            texts = (f"{180 * half:d}° {angle:+.2f}°" for half, angle in turns)
            yield _difference(turn.format(shred=about(shred)), texts, shred)
    of_page = translate("sentences", "turn of the page of {shred}")
    for shred in sorted(dict(before.page_turns.items() ^ after.page_turns.items())):
        texts = (f"{90 * turns.get(shred, 0)}°" for turns in (before.page_turns, after.page_turns))
        yield _difference(of_page.format(shred=about(shred)), texts, shred)


def _faces(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    """List the shreds of paper of which another face is known: each pair under the one that comes first."""
    was, now = ({shred: face[0] for shred, face in state.other_faces.items()} for state in (before, after))
    what = translate("sentences", "other face of {shred}")
    for shred in sorted(was.keys() | now.keys()):
        other, before_it = now.get(shred, "–"), was.get(shred, "–")
        if other != before_it and not any(face < shred and face != "–" for face in (other, before_it)):
            yield Difference(what.format(shred=about(shred)), before_it, other, shred)


def _answers(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    for left, right in sorted((before.confirmed ^ after.confirmed) | (before.forbidden ^ after.forbidden)):
        states = (join_state(state.state(left, right)) for state in (before, after))
        yield _difference(about(f"{left}|{right}"), states, right)
    what = translate("sentences", "{below} below {above}")
    for above, below in sorted(
        (before.confirmed_below ^ after.confirmed_below) | (before.forbidden_below ^ after.forbidden_below)
    ):
        states = (join_state(state.state_below(above, below)) for state in (before, after))
        yield _difference(what.format(above=above, below=below), states, below)
    texts = translate("sentences", "free"), translate("sentences", "pinned to its page")
    for shred in sorted(before.pinned ^ after.pinned):
        yield _difference(about(shred), (texts[shred in state.pinned] for state in (before, after)), shred)


def _notes(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    what = translate("sentences", "note about {what}")
    for key in sorted(dict(before.notes.items() ^ after.notes.items())):
        texts = (quoted(notes[key]) if key in notes else "–" for notes in (before.notes, after.notes))
        yield _difference(what.format(what=about(key)), texts, next(iter(subject_of(key)[0]), ""))


def details_changed(before: Arrangement, after: Arrangement) -> Iterator[Difference]:
    """List what the case is called otherwise where it is worked on."""
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
            parts = [(logo if name == "logo" else quoted(text)) if text else "–" for text in texts]
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
                yield _difference(what.format(shred=about(first)), marks, first)


def _page_mark(arrangement: Arrangement, name: str, shred: str) -> str:
    page = arrangement.page_of(arrangement.seen(shred))
    mark = None if page is None else arrangement.page_mark(name, page)
    if mark is None:
        return "–"
    if isinstance(mark, float):
        return f"{mark:+.2f}°"
    return page_state(mark[0], False) if name == "page_states" else quoted(mark)
