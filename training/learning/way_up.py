"""What the network learns that tells which way up a shred is, see `core.embedding.way_up`.

A step takes windows of strips cut from intact pages in software. Each is looked at four times, turned by quarter turns,
and is to look most upright as it is. Last, the network's sureness is measured on whole strips of held-out pages, and
set right.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import keras
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from core.arrays import Floats, Pixels
from core.embedding.way_up import WayUp, all_turns, build_model, combine
from core.parallel import map_in_order
from core.shreds.windows import cut_windows
from training.learning.checkpoints import Progressed
from training.learning.listwise import optimizer
from training.learning.loop import Entry, print_entry
from training.pages.intact import Pages
from training.pages.strips import draw_strip
from training.pages.windows import Drawing, draw_batches, split_documents


@dataclass(frozen=True)
class WayUpRecipe:
    """Everything that decides what is learned.

    Attributes
    ----------
    steps : int
        Steps of the optimizer.
    every : int
        Steps between two validations.
    strips_per_step, windows_per_strip : int
        Size of a step.
    longest_px : float
        Of longer strips a part is trained on.
    scribbles : float
        Share of strips without print, of which no way is up.
    learning_rate : float
        At the start; it falls to 0 along a cosine.
    held_out : int
        Every so-many-th document is kept for validation.
    validation_strips : int
        Of the held-out pages of each source.
    seed : int
        Of all chance.
    """

    name: ClassVar[str] = "way-up"

    steps: int = 11_000
    every: int = 2200
    strips_per_step: int = 64
    windows_per_strip: int = 8
    longest_px: float = 1200.0
    scribbles: float = 0.04
    learning_rate: float = 2e-3
    held_out: int = 5
    validation_strips: int = 1000
    seed: int = 1


class Turner(keras.Model):
    """The network between turning windows and comparing how upright they look."""

    def __init__(self, network: keras.Model) -> None:
        super().__init__()
        self.network = network

    def call(self, windows: Any) -> Any:
        """Compute the logits of the four turns, (n, 4), of windows (n, 48, 48, 1), uint8."""
        windows = keras.ops.cast(windows, "float32") / 255
        return keras.ops.stack([self.network(turned)[:, 0, 0, 0] for turned in all_turns(windows)], axis=1)


def train(
    sources: Sequence[Pages],
    recipe: WayUpRecipe,
    shares: Sequence[float] | None = None,
    *,
    processes: int = 1,
    report: Callable[[Entry], None] = print_entry,
) -> tuple[keras.Model, list[Entry]]:
    """Train the network.

    Parameters
    ----------
    sources : sequence of Pages
        Intact pages that are upright, from one source or several.
    recipe : WayUpRecipe
        What decides the result.
    shares : sequence of float, optional
        What part of the pages of a step each source supplies; equal parts if not given.
    processes : int
        How many cut strips at a time; they decide nothing.
    report : callable
        Called with what was measured at every validation.

    Returns
    -------
    network : keras.Model
        As `core.embedding.way_up.build_model` makes it, as sure as it may be.
    history : list of dict
        An entry per validation; the last one after its sureness was set.

    Raises
    ------
    UsageError
        If there are too few pages, or none with ink.
    """
    keras.utils.set_random_seed(recipe.seed)
    training, validation = split_documents(sources, recipe.held_out, shares or [1.0] * len(sources))
    strips = [_validation_strips(pages, recipe, number) for number, pages in enumerate(validation)]
    network = build_model()
    model = Turner(network)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer(recipe.learning_rate, recipe.steps, most_warmup=200), loss)
    upright = np.zeros(recipe.strips_per_step * recipe.windows_per_strip, np.int32)

    drawing = Drawing(**{field.name: getattr(recipe, field.name) for field in fields(Drawing)})
    batches = draw_batches(training, drawing, recipe.steps, processes)
    began, losses, progressed = time.perf_counter(), [], Progressed()
    for step, windows in enumerate(batches, start=1):
        losses.append(float(model.train_on_batch(windows, upright, return_dict=True)["loss"]))
        if step % recipe.every == 0 or step == recipe.steps:
            entry = {"step": step, "loss": float(np.mean(losses))} | validate(network, strips)
            entry["seconds"] = time.perf_counter() - began
            losses.clear()
            progressed.add(entry, -entry["validation_loss"], network)
            report(entry)
    network.set_weights(progressed.best_weights)
    last = {"step": recipe.steps, "sureness": set_sureness(network, strips)} | validate(network, strips)
    last["seconds"] = time.perf_counter() - began
    report(last)
    return network, [*progressed.history, last]


def _validation_strips(pages: Pages, recipe: WayUpRecipe, stream: int) -> list[Pixels]:
    """Cut the windows of strips of held-out pages, the same each time; strips without ink are left out."""

    def cut(number: int) -> Pixels:
        rng = np.random.default_rng([recipe.seed, 1, stream, number])
        return cut_windows(draw_strip(rng, pages.margins[number % len(pages.margins)]))

    return [windows for windows in map_in_order(cut, range(recipe.validation_strips)) if len(windows)]


def validate(network: keras.Model, strips: Sequence[Sequence[Pixels]]) -> Entry:
    """Measure the network on strips of held-out pages, all upright.

    Parameters
    ----------
    network : keras.Model
        As `core.embedding.way_up.build_model` makes it.
    strips : sequence of sequence of ndarray of shape (n, 48, 48), uint8
        Windows of the strips of each source.

    Returns
    -------
    dict of float
        Of strips: the mean loss in nats (1.39 of one who knows nothing), and the share that is right, of all sources
        and of each; of windows: the share that is right.
    """
    judge, entry, losses = WayUp(network), {}, []
    for number, of_source in enumerate(strips):
        log_odds = judge.log_odds_of_windows(of_source)
        loss = losses_of(log_odds)
        losses.append(float(loss.mean()))
        entry[f"loss_{number}"] = losses[-1]
        entry[f"right_{number}"] = float((log_odds.argmax(axis=1) == 0).mean())
    windows = np.concatenate([of_strip for of_source in strips for of_strip in of_source[:300]])
    entry["windows_right"] = float((judge.uprightness(windows).argmax(axis=1) == 0).mean())
    return {"validation_loss": float(np.mean(losses))} | entry


def losses_of(log_odds: Floats) -> NDArray[np.float64]:
    """Compute the loss of each of n upright strips, in nats, from log odds (n, 4)."""
    log_odds = log_odds.astype(np.float64)
    return np.log(np.exp(log_odds - log_odds[:, :1]).sum(axis=1))


def set_sureness(network: keras.Model, strips: Sequence[Sequence[Pixels]]) -> float:
    """Scale the network's last layer such that what it says of whole strips is as sure as it is right.

    Parameters
    ----------
    network : keras.Model
        As `core.embedding.way_up.build_model` makes it; it is changed.
    strips : sequence of sequence of ndarray of shape (n, 48, 48), uint8
        Windows of the strips of each source; sources count alike.

    Returns
    -------
    float
        The factor.
    """
    judge = WayUp(network)
    outputs = []
    for of_source in strips:
        ends = np.cumsum([len(windows) for windows in of_source])
        outputs.append(np.split(judge.uprightness(np.concatenate(of_source)), ends[:-1]))

    def loss(log_factor: float) -> float:
        factor = np.float32(np.exp(log_factor))
        of_sources = [losses_of(np.stack([combine(factor * one) for one in of_source])).mean() for of_source in outputs]
        return float(np.mean(of_sources))

    factor = float(np.exp(minimize_scalar(loss, bounds=(-3.0, 1.5), method="bounded", options={"xatol": 0.01}).x))
    last = network.get_layer("upright")
    last.set_weights([factor * weights for weights in last.get_weights()])
    return factor
