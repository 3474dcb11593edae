"""Pictures that lie on their side."""

import numpy as np
import pytest
from PIL import Image

from core.sheets.formats.picture import upright
from tests.core.sheets.formats.encoded import RGB, decode, saved


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation(format, orientation):
    steps = [
        lambda a: a,
        np.fliplr,
        lambda a: np.rot90(a, 2),
        np.flipud,
        lambda a: a.swapaxes(0, 1),
        lambda a: np.rot90(a, -1),
        lambda a: np.rot90(a, 2).swapaxes(0, 1),
        lambda a: np.rot90(a, 1),
    ]
    exif = Image.Exif()
    exif[274] = orientation
    options = {"quality": 100, "subsampling": 0} if format == "JPEG" else {"lossless": True} if format == "WEBP" else {}
    (picture,) = decode(saved(Image.fromarray(RGB), format, exif=exif, **options))
    expected = steps[orientation - 1](RGB)
    assert picture.pixels.shape == expected.shape
    assert np.abs(picture.pixels.astype(int) - expected).max() <= (4 if format == "JPEG" else 0)
    np.testing.assert_array_equal(upright(RGB, orientation), expected)


def test_orientation_exchanges_the_resolutions():
    exif = Image.Exif()
    exif[274] = 6
    (picture,) = decode(saved(Image.fromarray(RGB), "PNG", exif=exif, dpi=(204, 98)))
    assert picture.dpi == pytest.approx((98, 204), abs=0.02)
