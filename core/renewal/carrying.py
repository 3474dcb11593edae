"""What the examiner did, carried over to shreds that were found anew on the same sheets."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.arrangement.arrangement import MARGIN, PAGE_MARKS, SAID_BELOW, Arrangement, OtherFace, Pair
from core.arrangement.faces import with_faces
from core.arrangement.half_turns import standing_as
from core.arrangement.noted import place_key, subject_of
from core.arrangement.placing import in_order_before
from core.case.case import Case
from core.shreds.shred import Shred

SAME_SHRED = 0.6
"""A shred found again overlaps the one found before by more than this part of the area that they cover together."""


def carried_arrangement(before: Case, after: Case) -> tuple[Arrangement, tuple[str, ...]]:
    """Carry what the examiner did over to a case that was read anew from the same sheets.

    Parameters
    ----------
    before, after : Case
        Shreds are the same where they lie at the same place of the same sheet.

    Returns
    -------
    arrangement : Arrangement
        That of `after` with confirmed and forbidden joins, turns, notes, details, and shreds set aside by hand; to be
        solved again.
    lost : tuple of str
        Shreds of `before` that something was done with and that are not among those found now.
    """
    names = same_shreds(before, after)
    old, new = before.arrangement, after.arrangement
    placed_before = {shred for page in (before.solved or old).pages for shred in page}
    aside = [shred for shred in old.set_aside if shred in placed_before]
    notes = {about: subject_of(about)[0] for about in old.notes}

    def pairs(joins: frozenset[Pair]) -> frozenset[Pair]:
        to = {**names, MARGIN: MARGIN}
        return frozenset((to[a], to[b]) for a, b in joins if a in to and b in to)

    marks: dict[str, Any] = {
        name: {names[key]: mark for key, mark in getattr(old, name).items() if key in names} for name in PAGE_MARKS
    }
    joins = old.confirmed.union(old.forbidden, *(getattr(old, name) for name in SAID_BELOW))
    named = {shred for shreds in (*joins, *notes.values()) for shred in shreds} - {MARGIN}
    named |= {*old.turned_by_hand, *old.turned_deg, *old.page_turns, *old.pinned, *old.paired_by_hand, *aside}
    named |= {shred for name in PAGE_MARKS for shred in getattr(old, name)}
    by_hand = {names[shred]: shred in old.half_turned for shred in old.turned_by_hand if shred in names}
    half_turned = (new.half_turned - by_hand.keys()) | {name for name, turned in by_hand.items() if turned}
    old = standing_as(old, {shred for shred, name in names.items() if name in half_turned})
    said: dict[str, Any] = {name: pairs(getattr(old, name)) for name in ("confirmed", "forbidden", *SAID_BELOW)}
    new_aside = {names[shred] for shred in aside if shred in names}
    rows = new.pages
    if old.pages_ordered:
        rows = in_order_before({names[shred]: old.places[shred][0] for shred in old.places if shred in names}, rows)
    pages = (tuple(shred for shred in page if shred not in new_aside) for page in rows)
    arrangement = replace(
        new,
        pages=tuple(page for page in pages if page),
        set_aside=(*new.set_aside, *(shred for page in new.pages for shred in page if shred in new_aside)),
        **said,
        half_turned=half_turned,
        turned_by_hand=frozenset(by_hand),
        pinned=frozenset(names[shred] for shred in old.pinned if shred in names) - new_aside,
        turned_deg={names[shred]: angle for shred, angle in old.turned_deg.items() if shred in names},
        page_turns={names[shred]: turns for shred, turns in old.page_turns.items() if shred in names},
        **marks,
        pages_ordered=old.pages_ordered,
        notes={renamed(about, names): old.notes[about] for about, of in notes.items() if names.keys() >= {*of}},
        details=old.details,
    )
    return _with_faces(old, arrangement, names), tuple(sorted(named - names.keys()))


def _with_faces(old: Arrangement, new: Arrangement, names: Mapping[str, str]) -> Arrangement:
    """Pair faces as they were found now, but for those of which the examiner said what they are."""
    said = frozenset(names[shred] for shred in old.paired_by_hand if shred in names)
    by_hand = {face: other for face, other in renamed_faces(old.other_faces, names).items() if face in said}
    found = {face: other for face, other in new.other_faces.items() if said.isdisjoint((face, other[0]))}
    return replace(with_faces(new, found | by_hand), paired_by_hand=said)


def renamed_faces(faces: Mapping[str, OtherFace], names: Mapping[str, str]) -> dict[str, OtherFace]:
    """Return which shreds are the faces of one paper, by other names.

    Parameters
    ----------
    faces : mapping of str to OtherFace
        See `core.arrangement.arrangement.Arrangement.other_faces`.
    names : mapping of str to str
        Of each shred that is still there its name now.

    Returns
    -------
    dict of str to OtherFace
        Of papers of which both faces are still there.
    """
    return {
        names[face]: (names[other], half_turn, lower_px, confidence)
        for face, (other, half_turn, lower_px, confidence) in faces.items()
        if face in names and other in names
    }


def renamed(about: str, names: Mapping[str, str]) -> str:
    """Return what a note is about, the shreds by other names.

    Parameters
    ----------
    about : str
        A key of `Arrangement.notes`.
    names : mapping of str to str
        Of each shred it names the name now.

    Returns
    -------
    str
        A place stays where it is on its shred.
    """
    shreds, place_px = subject_of(about)
    return place_key(names[shreds[0]], place_px) if place_px else "|".join(names[shred] for shred in shreds)


def same_shreds(before: Case, after: Case) -> dict[str, str]:
    """Find for each shred found before the one found now at the same place, where there is one.

    Parameters
    ----------
    before, after : Case
        Of the same sheets.

    Returns
    -------
    dict of str to str
        Identifiers, the one before to the one now.
    """
    sheet_of = {(sheet.sha256, sheet.page): number for number, sheet in enumerate(after.sheets)}
    names: dict[str, str] = {}
    for shred in before.shreds:
        sheet = before.sheets[shred.sheet]
        number = sheet_of.get((sheet.sha256, sheet.page))
        candidates = [other for other in after.shreds if other.sheet == number]
        best = max(candidates, key=lambda other: _overlap(shred, other), default=None)
        if best is not None and _overlap(shred, best) > SAME_SHRED:
            names[shred.id] = best.id
    return names


def _overlap(one: Shred, other: Shred) -> float:
    """Compute the common part of two frames on a sheet, over what they cover together."""
    (ax, ay, aw, ah), (bx, by, bw, bh) = one.bbox, other.bbox
    width, height = min(ax + aw, bx + bw) - max(ax, bx), min(ay + ah, by + bh) - max(ay, by)
    common = max(0, width) * max(0, height)
    return common / (aw * ah + bw * bh - common)
