"""The dimension of the embedding: accuracy and time for d = 2, 4, …, 512.

As in the paper's sensitivity analysis. Train the encoders with dimension-train, or give --pages.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from training.experiments.sweep import Sweep, add_sweep_arguments, run_sweep
from training.experiments.sweep_training import DIMENSION

SWEEP = Sweep(
    setting=DIMENSION,
    title="The dimension of the embedding",
    symbol="d",
    text="An encoder was trained for each d, all else alike.",
    published={"the paper, d = 8": 8, "the paper, d = 128": 128},
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_sweep_arguments(parser, DIMENSION)


def run(given: Namespace) -> Path:
    """Measure, and write the report."""
    return run_sweep(given, SWEEP)
