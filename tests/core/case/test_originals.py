import hashlib
import os
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from core.case.file import load, save
from core.case.originals import at_hand, files_of, find_originals, on_disk, opened_original, relocated, unpack
from core.errors import MissingOriginalError, OutputError, UnreadableInputError
from core.sheets.inputs import input_file
from core.sheets.reader import read_sheets, reread
from tests.core.repeatable import Desk, desk

DATA = {"scan 0.png": b"the first scan", "scan 1.png": b"the second", "scan 1_mask.png": b"its mask"}


@pytest.fixture
def case(small_case, tmp_path):
    """Give the case with the files of its sheets, and one mask, in the folder `scans`."""
    folder = tmp_path / "scans"
    folder.mkdir()
    sha256 = {name: hashlib.sha256(data).hexdigest() for name, data in DATA.items()}
    for name, data in DATA.items():
        (folder / name).write_bytes(data)
    one, other = (
        replace(sheet, path=folder / name, sha256=sha256[name], size_bytes=len(DATA[name]), mask_sha256=None)
        for sheet, name in zip(small_case.sheets, DATA, strict=False)
    )
    other = replace(other, mask_path=folder / "scan 1_mask.png", mask_sha256=sha256["scan 1_mask.png"])
    return replace(small_case, sheets=(one, other))


def test_files_that_lie_where_they_lay_are_found(case):
    found = find_originals(case)
    assert found.problems == ()
    assert list(found.paths.values()) == [file.path for file in files_of(case)]
    there = relocated(case, found)
    assert [(sheet.path, sheet.mask_path) for sheet in there.sheets] == [(s.path, s.mask_path) for s in case.sheets]


def test_files_beside_the_case_are_found_by_name(case, tmp_path):
    (tmp_path / "scans").rename(tmp_path / "moved")
    assert len(find_originals(case).problems) == 3
    found = find_originals(case, tmp_path / "moved" / "one.rejoin")
    assert found.problems == ()
    moved = relocated(case, found)
    assert [sheet.path for sheet in moved.sheets] == [tmp_path / "moved" / f"scan {k}.png" for k in (0, 1)]
    assert moved.sheets[1].mask_path == tmp_path / "moved" / "scan 1_mask.png"
    assert find_originals(moved).problems == ()


def test_renamed_files_deep_in_a_folder_are_found_by_their_hash(case, tmp_path):
    deep = tmp_path / "archive" / "2026" / "11"
    deep.mkdir(parents=True)
    for number, name in enumerate(("scan 0.png", "scan 1.png")):
        (tmp_path / "scans" / name).rename(deep / f"IMG_{number}.png")
    (deep / "IMG_9.png").write_bytes(b"the sec0nd")  # as long, another content
    found = find_originals(case, folders=[tmp_path / "archive"])
    assert found.problems == ()
    assert found.paths[case.sheets[0].sha256] == deep / "IMG_0.png"
    assert found.paths[case.sheets[1].sha256] == deep / "IMG_1.png"


def test_a_file_that_is_missing_and_one_that_was_changed_are_told_apart(case, tmp_path):
    (tmp_path / "scans" / "scan 0.png").unlink()
    (tmp_path / "scans" / "scan 1.png").write_bytes(b"the sec0nd")
    found = find_originals(case, folders=[tmp_path / "nowhere"])
    missing, changed = found.problems
    assert "scan 0.png is not there, nor does it lie beside the case. Name the folder in which it lies now." in missing
    assert "scan 1.png is not the file that was read: its SHA-256 is another" in changed
    assert relocated(case, found).sheets[0].path == case.sheets[0].path


def test_a_changed_file_does_not_hide_the_original_elsewhere(case, tmp_path):
    (tmp_path / "copy").mkdir()
    (tmp_path / "scans" / "scan 0.png").rename(tmp_path / "copy" / "scan 0.png")
    (tmp_path / "scans" / "scan 0.png").write_bytes(b"another")
    found = find_originals(case, folders=[tmp_path / "copy"])
    assert found.problems == ()
    assert found.paths[case.sheets[0].sha256] == tmp_path / "copy" / "scan 0.png"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_pipes_and_folders_are_no_files_and_are_not_waited_for(case, tmp_path):
    (tmp_path / "scans" / "scan 0.png").unlink()
    os.mkfifo(tmp_path / "scans" / "scan 0.png")
    (tmp_path / "scans" / "scan 1.png").unlink()
    (tmp_path / "scans" / "scan 1.png").mkdir()
    assert ["is not there" in problem for problem in find_originals(case).problems] == [True, True]


def test_packed_files_are_found_in_the_case_and_put_on_the_disk_while_they_are_needed(case, tmp_path):
    save(case, tmp_path / "one.rejoin", pack_sheets=True)
    (tmp_path / "scans" / "scan 0.png").unlink()
    (tmp_path / "scans" / "scan 1_mask.png").unlink()
    packed = load(tmp_path / "one.rejoin")
    found = find_originals(packed, tmp_path / "one.rejoin")
    assert found.problems == ()
    assert (len(found.paths), len(found.packed)) == (1, 2)
    with on_disk(found) as paths:
        assert sorted(path.read_bytes() for path in paths.values()) == sorted(DATA.values())
        copies = [path for path in paths.values() if path.parent != tmp_path / "scans"]
        assert len(copies) == 2
    assert not any(path.exists() for path in copies)
    with opened_original(files_of(packed)[0]) as (handle, size):
        assert (handle.read(), size) == (DATA["scan 0.png"], len(DATA["scan 0.png"]))


