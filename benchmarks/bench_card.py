"""Embedding and pricing thousands of shreds on whatever Keras computes on: a graphics card, if there is one.

    KERAS_BACKEND=jax python benchmarks/bench_card.py [-n 20480] [--both-ways]

The borders are made here: lines of print of random marks, a page long. The costs of some joins are reckoned once more
in double precision on the processor, and the largest difference is printed as a share of the typical cost. With
--both-ways candidates are found, and priced by ink, of shreds that may lie half-turned, too.
"""

import argparse
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.options import CostOptions
from core.system.places import weights_path

N_ROWS, WIDTH, LINE_PX, X_HEIGHT_PX = 3300, 32, 50, 28
N_CHECKED = 64


def lines_of_print(n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Make borders of lines of print that begin at any height, (n, rows, 32)."""
    borders = np.zeros((n, N_ROWS, WIDTH), dtype=np.bool_)
    marks = rng.random((4096, X_HEIGHT_PX // 4, WIDTH // 4)) < 0.35
    marks = np.kron(marks, np.ones((1, 4, 4), dtype=np.bool_))
    for border in borders:
        for top in range(int(rng.integers(150, 150 + LINE_PX)), N_ROWS - 300, LINE_PX):
            border[top : top + X_HEIGHT_PX] = marks[rng.integers(len(marks))]
    return borders


def main() -> None:
    """Print the seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=20_480, help="how many shreds")
    parser.add_argument("--both-ways", action="store_true", help="price shreds in both poses, too")
    given = parser.parse_args()
    n = given.n
    import keras

    from core.embedding.encoder import Encoder
    from core.matching.ink import Ink
    from core.matching.many import PER_BORDER

    rng = np.random.default_rng(0)
    start = time.perf_counter()
    right, left = lines_of_print(n, rng), lines_of_print(n, rng)
    print(f"{n} shreds made in {time.perf_counter() - start:.1f} s; Keras on {keras.backend.backend()}", flush=True)
    encoder = Encoder.load(weights_path())
    print("devices", keras.distribution.list_devices(), flush=True)
    encoder.embed(right[:8], "right"), encoder.embed(left[:8], "left")  # compiled before the clock runs
    start = time.perf_counter()
    embedded = encoder.embed(right, "right"), encoder.embed(left, "left")
    print(f"embedded in {time.perf_counter() - start:.1f} s", flush=True)
    blank = encoder.blank("right"), encoder.blank("left")
    most = CostOptions().max_shift_rows
    Ink(embedded[0][:128], embedded[1][:128], *blank, most).nearest(PER_BORDER)  # compiled
    for _ in range(2):
        start = time.perf_counter()
        found = Ink(*embedded, *blank, most).nearest(PER_BORDER)
        print(f"priced in {time.perf_counter() - start:.1f} s", flush=True)
    print(f"largest difference {differ(found, *embedded):.1e} of the typical cost", flush=True)
    if given.both_ways:
        price_both_ways(embedded, blank, most)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def price_both_ways(embedded: tuple[Any, Any], blank: tuple[Any, Any], most: int) -> None:
    """Print how long it takes to price both poses: half-turned, edges are taken to be embedded as they lie."""
    from core.matching.candidates.find import find_candidates
    from core.matching.candidates.pooled import Rough
    from core.matching.candidates.products import products_of
    from core.matching.laying import Laying
    from core.matching.poses import edges_of_poses
    from core.matching.pricing import FINE_ROWS
    from core.progress import no_progress
    from core.system.interim import NOWHERE

    right, left = embedded
    edges = edges_of_poses(embedded, (left[:, ::-1], right[:, ::-1]), blank)
    for _ in range(2):
        rough = Rough(edges, [], len(right))
        start = time.perf_counter()
        candidates = find_candidates(rough, np.zeros(len(right), np.float32), Laying(float(most), most))
        roughly = time.perf_counter() - start
        start = time.perf_counter()
        products_of(candidates, edges.right, edges.left, FINE_ROWS, no_progress, "ink", NOWHERE, edges.let_go)
        closely = time.perf_counter() - start
        print(f"both ways: {len(candidates.left)} candidates in {roughly:.1f} s, priced in {closely:.1f} s", flush=True)


def differ(found: dict[str, NDArray[Any]], right: NDArray[np.float32], left: NDArray[np.float32]) -> float:
    """Reckon the costs of some joins once more in double precision."""
    most, n_rows = CostOptions().max_shift_rows, right.shape[1]
    some = np.linspace(0, len(found["ink"]) - 1, N_CHECKED, dtype=np.intp)
    again = []
    for r, other in zip(found["left"][some], found["right"][some], strict=True):
        r_rows, l_rows = right[r].astype(np.float64), left[other].astype(np.float64)
        at = [(max(0, shift), max(0, -shift)) for shift in range(-most, most + 1)]
        again.append(min(((r_rows[a:][: n_rows - most] - l_rows[b:][: n_rows - most]) ** 2).sum() for a, b in at))
    return float(np.abs(found["ink"][some] - np.array(again)).max() / np.median(again))


if __name__ == "__main__":
    main()
