"""Seconds a pair: the loop over pairs and shifts of the paper's published code, and Rejoin, in the same run.

    python benchmarks/bench_pairs.py [-n 3700]

The loop subtracts, squares and sums the embeddings of two borders shift by shift, pair after pair, in numpy; it is
timed on some pairs, at the size of the paper (743 rows of 128, 7 shifts) and of Rejoin. Rejoin prices all pairs by
ink; of more than some thousand shreds it finds the best 64 of each border roughly, and prices these exactly. What both
priced is compared. Embeddings are drawn here: lines of print, of which each bears other ink.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.arrays import Floats
from core.embedding.geometry import STRIDE_PX
from core.matching.pricing import Marks
from core.options import CostOptions

PAPER = (743, 128, 3)
OWN = (825, 32, CostOptions().max_shift_rows)
LINE_ROWS, X_HEIGHT_ROWS = 12, 7
N_LOOPED = 2000
N_ALL = 1000
"""All pairs of so many shreds are priced exactly."""


def draw_embeddings(n: int, n_rows: int, d: int, rng: np.random.Generator) -> Floats:
    """Draw embeddings of lines of print, (n, n_rows, d); blank rows are 0."""
    embeddings = rng.standard_normal((n, n_rows, d), dtype=np.float32)
    printed = (np.arange(n_rows) + rng.integers(LINE_ROWS, size=n)[:, None]) % LINE_ROWS < X_HEIGHT_ROWS
    embeddings *= printed[..., None]
    return embeddings


def loop(right: Floats, left: Floats, max_shift: int, pairs: Iterable[tuple[int, int]]) -> list[tuple[float, int]]:
    """Price pairs one after the other; returns the cost and the shift in rows of each."""
    n_rows = right.shape[1] - max_shift
    found = []
    for i, j in pairs:
        best = np.inf, 0
        for shift in range(-max_shift, max_shift + 1):
            a, b = max(0, shift), max(0, -shift)
            distance = float(np.sum((left[j, b : b + n_rows] - right[i, a : a + n_rows]) ** 2))
            best = min(best, (distance, shift))
        found.append(best)
    return found


def timed(name: str, n_pairs: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Print how long some work takes a pair, by the clock and of the processors; returns the clock's seconds a pair."""
    clock, processors = time.perf_counter(), time.process_time()
    found = work()
    seconds, busy = (
        (now - begun) / n_pairs for now, begun in ((time.perf_counter(), clock), (time.process_time(), processors))
    )
    print(f"{name:44}{seconds:12.2e}{busy:12.2e}", flush=True)
    return seconds, found


def timed_loop(name: str, size: tuple[int, int, int], rng: np.random.Generator) -> float:
    """Time the loop at embeddings of (n_rows, d), and a largest shift."""
    n_rows, d, max_shift = size
    right, left = (draw_embeddings(64, n_rows, d, rng) for _ in range(2))
    pairs = rng.integers(64, size=(N_LOOPED, 2)).tolist()
    return timed(f"the loop, {name}", N_LOOPED, lambda: loop(right, left, max_shift, pairs))[0]


def main() -> None:
    """Print the seconds a pair, and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=3700, help="how many shreds")
    n = parser.parse_args().n
    n_exact = min(n, N_ALL)
    from core.matching.ink import Ink
    from core.matching.many import best_of_many

    rng = np.random.default_rng(0)
    n_rows, d, max_shift = OWN
    right, left = (draw_embeddings(n, n_rows, d, rng) for _ in range(2))
    blank = np.zeros(d, dtype=np.float32)

    def priced_exactly(n_shreds: int) -> list[Any]:
        return list(Ink(right[:n_shreds], left[:n_shreds], blank, blank, max_shift).tiles())

    def best() -> dict[str, Any]:
        return best_of_many(Ink(right, left, blank, blank, max_shift), Marks(None, None, 0.0, None), max_shift)

    priced_exactly(64)  # compiled before the clock runs
    print(f"{'seconds a pair':44}{'clock':>12}{'processors':>12}")
    loops = [timed_loop("743 rows of 128, 7 shifts", PAPER, rng), timed_loop("as large as Rejoin's", OWN, rng)]
    exact, tiles = timed(f"Rejoin, all pairs of {n_exact} exactly", n_exact**2, lambda: priced_exactly(n_exact))
    many, found = timed(f"Rejoin, the best pairs of {n}", n**2, best)
    for name, seconds in ((f"all pairs of {n_exact}", exact), (f"the best of {n}", many)):
        print(f"{name}: the loops take {loops[0] / seconds:.0f} and {loops[1] / seconds:.0f} times as long")
    print(f"largest difference {differ(found, tiles, right, left, max_shift):.1e} of a cost; shifts are the same")


def differ(found: dict[str, Any], tiles: list[Any], right: Floats, left: Floats, max_shift: int) -> float:
    """Compare some of both prices with the loop's; raises AssertionError if a shift is another."""
    some = np.linspace(0, len(found["ink"]) - 1, 64, dtype=np.intp)
    pairs = [(int(found["left"][k]), int(found["right"][k])) for k in some]
    priced = [(float(found["ink"][k]), int(found["shift_px"][k])) for k in some]
    _, _, cost, shift_px = tiles[0]
    pairs += [(0, 1), (1, 2), (2, 0)]
    priced += [(float(cost[pair]), int(shift_px[pair])) for pair in pairs[-3:]]
    again = loop(right, left, max_shift, pairs)
    assert [px for _, px in priced] == [STRIDE_PX * rows for _, rows in again]
    return max(abs(one - other) / other for (one, _), (other, _) in zip(priced, again, strict=True))


if __name__ == "__main__":
    main()
