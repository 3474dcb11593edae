"""The same function over many items, on all cores, in order."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from core.progress import Progress, no_progress
from core.wording import Message

Item = TypeVar("Item")
Result = TypeVar("Result")

_POLL_S = 0.1


def n_cores() -> int:
    """Count the cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_order(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    text: str = "{number} of {n}",
    progress: Progress = no_progress,
    workers: int | None = None,
    among: tuple[int, int] | None = None,
) -> Iterator[Result]:
    """Apply a function that releases the interpreter lock (OpenCV, numpy, zlib) to items, on all cores.

    No more than one item per worker is taken on ahead of the consumer, so that results that are consumed and dropped
    do not pile up in memory.

    Parameters
    ----------
    function : callable
        Takes an item; must not depend on the other items.
    items : sequence
        What it is applied to.
    text : str
        Template of what is shown, "Saving shred {number} of {n}"; at the end, what stands before the number.
    progress : Progress
        Called before each item is taken; raising from it drops the items not yet begun.
    workers : int, optional
        How many items at a time; one per core, if absent.
    among : tuple of int, optional
        How many items there are before these, and in all, where these are only some.

    Yields
    ------
    object
        The results, in the order of the items. An exception of `function` is raised at its place.

    Examples
    --------
    >>> list(map_in_order(len, ["one", "three"]))
    [3, 5]
    """
    n, workers = len(items), workers or n_cores()
    before, n_all = among or (0, n)
    with ThreadPoolExecutor(max_workers=workers) as pool:
        ahead = [pool.submit(function, item) for item in items[:workers]]
        try:
            for index in range(n):
                progress(index / n, Message(text, number=before + index + 1, n=n_all))
                result = ahead.pop(0).result()
                if index + workers < n:
                    ahead.append(pool.submit(function, items[index + workers]))
                yield result
        finally:
            for future in ahead:
                future.cancel()
    progress(1.0, text.partition("{number}")[0].strip())


def wait_for(future: "Future[Result]", progress: Progress, text: str = "") -> Result:
    """Wait for a result, reporting ten times a second, so that Cancel acts.

    Parameters
    ----------
    future : Future
        What another thread works on.
    progress : Progress
        Called with 0 and the text; raising from it ends the waiting, not the work.
    text : str
        Shown meanwhile.

    Returns
    -------
    object
        The result; an exception of the work is raised here.
    """
    while True:
        progress(0.0, text)
        try:
            return future.result(timeout=_POLL_S)
        except TimeoutError:
            if future.done():
                raise
