"""What workers are asked to do in tests."""

import os
import signal
import time

from core.errors import NothingFoundError


def first_kills(task, _progress):
    """End the worker that does the first one for the first time."""
    number, mark = task
    if number == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number, os.getpid()


def first_hangs(task, _progress):
    """Hang in the first one, the first time, for as long as its mark is there."""
    number, mark = task
    if number == 0 and not mark.exists():
        mark.touch()
        while mark.exists():
            time.sleep(0.05)
    return number


def fails(number, _progress):
    if number == 1:
        raise NothingFoundError("There is nothing.")
    return number
