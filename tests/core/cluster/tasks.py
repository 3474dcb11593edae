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
    number, mark = task
    if number == 0 and not mark.exists():
        mark.touch()
        time.sleep(60)
    return number


def fails(number, _progress):
    if number == 1:
        raise NothingFoundError("There is nothing.")
    return number
