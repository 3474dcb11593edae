"""The log, a line for each stage and each failure, in a file that never grows large; and a quiet terminal.

The log tells how many shreds there were and how long it took, never what a document says. TensorFlow and OpenCV write
to the process's standard error before their own log levels hold, whatever they say: each line passes here, and those
that tell of no error are dropped.
"""

import faulthandler
import logging
import os
import platform
import re
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

from core import __version__
from core.system import places

logger = logging.getLogger(__name__)

MAX_BYTES, N_KEPT = 1_000_000, 3
"""Of a log file, and of files put aside when it has grown so large."""

CHATTER = re.compile(
    # Lines of level I and W, their header and continuation, and the search for a graphics card that is not there.
    rb"WARNING: All log messages before absl::InitializeLog|[IW]\d{4} \d\d:\d\d:\d\d|\d{4}-.*: [IW] tensorflow/"
    rb"|To enable the following instructions: |E\d{4} .*\bcuInit\b"
    rb"|libpng (?:warning|error): |\[ ?WARN:\d+@"  # OpenCV on a damaged PNG, of which a sentence tells
)
"""How lines begin that TensorFlow and OpenCV write to standard error and that tell of no error."""

_FORM = logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")

_OURS = ("__main__", "app", "core", "main", "qt")
"""What tells each of its steps; libraries tell of warnings only."""


class _Recent(logging.Handler):
    """Keeps the last lines in memory, without tracebacks: for a report, even where no file can be written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=60)

    def emit(self, record: logging.LogRecord) -> None:
        line = f"{_FORM.formatTime(record)} {record.levelname} {record.name}: {record.getMessage()}"
        self.lines.extend(line.splitlines())


_recent = _Recent()


def start() -> Path | None:
    """Begin to log, once for each process.

    Returns
    -------
    Path or None
        The file; None where none can be written, which is no reason not to work.
    """
    root = logging.getLogger()
    if _recent in root.handlers:
        return path()
    logging.raiseExceptions = False  # a disk that is full shall not fill the terminal too
    for name in _OURS:
        logging.getLogger(name).setLevel(logging.INFO)
    _add(_recent)
    file = places.log_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _add(RotatingFileHandler(file, maxBytes=MAX_BYTES, backupCount=N_KEPT, encoding="utf-8"))
        # Where a library ends the process, Python still writes where it was: to a file that is never closed.
        crashes = file.with_name("crashes.log")
        if crashes.is_file() and crashes.stat().st_size > MAX_BYTES:
            crashes.replace(file.with_name("crashes.log.1"))  # in the place of the one before
        faulthandler.enable(crashes.open("a"))
    except OSError as error:
        print(f"No log file is written: {error}.", file=sys.stderr)
    logger.info("Rejoin %s, Python %s, %s", __version__, platform.python_version(), platform.platform())
    return path()


def show(lowest: int, highest: int = logging.CRITICAL) -> None:
    """Print lines on standard error too, if there is a log.

    Parameters
    ----------
    lowest, highest : int
        Levels of `logging`: lines of these and of those between are printed.
    """
    if _recent in logging.getLogger().handlers:
        handler = logging.StreamHandler()
        handler.setLevel(lowest)
        handler.addFilter(lambda record: record.levelno <= highest)
        _add(handler)


def path() -> Path | None:
    """Return the file that is written; None if there is none."""
    handlers = logging.getLogger().handlers
    return next((Path(one.baseFilename) for one in handlers if isinstance(one, RotatingFileHandler)), None)


def recent() -> str:
    """Return the last lines that this process logged."""
    return "\n".join(_recent.lines)


def without_home(text: str) -> str:
    """Write ``~`` for the home folder: whoever is sent a report need not learn whose computer it was.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The same text, wherever it does not name that folder.
    """
    home = os.path.expanduser("~")
    return text.replace(home, "~") if len(home) > 1 else text


def _add(handler: logging.Handler) -> None:
    """Let a handler take what any logger is told."""
    handler.setFormatter(_FORM)
    logging.getLogger().addHandler(handler)


_END = b"\0end\0\n"


@contextmanager
def without_chatter() -> Iterator[None]:
    """Drop TensorFlow's information from standard error while the block runs; everything else passes at once.

    What Python itself writes to `sys.stderr` takes no detour, so that it still sees the terminal.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error: nothing to keep clean
        yield
        return
    reading, writing = os.pipe()
    filtering = threading.Thread(target=_filter, args=(reading, kept), name="native-log", daemon=True)
    filtering.start()
    python_stderr = sys.stderr
    if _is_native(python_stderr):
        python_stderr.flush()
        encoding = python_stderr.encoding
        sys.stderr = os.fdopen(os.dup(kept), "w", buffering=1, encoding=encoding, errors="backslashreplace")
    os.dup2(writing, 2)
    os.close(writing)
    try:
        yield
    finally:
        if sys.stderr is not python_stderr and _is_native(python_stderr):
            sys.stderr.close()
            sys.stderr = python_stderr
        os.write(2, _END)  # the filter comes to its end, though processes that were started may hold the pipe's, too
        os.dup2(kept, 2)
        filtering.join()
        os.close(kept)


def _is_native(stream: TextIO | None) -> bool:
    """Check whether a stream writes to the process's standard error; it may be absent, or replaced."""
    try:
        return stream is not None and stream.fileno() == 2
    except (OSError, ValueError):
        return False


def _filter(reading: int, kept: int) -> None:
    """Pass lines on until the one that says that it was the last."""
    with os.fdopen(reading, "rb") as lines:
        for line in lines:
            text = line.removesuffix(_END)
            if text and not CHATTER.match(text):
                os.write(kept, text)
            if text != line:
                return
