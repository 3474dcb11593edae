"""Lays whole documents on strangers' beds: ``python -m training.beds DATASET_DIR -o FOLDER``.

The folder is a data set of its own: ``python -m training.evaluate FOLDER`` measures the way from such scans to pages.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from PIL import Image

from core.options import Options
from training.command import command
from training.measuring.documents import DataSet, Document, read_data_set
from training.measuring.progress_bar import progress_bar
from training.pages.beds.laid_out import INKS, Conditions, LaidOut, Paper, lay_out
from training.pages.beds.surfaces import SURFACES

SHEETS = 2
"""The shreds of each document are shared out to so many sheets."""


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Lay whole documents on strangers' beds."""
    options = _parser().parse_args(arguments)
    names = {field.name for field in fields(Conditions)} & vars(options).keys()
    conditions = Conditions(**{name: value for name, value in vars(options).items() if name in names and value})
    surfaces = [options.surface] if options.surface else list(SURFACES)
    with progress_bar() as progress:
        data = read_data_set(options.folder, Options(), progress)
        documents = [one for one in data.documents if len(one.order) > SHEETS][: options.documents]
        truth = {}
        for number, document in enumerate(documents):
            surface = surfaces[number % len(surfaces)]
            truth[document.name] = _laid(data, document, replace(conditions, surface=surface), number, options)
            progress((number + 1) / len(documents), "Documents laid out")
    (options.output / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    return 0


def _laid(
    data: DataSet, document: Document, conditions: Conditions, number: int, options: argparse.Namespace
) -> dict[str, Any]:
    """Lay the shreds of a document out and scan them; returns the truth about it."""
    papers = [Paper(shred.pixels, shred.mask) for shred in (data.found.shreds[index] for index in document.order)]
    folder = options.output / document.name
    folder.mkdir(parents=True, exist_ok=True)
    paths, shreds = [], []
    for sheet in range(SHEETS):
        first, end = (at * len(papers) // SHEETS for at in (sheet, sheet + 1))
        laid = lay_out(papers[first:end], conditions, (options.seed, number, sheet), whole=True)
        path = folder / f"sheet_{sheet + 1}.jpg"
        Image.fromarray(laid.scan).save(path, quality=conditions.quality, dpi=(conditions.dpi, conditions.dpi))
        paths.append(f"{document.name}/{path.name}")
        shreds += _truth(laid, sheet + 1, first)
    return {"surface": conditions.surface, "sheets": paths, "shreds": shreds}


def _truth(laid: LaidOut, sheet: int, first: int) -> list[dict[str, Any]]:
    """Describe the shreds on a sheet; boxes are at 300 dpi, as sheets are read."""
    return [
        {"sheet": sheet, "bbox": list(map(int, box)), "order": order, "blank": False}
        for order, (box, _) in enumerate(laid.truth, start=first)
    ]


def _parser() -> argparse.ArgumentParser:
    """Declare what can be asked for."""
    parser = argparse.ArgumentParser(prog="python -m training.beds", description=main.__doc__)
    parser.add_argument("folder", type=Path, metavar="DATASET_DIR", help="as training.evaluate reads it")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="where the beds are written")
    parser.add_argument("--documents", type=int, metavar="N", help="lay out no more than the first N")
    parser.add_argument("--surface", choices=SURFACES, help="what all lie on (default: each kind in turn)")
    parser.add_argument("--beside", action="store_true", help="the support is smaller than the bed, the lid beside it")
    parser.add_argument("--over", choices=["pocket", "tape"], help="what lies over the shreds")
    parser.add_argument("--paper", choices=["tinted", "coloured"], help="the colour of the shreds' own paper")
    parser.add_argument("--ink", choices=[ink for ink in INKS if ink], help="print is drawn anew in this colour")
    parser.add_argument("--light", choices=["uneven", "shadow", "dark", "linear"], help="other than even")
    parser.add_argument("--quality", type=int, default=90, help="of the JPEG files (default: %(default)s)")
    parser.add_argument("--dpi", type=int, default=300, help="resolution of the scans (default: %(default)s)")
    parser.add_argument("--angle-deg", type=float, default=0.0, help="by how much all lie turned")
    parser.add_argument("--seed", type=int, default=0, help="for whatever is drawn by chance (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
