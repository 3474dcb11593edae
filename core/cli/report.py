"""The command "report": the pages of a case and all that led to them, as PDF/A."""

import argparse
from pathlib import Path

from core.cli.common import add_messages, check_outputs, progress_bar, say
from core.errors import UsageError
from core.options import REPORT_SECTIONS
from core.progress import part
from core.text import tesseract

USAGE = "CASE -o FILE.pdf [options]"
DESCRIPTION = "Write the report on a case."
EPILOG = """\
examples:
  python main.py report matter.rejoin -o report.pdf
  python main.py report matter.rejoin -o pages.pdf --appendix report.pdf --seams
  python main.py report matter.rejoin -o report.pdf --text-layer deu+eng
  python main.py report matter.rejoin -o pages.pdf --sections pages,summary,history --pages 3-7

The report is PDF/A-2b: the pages at true size, then sheets with hashes and the outline of every shred, the order with
the cost of every join, all shreds in pictures, options, history, software, method, limits. Neither the case nor the
sheets are changed.

exit codes:
  0 done    1 unexpected, or the report could not be written    2 wrong use    3 the case could not be read
  130 cancelled
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("case", type=Path, metavar="CASE", help="a case file")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the report, .pdf")
    group = parser.add_argument_group("contents")
    choice = group.add_mutually_exclusive_group()
    appendix_help = "a file of its own for all that led to the pages; the first one then holds the pages alone"
    choice.add_argument("--appendix", type=Path, metavar="FILE", help=appendix_help)
    choice.add_argument("--appendix-only", action="store_true", help="leave the pages out")
    sections_help = f"what it holds, of {', '.join(REPORT_SECTIONS)} (default: all)"
    group.add_argument("--sections", metavar="NAME,…", help=sections_help)
    pages_help = "which pages are shown (default: all); what led to them is told of all"
    group.add_argument("--pages", default="", metavar="3-7,12", help=pages_help)
    group.add_argument("--seams", action="store_true", help="show cuts, gaps and numbers of shreds, as a layer")
    reading_help = "add the reading pages, on which rims of cuts lie over one another, behind the evidence pages"
    group.add_argument("--reading", action="store_true", help=reading_help)
    text_help = "let Tesseract read the pages so that they can be searched (default: eng); needs it installed"
    group.add_argument("--text-layer", nargs="?", const="eng", default="", metavar="LANGUAGES", help=text_help)
    add_messages(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the report; return the exit code."""
    outputs = [path for path in (arguments.output, arguments.appendix) if path is not None]
    sections = _sections(arguments.sections, not arguments.appendix_only)
    check_outputs([arguments.case], outputs, "the case")
    from core.case.file import load
    from core.output.page_range import read_pages
    from core.output.report.evidence import write_report

    with progress_bar(arguments.quiet) as progress:
        case = load(arguments.case, part(progress, 0.0, 0.2))
        written = write_report(
            arguments.output,
            case,
            name=arguments.case.stem,
            appendix=arguments.appendix,
            sections=sections,
            pages=read_pages(arguments.pages, len(case.arrangement.pages)),
            seams=arguments.seams,
            reading=arguments.reading,
            languages=arguments.text_layer,
            progress=part(progress, 0.2, 1.0),
        )
    if arguments.text_layer and not tesseract.installed():
        say(tesseract.NOT_INSTALLED)
    if not arguments.quiet:
        print("\n".join(f"Written: {path}" for path in written))
    return 0


def _sections(listed: str | None, with_pages: bool) -> list[str]:
    """Read which sections are wanted."""
    names = REPORT_SECTIONS if listed is None else [name.strip() for name in listed.split(",") if name.strip()]
    if unknown := [name for name in names if name not in REPORT_SECTIONS]:
        raise UsageError(f"A report has no section {unknown[0]}. Its sections are {', '.join(REPORT_SECTIONS)}.")
    return [name for name in names if name != "pages" or with_pages]
