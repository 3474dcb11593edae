"""The command "watch": what a scanner drops into a folder is added to a case, for as long as it takes."""

import argparse
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from core.case.case import Case
from core.case.record import pages_from_sheets, reconstructed
from core.cli.add import add_reading, summary, with_sheets
from core.cli.changing import add_case_options, examiner_of, held, saved, weights_for
from core.cli.common import add_cache, add_messages, add_number, memory_of, progress_bar, say, surveyed
from core.cli.sentences import new_notes_on_faces
from core.errors import NothingFoundError, OpenElsewhereError, UnreadableInputError, UsageError
from core.options import Options
from core.sheets.input_file import InputFile
from core.system.host import login_name
from core.system.places import weights_path
from core.wording import alike_once, counted

if TYPE_CHECKING:  # importing it would load Keras
    from core.embedding.encoder import Encoder

USAGE = "CASE FOLDER [options]"
DESCRIPTION = "Add to a case what a scanner drops into a folder, until Ctrl+C. A case that is not there yet is made."
EPILOG = """\
examples:
  python main.py watch matter.rejoin scans/
  python main.py watch matter.rejoin scans/ --once

A step begins once every new picture in the folder and below has kept its size and time for some seconds: a stack that
goes through a feeder is one step. Within a step sheets are numbered as a person numbers their names (2 before 10),
steps follow one another; so the result does not depend on when a file came, but on which files are one step, and the
history has that. Files of the case, by their SHA-256, and files that are no pictures are left alone; what cannot be
read is said once, and tried again when it changes. The folder is looked at every few seconds rather than waiting to be
told, since disks of a network tell of changes only now and then. Between steps the case may be opened in the window;
while it is open there, sheets wait. Other work on this machine goes first.

exit codes:
  0 done (--once)    1 unexpected, or the case could not be written    2 wrong use
  3 the case could not be read, or with --once no sheet    4 nothing found on the sheets (--once)
  130 ended with Ctrl+C: every step that was told is saved
"""

_State: TypeAlias = tuple[int, int]
"""Size and time of a file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("case", type=Path, metavar="CASE", help="a case file; made if it is not there")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the scanner puts its files")
    group = parser.add_argument_group("waiting")
    group.add_argument("--once", action="store_true", help="add what is there, and end")
    add_number(group, "--every", 2.0, "S", "look at the folder every so many seconds")
    add_number(group, "--still", 10.0, "S", "a file is complete when it has not changed for so many seconds")
    add_reading(parser)
    add_case_options(parser)
    add_cache(parser)
    add_messages(parser)


def run(arguments: argparse.Namespace) -> int:
    """Watch the folder; return the exit code."""
    if not arguments.folder.is_dir():
        raise UsageError(f"{arguments.folder} is no folder. Name the one into which the scanner puts its files.")
    if arguments.every <= 0 or arguments.still < 0:
        raise UsageError("--every takes more than 0 seconds, --still 0 or more.")
    give_way()
    watcher, arrivals = _Watcher(arguments), Arrivals(arguments.still)
    if not arguments.quiet and not arguments.once:
        print(f"Watching {arguments.folder}; Ctrl+C ends it.", flush=True)
    with _heard() as heard:
        while not heard:
            code = _look(arguments, watcher, arrivals)
            if code is not None:
                return code
            time.sleep(arguments.every)
    raise KeyboardInterrupt


@contextmanager
def _heard() -> Iterator[list[int]]:
    """Note every Ctrl+C: one that comes while Python tidies up raises nothing, and would be lost."""
    heard: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def hear(number: int, _frame: object) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    if before is not signal.SIG_IGN:  # in the background of a shell it means nothing
        signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


def _look(arguments: argparse.Namespace, watcher: "_Watcher", arrivals: "Arrivals") -> int | None:
    """Take what is complete; return the exit code if that was all."""
    files = pictures(arguments.folder)
    if not arrivals.complete(files, time.monotonic()):
        return None
    new = arrivals.new(files)
    try:
        code = watcher.take(new)
    except OpenElsewhereError as error:
        if arguments.once:
            raise
        watcher.tell_once(f"{error} {counted(len(new), 'file')} waiting.")
        arrivals.give_back(new)
        return None
    return code if arguments.once else None


class _Watcher:
    """Adds files to the case, which it keeps in memory as long as nobody else changes it."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments, self._path = arguments, arguments.case
        self._memory = memory_of(arguments)
        self._case: Case | None = None
        self._saved: tuple[int, int, int] | None = None
        self._left: list[InputFile] = []
        self._told = ""

    def take(self, files: Sequence[InputFile]) -> int:
        """Add files that are complete, as one step; return the exit code."""
        from core.renewal.adding import known_inputs

        files = [*self._left, *files]
        if not files:
            return 0
        with held(self._path):
            before = self._current()
            new = files if before is None else known_inputs(before.sheets, files)[0]
            if not new:
                return 0
            try:
                after, who = self._with(before, new)
            except (UnreadableInputError, NothingFoundError) as error:
                say(str(error))
                self._left = files if before is None else []  # blank sheets are worth something beside others
                return error.exit_code
            with progress_bar(self._arguments.quiet) as progress:
                self._case = saved(after, self._path, who, progress)
            self._left, self._saved, self._told = [], _state(self._path), ""
        left_out = after.unreadable[len(before.unreadable) if before else 0 :]
        for note in [*alike_once(left_out), *new_notes_on_faces(before, after)]:
            say(note)
        if not self._arguments.quiet:
            print(f"{summary(before, after)} {pages_from_sheets(after)}.", flush=True)
        return 0

    def tell_once(self, text: str) -> None:
        """Say why files wait, unless that was the last thing said."""
        if text != self._told:
            say(text)
        self._told = text

    def _current(self) -> Case | None:
        """Return the case as it is in its file; None if there is none yet."""
        if not self._path.exists():
            return None
        if self._case is None or _state(self._path) != self._saved:
            from core.case.file import load

            with progress_bar(self._arguments.quiet) as progress:
                self._case = load(self._path, progress)
            self._saved = _state(self._path)
        return self._case

    def _with(self, before: Case | None, files: Sequence[InputFile]) -> tuple[Case, str]:
        """Add files to the case, or make one of them; return who did it, too."""
        from core.pipeline import reconstruct

        arguments = self._arguments
        options = Options() if before is None else before.options
        with progress_bar(arguments.quiet) as progress:
            known = () if before is None else before.sheets
            given = {"each_file": arguments.each_file, "dpi": arguments.dpi, "known": known}
            read = surveyed(files, options.reading, True, progress, **given).files
            if before is not None:
                who, weights = examiner_of(before, arguments), weights_for(before, arguments, self._path)
                load = lambda: _encoder(weights)  # noqa: E731
                return with_sheets(before, read, load, who, progress, memory=self._memory), who
            who, weights = arguments.examiner.strip() or login_name(), arguments.weights or weights_path()
            case = reconstruct(read, options, weights, progress=progress, memory=self._memory)
            return reconstructed(case, who), who


