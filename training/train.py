"""Trains the encoder on intact pages cut in software: ``python -m training.train PAGES... -o encoder.keras``.

``--recipe listwise`` (`training.learning.listwise`) gives the better weights, ``--recipe paper``
(`training.learning.contrastive`) those of the publication. Beside the weights are written their card, the curves of the
training and its checkpoint.

A training that was killed goes on with ``--resume`` and ends with the same weights, bit for bit, on the same machine;
on a graphics card only if its library is told to compute deterministically
(``XLA_FLAGS=--xla_gpu_deterministic_ops=true``).
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import get_args, get_type_hints

from training.command import command
from training.learning.card import save
from training.learning.curves import draw_curves
from training.learning.loop import RECIPES, AnyRecipe, train
from training.learning.pieces import WEAR, PieceRecipe
from training.pages.preparation import pages_of
from training.pages.shredding import Wear


def _show(fraction: float, text: str) -> None:
    """Show progress on a terminal, in a line that the next output overwrites."""
    if sys.stderr.isatty():
        print(f"{text} ({fraction:.0%})", end="\n" if fraction == 1 else "\r", file=sys.stderr, flush=True)


def _parse(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, AnyRecipe]:
    """Read the command line; every setting of the chosen recipe is an option."""
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--recipe", choices=RECIPES, default=next(iter(RECIPES)), help="default: %(default)s")
    chosen = RECIPES[first.parse_known_args(arguments)[0].recipe]
    parser = argparse.ArgumentParser(prog="python -m training.train", description=main.__doc__, parents=[first])
    parser.add_argument(
        "pages", type=Path, nargs="+", help="files made by training.corpus, or folders of intact pages; each a source"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="weights to write, .keras; card.json and curves.png beside"
    )
    parser.add_argument(
        "--shares", type=float, nargs="+", help="part of the pages that each source supplies (default: equal parts)"
    )
    parser.add_argument("--validate-on", type=int, default=0, help="source to validate on (default: the first, 0)")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint beside the output")
    settings = parser.add_argument_group(f"settings of the recipe {chosen.name}")
    defaults = asdict(chosen())
    kinds = get_type_hints(chosen)
    for name, value in defaults.items():
        option, choices = f"--{name.replace('_', '-')}", get_args(kinds[name]) or None
        settings.add_argument(option, type=type(value), default=value, choices=choices, help="default: %(default)s")
    options = parser.parse_args(arguments)
    if options.output.suffix != ".keras":
        parser.error(f"weights are written to a file named .keras, not {options.output.name}")
    return options, chosen(**{name: getattr(options, name) for name in defaults})


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Train the encoder on intact pages."""
    options, recipe = _parse(arguments)
    wear, output = WEAR if isinstance(recipe, PieceRecipe) else Wear(), options.output
    sources = [pages_of(path) for path in options.pages]
    mixture = {"shares": options.shares, "validate_on": options.validate_on}
    checkpoint = output.with_suffix(".checkpoint.npz")
    encoder, history = train(
        sources, recipe, wear, checkpoint=checkpoint, resume=options.resume, progress=_show, **mixture
    )
    save(encoder, output, sources, recipe, wear, history, **mixture)
    print(f"Weights written to {output}")
    try:
        draw_curves(history, recipe.selection, output.with_name("curves.png"))
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        print("There is no picture of the curves, for matplotlib is missing: draw it later with training.curves.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
