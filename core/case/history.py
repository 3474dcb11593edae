"""The history of a case: who did what, when and how; append-only, each entry holding the hash of the one before.

What an entry's parameters hold says how `core.verification.replay` repeats it, whatever the entry is called:

========================== ============================================================================================
parameters                 repeated by
========================== ============================================================================================
``sheets``, ``options``,   reconstructing from these sheets (``reconstruction_parameters``)
``weights_sha256``, …
the same, ``keep``: true   the same, taking over what was said before (`core.renewal.update.carry_over`)
``added``                  adding these sheets to those there are (`core.renewal.adding.add`)
``mends`` alone            mending these sheets and no others (`core.renewal.mending.mend`); beside ``sheets`` they are
                           read so
``edit``                   carrying out an edit (`core.case.arrangement_json.describe_edit`)
``options`` alone          doing again what depends on other options (`core.renewal.update.redo`)
``solve``: true            solving again (`core.renewal.update.solve_again`)
``to``                     going back, or forward again, to the state after the entry of that number: undo and redo
``arrangement``            putting an arrangement in place: what was restored after a crash
none of these              nothing: saved, exported
========================== ============================================================================================
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from core.arrangement.arrangement import Arrangement
from core.case.arrangement_json import canonical_arrangement
from core.case.wire_names import ENTRY
from core.errors import UnverifiedError
from core.system.files import values_sha256
from core.system.json_values import build, canonical

BEGINNING = "0" * 64
"""Stands in the first entry for the hash of the one before."""


@dataclass(frozen=True)
class Entry:
    """One step.

    Attributes
    ----------
    number : int
        From 1.
    when : str
        UTC, "2026-11-28T09:55:01Z".
    who : str
        Name of the examiner.
    what : str
        "reconstructed", "edited", "undone", "redone", "solved again", "options changed", "saved", "exported",
        "restored", "read again", "mended", "sheets added".
    text : str
        The same for people: "move of 3 shreds".
    parameters : mapping
        Values that JSON can hold; they suffice to repeat the step.
    result_sha256 : str
        Of the canonical JSON of the arrangement after the step.
    previous_sha256 : str
        `sha256` of the entry before.
    sha256 : str
        Of the canonical JSON of all the other fields.
    """

    number: int
    when: str
    who: str
    what: str
    text: str
    parameters: Mapping[str, Any]
    result_sha256: str
    previous_sha256: str
    sha256: str


History: TypeAlias = tuple[Entry, ...]


def append(
    history: History,
    *,
    when: str,
    who: str,
    what: str,
    text: str,
    parameters: Mapping[str, Any],
    arrangement: Arrangement,
) -> History:
    """Add an entry behind the last one.

    Parameters
    ----------
    history : History
        So far.
    when, who, what, text, parameters
        See `Entry`; for `when` see `now`.
    arrangement : Arrangement
        After the step.

    Returns
    -------
    History
        With one entry more.

    Raises
    ------
    TypeError, ValueError
        If the parameters are not what JSON can hold.

    Examples
    --------
    >>> step = {"when": "2026-11-28T09:55:01Z", "who": "Ada", "what": "saved", "text": "saved", "parameters": {}}
    >>> history = append(append((), **step, arrangement=Arrangement()), **step, arrangement=Arrangement())
    >>> history[1].previous_sha256 == history[0].sha256
    True
    >>> check_chain(history)
    """
    serialised = {
        "number": len(history) + 1,
        "when": when,
        "who": who,
        "what": what,
        "text": text,
        "parameters": json.loads(canonical(parameters)),
        "result_sha256": arrangement_sha256(arrangement),
        "previous_sha256": history[-1].sha256 if history else BEGINNING,
    }
    return (*history, Entry(**serialised, sha256=values_sha256(serialised)))


def now() -> str:
    """Return the time as entries have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def check_chain(history: History) -> None:
    """Check that no entry was changed, taken out, put in or moved since it was written.

    Parameters
    ----------
    history : History
        As it was read.

    Raises
    ------
    UnverifiedError
        A sentence that names the first entry that does not hold.
    """
    before = BEGINNING
    for number, entry in enumerate(history, start=1):
        if entry.number != number:
            raise UnverifiedError(f"Where entry {number} of the history should stand, there is entry {entry.number}.")
        serialised = describe_entry(entry)
        del serialised["sha256"]
        if values_sha256(serialised) != entry.sha256:
            raise UnverifiedError(
                f'Entry {number} of the history ("{entry.text}") was changed after it was written: '
                "its SHA-256 is another."
            )
        if entry.previous_sha256 != before:
            raise UnverifiedError(
                f'Entry {number} of the history ("{entry.text}") does not follow the one before it: '
                "it names another SHA-256. An entry was changed, taken out or put in."
            )
        before = entry.sha256


def describe_entry(entry: Entry) -> dict[str, Any]:
    """Convert an entry to values that JSON can hold; its parameters are some already.

    Parameters
    ----------
    entry : Entry
        What to convert.

    Returns
    -------
    dict
        With the keys of `core.case.wire_names.ENTRY`.
    """
    return {name: getattr(entry, name) for name in ENTRY}


def read_entry(serialised: Mapping[str, Any]) -> Entry:
    """Build the entry that `describe_entry` put into values.

    Parameters
    ----------
    serialised : mapping
        As a line of the history holds it.

    Returns
    -------
    Entry
        Whether its SHA-256 is right is another question.

    Raises
    ------
    ValueError
        If they are not the values of an entry.
    """
    return build(Entry, serialised, ENTRY, "an entry of the history")


def arrangement_sha256(arrangement: Arrangement) -> str:
    """Hash an arrangement as entries have it.

    Parameters
    ----------
    arrangement : Arrangement
        After a step.

    Returns
    -------
    str
        Of its canonical JSON.
    """
    return hashlib.sha256(canonical_arrangement(arrangement)).hexdigest()
