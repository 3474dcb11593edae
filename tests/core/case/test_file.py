import hashlib
import io
import json
import random
import zipfile
from dataclasses import asdict, fields, replace

import numpy as np
import pytest

from core.case.case import Case
from core.case.file import check_rest, load, save
from core.case.pixels import sources_of
from core.case.record import recorded
from core.case.values import describe_case, embeddings_key
from core.case.zip_layout import NewArchive
from core.errors import Duplicate, OutputError, UnreadableInputError
from core.matching.confidence import JoinBelow
from core.matching.costs import CUES
from core.options import BinarizationOptions, Options, SolverOptions
from tests.core.matrices import matrix
from tests.core.tampered import edit, edit_history, entries_of, rewrite


def assert_same(one, other):
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name.startswith("_"):
            continue  # follows from the others
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype, field.name
            assert np.array_equal(a, b), field.name
        elif field.name in ("sheets", "shreds", "crumbs"):
            assert len(a) == len(b)
            for left, right in zip(a, b, strict=True):
                assert_same(left, right)
        elif field.name == "costs" and a is not None:
            assert_same(a, b)
        else:
            assert a == b, field.name


def test_a_case_comes_back_as_it_was_saved(small_case: Case, tmp_path):
    case = replace(small_case, options=Options(solver=SolverOptions(n_pages=2, seed=7)))
    save(case, tmp_path / "one.rejoin")
    assert_same(case, load(tmp_path / "one.rejoin"))


def test_a_case_without_costs_comes_back(small_case, tmp_path):
    case = replace(small_case, costs=None)
    save(case, tmp_path / "one.rejoin")
    assert_same(case, load(tmp_path / "one.rejoin"))


def test_inputs_left_out_as_duplicates_come_back_as_such(small_case, tmp_path):
    left_out = "notes.txt is no image.", Duplicate(f"b.png {Duplicate.REASON} a.png.")
    save(replace(small_case, unreadable=left_out), tmp_path / "one.rejoin")
    back = load(tmp_path / "one.rejoin").unreadable
    assert back == left_out
    assert [type(sentence) for sentence in back] == [str, Duplicate]


