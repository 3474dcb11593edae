"""Groups of shreds on the desk, each laid as its shreds would lie on a page of their own.

What lies on the desk stays where it is in the arrangement, on a page or set aside, and how it lies is a view of the
window: trying is no step, and no evidence. The shifts and confidences of a group are those that the case would have
with the group on a page of its own, so that what is seen here is what placing the group makes, and it is made by one
step of the history. What confirmed joins hold together lies here together.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF

from app.session.document import Document
from app.session.editor import Editor
from core.arrangement.arrangement import Arrangement, Pair
from core.arrangement.edit import ShiftOf
from core.arrangement.edits import MoveShreds
from core.arrangement.faces import turned_row
from core.case.joins import known_shifts

GAP_PX = 120.0
"""Between what is laid down side by side and not joined: 10 mm."""

_BESIDE = 0.3
"""Two groups lie beside each other if this share of the shorter one's height is common to both."""


@dataclass(frozen=True)
class Group:
    """Shreds that lie side by side.

    Attributes
    ----------
    places : dict of str to QRectF
        Where each lies, from left to right, in pixels at 300 dpi.
    joins : dict of Pair to float or None
        How sure each join is, 0 to 1; None where nothing was compared.
    """

    places: dict[str, QRectF]
    joins: dict[Pair, float | None]

    @property
    def shreds(self) -> tuple[str, ...]:
        """From left to right."""
        return tuple(self.places)

    @property
    def rect(self) -> QRectF:
        """All that the group covers."""
        return around(self.places.values())

    def moved(self, by: QPointF) -> "Group":
        """Return the same group elsewhere."""
        return Group({shred: place.translated(by) for shred, place in self.places.items()}, self.joins)

    def seams_x(self) -> list[float]:
        """Return where another shred could stand: left of the first, between two, right of the last."""
        return [*(place.left() for place in self.places.values()), self.rect.right()]


Groups = tuple[Group, ...]


def around(places: Iterable[QRectF]) -> QRectF:
    """Return the smallest rectangle around others; an empty one around none."""
    rect = QRectF()
    for place in places:
        rect = rect.united(place)
    return rect


