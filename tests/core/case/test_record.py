from dataclasses import replace

from core.arrangement.edits import WriteNote
from core.case.history import arrangement_sha256, check_chain
from core.case.record import reconstruction_parameters, recorded
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
