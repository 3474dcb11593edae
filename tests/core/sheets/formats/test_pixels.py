"""Pixels of any depth and kind."""

import imagecodecs
import numpy as np
import pytest
from PIL import Image, ImageCms

from core.sheets.formats.pixels import eight_bit
from tests.core.sheets.formats.encoded import DEEP, RGB, SHALLOW, H, W, decode, saved, tiff


def test_sixteen_bits_are_divided_by_257_and_rounded():
    values = np.arange(65536, dtype=np.uint16)
    np.testing.assert_array_equal(eight_bit(values, 16), (values.astype(int) * 2 + 257) // 514)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (imagecodecs.png_encode(DEEP), SHALLOW),
        (imagecodecs.png_encode(DEEP[..., 0].copy()), SHALLOW[..., 0]),
        (tiff(DEEP, photometric="rgb"), SHALLOW),
        (tiff(DEEP, photometric="rgb", compression="lzw", byteorder=">"), SHALLOW),
        (tiff(np.moveaxis(DEEP, -1, 0), photometric="rgb", planarconfig="separate"), SHALLOW),
        (tiff(DEEP[..., 0]), SHALLOW[..., 0]),
        (tiff(DEEP[..., 0], byteorder=">", compression="deflate"), SHALLOW[..., 0]),
        (tiff(DEEP[..., 0], photometric="miniswhite"), 255 - SHALLOW[..., 0]),
    ],
    ids=["png", "png grey", "tiff", "tiff lzw", "tiff planes", "tiff grey", "tiff grey big-endian", "white is 0"],
)
def test_sixteen_bits(data, expected):
    np.testing.assert_array_equal(decode(data)[0].pixels, expected)


def test_sixteen_bits_with_opacity():
    alpha = np.full((H, W, 1), 65535, np.uint16)
    alpha[:10] = 0
    expected = SHALLOW.copy()
    expected[:10] = 255
    rgba = np.concatenate([DEEP, alpha], axis=2)
    for data in (imagecodecs.png_encode(rgba), tiff(rgba, photometric="rgb", extrasamples=["unassalpha"])):
        (picture,) = decode(data)
        np.testing.assert_array_equal(picture.pixels, expected)
        np.testing.assert_array_equal(picture.alpha, (alpha[..., 0] // 257).astype(np.uint8))


@pytest.mark.parametrize("format", ["PNG", "TIFF", "BMP"])
def test_palette(format):
    image = Image.fromarray(RGB).quantize(64)
    np.testing.assert_array_equal(decode(saved(image, format))[0].pixels, np.asarray(image.convert("RGB")))


@pytest.mark.parametrize(
    ("format", "options"), [("PNG", {}), ("TIFF", {}), ("WEBP", {"lossless": True, "exact": True})]
)
def test_opacity_blends_with_white(format, options):
    alpha = np.zeros((H, W), np.uint8)
    alpha[20:] = 255
    alpha[10:20] = 128
    (picture,) = decode(saved(Image.fromarray(np.dstack([RGB, alpha])), format, **options))
    np.testing.assert_array_equal(picture.alpha, alpha)
    np.testing.assert_array_equal(picture.pixels[20:], RGB[20:])
    np.testing.assert_array_equal(picture.pixels[:10], 255)
    np.testing.assert_array_equal(picture.pixels[10:20], (RGB[10:20] * 128.0 + 255 * 127.0 + 127) // 255)


def test_opaque_alpha_tells_nothing():
    opaque = np.full((H, W), 255, np.uint8)
    (picture,) = decode(saved(Image.fromarray(np.dstack([RGB, opaque])), "PNG"))
    assert picture.alpha is None
    np.testing.assert_array_equal(picture.pixels, RGB)


@pytest.mark.parametrize("profile", [ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), b"nonsense"])
def test_colour_profiles_do_not_disturb(profile):
    for format in ("PNG", "TIFF"):
        np.testing.assert_array_equal(decode(saved(Image.fromarray(RGB), format, icc_profile=profile))[0].pixels, RGB)
