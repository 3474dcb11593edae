"""Measures how often joins are right, by how sure they are: ``python -m training.validation DATA/d1 … -o FILE``."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from core.system.files import replacing
from core.system.places import ROOT
from training.command import command
from training.measuring.methods import add_weights_argument
from training.measuring.progress_bar import progress_bar
from training.measuring.validation import tables, validate, with_tables


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure how often joins are right, by how sure they are, and write it down."""
    parser = argparse.ArgumentParser(prog="python -m training.validation", description=main.__doc__)
    parser.add_argument(
        "folders", type=Path, nargs="+", metavar="DATASET_DIR", help="as training/measuring/documents.py reads them"
    )
    default = ROOT / "validation.json"
    parser.add_argument("-o", "--output", type=Path, default=default, metavar="FILE", help="default: where it ships")
    parser.add_argument(
        "--document", type=Path, metavar="FILE", help="put the tables into this file, docs/validation.md"
    )
    add_weights_argument(parser)
    options = parser.parse_args(arguments)
    with progress_bar() as progress:
        figures = validate(options.folders, options.weights, progress)
    with replacing(options.output) as new:
        new.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.document is not None:
        text = with_tables(options.document.read_text(encoding="utf-8"), figures)
        with replacing(options.document) as new:
            new.write_text(text, encoding="utf-8")
    print(tables(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
