"""TIFF files of all kinds."""

import io
import struct

import numpy as np
import pytest
import tifffile
from PIL import Image

from core.sheets.formats.decoding import Document
from tests.core.sheets.formats.encoded import DEEP, GREY, RGB, SHALLOW, H, W, assert_refused, decode, saved, tiff


def test_sixteen_bit_inks():
    cmyk = np.zeros((H, W, 4), np.uint16)
    cmyk[:10, :, 0] = 65535
    cmyk[10:20, :, 3] = 32896
    (picture,) = decode(tiff(cmyk, photometric="separated"))
    expected = np.full((H, W, 3), 255, np.uint8)
    expected[:10, :, 0] = 0
    expected[10:20] = 127
    np.testing.assert_array_equal(picture.pixels, expected)


@pytest.mark.parametrize("compression", ["group3", "group4", "tiff_lzw", "raw"])
def test_one_bit(compression):
    bits = GREY > 100
    (picture,) = decode(saved(Image.fromarray(bits), "TIFF", compression=compression))
    np.testing.assert_array_equal(picture.pixels, np.where(bits, 255, 0))


def test_inks_become_colours():
    image = Image.fromarray(RGB).convert("CMYK")
    expected = np.asarray(image.convert("RGB"))
    np.testing.assert_array_equal(decode(saved(image, "TIFF", compression="tiff_lzw"))[0].pixels, expected)


def test_several_pages_without_the_thumbnails_between_them():
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        writer.write(GREY, metadata=None)
        writer.write(GREY[::8, ::8], subfiletype=1, metadata=None)
        writer.write(DEEP, photometric="rgb", compression="zlib", metadata=None)
        writer.write(RGB, photometric="rgb", compression="lzw", metadata=None)
    pictures = decode(file.getvalue())
    for picture, expected in zip(pictures, [GREY, SHALLOW, RGB], strict=True):
        np.testing.assert_array_equal(picture.pixels, expected)


def test_pages_in_any_order():
    images = [Image.fromarray(RGB + n) for n in range(5)]
    data = saved(images[0], "TIFF", save_all=True, append_images=images[1:], compression="tiff_lzw")
    document = Document(io.BytesIO(data), "scan", 1)
    for page in (4, 0, 3, 3, 1):
        np.testing.assert_array_equal(document.picture(page).pixels, RGB + page)
    document.close()


def test_tiff_schemes_that_pillow_does_not_know():
    np.testing.assert_array_equal(decode(tiff(RGB, photometric="rgb", compression="lzma"))[0].pixels, RGB)
    twelve = np.round(GREY * (4095 / 255)).astype(np.uint16)
    np.testing.assert_array_equal(decode(tiff(twelve, bitspersample=12))[0].pixels, GREY)


@pytest.mark.parametrize("array", [GREY.astype(np.float32), GREY.astype(np.uint32)])
def test_pixels_that_no_scanner_makes_are_refused(array):
    assert_refused(tiff(array), "save it with 8 or 16 bits")


def test_the_limit_holds_for_each_page_of_a_tiff():
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        writer.write(GREY, metadata=None)
        writer.write(np.zeros((1500, 1500), np.uint8), metadata=None)
    assert_refused(file.getvalue(), "scan, page 2,", "1,500 × 1,500")


def test_a_tiff_whose_last_pages_are_cut_off_is_refused():
    images = [Image.fromarray(RGB) for _ in range(4)]
    data = saved(images[0], "TIFF", save_all=True, append_images=images[1:])
    assert_refused(data[: len(data) * 5 // 8], "damaged or incomplete", "list of pages")


def test_a_tiff_whose_pages_lead_in_a_circle_is_refused():
    data = bytearray(saved(Image.fromarray(RGB), "TIFF"))
    first = struct.unpack_from("<I", data, 4)[0]
    end = first + 2 + 12 * struct.unpack_from("<H", data, first)[0]
    struct.pack_into("<I", data, end, first)
    assert_refused(bytes(data), "circle")


@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_deflate", "jpeg"])
def test_tiff_pixels_that_are_damaged_are_refused_quietly(compression, capfd):
    data = bytearray(saved(Image.fromarray(RGB), "TIFF", compression=compression))
    with tifffile.TiffFile(io.BytesIO(data)) as file:
        start = file.pages[0].dataoffsets[0]
    data[start : start + 200] = b"\xf5" * 200
    assert_refused(bytes(data), "damaged or incomplete")
    assert capfd.readouterr() == ("", "")


def test_old_kinds_of_tiff():
    ycbcr = Image.fromarray(RGB).convert("YCbCr")
    (picture,) = decode(saved(ycbcr, "TIFF"))
    np.testing.assert_array_equal(picture.pixels, np.asarray(ycbcr.convert("RGB")))


@pytest.mark.parametrize("fill_order", [1, 2])
@pytest.mark.parametrize("width", [64, 61])
def test_fax_with_bits_in_either_order(fill_order, width):
    bits = np.random.default_rng(0).random((H, width)) < 0.3
    data = saved(Image.fromarray(bits), "TIFF", compression="group4", tiffinfo={266: fill_order})
    np.testing.assert_array_equal(decode(data)[0].pixels, np.where(bits, 255, 0))
