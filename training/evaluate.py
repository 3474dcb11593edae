"""Measures accuracy and time on real shreds: ``python -m training.evaluate DATASET_DIR``.

Accuracy is the paper's, see `training.measuring.accuracy`; a shred that was not found takes its joins with it.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from core.options import CostOptions
from core.progress import Progress
from training.command import command
from training.measuring.cross_cut.evaluation import (
    MISSING,
    add_cross_cut_arguments,
    cutting_of,
    describe_cross_cut,
    evaluate_cross_cut,
)
from training.measuring.disturbances import Disturbance
from training.measuring.evaluation import METHODS, REJOIN, describe, evaluate
from training.measuring.faces.evaluation import describe_faces, evaluate_faces
from training.measuring.legibility import legibility
from training.measuring.methods import Dummy, Variant, add_weights_argument
from training.measuring.progress_bar import progress_bar
from training.measuring.segmentation import has_scans, segmentation_table
from training.measuring.sheet_matrix import N_SHEETS, matrix_cells, part_cells, photograph_cells, sheet_matrix
from training.pages.cross_cut import Cutting


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure accuracy and time on real shreds."""
    options = _parser().parse_args(arguments)
    if options.segmentation:
        _print_segmentation(options)
        return 0
    with progress_bar() as progress:
        text, result = _measured(options, progress)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def _print_segmentation(options: argparse.Namespace) -> None:
    """Measure how shreds are found."""
    folder = options.folders[0]
    if has_scans(folder):
        print(segmentation_table(folder))
    seed = options.seed
    cells = *matrix_cells(options.sheets, seed), *photograph_cells(options.photographs, seed)
    cells += part_cells(options.parts, seed)
    if cells:
        with progress_bar() as progress:
            matrix = sheet_matrix(folder, cells, progress)
        print(matrix)


def _measured(options: argparse.Namespace, progress: Progress) -> tuple[str, dict[str, Any]]:
    """Measure what is asked for: as text, and as what JSON can hold."""
    if options.legibility:
        read = legibility(options.folders[0], progress)
        return str(read), {"legibility": read.summary()}
    if options.faces:
        faces = evaluate_faces(options.folders[0], options.weights, progress)
        return describe_faces(faces), faces
    if options.cross_cut:
        cut = evaluate_cross_cut(
            options.folders[0],
            options.weights,
            cutting_of(options),
            missing=MISSING if options.missing is None else options.missing,
            all_pages=options.all_pages,
            mode=options.mode,
            progress=progress,
        )
        return describe_cross_cut(cut), {"cross_cut": cut}
    cost = CostOptions(
        use_contour=not (options.ink_alone or options.no_contour),
        use_tone=not options.ink_alone,
        use_lines=not options.no_layout,
        try_half_turns=options.half_turns,
        expect_margins=not options.no_layout,
    )
    variant = Variant("as asked for", cost, options.dummy)
    chosen = list(dict.fromkeys(options.method))
    how = Disturbance(options.half_turned or 0.0, options.laid_off, options.missing or 0.0, options.seed, options.light)
    result = evaluate(options.folders, options.weights, variant, options.mode, progress, chosen, how)
    return describe(result, per_document=options.per_document), result


def _parser() -> argparse.ArgumentParser:
    """Declare what can be asked for."""
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=main.__doc__)
    parser.add_argument(
        "folders",
        type=Path,
        nargs="+",
        metavar="DATASET_DIR",
        help="documents, as training/measuring/documents.py reads them; several folders are mixed",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result to this file as well")
    add_weights_argument(parser)
    parser.add_argument("--mode", choices=["single", "multi", "both"], default="both", help="default: %(default)s")
    methods = "methods to measure on the same shreds (default: rejoin)"
    parser.add_argument("--method", nargs="+", choices=METHODS, default=[REJOIN], help=methods)
    closes = "what closes a page: blank paper or, as in the publications, a dummy of cost 0; "
    closes += "baselines always have the latter (default: %(default)s)"
    parser.add_argument("--dummy", choices=get_args(Dummy), default="blank", help=closes)
    parser.add_argument("--per-document", action="store_true", help="list the accuracy of every document")
    parser.add_argument("--no-contour", action="store_true", help="leave the contour of the cuts out")
    parser.add_argument("--ink-alone", action="store_true", help="leave out both the contour and the grey tones")
    parser.add_argument("--no-layout", action="store_true", help="leave lines of print and margins out")
    tried = "find out whether shreds lie upside down, or too high or too low (default)"
    parser.add_argument("--half-turns", action=argparse.BooleanOptionalAction, default=True, help=tried)
    for name, what, cut in (
        ("--half-turned", "laid upside down", Cutting.half_turned),
        ("--missing", "taken away", MISSING),
    ):
        share = f"share of the shreds, 0 to 1, that are {what} (default: none; with --cross-cut {cut:g})"
        parser.add_argument(name, type=float, metavar="SHARE", help=share)
    off = "lay every shred up to so much too high or too low"
    parser.add_argument("--laid-off", type=float, default=0.0, metavar="MM", help=off)
    light = "share of the light, 0 to 1, that the scanner had: less makes white paper grey (default: %(default)g)"
    parser.add_argument("--light", type=float, default=1.0, metavar="SHARE", help=light)
    found = (
        "measure how shreds are found, and nothing else: on the scans of the data set, and on sheets laid out from its "
    )
    found += "shreds on any background; the folder may be one that holds several data sets"
    parser.add_argument("--segmentation", action="store_true", help=found)
    sheets = "with --segmentation: number of sheets to lay out (default: %(default)s)"
    parser.add_argument("--sheets", type=int, default=N_SHEETS, metavar="N", help=sheets)
    photographs = "with --segmentation: number of photographs of such sheets (default: %(default)s)"
    parser.add_argument("--photographs", type=int, default=0, metavar="N", help=photographs)
    parts = (
        "with --segmentation: number of narrow parts of such sheets, with one to three shreds (default: %(default)s)"
    )
    parser.add_argument("--parts", type=int, default=0, metavar="N", help=parts)
    reads = "measure how well reconstructed pages read, and nothing else: words, slope, displacement of every shred "
    reads += "(needs Tesseract, and a data set with intact pages)"
    parser.add_argument("--legibility", action="store_true", help=reads)
    faced = (
        "measure how well faces are paired and what both are worth, and nothing else: of a folder of shreds with two "
    )
    faced += "faces, as training.sack --two-faced makes them"
    parser.add_argument("--faces", action="store_true", help=faced)
    add_cross_cut_arguments(parser)
    parser.add_argument("--seed", type=int, default=0, help="for whatever is drawn by chance (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
