"""Kinds of error: each carries a sentence for the examiner, a code, and the exit code of the command.

A sentence says what was found, why it stops the work, and what to do. Wrong arguments of a function are
``ValueError`` as everywhere in Python; these classes are for what the examiner can mend. Programs go by `code`, which
never changes, not by the sentence, which may.
"""


class RejoinError(Exception):
    """What stops the work and is no fault of the program; the message is a sentence for the examiner.

    Attributes
    ----------
    code : str
        Names the kind of error.
    exit_code : int
        With which a command ends.
    """

    code = "stopped"
    exit_code = 1


class UsageError(RejoinError):
    """The request makes no sense: unknown option, contradictory joins, weights of another kind."""

    code = "usage"
    exit_code = 2


class UnreadableInputError(RejoinError):
    """A file or folder could not be read; the message names it."""

    code = "unreadable"
    exit_code = 3


class MissingOriginalError(UnreadableInputError):
    """The file of a sheet is neither where it lay, nor beside the case, nor packed in it; the message names it."""

    code = "missing-sheet"


class NothingFoundError(RejoinError):
    """The input was read, and there is nothing in it to reconstruct."""

    code = "nothing-found"
    exit_code = 4


class CrossCutError(NothingFoundError):
    """A sheet bears pieces that were cut both ways; the message counts them."""

    code = "cross-cut"


class TornError(NothingFoundError):
    """A sheet bears pieces that were torn by hand; the message counts them."""

    code = "torn"


class UnverifiedError(RejoinError):
    """What is on record does not hold: a sheet, an entry or a result is not what it was; the message says which."""

    code = "unverified"
    exit_code = 5


class OutputError(RejoinError):
    """The result could not be written; whatever stood at that place before still stands there."""

    code = "not-written"
    exit_code = 1


class OpenElsewhereError(OutputError):
    """The case is open in another window; nothing was changed."""

    code = "open-elsewhere"


class Duplicate(str):
    """The sentence on a sheet that was left out because it has the content of another one: no error, but a question."""

    REASON = "was left out: it has the same content as"


class Likeness(Duplicate):
    """The sentence on a sheet that was left out because it shows what another one shows, with other pixels."""

    REASON = "was left out: it shows the same sheet, saved or scanned again, as"


class Remark(str):
    """The sentence on an input that was read, though something about it is worth knowing: nothing was left out."""

    MARK = "read all the same"
    KEPT = "was given twice, and kept: it has the same content as"
    KEPT_LIKENESS = "shows the same sheet, saved or scanned again, and was kept, as"


def restore_note(sentence: str) -> str:
    """Return a sentence from a case file, which keeps the text alone, as what it was when the sheets were read.

    Parameters
    ----------
    sentence : str
        On any input.

    Returns
    -------
    Duplicate, Remark or str
        Case files hold no more than the sentence, so here alone sentences are told by their words.
    """
    for kind in (Duplicate, Likeness):
        if kind.REASON in sentence:
            return kind(sentence)
    marks = Remark.MARK, Remark.KEPT, Remark.KEPT_LIKENESS
    return Remark(sentence) if any(mark in sentence for mark in marks) else sentence
