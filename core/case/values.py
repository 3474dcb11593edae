"""What a case file tells as JSON: all of a case but its pixels, its arrays and its history."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, get_type_hints

from core.case.arrangement_json import describe_arrangement, describe_options, read_arrangement, read_options
from core.case.case import Case, JoinInfo
from core.case.wire_names import (
    BELOW,
    CASE,
    CASE_CROSS_CUT,
    CRUMB,
    JOIN,
    MENDS,
    SHEET,
    SHEET_FILES,
    SHEET_FLAT,
    SHEET_MENDED,
    SHRED,
)
from core.errors import restore_note
from core.matching.confidence import JoinBelow
from core.matching.costs import CUES
from core.sheets.mends import Mend, Mends
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred
from core.system.files import values_sha256
from core.system.json_values import build, canonical, check_keys, pick, read_fields, read_value

FORMAT = 8
"""Version of the case file; a file of a version that is not in `READABLE` is refused."""

READABLE = (1, 2, 3, 4, 5, 6, 7, FORMAT)

WITH_HISTORY = 3
"""From this version on a case has a history and a manifest."""

WITH_CROSS_CUT = 6
"""From this version on a shred may be cut on all four sides."""

_FARTHEST_PX, _MOST_MEND_BYTES = 1e6, 200_000
"""No sheet is as large, and no outline has as many corners as need so many bytes."""

_ID = re.compile(r"[0-9A-Za-z_-]{1,80}")
_AS_THEY_ARE = ("optimal", "seconds", "unreadable", "weights_sha256", "versions")


@dataclass(frozen=True)
class CaseValues:
    """What `read_case` returns: values for the fields of a `Case`, and of the parts that have arrays and images."""

    sheets: list[dict[str, Any]]
    shreds: list[dict[str, Any]]
    crumbs: list[dict[str, Any]]
    rest: dict[str, Any]


def describe_case(case: Case, folder: Path, packed: bool) -> dict[str, Any]:
    """Convert a case to values that JSON can hold.

    Parameters
    ----------
    case : Case
        What to describe.
    folder : Path
        In which its file is to lie; paths are told as seen from there.
    packed : bool
        Whether the file holds copies of the sheets.

    Returns
    -------
    dict
        With the keys of `core.case.wire_names.CASE`.
    """
    return {
        "format": FORMAT,
        "options": describe_options(case.options),
        "sheets": [
            {
                "path": _relative(sheet.path, folder),
                "mask_path": None if sheet.mask_path is None else _relative(sheet.mask_path, folder),
                "packed": packed,
                **pick(sheet, _of_sheet(sheet.corners_px is not None)),
                **({"mends": describe_mends(sheet.mends)} if sheet.mends else {}),
            }
            for sheet in case.sheets
        ],
        "shreds": [pick(shred, SHRED) for shred in case.shreds],
        "crumbs": [pick(crumb, CRUMB) for crumb in case.crumbs],
        "arrangement": describe_arrangement(case.arrangement),
        "solved": None if case.solved is None else describe_arrangement(case.solved),
        "joins": [{name: _finite(getattr(join, name)) for name in JOIN} for join in case.joins],
        "gap": _finite(case.gap),
        "embeddings_key": embeddings_key(case),
        **{name: getattr(case, name) for name in _AS_THEY_ARE},
        **({"below": [pick(join, BELOW) for join in case.below]} if case.below else {}),
        **({"piece_weights_sha256": case.piece_weights_sha256} if case.piece_weights_sha256 else {}),
    }


def read_case(serialised: Mapping[str, Any], path: Path) -> CaseValues:
    """Read what `describe_case`, of this or an earlier version, wrote.

    Parameters
    ----------
    told : mapping
        Of a readable format.
    path : Path
        Of the case file.

    Returns
    -------
    CaseValues
        Without what lies beside it in arrays and images.

    Raises
    ------
    ValueError, KeyError, TypeError
        If it is not what a case tells.
    """
    serialised = _upgraded(serialised)
    check_keys(serialised, {*CASE, *(name for name in CASE_CROSS_CUT if name in serialised)}, "case")
    hints = get_type_hints(Case)
    rest = {name: read_value(hints[name], serialised[name]) for name in _AS_THEY_ARE}
    rest["unreadable"] = tuple(map(restore_note, rest["unreadable"]))
    rest["options"] = read_options(serialised["options"])
    rest["gap"] = _number(serialised["gap"])
    rest["joins"] = tuple(_read_join(join) for join in serialised["joins"])
    below = (read_fields(JoinBelow, join, BELOW, "a join below") for join in serialised.get("below", ()))
    rest["below"] = tuple(JoinBelow(**join) for join in below)
    rest["piece_weights_sha256"] = read_value(str, serialised.get("piece_weights_sha256", ""))
    rest["arrangement"] = read_arrangement(serialised["arrangement"])
    rest["solved"] = None if serialised["solved"] is None else read_arrangement(serialised["solved"])
    sheets = [_read_sheet(sheet, path.resolve()) for sheet in serialised["sheets"]]
    shreds = [read_fields(Shred, shred, SHRED, "a shred") for shred in serialised["shreds"]]
    crumbs = [read_fields(Crumb, crumb, CRUMB, "a crumb") for crumb in serialised["crumbs"]]
    _check(shreds, crumbs, len(sheets), rest)
    return CaseValues(sheets, shreds, crumbs, rest)


def describe_mends(mends: Mends) -> list[dict[str, Any]]:
    """Convert the mends of a sheet to values that JSON can hold.

    Parameters
    ----------
    mends : tuple of Mend
        Of any kind in `core.case.wire_names.MENDS`.

    Returns
    -------
    list of dict
        Of each its kind under ``mend``, and its fields.

    Examples
    --------
    >>> from core.sheets.mends import NotPaper
    >>> describe_mends((NotPaper((3.0, 4.0)),))
    [{'mend': 'NotPaper', 'at': [3.0, 4.0]}]
    >>> read_mends(describe_mends((NotPaper((3.0, 4.0)),)))
    (NotPaper(at=(3.0, 4.0)),)
    """
    return [{"mend": MENDS[type(mend)][0], **pick(mend, MENDS[type(mend)][1])} for mend in mends]


def read_mends(serialised: Sequence[Mapping[str, Any]]) -> Mends:
    """Build the mends that `describe_mends` put into values.

    Parameters
    ----------
    serialised : sequence of mapping
        As JSON holds them.

    Returns
    -------
    tuple of Mend
        Equal to those that were converted.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are not the values of mends.
    """
    return tuple(map(_read_mend, serialised))


def _read_mend(serialised: Mapping[str, Any]) -> Mend:
    found = next(((mend, names) for mend, (kind, names) in MENDS.items() if kind == serialised["mend"]), None)
    if found is None:
        raise ValueError(f"there is no mend {serialised['mend']}")
    mend, names = found
    if (
        len(canonical(serialised)) > _MOST_MEND_BYTES
        or max(map(abs, _numbers(list(serialised.values()))), default=0) > _FARTHEST_PX
    ):
        raise ValueError("a mend is about places that are on no sheet")
    return build(mend, {name: value for name, value in serialised.items() if name != "mend"}, names, "a mend")


def _numbers(value: Any) -> list[float]:
    """List all numbers within lists."""
    if isinstance(value, list):
        return [number for part in value for number in _numbers(part)]
    return [value] if isinstance(value, int | float) else []


def embeddings_key(case: Case) -> str:
    """Hash all that the embeddings of borders depend on: weights, sheets, and the options of the stages up to there.

    Parameters
    ----------
    case : Case
        Of any stage.

    Returns
    -------
    str
        A SHA-256.
    """
    options = describe_options(case.options)
    serialised = {stage: options[stage] for stage in ("reading", "segmentation", "binarization", "border")}
    serialised["weights_sha256"] = case.weights_sha256
    serialised["sheets"] = [
        [sheet.sha256, sheet.mask_sha256, sheet.page, *([describe_mends(sheet.mends)] if sheet.mends else [])]
        for sheet in case.sheets
    ]
    return values_sha256(serialised)


def _upgraded(serialised: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add what earlier versions knew nothing of."""
    if serialised["format"] < WITH_CROSS_CUT:
        serialised = {**serialised, "shreds": [{"cross_cut": False} | one for one in serialised["shreds"]]}
    if serialised["format"] >= WITH_HISTORY:
        return serialised
    new = {"embeddings_key": None, **serialised}
    if serialised["format"] == 1:  # nothing could be changed by hand
        unchanged: dict[str, Any] = {"held": [], "parted": [], "half_turned": [], "turned_deg": {}}
        new |= {"solved": None, "arrangement": unchanged | serialised["arrangement"]}
    sheet = {"mask_path": None, "packed": False, "size_bytes": 0, "single_shred": False}
    new["sheets"] = [sheet | one for one in serialised["sheets"]]
    new["shreds"] = [{"scrap": ""} | one for one in serialised["shreds"]]
    return new


