"""Time of reading, embedding and pricing with and without workers, in turn.

    python benchmarks/bench_cluster.py FOLDER… [--workers N N…] [--rounds N]

Prints, of each round and each number of workers, how long starting, reading the sheets, embedding (which loads the
encoder in every worker) and pricing took by the clock, and the processors' time of this process and its workers. At the
end: whether all came to the same costs, the median of the whole without starting, each number of workers against the
first, and how many cores there are. 0 is no workers at all; one worker of one core is that of `taskset -c 0 …`.
"""

import argparse
import hashlib
import statistics
import time
from pathlib import Path

import numpy as np
import psutil  # comes with Dask

from core.cluster.start import workers_of
from core.comparison import compare
from core.embedded import embed
from core.options import Options
from core.parallel import n_cores
from core.pipeline import load_encoder
from core.shreds.detect import find_shreds
from core.system.places import weights_path


def busy_s() -> float:
    """Return the processors' time of this process, and of those below it, whether they go on or have ended."""
    process = psutil.Process()
    return sum(sum(each.cpu_times()[:4]) for each in (process, *process.children(recursive=True)))


def measured(folders: list[Path], n_workers: int) -> tuple[float, str]:
    """Print one round; return its seconds without starting, and a hash of the costs."""
    options, encoder = Options(), load_encoder(weights_path())
    begun, busy = time.perf_counter(), busy_s()
    with workers_of(n_workers or None, None) as workers:
        times = [time.perf_counter()]
        shreds = find_shreds(folders, options, workers=workers).shreds
        times.append(time.perf_counter())
        embedded = embed(shreds, encoder, options, workers=workers)
        times.append(time.perf_counter())
        costs = compare(embedded, options, workers=workers).costs
        times.append(time.perf_counter())
    digest = hashlib.sha256()
    for array in (costs.left, costs.right, costs.cost, costs.shift_px):
        digest.update(np.ascontiguousarray(array).data)
    stages = "".join(f"{stage:9.1f}" for stage in (times[0] - begun, *np.diff(times)))
    print(f"{n_workers:8}{len(shreds):8}{stages}{busy_s() - busy:9.1f}", flush=True)
    return times[-1] - times[0], digest.hexdigest()


def main() -> None:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--workers", type=int, nargs="+", default=[0, 4], metavar="N")
    parser.add_argument("--rounds", type=int, default=2, metavar="N")
    arguments = parser.parse_args()
    print(f"{'workers':>8}{'shreds':>8}{'start':>9}{'sheets':>9}{'embed':>9}{'price':>9}{'busy':>9}  s", flush=True)
    seconds: dict[int, list[float]] = {n_workers: [] for n_workers in arguments.workers}
    costs = set()
    for _ in range(arguments.rounds):
        for n_workers, of_these in seconds.items():
            took, digest = measured(arguments.folders, n_workers)
            of_these.append(took)
            costs.add(digest)
    print("the same costs, bit for bit: " + (costs.pop() if len(costs) == 1 else "NO"))
    first, *others = seconds
    for n_workers in others:
        times = statistics.median(seconds[n_workers]) / statistics.median(seconds[first])
        print(f"{n_workers} workers take {times:.2f} times as long as {first}; {n_cores()} cores")


if __name__ == "__main__":
    main()
