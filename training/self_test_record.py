"""Writes what ``main.py self-test`` compares with: ``python -m training.self_test_record``.

To be run when weights, sample or method have been changed on purpose, and to be looked at before it is kept.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.system.files import write_json
from core.system.places import ROOT
from core.verification.self_test import measured


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what the bundled sample gives as the record of the self-test."""
    parser = argparse.ArgumentParser(prog="python -m training.self_test_record", description=main.__doc__)
    default = ROOT / "samples" / "expected.json"
    parser.add_argument("-o", "--output", type=Path, default=default, metavar="FILE", help="default: where it ships")
    options = parser.parse_args(arguments)
    write_json(options.output, measured())
    print(f"Written: {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
