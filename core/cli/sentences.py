"""What commands say of a case: its doubtful joins, and what is other than before."""

from collections.abc import Iterator, Sequence

from core.arrangement.changes import changes, turned_as
from core.arrangement.grid import page_or_row
from core.case.case import Case, JoinInfo
from core.case.record import pages_from_sheets
from core.faces.notes import notes_on_faces
from core.matching.confidence import percentage
from core.wording import counted


def doubtful(case: Case) -> str:
    """List which joins a person should look at again.

    Parameters
    ----------
    case : Case
        With its joins.

    Returns
    -------
    str
        A line for each, below a line that counts them.
    """
    of_these, below, arrangement = case.doubtful_joins, case.doubtful_below, case.arrangement
    if not of_these and not below:
        return "No join is doubtful."
    told = []
    if of_these:
        head = f"{counted(len(of_these), 'doubtful join')} of {len(case.joins)}; look at them again:"
        told += [head, joins_listed(of_these, case)]
    if below:
        told.append(f"{counted(len(below), 'doubtful join')} of {len(case.joins_below)} from row to row:")
    for join in below:
        page = page_or_row(arrangement, arrangement.places[join.below][0])
        told.append(f"  {page}:  {join.below} below {join.above}  {percentage(join.confidence or 0.0):>6}")
    return "\n".join(told)


def joins_listed(joins: Sequence[JoinInfo], case: Case) -> str:
    """List joins with their confidence.

    Parameters
    ----------
    joins : sequence of JoinInfo
        Some of those of the case.
    case : Case
        Tells on which pages they are.

    Returns
    -------
    str
        A line for each.
    """
    arrangement = case.arrangement
    return "\n".join(
        f"  {page_or_row(arrangement, arrangement.places[join.left][0])}:  {join.left} | {join.right}"
        f"  {percentage(join.confidence):>6}"
        for join in joins
    )


def changed(before: Case, after: Case) -> Iterator[str]:
    """Say what is other than before; joins among new shreds alone are counted, all others listed.

    Parameters
    ----------
    before, after : Case
        With the same sheets, or more, or fewer.

    Yields
    ------
    str
        A sentence, perhaps with lines of joins below it.
    """
    old, new = turned_as(before.arrangement, after.arrangement), after.arrangement
    difference = changes(old, new)
    joins = {(join.left, join.right): join for join in after.joins}
    came = [joins[pair] for pair in difference.new]
    among_new = [join for join in came if not {join.left, join.right} & old.places.keys()]
    others = [join for join in came if {join.left, join.right} & old.places.keys()]
    yield f"{pages_from_sheets(after)}; before: {pages_from_sheets(before)}."
    if among_new:
        yield f"{counted(len(among_new), 'join')} came among new shreds."
    if others:
        yield f"{counted(len(others), 'join')} came at shreds that were there before:\n{joins_listed(others, after)}"
    if difference.lost:
        pages = [f"  {page_or_row(old, old.page_of(left) or 0)}:  {left} | {right}" for left, right in difference.lost]
        yield "\n".join([f"{counted(len(difference.lost), 'join')} went:", *pages])
    if not came and not difference.lost:
        yield "All joins are as they were before."


def new_notes_on_faces(before: Case | None, after: Case) -> list[str]:
    """Say what does not fit of the faces of paper, if that was not so before.

    Parameters
    ----------
    before, after : Case
        With the same sheets, or more, or fewer; None where there was no case before.

    Returns
    -------
    list of str
        See `core.faces.notes.notes_on_faces`.
    """
    old, new = (notes_on_faces(case.shreds, case.arrangement, case.sheets) if case else () for case in (before, after))
    return [note for note in new if note not in old]
