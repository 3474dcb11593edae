"""A tiny data set on disk, and an encoder that was never trained."""

from pathlib import Path

import keras
import numpy as np
import pytest
from PIL import Image, ImageDraw

from core.matching.encoder import build_model

STRIP_PX = 60
STRIPS = 4


def draw_page(seed: int) -> Image.Image:
    """A page of slanted strokes, wide enough for the strips."""
    rng = np.random.default_rng(seed)
    page = Image.new("RGB", (STRIP_PX * STRIPS, 400), "white")
    draw = ImageDraw.Draw(page)
    for _ in range(150):
        x, y = rng.integers(0, page.width), rng.integers(20, 380)
        draw.line([x, y, x + rng.integers(5, 40), y + rng.integers(-20, 20)], fill="black", width=4)
    return page


@pytest.fixture(scope="session")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two documents of four strips each, a file per strip, cut straight."""
    folder = tmp_path_factory.mktemp("data") / "d2"
    for seed, document in enumerate(("D001", "D002")):
        page = draw_page(seed)
        (folder / document / "shreds").mkdir(parents=True)
        for number in range(STRIPS):
            strip = page.crop((number * STRIP_PX, 0, (number + 1) * STRIP_PX, page.height))
            strip.save(folder / document / "shreds" / f"{number}.png", dpi=(300, 300))
    return folder


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of two dimensions as they are before training."""
    keras.utils.set_random_seed(1)
    path = tmp_path_factory.mktemp("weights") / "untrained.keras"
    build_model(2).save(path)
    return path


@pytest.fixture(scope="session")
def pages_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two intact pages."""
    folder = tmp_path_factory.mktemp("pages")
    for seed in (3, 4):
        (folder / str(seed)).mkdir()
        draw_page(seed).save(folder / str(seed) / "intact.png", dpi=(300, 300))
    return folder
