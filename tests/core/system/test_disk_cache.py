import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.system import disk_cache
from core.system.disk_cache import GB, DiskCache

ARRAYS = {
    "costs": np.arange(600, dtype=np.float32).reshape(20, 30),
    "paper": np.eye(3, dtype=np.bool_),
    "none": np.zeros((0, 4), np.int16),
    "one": np.array(2.5),
}


@pytest.fixture
def cache(tmp_path):
    return DiskCache(tmp_path / "kept")


def entries(cache):
    return sorted(cache.folder.iterdir())


def assert_same(found, arrays=ARRAYS):
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)


def test_what_is_kept_is_found_by_all_that_it_depends_on(cache):
    assert cache.get(sheet="a", dpi=300) is None
    assert not cache.has(sheet="a", dpi=300)
    cache.put(ARRAYS, sheet="a", dpi=300)
    assert cache.has(dpi=300, sheet="a")
    assert not cache.has(sheet="a", dpi=301)
    assert_same(cache.get(dpi=300, sheet="a"))
    assert cache.get(sheet="a", dpi=301) is None
    assert cache.get(sheet="a") is None
    assert_same(DiskCache(cache.folder).get(sheet="a", dpi=300))


def test_another_version_of_the_program_believes_nothing(cache, monkeypatch):
    cache.put(ARRAYS, sheet="a")
    monkeypatch.setattr(disk_cache, "fingerprint", lambda: "another version")
    assert cache.get(sheet="a") is None
    cache.put({"costs": np.zeros(1)}, sheet="a")
    monkeypatch.undo()
    assert_same(cache.get(sheet="a"))


@pytest.mark.parametrize("place", ["start", "length", "head", "data", "end", "shorter", "longer", "empty"])
def test_what_is_damaged_goes_and_is_made_anew(cache, caplog, place):
    cache.put(ARRAYS, sheet="a")
    (path,) = entries(cache)
    data = bytearray(path.read_bytes())
    if place in ("shorter", "empty"):
        data = data[:-1] if place == "shorter" else bytearray()
    elif place == "longer":
        data += b"\0"
    else:
        at = {"start": 0, "length": 17, "head": 60, "data": len(data) - 700, "end": len(data) - 1}[place]
        data[at] ^= 4
    path.write_bytes(data)
    assert cache.get(sheet="a") is None
    assert "damaged" in caplog.text
    assert not entries(cache)
    cache.put(ARRAYS, sheet="a")
    assert_same(cache.get(sheet="a"))


def test_every_single_byte_counts(cache):
    cache.put({"costs": np.arange(4, dtype=np.float32)}, sheet="a")
    (path,) = entries(cache)
    data = path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert cache.get(sheet="a") is None, at


def test_an_entry_in_the_place_of_another_is_not_believed(cache):
    cache.put(ARRAYS, sheet="a")
    (first,) = entries(cache)
    cache.put({"costs": np.zeros(1)}, sheet="b")
    (second,) = {*entries(cache)} - {first}
    os.replace(second, first)
    assert cache.get(sheet="a") is None


def test_what_was_not_asked_for_longest_goes_first(tmp_path):
    cache = DiskCache(tmp_path, limit_gb=10_500 / GB)
    block = np.zeros(1800, np.uint8)
    for number in range(5):
        cache.put({"block": block}, number=number)
        os.utime(max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns), (number, number))
    assert cache.get(number=0) is not None
    cache.put({"block": block}, number=5)
    assert [number for number in range(6) if cache.get(number=number) is not None] == [0, 3, 4, 5]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10_500


def test_a_full_disk_costs_nothing_but_what_would_be_kept(cache, monkeypatch, caplog):
    cache.put(ARRAYS, sheet="a")

    def full(file, *_others):
        file.write(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk_cache, "_write", full)
    cache.put(ARRAYS, sheet="b")
    cache.put(ARRAYS, sheet="c")
    assert caplog.text.count("No space left") == 1
    assert len(entries(cache)) == 1
    assert_same(cache.get(sheet="a"))
    assert cache.get(sheet="b") is None


def test_a_folder_that_cannot_be_made_costs_nothing_either(tmp_path, caplog):
    (tmp_path / "file").write_text("no folder")
    cache = DiskCache(tmp_path / "file" / "kept")
    cache.put(ARRAYS, sheet="a")
    assert cache.get(sheet="a") is None
    assert "Nothing more is kept" in caplog.text


def test_what_a_killed_run_left_half_written_goes(cache):
    cache.put(ARRAYS, sheet="a")
    left = cache.folder / "tmp123.part"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    DiskCache(cache.folder).put(ARRAYS, sheet="b")
    assert left not in entries(cache)
    assert len(entries(cache)) == 2


def test_runs_share_a_folder(tmp_path):
    """Entries come and go under the hands of those that read them: each gets the whole of one, or nothing."""

    def run(seed):
        cache, rng, found = DiskCache(tmp_path, limit_gb=40_000 / GB), np.random.default_rng(seed), 0
        for _ in range(200):
            number = int(rng.integers(0, 30))
            kept = cache.get(number=number)
            if kept is None:
                cache.put({"block": np.full(2000, number, np.uint8)}, number=number)
            else:
                assert (kept["block"] == number).all()
                found += 1
        return found

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(run, range(4)))
    assert sum(found) > 0


def test_it_is_emptied_and_says_what_that_freed(cache):
    assert (cache.size_bytes(), cache.empty()) == (0, 0)  # there is no folder yet
    for number in range(3):
        cache.put(ARRAYS, what=number)
    (cache.folder / "letter.txt").write_text("of somebody else")
    kept = sum(path.stat().st_size for path in entries(cache) if path.suffix == ".kept")
    assert cache.size_bytes() == kept > 0
    assert cache.empty() == kept
    assert [path.name for path in entries(cache)] == ["letter.txt"]
    assert cache.get(what=1) is None
    cache.put(ARRAYS, what=1)
    assert cache.get(what=1) is not None
