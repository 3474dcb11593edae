from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import CrossCutError, NothingFoundError, Remark, restore_note
from core.options import Options, SegmentationOptions
from core.sheets.sheet import Sheet
from core.shreds.cross_cut.whole_set import cut_of, described
from core.shreds.detect import Found, find_shreds
from core.system.disk_cache import DiskCache
from tests.core.drawn_pieces import Laid, cut, laid_in_rows, page, scanned
from tests.core.drawn_sheets import Scene, draw, row_of_strips

SIZE = (47, 472)
PIECES = [piece for row in cut(page((12 * SIZE[0], 3 * SIZE[1])), SIZE) for piece in row]


def written(path: Path, sheet: Sheet) -> Path:
    Image.fromarray(sheet.pixels).save(path, quality=90, dpi=(300, 300))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sheets of pieces, many and few, and two of strips, many and few."""
    folder = tmp_path_factory.mktemp("mixed")
    written(folder / "pieces.jpg", scanned(laid_in_rows(PIECES[:24], 12, turn_deg=3), (1100, 1100)))
    written(folder / "few.jpg", scanned(laid_in_rows(PIECES[24:32], 8), (800, 700)))
    written(folder / "strips.jpg", draw(Scene(row_of_strips(6)))[0])
    written(folder / "two.jpg", draw(Scene(row_of_strips(2, seed=5), size=(500, 1200), seed=5))[0])
    return folder


def found(folder: Path, *names: str, cut: str = "auto", **given: object) -> Found:
    options = Options(segmentation=SegmentationOptions(cut=cut))
    return find_shreds([folder / f"{name}.jpg" for name in names], options, **given)  # type: ignore[arg-type]


def test_a_sheet_with_few_pieces_goes_by_the_others(folder: Path) -> None:
    both = found(folder, "few", "pieces")
    assert len(both.shreds) == 32
    assert all(shred.cross_cut and shred.frame_top_px == 0 for shred in both.shreds)
    assert both.shreds[0].id == "1-001"
    assert described(both.shreds) == "cut both ways, into 32 pieces of about 4 × 40 mm"
    alone = found(folder, "few")
    assert cut_of(alone.shreds) == "strip"
    assert described(alone.shreds) == "cut into strips"


def test_sheets_that_were_cut_otherwise_than_most_are_left_out(folder: Path) -> None:
    strips = found(folder, "strips", "few", "pieces")
    assert cut_of(strips.shreds) == "strip"
    (note,) = strips.unreadable
    assert (
        "pieces.jpg was left out: the 24 shreds on it are cross-cut pieces, the other sheets mostly bear strips" in note
    )
    pieces = found(folder, "two", "pieces")
    assert {shred.sheet for shred in pieces.shreds if shred.cross_cut} == {1}
    assert len(pieces.sheets) == 2
    (note,) = pieces.unreadable
    assert "two.jpg was left out: the 2 shreds on it are strips" in note


def test_the_examiner_says_how_all_was_cut(folder: Path) -> None:
    strips = found(folder, "few", "pieces", cut="strip")
    assert len(strips.shreds) == 32
    assert not any(shred.cross_cut for shred in strips.shreds)
    assert strips.shreds[0].id == "1-01"
    pieces = found(folder, "two", "few", cut="cross")
    assert len(pieces.shreds) == 10
    assert all(shred.cross_cut for shred in pieces.shreds)


def test_what_comes_later_goes_by_what_was_there(folder: Path) -> None:
    assert all(shred.cross_cut for shred in found(folder, "few", cut_before="cross").shreds)
    with pytest.raises(CrossCutError, match="cross-cut pieces, the other sheets mostly bear strips"):
        found(folder, "pieces", cut_before="strip")
    with pytest.raises(NothingFoundError, match="are strips, the other sheets mostly bear cross-cut pieces"):
        found(folder, "strips", cut_before="cross")


def test_what_was_decided_is_kept_with_a_sheet(folder: Path, tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    first, second = (found(folder, "few", "pieces", cache=cache) for _ in range(2))
    assert [shred.content_sha256 for shred in first.shreds] == [shred.content_sha256 for shred in second.shreds]
    assert all(shred.cross_cut for shred in second.shreds)


def test_torn_and_touching_pieces_and_bits(tmp_path: Path) -> None:
    torn = [Laid(PIECES[30][:330], 200, 1250), Laid(PIECES[31][:120], 400, 1150)]
    laid = [*laid_in_rows(PIECES[:24], 12), *torn, Laid(PIECES[28], 600, 1300, 2), Laid(PIECES[29], 647, 1300, 2)]
    written(tmp_path / "scan.jpg", scanned(laid, (1100, 1600)))
    found = find_shreds([tmp_path / "scan.jpg"], Options())
    assert [shred.scrap for shred in found.shreds] == [""] * 27 + ["crumb"]
    assert all(shred.cross_cut for shred in found.shreds)
    assert described(found.shreds) == "cut both ways, into 26 pieces of about 4 × 40 mm and 2 shorter ones"


def test_pieces_that_cannot_be_parted_are_told_of(tmp_path: Path) -> None:
    over = [Laid(PIECES[30], 600, 1250), Laid(PIECES[31], 610, 1250, 40)]
    written(tmp_path / "scan.jpg", scanned([*laid_in_rows(PIECES[:24], 12), *over], (1100, 1600)))
    (note,) = find_shreds([tmp_path / "scan.jpg"], Options()).unreadable
    assert isinstance(note, Remark)
    assert isinstance(restore_note(str(note)), Remark)
    assert "1 heap of pieces could not be parted" in note


@pytest.mark.parametrize("height", [180, 80])
def test_pictures_of_single_pieces_are_cross_cut_and_keep_all_their_pixels(tmp_path: Path, height: int) -> None:
    pieces = [piece for row in cut(page((72 * 8, height * 4)), (72, height)) for piece in row]
    for number, piece in enumerate(pieces):
        Image.fromarray(piece).save(tmp_path / f"{number:03}.png", dpi=(300, 300))
    found = find_shreds([tmp_path], Options())
    assert [shred.id for shred in found.shreds[:2]] == ["1-01", "2-01"]
    for shred, piece in zip(found.shreds, pieces, strict=True):
        assert shred.cross_cut
        assert shred.mask.all()
        np.testing.assert_array_equal(shred.pixels, piece)


def test_pictures_of_strips_are_strips(tmp_path: Path) -> None:
    strips = cut(page((72 * 24, 1200)), (72, 1200))[0]
    for number, strip in enumerate(strips):
        Image.fromarray(strip).save(tmp_path / f"{number:03}.png", dpi=(300, 300))
    found = find_shreds([tmp_path], Options())
    assert len(found.shreds) == 24
    assert cut_of(found.shreds) == "strip"
    said = replace(Options(), segmentation=SegmentationOptions(cut="cross"))
    assert cut_of(find_shreds([tmp_path], said).shreds) == "cross"
