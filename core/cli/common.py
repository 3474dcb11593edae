"""What several commands share: numbers with defaults, a progress bar, outputs that are checked before the work."""

import argparse
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.errors import OutputError, UsageError
from core.progress import Progress

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
        If it lies where nothing can be written.
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


def _same_file(one: str, other: str) -> bool:
    """Check whether two names stand for one file, as hard links do, and names on disks that do not tell A from a."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Show a bar on a terminal, and nothing elsewhere.

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
    layout = "{desc:<42.42} {percentage:3.0f} %|{bar}| {elapsed}"
    with tqdm(total=1.0, file=sys.stderr, disable=hidden, leave=False, bar_format=layout) as bar:

        def report(fraction: float, text: str) -> None:
            bar.set_description_str(one_line(text), refresh=False)
            bar.update(max(0.0, fraction - bar.n))

        yield report


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
