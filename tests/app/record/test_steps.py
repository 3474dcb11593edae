from app.record.steps import concerns, details_of, in_words, marks_of
from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import HalfTurn, SetJoin, Together, WriteDetails, WriteNote
from core.case.arrangement_json import describe_edit, describe_options
from core.case.history import append
from core.options import Options


def history_of(*steps):
    history = ()
    for what, text, parameters in steps:
        when = "2026-11-28T09:55:01Z"
        step = {"when": when, "who": "Ada", "what": what, "text": text, "parameters": parameters}
        history = append(history, **step, arrangement=Arrangement())
    return history


def edit(edit, text="edit"):
    return "edited", text, {"edit": describe_edit(edit)}


def test_undoing_concerns_the_shreds_of_what_was_undone():
    history = history_of(
        ("reconstructed", "", {"options": describe_options(Options())}),
        edit(HalfTurn(("1-01",))),
        edit(Together((SetJoin("1-02", "1-03", "forbidden"), WriteNote("1-04|1-05", "a stamp")))),
        ("undone", "both", {"to": 1}),
        ("saved", "a.rejoin", {"file": "a.rejoin", "packed": False}),
        ("solved again", "solving again", {"solve": True}),
        ("saved", "saved as b.rejoin", {}),
    )

    def of(shred):
        return [entry.number for entry in history if concerns(history, entry, {shred})]

    assert of("1-01") == [2, 4]
    assert of("1-03") == of("1-05") == [3, 4]
    assert of("1-06") == []
    assert in_words(history[1]) == "Edit"
    assert in_words(history[3]) == "Undone: both; as after step 1"
    assert in_words(history[5]) == "Solving again"
    assert [in_words(history[n]) for n in (4, 6)] == ["Saved: a.rejoin", "Saved as b.rejoin"]


def test_all_that_belongs_to_a_step_is_told_without_braces():
    changed = describe_options(Options())
    changed["solver"]["seed"] = 7
    history = history_of(
        ("reconstructed", "2 pages", {"sheets": [{"name": "a.png", "sha256": "12"}], "options": changed}),
        ("options changed", "seed", {"options": describe_options(Options()), "versions": {"numpy": "2.0"}}),
        edit(WriteDetails({"number": "7", "logo": "iVBO"})),
        edit(Together((HalfTurn(("1-01", "1-02")), SetJoin("1-02", "1-03", "forbidden")))),
        ("options changed", "again", {"options": describe_options(Options())}),
        ("marked", "as submitted", {"mark": "As submitted", "of": 2}),
    )
    first, second, third, fourth, fifth, last = (dict(details_of(entry, history)) for entry in history)
    assert (first["Sheet"], first["solver.seed"]) == ("a.png, SHA-256 12", "0 → 7")
    assert (second["solver.seed"], second["Versions"]) == ("7 → 0", "numpy 2.0")
    assert (third["number"], third["logo"]) == ("7", "a picture")
    assert (fourth["Shreds"], fourth["State"]) == ("1-01, 1-02", "forbidden")
    assert fifth["Options"] == "as before"
    assert (last["Name"], last["State after step"]) == ("As submitted", "2")
    assert marks_of(history) == {2: "As submitted"}
