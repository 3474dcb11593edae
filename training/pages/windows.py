"""Windows of strips of intact pages, in batches: what the network that tells which way up a shred is learns from.

Cutting strips takes far longer than learning from them, so that it is done in several processes.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from core.arrays import Pixels
from core.errors import UsageError
from core.parallel import map_in_order
from core.shreds.windows import cut_windows
from training.pages.intact import Margin, Pages
from training.pages.mixture import Mixture
from training.pages.strips import Soiling, draw_scribble, draw_strip

TRIES = 4
"""A page on which so many strips have no ink supplies none."""


@dataclass(frozen=True)
class Drawing:
    """What a batch is made of.

    Attributes
    ----------
    strips_per_step, windows_per_strip : int
        Its size.
    longest_px : float
        Of longer strips a part is taken.
    scribbles : float
        Share of strips without print, of which no way is up.
    seed : int
        With the step's number, it decides everything.
    """

    strips_per_step: int
    windows_per_strip: int
    longest_px: float
    scribbles: float
    seed: int


def split_documents(sources: Sequence[Pages], held_out: int, shares: Sequence[float]) -> tuple[Mixture, list[Pages]]:
    """Part pages into those to train on and those to validate on, document by document.

    Pages of one file are one document. Files lie in folders by what is on them, and of every folder some are held out.

    Parameters
    ----------
    sources : sequence of Pages
        Where pages come from.
    held_out : int
        Every so-many-th document of a folder is not trained on.
    shares : sequence of float
        What part of the pages of a step each source supplies.

    Returns
    -------
    training : Mixture
        Pages to draw from.
    validation : list of Pages
        The others, by source.

    Raises
    ------
    UsageError
        If a source is too small to hold out a page.
    """
    kept, validation = [], []
    for number, source in enumerate(sources):
        documents = sorted({name.partition(",")[0] for name in source.names})
        out = set(documents[held_out - 1 :: held_out])
        is_out = np.array([name.partition(",")[0] in out for name in source.names])
        if is_out.all() or not is_out.any():
            raise UsageError(
                f"Source {number} has {len(documents)} documents, and one in {held_out} is held out for validation: "
                "that leaves none on one side. Give more pages, or hold out another part of them."
            )
        kept.append(np.flatnonzero(~is_out))
        validation.append(source.select(np.flatnonzero(is_out).tolist()))
    total = sum(shares)
    return Mixture(tuple(sources), tuple(kept), tuple(share / total for share in shares)), validation


def draw_batches(mixture: Mixture, drawing: Drawing, steps: int, processes: int = 1) -> Iterator[Pixels]:
    """Draw a batch of windows for each step.

    Parameters
    ----------
    mixture : Mixture
        Upright pages to draw from.
    drawing : Drawing
        What a batch is made of.
    steps : int
        How many batches.
    processes : int
        How many work at a time; with one, threads of this process do.

    Yields
    ------
    ndarray of shape (n, 48, 48, 1), uint8
        Share of ink, 0 to 255; all upright.
    """
    if processes == 1:
        yield from map_in_order(partial(_draw_step, mixture, drawing), range(steps))
        return
    with TemporaryDirectory() as folder:
        files = []
        for number, source in enumerate(mixture.sources):
            files.append(Path(folder, f"{number}.npy"))
            np.save(files[-1], source.margins)  # so that all processes share the memory
        start = (files, mixture.indices, mixture.shares, drawing)
        context = get_context("spawn")
        with ProcessPoolExecutor(processes, mp_context=context, initializer=_open, initargs=start) as pool:
            ahead = deque(pool.submit(_draw_opened, step) for step in range(min(steps, 4 * processes)))
            for step in range(len(ahead), steps + len(ahead)):
                yield ahead.popleft().result()
                if step < steps:
                    ahead.append(pool.submit(_draw_opened, step))


_opened: list[tuple[Mixture, Drawing]] = []
"""What a process of `draw_batches` draws from."""


def _open(
    files: Sequence[Path], indices: tuple[NDArray[np.int_], ...], shares: tuple[float, ...], drawing: Drawing
) -> None:
    import cv2

    cv2.setNumThreads(1)
    sources = tuple(Pages([], np.load(file, mmap_mode="r")) for file in files)
    _opened.append((Mixture(sources, indices, shares), drawing))


def _draw_opened(step: int) -> Pixels:
    return _draw_step(*_opened[0], step)


def _draw_step(mixture: Mixture, drawing: Drawing, step: int) -> Pixels:
    rng = np.random.default_rng([drawing.seed, 0, step])
    return draw_windows(rng, mixture.draw(rng, drawing.strips_per_step), drawing)


def draw_windows(rng: np.random.Generator, pages: Sequence[Margin], drawing: Drawing) -> Pixels:
    """Cut a strip from each page, and some windows from each strip, rather such with much ink.

    Parameters
    ----------
    rng : Generator
        Source of all chance.
    pages : sequence of ndarray of shape (h, w), int8
        Margins of upright pages.
    drawing : Drawing
        How many.

    Returns
    -------
    ndarray of shape (n, 48, 48, 1), uint8
        Share of ink, 0 to 255.

    Raises
    ------
    UsageError
        If there is no ink on the pages.
    """
    drawn, soiling = [], Soiling(longest_px=drawing.longest_px)
    for page in pages:
        for _ in range(TRIES):
            scribble = rng.random() < drawing.scribbles
            windows = cut_windows(draw_scribble(rng) if scribble else draw_strip(rng, page, soiling))
            if len(windows):
                ink = np.minimum(windows.mean(axis=(1, 2)), 25.0)
                drawn.append(windows[rng.choice(len(windows), drawing.windows_per_strip, p=ink / ink.sum())])
                break
    if not drawn:
        raise UsageError("There is no ink on these pages. Give pages with print to train on.")
    few = np.concatenate(drawn)
    return few[np.arange(len(pages) * drawing.windows_per_strip) % len(few), ..., None]
