"""The command "withdraw": sheets of a case whose shreds are not to be used, or are used again."""

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from core.case.case import Case
from core.case.record import mending_parameters, recorded
from core.case.states import on_the_way
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
from core.cli.common import add_messages, progress_bar, say
from core.cli.sentences import changed, doubtful, new_notes_on_faces
from core.errors import UsageError
from core.progress import Progress, in_parts, part
from core.sheets.mends import with_exclusion
from core.sheets.sheet import file_names, sheet_names
from core.wording import counted

USAGE = "CASE SHEET... [--back] [options]"
DESCRIPTION = "Withdraw sheets from a case, or take them back in; everything said and done of other shreds stays."
EPILOG = """\
examples:
  python main.py withdraw matter.rejoin sheet_3.jpg
  python main.py withdraw matter.rejoin 3 -o pages.pdf
  python main.py withdraw matter.rejoin 3 --back

The shreds of a withdrawn sheet leave their pages and the case; joins, notes and all else that was said of them go with
them, which is told. The sheet itself stays on record with its SHA-256, its number and the word "excluded", so that
nobody is left to wonder where it went, and numbers of other shreds stay. In the window, Withdraw Sheet does it. It is
one step of the history, and `verify` repeats it.

exit codes:
  0 done    1 unexpected, the case is open in a window, or could not be written    2 wrong use
  3 the case, or a sheet that is taken back in, could not be read    4 nothing would be left    130 cancelled
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("case", type=Path, metavar="CASE", help="a case file")
    sheets_help = "number of a sheet, or name of a file, which stands for all its pages"
    parser.add_argument("sheets", nargs="+", metavar="SHEET", help=sheets_help)
    parser.add_argument("--back", action="store_true", help="take them back in: they are read again")
    add_results(parser)
    group = add_case_options(parser)
    folder_help = "where sheets lie that are taken back in, if neither where they lay nor beside the case"
    group.add_argument(
        "--sheets", type=Path, action="append", default=[], dest="folders", metavar="FOLDER", help=folder_help
    )
    add_messages(parser)


def run(arguments: argparse.Namespace) -> int:
    """Withdraw the sheets and save the case; return the exit code."""
    check_results(arguments, [arguments.case], "the case")
    from core.case.file import load

    with held(arguments.case), progress_bar(arguments.quiet) as progress:
        before = load(arguments.case, part(progress, 0.0, 0.05))
        numbers = [number for name in arguments.sheets for number in _numbers(before, name)]
        case, lost = _mended(before, dict.fromkeys(numbers), arguments, part(progress, 0.05, 0.85))
        if case is not before:
            case = saved(case, arguments.case, examiner_of(before, arguments), part(progress, 0.85, 0.9))
        written = write_results(arguments, case, part(progress, 0.9, 1.0))
        progress(1.0, "Done")
    if lost:
        say(f"What was said of {', '.join(lost)} went with {'it' if len(lost) == 1 else 'them'}.")
    for note in new_notes_on_faces(before, case):
        say(note)
    if not arguments.quiet:
        said = (
            ["Nothing was changed: so it is already."] if case is before else [*changed(before, case), doubtful(case)]
        )
        print("\n".join([*said, *(f"Written: {path}" for path in written)]))
    return 0


def _numbers(case: Case, name: str) -> list[int]:
    """Find the sheets that are meant, or say which there are."""
    if name.isdecimal() and 1 <= int(name) <= len(case.sheets):
        return [int(name) - 1]
    called, files = sheet_names(case.sheets), file_names([sheet.path for sheet in case.sheets])
    names = [
        {sheet.path.name, str(sheet.path), sheet.name, *told}
        for sheet, *told in zip(case.sheets, called, files, strict=True)
    ]
    found = [number for number, names_of_sheet in enumerate(names) if name in names_of_sheet]
    if len({case.sheets[number].path for number in found}) > 1:
        listed = ", ".join(f"{number + 1} is {called[number]}" for number in found)
        raise UsageError(f"Several sheets are called {name}: {listed}. Give the number.")
    if not found:
        listed = ", ".join(f"{number} {one}" for number, one in enumerate(called[:20], start=1))
        more = f" and {len(called) - 20} more" if len(called) > 20 else ""
        raise UsageError(f"The case has no sheet {name}. It has {listed}{more}.")
    return found


def _mended(
    case: Case, numbers: Iterable[int], arguments: argparse.Namespace, progress: Progress
) -> tuple[Case, tuple[str, ...]]:
    """Withdraw sheets, or take them back in, as one step; with the shreds that are lost by that."""
    from core.case.originals import at_hand
    from core.memory import Memory
    from core.pipeline import load_encoder
    from core.renewal.mending import mend

    wanted = {number: with_exclusion(case.sheets[number].mends, not arguments.back) for number in numbers}
    wanted = {number: mends for number, mends in wanted.items() if mends != case.sheets[number].mends}
    if not wanted:
        return case, ()
    encoder = load_encoder(weights_for(case, arguments, arguments.case))
    lost: list[str] = []
    memory, after = Memory(), case
    for (number, mends), of_this in in_parts(list(wanted.items()), progress):
        with at_hand(after, after.sheets[number], arguments.case, arguments.folders) as source:
            after, gone = mend(after, number, mends, lambda: encoder, of_this, source=source, memory=memory)
        lost += gone
    sheets, called = [after.sheets[number] for number in wanted], sheet_names(after.sheets)
    names = ", ".join(f"{number + 1} ({called[number]})" for number in wanted)
    after = replace(after, states=on_the_way(case))
    text = f"{counted(len(wanted), 'sheet')} {'taken back in' if arguments.back else 'withdrawn'}: {names}"
    return recorded(after, examiner_of(case, arguments), "mended", text, mending_parameters(sheets)), tuple(lost)
