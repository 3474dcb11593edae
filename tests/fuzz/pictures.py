"""Pictures of every format, sound, broken and hostile, made from a seed."""

import functools
import io
import struct
import zlib
from collections.abc import Callable

import imagecodecs
import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image

DPI = (300, 300)

Generator = np.random.Generator


def scan(rng: Generator, height: int, width: int) -> NDArray[np.uint8]:
    """Draw something that compresses neither to nothing nor not at all: (height, width, 3)."""
    y, x = np.mgrid[:height, :width]
    slopes = rng.integers(0, 5, (3, 2))
    image = np.stack([a * y + b * x for a, b in slopes], axis=-1) % 256
    image[:: int(rng.integers(2, 20))] = rng.integers(0, 256, 3)
    return (image + rng.integers(0, 8, image.shape)).clip(0, 255).astype(np.uint8)


def saved(image: Image.Image, format: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **{"dpi": DPI, **options})
    return file.getvalue()


def tiff(array: NDArray[np.generic], **options: object) -> bytes:
    file = io.BytesIO()
    tifffile.imwrite(file, array, resolution=DPI, resolutionunit=2, metadata=None, **options)
    return file.getvalue()


def _size(rng: Generator) -> tuple[int, int]:
    return int(rng.integers(8, 160)), int(rng.integers(8, 160))


def png(rng: Generator) -> bytes:
    image = Image.fromarray(scan(rng, *_size(rng)))
    mode = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", "deep")[rng.integers(0, 8)]
    if mode == "deep":
        return imagecodecs.png_encode(rng.integers(0, 65536, (*_size(rng), int(rng.integers(2, 5))), dtype=np.uint16))
    if mode == "I;16":
        return saved(Image.fromarray(rng.integers(0, 65536, _size(rng), dtype=np.uint16)), "PNG")
    return saved(image.quantize(int(rng.integers(2, 257))) if mode == "P" else image.convert(mode), "PNG")


def jpeg(rng: Generator) -> bytes:
    mode = ("L", "RGB", "CMYK")[rng.integers(0, 3)]
    exif = Image.Exif()
    exif[274] = int(rng.integers(0, 10))
    options = {"quality": int(rng.integers(1, 101)), "progressive": bool(rng.integers(0, 2)), "exif": exif}
    options |= {"restart_marker_rows": 1} if rng.random() < 0.3 else {}
    return saved(Image.fromarray(scan(rng, *_size(rng))).convert(mode), "JPEG", **options)


def bmp(rng: Generator) -> bytes:
    image = Image.fromarray(scan(rng, *_size(rng)))
    mode = ("1", "L", "P", "RGB")[rng.integers(0, 4)]
    return saved(image.quantize(200) if mode == "P" else image.convert(mode), "BMP")


def webp(rng: Generator) -> bytes:
    options: dict[str, object] = {"lossless": bool(rng.integers(0, 2)), "method": 0}
    frames = [Image.fromarray(scan(rng, 40, 50)) for _ in range(int(rng.integers(2, 4)))]
    if rng.random() < 0.3:  # an animation
        return saved(frames[0], "WEBP", save_all=True, append_images=frames[1:], **options)
    return saved(
        Image.fromarray(scan(rng, *_size(rng))).convert(("RGB", "RGBA")[rng.integers(0, 2)]), "WEBP", **options
    )


def jpeg2000(rng: Generator) -> bytes:
    options = {"irreversible": bool(rng.integers(0, 2)), "no_jp2": bool(rng.integers(0, 2)), "num_resolutions": 2}
    options |= {"tile_size": (32, 32)} if rng.random() < 0.5 else {}
    mode = ("L", "RGB", "RGBA")[rng.integers(0, 3)]
    return saved(Image.fromarray(scan(rng, *_size(rng))).convert(mode), "JPEG2000", **options)


def tiff_of_any_kind(rng: Generator) -> bytes:
    image = scan(rng, *_size(rng))
    deep = rng.integers(0, 65536, image.shape, dtype=np.uint16)
    compression = (None, "lzw", "deflate", "packbits", "lzma", "zstd")[rng.integers(0, 6)]
    common = {"compression": compression, "byteorder": "<>"[rng.integers(0, 2)], "bigtiff": bool(rng.integers(0, 2))}
    common |= {"tile": (32, 32)} if rng.random() < 0.3 else {}
    return (
        lambda: tiff(image, photometric="rgb", **common),
        lambda: tiff(image[..., 0], photometric=("minisblack", "miniswhite")[rng.integers(0, 2)], **common),
        lambda: tiff(deep, photometric="rgb", **common),
        lambda: tiff(deep[..., 0], **common),
        lambda: tiff(np.moveaxis(image, -1, 0).copy(), photometric="rgb", planarconfig="separate", **common),
        lambda: tiff(np.dstack([image, image[..., 0]]), photometric="rgb", extrasamples=["unassalpha"], **common),
        lambda: tiff(np.dstack([image, image[..., 0]]), photometric="separated", **common),
        lambda: saved(Image.fromarray(image).quantize(50), "TIFF"),
        lambda: saved(Image.fromarray(image).convert("1"), "TIFF", compression="group4"),
        lambda: saved(Image.fromarray(image), "TIFF", compression="jpeg"),
        lambda: saved(Image.fromarray(image).convert("YCbCr"), "TIFF"),
    )[rng.integers(0, 11)]()


