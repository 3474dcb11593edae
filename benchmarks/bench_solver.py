"""How fast and how good the solver is.

    python benchmarks/bench_solver.py [COSTS.npz…] [--pages N] [--strips N] [--seconds S] [--sack N…] [--arrange N…]

A file holds the arrays cost, to_blank, from_blank and the number n_pages. Without files: pages of text drawn here and
cut in software, 50 pages of 46 strips. Prints a table: shreds, pages, joins whose right shred is the cheapest (only for
what was cut here), seconds to the first order and its gap, seconds to the end, gap, and whether the order is optimal.

--sack: as many shreds as are given, of pages of 30, in both poses, with 64 candidates for each border and the true one
mostly the cheapest. Prints a table: poses, joins, seconds to the order on as many pages as are cheapest, its gap, the
same on as many as there are, the longest time without a report, and the most memory that was used.

--arrange: the same shreds from their costs to pages as wide as paper, as a case does. Prints a table: shreds; seconds
of the processor for the row of all shreds, for their order on so many pages, and all in all; by the clock; pages;
gap, 0 where it is proved; how many of the true joins were found; the rest as above.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import gaussian_filter1d

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.matching.costs import Costs
from core.options import Options, SolverOptions
from core.pipeline import arrange
from core.shreds.shred import Shred
from core.solver import order
from core.solver.solver import solve

PAGE_SIZE_PX = (2480, 3508)
BORDER_PX = 2
SHREDS_ON_A_PAGE = 30
N_CANDIDATES = 64
ROWS_PER_VALUE = 2
SYLLABLES = tuple("ar be con de en fi gra hi in ka lo men nor os per qui re sta ti un ver wal".split())  # noqa: SIM905


def draw_page(rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw a page of paragraphs in one type size; ink is 1."""
    width, height = PAGE_SIZE_PX
    page = Image.new("L", PAGE_SIZE_PX, 0)
    draw = ImageDraw.Draw(page)
    size = int(rng.integers(34, 60))
    font = ImageFont.load_default(size)
    margin, y = int(rng.integers(150, 350)), int(rng.integers(150, 500))
    bottom = height - int(rng.integers(150, 1200))
    while y < bottom:
        for _ in range(int(rng.integers(2, 9))):
            end = width - margin - int(rng.exponential(150))
            x = float(margin)
            while x < end and y < bottom:
                word = "".join(rng.choice(SYLLABLES, rng.integers(1, 5)))
                draw.text((x, y), word, fill=255, font=font)
                x += font.getlength(word + " ")
            y += int(1.4 * size)
        y += size
    return np.asarray(page, dtype=np.float32) / 255