def test_a_packed_file_of_which_a_bit_was_changed_counts_as_missing(case, tmp_path):
    path = tmp_path / "one.rejoin"
    save(case, path, pack_sheets=True)
    data = path.read_bytes()
    (tmp_path / "scans" / "scan 0.png").unlink()
    packed = load(path)
    path.write_bytes(data.replace(b"the first scan", b"the first scar"))
    assert ["is not there" in problem for problem in find_originals(packed, path).problems] == [True]
    with pytest.raises(UnreadableInputError, match=r"scan 0\.png is not there"), opened_original(files_of(packed)[0]):
        pytest.fail("it is another file")
    path.write_bytes(b"no case any more")
    assert len(find_originals(packed, path).problems) == 1


def test_without_room_for_what_is_packed_a_sentence_says_so(case, tmp_path, monkeypatch):
    save(case, tmp_path / "one.rejoin", pack_sheets=True)
    (tmp_path / "scans" / "scan 0.png").unlink()
    found = find_originals(load(tmp_path / "one.rejoin"))
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(OutputError, match=r"No space left on device\. Make room there"), on_disk(found):
        pytest.fail("nothing was copied")
    assert os.listdir(temporary) == []


def test_what_is_neither_there_nor_packed_cannot_be_opened(case, tmp_path):
    (tmp_path / "scans" / "scan 0.png").unlink()
    with pytest.raises(UnreadableInputError, match=r"scan 0\.png is not there"), opened_original(files_of(case)[0]):
        pytest.fail("there is nothing to open")


__all__ = ["desk"]


@pytest.fixture
def packed(desk: Desk):
    """Give a case that holds its sheets, which are nowhere else; with what they held."""
    path = desk.save(pack_sheets=True)
    held = {sheet.name: sheet.read_bytes() for sheet in desk.sheets}
    for sheet in desk.sheets:
        sheet.unlink()
    return load(path), held


def test_packed_sheets_are_written_as_they_were(packed, tmp_path):
    case, held = packed
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "a.png").write_text("something else")
    found = unpack(case, find_originals(case), folder)
    assert found.packed == {}
    assert (folder / "a.png").read_text() == "something else"
    assert {path.name: path.read_bytes() for path in found.paths.values()} == {
        "a 2.png": held["a.png"],
        "b.png": held["b.png"],
    }
    assert find_originals(relocated(case, found)).paths == found.paths


def test_a_packed_sheet_can_be_looked_at(packed):
    case, held = packed
    with at_hand(case, case.sheets[1]) as sheet:
        assert sheet.path.read_bytes() == held["b.png"]
        assert reread(sheet).info.sha256 == case.sheets[1].sha256
    assert not sheet.path.parent.exists()


def test_a_moved_sheet_can_be_looked_at(packed, tmp_path):
    case, held = packed
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved" / "other name.png").write_bytes(held["a.png"])
    with at_hand(case, case.sheets[0], folders=[tmp_path / "moved"]) as sheet:
        assert sheet.path.name == "other name.png"
    missing = replace(case.sheets[0], packed_in=None)
    with pytest.raises(MissingOriginalError, match=r"a\.png is not there.+Name the folder"), at_hand(case, missing):
        pass


def test_a_packed_mask_lies_beside_its_sheet(small_case, tmp_path):
    (tmp_path / "masks").mkdir()
    rng = np.random.default_rng(0)
    Image.fromarray(rng.integers(0, 255, (200, 300, 3), np.uint8)).save(tmp_path / "one.png", dpi=(300, 300))
    Image.fromarray(np.full((200, 300), 255, np.uint8)).save(tmp_path / "masks" / "one.png")
    (sheet,) = read_sheets(input_file(tmp_path / "one.png"))
    case = replace(small_case, sheets=(sheet.info, sheet.info))
    save(case, tmp_path / "one.rejoin", pack_sheets=True)
    (tmp_path / "one.png").unlink()
    case = load(tmp_path / "one.rejoin")
    with at_hand(case, case.sheets[0]) as there:
        assert reread(there).mask.all()


def test_a_name_leads_to_no_other_folder(packed, tmp_path):
    case, _ = packed
    folder = tmp_path / "sheets"
    folder.mkdir()
    sheets = [replace(sheet, path=tmp_path / ".." / ".." / sheet.path.name) for sheet in case.sheets]
    found = unpack(replace(case, sheets=tuple(sheets)), find_originals(case), folder)
    assert {path.parent for path in found.paths.values()} == {folder}


def test_a_folder_that_cannot_be_written_to_is_told(packed, tmp_path):
    case, _ = packed
    with pytest.raises(OutputError, match="there is no folder"):
        unpack(case, find_originals(case), tmp_path / "nowhere")


def test_a_case_saved_anew_holds_its_sheets_still(packed, tmp_path):
    case, _ = packed
    save(case, tmp_path / "two.rejoin")
    assert set(find_originals(load(tmp_path / "two.rejoin")).packed.values()) == {tmp_path / "two.rejoin"}
