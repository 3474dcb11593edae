"""How a long function tells how far it is, and how it is stopped.

Every long function of ``core`` takes ``progress: Progress = no_progress`` last and calls it with the fraction done
and a short text. Cancelling is the callback raising `Cancelled`; nothing in ``core`` catches that.
"""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float, str], None]
"""Called with the fraction done (0 to 1, never falling) and a short text, "Segmenting sheet 3 of 8"."""


class Cancelled(Exception):
    """Raised out of a progress callback: the user stopped the work."""


def no_progress(fraction: float, text: str) -> None:
    """Report to nobody."""


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Give a stage its own 0-to-1 scale within a longer task.

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
    """

    def report(fraction: float, text: str) -> None:
        progress(start + (stop - start) * fraction, text)

    return report