@cache
def _encoder(weights: Path) -> "Encoder":
    """Load the encoder, once."""
    from core.pipeline import load_encoder

    return load_encoder(weights)


def _state(path: Path) -> tuple[int, int, int]:
    """Return what tells whether a file was written by somebody else since."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ino


def give_way() -> None:
    """Let other programs go first, where the system knows how."""
    if hasattr(os, "nice"):
        os.nice(10)


def pictures(folder: Path) -> dict[InputFile, _State]:
    """List the pictures in a folder and below.

    Parameters
    ----------
    folder : Path
        Which may be empty, or out of reach for a while.

    Returns
    -------
    dict of InputFile to (int, int)
        As a person numbers their names, with size and time; what vanishes meanwhile is left out.
    """
    from core.sheets.inputs import find_inputs

    found = {}
    for file in find_inputs([folder]):
        try:
            status = os.stat(file.path)
        except OSError:
            continue  # it has just been moved: the next look tells
        if file.path != folder:  # which stands for itself where nothing is in it
            found[file] = status.st_size, status.st_mtime_ns
    return found


class Arrivals:
    """Tells when all that is new has come to rest, by the clock of this machine: that of a server may differ.

    Parameters
    ----------
    still_s : float
        For how long a file must not have changed.
    """

    def __init__(self, still_s: float) -> None:
        self._still_s = still_s
        self._seen: dict[InputFile, tuple[_State, float]] = {}
        self._taken: dict[InputFile, _State] = {}

    def complete(self, files: dict[InputFile, _State], now_s: float) -> bool:
        """Note what is there now.

        Parameters
        ----------
        files : dict
            From `pictures`.
        now_s : float
            By a clock that never goes back.

        Returns
        -------
        bool
            Whether nothing has changed for so long that all of it can be taken.
        """
        since = {file: self._seen.get(file, ((-1, -1), now_s)) for file in files}
        self._seen = {
            file: (state, since[file][1] if since[file][0] == state else now_s) for file, state in files.items()
        }
        new = [file for file in files if self._taken.get(file) != files[file]]
        return all(now_s - self._seen[file][1] >= self._still_s and _opens(file.path) for file in new)

    def new(self, files: dict[InputFile, _State]) -> list[InputFile]:
        """Take what has not been taken before as it is now.

        Parameters
        ----------
        files : dict
            From `pictures`.

        Returns
        -------
        list of InputFile
            In their order.
        """
        new = [file for file, state in files.items() if self._taken.get(file) != state]
        self._taken |= {file: files[file] for file in new}
        return new

    def give_back(self, files: Sequence[InputFile]) -> None:
        """Have files taken once more: the case could not be changed.

        Parameters
        ----------
        files : sequence of InputFile
            From `new`.
        """
        for file in files:
            self._taken.pop(file, None)


def _opens(path: Path) -> bool:
    """Check whether a file can be opened: some systems lock what is still being written."""
    try:
        with open(path, "rb"):
            return True
    except OSError as error:
        return os.name != "nt" or not isinstance(error, PermissionError)  # reading it tells the reason
