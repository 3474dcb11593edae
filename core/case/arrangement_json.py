"""Options, arrangements and edits as values that JSON can hold, the same for what is equal."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_origin, get_type_hints

from core.arrangement.arrangement import PAGE_MARKS, SAID_BELOW, Arrangement
from core.arrangement.details import CaseDetails
from core.arrangement.edit import Edit
from core.case.wire_names import ARRANGEMENT, EDITS, OPTIONS
from core.options import Options
from core.system.json_values import build, canonical, check_keys, pick, read_value


def describe_options(options: Options) -> dict[str, Any]:
    """Convert options to values that JSON can hold.

    Parameters
    ----------
    options : Options
        Of every stage.

    Returns
    -------
    dict
        Of each stage a dict of its options.
    """
    return {stage: pick(getattr(options, stage), names) for stage, names in OPTIONS.items()}


def read_options(serialised: Mapping[str, Any]) -> Options:
    """Build the options that `describe_options` put into values.

    Parameters
    ----------
    serialised : mapping
        As JSON holds it; earlier versions lack some options.

    Returns
    -------
    Options
        Those that are lacking are as those versions worked.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of options.
    """
    serialised = {"faces": {"pair": False}, **serialised}
    check_keys(serialised, OPTIONS, "options")
    earlier: dict[str, dict[str, Any]] = {  # what earlier versions did
        "reading": {"keep_duplicates": False},
        "segmentation": {"cut": "auto"},
        "cost": {"use_lines": False, "expect_margins": False, "try_half_turns": False, "turn_pages": False},
        "composition": {"level": False},
    }
    serialised = {**serialised, **{name: {**defaults, **serialised[name]} for name, defaults in earlier.items()}}
    hints = get_type_hints(Options)
    return Options(**{name: build(hints[name], serialised[name], names, name) for name, names in OPTIONS.items()})


def describe_arrangement(arrangement: Arrangement) -> dict[str, Any]:
    """Convert an arrangement to values that JSON can hold, the same for equal arrangements.

    Parameters
    ----------
    arrangement : Arrangement
        What to convert.

    Returns
    -------
    dict
        With the keys of `core.case.wire_names.ARRANGEMENT`; sets are sorted lists.
    """
    shift_px = arrangement.shift_px
    return {
        "pages": [list(page) for page in arrangement.pages],
        "set_aside": list(arrangement.set_aside),
        "shift_px": {shred: int(shift_px[shred]) for shred in sorted(shift_px)},  # JSON would sort thousands of pairs
        **_describe_rest(arrangement),
    }


def canonical_arrangement(arrangement: Arrangement) -> bytes:
    """Write an arrangement as `canonical` does what `describe_arrangement` returns: only what is new, of thousands.

    Parameters
    ----------
    arrangement : Arrangement
        What to write.

    Returns
    -------
    bytes
        UTF-8.

    Examples
    --------
    >>> arrangement = Arrangement(pages=(("a", "b"), ("c",)), shift_px={"b": 2})
    >>> canonical_arrangement(arrangement) == canonical(describe_arrangement(arrangement))
    True
    """
    shreds = sorted(arrangement.shift_px)
    shifts_px = [*map(arrangement.shift_px.__getitem__, shreds)]
    pieces = [slice(at, at + _PIECE) for at in range(0, len(shreds), _PIECE)]
    shifts = [_canonical_shifts(tuple(shreds[piece]), tuple(shifts_px[piece])) for piece in pieces]
    parts = {name: canonical(part) for name, part in _describe_rest(arrangement).items()}
    parts["pages"] = b"[%b]" % b",".join(map(_canonical_page, arrangement.pages))
    parts["set_aside"] = _canonical_page(arrangement.set_aside)
    parts["shift_px"] = b"{%b}" % b",".join(shifts)
    return b"{%b}" % b",".join(b'"%b":%b' % (name.encode(), parts[name]) for name in sorted(parts))


_canonical_page = lru_cache(maxsize=4096)(canonical)
"""Of the shreds of a page: most steps leave most pages as they are."""

_PIECE = 64


@lru_cache(maxsize=4096)
def _canonical_shifts(shreds: tuple[str, ...], shifts_px: tuple[int, ...]) -> bytes:
    """Write what stands between the braces, of a piece of all shreds in the order of their names."""
    return canonical({shred: int(px) for shred, px in zip(shreds, shifts_px, strict=True)})[1:-1]


def _describe_rest(arrangement: Arrangement) -> dict[str, Any]:
    """Convert all but where shreds stand."""
    faces = arrangement.other_faces
    return {
        **{
            name: sorted(map(list, getattr(arrangement, name))) for name in ("confirmed", "forbidden", "held", "parted")
        },
        "half_turned": sorted(arrangement.half_turned),
        "turned_by_hand": sorted(arrangement.turned_by_hand),
        "turned_deg": {shred: float(angle) for shred, angle in arrangement.turned_deg.items()},
        # What earlier versions did not know is left out where there is none: their hashes hold.
        **({"page_turns": dict(arrangement.page_turns)} if arrangement.page_turns else {}),
        "notes": dict(arrangement.notes),
        **({"details": dict(arrangement.details)} if arrangement.details else {}),
        **{name: _describe_value(getattr(arrangement, name)) for name in PAGE_MARKS if getattr(arrangement, name)},
        **({"pages_ordered": True} if arrangement.pages_ordered else {}),
        **({"freed": sorted(map(list, arrangement.freed))} if arrangement.freed else {}),
        **({"pinned": sorted(arrangement.pinned)} if arrangement.pinned else {}),
        **{name: sorted(map(list, getattr(arrangement, name))) for name in SAID_BELOW if getattr(arrangement, name)},
        **({"other_faces": {face: list(other) for face, other in faces.items()}} if faces else {}),
        **({"paired_by_hand": sorted(arrangement.paired_by_hand)} if arrangement.paired_by_hand else {}),
    }


def read_arrangement(serialised: Mapping[str, Any]) -> Arrangement:
    """Build the arrangement that `describe_arrangement` put into values.

    Parameters
    ----------
    serialised : mapping
        As JSON holds it; earlier versions lack notes, and any may lack details, and what was said of pages.

    Returns
    -------
    Arrangement
        Equal to the one that was converted.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of an arrangement.
    """
    # Earlier versions knew of no notes, and all half-turns were made by hand.
    none: dict[str, Any] = {name: {} for name in ("notes", "page_turns", "details", *PAGE_MARKS, "other_faces")}
    none |= {name: [] for name in SAID_BELOW}
    none |= {"pages_ordered": False, "freed": [], "pinned": [], "paired_by_hand": []}
    serialised = {**none, "turned_by_hand": serialised["half_turned"], **serialised}
    check_keys(serialised, ARRANGEMENT, "arrangement")
    hints = get_type_hints(Arrangement)
    arrangement = Arrangement(**{name: read_value(hints[name], serialised[name]) for name in ARRANGEMENT})
    CaseDetails.of(arrangement)  # refuses what is none
    return arrangement


def describe_edit(edit: Edit) -> dict[str, Any]:
    """Convert an edit to values that JSON can hold: its kind under ``edit``, and its fields.

    Parameters
    ----------
    edit : Edit
        Of any kind in `core.case.wire_names.EDITS`.

    Returns
    -------
    dict
        See docs/case-format.md.

    Examples
    --------
    >>> from core.arrangement.edits import SplitPage
    >>> describe_edit(SplitPage("1-02"))
    {'edit': 'SplitPage', 'shred': '1-02'}
    >>> read_edit(describe_edit(SplitPage("1-02")))
    SplitPage(shred='1-02')
    """
    kind, names = EDITS[type(edit)]
    return {"edit": kind} | {name: _describe_value(getattr(edit, name)) for name in names}


def read_edit(serialised: Mapping[str, Any]) -> Edit:
    """Build the edit that `describe_edit` put into values.

    Parameters
    ----------
    serialised : mapping
        As JSON holds it.

    Returns
    -------
    Edit
        Equal to the one that was converted.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of an edit.
    """
    found = next(((edit, names) for edit, (kind, names) in EDITS.items() if kind == serialised["edit"]), None)
    if found is None:
        raise ValueError(f"there is no edit {serialised['edit']}")
    edit, names = found
    hints = get_type_hints(edit)
    check_keys(serialised, {"edit", *names}, serialised["edit"])
    return edit(**{name: _read_value(hints[name], serialised[name]) for name in names})


def _describe_value(value: Any) -> Any:
    """Convert what stands in a field of an edit to values that JSON can hold."""
    match value:
        case Edit():
            return describe_edit(value)
        case Arrangement():
            return describe_arrangement(value)
        case Mapping():
            return {key: _describe_value(part) for key, part in value.items()}
        case frozenset():
            return sorted(_describe_value(part) for part in value)
        case tuple():
            return [_describe_value(part) for part in value]
    return value


def _read_value(hint: Any, value: Any) -> Any:
    """Build what stands in a field of an edit."""
    if hint is Arrangement:
        return read_arrangement(value)
    if hint == tuple[Edit, ...]:
        return tuple(map(read_edit, value))
    return _read_parts(value) if hint == Mapping[str, Any] else read_value(hint, value)


def _read_parts(serialised: Mapping[str, Any]) -> dict[str, Any]:
    """Build the parts of an arrangement that `Restore` holds; in dictionaries None stands for what is to vanish."""
    hints = get_type_hints(Arrangement)
    check_keys(serialised, serialised.keys() & hints.keys(), "Restore")
    parts = {}
    for name, part in serialised.items():
        if get_origin(hints[name]) is dict:
            kept = read_value(hints[name], {key: value for key, value in part.items() if value is not None})
            parts[name] = dict.fromkeys(part) | kept
        else:
            parts[name] = read_value(hints[name], part)
    return parts
