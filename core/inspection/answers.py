"""What the examiner answered of joins, one answer after the other as the history has them, and how each is withdrawn.

An arrangement tells which joins are confirmed and forbidden, not which was said last, nor what was said in one breath.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any, TypeAlias

import numpy as np

from core.arrangement.arrangement import Arrangement, JoinState, Pair, margin
from core.arrangement.edit import Edit
from core.arrangement.edits import FreeMargin, SetJoin, Together
from core.arrangement.row_edits import SetBelow
from core.case.case import Case
from core.case.history import History
from core.case.joins import posed_of, row_in_costs
from core.matching.costs import Costs
from core.shreds.shred import Side

Doubt: TypeAlias = Callable[[Pair], float]
"""How doubtful joins are, see `doubt_of`."""


@dataclass(frozen=True)
class Answer:
    """An answer that still holds.

    Attributes
    ----------
    number : int
        Of its entry in the history; 0 for one that was taken over without.
    joins : tuple of (Pair, JoinState)
        What it says of joins, "confirmed" or "forbidden".
    margins : tuple of (str, Side)
        Shreds with which it says that a page ends (right) or begins (left).
    displaced : tuple of Pair
        Confirmed joins that it took back, and which can stand again once it is withdrawn.
    below : bool
        Whether it says of a piece that it stands directly below another one, and not to its right.
    """

    number: int
    joins: tuple[tuple[Pair, JoinState], ...]
    margins: tuple[tuple[str, Side], ...] = ()
    displaced: tuple[Pair, ...] = ()
    below: bool = False

    @property
    def pair(self) -> Pair:
        """The join that was asked about: of one in place of another, the one that it is not."""
        return self.joins[0][0]

    @property
    def withdrawal(self) -> Edit:
        """The edit that takes the answer back, and confirms again what it displaced."""
        what = SetBelow if self.below else SetJoin
        edits: list[Edit] = [what(*pair, "suggested") for pair, _ in self.joins]
        edits += [FreeMargin(shred, side) for shred, side in self.margins]
        return Together((*edits, *(SetJoin(*pair, "confirmed") for pair in self.displaced)))


def doubt_in(case: Case) -> Doubt:
    """Tell the joins of a case by how much dearer they are than the best other ones at their borders.

    Parameters
    ----------
    case : Case
        With or without costs.

    Returns
    -------
    callable
        See `doubt_of`.
    """
    posed = posed_of(case)
    return doubt_of(None if posed is None else posed.costs, row_in_costs(case))


def doubt_of(costs: Costs | None, row_of: Callable[[str], int | None]) -> Doubt:
    """Tell joins by how much dearer they are than the best other ones at their borders.

    Parameters
    ----------
    costs : Costs or None
        Of all shreds that were compared.
    row_of : callable
        Takes the identifier of a shred; returns its row, or None if it was not compared.

    Returns
    -------
    callable
        The higher, the more doubtful; ``inf`` for a join of which the costs tell nothing.
    """

    def doubt(pair: Pair) -> float:
        left, right = map(row_of, pair)
        if costs is None or left is None or right is None:
            return inf
        cost = float(costs.cost_of(left, right))
        beside = np.concatenate([costs.after(left), costs.before(right)])
        others = beside[(costs.left[beside] != left) | (costs.right[beside] != right)]
        return cost if cost == inf else cost - float(costs.cost[others].min(initial=np.inf))

    return doubt


def equally(_pair: Pair) -> float:
    """Know nothing of how doubtful joins are."""
    return 0.0


def rivals(arrangement: Arrangement, pair: Pair, doubt: Doubt = equally) -> list[Pair]:
    """List the confirmed joins that cannot stand with a join.

    Parameters
    ----------
    arrangement : Arrangement
        With the answers.
    pair : Pair
        Any two shreds.
    doubt : callable
        See `doubt_of`.

    Returns
    -------
    list of Pair
        Those that share a border with it, at most one for each side. If others lead from its right shred back to its
        left one, the most doubtful of these, too: a page is no ring.

    Examples
    --------
    >>> doubts = {("a", "b"): 0.1, ("b", "c"): 0.2}
    >>> rivals(Arrangement(confirmed=frozenset(doubts)), ("c", "a"), doubts.__getitem__)
    [('b', 'c')]
    """
    left, right = pair
    others = arrangement.confirmed - {pair}
    sharing = sorted(other for other in others if other[0] == left or other[1] == right)
    followed_by, ring, end = dict(others.difference(sharing)), [], right
    while end != left and end in followed_by:
        ring.append((end, followed_by[end]))
        end = followed_by[end]
    return [*sharing, max(ring, key=lambda other: (doubt(other), other))] if ring and end == left else sharing


def answers_of(case: Case) -> tuple[Answer, ...]:
    """List the answers that hold, the last one last.

    Parameters
    ----------
    case : Case
        With its history.

    Returns
    -------
    tuple of Answer
        Every join that is confirmed or forbidden is in exactly one.
    """
    arrangement, record = case.arrangement, _Record.of(case.history)
    last = record.joins
    joins: dict[int, list[tuple[Pair, JoinState]]] = {}
    standing = [(pair, state) for pair, (_, state) in last.items() if state != "suggested"]
    known = {pair: state for pair, state in standing if arrangement.state(*pair) == state}
    not_on_record = sorted((arrangement.confirmed | arrangement.forbidden) - known.keys())
    for place, pair in enumerate(not_on_record, start=-len(not_on_record)):  # each by itself, before all others
        joins[place] = [(pair, arrangement.state(*pair))]
    for pair, state in known.items():
        joins.setdefault(last[pair][0], []).append((pair, state))
    margins: dict[int, list[tuple[str, Side]]] = {}
    for (shred, side), number in record.margins.items():
        if number in joins and margin(shred, side) in arrangement.held:
            margins.setdefault(number, []).append((shred, side))
    beside = [
        Answer(
            max(number, 0),
            tuple(of_step),
            tuple(margins.get(number, ())),
            tuple(_can_stand(record.displaced.get(number, ()), arrangement, {pair for pair, _ in of_step})),
        )
        for number, of_step in sorted(joins.items())
    ]
    below = [
        Answer(record.below.get(pair, 0), ((pair, arrangement.state_below(*pair)),), below=True)
        for pair in sorted(arrangement.confirmed_below | arrangement.forbidden_below)
    ]
    return tuple(sorted([*beside, *below], key=lambda answer: answer.number)) if below else tuple(beside)


@dataclass(frozen=True)
class _Record:
    """What a history holds of answers: what was said last of each join and margin, in which entry, and what that undid.

    Of joins downwards the entry alone: what holds of them stands in the arrangement.

    The serialised edits are read as they are: building edits of thousands of entries would take too long.
    """

    joins: dict[Pair, tuple[int, JoinState]] = field(default_factory=dict)
    margins: dict[tuple[str, Side], int] = field(default_factory=dict)
    displaced: dict[int, list[Pair]] = field(default_factory=dict)
    below: dict[Pair, int] = field(default_factory=dict)

    @classmethod
    def of(cls, history: History) -> "_Record":
        """Gather what was said and not undone."""
        record = cls()
        for number, edits in _answering_steps(history):
            for edit in edits:
                if edit["edit"] == "SetMargin":
                    record.margins[edit["shred"], edit["side"]] = number
                elif edit["edit"] == "SetBelow":
                    record.below[edit["above"], edit["below"]] = number
                else:
                    record.note((edit["left"], edit["right"]), number, edit["state"])
        return record

    def note(self, pair: Pair, number: int, state: JoinState) -> None:
        """Note what an entry says of a join; what was said last comes last."""
        _, before = self.joins.pop(pair, (0, "suggested"))
        if state == "suggested" and before == "confirmed":
            self.displaced.setdefault(number, []).append(pair)
        self.joins[pair] = number, state


def _answering_steps(history: History) -> list[tuple[int, list[Mapping[str, Any]]]]:
    """List the steps that answer something and were not undone: the number of the entry, and its serialised edits."""
    before: dict[int, int] = {}  # the answering step, or none (0), that came last before each one
    edits: dict[int, list[Mapping[str, Any]]] = {}
    after = [0]  # the answering step that was the last one after each entry
    for number, entry in enumerate(history, start=1):
        latest = after[entry.parameters["to"]] if "to" in entry.parameters else after[-1]
        answering = list(_answering(entry.parameters["edit"])) if "edit" in entry.parameters else []
        if answering:
            before[number], edits[number], latest = latest, answering, number
        after.append(latest)
    found, number = [], after[-1]
    while number:
        found.append((number, edits[number]))
        number = before[number]
    return found[::-1]


def _answering(edit: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """List those parts of an edit that say something of joins or margins."""
    if edit["edit"] == "Together":
        for part in edit["edits"]:
            yield from _answering(part)
    elif edit["edit"] in ("SetJoin", "SetMargin", "SetBelow"):
        yield edit


def _can_stand(pairs: Iterable[Pair], arrangement: Arrangement, withdrawn: set[Pair]) -> Iterator[Pair]:
    """List the joins that can be confirmed once others are withdrawn: nothing has been said against them since."""
    for pair in pairs:
        if arrangement.state(*pair) == "suggested" and withdrawn.issuperset(rivals(arrangement, pair)):
            yield pair
