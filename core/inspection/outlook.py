"""What is still to be asked of a case, and what that is worth: fast, for no question is weighed."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.case.case import Case
from core.matching.confidence import JoinBelow

LEARNT = 0.25
"""Worth of a "no" that brings no right join: something is ruled out. Chosen on d3 and D2, by ink alone."""

WORTH_ASKING = 0.02
"""Less useful questions are about joins that are sure: an examiner who errs now and then does more harm than good."""

_UNSURE = 1 - WORTH_ASKING / LEARNT
"""Joins that are surer are not worth asking about, whatever else a "no" would bring."""


@dataclass(frozen=True)
class Outlook:
    """What is still to be asked of a case, and what that is worth.

    Attributes
    ----------
    n_questions : int
        Joins that nothing was said of and that are not sure.
    n_wrong : float
        How many of them are wrong, as they are expected to be: their doubts added up.
    """

    n_questions: int
    n_wrong: float

    @classmethod
    def of(cls, confidences: Iterable[float]) -> "Outlook":
        """Sum up joins that nothing was said of, by how sure they are.

        Parameters
        ----------
        confidences : iterable of float
            0 to 1.

        Returns
        -------
        Outlook
            Whose questions are worth asking whatever else a "no" would bring (`LEARNT`).
        """
        left = [1 - sure for sure in confidences if sure <= _UNSURE]
        return cls(len(left), sum(left))


def outlook(case: Case) -> Outlook:
    """Sum up what is still to be asked of a case, as sure as its joins were when the order was found.

    Parameters
    ----------
    case : Case
        As it was answered so far.

    Returns
    -------
    Outlook
        Joins that were never compared are no questions.
    """
    answered = case.arrangement.confirmed | case.arrangement.forbidden
    beside = [
        join.confidence
        for join in case.joins
        if join.confidence <= _UNSURE and join.compared
        if not answered or (join.left, join.right) not in answered
    ]
    return Outlook.of([*beside, *(join.confidence or 0.0 for join, _ in asked_below(case))])


def asked_below(case: Case) -> list[tuple[JoinBelow, list[JoinBelow]]]:
    """List what to ask of rows of pieces: whether one stands directly below another, and whether a piece does.

    Of two rows one join is asked about, the surest: that its pieces stand in their rows is doubted least, so that the
    answer tells of the rows. Where that is sure or answered, each other one that is doubtful is asked about for itself.

    Parameters
    ----------
    case : Case
        As it was answered so far.

    Returns
    -------
    list of (JoinBelow, list of JoinBelow)
        Each that nothing was said of, and all with which it is right or wrong.
    """
    now, of_rows = case.arrangement, dict[tuple[int, int], list[JoinBelow]]()
    for join in case.joins_below:
        if join.confidence is not None:
            of_rows.setdefault((now.places[join.above][0], now.places[join.below][0]), []).append(join)
    found = []
    for joins in of_rows.values():
        said = {join.pair for join in joins} & (now.confirmed_below | now.forbidden_below)
        surest = max(joins, key=lambda join: join.confidence or 0.0)
        if not said and (surest.confidence or 0.0) <= _UNSURE:
            found.append((surest, joins))
        elif said.isdisjoint(now.forbidden_below):
            found += [(join, [join]) for join in joins if join.doubtful and join.pair not in said]
    return found
