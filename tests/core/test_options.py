from dataclasses import fields
from itertools import chain

import pytest

from core.options import (
    PARTS_BY_STAGE,
    BinarizationOptions,
    CompositionOptions,
    CostOptions,
    Options,
    ReadingOptions,
    SolverOptions,
    first_stage,
)


def test_every_option_names_the_first_stage_that_depends_on_it():
    assert sorted(chain.from_iterable(PARTS_BY_STAGE.values())) == sorted(field.name for field in fields(Options))


@pytest.mark.parametrize(
    ("after", "stage"),
    [
        (Options(), None),
        (Options(composition=CompositionOptions(show_seams=True)), "show"),
        (Options(solver=SolverOptions(n_pages=2), composition=CompositionOptions(show_seams=True)), "arrange"),
        (Options(cost=CostOptions(use_contour=False), solver=SolverOptions(n_pages=2)), "match"),
        (Options(binarization=BinarizationOptions(k=0.2), reading=ReadingOptions(dpi=300)), "read"),
    ],
)
def test_the_earliest_stage_counts(after, stage):
    assert first_stage(Options(), after) == stage
