"""Trains an encoder for each value of one setting, one after another; free of what machines that train lack.

What is already in the folder is kept if it was trained with the same settings, and a training that was killed goes on.
"""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import UsageError
from training.learning.card import save
from training.learning.loop import RECIPES, AnyRecipe, train
from training.pages.intact import Pages
from training.pages.preparation import pages_of
from training.pages.shredding import Wear


@dataclass(frozen=True)
class Setting:
    """What is varied; as an experiment by itself, the training of its encoders.

    Attributes
    ----------
    name : str
        Of the experiment that measures the encoders.
    field : str
        Of both recipes.
    values : tuple of int
        As in the paper.
    letter : str
        Begins the name of the weights: ``d8.keras``.
    """

    name: str
    field: str
    values: tuple[int, ...]
    letter: str

    @property
    def description(self) -> str:
        """What the help says."""
        what = f'Trains the encoders for the experiment "{self.name}"'
        return f"{what}; needs neither OpenCV nor TensorFlow (KERAS_BACKEND=jax)."

    def weights(self, folder: Path, value: int) -> Path:
        """Return the file for the weights of a value."""
        return folder / f"{self.letter}{value}.keras"

    def add_values_argument(self, parser: ArgumentParser) -> None:
        """Declare which values are wanted."""
        values = " ".join(map(str, self.values))
        parser.add_argument("--values", type=int, nargs="+", default=self.values, help=f"default: {values}")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        sources = "files made by training.corpus, or folders of intact pages"
        parser.add_argument("pages", type=Path, nargs="+", help=sources)
        parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="for the weights")
        self.add_values_argument(parser)
        add_recipe_arguments(parser)

    def run(self, arguments: Namespace) -> None:
        """Train an encoder for each value, one after another."""
        self.train_each(arguments, arguments.output)

    def train_each(self, arguments: Namespace, folder: Path) -> None:
        """Train an encoder for each value.

        Parameters
        ----------
        arguments : Namespace
            Holds `pages`, paths, the `values`, and what `add_recipe_arguments` declares.
        folder : Path
            For the weights; each has its card beside it, ``d8.json``.

        Raises
        ------
        UsageError
            If the folder holds weights that were trained with other settings.
        """
        recipe = recipe_of(arguments)
        folder.mkdir(parents=True, exist_ok=True)
        sources: list[Pages] = []
        for value in arguments.values:
            path = self.weights(folder, value)
            change: dict[str, Any] = {self.field: value}
            varied = replace(recipe, **change)
            if is_trained(path, varied):
                print(f"{path} is there", flush=True)
                continue
            sources = sources or [pages_of(one) for one in arguments.pages]
            print(f"{self.field} = {value}", flush=True)
            checkpoint = path.with_suffix(".checkpoint.npz")
            encoder, history = train(sources, varied, Wear(), checkpoint=checkpoint, resume=True)
            save(encoder, path, sources, varied, Wear(), history)
            path.with_name("card.json").replace(path.with_suffix(".json"))
            checkpoint.unlink(missing_ok=True)


DIMENSION = Setting("dimension", "d", (2, 4, 8, 16, 32, 64, 128, 256, 512), "d")

HEIGHT = Setting("height", "sample_height_px", (32, 64, 128, 256), "h")


def add_recipe_arguments(parser: ArgumentParser) -> None:
    """Declare how to train."""
    parser.add_argument("--recipe", choices=RECIPES, default=next(iter(RECIPES)), help="default: %(default)s")
    parser.add_argument("--steps", type=int, help="of the optimizer, for the listwise recipe")
    others = "other settings of the recipe"
    parser.add_argument("--set", nargs="+", type=_assignment, default=[], metavar="NAME=VALUE", help=others)


def recipe_of(arguments: Namespace) -> AnyRecipe:
    """Build the recipe that the caller asked for.

    Raises
    ------
    UsageError
        If it has no such setting, or not such a value.
    """
    recipe = RECIPES[arguments.recipe]()
    steps = [("steps", str(arguments.steps))] if arguments.steps is not None else []
    changes: dict[str, Any] = {}
    for name, text in [*steps, *arguments.set]:
        default = asdict(recipe).get(name)
        if default is None:
            names = ", ".join(asdict(recipe))
            raise UsageError(f"The recipe {arguments.recipe} has no setting {name}. It has {names}.")
        try:
            changes[name] = type(default)(text)
        except ValueError as error:
            raise UsageError(f"{name} cannot be {text}; it is {default} by default.") from error
    return replace(recipe, **changes)


def is_trained(path: Path, recipe: AnyRecipe) -> bool:
    """Check whether weights are there; refuse those of another recipe."""
    card = path.with_suffix(".json")
    if not (path.is_file() and card.is_file()):
        return False
    settings = json.loads(card.read_text())["settings"]
    if settings != asdict(recipe):
        raise UsageError(f"{path} was trained with other settings, see {card.name}. Give another folder, or remove it.")
    return True


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{text} is not of the form NAME=VALUE")
    return name, value
