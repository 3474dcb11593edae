"""The stages in order, each a function of its own: sheets are read and segmented, borders compared, shreds arranged."""

import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from core.arrangement.arrangement import MARGIN, Arrangement, Pair
from core.arrays import Floats
from core.case.case import Case, JoinInfo
from core.case.joins import JoinTable
from core.matching.contour import Contours, combine, contour_costs
from core.matching.costs import Costs
from core.matching.margins import add_margins
from core.matching.print_lines import line_costs
from core.matching.tone import add_tones, tone_costs
from core.options import Options
from core.parallel import wait_for
from core.progress import Progress, no_progress, part
from core.sheets.input_file import Inputs
from core.sheets.sheet import SheetInfo
from core.shreds.borders import Borders, read_borders
from core.shreds.detect import OnSheet, find_shreds
from core.shreds.shred import Shred
from core.solver.constraints import joins_by_hand, placed_shreds, with_blank_shreds
from core.solver.page_breaks import estimate_n_pages, page_widths, split_wide_pages
from core.solver.solver import solve
from core.system import places
from core.system.keras_import import gentle_import
from core.system.versions import versions
from core.wording import QT_TRANSLATE_NOOP

if TYPE_CHECKING:  # importing it would load Keras
    from core.matching.encoder import Encoder

logger = logging.getLogger(__name__)

LOADING_ENCODER = QT_TRANSLATE_NOOP("progress", "Loading the encoder")
"""Shown whenever the encoder is waited for."""


@dataclass(frozen=True, eq=False)
class Embedded:
    """What there is to compare: n shreds, their borders, and the embeddings of these.

    Attributes
    ----------
    shreds : tuple of Shred
        Those that are compared.
    borders : Borders
        Their borders.
    right, left : ndarray of shape (n, h', d), float32
        Embeddings of the right and left borders.
    blank : tuple of ndarray of shape (d,), float32
        Embeddings of blank paper, right and left.
    weights_sha256 : str
        Of the encoder's weights.
    seconds : float
        That reading the borders and embedding took.
    """

    shreds: tuple[Shred, ...]
    borders: Borders
    right: Floats
    left: Floats
    blank: tuple[Floats, Floats]
    weights_sha256: str
    seconds: float

    def of(self, chosen: Sequence[int]) -> "Embedded":
        """Select some of the shreds.

        Parameters
        ----------
        chosen : sequence of int
            Indices of k shreds.

        Returns
        -------
        Embedded
            Of these k, in their order.
        """
        rows = list(chosen)
        borders = replace(self.borders, right=self.borders.right[rows], left=self.borders.left[rows])
        shreds = tuple(self.shreds[row] for row in rows)
        return replace(self, shreds=shreds, borders=borders, right=self.right[rows], left=self.left[rows])


@dataclass(frozen=True, eq=False)
class Matched:
    """Costs of the joins between all shreds that are compared, in their order.

    Attributes
    ----------
    costs : Costs
        By all cues.
    weights_sha256 : str
        Of the encoder's weights.
    seconds : dict of str to float
        That each stage took.
    ink : Costs, optional
        By the embeddings alone.
    contours : Contours, optional
        How well the contours fit, if they were compared.
    """

    costs: Costs
    weights_sha256: str
    seconds: dict[str, float] = field(default_factory=dict)
    ink: Costs | None = None
    contours: Contours | None = None


@dataclass(frozen=True, eq=False)
class Arranged:
    """The cheapest arrangement; the attributes are those of a `Case`."""

    arrangement: Arrangement
    joins: tuple[JoinInfo, ...]
    optimal: bool
    gap: float
    seconds: dict[str, float] = field(default_factory=dict)


def reconstruct(
    paths: Inputs, options: Options, weights: Path, *, on_sheet: OnSheet | None = None, progress: Progress = no_progress
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
    on_sheet : callable, optional
        Called with each sheet and its shreds as soon as it has been segmented, in the thread of the caller.
    progress : Progress
        Called at least every tenth of a second while something is waited for.

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
        found = find_shreds(paths, options, on_sheet=forward, progress=part(progress, 0.0, 0.5))
        waited = time.perf_counter()
        encoder = wait_for(loading[0], part(progress, 0.5, 0.55), LOADING_ENCODER)
        waited = time.perf_counter() - waited
    finally:
        loader.shutdown(wait=False)
    matched = match(found.shreds, encoder, options, part(progress, 0.55, 0.9))
    arranged = arrange(found.shreds, matched.costs, options, progress=part(progress, 0.9, 1.0))
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
        optimal=arranged.optimal,
        gap=arranged.gap,
        seconds=seconds,
        unreadable=found.unreadable,
        weights_sha256=matched.weights_sha256,
        versions=versions(),
    )


def match(shreds: Sequence[Shred], encoder: "Encoder", options: Options, progress: Progress = no_progress) -> Matched:
    """Compare the borders of all shreds that bear ink and are large enough.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one that is to be compared.
    encoder : Encoder
        Maps borders into the common space.
    options : Options
        Those of binarization, border and cost are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Matched
        The costs, in the order of the shreds that are compared.
    """
    return compare(embed(shreds, encoder, options, part(progress, 0.0, 0.9)), options, part(progress, 0.9, 1.0))


