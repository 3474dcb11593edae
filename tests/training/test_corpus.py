import numpy as np
import pytest
from PIL import Image

from training.corpus import (
    MARGIN_STEP,
    PAPER_MARGIN,
    find_pages,
    load_pages,
    main,
    margin,
    read_pages,
    save_pages,
)


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


def test_ink_is_where_the_margin_is_not_positive(page):
    above = margin(page)
    assert above.dtype == np.int8
    assert (above[102:108, 45:175] <= 0).all()
    assert (above[150:] == PAPER_MARGIN).all()
    assert (above % MARGIN_STEP == 0).all()


def test_pages_are_found_by_pattern_in_order(folder):
    assert [path.parent.name for path in find_pages(folder)] == ["a", "b"]


def test_pages_of_unlike_size_are_padded_with_paper_and_lose_their_edge(folder, page):
    pages = read_pages(find_pages(folder), edge_px=20)
    assert pages.names == ["a/intact.png", "b/intact.png"]
    assert pages.margins.shape == (2, 300, 220)
    assert (pages.margins[0] == PAPER_MARGIN).all()
    assert (pages.margins[1, :20] == PAPER_MARGIN).all()
    np.testing.assert_array_equal(pages.margins[1, 20:-20, 20:-20], margin(page)[20:-20, 20:-20])


def test_saved_pages_load_unchanged(folder, tmp_path):
    assert main([str(folder), "-o", str(tmp_path / "pages.npz")]) == 0
    loaded, read = load_pages(tmp_path / "pages.npz"), read_pages(find_pages(folder))
    assert loaded.names == read.names
    np.testing.assert_array_equal(loaded.margins, read.margins)
    save_pages(loaded.select([1]), tmp_path / "one.npz")
    assert load_pages(tmp_path / "one.npz").names == ["b/intact.png"]


def test_a_folder_without_pages_is_wrong_use(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main([str(tmp_path), "-o", str(tmp_path / "pages.npz")])
    assert stop.value.code == 2
    assert "no file below" in capsys.readouterr().err
