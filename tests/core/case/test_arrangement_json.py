import json
from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.arrangement import MARGIN, Arrangement
from core.arrangement.edit import Edit, Restore
from core.arrangement.edits import (
    FreeJoin,
    FreeMargin,
    HalfTurn,
    MergePages,
    MoveShreds,
    Replace,
    SetAside,
    SetJoin,
    SetMargin,
    ShiftJoin,
    ShiftShreds,
    SplitPage,
    Together,
    TurnPage,
    TurnShred,
    WriteDetails,
    WriteNote,
)
from core.arrangement.exchange import Exchange
from core.arrangement.face_edits import PairFaces, PartFaces, TurnOver
from core.arrangement.page_edits import GroupPages, LevelPage, MovePages, NamePage, PinShreds, SetPageState
from core.arrangement.row_edits import PlaceRow, SetBelow
from core.case.arrangement_json import (
    canonical_arrangement,
    describe_arrangement,
    describe_edit,
    describe_options,
    read_arrangement,
    read_edit,
    read_options,
)
from core.options import CostOptions, Options
from core.system.json_values import canonical

FULL = Arrangement(
    pages=(("a", "b"), ("c",)),
    set_aside=("x",),
    shift_px={"b": -3},
    confirmed=frozenset({("a", "b")}),
    forbidden=frozenset({("b", "c"), ("a", "c")}),
    held=frozenset({(MARGIN, "c")}),
    parted=frozenset({("b", "x")}),
    half_turned=frozenset({"c", "a"}),
    turned_deg={"c": 0.1 + 0.2},
    page_turns={"c": 3},
    notes={"": "on the whole", "a|b": "staple\nhole", "x": "“é”"},
    details={"number": "2026-0412", "remarks": "one\ntwo"},
    page_names={"a": "“é”"},
    page_slopes={"a": -1.25},
    page_documents={"a": "file", "c": "file"},
    page_states={"c": ("done", "0123456789abcdef")},
    pages_ordered=True,
    freed=frozenset({("a", "b")}),
    pinned=frozenset({"a", "c"}),
    confirmed_below=frozenset({("a", "c")}),
    forbidden_below=frozenset({("b", "c")}),
    held_below=frozenset({(MARGIN, "a")}),
    other_faces={"a": ("d", True, -2, 0.5), "d": ("a", True, 2, 0.5)},
    paired_by_hand=frozenset({"a", "d"}),
)
EDITS = [
    WriteDetails({"exhibit": "3"}),
    MoveShreds(("a", "b"), 1, 0, new_page=True, break_joins=True),
    SetAside(("a",)),
    SplitPage("b"),
    MergePages(0),
    ShiftShreds(("a", "b"), -7),
    ShiftJoin("a", "b", 4),
    HalfTurn(("a",)),
    TurnShred("c", 0.1 + 0.2),
    TurnPage(1, 3),
    SetJoin("a", "b", "forbidden"),
    SetMargin("c", "left"),
    FreeMargin("c", "left"),
    WriteNote("a|b", "“é”\n"),
    FreeJoin("a", "b"),
    Exchange((("a", "b"),), (("b", "a"),), {"a": 3}, ("a",)),
    MovePages((1,), 0),
    NamePage(0, "“é”"),
    LevelPage(0, 1.25),
    PinShreds(("a", "c"), False),
    GroupPages((0, 1), "file"),
    SetPageState((0, 1), "reviewed"),
    SetBelow("a", "c", "confirmed"),
    PlaceRow(1, 0, True, -12, (("a", "c"),)),
    PlaceRow(0, None),
    TurnOver(("a",)),
    PairFaces("a", "d", True, -2),
    PartFaces("a"),
    Replace(FULL),
    Restore.between(FULL, Arrangement(pages=(("c", "a"),), shift_px={"a": 1})),
    Restore.between(Arrangement(), FULL),
    Together((SetAside(("a",)), Together((SplitPage("b"),)))),
]


def through_json(told):
    return json.loads(json.dumps(told, allow_nan=False))


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: type(edit).__name__)
def test_an_edit_comes_back_as_it_was_described(edit):
    back = read_edit(through_json(describe_edit(edit)))
    assert type(back) is type(edit)
    assert back == edit


def test_every_kind_of_edit_is_described():
    assert {type(edit) for edit in EDITS} == set(Edit.__subclasses__())


def test_an_arrangement_comes_back_as_it_was_described():
    assert read_arrangement(through_json(describe_arrangement(FULL))) == FULL


def pages_of(names):
    pages = tuple(tuple(names[at : at + 7]) for at in range(0, len(names), 7))
    return Arrangement(pages, shift_px={shred: at % 5 - 2 for page in pages for at, shred in enumerate(page) if at})


@pytest.mark.parametrize(
    "arrangement",
    [
        Arrangement(),
        FULL,
        pages_of([f'{n}-“"é\\' for n in range(300)]),
        replace(pages_of(["a", "b", "c"]), shift_px={"c": np.int16(-7), "b": True}),
    ],
    ids=["empty", "full", "many", "numbers"],
)
def test_an_arrangement_is_written_as_its_description_is(arrangement):
    assert canonical_arrangement(arrangement) == canonical(describe_arrangement(arrangement))


def test_an_arrangement_is_written_as_its_description_is_after_each_step():
    now = pages_of([f"{n}" for n in range(300)])
    for at in range(0, 12, 3):
        for edit in (MoveShreds((now.pages[at][3],), at + 1, at % 2), ShiftShreds((now.pages[at][1],), at - 4)):
            now, _ = edit.apply(now)
            assert canonical_arrangement(now) == canonical(describe_arrangement(now))


def test_an_arrangement_of_an_earlier_version_has_no_notes():
    told = describe_arrangement(FULL)
    del told["notes"]
    assert read_arrangement(told).notes == {}


def test_what_earlier_versions_did_not_know_leaves_no_trace_where_there_is_none():
    plain = Arrangement(FULL.pages, FULL.set_aside)
    told = describe_arrangement(plain)
    assert (
        not {"page_turns", "page_names", "page_documents", "page_states", "page_slopes", "pages_ordered"} & told.keys()
    )
    assert read_arrangement(through_json(told)) == plain


@pytest.mark.parametrize(
    "told",
    [
        {"edit": "Edit"},
        {"edit": "__import__", "name": "os"},
        {"edit": "SplitPage"},
        {"edit": "SplitPage", "shred": 3},
        {"edit": "MergePages", "page": True},
        {"edit": "MergePages", "page": 0, "colour": "red"},
        {"edit": "HalfTurn", "shreds": [1]},
        {"edit": "Restore", "parts": {"colour": "red"}},
        {"edit": "Together", "edits": [{"edit": "SplitPage"}]},
    ],
)
def test_what_is_no_edit_is_refused(told):
    with pytest.raises((ValueError, KeyError)):
        read_edit(told)


def test_options_of_earlier_versions_kept_no_sheets_given_twice():
    told = describe_options(Options())
    del told["reading"]["keep_duplicates"], told["cost"]["use_lines"], told["cost"]["expect_margins"]
    assert read_options(told) == replace(Options(), cost=CostOptions(use_lines=False, expect_margins=False))