FORMATS: dict[str, Callable[[Generator], bytes]] = {
    "PNG": png,
    "JPEG": jpeg,
    "BMP": bmp,
    "WebP": webp,
    "JPEG 2000": jpeg2000,
    "TIFF": tiff_of_any_kind,
}


def of_any_format(rng: Generator) -> tuple[str, bytes]:
    """Draw a sound picture, and say of which format it is."""
    name = list(FORMATS)[rng.integers(0, len(FORMATS))]
    return name, FORMATS[name](rng)


def odd_size(rng: Generator) -> bytes:
    """A sound picture of one pixel, of one row or column, or extremely long and thin."""
    size = ((1, 1), (1, 5), (9, 1), (1, 30_000), (30_000, 1), (3, 20_000))[rng.integers(0, 6)]
    format = ("PNG", "JPEG", "BMP", "WEBP", "TIFF", "JPEG2000")[rng.integers(0, 6)]
    if format == "WEBP":
        size = min(size[0], 16_000), min(size[1], 16_000)
    options = {"num_resolutions": 1} if format == "JPEG2000" else {}
    return saved(Image.fromarray(scan(rng, *size)), format, **options)


def no_size(rng: Generator) -> bytes:
    """A picture that declares a width or height of 0, or one below 0."""
    height, width = ((0, 5), (5, 0), (0, 0))[rng.integers(0, 3)]
    format = ("PNG", "BMP", "TIFF", "JPEG", "JPEG 2000")[rng.integers(0, 5)]
    return declaring(rng, format, width, height)


def huge_size(rng: Generator) -> bytes:
    """A small file whose header declares more pixels than memory has room for."""
    width, height = (int(2 ** rng.uniform(15, 15.9)) for _ in range(2))
    return declaring(rng, ("PNG", "BMP", "TIFF", "JPEG", "JPEG 2000")[rng.integers(0, 5)], width, height)


def declaring(rng: Generator, format: str, width: int, height: int) -> bytes:
    """Draw a small picture whose header declares another size."""
    image = Image.fromarray(scan(rng, 24, 32))
    if format == "PNG":
        data = bytearray(saved(image, "PNG"))
        struct.pack_into(">II", data, 16, width, height)
        struct.pack_into(">I", data, 29, zlib.crc32(data[12:29]))
    elif format == "BMP":
        data = bytearray(saved(image, "BMP"))
        struct.pack_into("<ii", data, 18, width, height)
    elif format == "TIFF":
        data = bytearray(tiff(np.asarray(image), photometric="rgb"))
        for tag, value in ((256, width), (257, height)):
            place = data.index(struct.pack("<H", tag), struct.unpack_from("<I", data, 4)[0])
            struct.pack_into("<HII", data, place + 2, 4, 1, value)
    elif format == "JPEG":
        data = bytearray(saved(image, "JPEG"))
        struct.pack_into(">HH", data, data.index(b"\xff\xc0") + 5, height, width)
    else:
        data = bytearray(saved(image, "JPEG2000"))
        struct.pack_into(">II", data, data.index(b"ihdr") + 4, height, width)
        struct.pack_into(">II", data, data.index(b"\xff\x51") + 6, width, height)
    return bytes(data)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


@functools.cache
def zeros(n_bytes: int) -> bytes:
    """Compress zeros a thousandfold, without ever holding them."""
    packer, block = zlib.compressobj(9), bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(n_bytes >> 20)) + packer.flush()


def _one_strip(width: int, height: int, compression: int, data: bytes, bits: int = 8, **others: int) -> bytes:
    """Write a grey TIFF of one strip by hand."""
    tags = {256: width, 257: height, 258: bits, 259: compression, 262: 1, 277: 1, 278: height, 279: len(data)}
    tags |= {int(tag.removeprefix("tag")): value for tag, value in others.items()}
    entries = sorted([*tags.items(), (273, 8 + 2 + 12 * (len(tags) + 1) + 4)])
    head = b"II*\0" + struct.pack("<IH", 8, len(entries))
    return head + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries) + bytes(4) + data


