import hashlib
import io
import json
import re
from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.arrangement.edits import MoveShreds, SetJoin, ShiftJoin, SplitPage
from core.case.file import load, save
from core.case.history import BEGINNING, arrangement_sha256
from core.errors import UnreadableInputError
from core.matching.confidence import JoinBelow
from core.options import CompositionOptions
from core.system.json_values import canonical
from core.verification.differences import different_joins, different_options
from core.verification.verify import verify
from tests.core.repeatable import Desk, without_network
from tests.core.tampered import edit, edit_history, entries_of, rewrite


def outcomes(done):
    return {check.name: check.outcome for check in done.checks}


def chained_anew(told):
    """Give every entry a hash that fits, as somebody would who wants to hide what he changed."""
    before = BEGINNING
    for number, entry in enumerate(told, start=1):
        entry.update(number=number, previous_sha256=before)
        rest = {name: value for name, value in entry.items() if name != "sha256"}
        entry["sha256"] = before = hashlib.sha256(canonical(rest)).hexdigest()


def changed_array(path, name, change):
    """Change an array in a case file, with a manifest that fits."""
    entries = entries_of(path)
    array = np.load(io.BytesIO(entries[name]))
    change(array)
    buffer = io.BytesIO()
    np.save(buffer, array)
    rewrite(path, entries | {name: buffer.getvalue()})


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Give a desk on which something was done; the file is saved."""
    with pytest.MonkeyPatch.context() as patch:
        without_network(patch)
        desk = Desk(tmp_path_factory.mktemp("desk"))
        _work(desk)
        yield desk


@pytest.fixture
def worked(made, tmp_path) -> Desk:
    """Give a copy of the desk, to tamper with."""
    return made.moved_to(tmp_path / "desk")


def _work(desk: Desk) -> None:
    desk.edit(SetJoin("1-03", "2-03", "forbidden"), "a ban")
    desk.solve()
    desk.edit(MoveShreds(("1-01",), 0, 0), "a move")
    desk.back_to(3)
    desk.edit(SplitPage(desk.case.arrangement.pages[0][4]), "a split")
    desk.edit(ShiftJoin(*desk.case.arrangement.joins()[0], 9), "a nudge")
    desk.save()


def verified(desk: Desk, **how):
    return verify(desk.folder / "one.rejoin", desk.weights, **how)


def test_a_case_that_nobody_tampered_with_holds(worked):
    before = (worked.folder / "one.rejoin").read_bytes()
    seen, texts = [], []

    def record(fraction, text):
        seen.append(fraction)
        texts.append(text)

    done = verified(worked, noted=worked.case.history[2].sha256, progress=record)
    assert done.holds, done.first_difference
    assert set(outcomes(done).values()) == {"ok"}
    assert done.last_sha256 == worked.case.history[-1].sha256
    assert done.first_difference == ""
    assert (worked.folder / "one.rejoin").read_bytes() == before
    assert seen == sorted(seen)
    assert texts[-1] == "Comparing page {0} of {0}".format(len(worked.case.arrangement.pages))


def test_other_versions_are_noted_and_refute_nothing(worked):
    then = worked.case.versions | {"numpy": "1.0"}

    def change(told):
        told[0]["parameters"]["versions"] = then
        chained_anew(told)

    save(replace(worked.case, versions=then), worked.folder / "one.rejoin")
    edit_history(worked.folder / "one.rejoin", change)
    done = verified(worked)
    assert done.holds
    (noted,) = [check for check in done.checks if check.outcome == "noted"]
    assert noted.name == "versions"
    assert noted.text.startswith("numpy was 1.0, is ")


def test_a_tampered_sheet_is_named(worked):
    data = bytearray(worked.sheets[1].read_bytes())
    data[len(data) // 2] ^= 1
    worked.sheets[1].write_bytes(data)
    done = verified(worked)
    assert outcomes(done)["sheets"] == "failed"
    assert outcomes(done)["pages"] == "not checked"
    assert not done.holds
    assert "b.png is not the file that was read: its SHA-256 is another" in done.first_difference


def test_a_sheet_that_is_gone_is_named_and_found_in_another_folder(worked):
    folder = worked.folder / "archive" / "2026"
    folder.mkdir(parents=True)
    worked.sheets[0].rename(folder / "renamed.png")
    done = verified(worked)
    assert "a.png is not there, nor does it lie beside the case. Name the folder" in done.first_difference
    assert not done.holds
    assert verified(worked, folders=[worked.folder / "archive"]).holds


def test_packed_sheets_take_the_place_of_those_that_are_gone(worked):
    worked.save(pack_sheets=True)
    for sheet in worked.sheets:
        sheet.unlink()
    done = verified(worked)
    assert done.holds, done.first_difference
    assert "2 of them packed in the case" in next(check.text for check in done.checks if check.name == "sheets")
    name = f"originals/{worked.case.sheets[1].sha256}"
    entries = entries_of(worked.folder / "one.rejoin")
    rewrite(worked.folder / "one.rejoin", entries | {name: entries[name][:-1] + b"x"})
    assert "b.png is not there" in verified(worked).first_difference


def test_a_changed_bit_of_a_packed_sheet_is_named(worked):
    worked.save(pack_sheets=True)
    path = worked.folder / "one.rejoin"
    original = worked.sheets[1].read_bytes()
    changed = bytearray(original)
    changed[len(changed) // 2] ^= 1
    path.write_bytes(path.read_bytes().replace(original, bytes(changed)))
    for sheet in worked.sheets:
        sheet.unlink()
    done = verified(worked)
    assert f"originals/{worked.case.sheets[1].sha256}" in done.first_difference
    assert outcomes(done)["sheets"] == "failed"


def test_other_weights_are_named(worked):
    worked.weights.write_bytes(b"Weights")
    done = verified(worked)
    assert outcomes(done)["weights"] == "failed"
    assert "weights.keras does not hold the weights with which the case was made" in done.first_difference


def test_weights_packed_in_the_case_are_used_and_noted(worked, monkeypatch):
    monkeypatch.setattr("core.case.originals.weights_path", lambda: worked.weights)
    worked.save(pack_sheets=True)
    other = worked.folder / "other.keras"
    other.write_bytes(b"other weights")
    worked.weights.unlink()
    done = verify(worked.folder / "one.rejoin", other)
    assert done.holds, done.first_difference
    (noted,) = [check for check in done.checks if check.outcome == "noted"]
    assert noted.name == "weights"
    assert "the copy packed in the case" in noted.text
    worked.case = load(worked.folder / "one.rejoin")
    worked.save()
    assert verify(worked.folder / "one.rejoin", other).holds, "they stay packed"


CHANGES = {
    "text": lambda told: told[1].update(text="nothing"),
    "who": lambda told: told[3].update(who="Eve"),
    "parameters": lambda told: told[1]["parameters"]["edit"].update(state="confirmed"),
    "removed": lambda told: told.pop(2),
    "reordered": lambda told: told.insert(2, told.pop(4)),
    "put in": lambda told: told.insert(2, dict(told[1])),
    "first removed": lambda told: told.pop(0),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_tampered_history_is_named_even_if_the_manifest_fits(worked, change):
    path = worked.folder / "one.rejoin"
    whole = path.read_bytes()
    edit_history(path, change, manifest=False)
    done = verified(worked)
    assert "history.jsonl was altered" in done.first_difference
    assert outcomes(done)["history"] == "failed"
    path.write_bytes(whole)
    edit_history(path, change)
    done = verified(worked)
    assert (outcomes(done)["file"], outcomes(done)["history"]) == ("ok", "failed")
    assert re.search(r"ntry \d of the history", done.first_difference)
    assert not done.holds


def test_a_history_of_which_the_end_is_cut_off_is_named(worked):
    edit_history(worked.folder / "one.rejoin", lambda told: told.__delitem__(slice(5, None)))
    done = verified(worked)
    assert outcomes(done)["history"] == "ok"
    assert 'is not the one after the last entry of its history ("undone")' in done.first_difference


def test_only_the_hash_that_was_written_down_tells_that_an_entry_without_effect_was_cut_off(worked):
    last = worked.case.history[-1].sha256
    edit_history(worked.folder / "one.rejoin", lambda told: told.pop())
    assert verified(worked).holds, "whoever makes everything fit is not found out: docs/case-format.md says so"
    done = verified(worked, noted=last)
    assert f"No entry of the history has the SHA-256 {last}" in done.first_difference
    assert not done.holds


def test_a_history_chained_anew_does_not_lead_to_its_results(worked):
    def change(told):
        told[1]["parameters"]["edit"]["state"] = "confirmed"
        chained_anew(told)

    edit_history(worked.folder / "one.rejoin", change)
    done = verified(worked)
    assert outcomes(done)["history"] == "ok"
    assert 'Entry 2 of the history ("a ban"), repeated, gives another arrangement' in done.first_difference


def test_a_step_moved_to_another_place_with_all_hashes_made_anew_is_found(worked):
    def change(told):
        told.insert(3, told.pop(1))
        chained_anew(told)

    edit_history(worked.folder / "one.rejoin", change)
    assert "Entry 2 of the history" in verified(worked).first_difference


def test_a_tampered_arrangement_is_named(worked):
    path = worked.folder / "one.rejoin"
    edit(path, lambda told: told["arrangement"]["shift_px"].update({"1-04": 1}), manifest=False)
    assert "case.json was altered" in verified(worked).first_difference
    worked.save()
    edit(path, lambda told: told["arrangement"]["pages"][0].reverse())
    done = verified(worked)
    assert "The arrangement in the case is not the one after the last entry" in done.first_difference
    assert outcomes(done)["order"] == "failed"


def test_an_arrangement_that_the_last_entry_was_made_to_fit_is_found(worked):
    case = load(worked.folder / "one.rejoin")
    forged = SplitPage(case.arrangement.pages[0][2]).apply(case.arrangement)[0]
    save(replace(case, arrangement=forged), worked.folder / "one.rejoin")

    def change(told):
        told[-1]["result_sha256"] = arrangement_sha256(forged)
        chained_anew(told)

    edit_history(worked.folder / "one.rejoin", change)
    done = verified(worked)
    assert outcomes(done)["result"] == "ok"
    assert 'Entry 8 of the history ("saved"), repeated, gives another arrangement' in done.first_difference


def test_tampered_pixels_are_named(worked):
    path = worked.folder / "one.rejoin"
    entries = entries_of(path)
    picture = cv2.imdecode(np.frombuffer(entries["shreds/2-01.png"], np.uint8), cv2.IMREAD_UNCHANGED)
    picture[100, 20, 0] ^= 1
    forged = entries | {"shreds/2-01.png": cv2.imencode(".png", picture)[1].tobytes()}
    rewrite(path, dict(forged), manifest=False)
    assert "shreds/2-01.png was altered" in verified(worked).first_difference
    rewrite(path, dict(forged))
    done = verified(worked)
    assert done.first_difference == "Shred 2-01 is not as it is found on its sheet: its picture is another."
    page = next(check for check in done.checks if check.name == "pages")
    assert page.outcome == "failed"
    assert re.match(r"Page 1 differs in 1 pixels; the first is in row \d+, column \d+\.", page.text)


def test_tampered_costs_are_named(worked):
    path = worked.folder / "one.rejoin"
    changed_array(path, "costs/cost.npy", lambda cost: cost.__setitem__(0, 99))
    assert verified(worked).first_difference == "The cost of 1-01 | 1-03 is 99 in the case and 6 anew."
    worked.save()
    changed_array(path, "costs/shift_px.npy", lambda shift: shift.__setitem__(0, 1))
    assert verified(worked).first_difference.startswith("The shift of 1-01 | 1-03 is 1 in the case and ")


def test_costs_that_are_rounded_otherwise_hold(worked):
    changed_array(worked.folder / "one.rejoin", "costs/cost.npy", lambda cost: cost.__imul__(np.float32(1 + 1e-6)))
    done = verified(worked)
    assert done.holds, done.first_difference
    assert "but for rounding" in next(check.text for check in done.checks if check.name == "costs")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda told: told["joins"][0].update(confidence=0.5), "The confidence of the join"),
        (lambda told: told["options"]["solver"].update(seed=7), "The option seed of solver is 7 in the case, and 0 by"),
        (
            lambda told: told["shreds"][0].update(angle_deg=1.5),
            "Shred 1-01 is not as it is found on its sheet: its angle",
        ),
        (lambda told: told["sheets"][0].update(dpi=600.0), "What the case tells of a.png is not so: its resolution"),
        (lambda told: told["sheets"][0].update(sha256="0" * 64), "a.png is not the file that was read"),
        (lambda told: told.update(weights_sha256="0" * 64), "tell of different weights"),
        (lambda told: told["unreadable"].append("c.png cannot be read."), "other inputs that were left out than its"),
        (lambda told: told["versions"].update(numpy="1.0"), "other versions of Rejoin and its libraries"),
        (lambda told: told.update(optimal=False, gap=0.5), "at most 50.00% dearer than the cheapest; anew it is 0.00%"),
        (lambda told: told.update(solved=None), "What the solver found last is another order"),
        (
            lambda told: told["arrangement"]["notes"].update({"": "forged"}),
            "The arrangement in the case is not the one",
        ),
    ],
)
def test_whatever_else_is_told_is_compared(worked, change, sentence):
    edit(worked.folder / "one.rejoin", change)
    done = verified(worked)
    assert sentence in done.first_difference
    assert not done.holds


def test_how_sure_a_join_is_is_compared_however_large_costs_are(worked):
    case = load(worked.folder / "one.rejoin")
    large = replace(case.costs, cost=case.costs.cost * np.float32(1e4), temperature=case.costs.temperature * 1e4)
    joins = tuple(replace(join, cost=join.cost * 1e4) for join in case.joins)
    case = replace(case, costs=large, joins=joins)
    assert different_joins(case, case) is None
    rounded = replace(joins[0], cost=joins[0].cost + 0.1, confidence=joins[0].confidence - 1e-4)
    assert different_joins(replace(case, joins=(rounded, *joins[1:])), case) is None
    forged = replace(joins[0], confidence=joins[0].confidence - 0.02)
    told = different_joins(replace(case, joins=(forged, *joins[1:])), case)
    assert told.startswith(f"The confidence of the join {forged.left} | {forged.right} is ")


def test_how_sure_it_is_what_stands_below_what_is_compared(worked):
    case = replace(load(worked.folder / "one.rejoin"), below=(JoinBelow("1-01", "1-02", 0.7),))
    assert different_joins(replace(case, below=()), case) is None, "earlier versions told nothing of it"
    assert different_joins(replace(case, below=(JoinBelow("1-01", "1-02", 0.705),)), case) is None
    told = different_joins(replace(case, below=(JoinBelow("1-01", "1-02", 0.8),)), case)
    assert told == "How sure it is that 1-02 stands below 1-01 is 0.8 in the case and 0.7 anew."


def test_a_picture_of_a_sheet_is_compared(worked):
    case = load(worked.folder / "one.rejoin")
    preview = case.sheets[1].preview.copy()
    preview[5, 5] ^= 1
    sheets = (case.sheets[0], replace(case.sheets[1], preview=preview))
    save(replace(case, sheets=sheets), worked.folder / "one.rejoin")
    assert verified(worked).first_difference == "What the case tells of b.png is not so: its preview is another."


def test_a_case_without_a_history_does_not_hold(worked):
    save(replace(worked.case, history=()), worked.folder / "one.rejoin")
    assert "has no history" in verified(worked).first_difference


def test_a_case_of_an_earlier_version_does_not_hold(worked):
    entries = entries_of(worked.folder / "one.rejoin")
    told = json.loads(entries["case.json"])
    del entries["manifest.json"], entries["history.jsonl"], told["embeddings_key"]
    for sheet in told["sheets"]:
        for name in ("size_bytes", "mask_path", "single_shred", "packed"):
            del sheet[name]
    entries["case.json"] = json.dumps(told | {"format": 2}).encode()
    rewrite(worked.folder / "one.rejoin", entries)
    done = verified(worked)
    assert not done.holds
    assert "manifest.json is missing" in done.first_difference
    assert outcomes(done)["sheets"] == "ok"


def test_what_cannot_be_read_at_all_is_an_error_or_a_failure(worked):
    path = worked.folder / "one.rejoin"
    edit(path, lambda told: told.pop("joins"))
    done = verified(worked)
    assert "unknown or missing in case: joins" in done.first_difference
    path.write_bytes(b"no case")
    with pytest.raises(UnreadableInputError, match="is no case of Rejoin"):
        verified(worked)
    path.unlink()
    with pytest.raises(UnreadableInputError, match="cannot be read"):
        verified(worked)


def test_options_of_the_pages_are_repeated_too(worked):
    worked.change(replace(worked.case.options, composition=CompositionOptions(show_seams=True)))
    worked.save()
    assert verified(worked).holds


@pytest.mark.parametrize(
    "parameters", [{"sheets": 1, "options": {}}, {"weights_sha256": []}, {"versions": 3}, {"to": [1]}, {"to": 99}]
)
def test_a_history_made_anew_of_nonsense_is_named(worked, parameters):
    def change(told):
        told[1]["parameters"] = parameters
        chained_anew(told)

    edit_history(worked.folder / "one.rejoin", change)
    done = verified(worked)
    assert 'Entry 2 of the history ("a ban")' in done.first_difference
    assert not done.holds


def test_a_step_that_says_more_than_is_repeated_is_named(worked):
    def change(told):
        told[1]["parameters"]["arrangement"] = {}
        chained_anew(told)

    edit_history(worked.folder / "one.rejoin", change)
    assert "arrangement, edit cannot stand together" in verified(worked).first_difference


def test_other_versions_in_the_middle_of_the_work_are_noted(worked):
    def change(told):
        told[2]["parameters"]["versions"] = worked.case.versions | {"numpy": "99.0"}
        chained_anew(told)

    edit_history(worked.folder / "one.rejoin", change)
    done = verified(worked)
    assert done.holds, done.first_difference
    assert next(check.text for check in done.checks if check.name == "versions").startswith("numpy was 99.0, is ")


def test_what_is_hidden_behind_the_case_is_named(worked):
    path = worked.folder / "one.rejoin"
    whole = path.read_bytes()
    path.write_bytes(whole + b"hidden")
    assert "The file is not as it was saved: it holds something at its end" in verified(worked).first_difference
    end = bytearray(whole)
    end[-4] ^= 0x80  # the table is said to begin where no file is
    path.write_bytes(end)
    assert not verified(worked).holds
    path.write_bytes(whole)
    told = next(check.text for check in verified(worked).checks if check.name == "file")
    assert hashlib.sha256(whole).hexdigest() in told


def test_that_pieces_were_compared_by_other_weights_is_told(small_case):
    of_pieces = replace(small_case, piece_weights_sha256="ab+cd")
    assert "by other weights" in (different_options(of_pieces, replace(small_case, piece_weights_sha256="ef+cd")) or "")
    assert different_options(of_pieces, of_pieces) is None
    assert different_options(small_case, of_pieces) is None, "earlier versions did not say by which"
