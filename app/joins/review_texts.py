"""What the review says of its question, of an answer in doubt, and of what Take Back does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import wording
from app.joins.review import Review, Said
from app.wording import translate
from core.arrangement.arrangement import Pair
from core.inspection.outlook import WORTH_ASKING
from core.matching.confidence import percentage

if TYPE_CHECKING:
    from core.inspection.objections import Objection
    from core.inspection.questions import Question


def heading(question: Question, once_more: bool) -> str:
    """Write the question."""
    if question.below:
        text = translate("review", "Does {right} stand directly below {left}?")
        again = translate("review", "Once more: does {right} stand directly below {left}?")
    else:
        text = translate("review", "Does {right} stand to the right of {left}?")
        again = translate("review", "Once more: does {right} stand to the right of {left}?")
    return (again if once_more else text).format(left=question.left, right=question.right)


def describe(question: Question | None) -> str:
    """Describe how sure the join is that is asked about, and what the answer is worth."""
    if question is None:
        return ""
    parts = [wording.degree(question.confidence)]
    if question.usefulness >= WORTH_ASKING:
        n = f"{question.usefulness:.2g}"
        many = translate("review", "the answer is worth {n} joins").format(n=n)
        parts.append(translate("review", "the answer is worth a join") if n == "1" else many)
    else:
        parts.append(translate("review", "hardly worth asking"))
    if question.state != "suggested":
        parts.append(wording.join_state(question.state))
    return "  ·  ".join(parts)


def what_is_taken_back(review: Review) -> str:
    """Describe which answer Take Back would take back."""
    answer = review.to_take_back
    if review.doubted is not None:
        return translate("review", "Take back the answer that is asked about once more (T)")
    if answer is None:
        return translate("review", "Take the last answer back, or the one in doubt (T)")
    return translate("review", "Take back: {answer} (T)").format(
        answer=wording.answer(answer.joins, answer.margins, below=answer.below)
    )


def doubt(review: Review) -> str:
    """Describe why an answer is asked about once more, what was taken back, or that no order is left."""
    said, objection, taken, orderless = review.in_doubt, review.objection, review.taken_back, review.without_order
    if said is not None and objection is not None:
        again = translate("review", "The same answer once more counts.")
        return _against(said, objection) + (f" {again}" if review.doubted is not None else "")
    if taken is not None:
        return translate("review", "Taken back: {answer}.").format(
            answer=wording.answer(taken.joins, taken.margins, below=taken.below)
        )
    if orderless is not None:
        text = translate(
            "review", "▲ No order is left that keeps to the answer to {pair}. Take Back (T) it, or one before."
        )
        return text.format(pair=_named(orderless.pair))
    return ""


def _against(said: Said, objection: Objection) -> str:
    """Describe what speaks against an answer."""
    if objection.earlier:
        text = translate("review", "▲ With that answer your Yes to {instead} is withdrawn.")
    elif said.margin is not None:
        text = translate("review", "▲ You said that a page has its margin there, but {instead} is {percent} sure.")
    elif len(said.joins) > 1:
        text = translate("review", "▲ You chose {said}, but all the rest speaks for {instead}: {percent} sure.")
    elif said.joins[0][1] == "forbidden":
        text = translate("review", "▲ You said No, but all the rest speaks for it: {percent} sure but for your answer.")
    else:
        text = translate("review", "▲ You said Yes, but all the rest speaks against it: {instead} is {percent} sure.")
    mine = _named(objection.said) if objection.said is not None else ""
    percent = percentage(objection.confidence_instead)
    return text.format(said=mine, instead=_named(objection.instead), percent=percent)


def sides(said: Said, objection: Objection) -> tuple[str, str]:
    """Write what the two pictures show: the answer's side, and that of all the rest."""
    makes_join = any(state == "confirmed" for _, state in said.joins)
    mine = translate("review", "Your answer: {pair}, {percent}")
    if not makes_join:
        mine = translate("review", "If not: {pair}, {percent}")
    rest = translate("review", "The rest: {pair}, {percent}")
    if objection.earlier:
        rest = translate("review", "Your earlier Yes: {pair}")
    return (
        _side(mine, objection.said, objection.confidence_said),
        _side(rest, objection.instead, objection.confidence_instead),
    )


def _side(text: str, pair: Pair | None, sure: float) -> str:
    return "" if pair is None else text.format(pair=_named(pair), percent=percentage(sure))


def _named(pair: Pair) -> str:
    return f"{pair[0]} | {pair[1]}"
