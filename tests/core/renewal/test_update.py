from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import (
    FreeJoin,
    HalfTurn,
    MergePages,
    MoveShreds,
    SetAside,
    SetJoin,
    SetMargin,
    ShiftJoin,
    SplitPage,
)
from core.arrangement.exchange import Exchange
from core.arrangement.page_edits import MovePages, NamePage, SetPageState
from core.case.case import Case
from core.case.joins import join_table, known_shifts, rearranged, shifts_by_hand
from core.comparison import Matched
from core.errors import UsageError
from core.matching.costs import Costs
from core.memory import Memory
from core.options import BinarizationOptions, CompositionOptions, Options, SegmentationOptions, SolverOptions
from core.pipeline import arrange, reconstruct
from core.renewal import update
from core.renewal.carrying import carried_arrangement, renamed
from core.renewal.update import redo, remembered, solve_again
from core.system.places import sample_paths, weights_path

IDS = ("1-01", "1-02", "1-03", "1-04", "1-05", "1-06")


def line_of_costs(n, step=1.0):
    """Shreds fit in the order of their numbers, the dearer the farther; a page may end anywhere for 4."""
    places = np.arange(n, dtype=np.float32)
    cost = step * np.abs(places[None, :] - places[:, None] - 1) + 1
    np.fill_diagonal(cost, np.inf)
    shift_px = (4 * np.arange(n)[None, :] - 8 + np.zeros((n, 1))).astype(np.int16)
    blank = np.full(n, 4, np.float32)
    return Costs.of_all(cost.astype(np.float32), shift_px, blank, blank.copy(), temperature=0.3)


def no_encoder():
    raise AssertionError("nothing has to be compared")


@pytest.fixture
def case(small_case: Case, make_shred) -> Case:
    """Six shreds on one page in their order, and two blank ones aside."""
    paper = np.ones((300, 40), dtype=np.bool_)
    shreds = [make_shred(shred_id, paper) for shred_id in IDS]
    shreds += [make_shred(shred_id, paper, blank=True) for shred_id in ("1-07", "1-08")]
    plain = replace(small_case, shreds=tuple(shreds), costs=line_of_costs(6), solved=None)
    arranged = arrange(shreds, plain.costs, plain.options)
    assert arranged.arrangement.pages == (IDS,)
    return replace(plain, arrangement=arranged.arrangement, joins=arranged.joins)


@pytest.fixture
def two_pages(small_case: Case) -> Case:
    """The small case as the solver left it: 1-01 2-02 | 2-01 1-02, and 1-03 is blank."""
    pages = (("1-01", "2-02"), ("2-01", "1-02"))
    costs = small_case.costs
    shift_px = {"2-02": int(costs.shift_of(0, 3)), "1-02": int(costs.shift_of(2, 1))}
    return replace(small_case, arrangement=Arrangement(pages, ("1-03",), shift_px), solved=None)


def edited(case, *edits):
    known = join_table(case)
    for edit in edits:
        arrangement, _ = edit.apply(case.arrangement, known_shifts(case))
        case = rearranged(case, arrangement, known)
    return case


def test_nothing_is_held_before_anything_is_done(two_pages):
    assert remembered(two_pages) == two_pages.arrangement


def test_joins_made_by_hand_are_held_and_those_undone_stay_parted(two_pages):
    moved = remembered(edited(two_pages, MoveShreds(("2-01",), 0, 1)))
    assert moved.pages == (("1-01", "2-01", "2-02"), ("1-02",))
    assert moved.held == {("1-01", "2-01"), ("2-01", "2-02")}
    assert moved.parted == {("1-01", "2-02"), ("2-01", "1-02")}
    split = remembered(edited(two_pages, SplitPage("2-02")))
    assert split.parted == {("1-01", "2-02")}
    assert split.held == {("1-01", ""), ("", "2-02")}, "a page ends, and the next one begins"
    merged = remembered(edited(two_pages, MergePages(0)))
    assert merged.held == {("2-02", "2-01")}


