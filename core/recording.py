"""Recording what is done with a case in its history."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.case import Case
from core.described import describe_options
from core.history import append, now
from core.step_parameters import told_last
from core.system.host import login_name as login_name
from core.system.versions import versions


def recorded(
    case: Case, who: str, what: str, text: str, parameters: Mapping[str, Any] | None = None, when: str | None = None
) -> Case:
    """Give a case with an entry more in its history.

    Parameters
    ----------
    case : Case
        After the step.
    who, what, text : str
        See `core.history.Entry`.
    parameters : mapping, optional
        What it takes to repeat the step, see `core.history`.
    when : str, optional
        UTC; now, if absent.

    Returns
    -------
    Case
        Otherwise the same. Where versions or weights are no longer those that the history told last, the entry tells
        them.
    """
    parameters = parameters or {}
    done_with = {"versions": versions(), "weights_sha256": case.weights_sha256}
    changed = {name: value for name, value in done_with.items() if told_last(case.history, name) not in (None, value)}
    history = append(
        case.history,
        when=when or now(),
        who=who,
        what=what,
        text=text,
        parameters={**changed, **parameters},
        arrangement=case.arrangement,
    )
    return replace(case, history=history)


def reconstructed(case: Case, who: str, when: str | None = None) -> Case:
    """Give a case that was just reconstructed with the first entry of its history; see `recorded`."""
    pages = case.arrangement.pages
    numbers = (len(pages), "page"), (sum(map(len, pages)), "shred"), (len(case.sheets), "sheet")
    n_pages, n_shreds, n_sheets = (f"{n} {noun}" if n == 1 else f"{n} {noun}s" for n, noun in numbers)
    text = f"{n_pages} from {n_shreds} on {n_sheets}"
    return recorded(case, who, "reconstructed", text, reconstruction_parameters(case), when)


def reconstruction_parameters(case: Case) -> dict[str, Any]:
    """Tell what it takes to reconstruct a case from its sheets once more.

    Parameters
    ----------
    case : Case
        As it was reconstructed, or read anew with other options.

    Returns
    -------
    dict
        ``sheets``: of each file its ``name``, ``sha256``, ``size_bytes``, ``mask_sha256`` and ``single_shred``, in the
        order in which they were read; ``options``, ``weights_sha256``, ``versions``; and, which repeats nothing,
        ``left_out``: the sentence on each input that was not read.
    """
    files = {
        (sheet.path, sheet.sha256, sheet.mask_sha256): {
            "name": sheet.path.name,
            "sha256": sheet.sha256,
            "size_bytes": sheet.size_bytes,
            "mask_sha256": sheet.mask_sha256,
            "single_shred": sheet.single_shred,
        }
        for sheet in case.sheets
    }
    return {
        "sheets": list(files.values()),
        "options": describe_options(case.options),
        "weights_sha256": case.weights_sha256,
        "versions": case.versions,
        "left_out": list(case.unreadable),
    }
