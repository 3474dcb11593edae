import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.options import Options
from tests.core.drawn_sheets import Scene, draw, row_of_strips
from training import beds
from training.measuring.documents import read_data_set

pytestmark = pytest.mark.slow


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data set with two documents of four strips each."""
    for seed, name in enumerate(("one", "two")):
        sheet, _ = draw(Scene(row_of_strips(4, seed=seed), seed=seed))
        (tmp_path / "data" / name).mkdir(parents=True)
        Image.fromarray(sheet.pixels).save(tmp_path / "data" / name / "sheet_1.png", dpi=(300, 300))
    return tmp_path / "data"


def test_documents_laid_out_are_a_data_set(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "beds"
    assert beds.main([str(data), "-o", str(folder), "--surface", "saturated", "--seed", "3"]) == 0
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert list(truth) == ["one", "two"]
    assert [len(document["shreds"]) for document in truth.values()] == [4, 4]
    assert {document["surface"] for document in truth.values()} == {"saturated"}
    read = read_data_set(folder, Options())
    assert [document.n_true for document in read.documents] == [4, 4]
    assert [len(document.order) for document in read.documents] == [4, 4]


def test_each_document_lies_on_another_kind_of_surface(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "beds"
    options = ["--paper", "coloured", "--light", "dark", "--dpi", "150", "--documents", "1"]
    assert beds.main([str(data), "-o", str(folder), *options]) == 0
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert {name: document["surface"] for name, document in truth.items()} == {"one": "pale"}
    with Image.open(folder / truth["one"]["sheets"][0]) as scan:
        assert scan.info["dpi"] == (150, 150)
        assert np.asarray(scan).max() < 200
    (document,) = read_data_set(folder, Options()).documents
    assert len(document.order) == 4
