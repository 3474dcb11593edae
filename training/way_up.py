"""Trains what tells which way up a shred is: ``python -m training.way_up PAGES... -o way_up.keras``.

It takes files of upright pages made by training.corpus, in as many scripts as possible
(``training.rendering --by-script``, ``training.corpus --as-they-lie``). Beside the weights is written their card.
OpenCV and SciPy are needed.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.parallel import n_cores
from training.command import command


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Train the network that tells which way up a shred is."""
    # The processes that cut strips import this module too, and need neither Keras nor a graphics card.
    from training.learning.card import describe, save_with_card
    from training.learning.way_up import WayUpRecipe, train
    from training.pages.preparation import pages_of

    parser = argparse.ArgumentParser(prog="python -m training.way_up", description=main.__doc__)
    parser.add_argument("pages", type=Path, nargs="+", help="files made by training.corpus; each is a source")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="weights to write, .keras; their card, .json, beside"
    )
    parser.add_argument(
        "--shares", type=float, nargs="+", help="part of the pages that each source supplies (default: equal parts)"
    )
    how_many = "how many cut strips at a time (default: %(default)s)"
    parser.add_argument("--processes", type=int, default=n_cores(), help=how_many)
    settings = parser.add_argument_group("settings")
    defaults = asdict(WayUpRecipe())
    for name, value in defaults.items():
        settings.add_argument(
            f"--{name.replace('_', '-')}", type=type(value), default=value, help="default: %(default)s"
        )
    options = parser.parse_args(arguments)
    if options.output.suffix != ".keras":
        parser.error(f"weights are written to a file named .keras, not {options.output.name}")
    if options.shares and len(options.shares) != len(options.pages):
        parser.error(f"{len(options.pages)} sources of pages need as many shares, not {len(options.shares)}")
    recipe = WayUpRecipe(**{name: getattr(options, name) for name in defaults})
    sources = [pages_of(path) for path in options.pages]
    network, history = train(sources, recipe, options.shares, processes=options.processes)
    facts = {
        "pages": [describe(source) for source in sources],
        "shares": options.shares or [1] * len(sources),
        "seconds": history[-1]["seconds"],
    }
    save_with_card(network, options.output, options.output.with_suffix(".json"), recipe, history, facts)
    print(f"Weights written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
