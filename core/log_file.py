"""The log: a line for each stage and each failure, in a file that never grows large.

It tells how many shreds there were and how long it took, never what a document says.
"""

import faulthandler
import logging
import os
import platform
import sys
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path

from core import __version__, places

logger = logging.getLogger(__name__)

MAX_BYTES, N_KEPT = 1_000_000, 3
_N_RECENT = 60
_FORM = logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")
_OURS = ("__main__", "app", "core", "main", "qt")
"""What tells each of its steps; libraries tell of warnings only."""


class _Recent(logging.Handler):
    """Keeps the last lines in memory, without tracebacks: for a report, even where no file can be written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=_N_RECENT)

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
        faulthandler.enable(_rotated(file.with_name("crashes.log")).open("a"))
    except OSError as error:
        print(f"No log file is written: {error}.", file=sys.stderr)
    logger.info("Rejoin %s, Python %s, %s", __version__, platform.python_version(), platform.platform())
    return path()


def show(lowest: int, highest: int = logging.CRITICAL) -> None:
    """Print lines of these levels on standard error too, if there is a log."""
    if _recent in logging.getLogger().handlers:
        handler = logging.StreamHandler()
        handler.setLevel(lowest)
        handler.addFilter(lambda record: record.levelno <= highest)
        _add(handler)


def path() -> Path | None:
    """Give the file that is written; None if there is none."""
    handlers = logging.getLogger().handlers
    return next((Path(one.baseFilename) for one in handlers if isinstance(one, RotatingFileHandler)), None)


def recent() -> str:
    """Give the last lines that this process logged."""
    return "\n".join(_recent.lines)


def without_home(text: str) -> str:
    """Write ``~`` for the home folder: whoever is sent a report need not learn whose computer it was."""
    home = os.path.expanduser("~")
    return text.replace(home, "~") if len(home) > 1 else text


def _rotated(file: Path) -> Path:
    """Put a file that has grown large aside; the one put aside before goes."""
    if file.is_file() and file.stat().st_size > MAX_BYTES:
        file.replace(file.with_name(f"{file.name}.1"))
    return file


def _add(handler: logging.Handler) -> None:
    handler.setFormatter(_FORM)
    logging.getLogger().addHandler(handler)
