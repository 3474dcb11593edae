"""Makes pages of text that were cut both ways without loss: ``python -m training.sample_pieces -o FOLDER``.

Each page is a folder with a picture of each piece; beside the folders stands which piece belongs where, as
``python -m training.evaluate FOLDER/page_1 --cross-cut`` reads it. Seeded, as the sample sheets are.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from training.command import command
from training.demo.pieces import write_pieces
from training.measuring.cross_cut.truth import CONTEST_TRUTH


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Write pages as pieces.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line, if absent.

    Returns
    -------
    int
        0.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder; is made")
    parser.add_argument("--pages", type=int, default=8, help="how many (8)")
    options = parser.parse_args(arguments)
    folders = {seed: options.output / f"page_{seed}" for seed in range(1, options.pages + 1)}
    truth = {folder.name: write_pieces(folder, seed) for seed, folder in folders.items()}
    (options.output / CONTEST_TRUTH).write_text(json.dumps(truth) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