def _of_sheet(flat: bool) -> tuple[str, ...]:
    """Name what is told of a sheet, or of a photograph that was laid flat."""
    return (*SHEET, *SHEET_FLAT) if flat else SHEET


def _read_sheet(serialised: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Read what is told of a sheet in the case file of that path."""
    names = _of_sheet("corners_px" in serialised)
    mended = SHEET_MENDED if "mends" in serialised else ()
    check_keys(serialised, {*SHEET_FILES, *names, *mended}, "a sheet")
    values = read_fields(SheetInfo, {name: serialised[name] for name in names}, names, "a sheet")
    if len(values.get("corners_px") or range(4)) != 4:
        raise ValueError("a sheet has four corners")
    mask_path = read_value(str | None, serialised["mask_path"])
    return values | {
        "mends": read_mends(serialised["mends"]) if mended else (),
        "path": _place(read_value(str, serialised["path"]), path.parent),
        "mask_path": None if mask_path is None else _place(mask_path, path.parent),
        "packed_in": path if read_value(bool, serialised["packed"]) else None,
    }


def _read_join(serialised: Mapping[str, Any]) -> JoinInfo:
    """Read a join; earlier versions knew of no parts of its cost, and what is no number counts for nothing."""
    cost = _number(serialised["cost"])
    numbers = {name: value for name, value in serialised.items() if value is not None}
    values = {**dict.fromkeys((*CUES, *serialised), 0.0), **numbers, "cost": 0.0}
    return JoinInfo(**read_fields(JoinInfo, values, JOIN, "a join") | {"cost": cost})


def _check(shreds: list[dict[str, Any]], crumbs: list[dict[str, Any]], n_sheets: int, rest: Mapping[str, Any]) -> None:
    """Check that all that is named is there."""
    ids = {shred["id"] for shred in shreds}
    if len(ids) != len(shreds) or not all(map(_ID.fullmatch, ids)):
        raise ValueError("shreds are named twice, or not as shreds are")
    if any(not 0 <= piece["sheet"] < n_sheets for piece in (*shreds, *crumbs)):
        raise ValueError("something lies on a sheet that is not there")
    for arrangement in filter(None, (rest["arrangement"], rest["solved"])):
        if set(arrangement.order).union(arrangement.behind) != ids or not all(arrangement.pages):
            raise ValueError("the arrangement is one of other shreds")
    joined = [(join.left, join.right) for join in rest["joins"]] + [join.pair for join in rest["below"]]
    if {shred for pair in joined for shred in pair} - ids:
        raise ValueError("a join is one of other shreds")


def _finite(value: Any) -> Any:
    """Return None, which JSON knows, instead of an infinite number, which it does not."""
    return None if isinstance(value, float) and not isfinite(value) else value


def _number(value: Any) -> float:
    """Read a number that may be infinite."""
    return inf if value is None or value == inf else float(read_value(float, value))


def _place(serialised: str, folder: Path) -> Path:
    """Return the path of a file that is told as seen from a folder; one on another computer is not gone to."""
    if "\0" in serialised:
        raise ValueError("a path holds a zero")
    away = serialised.startswith(("//", "\\\\"))
    return Path(os.path.normpath(folder / (re.split(r"[/\\]", serialised)[-1] if away else serialised)))


def _relative(path: Path, folder: Path) -> str:
    """Return a path as seen from a folder, with forward slashes; absolute where it lies on another drive."""
    try:
        return Path(os.path.relpath(path.resolve(), folder)).as_posix()
    except ValueError:
        return path.resolve().as_posix()
