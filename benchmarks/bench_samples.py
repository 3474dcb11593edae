"""How long the sample inspector takes to answer: the nearest samples, and the map of a height.

Embeddings are drawn by chance, 400 samples with ink on each border, as on a page of print; how they lie does not change
how long looking takes.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.inspection.neighbours import nearest
from core.inspection.sample_index import BorderSamples, SampleIndex
from core.inspection.sample_plane import map_height
from core.inspection.sample_view import MAX_NEIGHBOURS
from core.inspection.samples import Sample
from core.shreds.shred import Shred

SAMPLES_PER_BORDER = 400
N_ROWS = 760
DIMENSION = 32
N_TRIES = 20


def drawn_index(n_shreds: int, rng: np.random.Generator) -> SampleIndex:
    """Make the index of shreds that bear print."""
    nothing = np.zeros((1, 1), dtype=np.bool_)
    outline = np.zeros((0, 2), dtype=np.float32)
    pixels = np.zeros((1, 1, 3), dtype=np.uint8)
    shreds = [
        Shred(f"1-{n:04}", 0, (0, 0, 1, 1), outline, 0.0, pixels, nothing, 0, blank=False) for n in range(n_shreds)
    ]

    def border_samples() -> BorderSamples:
        rows = [np.sort(rng.choice(N_ROWS, SAMPLES_PER_BORDER, replace=False)) for _ in shreds]
        vectors = [rng.normal(size=(SAMPLES_PER_BORDER, DIMENSION)).astype(np.float32) for _ in shreds]
        return BorderSamples.of(vectors, rows)

    return SampleIndex(tuple(shreds), (0, 4 * N_ROWS), border_samples(), border_samples())


def median_ms(work: Callable[[Sample], object], samples: list[Sample]) -> float:
    """Give the median time of some work on samples."""
    seconds = []
    for sample in samples:
        start = time.perf_counter()
        work(sample)
        seconds.append(time.perf_counter() - start)
    return 1000 * float(np.median(seconds))


def main() -> None:
    """Print a line for each number of shreds."""
    rng = np.random.default_rng(1)
    for n_shreds in (500, 5000):
        index = drawn_index(n_shreds, rng)
        chosen = rng.choice(n_shreds, N_TRIES, replace=False)
        samples = [Sample(index.shreds[n].id, "right", int(index.right.slice(n)[0][200])) for n in chosen]
        nearest_ms = median_ms(lambda sample, index=index: nearest(index, sample, MAX_NEIGHBOURS), samples)
        map_ms = median_ms(lambda sample, index=index: map_height(index, sample.row), samples)
        print(
            f"{n_shreds:,} shreds: {MAX_NEIGHBOURS} nearest samples in {nearest_ms:.0f} ms, the map in {map_ms:.0f} ms"
        )


if __name__ == "__main__":
    main()