def embed(shreds: Sequence[Shred], encoder: "Encoder", options: Options, progress: Progress = no_progress) -> Embedded:
    """Embed the borders of all shreds that bear ink and are large enough.

    Parameters
    ----------
    shreds : sequence of Shred
        At least one that is to be compared.
    encoder : Encoder
        Maps borders into the common space.
    options : Options
        Those of binarization and border are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Embedded
        The shreds that are compared, in their order.
    """
    start = time.perf_counter()
    with_ink = tuple(shred for shred in shreds if shred.compared)
    borders = read_borders(with_ink, options.binarization, options.border, part(progress, 0.0, 0.33))
    right = encoder.embed(borders.right, "right", part(progress, 0.33, 0.67))
    left = encoder.embed(borders.left, "left", part(progress, 0.67, 1.0))
    blank = encoder.blank("right"), encoder.blank("left")
    return Embedded(with_ink, borders, right, left, blank, encoder.sha256, time.perf_counter() - start)


def compare(embedded: Embedded, options: Options, progress: Progress = no_progress) -> Matched:
    """Price all joins between shreds by all cues.

    Parameters
    ----------
    embedded : Embedded
        At least one shred.
    options : Options
        Those of cost are used.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Matched
        The costs, in the order of the shreds.
    """
    from core.matching.ink import compute_costs

    start, cost = time.perf_counter(), options.cost
    shreds, borders = embedded.shreds, embedded.borders
    costs = ink = compute_costs(embedded.right, embedded.left, *embedded.blank, cost, part(progress, 0.0, 0.5))
    contours = contour_costs(shreds, part(progress, 0.5, 0.8)) if cost.use_contour else None
    if contours is not None:
        costs = combine(ink, contours)
    if cost.use_tone:
        costs = add_tones(costs, tone_costs(shreds, progress=part(progress, 0.8, 0.9)))
    if cost.use_lines:
        lines = line_costs(borders.right, borders.left, cost.max_shift_rows, part(progress, 0.9, 1.0))
        costs = costs.plus("lines", lines)
    if cost.expect_margins:
        costs = add_margins(costs, borders.right, borders.left)
    costs = costs.of_all_cues()
    seconds = {"embed": embedded.seconds, "cost": time.perf_counter() - start}
    logger.info("The borders of %d shreds are compared: %.1f s", len(shreds), sum(seconds.values()))
    return Matched(costs, embedded.weights_sha256, seconds, ink, contours)


def arrange(
    shreds: Sequence[Shred],
    costs: Costs,
    options: Options,
    previous: Arrangement | None = None,
    shift_px: Mapping[Pair, int] | None = None,
    progress: Progress = no_progress,
) -> Arranged:
    """Find the cheapest arrangement that keeps to what the examiner did by hand.

    Parameters
    ----------
    shreds : sequence of Shred
        All of the case.
    costs : Costs
        Of those that are compared, in their order.
    options : Options
        Those of the solver are used; without a number of pages it is estimated from the shreds' widths, and pages
        wider than paper are cut afterwards.
    previous : Arrangement, optional
        Its confirmed and forbidden joins hold, and what is held and parted by hand as far as nothing contradicts it;
        what the examiner set aside stays aside unless a confirmed join calls for it, and what was turned stays turned.
        Blank shreds and scraps that stand on its pages stay on pages.
    shift_px : mapping of Pair to int, optional
        Shifts that the examiner set; those of other joins come from the costs.
    progress : Progress
        Fraction and text.

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
    on_pages = placed_shreds(shreds, previous)
    with_ink = [index for index, shred in enumerate(shreds) if shred.compared]
    chosen = [row for row, index in enumerate(with_ink) if shreds[index].id in on_pages]
    mute = [index for index, shred in enumerate(shreds) if not shred.compared and shred.id in on_pages]
    placed = [*(with_ink[row] for row in chosen), *mute]
    ids = [shreds[index].id for index in placed]
    costs = with_blank_shreds(costs.of(chosen), len(mute))
    kept, avoided = joins_by_hand(previous, ids)
    n_pages = options.solver.n_pages
    widths = page_widths(shreds, options.solver.page_width_mm) if n_pages is None else None
    if widths is not None:
        n_pages = max(1, min(estimate_n_pages(widths), len(ids) - len(kept)))
    solver = replace(options.solver, n_pages=n_pages)
    solution = solve(costs, solver, confirmed=kept, forbidden=avoided, names=ids, progress=progress)
    pages = solution.pages if widths is None else split_wide_pages(solution.pages, costs, widths[placed], kept)
    pages = sorted(pages, key=lambda page: min(placed[row] for row in page))
    arrangement = _arrangement(pages, ids, costs, previous, shift_px or {})
    arrangement = replace(arrangement, set_aside=tuple(shred.id for shred in shreds if shred.id not in on_pages))
    joins = JoinTable.of(ids, costs, arrangement).joins(arrangement, frozenset(shreds[index].id for index in mute))
    seconds = {"solve": time.perf_counter() - start}
    logger.info("%d shreds are on %d pages, gap %.2g: %.1f s", len(ids), len(pages), solution.gap, seconds["solve"])
    return Arranged(arrangement, joins, solution.optimal, solution.gap, seconds)


def _arrangement(
    pages: Sequence[Sequence[int]], ids: Sequence[str], costs: Costs, previous: Arrangement, by_hand: Mapping[Pair, int]
) -> Arrangement:
    """Replace an earlier order by what the solver found; decisions about joins, turns and notes stay."""
    named = tuple(tuple(ids[row] for row in page) for page in pages)
    found_px = {(ids[i], ids[j]): int(costs.shift_px[i, j]) for page in pages for i, j in pairwise(page)}
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
        As `core.matching.encoder.Encoder.load` does.
    """
    start = time.perf_counter()
    places.keep_libraries_apart()
    with gentle_import():
        from core.matching.encoder import Encoder

    encoder = Encoder.load(weights)
    logger.info("The encoder is loaded: %.1f s", time.perf_counter() - start)
    return encoder
