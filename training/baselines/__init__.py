"""Published methods to compare with, each written from its publication.

A baseline gives costs of all joins between shreds, as the encoder's method does; everything before (finding the shreds)
and after (finding the order) is the same for all, so that figures differ by the costs alone.
"""

import pkgutil
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


_BASELINES = {
    "marques": "training.baselines.marques:Marques",
    "shapes": "training.baselines.shapes:Shapes",
    "pairwise": "training.baselines.pairwise:Pairwise.load",
}
"""What builds them; imported when asked for: only some need Keras."""

BASELINES = tuple(_BASELINES)
"""Names of the baselines."""


def baseline(name: str) -> Baseline:
    """Build a baseline, ready to price joins.

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
    build: Callable[[], Baseline] = pkgutil.resolve_name(_BASELINES[name])
    return build()
