"""Pages composed and compressed, with what is drawn beside and above them."""

import io
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from core.arrangement.noted import numbered_places, over, subject_of
from core.arrays import Doubles
from core.case.case import Case
from core.composition.page_image import PageImage, Rendition, gaps, seam_lines
from core.composition.pages import compose, without_seams
from core.options import OutputOptions
from core.output.report.archival import CREATOR, SUBJECT
from core.parallel import map_in_order
from core.progress import Progress
from core.shreds.storage.packed import as_png
from core.text.page_text import Word
from core.units import DPI, MM_PER_INCH
from core.wording import QT_TRANSLATE_NOOP

COMPOSING = QT_TRANSLATE_NOOP("progress", "Composing page {number} of {n}")

Image.MAX_IMAGE_PIXELS = None  # no guard against our own pages, however wide; what is read has one in ReadingOptions


_PNG_HEAD_BYTES = 33
"""Its signature, and what it tells of its size and colours."""


@dataclass(frozen=True, eq=False)
class PreparedPage:
    """A page, ready to be laid into a document.

    Attributes
    ----------
    image : bytes
        PNG or JPEG at 300 dpi.
    size_px : tuple of int
        Its width and height.
    placements : dict of str to tuple of int
        Where each shred's image lies on it: x, y, width, height.
    seams : tuple of ndarray of shape (k, 2), int32, or None
        A line along each cut, (x, y) in pixels of the page; None unless asked for.
    gaps : ndarray of shape (h, w), bool, or None
        Where no paper lies on it; None unless seams are asked for.
    words : tuple of Word
        What was read on it; empty unless asked for.
    sideways : bool
        Whether shreds lie above one another, and not side by side.
    noted : dict of int to ndarray of shape (4, 2), float64
        The corners of places that there are notes about, (x, y) in pixels of the page, by their numbers.
    """

    image: bytes
    size_px: tuple[int, int]
    placements: dict[str, tuple[int, int, int, int]]
    seams: tuple[NDArray[np.int32], ...] | None
    gaps: NDArray[np.bool_] | None
    words: tuple[Word, ...]
    sideways: bool = False
    noted: dict[int, Doubles] = field(default_factory=dict)


def prepared_pages(
    case: Case,
    options: OutputOptions,
    progress: Progress,
    numbers: Sequence[int],
    *,
    seams: bool = False,
    rendition: Rendition = "evidence",
    read: Callable[[int], tuple[Word, ...]] | None = None,
    noted: bool = False,
) -> Iterator[PreparedPage]:
    """Compose and compress the pages of a case on all cores.

    Parameters
    ----------
    case : Case
        Whose pages.
    options : OutputOptions
        Whether they are lossless.
    progress : Progress
        Called for each page.
    numbers : sequence of int
        Indices of the pages.
    seams : bool
        Whether to follow the cuts and find the gaps. They lie beside the image, never in its pixels.
    rendition : {"evidence", "reading"}
        Which of the two is composed.
    read : callable, optional
        Finds the words of a page, given its index.
    noted : bool
        Whether to find the places that there are notes about. They lie beside the image, too.

    Yields
    ------
    PreparedPage
        Page by page.
    """
    plain = without_seams(case)

    def prepared(page: int) -> PreparedPage:
        composed = compose(plain, page, rendition)
        height, width, _ = composed.pixels.shape
        lines = seam_lines(composed) if seams else None
        nothing = gaps(composed) if seams else None
        image = encode(composed.pixels, options)
        words = tuple(replace(word, box_px=word.on(rendition)) for word in read(page)) if read else ()
        size_px, places = (width, height), noted_places(case, composed) if noted else {}
        return PreparedPage(image, size_px, composed.placements, lines, nothing, words, composed.sideways, places)

    yield from map_in_order(prepared, numbers, COMPOSING, progress)


def noted_places(case: Case, page: PageImage) -> dict[int, Doubles]:
    """Find the places on a page that there are notes about.

    Parameters
    ----------
    case : Case
        Whose page.
    page : PageImage
        Composed.

    Returns
    -------
    dict of int to ndarray of shape (4, 2), float64
        Their corners, (x, y) in pixels of the page, by their numbers.
    """
    found = {}
    for about, number in numbered_places(case.arrangement.notes).items():
        (shred,), place_px = subject_of(about)
        if shred in page.maps and place_px is not None:
            if shred in case.arrangement.half_turned:
                found_as = case.shred_by_id[shred]
                place_px = over(place_px, (found_as.width_px, found_as.height_px))
            x, y, width, height = place_px
            corners = np.array([(x, y, 1), (x + width, y, 1), (x + width, y + height, 1), (x, y + height, 1)], float)
            found[number] = corners @ page.maps[shred][:2].T
    return found


def encode(pixels: NDArray[np.uint8], options: OutputOptions, title: str = "", subject: str = SUBJECT) -> bytes:
    """Compress a page as PNG or JPEG; with a title, a PNG says what it is.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB at 300 dpi.
    options : OutputOptions
        Whether without loss.
    title, subject : str
        What a PNG says that it is.

    Returns
    -------
    bytes
        The file.
    """
    if options.lossless:
        return _described(as_png(pixels), described_png(title, subject) if title else PngInfo())
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "jpeg", dpi=(DPI, DPI), quality=options.jpeg_quality, subsampling=0)
    return buffer.getvalue()


def _described(png: bytes, info: PngInfo) -> bytes:
    """Write into a PNG its resolution and what it says of itself, and its pixels as one: readers put parts together."""
    per_metre, parts, at = round(1000 * DPI / MM_PER_INCH), [], _PNG_HEAD_BYTES
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        if name == b"IDAT":
            parts.append(png[at + 8 : at + 8 + length])
        at += length + 12
    chunks = [(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)), *(chunk[:2] for chunk in info.chunks)]
    chunks += [(b"IDAT", b"".join(parts)), (b"IEND", b"")]
    packed = (
        (struct.pack(">I", len(data)), name, data, struct.pack(">I", crc32(data, crc32(name)))) for name, data in chunks
    )
    return b"".join((png[:_PNG_HEAD_BYTES], *chain.from_iterable(packed)))


def described_png(title: str, comment: str) -> PngInfo:
    """Return what a PNG says of itself; what is no text in names of files is escaped.

    Parameters
    ----------
    title, comment : str
        What the picture is.

    Returns
    -------
    PngInfo
        To be saved with it.
    """
    info = PngInfo()
    for key, value in (("Title", title), ("Software", CREATOR), ("Comment", comment)):
        info.add_itxt(key, value.encode("utf-8", "backslashreplace"))
    return info
