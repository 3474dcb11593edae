"""Decoding: an open file of any supported format to pixels, page by page, quietly and within a size limit."""

from typing import BinaryIO

from core.progress import Progress, no_progress
from core.sheets.formats.jpeg import SIGNATURE, JpegPicture
from core.sheets.formats.pdf import PdfPages
from core.sheets.formats.picture import Pages, Picture
from core.sheets.formats.refusal import naming
from core.sheets.formats.single import SinglePicture
from core.sheets.formats.tiff import TiffPages

HEAD_BYTES = 1024
"""How much of a file `known_content` wants to see; a PDF may begin with that much of something else."""

_TIFF_SIGNATURES = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_PICTURE_SIGNATURES = (SIGNATURE, b"\x89PNG\r\n\x1a\n", b"\0\0\0\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51")


def known_content(head: bytes) -> bool:
    """Check whether a file is, or claims to be, of a supported format.

    Parameters
    ----------
    head : bytes
        Its first `HEAD_BYTES`.

    Returns
    -------
    bool
        It may be damaged all the same.

    Examples
    --------
    >>> known_content(b"%PDF-1.7"), known_content(b"Dear Sir,")
    (True, False)
    """
    is_webp = head[:4] == b"RIFF" and head[8:12] == b"WEBP"
    is_bmp = head[:2] == b"BM" and head[6:10] == bytes(4)  # "BM" alone begins many a text
    return is_webp or is_bmp or head.startswith((*_TIFF_SIGNATURES, *_PICTURE_SIGNATURES)) or b"%PDF-" in head


class Document:
    """An open file of one or more pages; what its decoder refuses becomes a sentence with the file's name here.

    Parameters
    ----------
    handle : binary file
        At its beginning; it must stay open while the document is in use, and is not closed with it.
    name : str
        What messages call the file.
    max_megapixels : float
        Larger pictures are refused before they are unpacked.
    progress : Progress
        Called ten times a second while a page of a PDF file is drawn, now or later; raising from it stops that.

    Attributes
    ----------
    n_pages : int
        How many pages there are, one at least.

    Raises
    ------
    UnreadableInputError
        If the content is damaged, too large, or of no supported format.
    """

    def __init__(self, handle: BinaryIO, name: str, max_megapixels: float, progress: Progress = no_progress) -> None:
        self._name = name
        with naming(name):
            self._pages = _pages(handle, max_megapixels, progress)
        self.n_pages = self._pages.n_pages

    def picture(self, page: int) -> Picture:
        """Decode a page.

        Parameters
        ----------
        page : int
            Counted from 0.

        Returns
        -------
        Picture
            The whole page.

        Raises
        ------
        UnreadableInputError
            If that page is damaged or too large; others may be decoded all the same.
        """
        with naming(self._name, f"{self._name}, page {page + 1}," if self.n_pages > 1 else ""):
            return self._pages.picture(page)

    def close(self) -> None:
        """Release what decoding holds."""
        self._pages.close()


def _pages(handle: BinaryIO, max_megapixels: float, progress: Progress) -> Pages:
    """Open a file by its content; the extension of its name plays no part."""
    head = handle.read(HEAD_BYTES)
    handle.seek(0)
    if head.startswith(_TIFF_SIGNATURES):
        return TiffPages(handle, max_megapixels)
    if b"%PDF-" in head and not head.startswith(_PICTURE_SIGNATURES):
        return PdfPages(handle, max_megapixels, progress)
    if head.startswith(SIGNATURE):
        return JpegPicture(handle, max_megapixels)
    return SinglePicture(handle, max_megapixels, known_format=known_content(head))
