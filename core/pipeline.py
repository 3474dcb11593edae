"""The stages in order, each a function of its own: sheets are read and segmented, borders compared, shreds arranged."""

import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from core.arrangement.arrangement import MARGIN, Arrangement, GridPlace, OtherFace, Pair
from core.arrangement.faces import as_found, shifts_as_seen, showing, with_faces
from core.arrangement.grid import closed_up
from core.arrangement.half_turns import shifts_standing
from core.case.case import Case, JoinInfo
from core.case.joins import JoinTable
from core.comparison import match
from core.faces.blank_paper import placed_by_geometry
from core.faces.joint import posed_papers
from core.faces.named import pairs_by_name
from core.faces.pairing import find_faces
from core.faces.posed import UNSEEN, Paper, Posed, face_to_show, one_of_each, papers_of
from core.grid.pages import put_into_pages
from core.grid.sureness import Downwards, how_sure_below
from core.matching.confidence import JoinBelow
from core.matching.costs import Costs
from core.memory import Memory
from core.options import Options
from core.parallel import HERE, wait_for
from core.progress import Progress, no_progress, part
from core.sheets.input_file import Inputs
from core.sheets.mends import MendsOfSheets
from core.sheets.sheet import SheetInfo
from core.shreds.cross_cut.whole_set import cut_of
from core.shreds.detect import OnSheet, find_shreds
from core.shreds.shred import Shred
from core.shreds.storage.packed import count_paper
from core.solver.both_ways import interleaved
from core.solver.constraints import placed_shreds, with_blank_shreds
from core.solver.order import Problem, find_order
from core.solver.page_breaks import estimate_n_pages, page_widths
from core.system import places
from core.system.keras_import import gentle_import
from core.system.versions import versions
from core.wording import QT_TRANSLATE_NOOP

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

logger = logging.getLogger(__name__)

LOADING_ENCODER = QT_TRANSLATE_NOOP("progress", "Loading the encoder")
"""Shown whenever the encoder is waited for."""


@dataclass(frozen=True, eq=False)
class Arranged:
    """The cheapest arrangement; the attributes are those of a `Case`."""

    arrangement: Arrangement
    joins: tuple[JoinInfo, ...]
    optimal: bool
    gap: float
    seconds: dict[str, float] = field(default_factory=dict)
    below: tuple[JoinBelow, ...] = ()


def reconstruct(
    paths: Inputs,
    options: Options,
    weights: Path,
    *,
    mends: MendsOfSheets | None = None,
    on_sheet: OnSheet | None = None,
    progress: Progress = no_progress,
    memory: Memory | None = None,
) -> Case:
    """Turn scanned sheets into arranged pages.

    Parameters
    ----------
    paths : sequence of Path or InputFile
        Files and folders.
    options : Options
        Of every stage.
    weights : Path
        The encoder's weights.
    mends : mapping, optional
        What the examiner mended on sheets before.
    on_sheet : callable, optional
        Called with each sheet and its shreds as soon as it has been segmented, in the thread of the caller.
    progress : Progress
        Called at least every tenth of a second while something is waited for.
    memory : Memory, optional
        Keeps what is read of the borders, to compare them in another way later; what its cache has is not read at all,
        and its workers do what others can do.

    Returns
    -------
    Case
        With at least one page.

    Raises
    ------
    UnreadableInputError
        If not one of the files can be read.
    NothingFoundError
        If there is no shred on the sheets, or only blank ones.
    UsageError
        If the weights are none, or the confirmed joins contradict each other.
    """
    start = time.perf_counter()
    loader = ThreadPoolExecutor(1, thread_name_prefix="encoder")
    loading: list[Future[Encoder]] = []

    def forward(info: SheetInfo, shreds: tuple[Shred, ...]) -> None:
        # TensorFlow takes seconds to load: meanwhile the other sheets are read.
        if not loading and any(shred.compared for shred in shreds):
            loading.append(loader.submit(load_encoder, weights))
        if loading and loading[0].done():
            loading[0].result()  # weights that cannot be used stop the work now, not after the last sheet
        if on_sheet is not None:
            on_sheet(info, shreds)

    try:
        here = part(progress, 0.0, 0.5)
        by, cache = (HERE, None) if memory is None else (memory.workers, memory.cache)
        found = find_shreds(paths, options, mends=mends, on_sheet=forward, progress=here, cache=cache, workers=by)
        waited = time.perf_counter()
        encoder = wait_for(loading[0], part(progress, 0.5, 0.55), LOADING_ENCODER)
        waited = time.perf_counter() - waited
    finally:
        loader.shutdown(wait=False)
    faces = faces_of(found.shreds, found.sheets, options, Arrangement(), part(progress, 0.55, 0.6))
    compare = match if memory is None else memory.match
    matched = compare(found.shreds, encoder, options, part(progress, 0.6, 0.9), both_ways=bool(faces))
    first = with_faces(Arrangement(), faces)
    arranged = arrange(found.shreds, matched.costs, options, first, progress=part(progress, 0.9, 1.0))
    seconds = {**found.seconds, **matched.seconds, **arranged.seconds, "compose": 0.0}
    seconds["load"] += waited
    seconds["total"] = time.perf_counter() - start
    return Case(
        options=options,
        sheets=found.sheets,
        shreds=found.shreds,
        crumbs=found.crumbs,
        costs=matched.costs,
        arrangement=arranged.arrangement,
        joins=arranged.joins,
        below=arranged.below,
        optimal=arranged.optimal,
        gap=arranged.gap,
        seconds=seconds,
        unreadable=found.unreadable,
        weights_sha256=matched.weights_sha256,
        piece_weights_sha256=matched.piece_weights_sha256,
        versions=versions(),
    )