def test_a_join_made_by_moving_is_released_with_what_it_displaced(two_pages):
    moved = edited(two_pages, MoveShreds(("2-01",), 0, 1))
    freed = edited(moved, FreeJoin("1-01", "2-01"))
    assert moved.placed_by_hand - freed.placed_by_hand == {("1-01", "2-01")}
    assert remembered(freed).held == {("2-01", "2-02")}
    assert remembered(freed).parted == {("2-01", "1-02")}
    assert remembered(edited(freed, FreeJoin("2-01", "2-02"))).held == frozenset()
    assert solve_again(freed, no_encoder).arrangement.freed == frozenset()
    apart = edited(freed, Exchange((("1-01", "2-01"), ("2-01", "2-02")), (("2-01", "1-02"),)))
    assert remembered(apart).parted == {("1-01", "2-02")}, "it is a join no more, and nothing of it counts"


def test_what_was_held_is_remembered_over_several_solutions(two_pages):
    first = remembered(edited(two_pages, MergePages(0)))
    second = remembered(replace(two_pages, arrangement=first, solved=None))
    assert second.held == {("2-02", "2-01")}
    parted_again = remembered(edited(replace(two_pages, arrangement=first), SplitPage("2-01")))
    assert parted_again.parted == {("2-02", "2-01")}
    assert parted_again.held == {("2-02", ""), ("", "2-01")}


def test_a_join_made_where_a_page_was_split_takes_the_margins_back(two_pages):
    split = replace(two_pages, arrangement=remembered(edited(two_pages, SplitPage("2-02"))), solved=None)
    merged = remembered(edited(split, MergePages(0)))
    assert merged.held == {("1-01", "2-02")}
    other = remembered(edited(split, MoveShreds(("2-01",), 1, 0)))
    assert other.held == {("1-01", ""), ("2-01", "2-02")}


def test_what_is_said_outweighs_what_was_done(two_pages):
    forbidden = remembered(edited(two_pages, MergePages(0), SetJoin("2-02", "2-01", "forbidden")))
    assert forbidden.held == frozenset()
    confirmed = remembered(edited(two_pages, SplitPage("2-02"), SetJoin("1-01", "2-02", "confirmed")))
    assert confirmed.parted == frozenset()


def test_shifts_that_differ_from_the_costs_were_set_by_hand(two_pages):
    assert shifts_by_hand(two_pages) == {}
    nudged = replace(two_pages.arrangement, shift_px=two_pages.arrangement.shift_px | {"2-02": 77})
    assert shifts_by_hand(replace(two_pages, arrangement=nudged)) == {("1-01", "2-02"): 77}
    turned = replace(nudged, half_turned=frozenset({"1-01"}))
    assert shifts_by_hand(replace(two_pages, arrangement=turned, solved=two_pages.arrangement)) == {}
    beside_blank = edited(two_pages, MoveShreds(("1-03",), 0, 1)).arrangement
    lower = replace(beside_blank, shift_px=beside_blank.shift_px | {"1-03": 5})
    assert shifts_by_hand(replace(two_pages, arrangement=lower))["1-01", "1-03"] == 5


def test_without_a_word_nothing_changes(case):
    again = solve_again(case, no_encoder)
    assert again.arrangement == case.arrangement
    assert again.joins == case.joins
    assert again.costs is case.costs
    assert again.solved is None


@pytest.mark.slow
def test_without_a_word_nothing_changes_on_the_bundled_sample(sample_cache):
    case = reconstruct(sample_paths(), Options(), weights_path(), memory=Memory(sample_cache))
    again = solve_again(case, no_encoder)
    assert again.arrangement == case.arrangement
    assert again.joins == case.joins
    assert again.optimal


