"""The height of samples: accuracy and time for s_y = 32, 64, 128 and 256 pixels.

As in the paper's sensitivity analysis: the last convolution covers a whole sample, so it is higher for higher samples.
Train the encoders with height-train, or give --pages.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from training.experiments.sweep import Sweep, add_sweep_arguments, run_sweep
from training.experiments.sweep_training import HEIGHT

SWEEP = Sweep(
    setting=HEIGHT,
    title="The height of samples",
    symbol="sample height (px)",
    text="An encoder was trained for each height, all else alike; its last convolution covers a whole sample.",
    published={"the paper, d = 128": 32},
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_sweep_arguments(parser, HEIGHT)


def run(given: Namespace) -> Path:
    """Measure, and write the report."""
    return run_sweep(given, SWEEP)
