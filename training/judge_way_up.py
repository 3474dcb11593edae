"""Measures how well it is told which way up shreds are: ``python -m training.judge_way_up DATA...``.

A table of shreds as they lie, on their side and half-turned: share of which nothing is said, share that is right among
four ways and the loss in nats, the same where only a half-turn is in question, seconds for 100 shreds, pages that are
right by the sum over their shreds, and by how many nats the least sure of them is.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.embedding.way_up import WayUp
from core.options import Options
from core.system.places import way_up_weights_path
from training.command import command
from training.measuring.documents import read_data_set
from training.measuring.way_up import HEADING, judge_data_set, judge_pages
from training.pages.intact import load_pages


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure how well it is told which way up shreds are."""
    parser = argparse.ArgumentParser(prog="python -m training.judge_way_up", description=main.__doc__)
    pages = "folders of real shreds, or files of upright pages made by training.corpus, from which strips are cut"
    parser.add_argument("data", type=Path, nargs="+", help=pages)
    shipped = "default: those that ship"
    parser.add_argument("--weights", type=Path, default=way_up_weights_path(), help=shipped)
    parser.add_argument("--strips", type=int, default=100, help="of each folder of pages and way to cut (default: 100)")
    options = parser.parse_args(arguments)
    way_up = WayUp.load(options.weights)
    print(HEADING)
    for path in options.data:
        if path.is_file():
            rows = judge_pages(load_pages(path), way_up, options.strips)
        else:
            rows = judge_data_set(read_data_set(path, Options()), way_up, path.name)
        print(*rows, sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
