import json

import numpy as np
import pytest
from PIL import Image, ImageDraw

from core.arrangement.arrangement import Arrangement
from core.errors import NothingFoundError, UsageError
from core.options import Options
from training.measuring.documents import read_data_set
from training.measuring.reconstruction import share_right

YELLOW = (250, 200, 60)


def strip(seed: int, height: int = 700, width: int = 90) -> Image.Image:
    """A strip of paper with dashes of its own."""
    rng = np.random.default_rng(seed)
    paper = Image.new("RGB", (width, height), (250, 248, 246))
    draw = ImageDraw.Draw(paper)
    for y in range(30, height - 30, 24):
        if rng.random() < 0.6:
            x = int(rng.integers(0, width - 30))
            draw.rectangle([x, y, x + int(rng.integers(10, 60)), y + int(rng.integers(3, 9))], fill=(20, 20, 20))
    return paper


def pale(strip: Image.Image) -> Image.Image:
    """The same strip in pencil."""
    return Image.blend(Image.new("RGB", strip.size, (250, 248, 246)), strip, 0.3)


def sheet(strips: list[Image.Image], path) -> list[list[int]]:
    """Lay strips on yellow and save the scan; gives their boxes."""
    image = Image.new("RGB", (80 + 150 * len(strips), 800), YELLOW)
    boxes = []
    for number, one in enumerate(strips):
        image.paste(one, (60 + 150 * number, 50))
        boxes.append([60 + 150 * number, 50, one.width, one.height])
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, dpi=(300, 300))
    return boxes


def names(data, document) -> list[str]:
    return [data.found.shreds[index].id for index in document.order]


def test_a_file_per_shred_is_ordered_by_name(tmp_path):
    for document in ("one", "two"):
        (tmp_path / document / "shreds").mkdir(parents=True)
        for number in range(3):
            path = tmp_path / document / "shreds" / f"{number}.png"
            strip(10 * len(document) + number + ord(document[0])).save(path, dpi=(300, 300))
    data = read_data_set(tmp_path, Options())
    assert [document.name for document in data.documents] == ["one", "two"]
    assert names(data, data.documents[1]) == ["4-01", "5-01", "6-01"]
    assert data.documents[1].n_true == 3


def test_scans_are_ordered_by_position(tmp_path):
    sheet([strip(1), strip(2)], tmp_path / "sheets" / "doc" / "sheet_1.png")
    sheet([strip(3)], tmp_path / "sheets" / "doc" / "sheet_2.png")
    data = read_data_set(tmp_path / "sheets", Options())
    assert names(data, data.documents[0]) == ["1-01", "1-02", "2-01"]


def test_files_of_the_same_shreds_beside_correct_the_order_of_scans(tmp_path):
    sheet([strip(1), strip(2)], tmp_path / "set_sheets" / "doc" / "sheet_1.png")
    sheet([strip(3)], tmp_path / "set_sheets" / "doc" / "sheet_2.png")
    (tmp_path / "set" / "doc" / "shreds").mkdir(parents=True)
    for place, seed in enumerate((3, 1, 2)):
        strip(seed).save(tmp_path / "set" / "doc" / "shreds" / f"{place}.png", dpi=(300, 300))
    data = read_data_set(tmp_path / "set_sheets", Options())
    assert names(data, data.documents[0]) == ["2-01", "1-01", "1-02"]


def test_truth_names_boxes_and_a_shred_not_found_still_counts(tmp_path):
    boxes = sheet([strip(1), strip(2)], tmp_path / "doc" / "sheet_1.png")
    shreds = [
        {"sheet": 1, "bbox": boxes[0], "order": 2, "blank": False},
        {"sheet": 1, "bbox": boxes[1], "order": 0, "blank": False},
        {"sheet": 1, "bbox": [400, 0, 20, 20], "order": 1, "blank": False},
    ]
    truth = {"doc": {"sheets": ["doc/sheet_1.png"], "shreds": shreds}}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    document = (data := read_data_set(tmp_path, Options())).documents[0]
    assert names(data, document) == ["1-02", "1-01"]
    assert document.n_true == 3


def test_pencil_is_ink_to_the_application_and_blank_to_the_measure(tmp_path):
    (tmp_path / "doc" / "shreds").mkdir(parents=True)
    for number, one in enumerate((strip(1), pale(strip(2)), strip(3))):
        one.save(tmp_path / "doc" / "shreds" / f"{number}.png", dpi=(300, 300))
    data = read_data_set(tmp_path, Options())
    assert [shred.blank for shred in data.found.shreds] == [False, False, False]
    assert names(data, data.documents[0]) == ["1-01", "3-01"]
    assert data.uncounted == {"2-01"}
    assert share_right(Arrangement(pages=(("1-01", "2-01", "3-01"),)), data) == 1


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match="no folder"):
        read_data_set(tmp_path / "nowhere", Options())


def test_a_folder_without_documents_is_told(tmp_path):
    with pytest.raises(NothingFoundError, match="no documents"):
        read_data_set(tmp_path, Options())
