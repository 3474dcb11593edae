"""What a step did, in a sentence that says from where to where."""

from collections.abc import Sequence

from app.sentences.differences import details_changed
from app.sentences.naming import FEW, about, first_upper, listed, pages, place, quoted
from app.wording import join_state, n_shreds, page_state, translate
from core.arrangement import edits, face_edits, page_edits, row_edits
from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import Edit
from core.arrangement.exchange import Exchange
from core.arrangement.grid import number_of, place_of_row, whole_page
from core.units import MM_PER_PX


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
        row_edits.SetBelow: _below_set,
        row_edits.PlaceRow: _row_placed,
        face_edits.TurnOver: _turned_over,
        face_edits.PairFaces: _paired,
        face_edits.PartFaces: _parted,
        edits.Together: _together,
    }.get(type(edit))
    return "" if say is None else say(edit, before, after)  # type: ignore[operator]


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
    page = first_upper(pages(after, [after.places[edit.shred][0]]))
    return text.format(page=page, id=edit.shred, before=place(before, edit.shred))


def _merged(edit: edits.MergePages, before: Arrangement, after: Arrangement) -> str:
    n = n_shreds(len(before.pages[edit.page + 1]))
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


def _below_set(edit: row_edits.SetBelow, before: Arrangement, after: Arrangement) -> str:
    was = join_state(before.state_below(edit.above, edit.below)).lower()
    text = translate("sentences", "{below} below {above}: from {before} to {after}")
    return text.format(above=edit.above, below=edit.below, before=was, after=join_state(edit.state).lower())


def _row_placed(edit: row_edits.PlaceRow, before: Arrangement, after: Arrangement) -> str:
    first, n = before.pages[edit.row][0], n_shreds(len(before.pages[edit.row]))
    now = after.places[first][0]
    was, to = pages(before, [edit.row]), pages(after, [now])
    if number_of(after, now)[1] is None:
        text = translate("sentences", "Took {row} ({n}, from {id} on) off its page, to stand by itself")
    elif was == to:
        right_px = place_of_row(after, now)[2] - place_of_row(before, edit.row)[2]
        text = translate("sentences", "Moved {row} ({n}, from {id} on) by {mm} mm to the right")
        if right_px <= 0:
            text = translate("sentences", "Moved {row} ({n}, from {id} on) by {mm} mm to the left")
        return text.format(row=was, n=n, id=first, mm=f"{abs(right_px) * MM_PER_PX:.1f}")
    else:
        text = translate("sentences", "Moved {row} ({n}, from {id} on) to {after}")
    return text.format(row=was, n=n, id=first, after=to)


def _join_freed(edit: edits.FreeJoin, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Join {left} | {right}: from placed by hand to suggested")
    return text.format(left=edit.left, right=edit.right)


def _exchanged(edit: Exchange, before: Arrangement, after: Arrangement) -> str:
    was, now = (", ".join(f"{left} | {right}" for left, right in pairs) for pairs in (edit.undone, edit.made))
    text = translate("sentences", "Joins in other places: from {before} to {after}")
    return text.format(before=was or translate("sentences", "none"), after=now or translate("sentences", "none"))


def _noted(edit: edits.WriteNote, before: Arrangement, after: Arrangement) -> str:
    was, now = before.notes.get(edit.about, ""), after.notes.get(edit.about, "")
    text = translate("sentences", "Noted about {what}: {after}")
    if was:
        text = translate("sentences", "Changed the note about {what} from {before} to {after}")
    if not now:
        text = translate("sentences", "Removed the note about {what}: {before}")
    return text.format(what=about(edit.about), before=quoted(was), after=quoted(now))


def _details_written(edit: edits.WriteDetails, before: Arrangement, after: Arrangement) -> str:
    changed = (
        f"{difference.what} {difference.before} → {difference.after}" for difference in details_changed(before, after)
    )
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
    return text.format(page=pages(before, [edit.page]), before=quoted(was) if was else "–", after=quoted(edit.name))


def _pages_grouped(edit: page_edits.GroupPages, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Put {pages} into the document {name}")
    if not edit.document:
        text = translate("sentences", "Took {pages} out of the document")
    return text.format(pages=pages(before, edit.pages), name=quoted(edit.document))


def _page_states_set(edit: page_edits.SetPageState, before: Arrangement, after: Arrangement) -> str:
    state = page_state(edit.state, False).lower()
    return translate("sentences", "Called {pages} {state}").format(pages=pages(before, edit.pages), state=state)


def _turned_over(edit: face_edits.TurnOver, before: Arrangement, after: Arrangement) -> str:
    page = before.page_of(edit.shreds[0])
    if page is not None and {*edit.shreds} == {*whole_page(before, page)}:
        text = translate("sentences", "Turned over page {page}: {n}")
        n = n_shreds(len(edit.shreds))
        return text.format(page=1 + number_of(before, page)[0], n=n)
    text = translate("sentences", "Turned over {shreds}, on {place}")
    return text.format(shreds=listed(edit.shreds), place=place(before, edit.shreds[0]))


def _paired(edit: face_edits.PairFaces, before: Arrangement, after: Arrangement) -> str:
    return translate("sentences", "Paired {one} with {other}").format(one=edit.one, other=edit.other)


def _parted(edit: face_edits.PartFaces, before: Arrangement, after: Arrangement) -> str:
    text = translate("sentences", "Parted {one} from {other}, as two pieces of paper")
    return text.format(one=edit.shred, other=before.other_faces[edit.shred][0])


def _together(edit: edits.Together, before: Arrangement, after: Arrangement) -> str:
    match edit.edits:
        case (edits.MoveShreds() as moving, row_edits.PlaceRow()):  # pieces become a row of their own
            return _moved(moving, before, after)
        case (edits.HalfTurn(row), edits.MoveShreds(moved), *_) if moved == row[::-1]:
            n = n_shreds(len(row))
            text = translate("sentences", "Turned {row} ({n}, from {id} on) upside down as a whole")
            return text.format(row=pages(before, [before.places[row[0]][0]]), n=n, id=row[0])
    parts = [part for each in edit.edits[:FEW] if (part := sentence(each, before, after))]
    parts += ["…"] if len(edit.edits) > FEW else []
    return "; ".join([*parts[:1], *(part[:1].lower() + part[1:] for part in parts[1:])])
