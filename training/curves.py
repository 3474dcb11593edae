"""A picture of how a training went: ``python -m training.curves card.json -o curves.png``."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from training.learning.curves import draw_curves


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the curves of a training from the card of its weights."""
    parser = argparse.ArgumentParser(prog="python -m training.curves", description=main.__doc__)
    parser.add_argument("card", type=Path, help="card.json, beside the weights")
    parser.add_argument(
        "-o", "--output", type=Path, help="picture to write, .png (default: curves.png beside the card)"
    )
    options = parser.parse_args(arguments)
    card = json.loads(options.card.read_text())
    draw_curves(card["history"], card["settings"]["selection"], options.output or options.card.with_name("curves.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
