"""Give Rejoin thousands of broken and hostile inputs: ``python -m tests.fuzz --seed N --count M``."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from tests.fuzz.kinds import KINDS, one
from tests.fuzz.trial import Tried


def tried(kinds: Sequence[str], seed: int, count: int) -> Iterator[Tried]:
    """Do all tries; one that takes its process along is a fault like any other."""
    pool = None
    try:
        for kind in kinds:
            for number in range(count):
                pool = pool or ProcessPoolExecutor(1, get_context("spawn"))
                try:
                    yield pool.submit(one, kind, seed, number).result()
                except BrokenProcessPool:
                    pool = None
                    yield Tried(kind, number, "wrong", 0.0, 0.0, "the process died, or did not come to an end")
    finally:
        if pool is not None:
            pool.shutdown()


def main(arguments: Sequence[str] | None = None) -> int:
    """Give Rejoin broken and hostile inputs, and count what comes of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed makes others (default: 0)")
    parser.add_argument("--count", type=int, default=10, metavar="M", help="tries of each kind (default: 10)")
    parser.add_argument("--kinds", default="", metavar="TEXT", help="only kinds in whose names this text stands")
    given = parser.parse_args(arguments)
    kinds = [kind for kind in KINDS if given.kinds.lower() in kind.lower()]
    outcomes: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    seconds, megabytes, n_wrong = dict.fromkeys(kinds, 0.0), dict.fromkeys(kinds, 0.0), 0
    for result in tried(kinds, given.seed, given.count):
        outcomes[result.kind][result.outcome] += 1
        seconds[result.kind] = max(seconds[result.kind], result.seconds)
        megabytes[result.kind] = max(megabytes[result.kind], result.megabytes)
        if result.fault:
            n_wrong += 1
            print(f"{result.kind}, seed {given.seed}, number {result.number}:\n{result.fault}\n", file=sys.stderr)
    print(f"{'kind':40}{'tried':>6}  {'slowest':>8}  {'memory':>7}  outcome")
    for kind in kinds:
        what = ", ".join(f"{outcome} {n}" for outcome, n in sorted(outcomes[kind].items()))
        n = outcomes[kind].total()
        print(f"{kind:40}{n:6}  {seconds[kind]:6.2f} s  {max(0, megabytes[kind]):4.0f} MB  {what}")
    total = sum(counter.total() for counter in outcomes.values())
    print(f"{total} tried, {n_wrong} wrong")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
