"""The pages of a case, composed."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from threading import Lock
from weakref import WeakKeyDictionary, ref

from core.arrangement.faces import back_of
from core.case.case import Case
from core.case.joins import known_shifts
from core.composition.backs import holes_px, registered
from core.composition.cuts import Cuts, measure_cuts, usual_breadth_px
from core.composition.evidence import compose_page, levelled_by_hand
from core.composition.page_image import PageImage, Rendition, turned
from core.composition.pose import Pictures, Pose, picture, plain_poses, tilted
from core.composition.poses import find_poses
from core.composition.reading import compose_reading_page
from core.composition.rows import by_rows, corners_px, rows_of, stacked, stacked_poses
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.shred import Shred, upright
from core.wording import QT_TRANSLATE_NOOP

SETTING = QT_TRANSLATE_NOOP("progress", "Setting the shreds of page {number} of {n}")

POSED_PAGES = 64
"""Of so many pages poses are kept: either rendition, the report and the result ask for the same."""

_posed: WeakKeyDictionary[Shred, tuple[object, dict[str, Pose]]] = WeakKeyDictionary()
_remembering = Lock()

MEASURED_SHREDS = 40
"""So many shreds, spread over a case, tell what its cuts are like."""

BROAD_SHREDS = 700
"""So many tell how broad they are, to 0.1 px: every other strip of a machine is some pixels narrower. Outlines, which
are at hand without unpacking pixels, do not: by how much paper is narrower than they differs from sheet to sheet."""


def compose(
    case: Case, page: int, rendition: Rendition = "evidence", poses: Mapping[str, Pose] | None = None
) -> PageImage:
    """Compose a page of a case.

    Parameters
    ----------
    case : Case
        Whose page; its options say whether an evidence page is levelled by its print, and whether seams are drawn.
    page : int
        Its index.
    rendition : {"evidence", "reading"}
        See `core.composition.evidence.compose_page` and `core.composition.reading.compose_reading_page`.
    poses : mapping of str to Pose, optional
        From `poses_of`, where they are at hand; both renditions have the same.

    Returns
    -------
    PageImage
        Turned so that it can be read; the same for the same case, bit for bit on the same machine.

    Raises
    ------
    ValueError
        If the page holds no shred.
    """
    rows = rows_of(case.arrangement, page)
    if len(rows) > 1:
        by_row = by_rows(case, page)
        images = list(map_in_order(partial(_composed, by_row, rendition=rendition), range(len(rows))))
        corners = corners_px(case.arrangement, page, [len(image.pixels) for image in images])
        return turned(stacked(images, corners), case.quarter_turns(page))
    composed, other = _composed(case, page, rendition, poses), back_of(case.arrangement, page)
    if other is not None:
        composed = registered(composed, _composed(case, other, rendition), case.arrangement)
    return turned(composed, case.quarter_turns(page))


def _composed(case: Case, page: int, rendition: Rendition, poses: Mapping[str, Pose] | None = None) -> PageImage:
    """Compose a page as its shreds stand, before it is turned to be read."""
    options, shreds, arrangement = case.options.composition, case.shred_by_id, case.arrangement
    if rendition == "reading":
        return compose_reading_page(pictures_of(case, page), poses or poses_of(case, page))
    if options.level:
        levelled = poses or poses_of(case, page)
    else:
        levelled = levelled_by_hand(shreds, arrangement, page, plain_poses(shreds, arrangement, page))
    return compose_page(shreds, arrangement, page, options, levelled, holes_px(arrangement, page, shreds))


def without_seams(case: Case) -> Case:
    """Return a case whose pages are composed without seams, for what shows them beside the page or not at all.

    Parameters
    ----------
    case : Case
        With any options.

    Returns
    -------
    Case
        Otherwise the same.
    """
    return replace(case, options=replace(case.options, composition=replace(case.options.composition, show_seams=False)))


def poses_of(case: Case, page: int) -> dict[str, Pose]:
    """Find the poses of the shreds of a page.

    A nudged shred is looked for without its nudge, and then moved by as much. A shred that the examiner turned by some
    degrees turns besides only as its page does; the page turns by what the examiner levelled it by. On a page that is
    laid on its side to be read lines of print run along the strips: there heights are as the arrangement says.

    Parameters
    ----------
    case : Case
        Whose page.
    page : int
        Its index.

    Returns
    -------
    dict of str to Pose
        From left to right.
    """
    arrangement, ids = case.arrangement, case.arrangement.pages[page]
    rows = rows_of(arrangement, page)
    if len(rows) > 1:
        by_row = by_rows(case, page)
        of_rows = [poses_of(by_row, row) for row in range(len(rows))]
        return stacked_poses(of_rows, pictures_of(case, page), arrangement, page)
    found = known_shifts(case)
    shifts = [(arrangement.shift_px.get(right, 0), found(left, right)) for left, right in pairwise(ids)]
    nudges = (0 if found_px is None else shift_px - found_px for shift_px, found_px in shifts)
    moved_px = tuple(accumulate(nudges, initial=0))
    plain = plain_poses(case.shred_by_id, arrangement, page).values()
    unmoved = [replace(pose, y_px=pose.y_px - px) for pose, px in zip(plain, moved_px, strict=True)]
    shreds = [case.shred_by_id[name] for name in ids]
    half_turned, by_hand = arrangement.half_turned.intersection(ids), arrangement.turned_deg.keys() & ids
    lines_across, cuts = case.quarter_turns(page) % 2 == 0, cuts_of(case)
    depends_on = [ref(shred) for shred in shreds], half_turned, unmoved, moved_px, by_hand, lines_across, cuts
    known = _posed.get(shreds[0])
    if known is None or known[0] != depends_on:
        poses, moved = dict(zip(ids, unmoved, strict=True)), dict(zip(ids, moved_px, strict=True))
        known = depends_on, find_poses(pictures_of(case, page), poses, cuts, moved, by_hand, lines_across=lines_across)
        _remember(shreds[0], known)
    level = known[1]
    holes = holes_px(arrangement, page, case.shred_by_id)
    right_px = accumulate(holes.get(name, 0) for name in ids)
    level = {name: replace(level[name], x_px=level[name].x_px + px) for name, px in zip(ids, right_px, strict=True)}
    return tilted(level, arrangement.page_mark("page_slopes", page) or 0.0)


def _remember(first: Shred, posed: tuple[object, dict[str, Pose]]) -> None:
    """Keep the poses of a page under its first shred, as long as that is there."""
    with _remembering:
        _posed.pop(first, None)
        if len(_posed) >= POSED_PAGES:
            _posed.popitem()
        _posed[first] = posed


def all_poses(case: Case, progress: Progress = no_progress) -> dict[str, Pose]:
    """Find the poses of the shreds of all pages, on all cores.

    Parameters
    ----------
    case : Case
        Whose pages.
    progress : Progress
        Called for each page.

    Returns
    -------
    dict of str to Pose
        Each counted from the corner of its own reading page, as it is before that is turned to be read.
    """
    pages = [page for page, shreds in enumerate(case.arrangement.pages) if shreds]
    cuts_of(case)  # before several pages ask for them at once
    found = map_in_order(lambda page: poses_of(case, page), pages, SETTING, progress)
    return {shred: pose for poses in found for shred, pose in poses.items()}


def cuts_of(case: Case) -> Cuts:
    """Measure the cuts of a case on some of its shreds.

    Parameters
    ----------
    case : Case
        Whose cuts.

    Returns
    -------
    Cuts
        Of all its shreds: what was shredded together was shredded by one machine.
    """
    compared = [shred for shred in case.shreds if shred.compared]
    return _cuts(_spread(compared, MEASURED_SHREDS), _spread(compared, BROAD_SHREDS))


def _spread(shreds: list[Shred], n: int) -> tuple[Shred, ...]:
    """Choose at most n shreds, spread over all."""
    return tuple(shreds[:: -(-len(shreds) // n)]) if shreds else ()


@lru_cache(maxsize=1)  # every page of a case asks for it
def _cuts(measured: tuple[Shred, ...], broad: tuple[Shred, ...]) -> Cuts:
    breadth_px = usual_breadth_px(shred.mask for shred in broad)
    return replace(measure_cuts(upright(shred) for shred in measured), breadth_px=breadth_px)


def pictures_of(case: Case, page: int) -> Pictures:
    """Return the pictures of the shreds of a page.

    Parameters
    ----------
    case : Case
        Whose page.
    page : int
        Its index.

    Returns
    -------
    dict of str to (pixels, mask)
        As they are to be read, from left to right.
    """
    half_turned = case.arrangement.half_turned
    return {name: picture(case.shred_by_id[name], half_turned) for name in case.arrangement.pages[page]}
