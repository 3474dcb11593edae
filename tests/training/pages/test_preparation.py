import io
import subprocess
import sys

import img2pdf
import numpy as np
import pytest
from PIL import Image

from training.pages.intact import PAPER_MARGIN, margin
from training.pages.preparation import find_pages, prepare, prepare_all, read_pages
from training.rendering import CREATOR


def test_pages_are_found_by_pattern_in_order(folder):
    assert [path.parent.name for path in find_pages(folder)] == ["a", "b"]


def test_pages_of_unlike_size_are_padded_with_paper_and_lose_their_edge(folder, page):
    pages = read_pages(find_pages(folder), edge_px=20)
    assert pages.names == ["a/intact.png", "b/intact.png"]
    assert pages.margins.shape == (2, 300, 220)
    assert (pages.margins[0] == PAPER_MARGIN).all()
    assert (pages.margins[1, :20] == PAPER_MARGIN).all()
    np.testing.assert_array_equal(pages.margins[1, 20:-20, 20:-20], margin(page)[20:-20, 20:-20])


def test_all_images_are_pages_where_none_is_named_intact(tmp_path, page):
    for name in ("two.png", "one.TIF", "notes.txt"):
        Image.fromarray(page).save(tmp_path / name, format="png")
    assert [path.name for path in find_pages(tmp_path)] == ["one.TIF", "two.png"]
    assert [path.name for path in find_pages(tmp_path, ["**/*.png", "**/*.txt"])] == ["two.png", "notes.txt"]


@pytest.fixture
def pdf(tmp_path, page):
    """Write PDF files of the small page and of one on its side, made by whoever is named."""

    def write(creator):
        images = []
        for grey in (page, np.rot90(page)):
            images.append(io.BytesIO())
            Image.fromarray(grey).save(images[-1], format="png", dpi=(300, 300))
        path = tmp_path / "document.pdf"
        path.write_bytes(img2pdf.convert([image.getvalue() for image in images], creator=creator))
        return path

    return write


def test_pages_on_their_side_are_set_upright_unless_they_are_to_stay(pdf, page):
    path = pdf("somebody else")
    assert [each.shape for _, each in prepare(path)] == [page.shape, page.shape]
    assert [each.shape for _, each in prepare(path, as_they_lie=True)] == [page.shape, page.shape[::-1]]


def test_rendered_pages_are_printed_and_scanned_and_others_are_not(pdf, page):
    as_they_are = prepare(pdf("somebody else"), edge_px=0)
    assert [name.split("/")[1] for name, _ in as_they_are] == ["document.pdf, page 1", "document.pdf, page 2"]
    np.testing.assert_array_equal(as_they_are[0][1], margin(page))
    forced, known = prepare(pdf("somebody else"), print_scan=True), prepare(pdf(CREATOR))
    for (_, first), (_, second) in zip(forced, known, strict=True):
        np.testing.assert_array_equal(first, second)
    assert (known[0][1] != as_they_are[0][1]).any()
    assert np.mean((known[0][1] <= 0)[100:110, 40:180]) > 0.7


def test_the_seed_decides_how_pages_are_printed_and_scanned(pdf):
    path = pdf(CREATOR)
    once, again, otherwise = prepare(path, seed=1), prepare(path, seed=1), prepare(path, seed=2)
    np.testing.assert_array_equal(once[0][1], again[0][1])
    assert (once[0][1] != otherwise[0][1]).any()


def test_pages_on_their_side_are_turned_upright(pdf):
    shapes = [page.shape for _, page in prepare(pdf("somebody else"))]
    assert all(height > width for height, width in shapes)


@pytest.mark.slow
def test_several_processes_give_the_same_in_the_same_order(folder):
    paths = find_pages(folder, ["**/*.png"])
    assert len(paths) == 4
    shared = list(prepare_all(paths, processes=2))
    assert [name for name, _ in shared] == ["a/intact.png", "a/other.png", "b/intact.png", "b/other.png"]
    for path, (_, page) in zip(paths, shared, strict=True):
        np.testing.assert_array_equal(page, prepare(path)[0][1])


@pytest.mark.slow
def test_pages_are_prepared_without_what_renders_or_trains(pdf):
    absent = ("weasyprint", "faker", "keras", "tensorflow", "PySide6", "imagecodecs", "tifffile", "matplotlib", "tqdm")
    program = (
        f"import sys; from pathlib import Path; sys.modules.update(dict.fromkeys({absent!r}))\n"
        f"from training.pages.preparation import prepare; print(len(prepare(Path({str(pdf(CREATOR))!r}))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "2\n", done.stderr
