"""What experiments compare: weights of the encoder, each used in several ways, and published baselines."""

import hashlib
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

import keras
import numpy as np
from numpy.typing import NDArray

from core.matching.costs import Costs
from core.matching.encoder import Encoder
from core.options import CostOptions, Options
from core.pipeline import arrange, match
from core.progress import Progress, no_progress
from core.shreds.shred import Shred, Side
from training.baselines import BASELINES, Baseline, baseline
from training.baselines.dummy import without_blank
from training.measuring.accuracy import right_joins
from training.measuring.documents import DataSet
from training.measuring.evaluation import SHIPPED_WEIGHTS

STAGES = ("embed", "cost", "solve")


@dataclass(frozen=True)
class Variant:
    """One way to use an encoder.

    Attributes
    ----------
    label : str
        For tables and figures.
    use_contour, use_tone : bool
        Whether the contour of the cut, and grey tones across it, count beside the ink.
    use_layout : bool
        Whether lines of print and margins count beside the embeddings.
    dummy : {"blank", "zero"}
        What closes a page: the blank shred, or, as in the paper, a dummy of cost 0.
    max_shift_rows : int
        Largest vertical shift, in rows of the embedding; 0 for none.
    """

    label: str
    use_contour: bool = False
    use_tone: bool = False
    use_layout: bool = False
    dummy: Literal["blank", "zero"] = "blank"
    max_shift_rows: int = CostOptions().max_shift_rows


PAPER_SHIFT_ROWS = 3
"""Largest vertical shift in the paper."""

VARIANTS = {
    "full": Variant("with contour and tones", use_contour=True, use_tone=True, use_layout=True),
    "contour": Variant("with contour", use_contour=True, use_layout=True),
    "ink": Variant("ink alone", use_layout=True),
    "ink-no-shift": Variant("ink alone, no shifts", use_layout=True, max_shift_rows=0),
    "embeddings": Variant("embeddings alone"),
    "zero-dummy": Variant("ink alone, zero-cost dummy", dummy="zero", max_shift_rows=PAPER_SHIFT_ROWS),
    "zero-dummy-no-shift": Variant("ink alone, zero-cost dummy, no shifts", dummy="zero", max_shift_rows=0),
}
"""The first is what the application does. The last two are the paper's ways, "vertical shift on" and "off", which leave
lines of print and margins out as well."""


class RememberingEncoder(Encoder):
    """An encoder that embeds the same borders only once in a row, for variants that differ in what follows.

    Attributes
    ----------
    spared_s : float
        Seconds that what was remembered had taken to embed.
    """

    def __init__(self, model: keras.Model, sha256: str = "") -> None:
        super().__init__(model, sha256)
        self.spared_s = 0.0
        self._last: dict[Side, tuple[str, NDArray[np.float32], float]] = {}

    def embed(self, borders: NDArray[np.bool_], side: Side, progress: Progress = no_progress) -> NDArray[np.float32]:
        """Embed borders, see `Encoder.embed`; the result is not to be changed."""
        key = f"{borders.shape} {hashlib.sha256(np.packbits(borders).tobytes()).hexdigest()}"
        known, embeddings, seconds = self._last.get(side, ("", np.empty(0, np.float32), 0.0))
        if known == key:
            self.spared_s += seconds
            return embeddings
        start = time.perf_counter()
        embeddings = super().embed(borders, side, progress)
        self._last[side] = key, embeddings, time.perf_counter() - start
        return embeddings


class Method(Protocol):
    """Prices joins; what comes before and after is the same for all."""

    label: str

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> tuple[Costs, dict[str, float]]:
        """Price the joins between shreds.

        Parameters
        ----------
        shreds : sequence of Shred
            At least one with ink.
        progress : Progress
            Fraction and text.

        Returns
        -------
        costs : Costs
            Of those with ink, in their order.
        seconds : dict
            Of "embed" and "cost".
        """

    def n_pages(self, n_documents: int) -> int:
        """Tell as how many pages to arrange documents."""


