"""What lies between two arrangements, in parts that can be refused one by one."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.edit import Edit, InvalidEditError, ShiftOf
from core.arrangement.placing import carried_marks
from core.shreds.shred import SIDES, Side

if TYPE_CHECKING:
    from scipy.cluster.hierarchy import DisjointSet

Border = tuple[str, Side]
"""A shred, and which of its borders."""


@dataclass(frozen=True)
class Exchange(Edit):
    """Undoes joins and makes others, wherever their shreds stand; all other joins stay.

    Attributes
    ----------
    undone, made : tuple of Pair
        Joins that are there, and those that take their place.
    shift_px : dict of str to int
        By how much the right shred of a join that is made lies lower than the left one; 0 where absent.
    half_turned : tuple of str
        Shreds that are turned upside down besides.

    Examples
    --------
    >>> before = Arrangement(pages=(("a", "b", "c"), ("d", "e", "f")))
    >>> Exchange(undone=(("b", "c"), ("e", "f")), made=(("b", "f"), ("e", "c"))).apply(before)[0].pages
    (('a', 'b', 'f'), ('d', 'e', 'c'))
    """

    undone: tuple[Pair, ...]
    made: tuple[Pair, ...]
    shift_px: dict[str, int] = field(default_factory=dict)
    half_turned: tuple[str, ...] = ()

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        joins, undone = set(arrangement.joins()), set(self.undone)
        unknown = {shred for pair in (*self.undone, *self.made) for shred in pair} - arrangement.places.keys()
        if unknown:
            raise InvalidEditError(f"There is no shred {', '.join(sorted(unknown))}.")
        for left, right in self.undone:
            if (left, right) not in joins:
                raise InvalidEditError(f"{left} and {right} are no neighbours any more.")
            if (left, right) in arrangement.confirmed:
                raise InvalidEditError(
                    f"The join of {left} and {right} is confirmed. Take the confirmation back first."
                )
        right_of = _right_neighbours(joins - undone, self.made)
        shift_px = {right: arrangement.shift_px.get(right, 0) for right in right_of.values()}
        shift_px |= {right: self.shift_px.get(right, 0) for _, right in self.made}
        pages = _pages(arrangement, right_of)
        placed = {shred for page in pages for shred in page}
        return replace(
            arrangement,
            **carried_marks(arrangement, pages),
            pages=tuple(pages),
            set_aside=tuple(shred for shred in arrangement.set_aside if shred not in placed),
            shift_px=shift_px,
            half_turned=arrangement.half_turned ^ set(self.half_turned),
            turned_by_hand=arrangement.turned_by_hand | set(self.half_turned),
        )

    def is_done(self, arrangement: Arrangement) -> bool:
        """Check whether an arrangement has all joins that are made, and none that are undone."""
        has = arrangement.has_join
        return all(has(*pair) for pair in self.made) and not any(has(*pair) for pair in self.undone)

    def back_to(self, arrangement: Arrangement) -> "Exchange":
        """Build the exchange that makes again what this one undoes.

        Parameters
        ----------
        arrangement : Arrangement
            One that has the joins that are undone; they get its shifts.

        Returns
        -------
        Exchange
            With what is undone and made the other way round.
        """
        return _exchange(arrangement, self.made, self.undone, self.half_turned)


def all_of(parts: Sequence[Exchange]) -> Exchange:
    """Put exchanges of different borders together; any of them may close a ring without the others.

    Parameters
    ----------
    parts : sequence of Exchange
        From `exchanges`.

    Returns
    -------
    Exchange
        That does what all of them do, as one.
    """
    return Exchange(
        tuple(pair for part in parts for pair in part.undone),
        tuple(pair for part in parts for pair in part.made),
        {shred: shift_px for part in parts for shred, shift_px in part.shift_px.items()},
        tuple(shred for part in parts for shred in part.half_turned),
    )


def exchanges(before: Arrangement, after: Arrangement) -> tuple[Exchange, ...]:
    """Take the differences of joins apart into parts that can be refused one by one.

    A border has one neighbour: joins that share one belong together, and so do those of a shred that is turned
    otherwise. Where a part alone would close a page to a ring, it takes along those with which it does not.

    Parameters
    ----------
    before, after : Arrangement
        Of the same shreds.

    Returns
    -------
    tuple of Exchange
        Each leads from `after` back to `before` as far as it goes, in the order in which `after` has its joins.
    """
    old, new = before.joins(), after.joins()
    kept = set(old) & set(new)
    lost, found = [pair for pair in old if pair not in kept], [pair for pair in new if pair not in kept]
    turned = before.half_turned ^ after.half_turned
    groups = _groups(found, lost, turned)
    while _unite_rings(groups, dict(kept), found, lost):
        pass
    parts: dict[Border, tuple[list[Pair], list[Pair]]] = defaultdict(lambda: ([], []))
    for which, pairs in enumerate((found, lost)):
        for pair in pairs:
            parts[groups[pair[0], "right"]][which].append(pair)
    return tuple(_exchange(before, undone, made, turned) for undone, made in parts.values())


def beyond_answers(parts: Iterable[Exchange], answered: Iterable[Pair]) -> bool:
    """Check whether something changed that the answers alone do not bring about.

    Parameters
    ----------
    parts : iterable of Exchange
        From `exchanges`.
    answered : iterable of Pair
        Joins that were confirmed or forbidden, or of which that was taken back, since the order before was found.

    Returns
    -------
    bool
        Whether a join was made or undone at none of the borders that were answered about.
    """
    borders = {border for left, right in answered for border in ((left, "right"), (right, "left"))}
    changed = (pair for part in parts for pair in (*part.undone, *part.made))
    return any((left, "right") not in borders and (right, "left") not in borders for left, right in changed)


def _groups(found: Sequence[Pair], lost: Sequence[Pair], turned: frozenset[str]) -> "DisjointSet":
    """Unite the borders that joins share, and both borders of a shred that is turned."""
    from scipy.cluster.hierarchy import DisjointSet  # SciPy is slow to import; whoever has solved has done so

    pairs = (*found, *lost)
    shreds = list(dict.fromkeys(shred for pair in pairs for shred in pair))
    groups = DisjointSet((shred, side) for shred in shreds for side in SIDES)
    for left, right in pairs:
        groups.merge((left, "right"), (right, "left"))
    for shred in shreds:
        if shred in turned:
            groups.merge((shred, "left"), (shred, "right"))
    return groups


def _exchange(before: Arrangement, undone: Sequence[Pair], made: Sequence[Pair], turned: Collection[str]) -> Exchange:
    """Build an exchange that makes joins with the shifts that they have in an arrangement."""
    shift_px = {right: before.shift_px[right] for _, right in made if before.shift_px.get(right)}
    of_part = sorted({shred for pair in (*undone, *made) for shred in pair}.intersection(turned))
    return Exchange(tuple(undone), tuple(made), shift_px, tuple(of_part))


def _unite_rings(groups: "DisjointSet", kept: dict[str, str], found: Sequence[Pair], lost: Sequence[Pair]) -> bool:
    """Unite parts where one alone would close a ring; return whether there was such a one."""
    group_of = {pair: groups[pair[0], "right"] for pair in (*found, *lost)}
    for group in dict.fromkeys(group_of[pair] for pair in lost):
        alone = [pair for pair in lost if group_of[pair] == group]
        others = {pair for pair in found if group_of[pair] != group}
        right_of = {**kept, **dict(others), **dict(alone)}
        for left, right in alone:
            strangers = others.intersection(pairwise(_ring(right_of, left, right)))
            for stranger in strangers:
                groups.merge((left, "right"), (stranger[0], "right"))
            if strangers:
                return True
    return False


def _ring(right_of: Mapping[str, str], left: str, right: str) -> list[str]:
    """Walk from the right shred of a join to the right; return the walk if it ends at the left one, or nothing."""
    walk = [right]
    while walk[-1] != left and walk[-1] in right_of:
        walk.append(right_of[walk[-1]])
    return walk if walk[-1] == left else []


def _right_neighbours(kept: Iterable[Pair], made: Sequence[Pair]) -> dict[str, str]:
    """Return the right neighbour of each shred that has one, or refuse what cannot stand in one row."""
    right_of, left_of = dict(kept), {right: left for left, right in kept}
    for left, right in made:
        if left in right_of or right in left_of:
            raise InvalidEditError(f"{left} or {right} has another neighbour by now; {right} cannot follow {left}.")
        right_of[left], left_of[right] = right, left
    for left, right in made:
        if _ring(right_of, left, right):
            raise InvalidEditError(
                f"{right} leads to {left} again: a page would have no margin. Refuse or accept the other joins first."
            )
    return right_of


def _pages(arrangement: Arrangement, right_of: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Put shreds in rows, in the order of their first shreds; those that are set aside only where they are joined."""
    joined = {*right_of, *right_of.values()}
    aside, followers = set(arrangement.set_aside) - joined, set(right_of.values())
    pages = []
    for shred in arrangement.order:
        if shred not in followers and shred not in aside:
            page = [shred]
            while page[-1] in right_of:
                page.append(right_of[page[-1]])
            pages.append(tuple(page))
    return pages
