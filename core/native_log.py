"""Keeps the chatter of TensorFlow and OpenCV off the terminal.

TensorFlow writes to the process's standard error before its own log levels hold, whatever they say. Each line passes
here; those that tell of no error are dropped.
"""

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

# Lines of level I and W, their header and continuation, and the search for a graphics card that is not there.
CHATTER = re.compile(
    rb"WARNING: All log messages before absl::InitializeLog|[IW]\d{4} \d\d:\d\d:\d\d|\d{4}-.*: [IW] tensorflow/"
    rb"|To enable the following instructions: |E\d{4} .*\bcuInit\b"
    rb"|libpng (?:warning|error): |\[ ?WARN:\d+@"  # OpenCV on a damaged PNG, of which a sentence tells
)


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
        sys.stderr = os.fdopen(
            os.dup(kept), "w", buffering=1, encoding=python_stderr.encoding, errors="backslashreplace"
        )
    os.dup2(writing, 2)
    os.close(writing)
    try:
        yield
    finally:
        if sys.stderr is not python_stderr and _is_native(python_stderr):
            sys.stderr.close()
            sys.stderr = python_stderr
        os.dup2(kept, 2)  # closes the pipe's last writing end: the filter comes to its end
        filtering.join()
        os.close(kept)


def _is_native(stream: TextIO | None) -> bool:
    """Say whether a stream writes to the process's standard error; it may be absent, or replaced."""
    try:
        return stream is not None and stream.fileno() == 2
    except (OSError, ValueError):
        return False


def _filter(reading: int, kept: int) -> None:
    """Pass lines on until the writing end is closed."""
    with os.fdopen(reading, "rb") as lines:
        for line in lines:
            if not CHATTER.match(line):
                os.write(kept, line)
