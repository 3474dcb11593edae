"""Small pictures in any format, and what becomes of them."""

import io

import numpy as np
import pikepdf
import pytest
import tifffile
from PIL import Image

from core.errors import UnreadableInputError
from core.sheets.formats.decoding import Document
from core.sheets.formats.picture import Picture

DPI = (200, 200)

H, W = 96, 64


def ramp() -> np.ndarray:
    """Every channel another slope, so that no flip, swap of channels or swap of axes goes unseen."""
    y, x = np.mgrid[:H, :W]
    return np.stack([2 * y + 20, 3 * x + 20, y + x], axis=-1).astype(np.uint8)


RGB = ramp()

GREY = RGB[..., 0]


def saved(image: Image.Image, format: str, **options) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **options)
    return file.getvalue()


def tiff(array: np.ndarray, **options) -> bytes:
    file = io.BytesIO()
    tifffile.imwrite(file, array, resolution=DPI, resolutionunit=2, metadata=None, **options)
    return file.getvalue()


def decode(data: bytes, max_megapixels: float = 1.0) -> list[Picture]:
    document = Document(io.BytesIO(data), "scan", max_megapixels)
    try:
        return [document.picture(page) for page in range(document.n_pages)]
    finally:
        document.close()


def assert_refused(data: bytes, *words: str, max_megapixels: float = 1.0) -> None:
    with pytest.raises(UnreadableInputError) as caught:
        decode(data, max_megapixels)
    sentence = str(caught.value)
    assert sentence.startswith("scan")
    assert sentence.endswith(".")
    for word in words:
        assert word in sentence


LOSSLESS = [
    ("PNG", {}),
    ("BMP", {}),
    ("WEBP", {"lossless": True}),
    ("JPEG2000", {"irreversible": False}),
    ("TIFF", {}),
    ("TIFF", {"compression": "tiff_lzw"}),
    ("TIFF", {"compression": "tiff_deflate"}),
    ("TIFF", {"compression": "packbits"}),
]

DEEP = (np.arange(H * W * 3, dtype=np.uint32).reshape(H, W, 3) * 3557 % 65536).astype(np.uint16)

SHALLOW = ((DEEP.astype(int) * 2 + 257) // 514).astype(np.uint8)


def blank_pdf(width_pt: float = 72, height_pt: float = 144, **save_options) -> bytes:
    pdf, file = pikepdf.new(), io.BytesIO()
    pdf.add_blank_page(page_size=(width_pt, height_pt))
    pdf.save(file, **save_options)
    return file.getvalue()
