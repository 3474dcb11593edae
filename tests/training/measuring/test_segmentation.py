import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.core.drawn_sheets import Scene, draw, row_of_strips
from training.measuring.segmentation import residual_deg, segmentation_table


def write(path: Path, image: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(image).save(path, dpi=(300, 300))


def boxed(mask: np.ndarray) -> tuple[list[int], np.ndarray]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    inside = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return [int(columns[0]), int(rows[0]), inside.shape[1], inside.shape[0]], inside.astype(np.uint8) * 255


@pytest.fixture
def with_truth(tmp_path: Path) -> Path:
    """A sheet of four shreds, of which the truth takes the last two for one and knows a fifth that is not there."""
    sheet, masks = draw(Scene(row_of_strips(4)))
    write(tmp_path / "doc" / "sheet_1.png", sheet.pixels)
    nowhere = np.zeros_like(masks[0])
    nowhere[200:900, 900:1000] = True
    shreds = []
    for index, mask in enumerate([masks[0], masks[1], masks[2] | masks[3], nowhere]):
        box, inside = boxed(mask)
        write(tmp_path / "doc" / "masks" / f"{index}.png", inside)
        shreds.append({"sheet": 1, "bbox": box, "mask": f"doc/masks/{index}.png"})
    truth = {"doc": {"sheets": ["doc/sheet_1.png"], "shreds": shreds}}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    return tmp_path


def test_counts_what_is_wrong(with_truth: Path) -> None:
    table = segmentation_table(with_truth)
    (sheet,) = table.sheets
    assert (sheet.expected, sheet.found, sheet.split, sheet.merged) == (4, 4, 1, 0)
    assert sheet.missed in (1, 2)  # half of the two that the truth takes for one may be a little more than half
    assert sheet.overlaps[:2] == pytest.approx([0.975, 0.975], abs=0.015)
    assert sheet.overlaps[3] == 0
    assert "right number: 1 of 1 sheets" in str(table)


def test_counts_by_document_and_finds_displaced_masks(tmp_path: Path) -> None:
    sheet, masks = draw(Scene(row_of_strips(3)))
    write(tmp_path / "set_sheets" / "doc" / "sheet_1.png", sheet.pixels)
    for index, mask in enumerate(masks):
        (x, y, width, height), inside = boxed(mask)
        write(tmp_path / "set" / "doc" / "masks" / f"{index}.png", inside[10:-10])
        write(
            tmp_path / "set" / "doc" / "shreds" / f"{index}.png", sheet.pixels[y + 10 : y + height - 10, x : x + width]
        )
    table = segmentation_table(tmp_path / "set_sheets")
    assert table.documents == {"doc": (3, 3)}
    assert min(table.sheets[0].overlaps) > 0.96
    assert "1 of 1 documents" in str(table)


def test_residual_of_a_slanting_strip() -> None:
    mask = np.zeros((1000, 200), np.bool_)
    for row in range(1000):
        mask[row, 50 + row // 100 : 150 + row // 100] = True
    assert residual_deg(mask) == pytest.approx(np.degrees(np.arctan(0.01)), abs=0.01)
