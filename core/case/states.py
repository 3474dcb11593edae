"""The arrangement after any step of the history, found again without the sheets.

What edits left follows from the state before; all others (an order that was found, or put in place) are kept in
`Case.states` under their SHA-256, by which the history names them: none is taken for another.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from core.arrangement.arrangement import Arrangement
from core.arrangement.edit import InvalidEditError
from core.case.arrangement_json import describe_arrangement, read_arrangement, read_edit, read_options
from core.case.case import Case
from core.case.history import Entry, History, arrangement_sha256
from core.case.joins import known_shifts
from core.errors import UsageError
from core.progress import Progress, no_progress
from core.wording import QT_TRANSLATE_NOOP

_FOUND = ("sheets", "options", "solve", "arrangement", "mends", "added")
"""What stands among the parameters of a step that no edit made."""


def state_after(case: Case, number: int, progress: Progress = no_progress) -> Case:
    """Return a case as it was after a step; its joins tell nothing.

    Parameters
    ----------
    case : Case
        As it is now.
    number : int
        Of an entry of its history.
    progress : Progress
        Called for each edit that is carried out again.

    Returns
    -------
    Case
        With the arrangement and the options of then, the shreds of now, and without joins.

    Raises
    ------
    UsageError
        A sentence, if the state cannot be found again: an earlier version kept none, or costs were others then.
    """
    known = {**case.states, **_besides(case)}
    edits: list[Entry] = []
    for entry in back_from(case.history, number):
        if entry.result_sha256 in known:
            arrangement = known[entry.result_sha256]
            break
        if "edit" in entry.parameters:
            edits.append(entry)
        elif entry.parameters.keys() & {*_FOUND}:
            raise UsageError(
                f"The state after step {number} is not in the case: what step {entry.number} found was not kept, by an "
                "earlier version or before a crash. Verifying the case repeats all steps from the sheets."
            )
    else:
        raise UsageError(f"The state after step {number} is not in the case: its history begins later.")
    solved = next((e for e in back_from(case.history, number) if e.parameters.keys() & {*_FOUND}), None)
    found = known.get(solved.result_sha256) if solved is not None else None
    then = replace(case, arrangement=arrangement, solved=found or case.solved, joins=(), options=_options(case, number))
    then = replace(then, below=case.below_of(then.solved or then.arrangement))
    for at, entry in enumerate(reversed(edits)):
        progress(at / len(edits), QT_TRANSLATE_NOOP("progress", "Going back in the history"))
        then = _edited(then, entry)
    if arrangement_sha256(then.arrangement) != case.history[number - 1].result_sha256:
        raise UsageError(f"The state after step {number} cannot be found again: costs were others then.")
    return then


def on_the_way(case: Case) -> dict[str, Arrangement]:
    """Return all states that can be found again now: once costs are others, those that edits left cannot.

    Parameters
    ----------
    case : Case
        As it is.

    Returns
    -------
    dict of str to Arrangement
        By SHA-256.
    """
    known = {**case.states, **_besides(case)}
    after: list[Arrangement | None] = [None]
    for entry in case.history:
        before = after[-1]
        if entry.result_sha256 not in known and before is not None and "edit" in entry.parameters:
            with suppress(UsageError):
                done = _edited(replace(case, arrangement=before), entry).arrangement
                known |= {entry.result_sha256: done} if arrangement_sha256(done) == entry.result_sha256 else {}
        after.append(known.get(entry.result_sha256))
    return known


def _besides(case: Case) -> dict[str, Arrangement]:
    """Return the states that stand in a case besides those that are kept, by SHA-256."""
    return {arrangement_sha256(each): each for each in (case.arrangement, case.solved) if each}


def _edited(case: Case, entry: Entry) -> Case:
    """Carry out the edit of an entry once more."""
    try:
        after, _ = read_edit(entry.parameters["edit"]).apply(case.arrangement, known_shifts(case))
    except (InvalidEditError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"Step {entry.number} cannot be carried out again: {error}") from error
    return replace(case, arrangement=after)


def back_from(history: History, number: int) -> Iterator[Entry]:
    """List the steps that led to a state, the last one first; what was undone is not among them.

    Parameters
    ----------
    history : History
        From the first step on.
    number : int
        Of the entry after which the state was there.

    Yields
    ------
    Entry
        Of each step.
    """
    while number > 0:
        entry = history[number - 1]
        yield entry
        to = entry.parameters.get("to")
        number = to if isinstance(to, int) and 0 < to < number else number - 1


def _options(case: Case, number: int) -> Any:
    """Return the options that were in force after a step."""
    for entry in back_from(case.history, number):
        if "options" in entry.parameters:
            return read_options(entry.parameters["options"])
    return case.options


def kept(case: Case, parameters: Mapping[str, Any]) -> Mapping[str, Arrangement]:
    """Return the states of a case after a step that has just been made, the one it left among them if no edit made it.

    Parameters
    ----------
    case : Case
        After the step.
    parameters : mapping
        Of the step.

    Returns
    -------
    mapping of str to Arrangement
        By SHA-256.
    """
    if not parameters.keys() & {*_FOUND}:
        return case.states
    return {**case.states, arrangement_sha256(case.arrangement): case.arrangement}


def all_kept(case: Case) -> Mapping[str, Arrangement]:
    """Return the states of a case that was read, with those that stand in it besides: as if it had not been saved.

    Parameters
    ----------
    case : Case
        With its history.

    Returns
    -------
    mapping of str to Arrangement
        By SHA-256.
    """
    found = {entry.result_sha256 for entry in case.history if entry.parameters.keys() & {*_FOUND}}
    return {**case.states, **{sha256: each for sha256, each in _besides(case).items() if sha256 in found}}


def describe_states(case: Case) -> dict[str, Any]:
    """Convert the states of a case to values that JSON can hold, but for those that stand in the case besides.

    Parameters
    ----------
    case : Case
        What is saved.

    Returns
    -------
    dict
        By SHA-256; often empty.
    """
    besides = _besides(case)
    return {sha256: describe_arrangement(state) for sha256, state in case.states.items() if sha256 not in besides}


def read_states(serialised: Mapping[str, Any]) -> dict[str, Arrangement]:
    """Read what `describe_states` wrote.

    Parameters
    ----------
    serialised : mapping
        As JSON holds it.

    Returns
    -------
    dict of str to Arrangement
        By SHA-256.

    Raises
    ------
    ValueError, KeyError, TypeError
        If one is no arrangement, or not the one that it is called.
    """
    states = {sha256: read_arrangement(state) for sha256, state in serialised.items()}
    if any(arrangement_sha256(state) != sha256 for sha256, state in states.items()):
        raise ValueError("a state is not the one that the history names")
    return states
