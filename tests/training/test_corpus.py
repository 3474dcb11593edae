import io
import subprocess
import sys

import img2pdf
import numpy as np
import pytest
from PIL import Image

from core.errors import UnreadableInputError, UsageError
from training.corpus import (
    MARGIN_STEP,
    PAPER_MARGIN,
    find_pages,
    load_pages,
    main,
    margin,
    pages_of,
    prepare,
    prepare_all,
    read_pages,
    save_pages,
    write_pages,
)
from training.rendering import CREATOR


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


def test_all_images_are_pages_where_none_is_named_intact(tmp_path, page):
    for name in ("two.png", "one.TIF", "notes.txt"):
        Image.fromarray(page).save(tmp_path / name, format="png")
    assert [path.name for path in find_pages(tmp_path)] == ["one.TIF", "two.png"]
    assert [path.name for path in find_pages(tmp_path, ["**/*.png", "**/*.txt"])] == ["two.png", "notes.txt"]


@pytest.mark.parametrize(("given", "told"), [([], "is an image or a PDF file"), (["--pattern=*.jpg"], "is *.jpg")])
def test_a_folder_without_pages_is_wrong_use(tmp_path, capsys, given, told):
    (tmp_path / "notes.txt").write_text("no page")
    assert main([str(tmp_path), "-o", str(tmp_path / "pages.npz"), *given]) == UsageError.exit_code
    assert told in capsys.readouterr().err
    with pytest.raises(UsageError, match="There are no pages"):
        pages_of(tmp_path)


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


def test_several_processes_give_the_same_in_the_same_order(folder):
    paths = find_pages(folder, ["**/*.png"])
    assert len(paths) == 4
    shared = list(prepare_all(paths, processes=2))
    assert [name for name, _ in shared] == ["a/intact.png", "a/other.png", "b/intact.png", "b/other.png"]
    for path, (_, page) in zip(paths, shared, strict=True):
        np.testing.assert_array_equal(page, prepare(path)[0][1])


def test_pages_are_stored_in_their_own_size_and_equal_pages_make_equal_files(tmp_path):
    rng = np.random.default_rng(0)
    pages = [("a", rng.integers(-64, 33, (9, 5)).astype(np.int8)), ("b", rng.integers(-64, 33, (6, 8)).astype(np.int8))]
    assert write_pages(iter(pages), tmp_path / "one.npz") == write_pages(iter(pages), tmp_path / "two.npz") == 2
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    loaded = load_pages(tmp_path / "one.npz")
    assert loaded.margins.shape == (2, 9, 8)
    for page, (_, expected) in zip(loaded.margins, pages, strict=True):
        np.testing.assert_array_equal(page[: expected.shape[0], : expected.shape[1]], expected)
        assert (page[expected.shape[0] :] == PAPER_MARGIN).all()
        assert (page[:, expected.shape[1] :] == PAPER_MARGIN).all()


def test_pages_in_one_array_are_read_too(tmp_path):
    margins = np.arange(24, dtype=np.int8).reshape(2, 3, 4)
    np.savez_compressed(tmp_path / "pages.npz", names=np.array(["a", "b"]), margins=margins)
    loaded = load_pages(tmp_path / "pages.npz")
    assert loaded.names == ["a", "b"]
    np.testing.assert_array_equal(loaded.margins, margins)


def test_files_of_something_else_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", weights=np.ones(3))
    (tmp_path / "text.npz").write_text("no archive")
    for name in ("other.npz", "text.npz"):
        with pytest.raises(UnreadableInputError, match="no file of prepared pages"):
            load_pages(tmp_path / name)
    with pytest.raises(UnreadableInputError, match="does not exist"):
        load_pages(tmp_path / "absent.npz")


def test_a_damaged_pdf_stops_with_a_sentence(folder, tmp_path, capsys):
    (folder / "a" / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    assert main([str(folder), "-o", str(tmp_path / "pages.npz"), "--processes", "1"]) == 3
    assert "broken.pdf is damaged" in capsys.readouterr().err
    assert not (tmp_path / "pages.npz").exists()


def test_pages_are_prepared_without_what_renders_or_trains(pdf):
    absent = ("weasyprint", "faker", "keras", "tensorflow", "PySide6", "imagecodecs", "tifffile", "matplotlib", "tqdm")
    program = (
        f"import sys; from pathlib import Path; sys.modules.update(dict.fromkeys({absent!r}))\n"
        f"from training.corpus import prepare; print(len(prepare(Path({str(pdf(CREATOR))!r}))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "2\n", done.stderr
