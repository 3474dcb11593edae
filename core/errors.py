"""Kinds of error: each carries a sentence for the examiner and the exit code of the command.

A sentence says what was found, why it stops the work, and what to do. Wrong arguments of a function are
``ValueError`` as everywhere in Python; these classes are for what the examiner can mend.
"""


class RejoinError(Exception):
    """What stops the work and is no fault of the program; the message is a sentence for the examiner."""

    exit_code = 1


class UsageError(RejoinError):
    """The request makes no sense: unknown option, contradictory joins, weights of another kind."""

    exit_code = 2


class UnreadableInputError(RejoinError):
    """A file or folder could not be read; the message names it."""

    exit_code = 3


class NothingFoundError(RejoinError):
    """The input was read, and there is nothing in it to reconstruct."""

    exit_code = 4


class UnverifiedError(RejoinError):
    """What is on record does not hold: a sheet, an entry or a result is not what it was; the message says which."""

    exit_code = 5


class OutputError(RejoinError):
    """The result could not be written; whatever stood at that place before still stands there."""

    exit_code = 1
