from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import CrossCutError
from core.options import Options
from core.shreds.detect import find_shreds
from tests.core.drawn_sheets import SURFACES, Scene, draw, row_of_strips


def cross_cut(path: Path) -> Path:
    """A sheet of 80 pieces, 3 × 17 mm each."""
    pixels = np.full((1100, 1000, 3), SURFACES["blue"], np.uint8)
    for x in range(60, 940, 56):
        for y in range(80, 1000, 230):
            pixels[y : y + 200, x : x + 36] = 250
    Image.fromarray(pixels).save(path, dpi=(300, 300))
    return path


def test_a_sheet_of_cross_cut_pieces_is_counted_and_named_by_its_code(tmp_path: Path) -> None:
    with pytest.raises(CrossCutError, match="64 pieces of cross-cut paper, about 3 × 17 mm each"):
        find_shreds([cross_cut(tmp_path / "pieces.png")], Options())


def test_beside_strips_it_is_a_note(tmp_path: Path) -> None:
    sheet, _ = draw(Scene(row_of_strips(3)))
    Image.fromarray(sheet.pixels).save(tmp_path / "strips.png", dpi=(300, 300))
    found = find_shreds([tmp_path / "strips.png", cross_cut(tmp_path / "pieces.png")], Options())
    assert len(found.shreds) == 3
    assert ["cross-cut" in note for note in found.unreadable] == [True]
