"""The command "add": more sheets to a case that is there."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.case.case import Case
from core.case.record import adding_parameters, recorded
from core.cli.changing import (
    add_case_options,
    add_results,
    check_results,
    examiner_of,
    held,
    saved,
    weights_for,
    write_results,
)
from core.cli.common import (
    add_cache,
    add_each_file,
    add_messages,
    add_workers,
    memory_of,
    progress_bar,
    say,
    surveyed,
    workers_from,
)
from core.cli.sentences import changed, doubtful, new_notes_on_faces
from core.errors import UnreadableInputError
from core.parallel import HERE
from core.progress import Progress, part
from core.sheets.input_file import InputFile
from core.sheets.mends import is_excluded
from core.sheets.sheet import SheetInfo, sheet_names
from core.wording import alike_once, counted

if TYPE_CHECKING:  # brings Keras, and what compares borders
    from core.embedding.encoder import Encoder
    from core.memory import Memory

USAGE = "CASE SHEET... [options]"
DESCRIPTION = "Add sheets to a case; only they are read, and everything that was said and done stays."
EPILOG = """\
examples:
  python main.py add matter.rejoin sheet_3.jpg sheet_4.jpg
  python main.py add matter.rejoin scans/ -o pages.pdf --json result.json

New sheets are read with the options of the case, numbered after those that are there in the order given, those of a
folder as a person numbers them, and priced against all. Files that the case has already, by their SHA-256, are named
and skipped. A case file holds no borders: those of the other shreds are read again from the pixels in the case, not
from their sheets. It is one step of the history, and `verify` repeats it. If a file is damaged, nothing is changed.

exit codes:
  0 done, also where there was nothing new    1 unexpected, the case is open in a window, or could not be written
  2 wrong use    3 the case or a sheet could not be read    4 nothing found on the sheets    130 cancelled
"""

LoadEncoder = Callable[[], "Encoder"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("case", type=Path, metavar="CASE", help="a case file")
    parser.add_argument("sheets", nargs="+", type=Path, metavar="SHEET", help="image, PDF of scans, or folder of them")
    add_results(parser)
    add_reading(parser)
    add_case_options(parser)
    add_cache(parser)
    add_workers(parser)
    add_messages(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how files are read.

    Parameters
    ----------
    parser : ArgumentParser
        Of a command that adds sheets.
    """
    group = parser.add_argument_group("reading")
    add_each_file(group)
    dpi_help = "resolution of files that do not say it (default: estimated from those that are added)"
    group.add_argument("--dpi", type=float, help=dpi_help)


def run(arguments: argparse.Namespace) -> int:
    """Add the sheets and save the case; return the exit code."""
    check_results(arguments, [*arguments.sheets, arguments.case], "the case, or one of the sheets")
    from core.case.file import load as load_case
    from core.pipeline import load_encoder
    from core.renewal.adding import known_inputs

    said: list[str] = []
    with held(arguments.case), progress_bar(arguments.quiet) as progress, workers_from(arguments) as workers:
        before = case = load_case(arguments.case, part(progress, 0.0, 0.05))
        weights = weights_for(case, arguments, arguments.case)
        files, known = known_inputs(case.sheets, arguments.sheets)
        for file, number in known.items():
            say(_known(file, number, case.sheets))
        if files:
            given = {"each_file": arguments.each_file, "dpi": arguments.dpi, "known": case.sheets}
            read = surveyed(files, case.options.reading, arguments.quiet, progress, **given).files
            who = examiner_of(case, arguments)
            load, memory = partial(load_encoder, weights), memory_of(arguments, workers)
            case = with_sheets(case, read, load, who, part(progress, 0.05, 0.85), strict=True, memory=memory)
            case = saved(case, arguments.case, who, part(progress, 0.85, 0.9))
            said = [summary(before, case), *changed(before, case), doubtful(case)]
        written = write_results(arguments, case, part(progress, 0.9, 1.0))
        progress(1.0, "Done")
    for note in [*alike_once(case.unreadable[len(before.unreadable) :]), *new_notes_on_faces(before, case)]:
        say(note)
    if not arguments.quiet:
        print("\n".join([*(said or ["Nothing was added."]), *(f"Written: {path}" for path in written)]))
    return 0


def with_sheets(
    case: Case,
    files: Sequence[InputFile],
    load_encoder: LoadEncoder,
    who: str,
    progress: Progress,
    *,
    strict: bool = False,
    memory: "Memory | None" = None,
) -> Case:
    """Add files to a case, as one step of its history.

    Parameters
    ----------
    case : Case
        As it was saved.
    files : sequence of InputFile
        What it lacks.
    load_encoder : callable
        Returns the encoder.
    who : str
        Name of the examiner.
    progress : Progress
        Fraction and text.
    strict : bool
        Refuse all if one is damaged; otherwise the others are added, and that is noted.
    memory : Memory, optional
        What it still has of borders is not read again, nor what its cache has of sheets.

    Returns
    -------
    Case
        With an entry more.

    Raises
    ------
    UnreadableInputError
        If a file is damaged, and that is to stop the others; or if nothing can be read, or is new.
    NothingFoundError
        If there is no shred on any of the sheets.
    """
    from core.renewal.adding import add, read_added

    cache, workers = (None, HERE) if memory is None else (memory.cache, memory.workers)
    found = read_added(case, files, progress=part(progress, 0.0, 0.5), cache=cache, workers=workers)
    if strict and found.damaged:
        raise UnreadableInputError("\n".join([*alike_once(found.damaged), "Nothing was added."]))
    after = add(case, found, load_encoder, part(progress, 0.5, 1.0), memory=memory)
    names = ", ".join(sheet_names(found.sheets))
    text = f"{counted(len(found.sheets), 'sheet')} added: {names}"
    return recorded(after, who, "sheets added", text, adding_parameters(after, len(case.sheets)))


def summary(before: Case | None, after: Case) -> str:
    """Say how many sheets and shreds were added.

    Parameters
    ----------
    before, after : Case
        Without and with them; before the first ones there is none.

    Returns
    -------
    str
        "2 sheets added, with 14 shreds."
    """
    shreds = after.shreds if before is None else after.shreds[len(before.shreds) :]
    n_shreds = sum(not shred.scrap for shred in shreds)
    n_sheets = len(after.sheets) - (0 if before is None else len(before.sheets))
    return f"{counted(n_sheets, 'sheet')} added, with {counted(n_shreds, 'shred')}."


def _known(file: InputFile, number: int, sheets: Sequence[SheetInfo]) -> str:
    """Say that a file is in the case already."""
    text = f"{file.path} is in the case already, as sheet {number + 1}: it was not added again."
    if is_excluded(sheets[number].mends):
        text += f" It was withdrawn; withdraw CASE {number + 1} --back takes it in again."
    return text
