"""What all commands have in common: an error is a sentence and an exit code, not a traceback."""

import sys
from collections.abc import Callable, Sequence
from functools import wraps

from core.errors import RejoinError


def command(main: Callable[..., int]) -> Callable[..., int]:
    """Let a command print the sentence of a `RejoinError` and return its exit code."""

    @wraps(main)
    def run(arguments: Sequence[str] | None = None) -> int:
        try:
            return main(arguments)
        except RejoinError as error:
            print(error, file=sys.stderr)
            return error.exit_code

    return run
