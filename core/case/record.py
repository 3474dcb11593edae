"""What is recorded of each step in the history of a case: as much as it takes to repeat it, and nothing besides."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from core.arrangement.edits import WriteDetails
from core.arrangement.grid import place_of_row
from core.case.arrangement_json import describe_edit, describe_options
from core.case.case import Case
from core.case.history import Entry, History, append, now
from core.case.states import back_from, kept
from core.case.values import describe_mends, read_mends
from core.errors import UnverifiedError
from core.sheets.input_file import as_read
from core.sheets.mends import Mends
from core.sheets.sheet import SheetInfo
from core.system.json_values import check_keys, pick, read_value
from core.system.versions import versions
from core.wording import counted


def recorded(
    case: Case, who: str, what: str, text: str, parameters: Mapping[str, Any] | None = None, when: str | None = None
) -> Case:
    """Return a case with an entry more in its history.

    Parameters
    ----------
    case : Case
        After the step.
    who, what, text : str
        See `core.case.history.Entry`.
    parameters : mapping, optional
        What it takes to repeat the step, see `core.case.history`.
    when : str, optional
        UTC; now, if absent.

    Returns
    -------
    Case
        Otherwise the same. Where versions or weights are no longer those that the history told last, the entry tells
        them.
    """
    done_with = {"versions": versions(), "weights_sha256": case.weights_sha256}
    changed: dict[str, Any] = {
        name: value for name, value in done_with.items() if last_recorded(case.history, name) not in (None, value)
    }
    changed |= parameters or {}
    step = {"when": when or now(), "who": who, "what": what, "text": text}
    history = append(case.history, **step, parameters=changed, arrangement=case.arrangement)
    return replace(case, history=history, states=kept(case, changed))


def reconstructed(case: Case, who: str, when: str | None = None) -> Case:
    """Return a case that was just reconstructed with the first entry of its history; see `recorded`.

    Parameters
    ----------
    case : Case
        As the pipeline left it.
    who : str
        Name of the examiner.
    when : str, optional
        UTC; now, if absent.

    Returns
    -------
    Case
        Otherwise the same.
    """
    return recorded(case, who, "reconstructed", pages_from_sheets(case), reconstruction_parameters(case), when)


def detailed(case: Case, details: Mapping[str, str], who: str, text: str = "details of the case") -> Case:
    """Return a case that was just reconstructed with its details, as a step of its history; see `recorded`.

    Parameters
    ----------
    case : Case
        With the entry that says how it was reconstructed.
    details : mapping of str to str
        See `core.arrangement.details.CaseDetails.values`.
    who, text : str
        See `core.case.history.Entry`.

    Returns
    -------
    Case
        The same, if there are no details.
    """
    if not details:
        return case
    edit = WriteDetails(dict(details))
    arrangement, _ = edit.apply(case.arrangement)
    case = replace(case, arrangement=arrangement, solved=case.arrangement)
    return recorded(case, who, "edited", text, {"edit": describe_edit(edit)})


def pages_from_sheets(case: Case) -> str:
    """Sum up what was reconstructed: "2 pages from 54 shreds, 6 of them found upside down, on 3 sheets".

    Of cross-cut paper pages are counted with their rows: "1 page of 8 rows from 390 shreds on 3 sheets". Paper is
    counted, not its faces: "2 pages with backs from 54 shreds, 53 of them scanned on both faces, on 6 sheets".

    Parameters
    ----------
    case : Case
        With an arrangement.

    Returns
    -------
    str
        Without a full stop.
    """
    pages, faces = case.arrangement.pages, case.arrangement.other_faces
    n_shreds, n_both = sum(map(len, pages)), sum(shred in faces for page in pages for shred in page)
    n_backs = sum(not faces.keys().isdisjoint(page) for page in pages)
    backs = "" if not n_backs else " with backs" if n_backs == len(pages) else f", {n_backs} of them with a back,"
    told = [f"{n_both} of them scanned on both faces"] if 0 < n_both < n_shreds else []
    told += [f"{case.n_found_upside_down} of them found upside down"] if case.n_found_upside_down else []
    both = " scanned on both faces" if n_both and n_both == n_shreds else ""
    numbers = {place_of_row(case.arrangement, row)[0] for row in range(len(pages))}
    rows = f" of {counted(len(pages), 'row')}" if any(number >= 0 for number in numbers) else ""
    found = f"{counted(len(numbers), 'page')}{rows}{backs} from {counted(n_shreds, 'shred')}{both}"
    return f"{', '.join([found, *told])}{',' if told else ''} on {counted(len(case.sheets), 'sheet')}"


def reconstruction_parameters(case: Case) -> dict[str, Any]:
    """Collect what it takes to reconstruct a case from its sheets once more.

    Parameters
    ----------
    case : Case
        As it was reconstructed, or read anew with other options.

    Returns
    -------
    dict
        ``sheets``: of each file its ``name``, ``sha256``, ``size_bytes``, ``mask_sha256``, ``single_shred`` (null where
        its pages differ in that), and, where the file states no resolution and no option gives one, ``dpi`` with
        ``dpi_source``; in the order in which they were read; ``mends`` of those that are mended; ``options``,
        ``weights_sha256``, ``versions``; and, which repeats nothing, ``left_out``: the sentence on each input that was
        not read.
    """
    return {
        "sheets": [_described(case, pages) for pages in _by_file(case).values()],
        **mending_parameters(sheet for sheet in case.sheets if sheet.mends),
        "options": describe_options(case.options),
        "weights_sha256": case.weights_sha256,
        "versions": case.versions,
        "left_out": list(case.unreadable),
    }


def adding_parameters(case: Case, n_before: int) -> dict[str, Any]:
    """Collect what it takes to add sheets to a case once more.

    Parameters
    ----------
    case : Case
        With them.
    n_before : int
        How many sheets there were before.

    Returns
    -------
    dict
        ``added``: of each file what ``sheets`` of `reconstruction_parameters` tells; and ``left_out``.
    """
    new = replace(case, sheets=case.sheets[n_before:])
    return {
        "added": [_described(case, pages) for pages in _by_file(new).values()],
        LEFT_OUT: list(case.unreadable),
    }


def mending_parameters(sheets: Iterable[SheetInfo]) -> dict[str, Any]:
    """Collect what it takes to mend sheets once more.

    Parameters
    ----------
    sheets : iterable of SheetInfo
        With their mends.

    Returns
    -------
    dict
        ``mends``: of each sheet its ``sha256``, its ``page``, and its ``mends``, all of them; empty without sheets.
    """
    of_sheets = [{**pick(sheet, ("sha256", "page")), "mends": describe_mends(sheet.mends)} for sheet in sheets]
    return {"mends": of_sheets} if of_sheets else {}


def read_mending(parameters: Mapping[str, Any]) -> dict[tuple[str, int], Mends]:
    """Read what `mending_parameters` collected.

    Parameters
    ----------
    parameters : mapping
        Of an entry of the history.

    Returns
    -------
    dict
        Mends by SHA-256 and page.

    Raises
    ------
    ValueError, KeyError, TypeError
        If they are none.
    """
    return {(one["sha256"], one["page"]): read_mends(one["mends"]) for one in parameters.get("mends", ())}


def mends_after(history: History, number: int) -> dict[tuple[str, int], Mends]:
    """Collect the mends that held after a step.

    Parameters
    ----------
    history : History
        From the first step on.
    number : int
        Of the entry.

    Returns
    -------
    dict
        By SHA-256 and page; sheets that are not named had none.
    """
    found: dict[tuple[str, int], Mends] = {}
    for entry in back_from(history, number):
        found = {**read_mending(entry.parameters), **found}
        if "sheets" in entry.parameters:
            break
    return found


def _by_file(case: Case) -> dict[Any, list[SheetInfo]]:
    """Gather the pages of each file."""
    files: dict[Any, list[SheetInfo]] = {}
    for sheet in case.sheets:
        files.setdefault((sheet.path, sheet.sha256, sheet.mask_sha256), []).append(sheet)
    return files


def _described(case: Case, pages: list[SheetInfo]) -> dict[str, Any]:
    """Describe a file by what it takes to read its pages once more."""
    file = as_read(pages)
    known = file.dpi is not None and case.options.reading.dpi is None
    return {
        "name": file.path.name,
        **pick(pages[0], ("sha256", "size_bytes", "mask_sha256")),
        **pick(file, ("single_shred", *(("dpi", "dpi_source") if known else ()))),
    }


AT_ANY_STEP = ("versions", "weights_sha256")
"""What a step was done with stands in the entry that begins a case, and wherever it is no longer the same."""

LEFT_OUT = "left_out"
"""Sentences on inputs that were not read stand where sheets were."""

_REPEATED = frozenset({"sheets", "options", "keep", "edit", "solve", "to", "arrangement", "mends", "added"})
_TOGETHER: tuple[set[str], ...] = (
    {"sheets", "options"}, {"sheets", "options", "keep"}, {"edit"}, {"options"}, {"solve"}, {"to"}, {"arrangement"},
    {"mends"}, {"added"}, set(),
)  # fmt: skip
_KINDS: Mapping[str, Any] = {
    **dict.fromkeys(("sheets", "added", "mends"), tuple[dict[str, Any], ...]),
    **dict.fromkeys(("options", "edit", "arrangement"), dict[str, Any]),
    **dict.fromkeys(("keep", "solve"), bool),
    "to": int,
    "versions": dict[str, str],
    "weights_sha256": str,
    LEFT_OUT: tuple[str, ...],
}
_SHEET_WITHOUT_RESOLUTION: Mapping[str, Any] = {"dpi": float, "dpi_source": str}
_SHEET: Mapping[str, Any] = {
    "name": str, "sha256": str, "size_bytes": int, "mask_sha256": str | None, "single_shred": bool | None,
}  # fmt: skip
_MENDED: Mapping[str, Any] = {"sha256": str, "page": int, "mends": tuple[dict[str, Any], ...]}


def check_parameters(history: History) -> None:
    """Check that every entry tells in one way alone how it is repeated.

    Parameters
    ----------
    history : History
        As it was read.

    Raises
    ------
    UnverifiedError
        A sentence that names the first entry that does not.
    """
    for entry in history:
        try:
            _check(entry)
        except (ValueError, TypeError, KeyError) as error:
            raise UnverifiedError(
                f'Entry {entry.number} of the history ("{entry.text}") does not tell how it is repeated, as Rejoin '
                f"does: {error}."
            ) from error


def last_recorded(history: History, name: str) -> Any:
    """Return what the history tells of versions or weights at its end; None where it tells nothing.

    Parameters
    ----------
    history : History
        From the first step on.
    name : str
        One of `AT_ANY_STEP`.

    Returns
    -------
    object
        As JSON holds it, or None.
    """
    return next((entry.parameters[name] for entry in reversed(history) if name in entry.parameters), None)


def predates(case: Case, part: str, option: str) -> bool:
    """Return whether a case was made, and ever since worked on, by versions that did not know an option.

    Parameters
    ----------
    case : Case
        As it was read.
    part, option : str
        Names of a part of the options, and of the option in it.

    Returns
    -------
    bool
        False where the history tells of no options at all.
    """
    told = [entry.parameters["options"] for entry in case.history if "options" in entry.parameters]
    return bool(told) and not any(option in options[part] for options in told)


def _check(entry: Entry) -> None:
    names = entry.parameters.keys() - set(AT_ANY_STEP)
    if "sheets" in names:
        names -= {LEFT_OUT, "mends"}
    if "added" in names:
        names -= {LEFT_OUT}
    repeated = names & _REPEATED
    if repeated not in _TOGETHER or (repeated and names != repeated):
        raise ValueError(f"{', '.join(sorted(names))} cannot stand together")
    for name in entry.parameters.keys() & _KINDS.keys():
        try:
            read_value(_KINDS[name], entry.parameters[name])
        except ValueError as error:
            raise ValueError(f"{name} is of the wrong kind") from error
    for mended in entry.parameters.get("mends", ()):
        check_keys(mended, _MENDED.keys(), "a mended sheet")
        for name, kind in _MENDED.items():
            read_value(kind, mended[name])
        read_mends(mended["mends"])
    for sheet in (*entry.parameters.get("sheets", ()), *entry.parameters.get("added", ())):
        kinds = {**_SHEET, **_SHEET_WITHOUT_RESOLUTION} if "dpi" in sheet else _SHEET
        check_keys(sheet, kinds.keys(), "a sheet")
        for name, kind in kinds.items():
            read_value(kind, sheet[name])
