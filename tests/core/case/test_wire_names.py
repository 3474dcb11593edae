"""What stands in case files keeps its name, whatever the program calls it."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from core.arrangement.arrangement import SAID_BELOW, Arrangement
from core.arrangement.edit import Edit
from core.case import wire_names
from core.case.arrangement_json import describe_arrangement, describe_options
from core.case.case import Case, JoinInfo
from core.case.history import Entry, describe_entry
from core.case.lock import Holder
from core.case.pixels import _OF_JOINS, _OF_SHREDS
from core.case.record import reconstruction_parameters
from core.case.values import describe_case
from core.matching.confidence import JoinBelow
from core.matching.costs import Costs
from core.options import Options
from core.sheets.mends import Mend
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred

DOCUMENT = (Path(__file__).parents[3] / "docs" / "case-format.md").read_text(encoding="utf-8")
IN_DOCUMENT = set(re.findall(r"`([^`\n]+)`", DOCUMENT))


@pytest.mark.parametrize(
    ("kind", "elsewhere", "names"),
    [
        (
            Case,
            {"costs", "history", "states", "_of_shreds", "_of_joins", "_of_below"},
            {*wire_names.CASE, *wire_names.CASE_CROSS_CUT} - {"format", "embeddings_key"},
        ),
        (
            SheetInfo,
            {"preview", "packed_in"},
            {*wire_names.SHEET, *wire_names.SHEET_FLAT, *wire_names.SHEET_MENDED, *wire_names.SHEET_FILES} - {"packed"},
        ),
        (Shred, {"pixels", "mask", "outline"}, set(wire_names.SHRED)),
        (Crumb, {"outline"}, set(wire_names.CRUMB)),
        (Costs, set(), {*_OF_JOINS, *_OF_SHREDS, "temperature"}),
    ],
)
def test_what_is_built_has_the_fields_that_the_file_names(kind, elsewhere, names):
    assert {field.name for field in fields(kind)} == names | elsewhere


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (JoinInfo, wire_names.JOIN),
        (JoinBelow, wire_names.BELOW),
        (Arrangement, wire_names.ARRANGEMENT),
        (Entry, wire_names.ENTRY),
        (Options, tuple(wire_names.OPTIONS)),
        (Holder, wire_names.LOCK),
        *((type(getattr(Options(), stage)), names) for stage, names in wire_names.OPTIONS.items()),
        *((edit, names) for edit, (_, names) in wire_names.EDITS.items()),
        *((mend, names) for mend, (_, names) in wire_names.MENDS.items()),
    ],
)
def test_fields_are_those_of_the_file_in_its_order(kind, names):
    assert tuple(field.name for field in fields(kind)) == names


def test_every_edit_has_the_kind_that_the_file_names():
    assert set(wire_names.EDITS) == set(Edit.__subclasses__())
    assert {edit.__name__: kind for edit, (kind, _) in wire_names.EDITS.items()} == {
        kind: kind for kind, _ in wire_names.EDITS.values()
    }


def test_every_mend_has_the_kind_that_the_file_names():
    assert set(wire_names.MENDS) == set(Mend.__subclasses__())
    for mend, (kind, names) in wire_names.MENDS.items():
        assert mend.__name__ == kind
        assert {kind, *names} <= IN_DOCUMENT


def test_what_is_written_has_these_names_in_this_order(small_case, tmp_path):
    serialised = describe_case(small_case, tmp_path, False)
    assert tuple(serialised) == wire_names.CASE
    assert tuple(serialised["sheets"][0]) == (*wire_names.SHEET_FILES, *wire_names.SHEET)
    for name, names in (("shreds", wire_names.SHRED), ("crumbs", wire_names.CRUMB), ("joins", wire_names.JOIN)):
        assert tuple(serialised[name][0]) == names
    marked = {"page_names": {"1-01": "a"}, "page_documents": {"1-01": "b"}, "page_states": {"1-01": ("done", "c")}}
    marked |= {"page_slopes": {"1-01": 1.5}, "grid_places": {"1-01": (0, 1, 4)}}
    marked |= {"freed": frozenset({("1-01", "1-02")}), "pinned": frozenset({"1-01"})}
    marked |= {name: frozenset({("1-01", "1-02")}) for name in SAID_BELOW}
    marked |= {"other_faces": {"1-01": ("1-02", True, 3, 0.9)}, "paired_by_hand": frozenset({"1-01"})}
    full = Arrangement(page_turns={"1-01": 1}, details={"number": "7"}, pages_ordered=True, **marked)
    assert tuple(describe_arrangement(full)) == wire_names.ARRANGEMENT
    options = describe_options(Options())
    assert {stage: tuple(options[stage]) for stage in options} == wire_names.OPTIONS
    assert tuple(options) == tuple(wire_names.OPTIONS)
    entry = Entry(1, "", "", "", "", reconstruction_parameters(small_case), "", "", "")
    assert tuple(describe_entry(entry)) == wire_names.ENTRY


def test_every_name_is_in_the_document():
    flat = (wire_names.CASE, wire_names.SHEET, wire_names.SHEET_FILES, wire_names.SHRED, wire_names.CRUMB)
    names = {name for group in (*flat, wire_names.JOIN, wire_names.ARRANGEMENT, wire_names.ENTRY) for name in group}
    names |= {*wire_names.OPTIONS, *_OF_JOINS, *_OF_SHREDS}
    names |= {name for kind, fields_ in wire_names.EDITS.values() for name in (kind, *fields_)}
    assert names - IN_DOCUMENT == set()
