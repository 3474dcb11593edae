from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from core.case.file import load, save
from core.case.originals import at_hand, find_originals, relocated, unpack
from core.errors import OutputError, UnreadableInputError
from core.sheets.inputs import input_file
from core.sheets.reader import read_sheets, reread
from tests.core.repeatable import Desk, desk

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
    with at_hand(case, missing) as sheet:
        assert sheet.path == missing.path
        with pytest.raises(UnreadableInputError, match=r"a\.png does not exist"):
            reread(sheet)


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
