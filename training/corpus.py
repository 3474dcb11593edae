"""Prepares a file of pages to train on: ``python -m training.corpus FOLDER... -o pages.npz``."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.parallel import n_cores
from training.command import command
from training.pages.intact import Margin, write_pages
from training.pages.preparation import PATTERNS, find_pages, prepare_all


def _count(pages: Iterator[tuple[str, Margin]], every: int = 100) -> Iterator[tuple[str, Margin]]:
    """Pass pages on, and say now and then how many there were."""
    for number, page in enumerate(pages, start=1):
        yield page
        if number % every == 0:
            print(f"{number} pages", file=sys.stderr, flush=True)


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Prepare a file of pages to train on from scans and PDF files."""
    parser = argparse.ArgumentParser(prog="python -m training.corpus", description=main.__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of scans at 300 dpi, or of PDF files")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file to write, .npz")
    which = f"which files below the folders; repeatable (default: {' '.join(PATTERNS)}, or all images without these)"
    parser.add_argument("--pattern", action="append", default=[], help=which)
    everything = "print and scan everything in software (default: only the PDF files of training.rendering)"
    parser.add_argument("--print-scan", action="store_true", help=everything)
    lie = "leave pages that are wider than high so (default: set them on their narrow side, whatever is up)"
    parser.add_argument("--as-they-lie", action="store_true", help=lie)
    how = "of how pages are printed and scanned (default: %(default)s)"
    parser.add_argument("--seed", type=int, default=1, help=how)
    parser.add_argument("--processes", type=int, default=n_cores(), help="how many at a time (default: %(default)s)")
    options = parser.parse_args(arguments)
    paths = [path for folder in options.folders for path in find_pages(folder, options.pattern)]
    how_prepared = {"print_scan": options.print_scan, "as_they_lie": options.as_they_lie}
    pages = prepare_all(paths, processes=options.processes, seed=options.seed, **how_prepared)
    n_pages = write_pages(_count(pages), options.output)
    print(f"{n_pages} pages of {len(paths)} files written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
