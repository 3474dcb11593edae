"""How a long function reports how far it is, and how it is stopped.

Every long function of ``core`` takes ``progress: Progress = no_progress`` last and calls it with the fraction done
and a short text: one that is marked for translation, or a `core.wording.Message`. Cancelling is the callback raising
`Cancelled`; nothing in ``core`` catches that. Pausing is the callback not returning for a while, within `halted`:
limits of time are by `working_s`, a clock that stands still meanwhile, so that a pause changes no result.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

Item = TypeVar("Item")

Progress: TypeAlias = Callable[[float, str], None]
"""Called with the fraction done (0 to 1, never falling) and a short text, "Segmenting sheet 3 of 8"."""


class Cancelled(Exception):
    """Raised out of a progress callback: the user stopped the work."""


def no_progress(fraction: float, text: str) -> None:
    """Report to nobody.

    Parameters
    ----------
    fraction : float
        Of the work that is done, 0 to 1.
    text : str
        What is at work.
    """


class _Halts(threading.local):
    """For how long the work of a thread has stood still."""

    seconds = 0.0


_HALTS = _Halts()


@contextmanager
def halted() -> Iterator[None]:
    """Let the work of this thread stand still, and its `working_s` with it.

    Yields
    ------
    None
    """
    begun = time.monotonic()
    try:
        yield
    finally:
        _HALTS.seconds += time.monotonic() - begun


def working_s() -> float:
    """Return seconds by a clock that stands still while the work of this thread is halted.

    Returns
    -------
    float
        Since an arbitrary moment.
    """
    return time.monotonic() - _HALTS.seconds


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Return the callback of a stage that has its own 0-to-1 scale within a longer task.

    Parameters
    ----------
    progress : Progress
        The callback of the whole task.
    start, stop : float
        Fractions of the whole task at which the stage begins and ends.

    Returns
    -------
    Progress
        A callback for the stage alone.

    Examples
    --------
    >>> second_half = part(lambda fraction, text: print(fraction, text), 0.5, 1.0)
    >>> second_half(0.5, "Comparing borders")
    0.75 Comparing borders
    """

    def report(fraction: float, text: str) -> None:
        progress(start + (stop - start) * fraction, text)

    return report


def in_parts(items: Sequence[Item], progress: Progress) -> Iterator[tuple[Item, Progress]]:
    """Pair each item with the callback of its own equal part of a longer task.

    Parameters
    ----------
    items : sequence
        What is worked on, one after the other.
    progress : Progress
        The callback of the whole task.

    Yields
    ------
    tuple of object and Progress
        An item, and the callback for it alone.

    Examples
    --------
    >>> for name, report in in_parts(["one", "two"], lambda fraction, text: print(fraction, text)):
    ...     report(0.5, name)
    0.25 one
    0.75 two
    """
    for number, item in enumerate(items):
        yield item, part(progress, number / len(items), (number + 1) / len(items))


class RemainingTime:
    """Estimates the time left from the speed so far; silent until that says something.

    Parameters
    ----------
    now_s : float
        By any clock that never goes back.

    Examples
    --------
    >>> remaining = RemainingTime(0.0)
    >>> remaining.update(1.0, 0.5)
    >>> remaining.seconds(1.0) is None
    True
    >>> remaining.update(4.0, 0.25)
    >>> remaining.seconds(4.0), remaining.seconds(10.0)
    (12.0, 6.0)
    """

    _SILENT_S = 2.0
    _SILENT_FRACTION = 0.03

    def __init__(self, now_s: float) -> None:
        self._start_s = now_s
        self._end_s: float | None = None

    def update(self, now_s: float, fraction: float) -> None:
        """Note how far the work is.

        Parameters
        ----------
        now_s : float
            By the same clock.
        fraction : float
            Of the work that is done, 0 to 1.
        """
        elapsed_s = now_s - self._start_s
        if elapsed_s < self._SILENT_S or fraction < self._SILENT_FRACTION:
            return
        end_s = self._start_s + elapsed_s / fraction
        # Smoothed: stages are not equally fast, and a figure that jumps is not believed.
        self._end_s = end_s if self._end_s is None else 0.9 * self._end_s + 0.1 * end_s

    def shift(self, halted_s: float) -> None:
        """Leave out that the work stood still for so long.

        Parameters
        ----------
        halted_s : float
            Seconds.
        """
        self._start_s += halted_s
        self._end_s = None if self._end_s is None else self._end_s + halted_s

    def seconds(self, now_s: float) -> float | None:
        """Return the estimate.

        Parameters
        ----------
        now_s : float
            By the same clock.

        Returns
        -------
        float or None
            None while there is none.
        """
        return None if self._end_s is None else max(0.0, self._end_s - now_s)
