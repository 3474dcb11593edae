"""JPEG: what is missing, what only seems to be, and kinds that hardly any program writes."""

import struct

import imagecodecs
import numpy as np
import pytest
from PIL import Image

from core.sheets.formats.jpeg import WITHOUT_END
from tests.core.sheets.formats.encoded import GREY, RGB, H, W, assert_refused, decode, saved

NOISE = np.random.default_rng(0).integers(0, 256, (H, W, 3), dtype=np.uint8)


def without(data: bytes, marker: int) -> bytes:
    """Take a segment out of a JPEG."""
    start = data.index(bytes((0xFF, marker)))
    return data[:start] + data[start + 2 + int.from_bytes(data[start + 2 : start + 4]) :]


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("restart", [{}, {"restart_marker_rows": 1}])
def test_stray_bytes_before_the_end_of_a_jpeg_are_read_over(progressive, restart, capfd):
    data = saved(Image.fromarray(RGB), "JPEG", progressive=progressive, **restart)
    for stray in (bytes(4000), b"\x55" * 4000, bytes(range(255)) * 20):
        (picture,) = decode(data[:-2] + stray + data[-2:])
        np.testing.assert_array_equal(picture.pixels, decode(data)[0].pixels)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("kept", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("end", [b"", b"\xff\xd9", bytes(500)])
def test_a_jpeg_cut_short_is_refused_with_or_without_end_marker(progressive, kept, end):
    noise = np.random.default_rng(0).integers(0, 256, (H, W, 3), dtype=np.uint8)
    data = saved(Image.fromarray(noise), "JPEG", progressive=progressive)
    assert_refused(data[: int(len(data) * kept)] + end, "damaged or incomplete", "scan it again")


def test_a_jpeg_cut_between_the_bytes_of_an_escaped_value_is_refused():
    noise = np.random.default_rng(0).integers(0, 256, (H, W, 3), dtype=np.uint8)
    data = saved(Image.fromarray(noise), "JPEG", quality=95)
    assert_refused(data[: data.index(b"\xff\0", len(data) // 2) + 1] + b"\xff\xd9", "breaks off")


def test_a_thumbnail_inside_a_jpeg_is_not_taken_for_its_end():
    exif = b"Exif\0\0" + b"x" * 20 + saved(Image.fromarray(RGB[::4, ::4].copy()), "JPEG")
    image = Image.fromarray(RGB)
    data = saved(image, "JPEG")
    with_thumbnail = data[:2] + b"\xff\xe3" + struct.pack(">H", len(exif) + 2) + exif + data[2:]
    np.testing.assert_array_equal(decode(with_thumbnail)[0].pixels, decode(data)[0].pixels)
    assert_refused(with_thumbnail[: len(with_thumbnail) - len(data) // 5] + b"\xff\xd9", "breaks off")


@pytest.mark.parametrize("progressive", [False, True])
def test_jpegs_thinner_than_a_block_are_read(progressive):
    for size in ((1, 40), (40, 1), (1, 1)):
        (picture,) = decode(saved(Image.new("L", size, 200), "JPEG", progressive=progressive))
        assert picture.pixels.shape == size[::-1]


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("image", [RGB, GREY, NOISE], ids=["colour", "grey", "noise"])
@pytest.mark.parametrize("tail", [b"", b"\xff", bytes(700)], ids=["nothing", "half a marker", "zeros"])
def test_a_missing_end_marker_is_noted_if_all_blocks_are_there(progressive, image, tail):
    data = saved(Image.fromarray(image), "JPEG", progressive=progressive)
    (picture,) = decode(data[:-2] + tail)
    np.testing.assert_array_equal(picture.pixels, decode(data)[0].pixels)
    assert picture.notes == (WITHOUT_END,)
    assert decode(data)[0].notes == ()


@pytest.mark.parametrize("end", [b"", b"\xff\xd9"])
def test_a_progressive_jpeg_that_lacks_whole_scans_is_refused(end):
    data = saved(Image.fromarray(NOISE), "JPEG", progressive=True)
    for _ in range(4):
        data = data[: data.rindex(b"\xff\xda")]
        data = data[: data.rindex(b"\xff\xc4")] if data.rfind(b"\xff\xc4") > data.rfind(b"\xff\xda") else data
        assert_refused(data + end, "breaks off")


@pytest.mark.parametrize(
    ("jfif", "stated", "expected"), [((72, 72), 300, 300), ((200, 200), 72, 200), (None, 240, 240)]
)
def test_jfif_against_exif(jfif, stated, expected):
    exif = Image.Exif()
    exif[282], exif[283], exif[296] = float(stated), float(stated), 2
    data = saved(Image.fromarray(RGB), "JPEG", exif=exif, **({"dpi": jfif} if jfif else {}))
    assert decode(data)[0].dpi == pytest.approx((expected, expected))


def test_two_believable_resolutions_are_told_apart_by_the_size_of_a_bed():
    exif = Image.Exif()
    exif[282], exif[283], exif[296] = 100.0, 100.0, 2
    data = saved(Image.new("L", (827, 1169), 200), "JPEG", dpi=(300, 300), exif=exif)
    assert decode(data)[0].dpi == pytest.approx((100, 100))


def test_dots_per_centimetre():
    data = bytearray(saved(Image.fromarray(RGB), "JPEG", dpi=(118, 118)))
    data[data.index(b"JFIF") + 7] = 2
    assert decode(bytes(data))[0].dpi == pytest.approx((299.72, 299.72))


@pytest.mark.parametrize("adobe", [True, False])
@pytest.mark.parametrize("inverted", [True, False])
def test_inks_with_and_without_inversion(adobe, inverted):
    paper = np.full((H, W, 3), 255, np.uint8)
    paper[20:60, 10:50] = RGB[20:60, 10:50]
    inks = np.asarray(Image.fromarray(paper).convert("CMYK"))
    image = Image.fromarray(inks if inverted else 255 - inks, "CMYK")  # Pillow itself inverts what it writes
    data = saved(image, "JPEG", quality=95)
    pixels = decode(data if adobe else without(data, 0xEE))[0].pixels
    assert np.abs(pixels.astype(int) - paper).mean() < 6


def test_a_number_of_rows_that_only_stands_behind_the_scan():
    data = bytearray(saved(Image.fromarray(RGB), "JPEG"))
    place = data.index(b"\xff\xc0") + 5
    rows = bytes(data[place : place + 2])
    whole = decode(bytes(data))[0].pixels
    data[place : place + 2] = bytes(2)
    np.testing.assert_array_equal(decode(bytes(data[:-2]) + b"\xff\xdc\0\4" + rows + b"\xff\xd9")[0].pixels, whole)
    assert_refused(bytes(data), "declares 64 × 0 pixels")


def test_twelve_bits_and_no_loss():
    twelve = np.round(GREY * (4095 / 255)).astype(np.uint16)
    data = imagecodecs.ljpeg_encode(twelve, bitspersample=12)
    np.testing.assert_array_equal(decode(data)[0].pixels, GREY)
    assert_refused(data[: len(data) // 2] + data[-2:], "damaged or incomplete")
    lossy = imagecodecs.jpeg8_encode(twelve, bitspersample=12, level=95)
    assert np.abs(decode(lossy)[0].pixels.astype(int) - GREY).mean() < 2
    assert_refused(lossy[: len(lossy) // 2] + lossy[-2:], "damaged or incomplete")
    data = bytearray(saved(Image.fromarray(RGB), "JPEG"))
    data[data.index(b"\xff\xc0") + 1] = 0xC5
    assert_refused(bytes(data), "is a JPEG of a kind that cannot be read", "TIFF or PNG")
