"""PNG and JPEG 2000: what is particular to each."""

import struct
import tracemalloc
import zlib

import imagecodecs
import numpy as np
import pytest
from PIL import Image

from tests.core.sheets.formats.encoded import GREY, RGB, H, W, assert_refused, decode, saved


def test_resolution_of_jpeg_2000():
    metre = struct.pack(">HHHHbb", 20000, 254, 10000, 254, 2, 2)  # vertical, horizontal: 200 and 100 dpi
    resolution = struct.pack(">I4s", 26, b"res ") + struct.pack(">I4s", 18, b"resc") + metre
    data = saved(Image.fromarray(RGB), "JPEG2000", irreversible=False)
    start = data.index(b"jp2h") - 4
    length = int.from_bytes(data[start : start + 4], "big")
    header = struct.pack(">I", length + len(resolution)) + data[start + 4 : start + length] + resolution
    (picture,) = decode(data[:start] + header + data[start + length :])
    assert picture.dpi == pytest.approx((100, 200), abs=0.01)
    np.testing.assert_array_equal(picture.pixels, RGB)


def test_one_bit_png():
    bits = GREY > 100
    np.testing.assert_array_equal(decode(saved(Image.fromarray(bits), "PNG"))[0].pixels, np.where(bits, 255, 0))


def test_palette_with_opacity():
    image = Image.new("P", (W, H), 1)
    image.putpalette([10, 20, 30, 200, 100, 50])
    image.paste(0, (0, 0, W, 10))
    (picture,) = decode(saved(image, "PNG", transparency=bytes([0, 255])))
    assert (picture.alpha[:10] == 0).all()
    assert (picture.alpha[10:] == 255).all()
    assert (picture.pixels[:10] == 255).all()
    assert (picture.pixels[10:] == (200, 100, 50)).all()


def grey_png_of_zeros(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    packer, row = zlib.compressobj(9), bytes(1 + (width + 7) // 8)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def test_a_bomb_is_refused_before_it_is_unpacked():
    bomb = grey_png_of_zeros(40_000, 40_000)
    assert len(bomb) < 1e6
    tracemalloc.start()
    assert_refused(bomb, "40,000 × 40,000", "1,600 megapixels", "“Largest sheet”", max_megapixels=400)
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()


def test_a_raised_limit_lets_it_pass():
    large = grey_png_of_zeros(12_000, 12_000)  # beyond the point at which Pillow by itself would warn
    assert_refused(large, "limit", max_megapixels=100)
    assert decode(large, max_megapixels=150)[0].pixels.shape == (12_000, 12_000)


def test_a_jpeg_2000_cut_between_two_tiles_is_refused():
    for raw in (False, True):
        data = saved(Image.fromarray(RGB), "JPEG2000", tile_size=(32, 32), num_resolutions=2, no_jp2=raw)
        assert_refused(data[: data.rindex(b"\xff\x90\0\x0a")], "breaks off without an end marker")


def test_twelve_bits_in_sixteen():
    twelve = np.round(RGB * (4095 / 255)).astype(np.uint16)
    np.testing.assert_array_equal(decode(imagecodecs.png_encode(twelve))[0].pixels, RGB)
    opaque = np.full((H, W, 1), 65535, np.uint16)
    (picture,) = decode(imagecodecs.png_encode(np.concatenate([twelve, opaque], axis=2)))
    np.testing.assert_array_equal(picture.pixels, RGB)
    grey = np.round(GREY * (4095 / 255)).astype(np.uint16)
    np.testing.assert_array_equal(decode(saved(Image.fromarray(grey), "PNG"))[0].pixels, GREY)
