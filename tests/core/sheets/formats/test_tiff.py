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


def jpeg_in_tiff(image: np.ndarray, parts: str) -> bytes:
    """Write an old-style JPEG by hand: as a whole, its header apart from its codes, or all tables apart."""
    jpeg = saved(Image.fromarray(image), "JPEG", quality=90, subsampling="4:2:0")
    n = 1 if image.ndim == 2 else 3
    content, places = bytearray(b"II*\0\0\0\0\0"), {}

    def put(block: bytes) -> int:
        content.extend(block + bytes(len(block) % 2))
        return len(content) - len(block) - len(block) % 2

    scan = jpeg.index(b"\xff\xda")
    codes = scan + 2 + int.from_bytes(jpeg[scan + 2 : scan + 4])
    tags = {256: W, 257: H, 259: 6, 262: 1 if n == 1 else 6, 277: n, 278: H, 512: 1}
    if parts == "whole":
        tags |= {513: put(jpeg), 514: len(jpeg), 279: len(jpeg)}
        tags[273] = tags[513]
    elif parts == "header":
        tags |= {513: put(jpeg[:codes]), 514: codes, 273: put(jpeg[codes:-2]), 279: len(jpeg) - 2 - codes}
    else:
        tables: dict[int, list[int]] = {519: [], 520: [], 521: []}
        position = 2
        while position < scan:
            marker, length = jpeg[position + 1], int.from_bytes(jpeg[position + 2 : position + 4])
            block, position = jpeg[position + 4 : position + 2 + length], position + 2 + length
            while marker in (0xDB, 0xC4) and block:
                size = 65 if marker == 0xDB else 17 + sum(block[1:17])
                code = 519 if marker == 0xDB else 520 + (block[0] >> 4)
                tables[code].append(put(block[1:size]))
                block = block[size:]
        for code, offsets in tables.items():
            offsets = [*offsets, *([offsets[-1]] * (n - len(offsets)))]
            tags[code] = offsets[0] if n == 1 else put(struct.pack("<3I", *offsets))
            places[code] = n
        tags |= {273: put(jpeg[codes:-2]), 279: len(jpeg) - 2 - codes}
    bits = 8 if n == 1 else put(struct.pack("<3H", 8, 8, 8))
    start = len(content)
    entries = [(code, 4, places.get(code, 1), value) for code, value in tags.items()] + [(258, 3, n, bits)]
    content += struct.pack("<H", len(entries))
    for code, kind, count, value in sorted(entries):
        content += struct.pack("<HHII", code, kind, count, value)
    content += bytes(4)
    struct.pack_into("<I", content, 4, start)
    return bytes(content)


@pytest.mark.parametrize("parts", ["whole", "header", "tables"])
@pytest.mark.parametrize("image", [GREY, RGB], ids=["grey", "colour"])
def test_old_style_jpeg(image, parts):
    (picture,) = decode(jpeg_in_tiff(image, parts))
    expected = decode(saved(Image.fromarray(image), "JPEG", quality=90, subsampling="4:2:0"))[0].pixels
    np.testing.assert_array_equal(picture.pixels, expected)


