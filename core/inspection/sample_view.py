"""All that is to be seen of one sample: how it looks, what is nearest to it, what it meets in the order, the map."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import MoveShreds
from core.arrangement.faces import as_they_stand
from core.inspection.neighbours import Neighbour, Scope, distance_between, nearest
from core.inspection.sample_index import SampleIndex
from core.inspection.sample_plane import SamplePlane, map_height
from core.inspection.samples import Sample, height_mm, partner_by_order, read_sample
from core.options import Options
from core.shreds.shred import Shred

MAX_NEIGHBOURS = 20


@dataclass(frozen=True, eq=False)
class SampleLook:
    """How a sample looks.

    Attributes
    ----------
    sample : Sample
        Which one.
    grey : ndarray of shape (32, 32), uint8
        As scanned; white where there is no paper.
    ink : ndarray of shape (32, 32), bool
        As the encoder sees it.
    height_mm : float
        Distance of its middle from the top of its shred.
    """

    sample: Sample
    grey: NDArray[np.uint8]
    ink: NDArray[np.bool_]
    height_mm: float


@dataclass(frozen=True, eq=False)
class NeighbourLook:
    """A complementary sample with its distance and looks.

    Attributes
    ----------
    neighbour : Neighbour
        Which one, and how far it is.
    look : SampleLook
        Its pixels.
    by_order : bool
        Whether the two meet in the arrangement.
    behind : str
        The shred that is seen, where the sample's is its other face; else "".
    """

    neighbour: Neighbour
    look: SampleLook
    by_order: bool
    behind: str = ""


@dataclass(frozen=True, eq=False)
class Inspection:
    """All that is to be seen of a sample.

    Attributes
    ----------
    look : SampleLook
        The sample itself.
    blank : bool
        It has no ink: any blank sample is as near, so none is named.
    found : tuple of Found
        The nearest, nearest first.
    partner : Sample or None
        What it meets in the arrangement.
    partner_distance : float or None
        None where either of the two is blank.
    height : SampleMap
        Samples at its height, with the nearest ones and the partner.
    """

    look: SampleLook
    blank: bool
    found: tuple[NeighbourLook, ...]
    partner: Sample | None
    partner_distance: float | None
    height: SamplePlane


def look_at(shred: Shred, sample: Sample, frame: tuple[int, int], options: Options = Options()) -> SampleLook:
    """Read how a sample looks.

    Parameters
    ----------
    shred : Shred
        That of the sample, posed as the examiner turned it.
    sample : Sample
        Which one.
    frame : tuple of int
        From `core.inspection.samples.sample_frame`.
    options : Options
        Those of binarization and borders are used.

    Returns
    -------
    SampleLook
        Its pixels and height.
    """
    grey, ink = read_sample(shred, sample, frame, options.binarization, options.border)
    return SampleLook(sample, grey, ink, height_mm(sample, shred, frame))


def inspect(
    index: SampleIndex, arrangement: Arrangement, options: Options, sample: Sample, k: int, scope: Scope
) -> Inspection:
    """Gather all that is to be seen of a sample.

    Parameters
    ----------
    index : SampleIndex
        Of all samples with ink.
    arrangement : Arrangement
        What stands beside what.
    options : Options
        Those of binarization and borders are used.
    sample : Sample
        Of a shred that is not blank.
    k : int
        How many neighbours to find.
    scope : {"all", "sheet", "height"}
        Where to look for them.

    Returns
    -------
    Inspection
        What there is to be seen.
    """
    shreds = {shred.id: shred for shred in index.shreds}
    partner = partner_by_order(arrangement, sample)
    if partner is not None and partner.shred not in shreds:
        partner = None
    neighbours = nearest(index, sample, k, scope, arrangement.other_faces.get(sample.shred, ())[:1])
    found = tuple(
        NeighbourLook(
            neighbour,
            look_at(shreds[neighbour.sample.shred], neighbour.sample, index.frame, options),
            partner is not None and neighbour.sample.shred == partner.shred,
            seen if (seen := arrangement.seen(neighbour.sample.shred)) != neighbour.sample.shred else "",
        )
        for neighbour in neighbours
    )
    also = [sample, *([partner] if partner else ()), *(neighbour.sample for neighbour in neighbours)]
    return Inspection(
        look=look_at(shreds[sample.shred], sample, index.frame, options),
        blank=index.is_blank(sample),
        found=found,
        partner=partner,
        partner_distance=distance_between(index, sample, partner) if partner else None,
        height=map_height(index, sample.row, also),
    )


def draw(grey_or_ink: NDArray[np.uint8] | NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Turn a sample into RGB, shape (32, w, 3): grey as it is, ink black on white.

    Parameters
    ----------
    grey_or_ink : ndarray of shape (32, w), uint8 or bool
        Grey, or True where there is ink.

    Returns
    -------
    ndarray of shape (32, w, 3), uint8
        RGB.
    """
    grey = np.where(grey_or_ink, 0, 255) if grey_or_ink.dtype == np.bool_ else grey_or_ink
    return np.repeat(grey.astype(np.uint8)[..., None], 3, axis=2)


def joined(query: SampleLook, other: SampleLook) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Lay two samples edge to edge as their borders would meet, the r-sample left of the l-sample.

    Parameters
    ----------
    query, other : SampleLook
        One of either side.

    Returns
    -------
    grey, ink : ndarray of shape (32, 64, 3), uint8
        RGB.
    """
    left, right = (query, other) if query.sample.side == "right" else (other, query)
    return draw(np.hstack([left.grey, right.grey])), draw(np.hstack([left.ink, right.ink]))


class Poses:
    """Shreds turned as the examiner turned them; what has not been turned since is the same object as before."""

    def __init__(self) -> None:
        self._posed: dict[str, tuple[Shred, tuple[bool, float], Shred]] = {}

    def of(self, shreds: Sequence[Shred], arrangement: Arrangement) -> tuple[Shred, ...]:
        """Turn shreds, as they were found, as an arrangement says.

        Parameters
        ----------
        shreds : sequence of Shred
            As they were found.
        arrangement : Arrangement
            How they are turned; what is not seen, as it stands when its paper is turned over.

        Returns
        -------
        tuple of Shred
            In their order.
        """
        arrangement = as_they_stand(arrangement)
        for shred in shreds:
            turn = arrangement.turn_of(shred.id)
            found, before, _ = self._posed.get(shred.id, (None, None, None))
            if found is not shred or before != turn:
                self._posed[shred.id] = shred, turn, arrangement.pose(shred)
        return tuple(self._posed[shred.id][2] for shred in shreds)


def beside(arrangement: Arrangement, sample: Sample, shred: str) -> MoveShreds | None:
    """Return the edit that puts a shred where a sample's border meets it; None if the sample's shred is on no page.

    Of two faces that are not seen, their paper is put beside each other.

    Parameters
    ----------
    arrangement : Arrangement
        Before.
    sample : Sample
        Left or right of its shred, as its side says, the other is to stand.
    shred : str
        What confirmed joins hold to it comes along.

    Returns
    -------
    MoveShreds or None
        To be applied to the arrangement.
    """
    seen, other = arrangement.seen(sample.shred), arrangement.seen(shred)
    page = arrangement.page_of(seen)
    if page is None:
        return None
    # From behind the right border is the left one.
    position = arrangement.pages[page].index(seen) + ((sample.side == "right") == (seen == sample.shred))
    return MoveShreds((other,), page, position)
