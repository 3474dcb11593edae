"""Which files a path stands for."""

import os
from pathlib import Path

import pytest
from PIL import Image

from core.sheets.input_file import InputFile
from core.sheets.inputs import find_inputs, find_skipped, input_file, lies_among_shreds


@pytest.fixture
def put(tmp_path):
    """Write a small picture, whatever the file is called."""

    def put(place: str, format: str = "PNG") -> Path:
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (8, 8), 200).save(path, format)
        return path

    return put


def names(inputs: list[InputFile]) -> list[str]:
    return [file.path.name for file in inputs]


def test_a_folder_is_sorted_as_a_person_would_and_its_subfolders_follow(tmp_path, put):
    for name in (
        "scan 10.png",
        "scan 2.png",
        "Scan 1.png",
        "deeper 10/1.png",
        "deeper 2/again/3.png",
        "deeper 2/2.png",
    ):
        put(name)
    put(".hidden/scan.png")
    os.symlink(tmp_path / "deeper 2", tmp_path / "link")
    assert names(find_inputs([tmp_path])) == ["Scan 1.png", "scan 2.png", "scan 10.png", "2.png", "3.png", "1.png"]


def test_folders_of_many_documents_are_each_as_if_given_alone(tmp_path, put):
    for document in ("D001", "D002"):
        put(f"all/{document}/shreds/1.png")
        put(f"all/{document}/masks/1.png")
        put(f"all/{document}/overview.png")
    put("all/notes/empty.txt").write_text("nothing")
    found = find_inputs([tmp_path / "all"])
    assert found == [*find_inputs([tmp_path / "all/D001"]), *find_inputs([tmp_path / "all/D002"])]
    assert [file.mask_path is None for file in found] == [False, False]
    assert [path.name for path in find_skipped([tmp_path / "all"])] == ["overview.png", "overview.png", "empty.txt"]


def test_paths_keep_the_order_in_which_they_are_given(tmp_path, put):
    b, a, c = put("b.png"), put("a.png"), put("folder/c.png")
    assert [file.path for file in find_inputs([b, c.parent, a])] == [b, c, a]


def test_files_given_twice_are_read_once(tmp_path, put):
    a, b = put("a.png"), put("b.png")
    assert [file.path for file in find_inputs([b, tmp_path])] == [b, a]


def test_hidden_files_and_clutter_do_not_count(tmp_path, put):
    put("scan.png")
    for name in (".hidden.png", "Thumbs.db", "desktop.ini", "~$notes.png"):
        put(name)
    assert names(find_inputs([tmp_path])) == ["scan.png"]
    assert find_skipped([tmp_path]) == []


def test_files_of_other_kinds_are_left_out_and_listed(tmp_path, put):
    scan, notes = put("scan.png"), tmp_path / "notes.txt"
    notes.write_text("Found in the bin on the second floor.")
    assert find_inputs([tmp_path]) == [InputFile(scan)]
    assert find_skipped([tmp_path]) == [notes]


def test_content_decides_for_files_with_an_unusual_ending(tmp_path, put):
    put("scan.dat", "JPEG")
    put("scan", "TIFF")
    assert names(find_inputs([tmp_path])) == ["scan", "scan.dat"]


def test_what_cannot_be_read_is_listed_so_that_reading_tells_why(tmp_path):
    empty, missing = tmp_path / "empty", tmp_path / "missing.png"
    empty.mkdir()
    assert find_inputs([empty, missing]) == [InputFile(empty), InputFile(missing)]


def test_shreds_with_masks_in_the_folder_next_door(tmp_path, put):
    for number in range(1, 12):
        put(f"D003/shreds/{number}.jpg", "JPEG")
        put(f"D003/masks/{number}.png")
    inputs = find_inputs([tmp_path / "D003"])
    assert names(inputs) == [f"{number}.jpg" for number in range(1, 12)]
    assert inputs[1] == InputFile(tmp_path / "D003/shreds/2.jpg", tmp_path / "D003/masks/2.png", single_shred=True)
    assert find_inputs([tmp_path / "D003/shreds"]) == inputs
    assert input_file(tmp_path / "D003/shreds/2.jpg") == inputs[1]


def test_shreds_without_masks(tmp_path, put):
    shred = put("D001/shreds/1.jpg", "JPEG")
    loose = put("D001/overview.jpg", "JPEG")
    assert find_inputs([tmp_path / "D001"]) == [InputFile(shred)]
    assert lies_among_shreds(shred)
    assert find_skipped([tmp_path / "D001"]) == [loose]


def test_a_shred_whose_mask_is_missing_is_not_taken_for_paper_all_over(tmp_path, put):
    put("shreds/1.jpg", "JPEG")
    put("masks/1.png")
    lonely = put("shreds/2.jpg", "JPEG")
    assert find_inputs([tmp_path])[1] == InputFile(lonely)
    assert not lies_among_shreds(lonely)


@pytest.mark.parametrize("mask", ["a_mask.png", "a_mask.TIF", "masks/a.png"])
def test_a_mask_beside_a_file_belongs_to_it(tmp_path, put, mask):
    a, b, mask = put("a.png"), put("b.png"), put(mask)
    expected = [InputFile(a, mask, single_shred=True), InputFile(b)]
    assert find_inputs([tmp_path]) == expected
    assert find_inputs([mask, a, b]) == expected


def test_a_mask_without_its_file_is_a_file_like_any_other(tmp_path, put):
    put("a_mask.png")
    assert names(find_inputs([tmp_path])) == ["a_mask.png"]


def test_links_that_lead_nowhere_or_in_a_circle_are_listed(tmp_path):
    os.symlink(tmp_path / "gone.png", tmp_path / "dangling.png")
    os.symlink(tmp_path / "circle.png", tmp_path / "circle.png")
    assert names(find_inputs([tmp_path])) == ["circle.png", "dangling.png"]


def test_what_is_known_already_may_be_there_twice(put):
    known = InputFile(put("a.png"))
    assert find_inputs([known, known]) == [known, known]