class Laying:
    """Lays shreds side by side as the case would have them.

    Parameters
    ----------
    document : Document
        Whose shreds they are.
    editor : Editor
        Knows how sure each join would be.
    beside_px : callable
        Takes two shreds, and by how much the right one lies lower; returns how far right of the other it lies.
    """

    def __init__(self, document: Document, editor: Editor, beside_px: Callable[[str, str, float], int | None]) -> None:
        self._document, self._editor, self._beside_px = document, editor, beside_px
        self._known: tuple[ShiftOf, frozenset[str]] | None = None
        """The shifts of the costs, and the shreds of which they say nothing."""
        self._foreseen: dict[tuple[str, ...], Group] = {}

    def forget(self) -> None:
        """Foresee everything anew: the case is another one."""
        self._foreseen.clear()
        self._known = None

    def group(self, shreds: Sequence[str], at: QPointF, fixed: str = "") -> Group:
        """Lay shreds side by side.

        Parameters
        ----------
        shreds : sequence of str
            From left to right; what confirmed joins hold to them comes along.
        at : QPointF
            Where the upper left corner of one of them is to lie.
        fixed : str
            That one; the first, if absent.

        Returns
        -------
        Group
            At the shifts that are best for its joins.
        """
        named = tuple(shreds)
        if named not in self._foreseen:
            self._foreseen[named] = self._foresee(named)
        group = self._foreseen[named]
        return group.moved(at - group.places[fixed or group.shreds[0]].topLeft())

    def _foresee(self, shreds: tuple[str, ...]) -> Group:
        case = self._document.case
        assert case is not None
        if self._known is None:
            self._known = known_shifts(case), case.turned_since
        shift_of, mute = self._known
        few = _rows_of(case.arrangement, shreds)
        after = MoveShreds(shreds, len(few.pages)).foreseen(few, shift_of)
        offsets_px = after.offsets_px(len(after.pages) - 1)
        places: dict[str, QRectF] = {}
        for name in after.pages[-1]:
            shred = case.shred_by_id[name]
            top = float(shred.frame_top_px + offsets_px[name])
            places[name] = QRectF(self._x(places, name, top), top, shred.width_px, shred.height_px)
        sure = self._editor.confidence
        return Group(places, {pair: sure(*pair, after) if mute.isdisjoint(pair) else None for pair in pairwise(places)})

    def _x(self, places: dict[str, QRectF], shred: str, top: float) -> float:
        """Return where a shred begins that lies right of others: where it touches the last, as far as that is known."""
        if not places:
            return 0.0
        left, place = next(reversed(places.items()))
        beside_px = self._beside_px(left, shred, top - place.top())
        return place.left() + (place.width() if beside_px is None else beside_px)

    def without(self, groups: Groups, shreds: Iterable[str]) -> Groups:
        """Take shreds off the desk; what is left of a group stays where it lies, in as many groups as it falls into."""
        gone, left = frozenset(shreds), []
        for group in groups:
            if gone.isdisjoint(group.places):
                left.append(group)
            else:
                left += [self.group(run, group.places[run[0]].topLeft(), run[0]) for run in _runs(group, gone)]
        return tuple(left)

    def restored(self, rows: Iterable[tuple[Sequence[str], float, float]]) -> Groups:
        """Lay groups where they lay before: the shreds of each, as far as they are there, and where the first lay."""
        return self.renewed(tuple(Group({shred: QRectF(x, y, 0, 0) for shred in shreds}, {}) for shreds, x, y in rows))

    def renewed(self, groups: Groups) -> Groups:
        """Lay groups as the case has them now; of each the first shred stays where it lies."""
        self.forget()
        there = self._document.order()
        renewed: Groups = ()
        for group in map(self._turned_over, groups):
            gone = {shred for shred in group.shreds if shred not in there}
            for run in _runs(group, {*gone, *(shred for other in renewed for shred in other.shreds)}):
                new = self.group(run, group.places[run[0]].topLeft(), run[0])
                renewed = (*self.without(renewed, new.shreds), new)
        return renewed

    def _turned_over(self, group: Group) -> Group:
        """Return a group as it is seen now: paper of it that lies side by side was turned over as one."""
        over = {shred: seen for shred in group.shreds if (seen := self._document.seen(shred)) != shred}
        row = turned_row(group.shreds, over)
        return Group(dict(zip(row, group.places.values(), strict=True)), {}) if over else group

    def dropped(self, groups: Groups, runs: Sequence[Sequence[str]], at: QPointF, reach_px: float) -> Groups:
        """Lay shreds down among groups.

        Parameters
        ----------
        groups : tuple of Group
            What lies there, perhaps the same shreds among it.
        runs : sequence of sequence of str
            Shreds that lie side by side, and others beside them. A single run joins a group that it comes near.
        at : QPointF
            Where the upper left corner of the first is to lie.
        reach_px : float
            So near to a place in a group shreds snap to it.

        Returns
        -------
        tuple of Group
            Those that were dropped last.
        """
        for run in runs:
            group = self.group(run, at)
            groups = self.without(groups, group.shreds)
            joined = self._joined(groups, group, reach_px) if len(runs) == 1 else None
            groups = (*self.without(groups, joined.shreds), joined) if joined else (*groups, group)
            at = QPointF(group.rect.right() + GAP_PX, at.y())
        return groups

    def _joined(self, groups: Groups, moving: Group, reach_px: float) -> Group | None:
        """Return what a group becomes with another, if that one has come near a place in it."""
        assert self._document.case is not None
        arrangement, rect = self._document.case.arrangement, moving.rect
        places = []
        for group in groups:
            of = group.rect
            common = min(of.bottom(), rect.bottom()) - max(of.top(), rect.top())
            if common < _BESIDE * min(of.height(), rect.height()):
                continue
            for at, x in enumerate(group.seams_x()):
                near = rect.right() if at == 0 else rect.left() if at == len(group.shreds) else rect.center().x()
                together = (*group.shreds[:at], *moving.shreds, *group.shreds[at:])
                if abs(near - x) <= reach_px and _possible(arrangement, group, at, together):
                    places.append((abs(near - x), together, group))
        if not places:
            return None
        _, together, group = min(places, key=lambda place: place[0])
        return self.group(together, group.places[group.shreds[0]].topLeft(), group.shreds[0])


def _rows_of(arrangement: Arrangement, shreds: Iterable[str]) -> Arrangement:
    """Return of an arrangement the rows alone in which some shreds stand: of thousands the others cost time."""
    n, numbers = len(arrangement.pages), sorted({arrangement.places[shred][0] for shred in shreds})
    pages = tuple(arrangement.pages[number] for number in numbers if number < n)
    return replace(arrangement, pages=pages, set_aside=arrangement.set_aside if n in numbers else ())


def _possible(arrangement: Arrangement, group: Group, at: int, together: Sequence[str]) -> bool:
    """Return whether shreds can stand at a place in a group: no join is forbidden there, and none confirmed parted."""
    parted = group.shreds[at - 1 : at + 1] if 0 < at < len(group.shreds) else ()
    old = set(pairwise(group.shreds))
    new = [pair for pair in pairwise(together) if pair not in old]
    return parted not in arrangement.confirmed and arrangement.forbidden.isdisjoint(new)


def _runs(group: Group, gone: Iterable[str]) -> list[tuple[str, ...]]:
    """Return what is left of a group: shreds that still lie side by side."""
    runs: list[tuple[str, ...]] = [()]
    for shred in group.shreds:
        if shred in gone:
            runs.append(())
        else:
            runs[-1] = (*runs[-1], shred)
    return [run for run in runs if run]
