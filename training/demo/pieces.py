"""Pages of text cut both ways without loss, as pictures of single pieces.

Each page is set in one typeface, in justified lines, and cut into 11 rows of 19 pieces. Its words are those of the
demonstration, in a drawn order.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from training.demo.pages import PAPER, font

PIECE_PX, N_ROWS, N_COLUMNS = (72, 180), 11, 19
FACES = ("Serif", "Sans", "Serif-Italic", "Sans-Oblique", "SansMono", "Serif-Bold")
INDENT_PX = 60


def drawn_page(seed: int) -> Image.Image:
    """Draw a page of paragraphs.

    Parameters
    ----------
    seed : int
        Draws typeface, size, leading, margins, and words.

    Returns
    -------
    Image
        Grey, of the size of all pieces.
    """
    rng = np.random.default_rng(seed)
    width, height = N_COLUMNS * PIECE_PX[0], N_ROWS * PIECE_PX[1]
    page = Image.new("L", (width, height), PAPER)
    pen, face = ImageDraw.Draw(page), font(str(rng.choice(FACES)), rng.uniform(8.0, 11.0))
    leading, y = int(rng.integers(56, 69)), int(rng.integers(4, 60))
    left, right = int(rng.integers(8, 60)), width - int(rng.integers(8, 60))
    words = iter(rng.choice(_words(), 4000).tolist())
    while y < height - leading:
        indent, n_lines = INDENT_PX, int(rng.integers(3, 10))
        for number in range(n_lines):
            line = list(_filled(words, face, right - left - indent))
            if number == n_lines - 1:
                line = line[: int(rng.integers(1, len(line) + 1))]
            _justify(pen, line, face, (left + indent, y), right - left - indent, ragged=number == n_lines - 1)
            y, indent = y + leading, 0
            if y >= height - leading:
                break
    return page


def _words() -> list[str]:
    """List the words of the demonstration."""
    text = Path(__file__).with_name("texts.toml").read_text(encoding="utf-8")
    strings = json.dumps(tomllib.loads(text), ensure_ascii=False)
    return sorted(word for word in re.findall(r"[A-Za-z]+[,.;:]?", strings) if len(word) < 16)


def _filled(words: Iterator[str], face: ImageFont.FreeTypeFont, width_px: float) -> Iterator[str]:
    """Take as many words as a line has room for."""
    used_px = 0.0
    for word in words:
        used_px += face.getlength(word + " ")
        if used_px > width_px:
            return
        yield word


def _justify(
    pen: ImageDraw.ImageDraw,
    line: list[str],
    face: ImageFont.FreeTypeFont,
    at: tuple[float, float],
    width_px: float,
    ragged: bool,
) -> None:
    """Write a line from margin to margin, or as wide as it is."""
    space_px, (x, y) = face.getlength(" "), at
    if not ragged and len(line) > 1:
        space_px = (width_px - sum(map(face.getlength, line))) / (len(line) - 1)
    for word in line:
        pen.text((x, y), word, 0, face)
        x += face.getlength(word) + space_px


def write_pieces(folder: Path, seed: int) -> list[list[str]]:
    """Cut a page, and write its pieces in a drawn order.

    Parameters
    ----------
    folder : Path
        Is made.
    seed : int
        See `drawn_page`.

    Returns
    -------
    list of list of str
        The names of the pieces, without their suffix, row by row from the top.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (width, height), page = PIECE_PX, drawn_page(seed)
    order = np.random.default_rng(seed).permutation(N_ROWS * N_COLUMNS).reshape(N_ROWS, N_COLUMNS)
    for (row, column), number in np.ndenumerate(order):
        left, top = column * width, row * height
        page.crop((left, top, left + width, top + height)).save(folder / f"{number:03}.png")
    return [[f"{number:03}" for number in row] for row in order.tolist()]
