"""Whether an answer is asked about once more before it counts, because all the rest speaks against it.

Everybody errs now and then. A slip costs a right join, often two or three; a second question costs a key, and makes of
one slip in twenty answers one in four hundred. The window and the measurements decide by the same function.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from core.arrangement.arrangement import Arrangement, JoinState, Pair
from core.inspection.answers import Doubt, equally, rivals
from core.inspection.questions import Question
from core.matching.confidence import DOUBTFUL

LIKELY = DOUBTFUL
"""A "no" to a join that is not doubtful is asked about again. On d3 such a slip costs one to three right joins, and
truthful examiners say hardly any."""

UNLIKELY = 0.05
"""So is a "yes" to a join less sure than this, or the choice of such a one: where one answer of twenty is a slip, it is
a slip more likely than not."""


@dataclass(frozen=True)
class Objection:
    """What speaks against an answer: a join for each side, and how sure it is by all the rest.

    Attributes
    ----------
    said : Pair or None
        The join that the answer makes; of a mere "no" the likeliest one that it leaves, if there is any.
    instead : Pair
        The join that the rest speaks for.
    confidence_said, confidence_instead : float
        0 to 1.
    earlier : bool
        Whether `instead` was confirmed by an earlier answer, which this one would take back.
    """

    said: Pair | None
    instead: Pair
    confidence_said: float
    confidence_instead: float
    earlier: bool = False


def objection_to(
    question: Question, answer: Mapping[Pair, JoinState], arrangement: Arrangement, doubt: Doubt = equally
) -> Objection | None:
    """Find what speaks against an answer, before anything follows from it.

    Parameters
    ----------
    question : Question
        What was asked.
    answer : mapping of Pair to JoinState
        What the answer says of joins; that a page ends or begins there is a "no".
    arrangement : Arrangement
        With the earlier answers.
    doubt : callable
        Tells which of several earlier answers is the likeliest slip, see `core.inspection.answers.rivals`.

    Returns
    -------
    Objection or None
        None if the answer can be taken as it is.

    Examples
    --------
    >>> question = Question("a", "b", 0.9, 1.0, ("c",), (), others={("a", "c"): 0.04})
    >>> objection_to(question, {("a", "b"): "confirmed"}, Arrangement()) is None
    True
    >>> objection_to(question, {("a", "b"): "forbidden"}, Arrangement())
    Objection(said=('a', 'c'), instead=('a', 'b'), confidence_said=0.04, confidence_instead=0.9, earlier=False)
    """
    sure = {question.pair: question.confidence, **question.others}
    said = next((pair for pair, state in answer.items() if state == "confirmed"), None)
    if said is not None and (displaced := rivals(arrangement, said, doubt)):
        return Objection(said, displaced[0], sure.get(said, 0.0), sure.get(displaced[0], 0.0), earlier=True)
    parts = answer.get(question.pair) == "forbidden" and question.confidence >= LIKELY
    if not parts and (said is None or sure.get(said, 0.0) >= UNLIKELY):
        return None
    shown = said if said is not None else max(question.others, key=sure.__getitem__, default=None)
    instead = question.pair if parts else max(sure.keys() - {said}, key=lambda pair: (sure[pair], pair), default=None)
    if instead is None:
        return None  # there is nothing else that it could be
    return Objection(shown, instead, sure.get(shown, 0.0) if shown else 0.0, sure[instead])
