"""Tiny data sets and pages on disk, and an encoder that was never trained."""

from collections.abc import Iterator
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow
from PIL import Image, ImageDraw

from core.embedding.encoder import build_model
from training.learning import listwise
from training.pages.intact import PAPER_MARGIN, Pages

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


@pytest.fixture
def page() -> np.ndarray:
    """A small page with a dark bar, white noise on the paper."""
    grey = np.clip(np.random.default_rng(0).normal(235, 3, (300, 220)), 0, 255).astype(np.uint8)
    grey[100:110, 40:180] = 30
    return grey


@pytest.fixture
def folder(tmp_path, page):
    for name, grey in (("b", page), ("a", np.full((250, 220), 255, dtype=np.uint8))):
        (tmp_path / name).mkdir()
        for file in ("intact.png", "other.png"):
            Image.fromarray(grey).save(tmp_path / name / file, dpi=(300, 300))
    return tmp_path


@pytest.fixture(scope="session")
def pages() -> Pages:
    """Six pages of slanted strokes."""
    rng = np.random.default_rng(0)
    margins = np.full((6, 400, 500), PAPER_MARGIN, dtype=np.int8)
    for page in margins:
        for _ in range(400):
            y, x, slope = rng.integers(0, 380), rng.integers(0, 450), rng.choice([-1, 0, 1])
            for step in range(40):
                row, column = np.clip(y + slope * step // 2, 0, 396), min(x + step, 499)
                page[row : row + 3, column] = -40
    return Pages([f"page {number}" for number in range(6)], margins)


@pytest.fixture
def untraced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compute each step as it comes, and validate on less: making a graph of it takes as long as dozens of steps."""
    monkeypatch.setattr(listwise, "VALIDATION_STEPS", 2)
    tensorflow.config.run_functions_eagerly(True)
    yield
    tensorflow.config.run_functions_eagerly(False)
