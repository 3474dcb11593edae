"""Why a file is not read: decoders say what is wrong, and whoever opened the file says which file it is."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import UnreadableInputError


class Refusal(Exception):
    """Why a file or a page of it is not read, and what to do: sentences of which the first lacks its subject, the name.

    Parameters
    ----------
    sentences : str
        "is empty. Scan it again."
    of_file : bool
        They are about the whole file, though it may be a page that was asked for.
    """

    def __init__(self, sentences: str, *, of_file: bool = False) -> None:
        super().__init__(sentences)
        self.of_file = of_file


@contextmanager
def naming(file: str, page: str = "") -> Iterator[None]:
    """Raise the refusals of a block as `UnreadableInputError`, with the name of what they are about.

    Parameters
    ----------
    file : str
        What messages call the file.
    page : str
        What they call the page that the block is about; absent, if it is about the file.

    Raises
    ------
    UnreadableInputError
        If the block raises `Refusal`.
    """
    try:
        yield
    except Refusal as refusal:
        name = file if refusal.of_file or not page else page
        raise UnreadableInputError(f"{name} {refusal}") from refusal.__cause__


@contextmanager
def errors_as_damage() -> Iterator[None]:
    """Take what a block raises for damage of the file: decoders raise almost anything on broken input."""
    try:
        yield
    except Refusal:
        raise
    except Exception as error:
        raise damaged(error) from error


def damaged(reason: object, *, of_file: bool = False) -> Refusal:
    """Build the refusal of a file whose format is known and whose content is not what it should be.

    Parameters
    ----------
    reason : object
        An error of a decoder, or a text.
    of_file : bool
        See `Refusal`.

    Returns
    -------
    Refusal
        To be raised.
    """
    if isinstance(reason, MemoryError):
        return Refusal("does not fit into memory. Close other programs, or scan it at 300 dpi.")
    text = str(reason).strip().rstrip(".") or type(reason).__name__
    return Refusal(
        f"is damaged or incomplete ({text}). Copy it again from where it came, or scan it again.", of_file=of_file
    )


def check_size(width: int, height: int, max_megapixels: float) -> None:
    """Check the declared size of a picture, before any of it is unpacked.

    Parameters
    ----------
    width, height : int
        In pixels.
    max_megapixels : float
        The limit, in millions of pixels.

    Raises
    ------
    Refusal
        If it is larger, or empty.
    """
    megapixels = width * height / 1e6
    if megapixels > max_megapixels:
        raise Refusal(
            f"would unpack to {width:,} × {height:,} pixels, {math.ceil(megapixels):,} megapixels; the limit is "
            f"{max_megapixels:g}. If the file is what it should be, raise “Largest sheet” (max_megapixels) "
            "and see that there is memory enough: 3 MB a megapixel and more."
        )
    if width < 1 or height < 1:
        raise damaged(f"it declares {width} × {height} pixels")
