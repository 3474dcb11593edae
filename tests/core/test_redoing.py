from dataclasses import fields, replace

import pytest

from core import update
from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import MoveShreds, SetJoin
from core.options import (
    FIRST_STAGE,
    BinarizationOptions,
    CompositionOptions,
    CostOptions,
    Options,
    ReadingOptions,
    SegmentationOptions,
    SolverOptions,
    first_stage,
)
from core.pipeline import Matched
from core.update import carry_over, redo
from tests.core.test_update import IDS, case, edited, line_of_costs, no_encoder

__all__ = ["case"]


def test_every_option_names_the_first_stage_that_depends_on_it():
    assert FIRST_STAGE.keys() == {field.name for field in fields(Options)}


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


def test_how_pages_are_shown_needs_no_work(case):
    options = replace(case.options, composition=CompositionOptions(show_seams=True))
    shown = redo(case, options, no_encoder)
    assert vars(shown) == vars(replace(case, options=options))


def test_another_number_of_pages_keeps_what_was_said_and_done(case):
    by_hand = edited(case, SetJoin("1-01", "1-04", "forbidden"), MoveShreds(("1-03",), 0, 0))
    two = redo(by_hand, replace(case.options, solver=SolverOptions(n_pages=2)), no_encoder)
    assert len(two.arrangement.pages) == 2
    assert ("1-03", "1-01") in two.arrangement.joins()
    assert two.arrangement.forbidden == {("1-01", "1-04")}
    assert two.costs is case.costs
    one = redo(two, case.options, no_encoder)  # estimated again: the shreds are one page wide
    assert len(one.arrangement.pages) == 1


def test_how_borders_are_read_compares_them_again(case, monkeypatch):
    calls = []

    def compare(shreds, encoder, options, progress):
        calls.append((encoder, options.binarization.k))
        return Matched(line_of_costs(6, step=2.0), "", {"embed": 1.0})

    monkeypatch.setattr(update, "match", compare)
    by_hand = edited(case, SetJoin("1-01", "1-02", "confirmed"))
    options = replace(case.options, binarization=BinarizationOptions(k=0.2))
    again = redo(by_hand, options, lambda: "encoder")
    assert calls == [("encoder", 0.2)]
    assert again.options == options
    assert again.costs.cost[0, 2] == 3.0
    assert again.arrangement.confirmed == {("1-01", "1-02")}


def test_other_sheets_than_those_read_cannot_be_had_from_the_case(case):
    with pytest.raises(ValueError, match="sheets"):
        redo(case, replace(case.options, segmentation=SegmentationOptions(min_width_mm=4)), no_encoder)


def at(shred, x, **others):
    return replace(shred, bbox=(x, 10, 40, 300), **others)


def test_what_was_said_goes_to_the_shreds_that_lie_there_now(case):
    before = replace(case, shreds=tuple(at(shred, 50 * number) for number, shred in enumerate(case.shreds)))
    before = edited(
        before,
        SetJoin("1-01", "1-02", "confirmed"),
        SetJoin("1-03", "1-05", "forbidden"),
        SetJoin("1-02", "1-06", "forbidden"),
    )
    arrangement = replace(before.arrangement, half_turned=frozenset({"1-04"}), turned_deg={"1-06": 0.5})
    arrangement = replace(arrangement, pages=(IDS[:4] + IDS[5:],), set_aside=("1-07", "1-08", "1-05"))
    before = replace(before, arrangement=arrangement, solved=case.arrangement)
    # Found now: all but the last one with ink, a pixel farther right, under other names.
    shreds = tuple(
        replace(shred, id=f"N{shred.id}", bbox=(shred.bbox[0] + 1, *shred.bbox[1:])) for shred in before.shreds
    )
    shreds = shreds[:5] + shreds[6:]
    found = tuple(shred.id for shred in shreds[:5])
    after = replace(before, shreds=shreds, arrangement=Arrangement((found,), ("N1-07", "N1-08")), solved=None)
    carried, lost = carry_over(before, after)
    assert carried == Arrangement(
        pages=(("N1-01", "N1-02", "N1-03", "N1-04"),),
        set_aside=("N1-07", "N1-08", "N1-05"),
        confirmed=frozenset({("N1-01", "N1-02")}),
        forbidden=frozenset({("N1-03", "N1-05")}),
        half_turned=frozenset({"N1-04"}),
    )
    assert lost == ("1-06",)


def test_shreds_of_another_file_are_others(case):
    before = edited(case, SetJoin("1-01", "1-02", "confirmed"))
    other = replace(before, sheets=tuple(replace(sheet, sha256="f" * 64) for sheet in before.sheets))
    carried, lost = carry_over(before, replace(other, arrangement=Arrangement((IDS,))))
    assert carried.confirmed == frozenset()
    assert lost == ("1-01", "1-02")
