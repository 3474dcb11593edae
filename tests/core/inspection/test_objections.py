import pytest

from core.arrangement.arrangement import Arrangement
from core.inspection.objections import LIKELY, UNLIKELY, objection_to
from core.inspection.questions import Question

PAIR = ("a", "b")


def question(confidence, **others):
    """Ask about a | b; ``a_c=0.1`` is how sure a | c is."""
    pairs = {tuple(name.split("_")): sure for name, sure in others.items()}
    return Question("a", "b", confidence, 1.0, (), (), others=pairs)


def objection(asked, answer, **arrangement):
    return objection_to(asked, answer, Arrangement((("a", "b", "c", "d"),), **arrangement))


YES, NO = {PAIR: "confirmed"}, {PAIR: "forbidden"}


@pytest.mark.parametrize(
    ("confidence", "answer", "asked_again"),
    [
        (LIKELY - 0.01, NO, False),
        (LIKELY, NO, True),
        (UNLIKELY, YES, False),
        (UNLIKELY - 0.01, YES, True),
    ],
)
def test_what_the_rest_speaks_against_is_asked_about_again(confidence, answer, asked_again):
    asked = question(confidence, a_c=0.5)
    assert (objection(asked, answer) is not None) == asked_again


def test_both_sides_are_named_with_how_sure_they_are():
    asked = question(0.9, a_c=0.02, d_b=0.06)
    no = objection(asked, NO)
    assert (no.said, no.confidence_said) == (("d", "b"), 0.06), "the likeliest that a No leaves"
    assert (no.instead, no.confidence_instead) == (PAIR, 0.9)
    yes = objection(question(0.01, a_c=0.7), YES)
    assert (yes.said, yes.instead) == (PAIR, ("a", "c"))


def test_an_alternative_is_asked_about_again_if_it_is_dear_or_parts_what_is_likely():
    choice = NO | {("a", "c"): "confirmed"}
    assert objection(question(0.1, a_c=0.3), choice) is None
    assert objection(question(0.3, a_c=0.3), choice).instead == PAIR
    assert objection(question(0.01, a_c=0.02, a_d=0.8), choice).instead == ("a", "d")


def test_a_no_without_any_alternative_has_one_side_alone():
    no = objection(question(0.9), NO)
    assert no.said is None
    assert no.instead == PAIR
    assert objection(question(0.01), YES) is None, "nothing else is possible"


def test_an_answer_against_an_earlier_one_is_asked_about_however_likely():
    found = objection(question(0.9, a_c=0.1), YES, confirmed=frozenset({("a", "c")}))
    assert found.earlier
    assert (found.said, found.instead) == (PAIR, ("a", "c"))
    assert objection(question(0.9), YES, confirmed=frozenset({("c", "d")})) is None


def test_a_yes_that_closes_a_ring_is_asked_about_with_the_most_doubtful_earlier_one():
    confirmed = frozenset({("b", "c"), ("c", "d"), ("d", "a")})
    doubts = {("b", "c"): 0.1, ("c", "d"): 3.0, ("d", "a"): 0.2}
    arrangement = Arrangement((("a", "b", "c", "d"),), confirmed=confirmed)
    found = objection_to(question(0.99), YES, arrangement, doubts.__getitem__)
    assert (found.said, found.instead, found.earlier) == (PAIR, ("c", "d"), True)
    opened = Arrangement((("a", "b", "c", "d"),), confirmed=confirmed - {("c", "d")})
    assert objection_to(question(0.99), YES, opened, doubts.__getitem__) is None