def test_old_style_jpeg_that_is_cut_short_is_refused():
    data = jpeg_in_tiff(GREY, "header")
    page = tifffile.TiffFile(io.BytesIO(data)).pages[0]
    count = page.databytecounts[0]
    place = data.index(struct.pack("<HHII", 279, 4, 1, count)) + 8
    assert_refused(data[:place] + struct.pack("<I", count // 2) + data[place + 4 :], "damaged or incomplete")


def with_tag(data: bytes, code: int, value: int) -> bytes:
    """Set a tag of one value, or all values that the tag of several points to."""
    order = "<" if data[:2] == b"II" else ">"
    start = struct.unpack_from(f"{order}I", data, 4)[0]
    changed = bytearray(data)
    for at in range(start + 2, start + 2 + 12 * struct.unpack_from(f"{order}H", data, start)[0], 12):
        found, kind, count = struct.unpack_from(f"{order}HHI", data, at)
        if found == code:
            letter, size = ("H", 2) if kind == 3 else ("I", 4)
            place = at + 8 if size * count <= 4 else struct.unpack_from(f"{order}I", data, at + 8)[0]
            struct.pack_into(f"{order}{count}{letter}", changed, place, *[value] * count)
    assert changed != data
    return bytes(changed)


@pytest.mark.parametrize("compression", [None, "lzw", "deflate", "packbits"])
@pytest.mark.parametrize("rows", [H, 10])
def test_strips_of_which_the_file_says_they_have_0_bytes(compression, rows):
    data = tiff(RGB, photometric="rgb", compression=compression, rowsperstrip=rows)
    np.testing.assert_array_equal(decode(with_tag(data, 279, 0))[0].pixels, RGB)


def test_strips_without_a_place_are_missing():
    data = tiff(RGB, photometric="rgb", rowsperstrip=10)
    assert_refused(with_tag(with_tag(data, 279, 0), 273, 0), "a part of its pixels is missing")


def test_strips_of_which_the_file_says_they_have_0_rows():
    np.testing.assert_array_equal(decode(with_tag(tiff(RGB, photometric="rgb"), 278, 0))[0].pixels, RGB)


def test_twelve_bits_in_sixteen_with_and_without_opacity():
    twelve = np.round(RGB * (4095 / 255)).astype(np.uint16)
    np.testing.assert_array_equal(decode(tiff(twelve, photometric="rgb"))[0].pixels, RGB)
    alpha = np.full((H, W, 1), 65535, np.uint16)
    alpha[:10] = 0
    both = np.concatenate([twelve, alpha], axis=2)
    (picture,) = decode(tiff(both, photometric="rgb", extrasamples=["unassalpha"]))
    np.testing.assert_array_equal(picture.pixels[10:], RGB[10:])
    np.testing.assert_array_equal(picture.alpha, np.where(alpha[..., 0], 255, 0))


@pytest.mark.parametrize("kind", ["unassalpha", "unspecified"])
def test_infrared_in_a_fourth_channel_is_no_opacity(kind):
    infrared = np.clip(GREY.astype(int) // 2 + 100, 0, 255).astype(np.uint8)
    (picture,) = decode(tiff(np.dstack([RGB, infrared]), photometric="rgb", extrasamples=[kind]))
    np.testing.assert_array_equal(picture.pixels, RGB)
    assert picture.alpha is None


def test_inks_that_are_stored_inverted():
    paper = np.full((H, W, 3), 255, np.uint8)
    paper[20:60, 10:50] = RGB[20:60, 10:50]
    inks = np.asarray(Image.fromarray(paper).convert("CMYK"))
    for stored in (inks, 255 - inks):
        (picture,) = decode(tiff(stored, photometric="separated"))
        np.testing.assert_array_equal(picture.pixels, paper)


def test_dots_per_centimetre():
    (picture,) = decode(saved(Image.fromarray(RGB), "TIFF", resolution=118.11, resolution_unit="cm"))
    assert picture.dpi == pytest.approx((300, 300), abs=0.01)


@pytest.mark.parametrize("first", ["the scan", "its copy"])
def test_a_smaller_copy_as_another_page_is_left_out_and_noted(first):
    scan = np.kron(np.random.default_rng(0).integers(0, 256, (60, 40), np.uint8), np.ones((8, 8), np.uint8))
    other = np.random.default_rng(1).integers(0, 256, (120, 80), np.uint8)
    pages = [scan, scan.reshape(240, 2, 160, 2).mean(axis=(1, 3)).astype(np.uint8)]
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        for page in [*(pages if first == "the scan" else reversed(pages)), other]:
            writer.write(page, metadata=None)
    one, two = decode(file.getvalue())
    np.testing.assert_array_equal(one.pixels, scan)
    np.testing.assert_array_equal(two.pixels, other)
    assert f"smaller copy of itself as page {2 if first == 'the scan' else 1}" in one.notes[0]
    assert two.notes == ()
