"""Trains the encoders for the experiment "dimension"; needs neither OpenCV nor TensorFlow (KERAS_BACKEND=jax)."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from training.experiments.sweep_training import DIMENSION, add_recipe_arguments, add_values_argument, train_each


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("pages", type=Path, nargs="+", help="files made by training.corpus, or folders of intact pages")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="for the weights")
    add_values_argument(parser, DIMENSION)
    add_recipe_arguments(parser)


def run(given: Namespace) -> None:
    """Train them, one after another."""
    train_each(DIMENSION, given.values, given, given.output)
