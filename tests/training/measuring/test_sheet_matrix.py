import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import NothingFoundError, UnreadableInputError
from tests.core.drawn_sheets import Scene, draw, row_of_strips
from training.measuring import sheet_matrix as sheet_matrix_module
from training.measuring.segmentation import SheetResult
from training.measuring.sheet_matrix import (
    KINDS,
    PARTS,
    PHOTOGRAPHED,
    TILTS_DEG,
    Cell,
    MatrixTable,
    matrix_cells,
    part_cells,
    photograph_cells,
    read_paper,
    sheet_matrix,
)
from training.pages.beds import photographed
from training.pages.beds.laid_out import Conditions

pytestmark = pytest.mark.slow


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder that holds a data set with a truth, and one with a file and a mask for each shred."""
    sheet, masks = draw(Scene(row_of_strips(2)))
    (tmp_path / "d3" / "doc").mkdir(parents=True)
    (tmp_path / "d2" / "doc" / "shreds").mkdir(parents=True)
    (tmp_path / "d2" / "doc" / "masks").mkdir()
    Image.fromarray(sheet.pixels).save(tmp_path / "d3" / "doc" / "sheet_1.png")
    shreds = []
    for index, mask in enumerate(masks):
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        inside = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        Image.fromarray(mask[inside].astype(np.uint8) * 255).save(tmp_path / "d3" / "doc" / f"{index}.png")
        Image.fromarray(mask[inside].astype(np.uint8) * 255).save(tmp_path / "d2" / "doc" / "masks" / f"{index}.png")
        Image.fromarray(sheet.pixels[inside]).save(tmp_path / "d2" / "doc" / "shreds" / f"{index}.png")
        box = [int(columns[0]), int(rows[0]), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1]
        shreds.append({"sheet": 1, "bbox": box, "mask": f"doc/{index}.png"})
    truth = {"doc": {"sheets": ["doc/sheet_1.png"], "shreds": shreds}}
    (tmp_path / "d3" / "truth.json").write_text(json.dumps(truth))
    return tmp_path


def test_reads_the_shreds_of_all_sets(data: Path) -> None:
    paper = read_paper(data)
    assert len(paper) == 4
    assert len(read_paper(data / "d3")) == 2
    for one in paper:
        assert one.pixels.shape[:2] == one.mask.shape
        assert np.median(one.pixels[one.mask]) > 200
    with pytest.raises(NothingFoundError, match="No shreds with masks"):
        read_paper(data / "d3" / "doc")


def test_every_kind_meets_every_condition() -> None:
    cells = matrix_cells(210, 0)
    assert {cell.kind for cell in cells} == set(KINDS)
    assert {cell.conditions.dpi for cell in cells} == {150, 200, 300, 400, 600, 1200}
    assert cells == matrix_cells(210, 0)
    assert cells != matrix_cells(210, 1)
    for kind in KINDS:
        assert len({cell.conditions.light for cell in cells if cell.kind == kind}) >= 3


def test_sheets_are_laid_out_and_searched(data: Path) -> None:
    conditions = Conditions(surface="saturated", bed="A7", n=2)
    (result,) = sheet_matrix(data, [Cell("saturated", conditions, (0, 0))], workers=1).results
    assert (result.found, result.expected) == (2, 2)
    assert min(result.overlaps) > 0.9


def test_parts_of_every_kind_hold_one_to_three_shreds() -> None:
    cells = part_cells(4 * len(PARTS), 0)
    assert {cell.kind for cell in cells} == set(PARTS)
    assert {cell.conditions.on_part for cell in cells} == {1, 2, 3}
    assert cells == part_cells(4 * len(PARTS), 0) != part_cells(4 * len(PARTS), 1)


def test_a_part_is_no_single_shred(data: Path) -> None:
    conditions = Conditions(surface="saturated", bed="A7", n=3, on_part=1)
    (result,) = sheet_matrix(data, [Cell("part, saturated", conditions, (0, 0))], workers=1).results
    assert (result.found, result.expected) == (1, 1)
    assert min(result.overlaps) > 0.9


def test_every_support_is_photographed_at_every_tilt() -> None:
    cells = photograph_cells(70, 0)
    assert {cell.kind for cell in cells} == set(PHOTOGRAPHED)
    assert {cell.conditions.tilt_deg for cell in cells} == set(TILTS_DEG)
    assert cells == photograph_cells(70, 0)
    assert "camera" in str(cells[0])


def test_truth_goes_through_the_camera_with_the_pixels(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photographed, "SIZE_PX", (2800, 2100))
    conditions = Conditions(surface="saturated", bed="A5", n=2, tilt_deg=8.0)
    (result,) = sheet_matrix(data, [Cell("photograph, saturated", conditions, (0, 0))], workers=1).results
    assert (result.found, result.expected) == (2, 2)
    assert min(result.overlaps) > 0.9


def test_a_photograph_of_which_no_size_is_known_is_counted_as_refused(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photographed, "SIZE_PX", (1400, 1050))

    def unreadable(path: Path, _folder: Path) -> None:
        raise UnreadableInputError(f"{path} is a photograph, and nothing tells how large things on it are.")

    monkeypatch.setattr(sheet_matrix_module, "segmented", unreadable)
    conditions = Conditions(surface="saturated", bed="A5", n=2, tilt_deg=8.0)
    (result,) = sheet_matrix(data, [Cell("photograph, saturated", conditions, (0, 0))], workers=1).results
    assert (result.found, result.expected, result.refused) == (0, 2, "its size is not known")


def test_the_table_says_what_is_wrong() -> None:
    cells = matrix_cells(3, 0)
    results = (
        SheetResult("a", 6, 0.5, expected=6, overlaps=[0.98] * 6),
        SheetResult("b", 5, 0.5, expected=6, overlaps=[0.9] * 6, merged=1),
        SheetResult("c", 0, 0.5, expected=6, overlaps=[0.0] * 6, refused="nothing-found: No shreds."),
    )
    text = str(MatrixTable(cells, results))
    assert "33.3%" in text
    assert "refused: 1 × nothing-found: No shreds." in text
    assert text.count("wrong:") == 2
