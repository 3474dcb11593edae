"""What long work has come to so far, kept on the disk every minute: who was killed meanwhile goes on there."""

import time
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from core.system.disk_cache import DiskCache

EVERY_S = 60.0
"""So often a state is kept; work that takes less leaves nothing."""


class Interim:
    """States of long work, of each stage the latest.

    A state must be such that who goes on from it comes to the same as who has begun anew.

    Parameters
    ----------
    cache : DiskCache or None
        Where they are kept; without one nothing is.
    **depends_on
        All that the result depends on besides the program: values that JSON can hold.
    """

    def __init__(self, cache: DiskCache | None, **depends_on: Any) -> None:
        self._cache, self._depends_on = cache, depends_on
        self._since_s = time.monotonic()

    def latest(self, stage: str) -> dict[str, NDArray[Any]] | None:
        """Return the latest state of a stage.

        Parameters
        ----------
        stage : str
            Its name.

        Returns
        -------
        dict of str to ndarray, or None
            None if there is none.
        """
        self._since_s = time.monotonic()
        return None if self._cache is None else self._cache.get(stage=stage, **self._depends_on)

    @property
    def due(self) -> bool:
        """Whether so much was done since a state was asked for or kept that the next one is worth keeping."""
        return self._cache is not None and time.monotonic() >= self._since_s + EVERY_S

    def keep(self, stage: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep a state in the place of the one before.

        Parameters
        ----------
        stage : str
            Its name.
        arrays : mapping of str to ndarray
            Of numbers or truth values.
        """
        if self._cache is not None:
            self._cache.put(arrays, stage=stage, **self._depends_on)
            self._since_s = time.monotonic()


NOWHERE = Interim(None)
"""Keeps nothing."""
