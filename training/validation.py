"""Measures how often joins are right, by how sure they are: ``python -m training.validation DATA/d1 … -o FILE``."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from core.errors import RejoinError
from core.system.files import replacing
from core.system.places import ROOT, weights_path
from training.measuring.validation import tables, validate, with_tables


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
    parser.add_argument("--weights", type=Path, default=weights_path(), help="encoder (default: the shipped one)")
    given = parser.parse_args(arguments)
    try:
        with tqdm(total=1.0, disable=None, bar_format="{desc:40} {bar}", leave=False) as bar:

            def progress(fraction: float, text: str) -> None:
                bar.set_description_str(text, refresh=False)
                bar.update(fraction - bar.n)

            told = validate(given.folders, given.weights, progress)
        with replacing(given.output) as new:
            new.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if given.document is not None:
            text = with_tables(given.document.read_text(encoding="utf-8"), told)
            with replacing(given.document) as new:
                new.write_text(text, encoding="utf-8")
    except RejoinError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(tables(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
