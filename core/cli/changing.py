"""What commands share that change a case: it is read, changed, and saved by one process at a time."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.arrangement.arrangement import Arrangement
from core.arrangement.details import CaseDetails
from core.case.case import Case
from core.case.lock import CaseLock
from core.case.record import recorded
from core.cli.common import check_outputs
from core.errors import OpenElsewhereError, UsageError
from core.progress import Progress, part
from core.system.files import file_sha256
from core.system.host import login_name
from core.system.places import weights_path


def add_case_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options that all of these commands take.

    Parameters
    ----------
    parser : ArgumentParser
        Of a command.

    Returns
    -------
    argument group
        Titled "case"; a command may add to it.
    """
    group = parser.add_argument_group("case")
    examiner_help = "who stands in the history (default: the examiner of the case, or the name of the login)"
    group.add_argument("--examiner", default="", metavar="NAME", help=examiner_help)
    weights_help = "weights with which the case was made, if not the bundled ones"
    group.add_argument("--weights", type=Path, metavar="FILE", help=weights_help)
    return group


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add the options for what is written beside the case.

    Parameters
    ----------
    parser : ArgumentParser
        Of a command.
    """
    pages_help = "the pages as they are now: .pdf, .tif, or .png (numbered, if there are several)"
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help=pages_help)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write shreds, order, joins and times for programs")


def check_results(arguments: argparse.Namespace, inputs: Sequence[Path], what: str) -> None:
    """Check before the work that what is asked for with `add_results` can be written.

    Parameters
    ----------
    arguments : Namespace
        With ``output`` and ``json``.
    inputs : sequence of Path
        The case, and what else is read.
    what : str
        Names an input in a sentence.

    Raises
    ------
    UsageError
        If an output is an input, given twice, or of no known kind.
    OutputError
        If it lies where nothing can be written.
    """
    from core.output.pages import page_paths

    outputs = [path for path in (arguments.output, arguments.json) if path is not None]
    check_outputs(inputs, outputs, what)
    if arguments.output is not None:
        page_paths(arguments.output, Arrangement())  # refuses an unknown ending


def write_results(arguments: argparse.Namespace, case: Case, progress: Progress) -> list[Path]:
    """Write what was asked for with `add_results`.

    Parameters
    ----------
    arguments : Namespace
        With ``output`` and ``json``.
    case : Case
        As it was saved.
    progress : Progress
        Fraction and text.

    Returns
    -------
    list of Path
        The pages that were written.
    """
    from core.output.pages import write_pages
    from core.output.result import write_result

    written: list[Path] = []
    if arguments.output is not None:
        written += write_pages(arguments.output, case, progress=part(progress, 0.0, 0.9))
    if arguments.json is not None:
        write_result(arguments.json, case, part(progress, 0.9, 1.0))
    return written


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a case, so that windows that open it are told; refuse where a window has it open.

    Parameters
    ----------
    path : Path
        The case file, which need not be there yet.

    Yields
    ------
    None

    Raises
    ------
    OpenElsewhereError
        If a window, or another command, has it.
    """
    lock = CaseLock(path)
    try:
        if (holder := lock.holder) is not None:
            who = f", by {holder.who} on {holder.host} since {holder.since}" if holder.who else ""
            raise OpenElsewhereError(
                f"{path} is open in another window{who}. Close it there first; nothing was changed."
            )
        yield
    finally:
        lock.release()


def weights_for(case: Case, arguments: argparse.Namespace, path: Path) -> Path:
    """Return the weights with which borders are compared: those with which the case was made.

    Parameters
    ----------
    case : Case
        Names them by their SHA-256.
    arguments : Namespace
        With ``weights``.
    path : Path
        Of the case, for the sentence.

    Returns
    -------
    Path
        Of their file.

    Raises
    ------
    UsageError
        If they are others: costs by different weights cannot be compared, nor the history be repeated.
    """
    weights: Path = arguments.weights or weights_path()
    try:
        sha256 = file_sha256(weights)
    except OSError as error:
        raise UsageError(
            f"The weights {weights} cannot be read: {error.strerror or error}. Name their file."
        ) from error
    if case.weights_sha256 and sha256 != case.weights_sha256:
        raise UsageError(
            f"{path} was made with other weights than {weights}: their SHA-256 is {case.weights_sha256[:16]}…. "
            "Give their file with --weights."
        )
    return weights


def examiner_of(case: Case, arguments: argparse.Namespace) -> str:
    """Return who stands in the history: as given, as the case is worked on by, or the name of the login.

    Parameters
    ----------
    case : Case
        With its details.
    arguments : Namespace
        With ``examiner``.

    Returns
    -------
    str
    """
    return arguments.examiner.strip() or CaseDetails.of(case.arrangement).examiner or login_name()


def saved(case: Case, path: Path, who: str, progress: Progress) -> Case:
    """Save a case, with that as a step of its history, all or nothing.

    Parameters
    ----------
    case : Case
        After the change.
    path : Path
        Its file.
    who : str
        Name of the examiner.
    progress : Progress
        Called for each shred.

    Returns
    -------
    Case
        As it is in the file.
    """
    from core.case.file import save

    case = recorded(case, who, "saved", f"saved as {path.name}")
    save(case, path, progress)
    return case
