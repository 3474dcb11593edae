from dataclasses import fields, replace

import pytest

from core.options import (
    BinarizationOptions,
    CompositionOptions,
    CostOptions,
    Options,
    ReadingOptions,
    SolverOptions,
    first_stage,
)

REDONE_FROM = {
    "reading": {"dpi": "read", "max_megapixels": "read", "keep_duplicates": "read"},
    "segmentation": {"min_length_mm": "read", "min_width_mm": "read", "cut": "read"},
    "binarization": {"window_px": "embed", "k": "embed"},
    "border": {"worn_px": "embed"},
    "faces": {"pair": "embed"},
    "cost": {
        "max_shift_rows": "compare",
        "use_contour": "compare",
        "use_tone": "compare",
        "use_lines": "compare",
        "expect_margins": "compare",
        "try_half_turns": "embed",
        "turn_pages": "embed",
    },
    "solver": {
        "n_pages": "arrange",
        "page_width_mm": "arrange",
        "time_limit_s": "arrange",
        "engine": "arrange",
        "seed": "arrange",
    },
    "composition": {"show_seams": "show", "level": "show"},
    "output": {"lossless": "show", "jpeg_quality": "show"},
}
"""For each option the stage from which on work is done again."""


def changed(option):
    """Options that differ from the usual ones in one."""
    part, name = option
    usual = getattr(Options(), part)
    default = getattr(usual, name)
    others = {"engine": "local-search", "dpi": 300.0, "n_pages": 2, "k": 0.2, "cut": "cross"}
    other = others[name] if name in others else not default if isinstance(default, bool) else default + 1
    return replace(Options(), **{part: replace(usual, **{name: other})})


ALL_OPTIONS = [(part, name) for part, names in REDONE_FROM.items() for name in names]


def test_every_option_stands_in_the_table():
    parts = {part.name: [one.name for one in fields(getattr(Options(), part.name))] for part in fields(Options)}
    assert {part: list(names) for part, names in REDONE_FROM.items()} == parts


@pytest.mark.parametrize("option", ALL_OPTIONS, ids=".".join)
def test_work_is_done_again_from_the_first_stage_that_depends_on_an_option(option):
    part, name = option
    assert first_stage(Options(), changed(option)) == REDONE_FROM[part][name]


@pytest.mark.parametrize(
    ("after", "stage"),
    [
        (Options(), None),
        (Options(composition=CompositionOptions(show_seams=True)), "show"),
        (Options(solver=SolverOptions(n_pages=2), composition=CompositionOptions(show_seams=True)), "arrange"),
        (Options(cost=CostOptions(use_contour=False), solver=SolverOptions(n_pages=2)), "compare"),
        (Options(binarization=BinarizationOptions(k=0.2), reading=ReadingOptions(dpi=300)), "read"),
    ],
)
def test_the_earliest_stage_counts(after, stage):
    assert first_stage(Options(), after) == stage
