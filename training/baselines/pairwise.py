"""Paixão et al., 2018: a network judges every pair of shreds, laid side by side ("Paixão-b" in the CVPR paper).

SqueezeNet learns to tell windows of true seams from windows of others (`training.baselines.pair_training`) and is then
applied to the whole height of a seam at once. A pair is the more compatible the surer the network is at the vertical
shift that makes it surest; n shreds take n² inferences for every shift, which is what the CVPR paper does away with.

Four things differ from the publication. The network begins untrained, not from weights learned on photographs. It
learns from windows with 10 % ink, not 20 %: of pages thresholded locally, 20 % leaves halftones and rules rather than
text. To be affordable without a graphics card, rows without ink on either side are skipped, which say the same of all
pairs, and shifts up to 8 px are tried every 4 px, instead of up to 10 px every one.

Run ``python -m training.baselines.pairwise PAGES -o pairwise.keras`` to train.

References
----------
T. M. Paixão et al., "A deep learning-based compatibility score for reconstruction of strip-shredded text documents",
31st Conference on Graphics, Patterns and Images (SIBGRAPI), 2018, pages 87 to 94.
"""

import argparse
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from core.errors import UsageError
from core.matching.costs import Costs
from core.progress import Progress, no_progress, part
from core.shreds.borders import Borders, read_borders
from core.shreds.shred import BORDER_WIDTH_PX, Shred
from training.baselines.dummy import costs_of_joins
from training.baselines.squeezenet import ROW_STEP_PX
from training.command import command

WEIGHTS = Path(__file__).parent / "weights" / "pairwise.keras"

SHIFTS_PX = (0, -4, 4, -8, 8)
"""Vertical shifts that are tried."""

BLANK_PX = 8
"""So many blank rows are left above and below ink."""

SEAMS_PER_BATCH = 16

LENGTH_STEP_PX = 256
"""Seams are filled up to a multiple of this, so that the network meets few different shapes."""

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Pairwise:
    """The method.

    Attributes
    ----------
    judge : keras.Model
        As `training.baselines.squeezenet.build_judge` makes it, trained.
    """

    judge: keras.Model

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> "Pairwise":
        """Load weights from a ``.keras`` file; nothing in the file is run as code.

        Raises
        ------
        UsageError
            If there is no such file, or it holds something else.
        """
        if not path.is_file():
            raise UsageError(
                f"There are no weights {path} for the pairwise baseline. "
                f"Train them: python -m training.baselines.pairwise PAGES -o {path}"
            )
        try:
            judge = keras.saving.load_model(path, compile=False, safe_mode=True)
        except (ValueError, TypeError, KeyError, AttributeError, OSError, zipfile.BadZipFile) as error:
            raise UsageError(f"{path} holds no weights of the pairwise baseline. Train them anew.") from error
        return cls(judge)

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> Costs:
        """Price all joins, see `training.baselines.Baseline`: 1 less the probability that the two belong together."""
        seams = Seams.of(read_borders(shreds, progress=part(progress, 0.0, 0.05)))
        n = len(shreds)
        pairs = np.argwhere(~np.eye(n, dtype=np.bool_))
        evidence = np.full((n, n), -np.inf, dtype=np.float32)
        shift_px = np.zeros((n, n), dtype=np.int16)
        for number, shift in enumerate(SHIFTS_PX):
            step = 0.95 / len(SHIFTS_PX)
            of_shift = part(progress, 0.05 + step * number, 0.05 + step * (number + 1))
            found = self._evidence(seams, pairs, shift, of_shift)
            better = found > evidence[tuple(pairs.T)]
            at = tuple(pairs[better].T)
            evidence[at], shift_px[at] = found[better], shift
        # The publication takes the mean of the logits over all rows of a seam, blank ones too.
        n_rows = seams.height / ROW_STEP_PX
        cost = 1 / (1 + np.exp(evidence / n_rows))
        return costs_of_joins(cost.astype(np.float32), shift_px)

    def _evidence(self, seams: "Seams", pairs: Indices, shift_px: int, progress: Progress) -> NDArray[np.float32]:
        """Sum the logits of seams over their rows, less those of blank paper; pairs (k, 2), returns (k,)."""
        blank = np.zeros((1, 4 * LENGTH_STEP_PX, 2 * BORDER_WIDTH_PX, 1), dtype=np.float32)
        logits_of_blank = self._logits(blank)
        of_blank = float(np.median(logits_of_blank))
        of_ends = float(np.sum(logits_of_blank - of_blank))
        evidence = np.empty(len(pairs), dtype=np.float32)
        done = 0
        for chosen, batch in seams.batches(pairs, shift_px):
            progress(done / len(pairs), "Judging pairs of shreds")
            evidence[chosen] = (self._logits(batch) - of_blank).sum(axis=1)[: len(chosen)] - of_ends
            done += len(chosen)
        progress(1.0, "Judging pairs of shreds")
        return evidence

    def _logits(self, batch: NDArray[np.float32]) -> NDArray[np.float64]:
        """Judge seams, shape (k, rows, 64, 1); returns the logits of their rows, (k, rows / 16 - 1)."""
        logits = np.asarray(self.judge.predict_on_batch(batch), dtype=np.float64)
        return logits.mean(axis=(2, 3))


