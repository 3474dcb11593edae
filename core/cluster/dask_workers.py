"""Tasks given to the workers of a Dask cluster: a few ahead of what is asked for, again where one takes too long."""

import logging
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

from core.errors import RejoinError, UsageError
from core.parallel import HERE, Same, Workers, n_threads
from core.progress import Progress, no_progress
from core.system.places import keep_libraries_apart
from core.system.trays import LARGE_BYTES, Laid, Place, Tray, lay, take
from core.system.versions import program

logger = logging.getLogger(__name__)

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""Tasks that are given out at a time, for each worker: one that it does, and one for whoever is ready first."""

PATIENCE_S, PATIENCE = 5.0, 2.0
"""A task that holds the rest is given to another worker, too, after so many seconds, and so many times the longest."""

ALONE_S = 60.0
"""So long a cluster may be without any worker."""

COUNTED_EVERY_S = 0.5
"""Workers that come later have tasks after so long at most."""

_POLL_S = 0.1


@dataclass
class _Given:
    """A task that was given out, perhaps twice; where it is large, on trays of their own lie it and each result."""

    laid: Any
    trays: list[Tray]
    futures: list[Any] = field(default_factory=list)


class DaskWorkers(Workers):
    """Gives tasks to the workers of a cluster; a task whose worker dies is done by another.

    Parameters
    ----------
    client : distributed.Client
        Connected.
    threads : tuple of int
        `n_threads` of this process.
    near : bool
        See `core.parallel.Workers`.
    """

    elsewhere = True

    def __init__(self, client: Any, threads: tuple[int, ...], *, near: bool = False) -> None:
        self._client, self._threads, self.near = client, threads, near
        self._longest_s = 0.0
        self._n_given = 0
        self._counted = (0.0, 0)  # when, and how many workers there were

    def map(
        self,
        function: Callable[[Item, Progress], Result],
        items: Iterable[Item],
        n_items: int,
        text: str,
        progress: Progress = no_progress,
        *,
        same: Same = "any",
    ) -> Iterator[Result]:
        """See `core.parallel.Workers`."""
        hosts = None if same == "any" else self._alike(same)
        if hosts == []:
            yield from HERE.map(function, items, n_items, text, progress, same=same)
            return
        rest = iter(items)
        given: deque[_Given] = deque()
        try:
            for number in range(n_items):
                for item in _first(rest, AHEAD * self._n_workers() - len(given)):
                    given.append(self._made_ready(function, item))
                    self._give(given[-1], hosts)
                yield self._outcome(given, hosts, partial(progress, number / n_items, text))
                given.popleft()
        finally:
            self._drop([future for task in given for future in task.futures])
        progress(1.0, text)

    def _n_workers(self) -> int:
        """Count the workers; asking the scheduler takes as long as some tasks do."""
        now = time.monotonic()
        if now - self._counted[0] > COUNTED_EVERY_S:
            self._counted = now, len(self._client.scheduler_info(n_workers=-1)["workers"])
        return max(1, self._counted[1])

    def _alike(self, same: Same) -> list[str]:
        """List the machines whose workers all compute with as many threads as this process does."""
        threads = self._client.run(n_threads)
        compared = slice(1 if same == "networks" else 0, None)
        unlike = {_host(address) for address, n in threads.items() if n[compared] != self._threads[compared]}
        alike = sorted({_host(address) for address in threads} - unlike)
        logger.info("Tasks of so many threads as here are for %d machines, not for %d", len(alike), len(unlike))
        return alike

    def _made_ready(self, function: Callable[[Item, Progress], Result], item: Item) -> _Given:
        pickled = pickle.dumps((function, item), protocol=pickle.HIGHEST_PROTOCOL)
        tray = Tray(shared=self.near and len(pickled) >= LARGE_BYTES)
        return _Given(lay(np.frombuffer(pickled, np.uint8), tray.place), [tray])

    def _give(self, task: _Given, workers: list[str] | None) -> None:
        self._n_given += 1
        key = f"rejoin-{self._n_given}"
        task.trays.append(Tray(shared=isinstance(task.laid, Laid)))
        asked = program(), task.laid, task.trays[-1].place
        task.futures.append(self._client.submit(do, *asked, key=key, pure=False, workers=workers))

    def _give_once_more(self, task: _Given, hosts: list[str] | None) -> None:
        """Give a task that holds all others to one of the workers that do not have it."""
        have = task.futures[0].key
        others = [worker for worker, keys in self._client.processing().items() if have not in keys]
        others = [worker for worker in others if hosts is None or _host(worker) in hosts]
        if others:
            logger.info("A task holds all others, and is given to one more worker")
            self._give(task, others)

    def _outcome(self, given: deque[_Given], hosts: list[str] | None, report: Callable[[], None]) -> Any:
        """Wait for the first task that was given out; give it to one more worker if it holds all others."""
        from distributed import CancelledError, KilledWorker, wait

        task, alone_since, workers_at = given[0], None, time.monotonic()
        while True:
            report()
            done = [future for future in task.futures if future.done()]
            if done:
                break
            try:
                with self._client.as_current():
                    wait(task.futures, timeout=_POLL_S, return_when="FIRST_COMPLETED")
            except TimeoutError:
                now = time.monotonic()
                workers_at = now if self._client.scheduler_info(n_workers=1)["workers"] else workers_at
                if now - workers_at > ALONE_S:
                    raise RejoinError(f"No worker is left at {self._client.scheduler.address}. Start some.") from None
                waits = all(any(future.done() for future in other.futures) for other in list(given)[1:])
                alone_since = (alone_since or now) if waits else None
                if alone_since and len(task.futures) == 1 and now - alone_since > self._patience_s():
                    self._give_once_more(task, hosts)
        try:
            seconds, result = done[0].result()
        except KilledWorker as error:
            raise RejoinError(
                "Several workers ended over the same task; the memory of their machines may not suffice for it. "
                "Start fewer workers on a machine."
            ) from error
        except (CancelledError, OSError) as error:
            raise RejoinError(f"The cluster at {self._client.scheduler.address} does not answer any more.") from error
        self._longest_s = max(self._longest_s, seconds)
        self._drop([future for future in task.futures if future is not done[0]])
        return take(result)

    def _drop(self, futures: list[Any]) -> None:
        if futures:
            self._client.cancel(futures, force=True)

    def _patience_s(self) -> float:
        return PATIENCE_S + PATIENCE * self._longest_s


def do(expected: str, laid: Any, tray: Place | None) -> tuple[float, Any]:
    """Do a task, in a worker.

    Parameters
    ----------
    expected : str
        `core.system.versions.program` of who asks.
    laid : ndarray of uint8, or what `core.system.trays.lay` made of it
        The function and its item, pickled.
    tray : Place or None
        On which the result is laid.

    Returns
    -------
    seconds : float
        That it took.
    result : object
        What `core.system.trays.take` is to be given.

    Raises
    ------
    UsageError
        If another program, or other libraries, would do it.
    """
    start = time.perf_counter()
    if program() != expected:
        raise UsageError(
            "A worker runs another version of Rejoin, or of a library it computes with, than this command. "
            "Install the same on all machines, and start the workers again."
        )
    keep_libraries_apart()
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    function, item = pickle.loads(take(laid))
    result = lay(function(item, no_progress), tray)
    return time.perf_counter() - start, result


def _first(items: Iterator[Item], n: int) -> Iterator[Item]:
    """Take as many of the next items as there are, n at most."""
    for _, item in zip(range(n), items, strict=False):
        yield item


def _host(address: str) -> str:
    return urlsplit(address).hostname or address
