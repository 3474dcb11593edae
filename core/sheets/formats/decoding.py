"""Decoding: an open file of any supported format to pixels, page by page, quietly and within a size limit."""

from typing import BinaryIO

from core.progress import Progress, no_progress
from core.sheets.formats.pdf import PdfPages
from core.sheets.formats.picture import Document, Picture
from core.sheets.formats.single import SinglePicture
from core.sheets.formats.tiff import TiffPages

__all__ = ["Document", "Picture", "known_content", "open_document"]

HEAD_BYTES = 1024
"""How much of a file `known_content` wants to see; a PDF may begin with that much of something else."""

_TIFF_SIGNATURES = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_PICTURE_SIGNATURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"\0\0\0\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51")


def known_content(head: bytes) -> bool:
    """Tell from a file's first `HEAD_BYTES` whether it is, or claims to be, of a supported format."""
    is_webp = head[:4] == b"RIFF" and head[8:12] == b"WEBP"
    is_bmp = head[:2] == b"BM" and head[6:10] == bytes(4)  # "BM" alone begins many a text
    return is_webp or is_bmp or head.startswith((*_TIFF_SIGNATURES, *_PICTURE_SIGNATURES)) or b"%PDF-" in head


def open_document(handle: BinaryIO, name: str, max_megapixels: float, progress: Progress = no_progress) -> Document:
    """Open a file by its content; the extension of its name plays no part.

    Parameters
    ----------
    handle : binary file
        At its beginning; it must stay open while the document is in use.
    name : str
        What messages call the file.
    max_megapixels : float
        Larger pictures are refused before they are unpacked.
    progress : Progress
        Called ten times a second while a page of a PDF file is drawn, now or later; raising from it stops that.

    Returns
    -------
    Document
        To be closed by the caller; `handle` is not closed with it.

    Raises
    ------
    UnreadableInputError
        If the content is damaged, too large, or of no supported format.
    """
    head = handle.read(HEAD_BYTES)
    handle.seek(0)
    if head.startswith(_TIFF_SIGNATURES):
        return TiffPages(handle, name, max_megapixels)
    if b"%PDF-" in head and not head.startswith(_PICTURE_SIGNATURES):
        return PdfPages(handle, name, max_megapixels, progress)
    return SinglePicture(handle, name, max_megapixels, known=known_content(head))
