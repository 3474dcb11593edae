"""Every format gives the pixels, the opacity and the resolution that were put in, or a sentence."""

import io
import struct
import tracemalloc
import zlib

import imagecodecs
import img2pdf
import numpy as np
import pikepdf
import pytest
import tifffile
from PIL import Image, ImageCms

from core.errors import UnreadableInputError
from core.sheets.formats.decoding import Document
from core.sheets.formats.picture import Picture, upright
from core.sheets.formats.pixels import eight_bit

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


def test_no_resolution_is_none():
    assert decode(saved(Image.fromarray(RGB), "PNG"))[0].dpi is None
    assert decode(saved(Image.fromarray(RGB), "JPEG"))[0].dpi is None
    assert decode(saved(Image.fromarray(RGB), "TIFF"))[0].dpi is None


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


def test_sixteen_bits_are_divided_by_257_and_rounded():
    values = np.arange(65536, dtype=np.uint16)
    np.testing.assert_array_equal(eight_bit(values, 16), (values.astype(int) * 2 + 257) // 514)


DEEP = (np.arange(H * W * 3, dtype=np.uint32).reshape(H, W, 3) * 3557 % 65536).astype(np.uint16)
SHALLOW = ((DEEP.astype(int) * 2 + 257) // 514).astype(np.uint8)


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


def test_one_bit_png():
    bits = GREY > 100
    np.testing.assert_array_equal(decode(saved(Image.fromarray(bits), "PNG"))[0].pixels, np.where(bits, 255, 0))


@pytest.mark.parametrize("format", ["PNG", "TIFF", "BMP"])
def test_palette(format):
    image = Image.fromarray(RGB).quantize(64)
    np.testing.assert_array_equal(decode(saved(image, format))[0].pixels, np.asarray(image.convert("RGB")))


def test_palette_with_opacity():
    image = Image.new("P", (W, H), 1)
    image.putpalette([10, 20, 30, 200, 100, 50])
    image.paste(0, (0, 0, W, 10))
    (picture,) = decode(saved(image, "PNG", transparency=bytes([0, 255])))
    assert (picture.alpha[:10] == 0).all()
    assert (picture.alpha[10:] == 255).all()
    assert (picture.pixels[:10] == 255).all()
    assert (picture.pixels[10:] == (200, 100, 50)).all()


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


def test_inks_become_colours():
    image = Image.fromarray(RGB).convert("CMYK")
    expected = np.asarray(image.convert("RGB"))
    np.testing.assert_array_equal(decode(saved(image, "TIFF", compression="tiff_lzw"))[0].pixels, expected)


@pytest.mark.parametrize("profile", [ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), b"nonsense"])
def test_colour_profiles_do_not_disturb(profile):
    for format in ("PNG", "TIFF"):
        np.testing.assert_array_equal(decode(saved(Image.fromarray(RGB), format, icc_profile=profile))[0].pixels, RGB)


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


def test_pdf_is_rendered_at_the_resolution_of_its_scan():
    layout = img2pdf.get_fixed_dpi_layout_fun((200, 200))
    pdf = img2pdf.convert([saved(Image.fromarray(RGB), "PNG"), saved(Image.fromarray(GREY), "PNG")], layout_fun=layout)
    first, second = decode(pdf)
    np.testing.assert_array_equal(first.pixels, RGB)
    np.testing.assert_array_equal(second.pixels[..., 0], GREY)
    assert first.dpi == pytest.approx((200, 200))
    assert first.alpha is None


@pytest.mark.parametrize("dpi", [100, 203.98, 300, 600])
def test_pdf_pixels_are_those_of_the_scan_at_any_resolution(dpi):
    layout = img2pdf.get_fixed_dpi_layout_fun((dpi, dpi))
    noise = np.random.default_rng(0).integers(0, 256, (351, 248, 3), dtype=np.uint8)
    (picture,) = decode(img2pdf.convert(saved(Image.fromarray(noise), "PNG"), layout_fun=layout))
    np.testing.assert_array_equal(picture.pixels, noise)


def test_pdf_turned_by_its_page_entry():
    pdf = pikepdf.open(io.BytesIO(img2pdf.convert(saved(Image.fromarray(RGB), "PNG", dpi=DPI))))
    pdf.pages[0].rotate(90, relative=False)
    turned = io.BytesIO()
    pdf.save(turned)
    np.testing.assert_array_equal(decode(turned.getvalue())[0].pixels, np.rot90(RGB, -1))


def blank_pdf(width_pt: float = 72, height_pt: float = 144, **save_options) -> bytes:
    pdf, file = pikepdf.new(), io.BytesIO()
    pdf.add_blank_page(page_size=(width_pt, height_pt))
    pdf.save(file, **save_options)
    return file.getvalue()


def test_pdf_without_scan_is_rendered_at_300_dpi():
    (picture,) = decode(blank_pdf())
    assert picture.pixels.shape == (600, 300, 3)
    assert (picture.pixels == 255).all()


def test_pdf_with_password():
    locked = blank_pdf(encryption=pikepdf.Encryption(user="secret", owner="secret"))
    assert_refused(locked, "password", "Save a copy")


def test_pdf_without_pages():
    pdf, file = pikepdf.new(), io.BytesIO()
    pdf.save(file)
    assert_refused(file.getvalue(), "without pages", "Scan or export it again")


def test_pdf_that_is_damaged():
    whole = img2pdf.convert(saved(Image.fromarray(RGB), "PNG", dpi=DPI))
    assert_refused(whole[: len(whole) // 2], "damaged or incomplete")
    assert_refused(b"%PDF-1.7\n" + b"x" * 500 + b"%%EOF", "damaged or incomplete")


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


def test_bombs_of_other_formats():
    big = np.zeros((1500, 1500), np.uint8)
    for data in (saved(Image.fromarray(big), format) for format in ("JPEG", "TIFF", "BMP", "WEBP", "JPEG2000")):
        assert_refused(data, "1,500 × 1,500", "Largest sheet")
    assert_refused(blank_pdf(14_400, 14_400), "60,000 × 60,000", "Largest sheet", max_megapixels=400)
    pdf = img2pdf.convert(saved(Image.fromarray(big), "PNG"), layout_fun=img2pdf.get_layout_fun((72, 72)))
    assert_refused(pdf, "1,500 × 1,500", "Largest sheet")


def test_the_limit_holds_for_each_page_of_a_tiff():
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        writer.write(GREY, metadata=None)
        writer.write(np.zeros((1500, 1500), np.uint8), metadata=None)
    assert_refused(file.getvalue(), "scan, page 2,", "1,500 × 1,500")


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


def test_a_jpeg_2000_cut_between_two_tiles_is_refused():
    for raw in (False, True):
        data = saved(Image.fromarray(RGB), "JPEG2000", tile_size=(32, 32), num_resolutions=2, no_jp2=raw)
        assert_refused(data[: data.rindex(b"\xff\x90\0\x0a")], "breaks off without an end marker")


@pytest.mark.parametrize("progressive", [False, True])
def test_jpegs_thinner_than_a_block_are_read(progressive):
    for size in ((1, 40), (40, 1), (1, 1)):
        (picture,) = decode(saved(Image.new("L", size, 200), "JPEG", progressive=progressive))
        assert picture.pixels.shape == size[::-1]


def test_a_deep_picture_cut_short_is_refused():
    for data in (imagecodecs.png_encode(DEEP), tiff(DEEP, photometric="rgb", compression="lzw")):
        assert_refused(data[: len(data) * 3 // 4], "damaged or incomplete")


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