def test_answers_hold(case):
    said = edited(case, SetJoin("1-02", "1-05", "confirmed"), SetJoin("1-05", "1-06", "forbidden"))
    again = solve_again(said, no_encoder)
    joins = again.arrangement.joins()
    assert ("1-02", "1-05") in joins
    assert ("1-05", "1-06") not in joins
    assert again.arrangement.confirmed == {("1-02", "1-05")}
    assert [(join.left, join.right) for join in again.joins] == joins
    assert again.joins[joins.index(("1-02", "1-05"))].confidence > 0.99


def test_what_was_done_by_hand_holds_also_the_next_time(case):
    moved = edited(case, MoveShreds(("1-06",), 0, 2))
    assert moved.arrangement.pages == (("1-01", "1-02", "1-06", "1-03", "1-04", "1-05"),)
    once = solve_again(moved, no_encoder)
    twice = solve_again(edited(once, SetJoin("1-03", "1-04", "forbidden")), no_encoder)
    for again in (once, twice):
        assert {("1-02", "1-06"), ("1-06", "1-03")} <= set(again.arrangement.joins())
    assert once.arrangement.pages == moved.arrangement.pages
    assert ("1-03", "1-04") not in twice.arrangement.joins()


def test_pages_and_what_is_aside_stay(case):
    again = solve_again(edited(case, SplitPage("1-03"), SetAside(("1-05",))), no_encoder)
    assert again.arrangement.pages == (("1-01", "1-02"), ("1-03", "1-04", "1-06"))
    assert set(again.arrangement.set_aside) == {"1-05", "1-07", "1-08"}


def test_a_join_confirmed_across_pages_makes_one_of_them_if_there_are_too_many(case):
    split = edited(case, SplitPage("1-04"))
    joined = solve_again(edited(split, SetJoin("1-03", "1-04", "confirmed")), no_encoder)
    assert joined.arrangement.pages == (IDS,), "all six fill a fifth of a page"
    narrow = replace(split.options, solver=replace(split.options.solver, page_width_mm=20.0))
    of_two = replace(split, options=narrow)
    kept = solve_again(edited(of_two, SetJoin("1-03", "1-04", "confirmed")), no_encoder)
    assert len(kept.arrangement.pages) == 2, "they fill more than one page of 20 mm"
    assert ("1-03", "1-04") in kept.arrangement.joins()


def test_a_page_ends_where_it_is_said_to_end(case):
    said = edited(case, SetMargin("1-02", "right"), SetJoin("1-02", "1-03", "forbidden"))
    again = solve_again(said, no_encoder)
    (page,) = again.arrangement.pages
    assert page[-1] == "1-02"
    begun = solve_again(edited(again, SetMargin("1-05", "left"), SetMargin("1-03", "left")), no_encoder)
    assert {page[0] for page in begun.arrangement.pages} == {"1-03", "1-05"}, "two beginnings need two pages"
    assert "1-02" in {page[-1] for page in begun.arrangement.pages}
    taken_back = solve_again(edited(begun, SetJoin("1-02", "1-03", "confirmed")), no_encoder)
    assert ("1-02", "1-03") in taken_back.arrangement.joins()


def test_a_page_split_by_hand_begins_there_for_good(case):
    split = edited(case, SplitPage("1-03"))
    again = solve_again(edited(split, SetJoin("1-01", "1-02", "forbidden")), no_encoder)
    assert "1-03" in {page[0] for page in again.arrangement.pages}
    assert "1-02" in {page[-1] for page in again.arrangement.pages}


def test_a_shift_set_by_hand_stays_with_its_join(case):
    nudged = edited(case, ShiftJoin("1-02", "1-03", 11), SetJoin("1-05", "1-06", "forbidden"))
    again = solve_again(nudged, no_encoder)
    assert again.arrangement.shift_px["1-03"] == 11
    apart = solve_again(edited(nudged, SetJoin("1-02", "1-03", "forbidden")), no_encoder)
    assert apart.arrangement.shift_px.get("1-03") != 11


