"""Every format gives the pixels, the opacity and the resolution that were put in, or a sentence."""

import struct

import imagecodecs
import img2pdf
import numpy as np
import pytest
from PIL import Image, ImageFile

from tests.core.sheets.formats.encoded import (
    DEEP,
    DPI,
    GREY,
    LOSSLESS,
    RGB,
    H,
    W,
    assert_refused,
    blank_pdf,
    decode,
    saved,
    tiff,
)


@pytest.mark.parametrize(("format", "options"), LOSSLESS)
@pytest.mark.parametrize("expected", [RGB, GREY], ids=["RGB", "grey"])
def test_lossless_formats_are_exact(format, options, expected):
    (picture,) = decode(saved(Image.fromarray(expected), format, **options))
    pixels = picture.pixels[..., 0] if picture.pixels.ndim > expected.ndim else picture.pixels  # WebP knows no grey
    np.testing.assert_array_equal(pixels, expected)
    assert picture.alpha is None


@pytest.mark.parametrize(
    ("format", "options"), [("JPEG", {}), ("JPEG", {"progressive": True}), ("TIFF", {"compression": "jpeg"})]
)
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_jpeg_is_close(format, options, mode):
    image = Image.fromarray(RGB).convert(mode)
    (picture,) = decode(saved(image, format, quality=98, **options))
    expected = np.asarray(image if mode == "L" else image.convert("RGB"), int)
    assert np.abs(picture.pixels - expected).mean() < 3


@pytest.mark.parametrize("format", ["PNG", "JPEG", "TIFF", "BMP"])
def test_stated_resolution(format):
    (picture,) = decode(saved(Image.fromarray(RGB), format, dpi=DPI))
    assert picture.dpi == pytest.approx(DPI, abs=0.02)


def test_resolution_in_exif_and_per_centimetre():
    exif = Image.Exif()
    exif[282], exif[283], exif[296] = 100.0, 80.0, 3
    (picture,) = decode(saved(Image.fromarray(RGB), "WEBP", exif=exif))
    assert picture.dpi == pytest.approx((254, 203.2))
    (picture,) = decode(saved(Image.fromarray(RGB), "TIFF", resolution=100, resolution_unit="cm"))
    assert picture.dpi == pytest.approx((254, 254))


def test_no_resolution_is_none():
    assert decode(saved(Image.fromarray(RGB), "PNG"))[0].dpi is None
    assert decode(saved(Image.fromarray(RGB), "JPEG"))[0].dpi is None
    assert decode(saved(Image.fromarray(RGB), "TIFF"))[0].dpi is None


def test_bombs_of_other_formats():
    big = np.zeros((1500, 1500), np.uint8)
    for data in (saved(Image.fromarray(big), format) for format in ("JPEG", "TIFF", "BMP", "WEBP", "JPEG2000")):
        assert_refused(data, "1,500 × 1,500", "Largest sheet")
    assert_refused(blank_pdf(14_400, 14_400), "60,000 × 60,000", "Largest sheet", max_megapixels=400)
    pdf = img2pdf.convert(saved(Image.fromarray(big), "PNG"), layout_fun=img2pdf.get_layout_fun((72, 72)))
    assert_refused(pdf, "1,500 × 1,500", "Largest sheet")


@pytest.mark.parametrize(
    ("format", "options"),
    [*LOSSLESS, ("TIFF", {"compression": "jpeg"}), ("PNG", {"optimize": True})],
)
@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
def test_every_format_cut_short_is_refused(format, options, kept, capfd):
    noise = np.random.default_rng(0).integers(0, 256, (H, W, 3), dtype=np.uint8)
    data = saved(Image.fromarray(noise), format, **options)
    assert_refused(data[: int(len(data) * kept)], "damaged or incomplete")
    assert capfd.readouterr() == ("", "")


def test_a_library_that_lets_truncated_files_pass_has_no_say(monkeypatch):
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    data = saved(Image.new("RGB", (W, H)), "PNG")
    assert_refused(data[: len(data) // 2], "damaged or incomplete")


def test_a_deep_picture_cut_short_is_refused():
    for data in (imagecodecs.png_encode(DEEP), tiff(DEEP, photometric="rgb", compression="lzw")):
        assert_refused(data[: len(data) * 3 // 4], "damaged or incomplete")


@pytest.mark.parametrize(
    "start", [b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"II*\0\x08\0\0\0", b"MM\0*", b"BM\0\0\0\0\0\0\0\0"]
)
def test_a_signature_followed_by_nonsense_is_damaged(start, capfd):
    nonsense = np.random.default_rng(1).integers(0, 256, 5000, dtype=np.uint8).tobytes()
    assert_refused(start + nonsense, "damaged or incomplete")
    assert_refused(start, "damaged or incomplete")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "data",
    [
        b"Dear Sir,",
        b"BMW, invoice of May",
        b"PK\3\4" + bytes(100),
        saved(Image.fromarray(GREY), "GIF"),
        b"%!PS-Adobe-3.0 EPSF-3.0",
    ],
)
def test_other_kinds_of_files_are_refused_with_what_to_do(data):
    assert_refused(data, "none of the formats", "save it as TIFF or PNG")


def test_nonsense_in_metadata_is_read_over(capfd):
    exif = b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + b"\x12\x01\x03\0\x01\0\0\0" * 30
    np.testing.assert_array_equal(
        decode(saved(Image.fromarray(RGB), "JPEG", exif=exif))[0].pixels,
        decode(saved(Image.fromarray(RGB), "JPEG"))[0].pixels,
    )
    np.testing.assert_array_equal(
        decode(saved(Image.fromarray(RGB), "WEBP", lossless=True, exif=b"Exif\0\0nonsense"))[0].pixels, RGB
    )
    data = bytearray(saved(Image.fromarray(RGB), "TIFF", software="x" * 50))
    place = data.index(struct.pack("<HHI", 305, 2, 51)) + 8
    struct.pack_into("<I", data, place, 2**31)  # the text is said to lie far beyond the end of the file
    np.testing.assert_array_equal(decode(bytes(data))[0].pixels, RGB)
    assert capfd.readouterr() == ("", "")
