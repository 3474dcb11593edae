"""Trains an encoder for each value of one setting, one after another; free of what machines that train lack.

What is already in the folder is kept if it was trained with the same settings, and a training that was killed goes on.
"""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import UsageError
from training.learning.card import save
from training.learning.contrastive import PaperRecipe
from training.learning.listwise import Recipe
from training.learning.loop import train
from training.pages.intact import Pages
from training.pages.preparation import pages_of
from training.pages.shredding import Wear

RECIPES = {recipe.name: recipe for recipe in (Recipe, PaperRecipe)}


@dataclass(frozen=True)
class Setting:
    """What is varied.

    Attributes
    ----------
    name : str
        Of the experiment.
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

    def weights(self, folder: Path, value: int) -> Path:
        """Give the file for the weights of a value."""
        return folder / f"{self.letter}{value}.keras"


DIMENSION = Setting("dimension", "d", (2, 4, 8, 16, 32, 64, 128, 256, 512), "d")

HEIGHT = Setting("height", "sample_height_px", (32, 64, 128, 256), "h")


def add_values_argument(parser: ArgumentParser, setting: Setting) -> None:
    """Let the caller choose the values."""
    values = " ".join(map(str, setting.values))
    parser.add_argument("--values", type=int, nargs="+", default=setting.values, help=f"default: {values}")


def add_recipe_arguments(parser: ArgumentParser) -> None:
    """Let the caller say how to train."""
    parser.add_argument("--recipe", choices=RECIPES, default=Recipe.name, help="default: %(default)s")
    parser.add_argument("--steps", type=int, help="of the optimizer, for the listwise recipe")
    parser.add_argument(
        "--set", nargs="+", type=_assignment, default=[], metavar="NAME=VALUE", help="other settings of the recipe"
    )


def recipe_of(given: Namespace) -> Recipe | PaperRecipe:
    """Make the recipe that the caller asked for.

    Raises
    ------
    UsageError
        If it has no such setting, or not such a value.
    """
    recipe: Recipe | PaperRecipe = RECIPES[given.recipe]()
    steps = [("steps", str(given.steps))] if given.steps is not None else []
    changes: dict[str, Any] = {}
    for name, text in [*steps, *given.set]:
        default = asdict(recipe).get(name)
        if default is None:
            known = ", ".join(asdict(recipe))
            raise UsageError(f"The recipe {given.recipe} has no setting {name}. It has {known}.")
        try:
            changes[name] = type(default)(text)
        except ValueError as error:
            raise UsageError(f"{name} cannot be {text}; it is {default} by default.") from error
    return replace(recipe, **changes)


def train_each(setting: Setting, values: Sequence[int], given: Namespace, folder: Path) -> None:
    """Train an encoder for each value.

    Parameters
    ----------
    setting : Setting
        What is varied.
    values : sequence of int
        Its values.
    given : Namespace
        Holds `pages`, paths, and what `add_recipe_arguments` declares.
    folder : Path
        For the weights; each has its card beside it, ``d8.json``.

    Raises
    ------
    UsageError
        If the folder holds weights that were trained with other settings.
    """
    recipe = recipe_of(given)
    folder.mkdir(parents=True, exist_ok=True)
    sources: list[Pages] = []
    for value in values:
        path = setting.weights(folder, value)
        change: dict[str, Any] = {setting.field: value}
        varied = replace(recipe, **change)
        if is_trained(path, varied):
            print(f"{path} is there", flush=True)
            continue
        sources = sources or [pages_of(one) for one in given.pages]
        print(f"{setting.field} = {value}", flush=True)
        checkpoint = path.with_suffix(".checkpoint.npz")
        encoder, history = train(sources, varied, Wear(), checkpoint=checkpoint, resume=True)
        save(encoder, path, sources, varied, Wear(), history)
        path.with_name("card.json").replace(path.with_suffix(".json"))
        checkpoint.unlink(missing_ok=True)


def is_trained(path: Path, recipe: Recipe | PaperRecipe) -> bool:
    """Tell whether weights are there; refuse those of another recipe."""
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