def read_border(columns: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Describe a border by where it has ink; a blank one is all zeros."""
    worn = columns.max(axis=1) * (rng.random(len(columns)) > 0.05)
    values = gaussian_filter1d(worn, 1.5)[::ROWS_PER_VALUE]
    return values / np.sqrt((values**2).sum() + 4)


def cut_in_software(n_pages: int, n_strips: int) -> tuple[Costs, int]:
    """Cut pages into strips; costs are distances between borders."""
    rng = np.random.default_rng(0)
    left, right = [], []
    for _ in range(n_pages):
        for strip in np.array_split(draw_page(rng), n_strips, axis=1):
            left.append(read_border(strip[:, :BORDER_PX], rng))
            right.append(read_border(strip[:, -BORDER_PX:], rng))
    lefts, rights = np.array(left), np.array(right)
    left_size, right_size = (lefts**2).sum(axis=1), (rights**2).sum(axis=1)
    squared = right_size[:, None] + left_size[None, :] - 2 * rights @ lefts.T
    cost = np.sqrt(np.maximum(squared, 0)).astype(np.float32)
    np.fill_diagonal(cost, np.inf)
    no_shift = np.zeros(cost.shape, dtype=np.int16)
    to_blank, from_blank = (np.sqrt(size).astype(np.float32) for size in (right_size, left_size))
    found = np.mean(cost.argmin(axis=1)[:-1] == np.arange(1, len(cost)))
    print(f"cut in software: the cheapest right neighbour is the true one for {100 * found:.0f} % of the strips")
    return Costs.of_all(cost, no_shift, to_blank, from_blank), n_pages


def read_file(path: Path) -> tuple[Costs, int]:
    """Read costs that were saved."""
    with np.load(path) as saved:
        cost = saved["cost"]
        no_shift = np.zeros(cost.shape, dtype=np.int16)
        return Costs.of_all(cost, no_shift, saved["to_blank"], saved["from_blank"]), int(saved["n_pages"])


def measure(name: str, costs: Costs, n_pages: int, seconds: float) -> None:
    """Solve twice, without and with a proof, and print a line."""
    start = time.perf_counter()
    first = solve(costs, SolverOptions(n_pages=n_pages, time_limit_s=0))
    first_s = time.perf_counter() - start
    start = time.perf_counter()
    best = solve(costs, SolverOptions(n_pages=n_pages, time_limit_s=seconds))
    best_s = time.perf_counter() - start
    print(
        f"{name:24} {costs.n:6} {n_pages:6} {first_s:8.2f} {100 * first.gap:10.4f} "
        f"{best_s:8.2f} {100 * best.gap:10.6f} {'yes' if best.optimal else 'no':>8}",
        flush=True,
    )


def draw_sack(n: int) -> Costs:
    """Draw costs of both poses of n shreds, distributed as those of 1,632 real ones are, in units of the temperature.

    One in twelve true joins is dearer than the cheapest stranger. Every tenth shred lies upside down, and print says so
    of most.
    """
    rng = np.random.default_rng(0)
    poses = 2 * n
    left, right = np.repeat(np.arange(poses), N_CANDIDATES), rng.integers(0, poses, poses * N_CANDIDATES)
    strangers = 80 + 19 * rng.random(len(left)) ** 0.4
    lies = np.where(rng.random(n) < 0.1, n, 0)
    true = np.flatnonzero(np.arange(1, n) % SHREDS_ON_A_PAGE)
    cost = np.concatenate([strangers, np.maximum(5.0, rng.normal(62, 16, len(true)))])
    upright = np.arange(n) + lies
    left, right = np.concatenate([left, upright[true]]), np.concatenate([right, upright[true + 1]])
    # A join costs what it costs upside down, and each is listed once, as cheap as it was drawn.
    left, right = np.concatenate([left, (right + n) % poses]), np.concatenate([right, (left + n) % poses])
    cost = np.tile(cost, 2)
    order = np.lexsort((cost, right, left))
    kept = order[(left % n != right % n)[order]]
    kept = kept[np.diff(left[kept] * poses + right[kept], prepend=-1) > 0]
    margins = rng.normal(97, 4, (2, n))
    margins[0, ::SHREDS_ON_A_PAGE] = rng.normal(70, 10, len(margins[0, ::SHREDS_ON_A_PAGE]))
    margins[1, SHREDS_ON_A_PAGE - 1 :: SHREDS_ON_A_PAGE] = rng.normal(70, 10, n // SHREDS_ON_A_PAGE)
    begin, end = np.where(lies, margins[::-1], margins)
    to_blank, from_blank = (np.concatenate(both).astype(np.float32) for both in ((end, begin), (begin, end)))
    odds = np.clip(2.3 + rng.normal(5, 2.5, n) * np.where(lies, -1, 1), -3.3, 7.9)
    joins = left[kept].astype(np.int32), right[kept].astype(np.int32), cost[kept].astype(np.float32)
    no_shift, both_odds = np.zeros(len(kept), dtype=np.int16), np.concatenate([odds, -odds]).astype(np.float32)
    return Costs(*joins, no_shift, to_blank, from_blank, 1.0, upright=both_odds)


def measure_sack(n: int, seconds: float) -> None:
    """Solve a sack of shreds, with a free number of pages and a given one, and print a line."""
    costs, n_pages = draw_sack(n), 2 * -(-n // SHREDS_ON_A_PAGE)
    reports = [time.perf_counter()]
    line, longest_s = f"{costs.n:8} {len(costs.cost):10}", 0.0
    for number in (None, n_pages):
        start = time.perf_counter()
        reports[:] = [start]
        options = SolverOptions(n_pages=number, time_limit_s=seconds)
        solution = solve(costs, options, progress=lambda *_: reports.append(time.perf_counter()))
        line += f" {time.perf_counter() - start:8.1f} {100 * solution.gap:10.6f}"
        longest_s = max(longest_s, float(np.diff(reports).max()))
    print(f"{line} {longest_s:8.2f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:9.0f}", flush=True)


def timed(function: Callable[..., Any], seconds: list[float]) -> Callable[..., Any]:
    """Return a function that notes how long the processor was busy with it each time."""

    def call(*given: Any) -> Any:
        start = time.process_time()
        result = function(*given)
        seconds.append(time.process_time() - start)
        return result

    return call


def measure_arranging(n: int, seconds: float) -> None:
    """Arrange a sack of shreds, and print a line."""
    costs, none, rows = draw_sack(n), np.zeros((0, 2), dtype=np.float32), 10
    # As wide as it takes for a page and a bit.
    mask = np.ones((rows, 2480 // SHREDS_ON_A_PAGE - 8), dtype=np.bool_)
    pixels = np.zeros((*mask.shape, 3), dtype=np.uint8)
    names = [f"1-{number:05d}" for number in range(n)]
    shreds = [Shred(name, 0, (0, 0, 1, rows), none, 0.0, pixels, mask, 0, blank=False) for name in names]
    solved: list[float] = []
    order.solve_both_ways = timed(order.solve_both_ways, solved)
    reports, busy = [time.perf_counter()], time.process_time()
    found = arrange(
        shreds,
        costs,
        Options(solver=SolverOptions(time_limit_s=seconds)),
        progress=lambda *_: reports.append(time.perf_counter()),
    )
    busy, clock = time.process_time() - busy, time.perf_counter() - reports[0]
    number = {name: at for at, name in enumerate(names)}
    joins = {frozenset((number[one], number[other])) for one, other in found.arrangement.joins()}
    true = [frozenset((at, at + 1)) for at in range(n - 1) if (at + 1) % SHREDS_ON_A_PAGE]
    print(
        f"{n:8} {solved[0]:8.1f} {solved[1]:8.1f} {busy:8.1f} {clock:8.1f} {len(found.arrangement.pages):6} "
        f"{100 * found.gap:8.4f} {100 * sum(join in joins for join in true) / len(true):7.2f} "
        f"{float(np.diff(reports).max()):8.2f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:9.0f}",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="COSTS.npz")
    parser.add_argument("--pages", type=int, default=50, help="pages to draw, without files")
    parser.add_argument("--strips", type=int, default=46, help="strips per page, without files")
    parser.add_argument("--seconds", type=float, default=10.0, help="time for the proof")
    parser.add_argument("--sack", type=int, nargs="+", default=[], metavar="N", help="shreds of many pages at once")
    parser.add_argument("--arrange", type=int, nargs="+", default=[], metavar="N", help="the same, to whole pages")
    given = parser.parse_args()
    if given.arrange:
        print(
            f"{'shreds':>8} {'row':>8} {'order':>8} {'busy s':>8} {'s':>8} {'pages':>6} {'gap %':>8} {'right %':>7} "
            f"{'silent s':>8} {'MB':>9}"
        )
        for n in given.arrange:
            measure_arranging(n, given.seconds)
        return
    if given.sack:
        print(f"{'poses':>8} {'joins':>10} {'s':>8} {'gap %':>10} {'s':>8} {'gap %':>10} {'silent s':>8} {'MB':>9}")
        for n in given.sack:
            measure_sack(n, given.seconds)
        return
    instances = [(path.stem, *read_file(path)) for path in given.files]
    if not instances:
        instances = [("cut in software", *cut_in_software(given.pages, given.strips))]
    print(f"{'':24} {'shreds':>6} {'pages':>6} {'first s':>8} {'gap %':>10} {'end s':>8} {'gap %':>10} {'optimal':>8}")
    for name, costs, n_pages in instances:
        measure(name, costs, n_pages, given.seconds)


if __name__ == "__main__":
    main()