@dataclass(frozen=True, eq=False)
class Seams:
    """All seams that n shreds can form; they are put together only when needed.

    Attributes
    ----------
    borders : Borders
        Of n shreds.
    right_has_ink, left_has_ink : ndarray of shape (n, height), bool
        Rows with ink.
    """

    borders: Borders
    right_has_ink: NDArray[np.bool_]
    left_has_ink: NDArray[np.bool_]

    @classmethod
    def of(cls, borders: Borders) -> "Seams":
        """Build the seams of borders."""
        return cls(borders, *(np.asarray(side.any(axis=2), np.bool_) for side in (borders.right, borders.left)))

    @property
    def height(self) -> int:
        """Rows of the borders."""
        return self.right_has_ink.shape[1]

    def rows(self, pairs: Indices, shift_px: int) -> NDArray[np.bool_]:
        """Find the rows of the seams of pairs (k, 2) that have ink nearby; returns (k, height)."""
        ink = self.right_has_ink[pairs[:, 0]] | moved_down(self.left_has_ink[pairs[:, 1]], shift_px, axis=1)
        return np.asarray(binary_dilation(ink, np.ones((1, 2 * BLANK_PX + 1), dtype=np.bool_)), dtype=np.bool_)

    def batches(self, pairs: Indices, shift_px: int) -> Iterator[tuple[Indices, NDArray[np.float32]]]:
        """Assemble seams, those of like length at once.

        Parameters
        ----------
        pairs : ndarray of shape (k, 2), intp
            Left and right shreds.
        shift_px : int
            By how much the right shreds are moved down.

        Yields
        ------
        chosen : ndarray of shape (m,), intp
            Which pairs, at most `SEAMS_PER_BATCH`.
        seams : ndarray of shape (SEAMS_PER_BATCH, rows, 64, 1), float32
            Their seams without blank rows, filled up with blank rows and seams.
        """
        kept = self.rows(pairs, shift_px)
        lengths = kept.sum(axis=1)
        longest_first = np.argsort(-lengths, kind="stable")
        for start in range(0, len(pairs), SEAMS_PER_BATCH):
            chosen = longest_first[start : start + SEAMS_PER_BATCH]
            length = -(-int(lengths[chosen[0]] + 1) // LENGTH_STEP_PX) * LENGTH_STEP_PX
            batch = np.zeros((SEAMS_PER_BATCH, length, 2 * BORDER_WIDTH_PX, 1), dtype=np.float32)
            for seam, pair in zip(batch[..., 0], chosen, strict=False):
                i, j = pairs[pair]
                rows = np.flatnonzero(kept[pair])
                seam[: len(rows), :BORDER_WIDTH_PX] = self.borders.right[i, rows]
                seam[: len(rows), BORDER_WIDTH_PX:] = moved_down(self.borders.left[j], shift_px)[rows]
            yield chosen, batch


def moved_down(ink: NDArray[np.bool_], shift_px: int, axis: int = 0) -> NDArray[np.bool_]:
    """Move rows down (up, if negative) within their frame; what comes in is blank."""
    moved = np.roll(ink, shift_px, axis=axis)
    gap = [slice(None)] * ink.ndim
    gap[axis] = slice(0, shift_px) if shift_px >= 0 else slice(shift_px, None)
    moved[tuple(gap)] = False
    return moved


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Train the network of the pairwise baseline on intact pages."""
    from training.baselines.pair_training import PairRecipe, save_judge, train_judge
    from training.pages.preparation import pages_of

    defaults = PairRecipe()
    parser = argparse.ArgumentParser(prog="python -m training.baselines.pairwise", description=main.__doc__)
    parser.add_argument("pages", type=Path, help="folder of intact pages, or a file made by training.corpus")
    parser.add_argument("-o", "--output", type=Path, required=True, help="weights to write, .keras; their card beside")
    for name in ("epochs", "batch_size", "held_out", "seed"):
        option, default = f"--{name.replace('_', '-')}", getattr(defaults, name)
        parser.add_argument(option, type=int, default=default, help="default: %(default)s")
    options: dict[str, Any] = vars(parser.parse_args(arguments))
    path, output = options.pop("pages"), options.pop("output")
    recipe = PairRecipe(**options)
    pages = pages_of(path)
    judge, history = train_judge(pages, recipe)
    save_judge(judge, output, pages, recipe, history)
    print(f"Weights written to {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
