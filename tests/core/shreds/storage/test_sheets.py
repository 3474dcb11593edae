"""What was kept of sheets gives, bit for bit, what reading and segmenting them again would give."""

import shutil
from dataclasses import fields, replace

import numpy as np
import pytest

from core.options import Options, ReadingOptions, SegmentationOptions
from core.sheets.mends import NotPaper
from core.sheets.sheet import SheetInfo
from core.shreds import on_sheet
from core.shreds.detect import find_shreds
from core.shreds.shred import Crumb, Shred
from core.shreds.storage import packed
from core.system.disk_cache import DiskCache
from tests.core.drawn_sheets import write_sheets


@pytest.fixture(scope="module")
def sheets(tmp_path_factory):
    return write_sheets(tmp_path_factory.mktemp("sheets"), 2)


@pytest.fixture
def cache(tmp_path):
    return DiskCache(tmp_path / "kept")


@pytest.fixture
def never(monkeypatch):
    def read(*_arguments):
        raise AssertionError("it is read again")

    monkeypatch.setattr("core.sheets.reader._sheet", read)
    monkeypatch.setattr(on_sheet, "segment_sheet", read)


def assert_same(found, other):
    assert (found.unreadable, found.damaged) == (other.unreadable, other.damaged)
    for kind, ones, others in (
        (SheetInfo, found.sheets, other.sheets),
        (Shred, found.shreds, other.shreds),
        (Crumb, found.crumbs, other.crumbs),
    ):
        for one, its in zip(ones, others, strict=True):
            for field in fields(kind):
                value, same = getattr(one, field.name), getattr(its, field.name)
                if isinstance(same, np.ndarray):
                    assert value.dtype == same.dtype, field.name
                    np.testing.assert_array_equal(value, same, field.name)
                else:
                    assert value == same, field.name
                    assert type(value) is type(same), field.name


def test_sheets_that_were_read_are_not_read_again(sheets, cache, request):
    without = find_shreds(sheets, Options())
    assert_same(find_shreds(sheets, Options(), cache=cache), without)
    request.getfixturevalue("never")
    assert_same(find_shreds(sheets, Options(), cache=DiskCache(cache.folder)), without)
    other_way_round = find_shreds(sheets[::-1], Options(), cache=cache)
    assert [shred.id for shred in other_way_round.shreds][:2] == ["1-01", "1-02"]
    assert {shred.sheet for shred in other_way_round.shreds} == {0, 1}
    assert len(other_way_round.shreds) == len(without.shreds)


def test_wherever_the_file_lies(sheets, cache, tmp_path, request):
    first = sheets[0]
    before = find_shreds([first], Options(), cache=cache)
    copy = tmp_path / f"another name{first.suffix}"
    shutil.copy(first, copy)
    request.getfixturevalue("never")
    after = find_shreds([copy], Options(), cache=cache)
    assert after.sheets[0].path == copy
    assert_same(replace(after, sheets=()), replace(before, sheets=()))


def test_pixels_that_have_no_room_stay_on_the_disk(sheets, cache, monkeypatch, request):
    without = find_shreds(sheets[:1], Options())
    monkeypatch.setattr(packed.Keeper.__init__, "__defaults__", (1_000_000,))
    for _ in range(2):
        found = find_shreds(sheets[:1], Options(), cache=cache)
        kinds = [type(shred) for shred in found.shreds]
        assert {*kinds} == {Shred, packed.PackedShred}
        assert kinds[0] is Shred
        assert_same(found, without)
        request.getfixturevalue("never")


@pytest.mark.parametrize("changed", ["reading", "segmentation", "mends", "file", "damage"])
def test_otherwise_it_is_read_again(sheets, cache, tmp_path, changed):
    path = tmp_path / sheets[0].name
    shutil.copy(sheets[0], path)
    before = find_shreds([path], Options(), cache=cache)
    options, mends = Options(), {}
    if changed == "reading":
        options = Options(reading=ReadingOptions(dpi=200))
    elif changed == "segmentation":
        options = Options(segmentation=SegmentationOptions(min_length_mm=20))
    elif changed == "mends":
        x, y, width, height = before.shreds[0].bbox
        mends = {(before.sheets[0].sha256, 0): (NotPaper((x + width / 2, y + height / 2)),)}
    elif changed == "file":
        path.write_bytes(path.read_bytes() + b" ")
    else:
        for entry in cache.folder.iterdir():
            entry.write_bytes(entry.read_bytes()[:-5])
    after = find_shreds([path], options, mends=mends, cache=cache)
    assert_same(after, find_shreds([path], options, mends=mends))
    assert len(list(cache.folder.iterdir())) == (1 if changed == "damage" else 2)


def test_sheets_that_show_the_same_are_told_from_what_is_kept(sheets, cache, tmp_path, request):
    paths = [tmp_path / f"{number}.jpg" for number in range(2)]
    for path in paths:
        shutil.copy(sheets[0], path)
    before = find_shreds(paths, Options(), cache=cache)
    assert len(before.sheets) == 1
    request.getfixturevalue("never")
    assert_same(find_shreds(paths, Options(), cache=cache), before)