def faces_of(
    shreds: Sequence[Shred],
    sheets: Sequence[SheetInfo],
    options: Options,
    arrangement: Arrangement,
    progress: Progress = no_progress,
) -> dict[str, OtherFace]:
    """Find which shreds are the faces of one paper, if the options ask for it: by names, otherwise by contours.

    Parameters
    ----------
    shreds : sequence of Shred
        All of a case.
    sheets : sequence of SheetInfo
        On which they lie.
    options : Options
        Those of faces are used.
    arrangement : Arrangement
        What the examiner said of faces holds.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict of str to OtherFace
        See `core.arrangement.arrangement.Arrangement.other_faces`.
    """
    if not options.faces.pair:
        return as_found(arrangement, ())
    return as_found(arrangement, pairs_by_name(shreds, sheets) or find_faces(shreds, progress))


def n_pages_filled(shreds: Sequence[Shred], arrangement: Arrangement, options: Options) -> int:
    """Estimate how many pages shreds fill, by their widths; of two faces one counts.

    Parameters
    ----------
    shreds : sequence of Shred
        All of a case, at least one that is no scrap.
    arrangement : Arrangement
        Which are the faces of one paper.
    options : Options
        Those of the solver are used.

    Returns
    -------
    int
        At least 1.
    """
    papers = one_of_each(shreds, arrangement.other_faces)
    return estimate_n_pages(page_widths(papers, options.solver.page_width_mm))


def arrange(
    shreds: Sequence[Shred],
    costs: Costs,
    options: Options,
    previous: Arrangement | None = None,
    shift_px: Mapping[Pair, int] | None = None,
    progress: Progress = no_progress,
    *,
    n_pages: int | None = None,
) -> Arranged:
    """Find the cheapest arrangement that keeps to what the examiner did by hand.

    Parameters
    ----------
    shreds : sequence of Shred
        All of the case.
    costs : Costs
        Of those that are compared, in their order.
    options : Options
        Those of the solver are used. With a number of pages there are so many, however wide they are; without one no
        page is wider than paper, unless joins by hand hold it together.
    previous : Arrangement, optional
        Its confirmed and forbidden joins hold, and what is held and parted by hand as far as nothing contradicts it;
        what the examiner set aside stays aside unless a confirmed join calls for it, and what was turned stays turned.
        Blank shreds and scraps that stand on its pages stay on pages.
    shift_px : mapping of Pair to int, optional
        Shifts that the examiner set; those of other joins come from the costs.
    progress : Progress
        Fraction and text.
    n_pages : int, optional
        So many pages at least, where the options give no number; without it as many as the shreds' widths fill.

    Returns
    -------
    Arranged
        Pages in the order of their earliest shred, so that the order does not depend on costs.

    Raises
    ------
    UsageError
        If confirmed and forbidden joins contradict each other.
    """
    start = time.perf_counter()
    previous = previous or Arrangement()
    on_pages, faces = placed_shreds(shreds, previous), previous.other_faces
    ids, compared = [shred.id for shred in shreds], [shred.id for shred in shreds if shred.compared]
    posed = posed_papers(ids, compared, costs, faces)
    chosen = [row for row, paper in enumerate(posed.papers) if not on_pages.isdisjoint(paper)]
    papers = papers_of(ids, faces)
    in_rows = cut_of(shreds) == "cross"
    blank = placed_by_geometry(shreds, papers, previous) if in_rows else []
    known = {*posed.index, *(face for face, _ in blank)}
    mute = [paper for paper in papers if not on_pages.isdisjoint(paper) and paper[0] not in known]
    posed = _with_mute(posed.of(chosen), mute)
    number_of = {shred.id: number for number, shred in enumerate(shreds)}
    count_paper(shreds, part(progress, 0.0, 0.05))
    progress = part(progress, 0.05, 1.0)
    widths = page_widths(shreds, options.solver.page_width_mm)
    placed = [number_of[one] for one, _ in posed.papers]
    problem = Problem(posed, options.solver, previous, widths[placed], progress)
    if in_rows:  # how many pages there are is asked where rows are put into pages
        problem = replace(
            problem, options=replace(options.solver, n_pages=None, time_limit_s=0.0), progress=part(progress, 0.0, 0.5)
        )
    n_least = n_pages or n_pages_filled(shreds, previous, options)
    solution, pose = find_order(problem, n_least)
    places: tuple[GridPlace, ...] = ()
    told: Downwards | None = None
    if in_rows:
        by_id = {shred.id: shred for shred in shreds}
        in_pages = part(progress, 0.5, 1.0)
        grid = put_into_pages(solution.pages, pose, posed, by_id, options.solver, previous, in_pages, blank)
        solution, pose, places = replace(solution, pages=grid.rows, optimal=False), grid.pose, grid.places
        told = grid.told
        if len(pose) > posed.n:
            posed, mute = _with_mute(posed, blank), [*mute, *blank]
    arrangement = _arrangement(solution.pages, pose, posed, previous, shift_px or {})
    pages = arrangement.pages
    if in_rows:
        # Rows of which no face was scanned that could be shown are not among the pages.
        shown = [any(posed.stand(pose[one])[0] != UNSEEN for one in row) for row in solution.pages]
        left = (place for place, is_shown in zip(places, shown, strict=True) if is_shown)
        marks = {page[0]: place for page, place in zip(pages, left, strict=True)}
        arrangement = replace(arrangement, grid_places=closed_up(marks))
    else:
        pages = tuple(sorted(pages, key=lambda page: min(number_of[shred] for shred in page)))
    off = (paper for paper in papers if arrangement.places.keys().isdisjoint(paper))
    aside, inked = {*previous.set_aside}, frozenset(compared)
    set_aside = tuple(face_to_show(paper, aside, inked) for paper in off)
    arrangement = replace(arrangement, pages=pages, set_aside=set_aside)
    table = JoinTable.of(posed, arrangement)
    joins = table.joins(arrangement, frozenset(chain.from_iterable(mute)))
    beside = {(join.left, join.right): join.confidence for join in joins if join.compared}
    below = how_sure_below(told, arrangement, beside) if told is not None else ()
    seconds = {"solve": time.perf_counter() - start}
    logger.info("%d shreds are on %d pages, gap %.2g: %.1f s", posed.n, len(pages), solution.gap, seconds["solve"])
    return Arranged(arrangement, joins, solution.optimal, solution.gap, seconds, below)


