"""What several commands share: numbers with defaults, a progress bar, outputs that are checked before the work."""

import argparse
import os
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import OutputError, UsageError
from core.parallel import HERE, Workers
from core.progress import Progress, RemainingTime
from core.system.logs import without_home
from core.system.places import CACHE_GB, stages_folder

if TYPE_CHECKING:  # brings the decoders of all formats
    from core.memory import Memory
    from core.options import ReadingOptions
    from core.sheets.input_file import Inputs
    from core.sheets.sheet import SheetInfo
    from core.sheets.survey import Survey

CHECK_FAILED_EXIT_CODE = 5
"""Of commands that check something, if it is not as it should be."""


def add_number(group: argparse._ActionsContainer, name: str, default: float, unit: str, help: str) -> None:
    """Add an option that takes a number and has a default.

    Parameters
    ----------
    group : argument group
        To which it is added.
    name : str
        Of the option, with its dashes.
    default : int or float
        Its type is that of the option.
    unit : str
        What stands for the number in the help.
    help : str
        Without the default.
    """
    described = f"{help} (default: %(default)g)"
    group.add_argument(name, type=type(default), default=default, metavar=unit, help=described)


def add_messages(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options that set how much is printed; a command may add to the group.

    Parameters
    ----------
    parser : ArgumentParser
        Of a command.

    Returns
    -------
    argument group
        Titled "messages".
    """
    group = parser.add_argument_group("messages")
    group.add_argument("-q", "--quiet", action="store_true", help="no summary and no progress bar")
    verbose_help = "each stage as it ends, and details of unexpected errors"
    group.add_argument("-v", "--verbose", action="store_true", help=verbose_help)
    return group


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what may be kept on disk between runs.

    Parameters
    ----------
    parser : ArgumentParser
        Of a command that reads sheets or borders.
    """
    about = "What was read of sheets and borders: work that was broken off goes on where it was. Never used by verify."
    group = parser.add_argument_group("kept on disk", about)
    add_number(group, "--cache-gb", CACHE_GB, "GB", "so much of it at most, and half of what is free; 0: nothing")
    folder_help = f"where (default: {without_home(str(stages_folder()))})"
    group.add_argument("--cache-folder", type=Path, metavar="FOLDER", help=folder_help)


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who does the work.

    Parameters
    ----------
    parser : ArgumentParser
        Of a command that reads many sheets.
    """
    about = "For many sheets; the result is the same. They need Dask: pip install 'rejoin[cluster]'. See docs/scale.md."
    group = parser.add_argument_group("several processes or machines", about)
    group.add_argument("--workers", type=int, metavar="N", help="read with so many processes of this machine")
    scheduler_help = "give the work to a Dask scheduler: tls://HOST:PORT"
    group.add_argument("--scheduler", metavar="ADDRESS", help=scheduler_help)
    group.add_argument("--tls-ca", type=Path, metavar="FILE", help="certificate of who vouches for all machines, PEM")
    group.add_argument("--tls-cert", type=Path, metavar="FILE", help="certificate of this machine, PEM")
    group.add_argument("--tls-key", type=Path, metavar="FILE", help="its key, PEM")


def workers_from(arguments: argparse.Namespace) -> AbstractContextManager[Workers]:
    """Return the workers that were asked for.

    Parameters
    ----------
    arguments : Namespace
        With the options of `add_workers`.

    Returns
    -------
    context manager
        Gives workers, and ends what it started.
    """
    from core.cluster.start import Tls, workers_of

    tls = Tls(arguments.tls_ca, arguments.tls_cert, arguments.tls_key)
    return workers_of(arguments.workers, arguments.scheduler, tls)


def memory_of(arguments: argparse.Namespace, workers: Workers = HERE) -> "Memory":
    """Return a memory with the cache that was asked for.

    Parameters
    ----------
    arguments : Namespace
        With the options of `add_cache`.
    workers : Workers
        Who does the work.

    Returns
    -------
    Memory
        Empty.
    """
    from core.memory import Memory
    from core.system.disk_cache import DiskCache

    cache = DiskCache(arguments.cache_folder, arguments.cache_gb) if arguments.cache_gb > 0 else None
    return Memory(cache, workers)


def check_outputs(inputs: Sequence[Path], outputs: Sequence[Path], what: str = "one of the sheets") -> None:
    """Check, before the work, that no output is an input, given twice, or lies where nothing can be written.

    Parameters
    ----------
    inputs : sequence of Path
        Sheets, folders of them, or a case.
    outputs : sequence of Path
        What is to be written.
    what : str
        Names an input in a sentence.

    Raises
    ------
    UsageError
        If an output is an input, or given twice.
    OutputError
        If it lies where nothing can be written, or is a device.
    """
    from core.sheets.inputs import find_inputs  # knows formats, and so loads Pillow

    places = {os.path.realpath(path) for file in find_inputs(inputs) for path in (file.path, file.mask_path) if path}
    taken: set[str] = set()
    for output in outputs:
        place = os.path.realpath(output)
        if place in places or any(_same_file(place, other) for other in places):
            raise UsageError(f"{output} is {what}; it would be overwritten. Give another name.")
        if place in taken:
            raise UsageError(f"{output} was given for two different results. Give each its own name.")
        taken.add(place)
        folder = os.path.dirname(place)
        if not os.path.isdir(folder):
            raise OutputError(f"{output} cannot be written: there is no folder {folder}. Create it first.")
        if not os.access(folder, os.W_OK):
            raise OutputError(f"{output} cannot be written: nothing may be written in {folder}. Choose another folder.")
        if output.exists() and not (output.is_file() or output.is_dir()):
            raise OutputError(f"{output} is a device, no file: nothing can be kept there. Name a file.")


def _same_file(one: str, other: str) -> bool:
    """Check whether two names stand for one file, as hard links do, and names on disks that do not tell A from a."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Show a bar on a terminal, with the time left once the speed tells it, and nothing elsewhere.

    Parameters
    ----------
    quiet : bool
        Show nothing.

    Yields
    ------
    progress : Progress
        Moves the bar.
    """
    from tqdm import tqdm

    hidden = quiet or not sys.stderr.isatty()
    layout = "{desc:<42.42} {percentage:3.0f} %|{bar}| {elapsed}{postfix}"
    remaining = RemainingTime(time.monotonic())
    with tqdm(total=1.0, file=sys.stderr, disable=hidden, leave=False, bar_format=layout) as bar:

        def report(fraction: float, text: str) -> None:
            now_s = time.monotonic()
            remaining.update(now_s, fraction)
            bar.set_description_str(one_line(text), refresh=False)
            bar.set_postfix_str(time_left(remaining.seconds(now_s)), refresh=False)
            bar.update(max(0.0, fraction - bar.n))

        yield report


def time_left(seconds: float | None) -> str:
    """Return how long it still takes, as roughly as it is known.

    Parameters
    ----------
    seconds : float or None
        None if it is not known yet.

    Returns
    -------
    str
        Nothing where it is not known, or so little that it is not worth a word.

    Examples
    --------
    >>> [time_left(seconds) for seconds in (None, 3.0, 42.0, 200.0, 9000.0)]
    ['', '', 'about 40 s left', 'about 3 min left', 'about 2.5 h left']
    """
    if seconds is None or seconds < 5:
        return ""
    if seconds < 55:
        return f"about {5 * round(seconds / 5)} s left"
    if seconds < 5400:
        return f"about {max(1, round(seconds / 60))} min left"
    return f"about {seconds / 3600:.1f} h left"


def surveyed(
    paths: "Inputs",
    options: "ReadingOptions",
    quiet: bool,
    progress: Progress,
    *,
    each_file: str | None = None,
    dpi: float | None = None,
    known: "Sequence[SheetInfo]" = (),
) -> "Survey":
    """Look at what was given, and say what it is.

    Parameters
    ----------
    paths : sequence of Path or InputFile
        Files and folders.
    options : ReadingOptions
        With which they are to be read.
    quiet : bool
        Say nothing.
    progress : Progress
        Called for each file.
    each_file : {"sheet", "shred"}, optional
        What each file holds; as it looks, if absent.
    dpi : float, optional
        The resolution of those that state none; estimated, if absent.
    known : sequence of SheetInfo
        Those to which they are added.

    Returns
    -------
    Survey
        With the files as they are to be read.
    """
    from core.sheets.survey import survey

    found = survey(paths, options, progress, known)
    if each_file is not None:
        files = [replace(file, single_shred=each_file == "shred") for file in found.files]
        found = survey(files, options, progress, known)
    if dpi is not None:
        of_dpi = [
            look.file if look.states_dpi else replace(look.file, dpi=dpi, dpi_source="given") for look in found.looks
        ]
        found = survey(of_dpi, options, progress, known)
    what, *assumed = found.sentences()
    if not quiet:
        if found.n_sheets + found.n_single_shreds:
            print(what, flush=True)
        for sentence in assumed:
            say(sentence)
    return found


def add_each_file(group: argparse._ActionsContainer) -> None:
    """Add the option that says what each file holds.

    Parameters
    ----------
    group : argument group
        To which it is added.
    """
    kind_help = "each file is a sheet with shreds on it, or a single shred (default: as they look, which is said)"
    group.add_argument("--each-file", choices=("sheet", "shred"), help=kind_help)


def say(text: str) -> None:
    """Print a message on standard error.

    Parameters
    ----------
    text : str
        Any number of lines.
    """
    print("\n".join(map(one_line, text.split("\n"))), file=sys.stderr)


def one_line(text: str) -> str:
    """Write what a file may have told so that it stays text on one line: a terminal obeys some characters.

    Parameters
    ----------
    text : str
        With names or notes in it that another person chose.

    Returns
    -------
    str
        With codes in the place of what moves the cursor, hides, or turns the direction of writing.
    """
    return "".join(
        letter.encode("unicode_escape").decode() if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") else letter
        for letter in text
    )
