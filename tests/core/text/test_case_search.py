from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces
from core.text.case_search import Finding, find_things

SHEETS = ("D1/scan.png", "D2/scan.png")


@pytest.fixture
def case(small_case):
    arrangement = Arrangement(
        pages=(("1-01", "1-02"), ("2-01", "1-12")),
        set_aside=("2-1",),
        notes={"": "Fund in Kiste 2", "1-02": "coffee", "1-01|1-02": "Café stain"},
        page_names={"2-01": "Invoice of May"},
        page_documents={"1-01": "File 7"},
    )
    return replace(small_case, arrangement=arrangement)


def found(case, wanted):
    return [(finding.kind, finding.key) for finding in find_things(case, SHEETS, wanted)]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("1-02", [("shred", "1-02")]),
        ("1-", [("shred", "1-01"), ("shred", "1-02"), ("shred", "1-12")]),
        ("invoice", [("page", 1)]),
        ("may INVOICE", [("page", 1)]),
        ("file", [("page", 0)]),
        ("page 2", [("page", 1)]),
        ("sheet 1", [("sheet", 0)]),
        ("scan", [("sheet", 0), ("sheet", 1)]),
        ("d2/scan", [("sheet", 1)]),
        ("cafe", [("note", "1-01|1-02")]),
        ("zebra", []),
        ("  ", []),
        ("page", []),
    ],
)
def test_things_are_found_by_their_names(case, wanted, expected):
    assert found(case, wanted) == expected


def test_what_is_called_exactly_so_comes_first(case):
    assert found(case, "2-1") == [("shred", "2-1")]
    assert found(case, "2")[:2] == [("page", 1), ("sheet", 1)], "by their numbers"
    assert ("note", "") in found(case, "2")


def test_a_finding_says_what_it_is_called(case):
    assert find_things(case, SHEETS, "kiste") == [Finding("note", "", "Fund in Kiste 2")]
    assert find_things(case, SHEETS, "page 1") == [Finding("page", 0, "File 7")]


def test_no_more_are_listed_than_wanted_and_what_is_called_exactly_so_is_among_them(case):
    everything = find_things(case, ["1.png"], "1")
    for n in range(1, len(everything) + 2):
        assert find_things(case, ["1.png"], "1", n) == everything[:n]


def test_a_face_that_is_not_seen_is_found(case):
    faces = other_faces([FacePair("1-12", "3-07", False, 0)])
    hidden = replace(case, arrangement=replace(case.arrangement, other_faces=faces))
    assert found(hidden, "3-0") == [("shred", "3-07")]
    assert found(case, "3-0") == []
