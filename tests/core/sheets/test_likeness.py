"""The same sheet, saved, reduced or scanned again; and others that only have their support in common."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from core.sheets.likeness import Album, Likeness
from core.sheets.sheet import SheetInfo

SIZE = (800, 620)


@cache
def sheet(seed: int, grid: bool = False) -> np.ndarray:
    """Draw shreds with words on a support, which may bear a grid."""
    rng = np.random.default_rng(seed)
    pixels = np.full((*SIZE, 3), (250, 200, 60), np.uint8)
    if grid:
        pixels[::40] = pixels[:, ::40] = 60
    for left in range(20, 540, 75):
        top = int(rng.integers(10, 60))
        pixels[top : top + 700, left : left + 55] = 248
        for line in range(top + 20, top + 680, 18):
            for word in range(left + 3, left + 50, 8):
                if rng.random() < 0.6:
                    pixels[line : line + int(rng.integers(4, 9)), word : word + int(rng.integers(2, 6))] = 30
    return pixels


def scanned_again(pixels: np.ndarray, degrees: float, by: tuple[float, float]) -> np.ndarray:
    """Turn, move, darken and add noise."""
    turn = cv2.getRotationMatrix2D((SIZE[1] / 2, SIZE[0] / 2), degrees, 1.0)
    turn[:, 2] += by
    moved = cv2.warpAffine(pixels, turn, SIZE[::-1], borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(9).normal(0, 5, moved.shape)
    return np.clip(0.93 * moved + noise, 0, 255).astype(np.uint8)


def compressed(pixels: np.ndarray) -> np.ndarray:
    return cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 20])[1], cv2.IMREAD_COLOR)


def are_alike(one: np.ndarray, other: np.ndarray, **options) -> bool:
    found = Likeness.of(one).is_like(Likeness.of(other), **options)
    assert Likeness.of(other).is_like(Likeness.of(one), **options) == found
    return found


@pytest.mark.parametrize("grid", [False, True])
def test_saved_again(grid):
    scan = sheet(0, grid)
    assert are_alike(scan, compressed(scan), scanned_again=False)
    assert are_alike(scan, scan[..., 1].copy(), scanned_again=False)
    assert are_alike(scan, cv2.resize(scan, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA), scanned_again=False)


@pytest.mark.parametrize(("degrees", "by"), [(0.0, (5, -9)), (0.8, (3, 4)), (-2.0, (12, 7))])
def test_scanned_again(degrees, by):
    again = scanned_again(sheet(0), degrees, by)
    assert are_alike(sheet(0), again)
    assert not are_alike(sheet(0), again, scanned_again=False)


@pytest.mark.parametrize("degrees", [180.0, 181.2])
def test_scanned_again_upside_down(degrees):
    again = scanned_again(sheet(0), degrees, (4, -6))
    assert are_alike(sheet(0), again)
    assert not are_alike(sheet(0), again, scanned_again=False)


@pytest.mark.parametrize("grid", [False, True])
def test_other_shreds_on_the_same_support(grid):
    assert not are_alike(sheet(0, grid), sheet(1, grid))
    assert not are_alike(sheet(0, grid), sheet(1, grid)[::-1, ::-1].copy())


def test_one_shred_that_was_exchanged_makes_another_sheet():
    changed = sheet(0).copy()
    changed[:, 165:315] = sheet(1)[:, 165:315]
    assert not are_alike(sheet(0), changed)


def test_where_nothing_is_to_be_seen_nothing_is_alike():
    blank = np.full((*SIZE, 3), 200, np.uint8)
    assert not are_alike(blank, blank)


def info(pixels: np.ndarray, name: str, single_shred: bool = False) -> SheetInfo:
    return SheetInfo(Path(name), 0, name, pixels.shape[1::-1], 300.0, "file", pixels, single_shred=single_shred)


def test_an_album_finds_the_first_one():
    album = Album()
    sheets = [info(sheet(seed), f"{seed}.png") for seed in range(3)]
    assert [album.find(one) for one in sheets] == [None] * 3
    assert album.find(info(scanned_again(sheet(1), 1.0, (4, 4)), "again.png")) is sheets[1]
    assert album.find(info(compressed(sheet(2)), "2.jpg")) is sheets[2]


def test_an_album_finds_a_sheet_upside_down_and_exchanges_it():
    album = Album()
    first, other = info(sheet(0), "0.png"), info(sheet(1), "1.png")
    assert [album.find(one) for one in (first, other)] == [None, None]
    again = info(scanned_again(sheet(0), 180.5, (3, 3)), "again.png")
    assert album.find(again) is first
    album.exchange(first, again)
    assert album.find(info(compressed(sheet(0)), "0.jpg")) is again
    assert album.find(info(compressed(sheet(1)), "1.jpg")) is other


def test_single_shreds_are_only_alike_if_they_were_saved_again():
    album = Album()
    strip = sheet(0)[:, 20:75].copy()
    first = info(strip, "1.png", single_shred=True)
    assert album.find(first) is None
    assert album.find(info(sheet(1)[:, 20:75].copy(), "2.png", single_shred=True)) is None
    assert album.find(info(scanned_again(sheet(0), 1.0, (2, 5))[:, 20:75].copy(), "3.png", single_shred=True)) is None
    assert album.find(info(compressed(strip), "1.jpg", single_shred=True)) is first
    assert album.find(info(strip, "a sheet.png")) is None
