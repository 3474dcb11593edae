"""The same function over many items, in order: on all cores, or by workers, which may be other processes."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Literal, Protocol, TypeAlias, TypeVar

from core.progress import Progress, no_progress, part
from core.wording import Message

Item = TypeVar("Item")
Result = TypeVar("Result")

Same: TypeAlias = Literal["any", "networks", "all"]
"""On what threads the last bits of a task depend: on none, on those of networks, or on those of products, too."""

_OF_PRODUCTS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")

_POLL_S = 0.1

BLOCK_ROWS = 64
"""So many rows of a large array are worked on at a time by a core: of embeddings, 13 MB."""


def n_cores() -> int:
    """Count the cores this process may use: those of the system, or what PYTHON_CPU_COUNT says, as in Python itself."""
    said = os.environ.get("PYTHON_CPU_COUNT", "")
    if said.isdecimal() and int(said):
        return int(said)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def n_threads() -> tuple[int, ...]:
    """Return with how many threads this process computes: on that the last bits depend.

    Returns
    -------
    tuple of int
        Products of matrices, and networks.
    """
    cores = n_cores()
    of_blas = _number(_OF_PRODUCTS, cores)
    return of_blas, _number(("TF_NUM_INTRAOP_THREADS",), cores)


def one_thread_for_products() -> None:
    """Have each product of matrices computed on one thread, unless the environment says otherwise.

    Products are many and small, and threads of this program compute them side by side: with threads of their own they
    wait for each other longer than they compute. To be called before numpy is loaded.
    """
    if not any(os.environ.get(name) for name in _OF_PRODUCTS):
        os.environ[_OF_PRODUCTS[0]] = "1"


def _number(names: Iterable[str], otherwise: int) -> int:
    said = (os.environ.get(name, "") for name in names)
    return next((int(value) for value in said if value.isdecimal() and int(value)), otherwise)


def map_in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    text: str = "{number} of {n}",
    progress: Progress = no_progress,
    workers: int | None = None,
    among: tuple[int, int] | None = None,
    n_items: int | None = None,
) -> Iterator[Result]:
    """Apply a function that releases the interpreter lock (OpenCV, numpy, zlib) to items, on all cores.

    No more than one item per worker is taken on ahead of the consumer, so that results that are consumed and dropped
    do not pile up in memory.

    Parameters
    ----------
    function : callable
        Takes an item; must not depend on the other items.
    items : iterable
        What it is applied to.
    text : str
        Template of what is shown, "Saving shred {number} of {n}"; at the end, what stands before the number.
    progress : Progress
        Called before each item is taken; raising from it drops the items not yet begun.
    workers : int, optional
        How many items at a time; one per core, if absent.
    among : tuple of int, optional
        How many items there are before these, and in all, where these are only some.
    n_items : int, optional
        How many these are, if they do not tell.

    Yields
    ------
    object
        The results, in the order of the items. An exception of `function` is raised at its place.

    Examples
    --------
    >>> list(map_in_order(len, ["one", "three"]))
    [3, 5]
    """
    n = n_items if n_items is not None else len(items)  # type: ignore[arg-type]  # who does not say has a sequence
    rest, workers = iter(items), workers or n_cores()
    before, n_all = among or (0, n)
    with ThreadPoolExecutor(max_workers=workers) as pool:
        ahead = [pool.submit(function, item) for item in islice(rest, workers)]
        try:
            for index in range(n):
                progress(index / n, Message(text, number=before + index + 1, n=n_all))
                result = ahead.pop(0).result()
                ahead += [pool.submit(function, item) for item in islice(rest, 1)]
                yield result
        finally:
            for future in ahead:
                future.cancel()
    progress(1.0, text.partition("{number}")[0].strip())


def in_blocks(
    work: Callable[[slice], None],
    n: int,
    text: str,
    progress: Progress = no_progress,
    after_each: Callable[[], None] = lambda: None,
    size: int = BLOCK_ROWS,
) -> None:
    """Work on the rows of an array block by block, on all cores: few enough rows that all find room in memory.

    Parameters
    ----------
    work : callable
        Takes some rows, and fills in what belongs to these alone.
    n : int
        How many rows there are.
    text : str
        Shown meanwhile.
    progress : Progress
        Called before each block.
    after_each : callable
        Called when a block is done: lets the system take back memory, say.
    size : int
        How many rows are worked on at a time.
    """
    for _ in map_in_order(work, [slice(start, start + size) for start in range(0, n, size)], text, progress):
        after_each()


class Workers(Protocol):
    """Who does tasks: functions that depend on nothing but what they are given, and change nothing.

    Attributes
    ----------
    elsewhere : bool
        Whether tasks leave this process: then they are small enough that all have some, and their items can be pickled.
    near : bool
        Whether they are other processes of this very machine, with its cores: they can be lent files of this one, and
        what this process does side by side as well need not be sent to them.
    """

    elsewhere: bool
    near: bool

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
        """Apply a function to items; what comes out is the same, bit for bit, whoever does it on machines of one kind.

        Parameters
        ----------
        function : callable
            Of a module, so that others find it; takes an item and a callback of progress.
        items : iterable
            Asked for one after the other, a few ahead of what is done.
        n_items : int
            How many there are.
        text : str
            Shown meanwhile.
        progress : Progress
            Raising from it drops the items that are not done.
        same : {"any", "networks", "all"}
            On which threads' number the last bits depend: then only who has as many as this process does it.

        Yields
        ------
        object
            The results, in the order of the items. An exception of `function` is raised at its place.
        """


class Here:
    """Does tasks in this process, one after the other: they divide among the cores what they do themselves.

    Those that compute products, where these have one thread each, are done side by side.
    """

    elsewhere = near = False

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
        """See `Workers`; tasks report what they do themselves."""
        if same == "all" and n_threads()[0] == 1:
            yield from map_in_order(lambda item: function(item, no_progress), items, text, progress, n_items=n_items)
            return
        for number, item in enumerate(items):
            yield function(item, part(progress, number / n_items, (number + 1) / n_items))


HERE = Here()


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
