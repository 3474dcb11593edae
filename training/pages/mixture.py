"""Pages of several sources, and what share of every step each supplies.

The pages stay where they are, in the computer's memory: a step copies the few that it reads. So there may be more of
them than the memory of a graphics card holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UsageError
from training.pages.intact import Pages


@dataclass(frozen=True, eq=False)
class Mixture:
    """Pages to draw from.

    Attributes
    ----------
    sources : tuple of Pages
        Where pages come from: scans, rendered pages.
    indices : tuple of ndarray of shape (m,), int
        The pages of each source that may be drawn; at least one of each.
    shares : tuple of float
        What part of the pages each source supplies; their sum is 1.
    """

    sources: tuple[Pages, ...]
    indices: tuple[NDArray[np.int_], ...]
    shares: tuple[float, ...]

    def draw(self, rng: np.random.Generator, n: int) -> list[NDArray[np.int8]]:
        """Draw pages, different ones as long as there are enough; nothing is copied.

        Parameters
        ----------
        rng : Generator
            Source of all chance.
        n : int
            How many.

        Returns
        -------
        list of ndarray of shape (h, w), int8
            Margins of the pages. Each source supplies its share of n, or the whole number below or above it, with the
            probabilities that make it right on average.
        """
        places = (np.arange(n) + rng.random()) / n
        # The last bound is left out: rounding may put it below 1.
        source_of_place = np.searchsorted(np.cumsum(self.shares)[:-1], places, side="right")
        n_of_source = np.bincount(source_of_place, minlength=len(self.sources))
        drawn = []
        for source, indices, m in zip(self.sources, self.indices, n_of_source, strict=True):
            drawn += [source.margins[index] for index in rng.choice(indices, m, replace=len(indices) < m)]
        return drawn

    @property
    def size(self) -> tuple[int, int]:
        """Height and width that hold every page, in pixels."""
        height, width = np.max([source.margins.shape[1:] for source in self.sources], axis=0)
        return int(height), int(width)


def split(
    sources: Sequence[Pages], held_out: int, shares: Sequence[float] | None = None, *, validate_on: int = 0
) -> tuple[Mixture, Mixture]:
    """Part pages into those to train on and those to validate on.

    Parameters
    ----------
    sources : sequence of Pages
        Where pages come from.
    held_out : int
        Every so-many-th page of each source is not trained on.
    shares : sequence of float, optional
        What part of the pages of a step each source supplies, relative to each other; equal parts if not given.
    validate_on : int
        The source whose held-out pages are validated on.

    Returns
    -------
    training, validation : Mixture
        They have no page in common.

    Raises
    ------
    UsageError
        If a source is too small to hold out a page, or if shares and sources do not fit.
    """
    shares = [1.0] * len(sources) if shares is None else list(shares)
    if len(shares) != len(sources) or min(shares) <= 0:
        raise UsageError(f"Each of the {len(sources)} sources of pages needs a share above 0; given {shares}.")
    if not 0 <= validate_on < len(sources):
        raise UsageError(f"There is no source {validate_on} to validate on: they are numbered from 0.")
    held = [np.arange(len(source.names)) % held_out == held_out - 1 for source in sources]
    for number, out in enumerate(held):
        if out.all() or not out.any():
            raise UsageError(
                f"Source {number} has {len(out)} pages, and one in {held_out} is held out for validation: "
                "that leaves none on one side. Give more pages, or hold out another part of them."
            )
    total = sum(shares)
    kept = tuple(np.flatnonzero(~out) for out in held)
    training = Mixture(tuple(sources), kept, tuple(share / total for share in shares))
    validation = Mixture((sources[validate_on],), (np.flatnonzero(held[validate_on]),), (1.0,))
    return training, validation
