"""The command "export": a case as a folder of files for other programs."""

import argparse
from pathlib import Path

from core.cli.common import add_messages, check_outputs, progress_bar
from core.options import Export
from core.progress import part

USAGE = "CASE -o FOLDER [options]"
DESCRIPTION = "Export a case as a folder of files for other programs."
EPILOG = """\
examples:
  python main.py export matter.rejoin -o matter --pages png --order csv json --shreds
  python main.py export matter.rejoin -o matter --pages tiff --seams

pages/ holds a picture of each page at 300 dpi, reading/ the same made to be read, seams/ with cuts, gaps and numbers of
shreds drawn, shreds/ each shred cut out, transparent beyond its paper, text/ what Tesseract read on each page, and
order.csv or order.json where each shred stands. ABOUT.txt says what it is and what it was made from, SHA256SUMS lists
the hashes of all files.
All of it is written, or nothing.

exit codes:
  0 done    1 unexpected, or the folder could not be written    2 wrong use    3 the case could not be read
  130 cancelled
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("case", type=Path, metavar="CASE", help="a case file")
    output_help = "a folder that is not there yet, or is empty"
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help=output_help)
    group = parser.add_argument_group("contents")
    group.add_argument("--pages", choices=("png", "tiff"), help="a picture of each page")
    order_help = "where each shred stands and how sure its join is, as a table or for programs"
    group.add_argument("--order", nargs="+", choices=("csv", "json"), default=[], help=order_help)
    group.add_argument("--shreds", action="store_true", help="each shred, cut out")
    seams_help = "the pages once more, with cuts, gaps and numbers of shreds"
    group.add_argument("--seams", action="store_true", help=seams_help)
    text_help = "the text of each page, as Tesseract reads it (default: eng); needs it installed"
    group.add_argument("--text", nargs="?", const="eng", default="", metavar="LANGUAGES", help=text_help)
    reading_help = "the pages once more, made to be read: rims of cuts lie over one another"
    group.add_argument("--reading", action="store_true", help=reading_help)
    add_messages(parser)


def run(arguments: argparse.Namespace) -> int:
    """Export the case; return the exit code."""
    check_outputs([arguments.case], [arguments.output], "the case")
    from core.case.file import load
    from core.output.export import write_export

    order = tuple(arguments.order)
    wanted = Export(
        arguments.pages, order, arguments.shreds, arguments.seams, text=arguments.text, reading=arguments.reading
    )
    with progress_bar(arguments.quiet) as progress:
        case = load(arguments.case, part(progress, 0.0, 0.2))
        write_export(arguments.output, case, wanted, name=arguments.case.stem, progress=part(progress, 0.2, 1.0))
    if not arguments.quiet:
        print(f"Written: {arguments.output}")
    return 0