class EncoderMethod:
    """Weights of the encoder, used in one way."""

    def __init__(self, label: str, encoder: RememberingEncoder, variant: Variant) -> None:
        self.label = f"{label}, {variant.label}"
        self.encoder, self.variant = encoder, variant
        cost = CostOptions(
            variant.max_shift_rows,
            use_contour=variant.use_contour,
            use_tone=variant.use_tone,
            use_lines=variant.use_layout,
            expect_margins=variant.use_layout,
        )
        self.options = replace(Options(), cost=cost)

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> tuple[Costs, dict[str, float]]:
        """Price the joins, see `Method.costs`."""
        self.encoder.spared_s = 0.0
        matched = match(shreds, self.encoder, self.options, progress)
        seconds = {"embed": matched.seconds["embed"] + self.encoder.spared_s, "cost": matched.seconds["cost"]}
        return without_blank(matched.costs) if self.variant.dummy == "zero" else matched.costs, seconds

    def n_pages(self, n_documents: int) -> int:
        """Tell as how many pages to arrange documents; a dummy of cost 0 closes one single path."""
        return n_documents if self.variant.dummy == "blank" else 1


class BaselineMethod:
    """A published method, as it was published."""

    def __init__(self, name: str) -> None:
        self.label = name
        self._baseline: Baseline = baseline(name)

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> tuple[Costs, dict[str, float]]:
        """Price the joins, see `Method.costs`; there is nothing to embed."""
        start = time.perf_counter()
        costs = self._baseline.costs([shred for shred in shreds if not shred.blank], progress)
        return costs, {"embed": 0.0, "cost": time.perf_counter() - start}

    def n_pages(self, n_documents: int) -> int:
        """Tell as how many pages to arrange documents: baselines know no blank shred, and give one single path."""
        return 1


@dataclass(frozen=True)
class Measured:
    """One reconstruction.

    Attributes
    ----------
    accuracy : float
        Share of right joins, 0 to 1.
    n : int
        Shreds with ink.
    seconds : dict
        By stage, see `STAGES`.
    """

    accuracy: float
    n: int
    seconds: dict[str, float]


def reconstruct(data: DataSet, method: Method, progress: Progress = no_progress) -> Measured:
    """Reconstruct all documents of a data set together, and compare with the truth.

    Parameters
    ----------
    data : DataSet
        Documents; one, or several to be mixed.
    method : Method
        Gives the costs.
    progress : Progress
        Fraction and text.

    Returns
    -------
    Measured
        A document none of whose shreds was found has accuracy 0.
    """
    documents = [document for document in data.documents if document.n_true]
    shreds, n_true = data.found.shreds, sum(document.n_true for document in documents)
    if all(shred.blank for shred in shreds):
        return Measured(0.0, n_true, dict.fromkeys(STAGES, 0.0))
    costs, seconds = method.costs(shreds, progress)
    options = Options()
    options = replace(options, solver=replace(options.solver, n_pages=method.n_pages(len(documents))))
    arranged = arrange(shreds, costs, options)
    truth = [[shreds[index].id for index in document.order] for document in documents]
    accuracy = right_joins(arranged.arrangement.pages, truth) / max(1, n_true - 1)
    return Measured(accuracy, n_true, {**seconds, "solve": arranged.seconds["solve"]})


def named_weights(text: str) -> tuple[str, Path]:
    """Read "LABEL=FILE" or "FILE", whose label is then the file's name."""
    label, found, path = text.rpartition("=")
    return (label, Path(path)) if found else (Path(text).stem, Path(text))


def add_method_arguments(parser: ArgumentParser) -> None:
    """Let the caller say what to compare."""
    parser.add_argument(
        "--weights",
        nargs="*",
        type=named_weights,
        default=[("rejoin", SHIPPED_WEIGHTS)],
        metavar="[LABEL=]FILE",
        help="encoders, .keras (default: the shipped one)",
    )
    parser.add_argument(
        "--variants",
        nargs="+",
        choices=VARIANTS,
        default=list(VARIANTS),
        help="ways to use each of the encoders (default: all)",
    )
    parser.add_argument("--method", nargs="+", choices=BASELINES, default=[], help="published methods (default: none)")


def methods_of(given: Namespace) -> list[Method]:
    """Make the methods that the caller asked for, encoders first."""
    encoders = [(label, RememberingEncoder.load(path)) for label, path in given.weights]
    methods: list[Method] = []
    for label, encoder in encoders:
        methods += [EncoderMethod(label, encoder, VARIANTS[name]) for name in given.variants]
    return methods + [BaselineMethod(name) for name in dict.fromkeys(given.method)]
