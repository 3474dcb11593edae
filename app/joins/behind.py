"""Two shreds as they are looked at: as they stand, or from behind."""

from dataclasses import replace
from typing import NamedTuple

from core.arrangement.arrangement import Pair
from core.arrangement.faces import join_from_behind
from core.case.case import Case


class Seen(NamedTuple):
    """Two shreds that are drawn side by side, in a case in which they stand so."""

    case: Case
    pair: Pair
    shift_px: int


def seen(case: Case, pair: Pair, shift_px: int, *, behind: bool) -> Seen | None:
    """Return what is drawn of two shreds: they, or their other faces; None where one of these is not known."""
    if not behind:
        return Seen(case, pair, shift_px)
    over = join_from_behind(case.arrangement, *pair, shift_px)
    if over is None:
        return None
    pair = over.joins()[0]
    return Seen(replace(case, arrangement=over), pair, over.shift_px.get(pair[1], 0))