def _with_mute(posed: Posed, mute: Sequence[Paper]) -> Posed:
    """Add paper without evidence behind the other."""
    costs = with_blank_shreds(posed.costs, len(mute) * posed.n_ways, posed.n_ways)
    costs = costs.of(interleaved(posed.n, len(mute), posed.n_ways)) if mute else costs
    return replace(posed, costs=costs, papers=(*posed.papers, *mute))


def _arrangement(
    pages: Sequence[Sequence[int]],
    pose: Sequence[int],
    posed: Posed,
    previous: Arrangement,
    by_hand: Mapping[Pair, int],
) -> Arrangement:
    """Replace an earlier order by what the solver found; decisions about joins, turns and notes stay."""
    stands, costs = [posed.stand(one) for one in pose], posed.costs.of(pose)
    # A face that was not scanned cannot be shown: its paper is set aside.
    pages = [[row for row in page if stands[row][0] != UNSEEN] for page in pages]
    named = tuple(tuple(stands[row][0] for row in page) for page in pages if page)
    seen = frozenset(chain.from_iterable(named))
    shown, by_hand = showing(previous, seen), shifts_as_seen(by_hand, previous, seen)
    previous = posed.said_of(previous, pose)
    by_hand = shifts_standing(by_hand, shown.half_turned ^ previous.half_turned)
    found_px = {(stands[i][0], stands[j][0]): int(costs.shift_of(i, j)) for page in pages for i, j in pairwise(page)}
    shift_px = {right: by_hand.get((left, right), px) for (left, right), px in found_px.items()}
    held = frozenset(pair for pair in previous.held if pair in found_px or MARGIN in pair)
    return replace(previous, pages=named, set_aside=(), shift_px=shift_px, held=held)


def load_encoder(weights: Path) -> "Encoder":
    """Import Keras and load the weights; a window that waits for it meanwhile is not halted.

    Parameters
    ----------
    weights : Path
        A ``.keras`` file.

    Returns
    -------
    Encoder
        Ready to embed.

    Raises
    ------
    UsageError
        As `core.embedding.encoder.Encoder.load` does.
    """
    start = time.perf_counter()
    places.keep_libraries_apart()
    with gentle_import():
        from core.embedding.encoder import Encoder

    encoder = Encoder.load(weights)
    logger.info("The encoder is loaded: %.1f s", time.perf_counter() - start)
    return encoder
