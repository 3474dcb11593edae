"""All kinds of tries by name."""

import faulthandler
import sys

from tests.fuzz import cases, disks, reading, sheets, weights
from tests.fuzz.trial import Trial, Tried, attempt

KINDS: dict[str, Trial] = {**reading.KINDS, **cases.KINDS, **weights.KINDS, **sheets.KINDS, **disks.KINDS}

ENDLESS_S = 90


def one(kind: str, seed: int, number: int) -> Tried:
    """Do one try in a process of its own, which may die of it, and ends if the try does not."""
    faulthandler.dump_traceback_later(ENDLESS_S, exit=True, file=sys.__stderr__)
    try:
        return attempt(kind, KINDS[kind], seed, number)
    finally:
        faulthandler.cancel_dump_traceback_later()
