"""Tries of reading: pictures and PDF files that are sound, broken and hostile."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np

from core.errors import UnreadableInputError
from core.options import ReadingOptions
from core.sheets.formats import pdf
from core.sheets.inputs import find_inputs
from core.sheets.reader import read_inputs
from core.sheets.sheet import Sheet
from tests.fuzz import damage, pdfs, pictures
from tests.fuzz.trial import Trial, check_sentence, untouched

Outcomes = list[Sheet | UnreadableInputError]

AS_SCANNED = ReadingOptions(dpi=300)
"""Pixels are compared: nothing is resampled."""


def read(folder: Path, data: bytes, options: ReadingOptions = AS_SCANNED) -> Outcomes:
    """Read a file of some content from a folder, and see that the file stays what it is."""
    path = folder / "scan.bin"
    path.write_bytes(data)
    with untouched(folder):
        outcomes = list(read_inputs(find_inputs([path]), options))
    assert outcomes, "neither a sheet nor a sentence"
    for outcome in outcomes:
        if isinstance(outcome, UnreadableInputError):
            check_sentence(outcome, str(path))
        else:
            width, height = outcome.info.size_px
            assert outcome.pixels.shape == (height, width, 3)
            assert outcome.pixels.dtype == np.uint8
    return outcomes


def summed_up(outcomes: Outcomes) -> str:
    """Say whether all, none or some of the pages could be read."""
    refused = [isinstance(outcome, UnreadableInputError) for outcome in outcomes]
    return "refused" if all(refused) else "read in part" if any(refused) else "read"


def _sound(make: Callable[[np.random.Generator], bytes]) -> Trial:
    def trial(rng: np.random.Generator, folder: Path) -> str:
        outcomes = read(folder, make(rng))
        assert summed_up(outcomes) == "read", outcomes
        return "read"

    return trial


def _whatever(make: Callable[[np.random.Generator], bytes], options: ReadingOptions = AS_SCANNED) -> Trial:
    return lambda rng, folder: summed_up(read(folder, make(rng), options))


def _refused(make: Callable[[np.random.Generator], bytes], word: str = "") -> Trial:
    def trial(rng: np.random.Generator, folder: Path) -> str:
        outcomes = read(folder, make(rng))
        assert summed_up(outcomes) == "refused"
        assert any(word in str(outcome) for outcome in outcomes), outcomes
        return "refused"

    return trial


def _stopped(make: Callable[[np.random.Generator], bytes]) -> Trial:
    """Wait for half a second; a page that is drawn by then was not endless."""

    def trial(rng: np.random.Generator, folder: Path) -> str:
        data = make(rng)
        with patch.multiple(pdf, SECONDS=0.5, SECONDS_PER_MEGAPIXEL=0.0):
            return summed_up(read(folder, data))

    return trial


def _same_or_refused(make: Callable[[np.random.Generator], bytes], hurt: damage.Damage) -> Trial:
    """After this kind of damage nothing may pass for a picture but the picture itself."""

    def trial(rng: np.random.Generator, folder: Path) -> str:
        data = make(rng)
        whole, hurt_ones = read(folder, data), read(folder, hurt(rng, data))
        for before, after in zip(whole, hurt_ones, strict=False):
            if isinstance(after, Sheet):
                assert isinstance(before, Sheet)
                assert np.array_equal(before.pixels, after.pixels), "a part of the picture was made up"
        if summed_up(hurt_ones) == "read":
            assert len(hurt_ones) == len(whole), "pages vanished silently"
        return summed_up(hurt_ones)

    return trial


def _one_page_damaged(rng: np.random.Generator, folder: Path) -> str:
    data, damaged, pages = pictures.several_pages(rng)
    outcomes = read(folder, data)
    assert len(outcomes) == len(pages)
    for number, (outcome, pixels) in enumerate(zip(outcomes, pages, strict=True)):
        if number == damaged:
            assert isinstance(outcome, UnreadableInputError)
            assert f"page {number + 1}" in str(outcome) or number == 0
        else:
            assert isinstance(outcome, Sheet)
            assert np.array_equal(outcome.pixels, pixels)
    return "read in part"


def _any_picture(rng: np.random.Generator) -> bytes:
    return pictures.of_any_format(rng)[1]


def _by_accident(make: Callable[[np.random.Generator], bytes]) -> Callable[[np.random.Generator], bytes]:
    return lambda rng: damage.accident(rng, make(rng))


KINDS: dict[str, Trial] = {
    **{f"sound {name}": _sound(make) for name, make in pictures.FORMATS.items()},
    **{f"{name} cut short": _same_or_refused(make, damage.cut_short) for name, make in pictures.FORMATS.items()},
    **{f"{name} damaged": _whatever(_by_accident(make)) for name, make in pictures.FORMATS.items()},
    "picture with a tail": _same_or_refused(_any_picture, damage.add_a_tail),
    "picture of odd size": _sound(pictures.odd_size),
    "picture without size": _refused(pictures.no_size),
    "picture of declared huge size": _refused(pictures.huge_size, "limit"),
    "picture bomb": _whatever(pictures.bomb),
    "picture with odd metadata": _sound(pictures.odd_metadata),
    "TIFF with one damaged page": _one_page_damaged,
    "no picture, or the wrong head": _whatever(pictures.foreign, ReadingOptions()),
    "sound PDF": _sound(pdfs.sound),
    "PDF cut short": _same_or_refused(pdfs.sound, damage.cut_short),
    "PDF damaged": _whatever(_by_accident(pdfs.sound)),
    "PDF with a password": _refused(pdfs.locked, "password"),
    "PDF without pages": _whatever(pdfs.without_pages),
    "PDF with odd page sizes": _whatever(pdfs.odd_page_size),
    "PDF with loops": _whatever(pdfs.looped),
    "PDF that acts": _sound(pdfs.acting),
    "PDF bomb": _whatever(pdfs.bomb),
    "PDF nested deep": _whatever(pdfs.deep),
    "PDF drawn without end": _stopped(pdfs.endless),
}
