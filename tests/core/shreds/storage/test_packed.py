import pickle
from dataclasses import fields, replace

import numpy as np
import pytest

from core.case.file import load, save
from core.shreds.shred import Shred, turned, upright
from core.shreds.storage import packed as packing
from core.shreds.storage.packed import Keeper, PackedShred, pack, unpack


@pytest.fixture
def shred(make_shred):
    mask = np.ones((90, 40), np.bool_)
    mask[:, :3] = False
    return make_shred("1-04", mask, frame_top_px=-7, half_turn=True)


@pytest.fixture
def packed(shred):
    (one,) = Keeper(limit_bytes=0).keep([shred])
    return one


def test_nothing_is_lost(shred, packed):
    assert isinstance(packed, PackedShred)
    for field in fields(Shred):
        assert np.array_equal(getattr(packed, field.name), getattr(shred, field.name)), field.name
    assert packed.pixels.dtype == np.uint8
    assert packed.mask.dtype == np.bool_


def test_packed_shreds_do_as_shreds_do(shred, packed):
    for one, other in zip(upright(packed), upright(shred), strict=True):
        assert np.array_equal(one, other)
    posed, expected = (turned(each, half_turn=True, by_deg=2.0) for each in (packed, shred))
    assert np.array_equal(posed.pixels, expected.pixels)
    plain = replace(packed, blank=True)
    assert type(plain) is Shred
    assert plain.blank
    assert np.array_equal(plain.mask, shred.mask)


def test_its_size_is_known_without_unpacking(packed, monkeypatch):
    size = packed.mask.shape
    monkeypatch.setattr(packing, "_unpacked", None)
    assert (packed.height_px, packed.width_px) == size


def test_what_is_put_away_is_not_unpacked_for_a_hash_that_was_known(shred, monkeypatch):
    known = shred.content_sha256
    values = {field.name: getattr(shred, field.name) for field in fields(Shred) if field.name not in ("pixels", "mask")}
    (away,) = Keeper(limit_bytes=0).keep([PackedShred(png=pack(shred), content_sha256=known, **values)])
    monkeypatch.setattr(packing, "unpack", None)
    assert away.content_sha256 == known


def test_what_is_unpacked_cannot_be_written_to(packed):
    with pytest.raises(ValueError, match="read-only"):
        packed.pixels[0, 0] = 0


def test_few_stay_unpacked(make_shred, monkeypatch):
    monkeypatch.setattr(packing, "_UNPACKED_BYTES", 2 * 4 * 30 * 20)
    paper = np.ones((30, 20), np.bool_)
    shreds = Keeper(limit_bytes=0).keep([make_shred(f"1-0{number}", paper) for number in range(4)])
    first = shreds[0].pixels
    assert shreds[0].pixels is first
    for shred in shreds[1:]:
        assert shred.pixels.shape == (30, 20, 3)
    assert shreds[0].pixels is not first
    assert np.array_equal(shreds[0].pixels, first)


def test_of_shreds_that_are_gone_another_is_told_apart(make_shred):
    for level in (1, 2, 3):  # the next one may lie where the last one lay
        mask = np.ones((30, 20 + level), np.bool_)
        (shred,) = Keeper(limit_bytes=0).keep([make_shred("1-01", mask)])
        assert shred.pixels.shape == (30, 20 + level, 3)
        del shred


def test_the_first_ones_are_kept_as_they_are(make_shred):
    paper = np.ones((30, 20), np.bool_)
    shreds = [make_shred(f"1-0{number}", paper) for number in range(4)]
    kept = Keeper(limit_bytes=2 * 4 * 600).keep(shreds)
    assert [type(shred) for shred in kept] == [Shred, Shred, PackedShred, PackedShred]
    assert kept[0] is shreds[0]
    assert [shred.id for shred in kept] == [shred.id for shred in shreds]


def test_what_is_out_of_sight_is_packed_where_there_is_no_room_beside_what_is_shown(make_shred, monkeypatch):
    paper = np.ones((30, 20), np.bool_)
    shown, first, second = ([make_shred(f"{n}-0{k}", paper) for k in range(2)] for n in range(3))
    monkeypatch.setattr(packing, "KEPT_AS_THEY_ARE_BYTES", 3 * 4 * 600)
    kept = packing.put_away([first, second], shown)
    assert [[type(shred) for shred in shreds] for shreds in kept] == [[Shred, PackedShred], [PackedShred] * 2]
    again = packing.put_away(kept, [])
    assert again[1] == kept[1], "what is packed stays so"
    assert packing.put_away([(*shown, *first)], shown)[0][: len(shown)] == tuple(shown), "what is shown stays as it is"


def test_broken_data_is_told():
    with pytest.raises(ValueError, match="broken"):
        unpack(b"no image")


def test_a_case_of_packed_shreds_is_the_same_case(small_case, tmp_path, monkeypatch):
    path, again = tmp_path / "a.rejoin", tmp_path / "b.rejoin"
    save(small_case, path)
    monkeypatch.setattr(packing, "KEPT_AS_THEY_ARE_BYTES", 0)
    monkeypatch.setattr(packing.Keeper.__init__, "__defaults__", (0,))
    case = load(path)
    assert {type(shred) for shred in case.shreds} == {PackedShred}
    for one, other in zip(case.shreds, small_case.shreds, strict=True):
        assert pack(one) == pack(other)
        assert np.array_equal(one.pixels, other.pixels)
        assert np.array_equal(one.mask, other.mask)
    save(case, again)
    assert again.read_bytes() == path.read_bytes()


def test_other_values_leave_it_packed(packed, monkeypatch):
    pixels, mask = packed.pixels.copy(), packed.mask.copy()
    with monkeypatch.context() as patched:
        patched.setattr(packing, "_unpacked", None)
        other = turned(packed, half_turn=True, by_deg=0).changed(id="2-04", sheet=1)
    assert isinstance(other, PackedShred)
    assert (other.id, other.sheet, other.half_turn) == ("2-04", 1, not packed.half_turn)
    assert np.array_equal(other.pixels, pixels)
    assert np.array_equal(other.mask, mask)
    assert other.frame_top_px == packed.frame_top_px


def test_what_was_packed_is_not_unpacked_for_its_paper_to_be_counted(shred, monkeypatch):
    (away,) = Keeper(limit_bytes=0).keep([shred])
    monkeypatch.setattr(packing, "unpack", None)
    for one in (away, away.changed(half_turn=True), pickle.loads(pickle.dumps(away))):
        assert one.paper_px == shred.paper_px


@pytest.mark.parametrize("width", [1, 8, 41])
def test_what_was_packed_is_not_unpacked_for_its_mask(make_shred, monkeypatch, width):
    mask = np.random.default_rng(width).random((70, width)) < 0.5
    mask[0, 0] = mask[-1, -1] = True
    (away,) = Keeper(limit_bytes=0).keep([make_shred("1-01", mask)])
    monkeypatch.setattr(packing, "unpack", None)
    for one in (away, away.changed(half_turn=True), pickle.loads(pickle.dumps(away))):
        assert np.array_equal(one.mask, mask)
        assert one.mask.dtype == np.bool_
        assert not one.mask.flags.writeable


def test_where_nobody_counted_the_paper_it_is_unpacked_once(shred, monkeypatch):
    values = {field.name: getattr(shred, field.name) for field in fields(Shred) if field.name not in ("pixels", "mask")}
    opened = PackedShred(png=pack(shred), **values)
    assert opened.paper_px == shred.paper_px
    monkeypatch.setattr(packing, "_unpacked", None)
    assert opened.changed(half_turn=True).paper_px == shred.paper_px
