from dataclasses import replace

import pytest

from app.joins.review_texts import describe
from core.inspection.questions import Question

QUESTION = Question("1-01", "1-02", 0.5, 1.0, (), ())


@pytest.mark.parametrize(
    ("usefulness", "worth"),
    [(1.0, "the answer is worth a join"), (2.6, "the answer is worth 2.6 joins"), (0.0, "hardly worth asking")],
)
def test_what_an_answer_is_worth_is_said_in_words(usefulness, worth):
    assert describe(replace(QUESTION, usefulness=usefulness)).split("  ·  ")[1] == worth
