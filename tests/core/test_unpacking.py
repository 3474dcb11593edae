from dataclasses import replace

import pytest

from core.case_file import load, save
from core.errors import OutputError
from core.originals import find_originals, relocated
from core.unpacking import unpack
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
