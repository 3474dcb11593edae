"""What shreds may lie on, drawn in software: card, wood, cloth, cutting mats, and what lies over them or beside them.

Nothing here knows how shreds are found; a surface looks as it looks.
"""

from collections.abc import Callable
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.float32]
"""RGB, 0 to 255, shape (h, w, 3), at 300 dpi; or one value for each pixel, shape (h, w)."""

Shape: TypeAlias = tuple[int, int]
"""Height and width in pixels."""

PX_PER_MM = 300 / 25.4


def noise(rng: np.random.Generator, shape: Shape, across_px: float, down_px: float | None = None) -> Image:
    """Draw smooth noise.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    shape : tuple of int
        Height and width.
    across_px, down_px : float
        Over how many pixels it changes; the same in both directions where only one is given.

    Returns
    -------
    ndarray of shape (h, w), float32
        Mean 0, standard deviation 1.
    """
    down_px = across_px if down_px is None else down_px
    height, width = shape
    small = (int(height / max(1.0, down_px)) + 3, int(width / max(1.0, across_px)) + 3)
    drawn = cv2.resize(rng.normal(size=small).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return ((drawn - drawn.mean()) / max(float(drawn.std()), 1e-6)).astype(np.float32)


def flat(rng: np.random.Generator, shape: Shape, colour: tuple[float, ...]) -> Image:
    """Draw a sheet of card: one colour, with the little unevenness of paper or plastic.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    shape : tuple of int
        Height and width.
    colour : tuple of float
        RGB, 0 to 255.

    Returns
    -------
    ndarray of shape (h, w, 3), float32
    """
    grain = rng.uniform(0.5, 4) * noise(rng, shape, rng.uniform(1, 5)) + rng.uniform(0, 3) * noise(rng, shape, 200)
    return np.asarray(np.array(colour, np.float32) + grain[..., None], np.float32)


def _one_of(rng: np.random.Generator, colours: list[tuple[int, int, int]]) -> tuple[float, ...]:
    """Choose a colour, and vary it."""
    return tuple(np.clip(np.array(colours[rng.integers(len(colours))]) + rng.uniform(-12, 12, 3), 0, 255))


def pale(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw pale card: cream, pad yellow, sky, mint, rose, light grey."""
    tints = [(250, 240, 170), (200, 222, 240), (205, 232, 205), (240, 200, 205), (205, 205, 205), (235, 215, 175)]
    return flat(rng, shape, _one_of(rng, tints))


def bright(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw bright card: sun yellow, orange, lime, cyan, pink."""
    tints = [(252, 220, 60), (252, 160, 60), (170, 230, 70), (90, 210, 235), (250, 130, 180)]
    return flat(rng, shape, _one_of(rng, tints))


def saturated(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw deep card: red, magenta, blue, green, violet."""
    return flat(rng, shape, _one_of(rng, [(200, 30, 40), (240, 15, 140), (30, 70, 170), (20, 120, 60), (110, 50, 150)]))


def dark(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw dark card or an open lid: black, anthracite, navy, brown."""
    return flat(rng, shape, _one_of(rng, [(18, 18, 20), (55, 56, 58), (22, 26, 60), (62, 42, 30), (20, 48, 34)]))


def mat(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw a cutting mat: a grid in centimetres, slanting lines, numbers along the rulers."""
    height, width = shape
    base = _one_of(rng, [(15, 95, 75), (30, 60, 120), (45, 48, 50), (120, 125, 125), (150, 40, 60)])
    image = flat(rng, shape, base) + 3 * noise(rng, shape, 2)[..., None]
    lines = np.zeros(shape, np.uint8)
    step, start = 10 * PX_PER_MM, rng.uniform(0, 100, 2)
    for k in range(int(max(shape) / step) + 1):
        thick = int(rng.integers(2, 4)) + 3 * (k % 5 == 0)
        x, y = (int(start[axis] + k * step) for axis in (0, 1))
        cv2.line(lines, (x, 0), (x, height), 255, thick, cv2.LINE_AA)
        cv2.line(lines, (0, y), (width, y), 255, thick, cv2.LINE_AA)
        if k % 2 == 0:
            cv2.putText(lines, str(k), (x + 6, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255, 3, cv2.LINE_AA)
    for slope in (1.0, 1.732)[: rng.integers(3)]:
        cv2.line(lines, (0, height), (int(height / slope), 0), 255, 3, cv2.LINE_AA)
    ink = np.array(_one_of(rng, [(235, 235, 225), (235, 215, 90), (190, 210, 200)]), np.float32)
    part = rng.uniform(0.5, 0.95) * lines[..., None].astype(np.float32) / 255
    return np.asarray(image * (1 - part) + ink * part, np.float32)


def wood(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw a table top: planks, grain along them, here and there a seam."""
    upright = rng.random() < 0.5
    height, width = shape if upright else shape[::-1]
    base = np.array(
        _one_of(rng, [(206, 168, 120), (160, 110, 65), (95, 62, 42), (188, 140, 88), (130, 95, 70)]), np.float32
    )
    fine = noise(rng, (height, width), 3, 120) + 0.7 * noise(rng, (height, width), 14, 700)
    warped = noise(rng, (height, width), 90, 900)
    grain = fine + np.sin(6 * warped + np.arange(width)[None, :] / rng.uniform(8, 25)) * rng.uniform(0.3, 1.2)
    image = base * (1 + rng.uniform(0.03, 0.09) * grain[..., None])
    for edge in np.arange(rng.uniform(100, 500), width, rng.uniform(700, 1500)).astype(int):
        image[:, edge:] *= rng.uniform(0.9, 1.1)
        image[:, edge : edge + int(rng.integers(2, 7))] *= 0.5
    return np.asarray(image if upright else image.transpose(1, 0, 2), np.float32)


def cloth(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw woven cloth: threads, their unevenness, perhaps stripes of another colour."""
    height, width = shape
    rows, columns = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None, :]
    period = rng.uniform(4, 14)
    bend = 2 * noise(rng, shape, 150)
    weave = np.sin((columns + bend) * 2 * np.pi / period) * np.sin((rows + bend) * 2 * np.pi / period)
    base = np.array(
        _one_of(rng, [(60, 80, 130), (120, 40, 45), (70, 95, 70), (150, 130, 100), (90, 92, 98)]), np.float32
    )
    image = np.broadcast_to(base, (height, width, 3)).copy()
    if rng.random() < 0.4:
        stripe = np.array(_one_of(rng, [(180, 60, 50), (40, 50, 90), (170, 160, 120)]), np.float32)
        wide = rng.uniform(60, 300)
        image[:, (columns[0] // wide % 2 == 0)] = stripe
    threads = 0.5 * noise(rng, shape, 3, 60) + 0.5 * noise(rng, shape, 60, 3)
    return np.asarray(image * (1 + rng.uniform(0.05, 0.16) * weave + 0.05 * threads)[..., None], np.float32)


def two_colours(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw two cards side by side, or one that lies askew on the other."""
    one, other = (kind(rng, shape) for kind in rng.choice(np.array([pale, bright, saturated, dark]), 2, replace=False))
    height, width = shape
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    turn = rng.uniform(0, np.pi)
    centre = rng.uniform(0.3, 0.7, 2) * (width, height)
    beyond = (columns - centre[0]) * np.cos(turn) + (rows - centre[1]) * np.sin(turn) > 0
    return np.asarray(np.where(beyond[..., None], one, other), np.float32)


SURFACES: dict[str, Callable[[np.random.Generator, Shape], Image]] = {
    "pale": pale,
    "bright": bright,
    "saturated": saturated,
    "dark": dark,
    "mat": mat,
    "wood": wood,
    "cloth": cloth,
    "two colours": two_colours,
}
"""Each draws a surface of the size asked for."""


def support_shape(rng: np.random.Generator, shape: Shape, margin_px: float) -> Image:
    """Draw where a support lies that is smaller than the bed, cut or torn by hand.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    shape : tuple of int
        Height and width of the bed.
    margin_px : float
        So much of the bed at most it leaves uncovered at each side.

    Returns
    -------
    ndarray of shape (h, w), float32
        1 on the support, 0 beside it.
    """
    height, width = shape
    left, right, top, bottom = (
        margin * rng.uniform(0.3, 1) if rng.random() < 0.7 else -2 * margin_px for margin in 4 * [margin_px]
    )
    wave = rng.uniform(0, 0.12 * margin_px)
    rows, columns = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None, :]
    tilt = rng.uniform(-0.012, 0.012)
    down, across = ([wave * noise(rng, (size, 1), 1, rng.uniform(80, 400))[:, 0] for _ in "12"] for size in shape)
    inside = (columns - tilt * rows > left + down[0][:, None]) & (
        columns - tilt * rows < width - right + down[1][:, None]
    )
    inside &= (rows + tilt * columns > top + across[0]) & (rows + tilt * columns < height - bottom + across[1])
    return np.asarray(cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.8), np.float32)


def lid(rng: np.random.Generator, shape: Shape) -> Image:
    """Draw the scanner's lid: white, a little cold or warm, seldom grey."""
    white = (238, 238, 238) if rng.random() < 0.8 else (186, 188, 190)
    return flat(rng, shape, tuple(np.array(white) + rng.uniform(-6, 17) + rng.uniform(-4, 4, 3)))


def lay_tape(rng: np.random.Generator, image: Image) -> Image:
    """Lay strips of clear or frosted adhesive tape across a picture."""
    image = image.copy()
    height, width = image.shape[:2]
    for _ in range(rng.integers(1, 4)):
        wide = rng.uniform(12, 25) * PX_PER_MM
        y = rng.uniform(0.1, 0.9) * height
        rows = np.arange(height)[:, None] - y - rng.uniform(-0.03, 0.03) * np.arange(width)[None, :]
        on = cv2.GaussianBlur((abs(rows) < wide / 2).astype(np.float32), (0, 0), 0.8)[..., None]
        edge = cv2.GaussianBlur((abs(abs(rows) - wide / 2) < 1.5).astype(np.float32), (0, 0), 0.8)[..., None]
        haze, tint = rng.uniform(0.04, 0.28), np.array((238, 234, 215), np.float32)
        image = (image * (1 - haze) + tint * haze) * on + image * (1 - on)
        image *= 1 - rng.uniform(0.05, 0.2) * edge
    return np.asarray(image, np.float32)


def lay_pocket(rng: np.random.Generator, image: Image) -> Image:
    """Lay a transparent pocket over a picture: a veil, soft reflections, and a welded edge."""
    shape = image.shape[:2]
    height, width = shape
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    shine = np.full(shape, rng.uniform(0.02, 0.08), np.float32)
    for _ in range(rng.integers(2, 6)):
        turn, soft = rng.uniform(0, np.pi), rng.uniform(15, 90)
        centre = rng.uniform(0.05, 0.95, 2) * (width, height)
        across = (columns - centre[0]) * np.cos(turn) + (rows - centre[1]) * np.sin(turn) + 15 * noise(rng, shape, 400)
        along = -(columns - centre[0]) * np.sin(turn) + (rows - centre[1]) * np.cos(turn)
        streak = np.exp(-((across / soft) ** 2) / 2 - (along / rng.uniform(200, 900)) ** 2 / 2)
        shine += rng.uniform(0.1, 0.5) * streak.astype(np.float32)
    shine = np.clip(shine, 0, 0.95)[..., None]
    image = image * (1 - shine) + np.array((252, 252, 255), np.float32) * shine
    x = int(rng.uniform(0.02, 0.08) * width)
    image[:, x : x + 3] = image[:, x : x + 3] * 0.7 + 60
    return np.asarray(image, np.float32)
