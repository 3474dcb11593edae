"""Published methods to compare with, each written from its publication.

A baseline gives costs of all joins between shreds, as the encoder's method does; everything before (finding the shreds)
and after (finding the order) is the same for all, so that figures differ by the costs alone.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from core.matching.costs import Costs
from core.progress import Progress, no_progress
from core.shreds.shred import Shred


class Baseline(Protocol):
    """A method that prices joins."""

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> Costs:
        """Price all joins between shreds.

        Parameters
        ----------
        shreds : sequence of Shred
            n shreds with ink, at least one.
        progress : Progress
            Fraction and text.

        Returns
        -------
        Costs
            In the order of the shreds. Blank paper costs nothing: these methods close the tour with a dummy.
        """


def _marques() -> Baseline:
    from training.baselines.marques import Marques

    return Marques()


def _shapes() -> Baseline:
    from training.baselines.shapes import Shapes

    return Shapes()


def _pairwise() -> Baseline:
    from training.baselines.pairwise import Pairwise

    return Pairwise.load()


_BASELINES: dict[str, Callable[[], Baseline]] = {"marques": _marques, "shapes": _shapes, "pairwise": _pairwise}
"""Imported when asked for: only some need Keras."""

BASELINES = tuple(_BASELINES)
"""Names of the baselines."""


def baseline(name: str) -> Baseline:
    """Give a baseline, ready to price joins.

    Parameters
    ----------
    name : str
        One of `BASELINES`.

    Returns
    -------
    Baseline
        With its published settings.

    Raises
    ------
    ValueError
        If there is none of that name.
    UsageError
        If its weights are missing.
    """
    if name not in _BASELINES:
        raise ValueError(f"A baseline is one of {', '.join(BASELINES)}; given {name}.")
    return _BASELINES[name]()
