"""The command "reconstruct": sheets become pages without a window."""

import argparse
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from core.arrangement.arrangement import Arrangement
from core.arrangement.details import CaseDetails
from core.case.case import Case
from core.case.record import detailed, pages_from_sheets, reconstructed, recorded
from core.cli.common import (
    add_cache,
    add_each_file,
    add_messages,
    add_number,
    add_workers,
    check_outputs,
    memory_of,
    progress_bar,
    say,
    surveyed,
    workers_from,
)
from core.cli.sentences import doubtful, joins_listed
from core.errors import UsageError
from core.faces.blank_paper import filling_places
from core.faces.notes import notes_on_faces
from core.options import (
    CompositionOptions,
    CostOptions,
    FaceOptions,
    Options,
    OutputOptions,
    ReadingOptions,
    SegmentationOptions,
    SolverOptions,
)
from core.progress import in_parts, part
from core.system.host import login_name
from core.system.places import weights_path
from core.wording import alike_once, counted

if TYPE_CHECKING:  # brings the decoders of all formats
    from core.composition.page_image import Rendition

USAGE = "SHEET... -o FILE [options]"
DESCRIPTION = "Reconstruct shredded pages from scanned sheets, without a window."
EPILOG = """\
examples:
  python main.py reconstruct sheet_1.jpg sheet_2.jpg -o pages.pdf
  python main.py reconstruct scans/ -o pages.pdf --json result.json --case matter.rejoin
  python main.py reconstruct scans.pdf --dpi 600 --pages 3 -o pages.tif

The sheets are only read. A summary with the doubtful joins goes to standard output, messages to standard error.

exit codes:
  0 done    1 unexpected, or the result could not be written    2 wrong use
  3 no sheet could be read    4 nothing found to reconstruct    130 cancelled
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    default = Options()
    parser.add_argument("sheets", nargs="+", type=Path, metavar="SHEET", help="image, PDF of scans, or folder of them")
    pages_help = "the pages: .pdf, .tif, or .png (numbered, if there are several)"
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=pages_help)
    reading_help = "the pages once more, made to be read: rims of cuts overlap, bent strips are straight; same endings"
    parser.add_argument("--reading", type=Path, metavar="FILE", help=reading_help)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write shreds, order, joins and times for programs")
    parser.add_argument("--case", type=Path, metavar="FILE.rejoin", help="write the case, to go on in the window")
    group = parser.add_argument_group("details", "They stand in the case, its report, and the title of the pages.")
    group.add_argument("--case-number", default="", metavar="TEXT", help="as the file of the matter is numbered")
    group.add_argument("--exhibit", default="", metavar="TEXT", help="what the shreds are called as evidence")
    group.add_argument("--laboratory", default="", metavar="TEXT", help="where it is worked on")
    examiner_help = "who works on it, in the history, too (default: there the name of the login)"
    group.add_argument("--examiner", default="", metavar="NAME", help=examiner_help)
    group.add_argument("--remarks", default="", metavar="TEXT", help="who asked for what, what is known of the shreds")
    group = parser.add_argument_group("reading")
    add_each_file(group)
    group.add_argument("--dpi", type=float, help="resolution, if the files do not say it or say it wrongly")
    add_number(group, "--max-megapixels", default.reading.max_megapixels, "N", "refuse larger sheets")
    twice_help = "keep sheets that show the same as another one, instead of taking them once"
    group.add_argument("--keep-duplicates", action="store_true", help=twice_help)
    cut_help = "paper was cut into strips, or cross-cut into pieces with four cuts (default: as the pieces look)"
    group.add_argument("--cut", choices=("auto", "strip", "cross"), default=default.segmentation.cut, help=cut_help)
    group = parser.add_argument_group("order")
    group.add_argument("--pages", type=int, metavar="N", help="number of pages (default: from the shreds' widths)")
    add_number(group, "--page-width", default.solver.page_width_mm, "MM", "width of a page, for that estimate")
    add_number(group, "--max-shift", default.cost.max_shift_rows, "ROWS", "largest vertical shift, in rows of 4 px")
    laid_help = "find out whether shreds lie upside down, or up to 20 mm too high or too low (default)"
    laid = argparse.BooleanOptionalAction
    group.add_argument("--half-turns", action=laid, default=default.cost.try_half_turns, help=laid_help)
    faces_help = "find shreds that were turned over and scanned again, so that pages have a front and a back (default)"
    group.add_argument("--pair-faces", action=laid, default=default.faces.pair, help=faces_help)
    add_number(group, "--time-limit", default.solver.time_limit_s, "S", "seconds for proving the order cheapest")
    add_number(group, "--seed", default.solver.seed, "N", "the same seed gives the same order")
    engine_help = "exact: proved the cheapest (default); local-search: slow, without proof, to compare with"
    group.add_argument("--engine", choices=("exact", "local-search"), default=default.solver.engine, help=engine_help)
    weights_help = "weights of the encoder, instead of the bundled ones"
    group.add_argument("--weights", type=Path, metavar="FILE", help=weights_help)
    group = parser.add_argument_group("pages")
    group.add_argument("--seams", action="store_true", help="draw a thin line along every cut")
    quality = default.output.jpeg_quality
    jpeg_help = f"smaller PDF: JPEG images (quality {quality}, if not given) instead of lossless ones"
    group.add_argument("--jpeg", type=int, nargs="?", const=quality, metavar="QUALITY", help=jpeg_help)
    add_cache(parser)
    add_workers(parser)
    group = add_messages(parser)
    group.add_argument("--list-joins", action="store_true", help="print every join with its confidence")


def run(arguments: argparse.Namespace) -> int:
    """Reconstruct the pages and write them; return the exit code."""
    options, details = _options(arguments), _details(arguments)
    named = arguments.output, arguments.reading, arguments.json, arguments.case
    outputs = [path for path in named if path is not None]
    check_outputs(arguments.sheets, outputs)
    from core.case.file import save
    from core.composition.backs import with_backs
    from core.output.pages import page_paths, write_pages
    from core.output.result import write_result
    from core.pipeline import reconstruct

    renditions: dict[Rendition, Path] = {"evidence": arguments.output}
    if arguments.reading is not None:
        renditions["reading"] = arguments.reading
    for path in renditions.values():
        page_paths(path, Arrangement())  # refuses an unknown ending before the work
    with progress_bar(arguments.quiet) as progress, workers_from(arguments) as workers:
        given, each = arguments.sheets, arguments.each_file
        found = surveyed(given, options.reading, arguments.quiet, progress, each_file=each)
        files, told = list(found.files), {look.file.path for look in found.without_resolution}
        weights = arguments.weights or weights_path()
        memory = memory_of(arguments, workers)
        case = reconstruct(files, options, weights, progress=part(progress, 0.0, 0.8), memory=memory)
        who = details.examiner or login_name()
        case = detailed(reconstructed(case, who), details.values(), who)
        arrangement = with_backs(case).arrangement
        files_of_pages = [file for path in renditions.values() for file in page_paths(path, arrangement)]
        check_outputs(arguments.sheets, files_of_pages)
        start = perf_counter()
        written: tuple[Path, ...] = ()
        for (rendition, path), of_these in in_parts(list(renditions.items()), part(progress, 0.8, 0.98)):
            written += write_pages(path, case, rendition=rendition, progress=of_these)
        seconds = perf_counter() - start
        times = {**case.seconds, "compose": seconds, "total": case.seconds["total"] + seconds}
        case = replace(case, seconds=times)
        if arguments.case is not None:
            case = recorded(case, who, "saved", f"saved as {arguments.case.name}")
            save(case, arguments.case, part(progress, 0.98, 0.99))
        if arguments.json is not None:
            write_result(arguments.json, case, part(progress, 0.99, 1.0))
        progress(1.0, "Done")
    for note in _notes(case, set() if arguments.quiet else told):
        say(note)
    if not arguments.quiet:
        print(_summary(case, written))
    if arguments.list_joins:
        print(joins_listed(case.joins, case))
    elif not arguments.quiet:
        print(doubtful(case))
    return 0


def _options(arguments: argparse.Namespace) -> Options:
    """Return the defaults with what was given in their place."""
    try:
        return Options(
            reading=ReadingOptions(arguments.dpi, arguments.max_megapixels, arguments.keep_duplicates),
            segmentation=SegmentationOptions(cut=arguments.cut),
            faces=FaceOptions(pair=arguments.pair_faces),
            cost=CostOptions(max_shift_rows=arguments.max_shift, try_half_turns=arguments.half_turns),
            solver=SolverOptions(
                arguments.pages, arguments.page_width, arguments.time_limit, arguments.engine, arguments.seed
            ),
            composition=CompositionOptions(show_seams=arguments.seams),
            output=OutputOptions(lossless=True) if arguments.jpeg is None else OutputOptions(False, arguments.jpeg),
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


def _details(arguments: argparse.Namespace) -> CaseDetails:
    """Return what was said that the case is called; the window's defaults are of no account here."""
    try:
        return CaseDetails(
            number=arguments.case_number.strip(),
            exhibit=arguments.exhibit.strip(),
            laboratory=arguments.laboratory.strip(),
            examiner=arguments.examiner.strip(),
            remarks=arguments.remarks.strip(),
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


def _notes(case: Case, told: Collection[Path]) -> Iterator[str]:
    """List what was left out, what does not fit, and what was assumed but for the files of which it was told before."""
    estimated = (sheet for sheet in case.sheets if sheet.dpi_source == "estimated" and sheet.path not in told)
    yield from alike_once(case.unreadable)
    yield from notes_on_faces(case.shreds, case.arrangement, case.sheets)
    yield from alike_once(
        f"{sheet.path} does not say its resolution; taken as {sheet.dpi:g} dpi. If that is wrong, give --dpi."
        for sheet in estimated
    )


def _summary(case: Case, written: Sequence[Path]) -> str:
    """Sum up the result for a person."""
    from core.shreds.cross_cut.whole_set import described  # knows outlines, and so loads OpenCV

    scraps = {shred.id for shred in case.shreds if shred.scrap}
    found = pages_from_sheets(case)
    aside = set(case.arrangement.set_aside) - scraps
    inked = {
        shred
        for shred in aside
        if not {shred, *case.arrangement.other_faces.get(shred, ())[:1]}.isdisjoint(case.matched_ids)
    }
    if filling := filling_places(case.shreds, case.arrangement):
        found += f"; {counted(len(filling), 'blank piece')} where others leave a place"
    if aside - inked:
        found += f"; {counted(len(aside - inked), 'blank shred')} set aside"
    if inked:
        found += f"; {counted(len(inked), 'shred')} with ink set aside"
    if scraps:
        # Which are the two faces of one is not known.
        scans = counted(len(scraps), "piece" if not case.arrangement.other_faces else "face")
        found += f"; {scans} {'of pieces ' * bool(case.arrangement.other_faces)}too small to compare set aside"
    if crumbs := sum(crumb.reason != "frame" for crumb in case.crumbs):
        found += f"; {counted(crumbs, 'crumb')} left out"
    behind = {*case.arrangement.behind}
    seen = [shred for shred in case.shreds if shred.id not in behind]
    lines = [f"{found}.", f"The paper was {described(seen)}."]
    if case.arrangement.grid_places:
        lines.append("That no other order of these pieces fits better is not proved.")
    elif not case.optimal:
        percent = f"{case.gap_percent:.2g} %"
        lines.append(f"The order may be up to {percent} dearer than the cheapest; a longer --time-limit helps.")
    lines += [f"Written: {path}" for path in written]
    return "\n".join(lines)