def test_the_same_case_gives_the_same_bytes(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    save(small_case, tmp_path / "two.rejoin")
    assert (tmp_path / "one.rejoin").read_bytes() == (tmp_path / "two.rejoin").read_bytes()


def test_what_is_taken_over_gives_the_bytes_of_a_case_written_from_nothing(small_case, tmp_path):
    save(recorded(small_case, "Ada", "saved", "one"), tmp_path / "one.rejoin")
    opened = load(tmp_path / "one.rejoin")
    step = {"who": "Ada", "what": "saved", "text": "two", "when": "2026-12-01T00:00:00Z"}
    shreds = (opened.shreds[0].changed(id="7-01"), *opened.shreds[1:])  # one is called otherwise from now on
    changed = recorded(replace(opened, shreds=shreds), **step)
    save(changed, tmp_path / "two.rejoin")
    in_memory = replace(
        changed,
        sheets=tuple(replace(sheet) for sheet in changed.sheets),
        shreds=tuple(replace(shred, outline=shred.outline.copy()) for shred in changed.shreds),
        crumbs=tuple(replace(crumb, outline=crumb.outline.copy()) for crumb in changed.crumbs),
        costs=replace(changed.costs, cost=changed.costs.cost.copy()),
    )
    assert sources_of(changed)
    assert not sources_of(in_memory)
    save(in_memory, tmp_path / "three.rejoin")
    assert (tmp_path / "two.rejoin").read_bytes() == (tmp_path / "three.rejoin").read_bytes()


def test_what_is_as_it_was_is_neither_packed_nor_hashed_again(saved, monkeypatch):
    _, path = saved
    opened = load(path)
    monkeypatch.setattr(NewArchive, "add_array", None)
    added = []
    monkeypatch.setattr(NewArchive, "add", lambda self, name, data, compress=False: added.append(name))
    save(replace(opened, costs=None), path)
    assert {name for name in added if "/" in name} == set()


def test_a_case_is_saved_whatever_became_of_the_file_that_it_was_read_from(saved, tmp_path):
    _, path = saved
    opened, before = load(path), entries_of(path)
    path.write_bytes(b"something else")
    save(opened, tmp_path / "rescued.rejoin")
    assert entries_of(tmp_path / "rescued.rejoin") == before


def test_of_a_large_case_what_was_written_over_is_noticed(saved, tmp_path, monkeypatch):
    _, path = saved
    monkeypatch.setattr("core.case.archive.COPIED_BYTES", 0)
    opened = load(path, check_at_most_bytes=0)
    assert any(archive.to_check for archive in sources_of(opened))
    data = bytearray(path.read_bytes())
    at = data.find(b"IDAT", data.find(b"shreds/")) + 8
    data[at] ^= 1
    path.write_bytes(data)
    with pytest.raises(UnreadableInputError, match="was altered after the case was saved"):
        check_rest(opened)
    with pytest.raises(UnreadableInputError, match="was altered after the case was saved"):
        _ = [shred.pixels for shred in opened.shreds]
    with pytest.raises(UnreadableInputError, match="was altered after the case was saved"):
        save(opened, tmp_path / "two.rejoin")
    assert not (tmp_path / "two.rejoin").exists()


def test_pictures_of_a_large_case_are_checked_later(saved, monkeypatch):
    _, path = saved
    monkeypatch.setattr("core.case.archive.COPIED_BYTES", 0)
    rewrite(path, {**entries_of(path), f"shreds/{load(path).shreds[0].id}.png": b"no picture"}, manifest=False)
    with pytest.raises(UnreadableInputError, match="was altered after the case was saved"):
        load(path)
    opened = load(path, check_at_most_bytes=0)
    assert opened.shreds[1].pixels.any()
    with pytest.raises(UnreadableInputError, match="cannot be relied on"):
        _ = opened.shreds[0].pixels
    with pytest.raises(UnreadableInputError, match="was altered after the case was saved"):
        check_rest(opened)


def test_sheets_are_found_when_case_and_sheets_move_together(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    with zipfile.ZipFile(tmp_path / "one.rejoin") as archive:
        assert json.loads(archive.read("case.json"))["sheets"][0]["path"] == "scan 0.png"
    (tmp_path / "moved").mkdir()
    (tmp_path / "one.rejoin").rename(tmp_path / "moved" / "one.rejoin")
    assert load(tmp_path / "moved" / "one.rejoin").sheets[0].path == tmp_path / "moved" / "scan 0.png"


def test_another_version_is_refused(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    edit(tmp_path / "one.rejoin", lambda told: told.update(format=99))
    with pytest.raises(UnreadableInputError, match="format 99"):
        load(tmp_path / "one.rejoin")


def test_a_case_of_the_version_before_had_nothing_turned_by_hand(small_case, tmp_path):
    def as_before(told):
        told["format"] = 1
        del told["solved"], told["embeddings_key"]
        for sheet in told["sheets"]:
            for name in ("size_bytes", "mask_path", "single_shred", "packed"):
                del sheet[name]
        for shred in told["shreds"]:
            del shred["scrap"]
        told["joins"][1]["cost"] = float("inf")
        for name in ("held", "parted", "half_turned", "turned_deg", "notes"):
            del told["arrangement"][name]

    save(small_case, tmp_path / "one.rejoin")
    entries = entries_of(tmp_path / "one.rejoin")
    del entries["manifest.json"], entries["history.jsonl"]
    rewrite(tmp_path / "one.rejoin", entries)
    edit(tmp_path / "one.rejoin", as_before)
    nothing = {"held": frozenset(), "parted": frozenset(), "half_turned": frozenset(), "turned_deg": {}}
    arrangement = replace(small_case.arrangement, **nothing)
    assert_same(replace(small_case, arrangement=arrangement, solved=None), load(tmp_path / "one.rejoin"))


def test_costs_of_the_version_before_were_matrices(small_case, tmp_path):
    path = tmp_path / "one.rejoin"
    save(small_case, path)
    entries, costs = entries_of(path), small_case.costs
    del entries["costs/left.npy"], entries["costs/right.npy"]
    for name in ("cost", "shift_px", *CUES):
        buffer = io.BytesIO()
        np.save(buffer, matrix(costs, getattr(costs, name), np.inf if name == "cost" else 0))
        entries[f"costs/{name}.npy"] = buffer.getvalue()
    rewrite(path, entries)
    edit(path, lambda told: told.update(format=3))
    assert_same(small_case, load(path))


def test_before_format_6_all_paper_was_cut_into_strips(small_case, tmp_path):
    path = tmp_path / "one.rejoin"

    def as_before(told):
        told["format"] = 5
        del told["options"]["segmentation"]["cut"]
        for shred in told["shreds"]:
            del shred["cross_cut"]

    save(small_case, path)
    edit(path, as_before)
    opened = load(path)
    assert opened.options.segmentation.cut == "auto"
    assert not any(shred.cross_cut for shred in opened.shreds)
    assert_same(small_case, opened)


def test_a_case_keeps_which_shreds_are_cross_cut(small_case, tmp_path):
    shreds = tuple(shred.changed(cross_cut=number % 2 == 0) for number, shred in enumerate(small_case.shreds))
    save(replace(small_case, shreds=shreds), tmp_path / "one.rejoin")
    kept = [shred.cross_cut for shred in load(tmp_path / "one.rejoin").shreds]
    assert kept == [shred.cross_cut for shred in shreds]


def test_a_case_keeps_by_which_weights_pieces_were_compared(small_case, tmp_path):
    save(replace(small_case, piece_weights_sha256="ab+cd"), tmp_path / "one.rejoin")
    assert load(tmp_path / "one.rejoin").piece_weights_sha256 == "ab+cd"
    assert "piece_weights_sha256" not in describe_case(small_case, tmp_path, packed=False), "strips were compared alone"


def test_a_case_keeps_how_sure_it_is_what_stands_below_what(small_case, tmp_path):
    case = replace(small_case, below=(JoinBelow("1-01", "2-01", 0.75), JoinBelow("2-02", "1-02", None)))
    save(case, tmp_path / "one.rejoin")
    assert load(tmp_path / "one.rejoin").below == case.below
    assert '"below"' not in json.dumps(describe_case(small_case, tmp_path, packed=False)), "strips have no rows"
    other = replace(case, below=(JoinBelow("1-01", "9-99", 0.5),))
    save(other, tmp_path / "one.rejoin")
    with pytest.raises(UnreadableInputError):
        load(tmp_path / "one.rejoin")


def test_a_case_knows_what_was_changed_by_hand(small_case):
    assert not small_case.by_hand
    assert small_case.turned_since == {"2-02", "2-01"}
    moved = replace(small_case.arrangement, pages=(("1-01", "2-02", "2-01", "1-02"),))
    assert replace(small_case, arrangement=moved).by_hand
    assert not replace(small_case, arrangement=moved, solved=None).by_hand


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(mood="good"),
        lambda told: told.pop("joins"),
        lambda told: told["options"]["solver"].update(speed=3),
        lambda told: told["options"]["solver"].update(seed=-3),
        lambda told: told["arrangement"].update(colour="red"),
        lambda told: told["shreds"][0].update(weight=3),
        lambda told: told["shreds"][0].update(id="9-99"),
        lambda told: told["joins"][0].pop("cost"),
        lambda told: told["arrangement"]["set_aside"].append("1-01"),
        lambda told: told["arrangement"]["set_aside"].clear(),
        lambda told: told["arrangement"]["pages"].append([]),
        lambda told: told["arrangement"]["shift_px"].update({"2-02": "4"}),
        lambda told: told["shreds"][0].update(id="../../evil"),
        lambda told: told["shreds"][0].update(sheet=2),
        lambda told: told["shreds"][0].update(sheet=-1),
        lambda told: told["shreds"][0].update(bbox=[0, 0, 30]),
        lambda told: told["shreds"][0].update(bbox=[0, 0, 3000000, 3000000]),
        lambda told: told["shreds"][0].update(blank="no"),
        lambda told: told["crumbs"][0].update(sheet=7),
        lambda told: told["joins"][0].update(left="9-99"),
        lambda told: told["joins"][0].update(confidence="high"),
        lambda told: told["options"]["reading"].update(dpi="high"),
        lambda told: told["sheets"][0].update(path="a\0b"),
        lambda told: told.update(seconds={"load": "1"}),
        lambda told: told.update(versions=[]),
    ],
)
def test_what_is_unknown_or_lacking_in_a_case_is_refused(small_case, tmp_path, change):
    save(small_case, tmp_path / "one.rejoin")
    edit(tmp_path / "one.rejoin", change)
    with pytest.raises(UnreadableInputError, match=r"one\.rejoin is no case of Rejoin, or is damaged"):
        load(tmp_path / "one.rejoin")


def test_damaged_and_absent_files_are_refused(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    data = (tmp_path / "one.rejoin").read_bytes()
    (tmp_path / "one.rejoin").write_bytes(data[: len(data) // 2])
    with pytest.raises(UnreadableInputError, match=r"one\.rejoin"):
        load(tmp_path / "one.rejoin")
    with pytest.raises(UnreadableInputError, match=r"two\.rejoin cannot be read"):
        load(tmp_path / "two.rejoin")


def test_a_failed_save_leaves_what_stood_there(small_case, tmp_path, monkeypatch):
    save(small_case, tmp_path / "one.rejoin")
    before = (tmp_path / "one.rejoin").read_bytes()

    def full(*_args, **_others):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("zipfile.ZipFile.writestr", full)
    with pytest.raises(OutputError, match="No space left on device"):
        save(small_case, tmp_path / "one.rejoin")
    assert (tmp_path / "one.rejoin").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["one.rejoin"]


def test_options_survive_as_they_are_written(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    with zipfile.ZipFile(tmp_path / "one.rejoin") as archive:
        assert json.loads(archive.read("case.json"))["options"] == asdict(small_case.options)


@pytest.fixture
def saved(small_case, tmp_path):
    """Save a case with a history; give case and path."""
    for step in range(3):
        small_case = recorded(small_case, "Ada", "saved", f"step {step}", {"n": step}, "2026-11-28T09:55:01Z")
    save(small_case, tmp_path / "one.rejoin")
    return small_case, tmp_path / "one.rejoin"


def test_every_entry_that_is_altered_is_named(saved):
    _, path = saved
    entries = entries_of(path)
    assert {"case.json", "history.jsonl", "costs/cost.npy", "shreds/1-01.png", "sheets/1.png"} <= set(entries)
    for name, data in entries.items():
        rewrite(path, entries | {name: data + b" "}, manifest=False)
        with pytest.raises(UnreadableInputError, match=name):
            load(path)


def test_no_byte_of_the_file_can_be_altered_without_notice_where_it_matters(saved):
    case, path = saved
    data, rng = path.read_bytes(), random.Random(0)
    unnoticed = 0
    for _ in range(200):
        at = rng.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :])
        try:
            back = load(path)
        except UnreadableInputError:
            continue
        unnoticed += 1
        assert_same(replace(case, sheets=()), replace(back, sheets=()))
    assert unnoticed < 60, "dates and the like in the directory of the ZIP tell nothing; they are its smaller part"


def test_a_history_that_does_not_hold_is_refused(saved):
    _, path = saved
    edit_history(path, lambda told: told[1].update(who="Eve"))
    with pytest.raises(
        UnreadableInputError, match=r'cannot be relied on. Entry 2 of the history \("step 1"\) was changed'
    ):
        load(path)
    assert load(path, check=False).history[1].who == "Eve"


def test_no_step_that_is_on_record_is_written_over(saved, tmp_path):
    case, path = saved
    before = path.read_bytes()
    other = recorded(replace(case, history=case.history[:2]), "Grace", "edited", "another", {}, "2026-11-28T10:00:00Z")
    for lacking in (replace(case, history=case.history[:2]), other):
        with pytest.raises(OutputError, match="its history has steps that this one lacks"):
            save(lacking, path)
        assert path.read_bytes() == before
        save(lacking, tmp_path / "two.rejoin")
        (tmp_path / "two.rejoin").unlink()
    save(recorded(case, "Ada", "saved", "goes on", {}), path)
    save(replace(case, history=()), tmp_path / "two.rejoin")
    save(case, tmp_path / "two.rejoin")
    assert load(tmp_path / "two.rejoin").history == case.history


def test_infinite_costs_are_no_numbers_in_json(saved):
    case, path = saved
    told = json.loads(entries_of(path)["case.json"], parse_constant=lambda constant: pytest.fail(constant))
    assert told["joins"][1]["cost"] is None
    assert load(path).joins == case.joins


def test_a_confidence_that_is_no_number_keeps_no_case_from_being_saved(small_case, tmp_path):
    joins = (replace(small_case.joins[0], confidence=float("nan")), *small_case.joins[1:])
    save(replace(small_case, joins=joins, gap=float("inf")), tmp_path / "one.rejoin")
    back = load(tmp_path / "one.rejoin")
    assert (back.joins[0].confidence, back.gap) == (0.0, float("inf"))


def test_what_embeddings_depend_on_has_one_key(small_case):
    key = embeddings_key(small_case)
    assert key == embeddings_key(replace(small_case, options=Options(solver=SolverOptions(seed=7))))
    assert key != embeddings_key(replace(small_case, weights_sha256="cd" * 32))
    assert key != embeddings_key(replace(small_case, options=Options(binarization=BinarizationOptions(k=0.4))))


def test_sheets_are_packed_byte_by_byte_and_stay_packed(small_case, tmp_path):
    originals = [b"the first scan" * 99, b"the second", b"its mask"]
    files = [tmp_path / "scan 0.png", tmp_path / "scan 1.png", tmp_path / "scan 1_mask.png"]
    hashes = [hashlib.sha256(data).hexdigest() for data in originals]
    for file, data in zip(files, originals, strict=True):
        file.write_bytes(data)
    one, other = small_case.sheets
    sheets = (
        replace(one, sha256=hashes[0]),
        replace(other, sha256=hashes[1], mask_sha256=hashes[2], mask_path=files[2]),
    )
    case = replace(small_case, sheets=sheets)
    save(case, tmp_path / "one.rejoin", pack_sheets=True)
    for file in files:
        file.unlink()
    back = load(tmp_path / "one.rejoin")
    assert all(sheet.packed_in == tmp_path / "one.rejoin" for sheet in back.sheets)
    save(back, tmp_path / "one.rejoin")
    save(back, tmp_path / "two.rejoin")
    for name in ("one.rejoin", "two.rejoin"):
        entries = entries_of(tmp_path / name)
        assert [entries[f"originals/{sha256}"] for sha256 in hashes] == originals
    save(back, tmp_path / "two.rejoin", pack_sheets=False)
    assert not any(name.startswith("originals") for name in entries_of(tmp_path / "two.rejoin"))
    assert load(tmp_path / "two.rejoin").sheets[0].packed_in is None


def test_a_sheet_that_was_changed_is_not_packed(small_case, tmp_path):
    (tmp_path / "scan 0.png").write_bytes(b"another scan")
    with pytest.raises(UnreadableInputError, match=r"scan 0\.png is not the file that was read"):
        save(small_case, tmp_path / "one.rejoin", pack_sheets=True)
    assert [path.name for path in tmp_path.iterdir()] == ["scan 0.png"]


def test_a_sheet_on_another_computer_is_not_gone_to(saved):
    _, path = saved
    edit(path, lambda told: told["sheets"][0].update(path="//server/share/scan.png"))
    assert load(path).sheets[0].path == path.with_name("scan.png")


def test_a_folder_is_no_case(tmp_path):
    with pytest.raises(UnreadableInputError, match="is no file"):
        load(tmp_path)


@pytest.mark.parametrize("header", [b"{'descr': '<f4', 'shape': (", b"{'descr' '<f4'}", b"\xff{}"])
def test_arrays_whose_header_is_no_python_are_refused(small_case, tmp_path, header):
    save(small_case, tmp_path / "one.rejoin")
    entries = entries_of(tmp_path / "one.rejoin")
    header = header.ljust(117) + b"\n"
    entries["costs/cost.npy"] = b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header
    rewrite(tmp_path / "one.rejoin", entries)
    with pytest.raises(UnreadableInputError, match="is damaged"):
        load(tmp_path / "one.rejoin")


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(gap=10**400),
        lambda told: told.update({"x" * 9999: 1}),
        lambda told: told.update(format=True),
    ],
)
def test_what_is_refused_is_told_in_a_short_sentence(small_case, tmp_path, change):
    save(small_case, tmp_path / "one.rejoin")
    edit(tmp_path / "one.rejoin", change)
    with pytest.raises(UnreadableInputError) as caught:
        load(tmp_path / "one.rejoin")
    assert len(str(caught.value)) < 400 + len(str(tmp_path))