def test_blank_shreds_placed_by_hand_stay_where_they_are(case):
    placed = edited(case, MoveShreds(("1-07",), 0, 3), MoveShreds(("1-08",), 0, 0))
    again = solve_again(placed, no_encoder)
    assert again.arrangement.pages == (("1-08", "1-01", "1-02", "1-03", "1-07", "1-04", "1-05", "1-06"),)
    beside_blank = [join for join in again.joins if {"1-07", "1-08"} & {join.left, join.right}]
    assert len(beside_blank) == 3
    assert all(join.cost == np.inf and join.confidence == 0 for join in beside_blank)


def test_a_confirmed_join_calls_a_blank_shred_onto_the_page(case):
    said = edited(case, SetJoin("1-02", "1-07", "confirmed"))
    again = solve_again(said, no_encoder)
    assert ("1-02", "1-07") in again.arrangement.joins()
    assert again.arrangement.set_aside == ("1-08",)
    moved_on = solve_again(edited(again, SetJoin("1-06", "1-08", "confirmed")), no_encoder)
    assert {("1-02", "1-07"), ("1-06", "1-08")} <= set(moved_on.arrangement.joins())


def test_what_was_said_of_shreds_that_were_found_upside_down_is_said_of_them_as_they_lie(case, monkeypatch):
    monkeypatch.setattr(update, "match", lambda *_, **__: Matched(case.costs, "cd" * 32, {}))
    stood = replace(case.arrangement, half_turned=frozenset({"1-02", "1-03"}), confirmed=frozenset({("1-02", "1-03")}))
    _, arrangement = update.compare_again(case, stood, "encoder")
    assert (arrangement.half_turned, arrangement.confirmed) == (frozenset(), {("1-03", "1-02")})


def test_turned_shreds_are_compared_anew(case, monkeypatch):
    seen = []

    def match(shreds, encoder, options, progress, **_):
        seen.append((encoder, [shred.half_turn for shred in shreds]))
        return Matched(line_of_costs(6, step=-1.0), "cd" * 32, {"embed": 0.25})

    monkeypatch.setattr(update, "match", match)
    turned = edited(case, HalfTurn(("1-03",)))
    again = solve_again(turned, lambda: "encoder")
    assert seen == [("encoder", [False, False, True] + 5 * [False])]
    assert again.costs.cost_of(0, 5) < 0
    assert again.turned_since == frozenset()
    assert again.arrangement.half_turned == {"1-03"}
    assert again.seconds["embed"] == 0.25
    assert again.weights_sha256 == "cd" * 32, "the costs are those of the weights that are here now"
    assert again.arrangement.pages != case.arrangement.pages
    assert solve_again(again, no_encoder).arrangement == again.arrangement
    only_blank = edited(case, HalfTurn(("1-07",)))
    assert solve_again(only_blank, no_encoder).arrangement.half_turned == {"1-07"}


def test_contradictions_are_told(case):
    pages = (("1-01",), ("1-02",))
    two = replace(case, shreds=case.shreds[:2], costs=line_of_costs(2), arrangement=Arrangement((("1-01", "1-02"),)))
    forbidden = frozenset({("1-01", "1-02"), ("1-02", "1-01")})
    forbidding = replace(two, arrangement=replace(two.arrangement, forbidden=forbidden))
    with pytest.raises(UsageError, match="1-01 → 1-02"):
        solve_again(replace(forbidding, options=Options(solver=SolverOptions(n_pages=1))), no_encoder)
    assert solve_again(forbidding, no_encoder).arrangement.pages == pages, "where their number is free"
    apart = replace(two, arrangement=Arrangement(pages, forbidden=forbidden))
    assert solve_again(apart, no_encoder).arrangement.pages == pages


def test_a_case_without_costs_stays_as_it_is(case):
    bare = replace(case, costs=None)
    assert solve_again(bare, no_encoder) is bare


