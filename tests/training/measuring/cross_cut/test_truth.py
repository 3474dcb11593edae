import json

import numpy as np
import pytest
from PIL import Image

from core.errors import UsageError
from training.measuring.cross_cut.truth import (
    CONTEST_TRUTH,
    NOT_TRAINED_ON,
    cut_in_software,
    has_rows,
    pages_to_cut,
    read_intact,
    read_rows,
)
from training.pages.cross_cut import Cutting


def write(path, grey):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(grey).save(path, dpi=(300, 300))


def strokes(rng, height_px):
    """Paper 72 px wide with a stroke in each line."""
    grey = np.full((height_px, 72), 255, np.uint8)
    for top in range(20, height_px - 20, 24):
        left = int(rng.integers(0, 40))
        grey[top : top + 10, left : left + 30] = 10
    return grey


def test_of_known_pages_those_are_cut_that_the_encoder_was_not_trained_on(tmp_path, page):
    known = [*NOT_TRAINED_ON[:2], "budget/aaa00a00"]
    for name in known:
        write(tmp_path / name / "intact.png", page)
    chosen = pages_to_cut(tmp_path)
    assert sorted(path.parent.name for path in chosen) == sorted(name.split("/")[1] for name in known[:2])
    assert len(pages_to_cut(tmp_path, all_pages=True)) == 3
    assert len(pages_to_cut(tmp_path / known[0].split("/")[0])) == 1
    assert list(read_intact(chosen)) == [f"{path.parent.name}/intact.png" for path in chosen]


def test_of_other_folders_all_pages_are_cut(tmp_path, page):
    for name in ("b.png", "a.png"):
        write(tmp_path / name, page)
    read = read_intact(pages_to_cut(tmp_path))
    assert [name.split("/")[1] for name in read] == ["a.png", "b.png"]
    np.testing.assert_array_equal(read[f"{tmp_path.name}/a.png"], page)
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError, match="no pages"):
        pages_to_cut(tmp_path / "none")


def test_pieces_without_dark_print_are_blank():
    page = np.full((1000, 300), 240, np.uint8)
    page[500:520, 140:160] = 20
    pieces = cut_in_software([page], Cutting())
    inked = [pieces.places[one.id] for one in pieces.shreds if not one.blank]
    assert 1 <= len(inked) <= 4
    # Without the outer 20 pixels, the print begins at column 120.
    assert all(120 - 48 < place.left_px < 140 for place in inked)


@pytest.fixture
def contest(tmp_path):
    """Two faces in 3 rows of 8 pieces; the names tell nothing."""
    rng, rows = np.random.default_rng(0), {"A": [], "B": []}
    names = iter(rng.permutation(48).tolist())
    for face, of_face in rows.items():
        for _ in range(3):
            of_face.append([f"{next(names):02}{face.lower()}" for _ in range(8)])
            for name in of_face[-1]:
                write(tmp_path / "two" / f"{name}.png", strokes(rng, 180))
    (tmp_path / CONTEST_TRUTH).write_text(json.dumps({"two": rows}))
    return tmp_path / "two"


def test_pieces_with_known_rows_are_read_and_each_face_is_a_page(contest):
    assert has_rows(contest)
    assert not has_rows(contest.parent)
    pieces, faces = read_rows(contest)
    assert faces == {}
    assert len(pieces.shreds) == len(pieces.places) == 48
    rows = json.loads((contest.parent / CONTEST_TRUTH).read_text())["two"]
    first = sorted(name for of_face in rows.values() for row in of_face for name in row)[0]
    face, at = next((face, row.index(first)) for face, of in rows.items() for row in of if first in row)
    place = pieces.places[pieces.shreds[0].id]
    assert (place.page, place.column) == (["A", "B"].index(face), at)
    assert place.left_px == pytest.approx(at * pieces.pitch_px)


def test_strips_are_no_pieces(contest):
    for path in contest.iterdir():
        path.unlink()
    for name in range(8):
        write(contest / f"{name}.png", strokes(np.random.default_rng(name), 1800))
    with pytest.raises(UsageError, match="not cut both ways"):
        read_rows(contest)
