from dataclasses import replace

import pytest

from core.arrangement.edits import WriteNote
from core.arrangement.faces import FacePair, other_faces
from core.case.history import arrangement_sha256, check_chain
from core.case.record import (
    check_parameters,
    last_recorded,
    pages_from_sheets,
    predates,
    reconstructed,
    reconstruction_parameters,
    recorded,
)
from core.errors import UnverifiedError
from core.system.versions import versions


def test_a_step_is_recorded_with_its_result(small_case):
    first = recorded(
        small_case, "Ada", "reconstructed", "2 pages", reconstruction_parameters(small_case), "2026-11-28T09:55:01Z"
    )
    noted = replace(first, arrangement=WriteNote("", "wet").apply(first.arrangement)[0])
    second = recorded(noted, "Ada", "edited", "note", {"edit": {"edit": "WriteNote", "about": "", "text": "wet"}})
    check_chain(second.history)
    assert [entry.result_sha256 for entry in second.history] == [
        arrangement_sha256(case.arrangement) for case in (small_case, noted)
    ]
    assert second.history[0].when == "2026-11-28T09:55:01Z"
    assert second.arrangement == noted.arrangement


def test_a_file_of_several_pages_is_named_once(small_case):
    one, other = small_case.sheets
    pages = (one, replace(one, page=1), other)
    told = reconstruction_parameters(replace(small_case, sheets=pages))
    assert [sheet["name"] for sheet in told["sheets"]] == ["scan 0.png", "scan 1.png"]
    assert told["sheets"][1]["mask_sha256"] == "c" * 64
    assert told["weights_sha256"] == small_case.weights_sha256
    assert told["left_out"] == list(small_case.unreadable) != []
    assert told["options"]["solver"]["seed"] == small_case.options.solver.seed


def test_a_case_predates_an_option_until_a_step_names_it(small_case):
    told = reconstruction_parameters(small_case)
    assert not predates(small_case, "composition", "level"), "nothing is told"
    before = {**told, "options": {**told["options"], "composition": {"show_seams": False}}}
    case = recorded(small_case, "Ada", "reconstructed", "2 pages", before)
    case = recorded(case, "Ada", "solved again", "again", {"solve": True})
    assert predates(case, "composition", "level")
    assert not predates(case, "composition", "show_seams")
    case = recorded(case, "Ada", "options changed", "seams", {"options": told["options"]})
    assert not predates(case, "composition", "level")


def test_a_step_tells_versions_and_weights_where_they_are_no_longer_the_same(small_case, monkeypatch):
    case = replace(small_case, versions=versions())
    case = recorded(case, "Ada", "reconstructed", "2 pages", reconstruction_parameters(case))
    case = recorded(case, "Ada", "solved again", "again", {"solve": True})
    assert case.history[-1].parameters == {"solve": True}
    later = versions() | {"numpy": "99.0"}
    monkeypatch.setattr("core.case.record.versions", lambda: later)
    case = recorded(replace(case, weights_sha256="cd" * 32), "Ada", "solved again", "again", {"solve": True})
    assert case.history[-1].parameters == {"solve": True, "versions": later, "weights_sha256": "cd" * 32}
    case = recorded(case, "Ada", "saved", "saved")
    assert case.history[-1].parameters == {}


@pytest.fixture
def history(small_case):
    return recorded(reconstructed(small_case, "Ada"), "Ada", "solved again", "again", {"solve": True}).history


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"solve": True, "versions": {"rejoin": "2"}, "weights_sha256": "ab"},
        {"file": "one.rejoin", "packed": False},
        {"to": 1},
        {"edit": {"edit": "HalfTurn"}},
    ],
)
def test_what_rejoin_writes_passes(history, parameters):
    check_parameters((history[0], replace(history[1], parameters=parameters)))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"solve": True, "edit": {}}, "edit, solve cannot stand together"),
        ({"to": 1, "reason": "another one"}, "reason, to cannot stand together"),
        ({"to": 1, "left_out": []}, "left_out, to cannot stand together"),
        ({"keep": True}, "keep cannot stand together"),
        ({"to": True}, "to is of the wrong kind"),
        ({"edit": ["a"]}, "edit is of the wrong kind"),
        ({"versions": "2"}, "versions is of the wrong kind"),
        ({"versions": {"rejoin": 2}}, "versions is of the wrong kind"),
        ({"weights_sha256": []}, "weights_sha256 is of the wrong kind"),
        ({"sheets": 1, "options": {}}, "sheets is of the wrong kind"),
        ({"sheets": [None], "options": {}}, "sheets is of the wrong kind"),
        ({"sheets": [{"sha256": "ab"}], "options": {}}, "unknown or missing in a sheet"),
    ],
)
def test_whatever_else_stands_there_is_named(history, parameters, sentence):
    with pytest.raises(UnverifiedError, match="Entry 2 of the history") as caught:
        check_parameters((history[0], replace(history[1], parameters=parameters)))
    assert sentence in str(caught.value)


def test_what_was_told_last_counts(history):
    assert last_recorded(history, "weights_sha256") == history[0].parameters["weights_sha256"]
    later = (*history, replace(history[1], parameters={"weights_sha256": "cd"}))
    assert last_recorded(later, "weights_sha256") == "cd"
    assert last_recorded((), "versions") is None


@pytest.mark.parametrize(
    ("pages", "half_turned", "said"),
    [
        ((("1-01", "1-02"),), (), "1 page with backs from 2 shreds scanned on both faces"),
        ((("1-01",), ("1-02", "9-01")), (), "2 pages with backs from 3 shreds, 2 of them scanned on both faces,"),
        (
            (("1-01", "1-02"), ("9-01",)),
            ("1-01",),
            "2 pages, 1 of them with a back, from 3 shreds, 2 of them scanned on both faces, "
            "1 of them found upside down,",
        ),
        ((("9-01",),), ("9-01",), "1 page from 1 shred, 1 of them found upside down,"),
    ],
)
def test_paper_is_counted_and_not_its_faces(small_case, pages, half_turned, said):
    faces = other_faces([FacePair("1-01", "2-01", False, 0), FacePair("1-02", "2-02", False, 0)])
    changed = {"pages": pages, "half_turned": frozenset(half_turned), "turned_by_hand": frozenset()}
    arrangement = replace(small_case.arrangement, set_aside=(), other_faces=faces, **changed)
    assert pages_from_sheets(replace(small_case, arrangement=arrangement)) == f"{said} on 2 sheets"


def test_rows_of_cross_cut_paper_are_counted_with_their_pages(small_case):
    pages = tuple((shred,) for shred in small_case.arrangement.order)
    places = {shred: (0, row, 0) for row, shred in enumerate(small_case.arrangement.order)}
    case = replace(
        small_case, arrangement=replace(small_case.arrangement, pages=pages, set_aside=(), grid_places=places)
    )
    assert pages_from_sheets(case).startswith(f"1 page of {len(pages)} row")