def bomb(rng: Generator) -> bytes:
    """A small file that unpacks to far more: pixels beyond the limit of 400 megapixels, or what goes with them."""
    side = int(rng.integers(21_000, 40_000))
    row = bytes(1 + (side + 7) // 8)
    kinds = (
        lambda: (  # a thousand megapixels of one bit
            b"\x89PNG\r\n\x1a\n"
            + _chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
            + _chunk(b"IDAT", zlib.compress(row * 64, 9))
            + _chunk(b"IEND", b"")
        ),
        lambda: _one_strip(side, side, 8, zeros(64 << 20)),
        lambda: _one_strip(side, side, 32773, b"\x81\0" * 4096),
        lambda: _one_strip(side, side, 4, bytes(100), bits=1),
        lambda: _one_strip(100, 100, 8, zeros(256 << 20)),  # unpacks to more than its size says
        lambda: _one_strip(64, 64, 1, bytes(4096), tag277=60_000),
        lambda: _tiled(1 << 20, 1 << 20),
        lambda: _run_length_bmp(side, side),
        lambda: _with_bombs_beside_the_pixels(),
        _webp_of,
    )
    return kinds[rng.integers(0, len(kinds))]()


def _tiled(tile_width: int, tile_length: int) -> bytes:
    data = bytearray(tiff(np.zeros((64, 64), np.uint8), tile=(16, 16)))
    for tag, value in ((322, tile_width), (323, tile_length)):
        place = data.index(struct.pack("<H", tag), struct.unpack_from("<I", data, 4)[0])
        struct.pack_into("<HII", data, place + 2, 4, 1, value)
    return bytes(data)


def _run_length_bmp(width: int, height: int) -> bytes:
    """An 8-bit BMP whose run-length code ends at once: all of it is left to the decoder's filling."""
    pixels = b"\xff\0" * 100 + b"\0\1"
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 1, len(pixels), 11811, 11811, 256, 0)
    offset = 14 + len(head) + 1024
    return b"BM" + struct.pack("<IHHI", offset + len(pixels), 0, 0, offset) + head + bytes(1024) + pixels


def _with_bombs_beside_the_pixels() -> bytes:
    """A small PNG with a colour profile and a comment of a quarter of a gigabyte each."""
    data = saved(Image.new("L", (50, 60), 200), "PNG")
    packed = zeros(256 << 20)
    extra = _chunk(b"iCCP", b"icc\0\0" + packed) + _chunk(b"zTXt", b"Comment\0\0" + packed)
    return data[:33] + extra + data[33:]


def _webp_of() -> bytes:
    """A WebP whose extended header declares a canvas of 2^24 by 2^24 pixels."""
    inner = saved(Image.new("RGB", (20, 20)), "WEBP", lossless=True)[12:]
    extended = b"VP8X" + struct.pack("<I", 10) + bytes(4) + b"\xff\xff\xff" + b"\xff\xff\xff"
    return b"RIFF" + struct.pack("<I", 4 + len(extended) + len(inner)) + b"WEBP" + extended + inner


def odd_metadata(rng: Generator) -> bytes:
    """A sound picture that says nonsense of itself: resolution, orientation, colour profile, EXIF."""
    image = Image.fromarray(scan(rng, 60, 50))
    dpi = ((0, 0), (1, 1), (300, 0), (65_535, 65_535), (72, 72), (300, 1))[rng.integers(0, 6)]
    exif = b"Exif\0\0" + (b"II*\0", b"MM\0*", b"nonsense")[rng.integers(0, 3)] + rng.bytes(int(rng.integers(0, 400)))
    profile = rng.bytes(int(rng.integers(1, 500)))
    format = ("PNG", "JPEG", "WEBP")[rng.integers(0, 3)]
    return saved(image, format, dpi=dpi, exif=exif, icc_profile=profile)


def several_pages(rng: Generator) -> tuple[bytes, int, list[NDArray[np.uint8]]]:
    """A TIFF of several pages of which the pixels of one are damaged; gives its number and the pages as they were."""
    pages = [scan(rng, 60, 50) for _ in range(int(rng.integers(2, 7)))]
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        for page in pages:
            writer.write(
                page, photometric="rgb", compression="deflate", metadata=None, resolution=DPI, resolutionunit=2
            )
    data, chosen = bytearray(file.getvalue()), int(rng.integers(0, len(pages)))
    with tifffile.TiffFile(io.BytesIO(data)) as read:
        start, length = read.pages[chosen].dataoffsets[0], read.pages[chosen].databytecounts[0]
    data[start : start + length // 2] = rng.bytes(length // 2)
    return bytes(data), chosen, pages


def foreign(rng: Generator) -> bytes:
    """A file that is no picture, or has the head of one and the body of another."""
    heads = (
        b"",
        b"\xff\xd8\xff\xe0",
        b"\x89PNG\r\n\x1a\n",
        b"II*\0\x08\0\0\0",
        b"MM\0+\0\x08\0\0",
        b"RIFF\0\0\0\0WEBP",
    )
    heads += (
        b"BM\x46\0\0\0\0\0\0\0",
        b"\0\0\0\x0cjP  \r\n\x87\n",
        b"\xff\x4f\xff\x51",
        b"GIF89a",
        b"PK\3\4",
        b"\x7fELF",
    )
    head = heads[rng.integers(0, len(heads))]
    other = of_any_format(rng)[1]
    bodies = (b"", rng.bytes(3000), b"Dear Sir,\n" * 30, other, other[len(head) :], b"\0" * 2000)
    return (head + bodies[rng.integers(0, len(bodies))]) or b"\0"
