"""How often it is told right which way up shreds and pages are, and how sure that is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Floats, Pixels
from core.embedding.way_up import N_TURNS, WayUp
from core.options import BinarizationOptions
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.shred import Shred
from core.shreds.windows import cut_windows
from training.measuring.documents import DataSet
from training.pages.intact import Margin, Pages
from training.pages.strips import AS_SCANNED, Soiling, draw_strip

CUTS = {
    "down": replace(AS_SCANNED, across=0.0),
    "along": replace(AS_SCANNED, across=1.0),
    "down, soiled": Soiling(across=0.0),
    "along, soiled": Soiling(across=1.0),
}
"""How strips are cut from pages: down the page or along its lines; as scanned, or with print of any size and dirt."""


@dataclass(frozen=True)
class Judged:
    """Shreds of one kind, and what was said of them; `str` renders a row of `HEADING`.

    Attributes
    ----------
    name : str
        What they are.
    log_odds : ndarray of shape (n, 4), float32
        From `core.embedding.way_up.WayUp.log_odds`.
    true : int
        By how many quarter turns all must be turned.
    page : ndarray of shape (n,), str
        On which page each is.
    seconds : float
        For all of them.
    """

    name: str
    log_odds: Floats
    true: int
    page: np.ndarray
    seconds: float

    @property
    def unknown(self) -> float:
        """Share of shreds of which nothing is said."""
        return float((self.log_odds == 0).all(axis=1).mean())

    @property
    def right(self) -> float:
        """Share of the others that are right among four ways."""
        said = self.log_odds[(self.log_odds != 0).any(axis=1)]
        return float((said.argmax(axis=1) == self.true).mean()) if len(said) else np.nan

    @property
    def right_of_two(self) -> float:
        """Share of the others that are right where only a half-turn is in question."""
        said = self.log_odds[(self.log_odds != 0).any(axis=1)]
        ahead = said[:, self.true] > said[:, (self.true + 2) % N_TURNS]
        return float(ahead.mean()) if len(said) else np.nan

    @property
    def loss(self) -> float:
        """Mean loss among four ways, in nats; 1.39 for one who knows nothing."""
        odds = np.exp(self.log_odds.astype(np.float64))
        return float(-np.log(odds[:, self.true] / odds.sum(axis=1)).mean())

    @property
    def loss_of_two(self) -> float:
        """Mean loss where only a half-turn is in question; 0.69 for one who knows nothing."""
        against = self.log_odds[:, (self.true + 2) % N_TURNS] - self.log_odds[:, self.true]
        return float(np.log1p(np.exp(against.astype(np.float64))).mean())

    @property
    def pages(self) -> tuple[int, int, float]:
        """Pages that are right by the sum over their shreds, all pages, and by how much the least sure one is right."""
        sums = [self.log_odds[self.page == name].sum(axis=0) for name in np.unique(self.page)]
        ahead = [float(one[self.true] - np.delete(one, self.true).max()) for one in sums]
        return sum(one > 0 for one in ahead), len(ahead), min(ahead)

    def __str__(self) -> str:
        n_right, n_pages, least = self.pages
        return (
            f"{self.name:34} {len(self.log_odds):6} {100 * self.unknown:8.1f} {100 * self.right:6.1f} {self.loss:6.3f} "
            f"{100 * self.right_of_two:7.1f} {self.loss_of_two:6.3f} {100 * self.seconds / len(self.log_odds):7.2f} "
            f"{n_right:4} of {n_pages:<4} {least:6.1f}"
        )


HEADING = (
    f"{'':34} {'shreds':>6} {'unknown%':>8} {'right%':>6} {'loss':>6} {'of two%':>7} {'loss':>6} {'s/100':>7} "
    f"{'pages':>9} {'least':>9}"
)


def judge_data_set(data: DataSet, way_up: WayUp, name: str, progress: Progress = no_progress) -> list[Judged]:
    """Judge the shreds of a data set with ink as they lie, on their side and half-turned.

    Parameters
    ----------
    data : DataSet
        All its shreds lie upright.
    way_up : WayUp
        The judge.
    name : str
        Of the data set.
    progress : Progress
        Fraction and text.

    Returns
    -------
    list of Judged
        As they lie, turned by 90 degrees clockwise, half-turned.
    """
    indices = [(index, document.name) for document in data.documents for index in document.order]
    page = np.array([document for _, document in indices])
    judged = []
    for true, how in enumerate(("as they lie", "on their side", "half-turned")):
        shreds = [_lying(data.found.shreds[index], true) for index, _ in indices]
        began = time.perf_counter()
        log_odds = way_up.log_odds(shreds, BinarizationOptions(), progress)
        judged.append(Judged(f"{name}, {how}", log_odds, true, page, time.perf_counter() - began))
    return judged


def _lying(shred: Shred, turns: int) -> Shred:
    """Turn a shred such that so many quarter turns counter-clockwise turn it back."""
    pixels, mask = np.rot90(shred.pixels, -turns), np.rot90(shred.mask, -turns)
    return replace(shred, pixels=np.ascontiguousarray(pixels), mask=np.ascontiguousarray(mask))


def judge_pages(pages: Pages, way_up: WayUp, n_strips: int, seed: int = 1) -> list[Judged]:
    """Judge strips cut in software from upright pages: down the page, along its lines, and soiled.

    Parameters
    ----------
    pages : Pages
        By folder; each folder is a kind, such as a script.
    way_up : WayUp
        The judge.
    n_strips : int
        Of each kind and way to cut.
    seed : int
        Of all chance.

    Returns
    -------
    list of Judged
        By folder; what is said of a page is the sum over its strips.
    """
    folders = [name.rpartition("/")[0] for name in pages.names]
    judged = []
    for folder in sorted(set(folders)):
        margins = [pages.margins[index] for index, name in enumerate(folders) if name == folder]
        for how, soiling in CUTS.items():

            def cut(number: int, of: Sequence[Margin] = margins, soiling: Soiling = soiling) -> Pixels:
                return cut_windows(draw_strip(np.random.default_rng([seed, number]), of[number % len(of)], soiling))

            began = time.perf_counter()
            windows = list(map_in_order(cut, range(n_strips)))
            log_odds = way_up.log_odds_of_windows(windows)
            page = np.array([str(number % len(margins)) for number in range(n_strips)])
            judged.append(Judged(f"{folder}, {how}", log_odds, 0, page, time.perf_counter() - began))
    return judged