def test_joins_are_as_sure_as_after_an_edit_that_is_taken_back(case):
    again = solve_again(edited(case, SetAside(("1-04",))), no_encoder)
    nothing = edited(again, ShiftJoin("1-01", "1-02", 9), ShiftJoin("1-01", "1-02", again.arrangement.shift_px["1-02"]))
    assert nothing.arrangement == again.arrangement
    assert nothing.joins == again.joins


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

    def compare(shreds, encoder, options, progress, **_):
        calls.append((encoder, options.binarization.k))
        return Matched(line_of_costs(6, step=2.0), "", {"embed": 1.0})

    monkeypatch.setattr(update, "match", compare)
    by_hand = edited(case, SetJoin("1-01", "1-02", "confirmed"))
    options = replace(case.options, binarization=BinarizationOptions(k=0.2))
    again = redo(by_hand, options, lambda: "encoder")
    assert calls == [("encoder", 0.2)]
    assert again.options == options
    assert again.costs.cost_of(0, 2) == 3.0
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
    arrangement = replace(arrangement, turned_by_hand=frozenset({"1-04"}), page_turns={"1-01": 3})
    arrangement = replace(arrangement, pages=(IDS[:4] + IDS[5:],), set_aside=("1-07", "1-08", "1-05"))
    before = replace(before, arrangement=arrangement, solved=case.arrangement)
    # Found now: all but the last one with ink, a pixel farther right, under other names.
    shreds = tuple(
        replace(shred, id=f"N{shred.id}", bbox=(shred.bbox[0] + 1, *shred.bbox[1:])) for shred in before.shreds
    )
    shreds = shreds[:5] + shreds[6:]
    found = tuple(shred.id for shred in shreds[:5])
    after = replace(before, shreds=shreds, arrangement=Arrangement((found,), ("N1-07", "N1-08")), solved=None)
    carried, lost = carried_arrangement(before, after)
    assert carried == Arrangement(
        pages=(("N1-01", "N1-02", "N1-03", "N1-04"),),
        set_aside=("N1-07", "N1-08", "N1-05"),
        confirmed=frozenset({("N1-01", "N1-02")}),
        forbidden=frozenset({("N1-03", "N1-05")}),
        half_turned=frozenset({"N1-04"}),
        turned_by_hand=frozenset({"N1-04"}),
        page_turns={"N1-01": 3},
    )
    assert lost == ("1-06",)


def test_shreds_of_another_file_are_others(case):
    before = edited(case, SetJoin("1-01", "1-02", "confirmed"))
    other = replace(before, sheets=tuple(replace(sheet, sha256="f" * 64) for sheet in before.sheets))
    carried, lost = carried_arrangement(before, replace(other, arrangement=Arrangement((IDS,))))
    assert carried.confirmed == frozenset()
    assert lost == ("1-01", "1-02")


def test_solving_again_keeps_what_was_said_of_pages_and_their_order(case):
    case.costs.cost[case.costs.at(2, 3)] = 2  # there a page ends
    arrangement = Arrangement((IDS[:3], IDS[3:6]), case.arrangement.set_aside)
    shreds = tuple(at(shred, 50 * number) for number, shred in enumerate(case.shreds))
    case = replace(case, shreds=shreds, arrangement=arrangement, solved=None)
    before = edited(
        case,
        NamePage(0, "letter"),
        SetPageState((1,), "done"),
        MovePages((1,), 0),
    )
    solved = solve_again(before, no_encoder)
    assert len(solved.arrangement.pages) == 2
    first = [solved.arrangement.places[shred][0] for shred in ("1-05", "1-02")]
    assert first == [0, 1], "pages stay in the order in which the examiner put them"
    assert solved.arrangement.page_mark("page_names", 1) == "letter"
    assert solved.arrangement.page_state(0)[0] == "done"
    carried, _ = carried_arrangement(before, case)
    assert carried.pages == before.arrangement.pages
    assert carried.page_names == {"1-01": "letter"}


def test_a_note_about_a_place_goes_along_with_its_shred():
    names = {"1-01": "2-07", "1-02": "2-08"}
    assert renamed("1-01@3,4,5,6", names) == "2-07@3,4,5,6"
    assert renamed("1-01|1-02", names) == "2-07|2-08"
    assert renamed("", names) == ""
