"""What is measured: weights of the encoder, each used in several ways, and published baselines."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from core.comparison import compare
from core.embedded import Embedded, embed
from core.embedding.encoder import Encoder
from core.matching.costs import Costs
from core.options import CostOptions, Options
from core.progress import Progress, no_progress
from core.shreds.shred import Shred
from core.system.places import weights_path
from training.baselines import BASELINES, baseline
from training.baselines.dummy import without_blank

Dummy: TypeAlias = Literal["blank", "zero"]
"""What closes a page: the blank shred (docs/decisions/blank-margin.md) or, as in publications, a dummy of cost 0. With
that all documents together are one single path."""


@dataclass(frozen=True)
class Variant:
    """One way to use an encoder: which cues count, up to which shift, and what closes a page."""

    label: str
    cost: CostOptions
    dummy: Dummy = "blank"


PAPER_SHIFT_ROWS = 3
"""Largest vertical shift in the paper, in rows of the embedding."""

_INK = CostOptions(use_contour=False, use_tone=False)
_EMBEDDINGS = replace(_INK, use_lines=False, expect_margins=False, try_half_turns=False)
_PAPER = replace(_EMBEDDINGS, max_shift_rows=PAPER_SHIFT_ROWS)

VARIANTS = {
    "full": Variant("with contour and tones", CostOptions()),
    "contour": Variant("with contour", CostOptions(use_tone=False)),
    "ink": Variant("ink alone", _INK),
    "ink-no-shift": Variant("ink alone, no shifts", replace(_INK, max_shift_rows=0, try_half_turns=False)),
    "embeddings": Variant("embeddings alone", _EMBEDDINGS),
    "zero-dummy": Variant("ink alone, zero-cost dummy", _PAPER, "zero"),
    "zero-dummy-no-shift": Variant("ink alone, zero-cost dummy, no shifts", replace(_PAPER, max_shift_rows=0), "zero"),
}
"""The first is what the application does. The last two are the paper's ways, "vertical shift on" and "off", which leave
lines of print and margins out as well."""

AS_THEY_LIE = Variant("as they lie, within 24 px", CostOptions(try_half_turns=False))
"""Nothing is turned, and nobody looked for farther off."""


class Method(Protocol):
    """Prices joins; what comes before and after is the same for all."""

    label: str
    dummy: Dummy

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


class Embedder:
    """An encoder that remembers the shreds it embedded last, for variants that differ in what follows.

    Shreds that are all among those are not embedded anew: a document is then priced by itself, yet from embeddings in
    the frame that it shares with the others.
    """

    def __init__(self, encoder: Encoder, *, try_half_turns: bool = True) -> None:
        self.encoder = encoder
        self._options = replace(Options(), cost=CostOptions(try_half_turns=try_half_turns))
        self._last: Embedded | None = None

    def __call__(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> Embedded:
        """Embed the borders of the shreds with ink."""
        compared = [shred for shred in shreds if shred.compared]
        if self._last is None or not set(compared) <= set(self._last.shreds):
            self._last = embed(shreds, self.encoder, self._options, progress)
        row = {shred: number for number, shred in enumerate(self._last.shreds)}
        return self._last.of([row[shred] for shred in compared])


class EncoderMethod:
    """Weights of the encoder, used in one way."""

    def __init__(self, label: str, embedder: Embedder, variant: Variant) -> None:
        self.label = f"{label}, {variant.label}"
        self.embedder, self.variant, self.dummy = embedder, variant, variant.dummy
        self.options = replace(Options(), cost=variant.cost)

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> tuple[Costs, dict[str, float]]:
        """Price the joins, see `Method.costs`; what was embedded before is counted with the seconds that it took."""
        matched = compare(self.embedder(shreds, progress), self.options)
        return without_blank(matched.costs) if self.dummy == "zero" else matched.costs, matched.seconds


class BaselineMethod:
    """A published method, as it was published: it knows no blank shred."""

    dummy: Dummy = "zero"

    def __init__(self, name: str) -> None:
        self.label = name
        self._baseline = baseline(name)

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> tuple[Costs, dict[str, float]]:
        """Price the joins, see `Method.costs`; there is nothing to embed."""
        start = time.perf_counter()
        costs = self._baseline.costs([shred for shred in shreds if not shred.blank], progress)
        return costs, {"embed": 0.0, "cost": time.perf_counter() - start}


def named_weights(text: str) -> tuple[str, Path]:
    """Read "LABEL=FILE" or "FILE", whose label is then the file's name."""
    label, found, path = text.rpartition("=")
    return (label, Path(path)) if found else (Path(text).stem, Path(text))


def add_weights_argument(parser: ArgumentParser) -> None:
    """Declare which weights of the encoder are measured."""
    parser.add_argument("--weights", type=Path, default=weights_path(), help="encoder (default: the shipped one)")


def add_method_arguments(parser: ArgumentParser) -> None:
    """Declare what is compared."""
    shipped, what = [("rejoin", weights_path())], "encoders, .keras (default: the shipped one)"
    parser.add_argument("--weights", nargs="*", type=named_weights, default=shipped, metavar="[LABEL=]FILE", help=what)
    ways = "ways to use each of the encoders (default: all)"
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), help=ways)
    parser.add_argument("--method", nargs="+", choices=BASELINES, default=[], help="published methods (default: none)")


def methods_of(arguments: Namespace) -> list[Method]:
    """Build the methods that `add_method_arguments` lets the caller choose, encoders first."""
    embedders = [(label, Embedder(Encoder.load(path))) for label, path in arguments.weights]
    variants = [VARIANTS[name] for name in arguments.variants]
    encoders = [EncoderMethod(label, embedder, variant) for label, embedder in embedders for variant in variants]
    return [*encoders, *map(BaselineMethod, dict.fromkeys(arguments.method))]
