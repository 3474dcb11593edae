"""Rows that are complete: where the pieces of a set fill their pages, all rows are as long as each other.

Margins that are blank meet as well as anything, so that the cheapest rows end early or run on. Where many rows are of
one length, and all pieces fill rows of it, rows that are longer are broken, and what is shorter is put together.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations, product

import numpy as np

from core.arrays import Floats, Indices
from core.errors import UsageError
from core.faces.posed import Posed
from core.grid.by_hand import ByHand
from core.grid.standing import Run, turned_run
from core.matching.costs import Costs, Join
from core.options import SolverOptions
from core.progress import Progress, no_progress
from core.solver.order import Problem, find_order
from core.wording import QT_TRANSLATE_NOOP

_COMPLETING = QT_TRANSLATE_NOOP("progress", "Completing rows")

COMPLETE_SHARE = 0.4
"""At least this part of all pieces stands in rows of the usual length, or the set does not fill its pages."""

LEAST_LENGTH = 4
"""Of fewer pieces no row is complete, were all others several of it."""

NO_CHANCE = 8
"""That the lengths of all other rows are several times that of the shortest is no chance: one in so many at most."""

MOST_PARTS = 4
"""Of no more parts than this a row is put together."""

TELLING_PIECES = 6
"""How level two parts of a row are counts as often as the shorter has pieces, and so often at most."""


KEPT = -1e4
"""What a join costs here that was made by hand: no evidence speaks so loud."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What tells which parts are one row; all are negative logarithms of likelihoods.

    Attributes
    ----------
    across : ndarray of shape (ways · n, ways · n), float32
        Of each pose right of each other; infinite where that is impossible.
    to_blank, from_blank : ndarray of shape (ways · n,), float32
        Of a row that ends, or begins, with each pose.
    down : ndarray of shape (ways · n, ways · n), float32
        Of each pose below each other, against one drawn by lot: below 0 where print goes on.
    level : ndarray of shape (ways · n, ways · n), float32, or None
        Of lines of print, see `core.grid.lines.level_costs`.
    """

    across: Floats
    to_blank: Floats
    from_blank: Floats
    down: Floats
    level: Floats | None

    @classmethod
    def of(cls, costs: Costs, temperature: float, down: Floats, level: Floats | None, by_hand: ByHand) -> "Evidence":
        """Take the costs of joins side by side; all that come into question are among them. What is by hand holds."""
        across = np.full((costs.n, costs.n), np.inf, np.float32)
        across[costs.left, costs.right] = costs.cost / temperature
        for joins, cost in ((by_hand.avoided, np.inf), (by_hand.kept, KEPT)):
            across[_where(joins)] = cost
        down = down.copy()
        for joins, cost in ((by_hand.avoided_below, -KEPT), (by_hand.held_below + by_hand.confirmed_below, KEPT)):
            down[_where(joins)] = cost
        return cls(across, costs.to_blank / temperature, costs.from_blank / temperature, down, level)


def _where(joins: Sequence[Join]) -> tuple[Indices, Indices]:
    """Return joins as rows and columns of a matrix."""
    left, right = np.array(joins, np.intp).reshape(-1, 2).T
    return left, right


def usual_length(rows: Sequence[Sequence[int]]) -> int | None:
    """Find how many pieces a complete row has.

    Parameters
    ----------
    rows : sequence of sequence of int
        Of all pieces, each once.

    Returns
    -------
    int or None
        None where the set does not fill its pages.
    """
    n, counts = sum(map(len, rows)), Counter(map(len, rows))
    length = max(counts, key=lambda one: (counts[one] * one, one))
    if counts[length] * length < COMPLETE_SHARE * n or n % length:
        length = min(counts)  # where blank margins meet, several complete rows are one
        n_longer = sum(len(row) > length for row in rows)
        if any(one % length for one in counts) or length < LEAST_LENGTH or length**n_longer < NO_CHANCE:
            return None
    return length if length > 1 else None


def complete_rows(
    rows: Sequence[Run], length: int, evidence: Evidence, progress: Progress = no_progress
) -> list[Run] | None:
    """Make all rows as long as most are.

    Parameters
    ----------
    rows : sequence of Run
        Each of n pieces once.
    length : int
        Of a complete row, see `usual_length`.
    evidence : Evidence
        Of all poses.
    progress : Progress
        Called often, so that cancelling acts.

    Returns
    -------
    list of Run or None
        The same pieces in rows of one length; None where parts do not add up to it, or joins by hand are against it.
    """
    n = sum(map(len, rows))
    n_ways = len(evidence.across) // n
    complete = [row for row in rows if len(row) == length]
    found = [
        (sum(price for price, _ in added), number, [*complete, *(row for _, row in added)])
        for number, parts in enumerate(_partings(rows, length, evidence))
        if _keeps(parts, rows, evidence)
        and (added := _put_together(complete, parts, length, evidence, n_ways, progress)) is not None
    ]
    return min(found)[2] if found else None


def _keeps(parts: Sequence[Run], rows: Sequence[Run], evidence: Evidence) -> bool:
    """Check that no join is broken that was made by hand."""
    ends = {part[-1] for part in parts}
    return all(evidence.across[join] > KEPT for row in rows for join in pairwise(row) if join[0] in ends)


def _put_together(
    complete: Sequence[Run], parts: Sequence[Run], length: int, evidence: Evidence, n_ways: int, progress: Progress
) -> list[tuple[float, Run]] | None:
    """Put parts together to complete rows, each priced beside those there are; None if they do not add up."""
    n = len(evidence.across) // n_ways
    done: list[tuple[float, Run]] = []
    parts = list(parts)
    while parts:
        parts.sort(key=lambda part: (-len(part), part))
        others = [turned_run(row, n, way) for row in (*complete, *(row for _, row in done)) for way in range(n_ways)]
        candidates = _candidates(parts, length, n, n_ways, progress)
        priced = [(_price(row, others, evidence), chosen, row) for chosen, row in candidates]
        if not priced:
            return None
        price, chosen, row = min(priced)
        done.append((price, tuple(pose for part in row for pose in part)))
        parts = [part for number, part in enumerate(parts) if number not in chosen]
    return done


def _partings(rows: Sequence[Run], length: int, evidence: Evidence) -> Iterator[list[Run]]:
    """List ways to break what is longer than a complete row: where one part is complete, or one row anywhere."""
    rest = [row for row in rows if len(row) != length]
    usual = [list(_broken(row, length, evidence)) for row in rest]
    yield [part for parts in usual for part in parts]
    for number, row in enumerate(rest):
        if length < len(row) < 2 * length:
            others = [part for at, parts in enumerate(usual) if at != number for part in parts]
            yield from ([*others, row[:at], row[at:]] for at in range(len(row) - length, length + 1))


def in_best_order(
    run: Run, posed: Posed, ends: tuple[Floats, Floats], by_hand: ByHand, progress: Progress = no_progress
) -> Run:
    """Find the cheapest order of the pieces of one row, and how each stands.

    Parameters
    ----------
    run : Run
        A row, put together of parts.
    posed : Posed
        n pieces.
    ends : tuple of two ndarray of shape (ways · n,), float32
        What each pose costs besides at the left end of a row, and at the right one, see `core.grid.margins.end_costs`.
    by_hand : ByHand
        What holds, unless it leaves these pieces no order as one row: then they stay in theirs.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Run
        Of the same pieces.
    """
    first, last = (np.float32(posed.costs.temperature) * cost for cost in ends)
    costs = replace(posed.costs, from_blank=posed.costs.from_blank + first, to_blank=posed.costs.to_blank + last)
    papers = [pose % posed.n for pose in run]
    of_row = replace(posed, costs=costs).of(papers)
    options, widths = SolverOptions(n_pages=1), np.zeros(len(papers))
    try:
        solution, pose = find_order(Problem(of_row, options, by_hand.said, widths, progress), 1)
    except UsageError:
        return run
    ((*row,),) = solution.pages
    ways = [pose[one] // len(papers) for one in row]
    return tuple(papers[one] + posed.n * way for one, way in zip(row, ways, strict=True))


def _broken(row: Run, length: int, evidence: Evidence) -> Iterator[Run]:
    """Break a row that is too long where one part is complete and the break is cheapest."""

    def extra(at: int) -> float:
        left, right = row[at - 1], row[at]
        return float(evidence.to_blank[left] + evidence.from_blank[right] - evidence.across[left, right])

    while len(row) > length:
        at = min((length, len(row) - length), key=extra)
        first, second = row[:at], row[at:]
        whole, row = (first, second) if len(first) == length else (second, first)
        yield whole
    if row:
        yield row


def _candidates(
    parts: Sequence[Run], length: int, n: int, n_ways: int, progress: Progress
) -> Iterator[tuple[tuple[int, ...], tuple[Run, ...]]]:
    """List the ways in which the longest part becomes a row with some others, each turned in any way."""
    if len(parts[0]) == length:
        yield (0,), (parts[0],)
        return
    for others in (some for size in range(1, MOST_PARTS) for some in combinations(range(1, len(parts)), size)):
        if len(parts[0]) + sum(len(parts[one]) for one in others) != length:
            continue
        progress(0.0, _COMPLETING)
        turned = [[turned_run(parts[one], n, way) for way in range(n_ways)] for one in others]
        for standing in product(*turned):
            for row in permutations((parts[0], *standing)):
                yield (0, *others), row


def _price(row: Sequence[Run], complete: Sequence[Run], evidence: Evidence) -> float:
    """Price a row of parts, between margins and those of the complete rows that fit best above and below it."""
    poses = [pose for part in row for pose in part]
    price = float(evidence.from_blank[poses[0]] + evidence.to_blank[poses[-1]])
    price += sum(float(evidence.across[left[-1], right[0]]) for left, right in pairwise(row))
    if evidence.level is not None:
        for one, other in combinations(row, 2):
            times = min(len(one), len(other), TELLING_PIECES)
            price += times * float(evidence.level[np.ix_(one, other)].mean())
    if complete:
        others = np.array(complete)
        price += float(evidence.down[others, poses].sum(axis=1).min()) + float(
            evidence.down[poses, others].sum(axis=1).min()
        )
    return price
