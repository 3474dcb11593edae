from dataclasses import replace

import pytest

from core.case.record import check_parameters, reconstructed, recorded, told_last
from core.errors import UnverifiedError


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
    assert told_last(history, "weights_sha256") == history[0].parameters["weights_sha256"]
    later = (*history, replace(history[1], parameters={"weights_sha256": "cd"}))
    assert told_last(later, "weights_sha256") == "cd"
    assert told_last((), "versions") is None
