"""Command: render pages to train on."""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from ctypes.util import find_library
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tqdm import tqdm

from training.command import command
from training.rendering.documents import PAGES_PER_DOCUMENT, render_document
from training.rendering.fonts import REMEDY, installed_fonts
from training.rendering.texts import SCRIPTS


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Render invented pages of many kinds, languages and fonts into PDF files."""
    parser = argparse.ArgumentParser(prog="python -m training.rendering", description=main.__doc__)
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="folder for the PDF files; made if it is not there"
    )
    parser.add_argument("--pages", type=int, default=2000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="how many at a time (default: %(default)s)")
    by_script = "as many pages of each script, each in a folder of its name (default: as languages are spread)"
    parser.add_argument("--by-script", action="store_true", help=by_script)
    options = parser.parse_args(arguments)
    if missing := installed_fonts().missing:
        families = f"{len(missing)} font families are not installed, so the pages vary less: {', '.join(missing)}."
        print(families, REMEDY, file=sys.stderr)
    if find_library("harfbuzz-subset") is None:
        print(f"libharfbuzz-subset is missing: large fonts take minutes and much memory. {REMEDY}", file=sys.stderr)
    options.output.mkdir(parents=True, exist_ok=True)
    able = {"latin", *installed_fonts().families}
    scripts = tuple(script for script in SCRIPTS if script in able) if options.by_script else ()
    numbers = range(-(-options.pages // PAGES_PER_DOCUMENT))
    render = partial(render_document, seed=options.seed, n_pages=options.pages, folder=options.output, scripts=scripts)
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        size = sum(tqdm(pool.map(render, numbers), total=len(numbers), unit=" documents"))
    print(f"{options.pages} pages in {len(numbers)} files, {size / 1e6:.1f} MB, written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
