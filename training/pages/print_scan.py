"""Printing, copying and scanning a clean page, in software.

A clean page knows only black, white and exact edges. What an encoder meets are strokes that gained or lost width, rough
or broken edges, specks, halftone dots, the other side shining through, uneven light, a slight turn, JPEG blocks. How
much of each a page gets is drawn from a generator, so that it is reproducible; with bits as well, on one machine.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Ink = NDArray[np.float32]
"""Share of each pixel that is covered with ink, 0 to 1; shape (h, w)."""


@dataclass(frozen=True)
class Copy:
    """A photocopy or fax: the page is seen in black and white, and printed again.

    Attributes
    ----------
    resolution : float
        Relative to 300 dpi; a fax has 0.67 or less.
    blur_px : float
        Of the copier's lens.
    threshold : float
        Coverage above which a pixel is black, relative to that of strokes: below a half they gain, above they lose.
    noise : float
        Spread of the coverage as the copier sees it.
    """

    resolution: float
    blur_px: float
    threshold: float
    noise: float


@dataclass(frozen=True)
class Treatment:
    """What happens to a page, in this order.

    Attributes
    ----------
    angle_deg, scale : float
        How it lies on the scanner, and how the printer scales it.
    screen_px, screen_deg : float
        Period and angle of the halftone.
    needles : bool
        Whether a matrix printer prints it, dot by dot.
    print_blur_px, gain, softness, roughness : float
        Of the printed edge: how far ink spreads, how much coverage strokes gain, over which range of coverage ink
        fades, how much the edge wanders.
    unevenness : float
        Of toner or ribbon over the page.
    specks, holes : float
        Dots of toner on paper, and missing ones in ink, per megapixel.
    copies : tuple of Copy
        Generations of copies.
    shadows : int
        Dark edges, punch holes and staples that a copier or scanner saw.
    ink, paper : float
        Their grey values.
    bleed, bleed_blur_px : float
        Share of the other side's contrast that shines through, and how blurred.
    light : float
        Unevenness of the light, in grey values.
    scan_blur_px, sharpening : float
        Of the scanner's lens, and how much of that its software undoes and overdoes.
    grain, grain_px : float
        Spread of the paper's and the scanner's noise in grey values, and its size.
    white, black : float
        What the scanner's software makes 255 and 0.
    jpeg : int
        Quality; 0 for none.
    """

    angle_deg: float
    scale: float
    screen_px: float
    screen_deg: float
    needles: bool
    print_blur_px: float
    gain: float
    softness: float
    roughness: float
    unevenness: float
    specks: float
    holes: float
    copies: tuple[Copy, ...]
    shadows: int
    ink: float
    paper: float
    bleed: float
    bleed_blur_px: float
    light: float
    scan_blur_px: float
    sharpening: float
    grain: float
    grain_px: float
    white: float
    black: float
    jpeg: int


def draw_treatment(rng: np.random.Generator) -> Treatment:
    """Draw what happens to a page: to most little, to some much."""
    wear = rng.beta(1.1, 2.6)
    n_copies = int(rng.choice(3, p=(0.55, 0.35, 0.10)))
    paper = rng.uniform(222, 252)
    cleaned = rng.random() < 0.7  # most scanners' software makes paper white
    return Treatment(
        angle_deg=rng.normal(0, 0.35),
        scale=rng.uniform(0.98, 1.02),
        screen_px=rng.uniform(2.8, 6.5),
        screen_deg=float(rng.choice((0.0, 15.0, 45.0, 45.0, 75.0))),
        needles=bool(rng.random() < 0.03),
        print_blur_px=rng.uniform(0.4, 0.9 + 0.5 * wear),
        gain=rng.normal(0.02, 0.05 + 0.1 * wear),
        softness=rng.uniform(0.25, 0.7),
        roughness=rng.uniform(0.02, 0.1 + 0.4 * wear),
        unevenness=rng.uniform(0, 0.08 + 0.3 * wear) if rng.random() < 0.5 else 0.0,
        specks=10 ** rng.normal(0.5 + 1.0 * wear, 0.6),
        holes=10 ** rng.normal(0.3 + 1.3 * wear, 0.7),
        copies=tuple(_draw_copy(rng, wear) for _ in range(n_copies)),
        shadows=int(rng.integers(1, 4)) if rng.random() < 0.15 else 0,
        ink=rng.uniform(0, 65),
        paper=paper,
        bleed=rng.uniform(0.02, 0.16) if rng.random() < 0.3 else 0.0,
        bleed_blur_px=rng.uniform(1.5, 5),
        light=rng.uniform(0, 12) if rng.random() < 0.5 else 0.0,
        scan_blur_px=rng.uniform(0.4, 1.1),
        sharpening=rng.uniform(0.2, 1.5) if rng.random() < 0.5 else 0.0,
        grain=rng.uniform(0.5, 3 + 5 * wear),
        grain_px=rng.uniform(0.5, 1.6) if rng.random() < 0.5 else 0.0,
        white=paper - rng.uniform(4, 30) if cleaned else 255.0,
        black=rng.uniform(0, 40),
        jpeg=int(rng.integers(55, 97)) if rng.random() < 0.85 else 0,
    )


def _draw_copy(rng: np.random.Generator, wear: float) -> Copy:
    """Draw how a copy is made."""
    return Copy(
        resolution=float(rng.choice((0.67, 0.67, 0.8, 1.0, 1.0, 1.33))),
        blur_px=rng.uniform(0.5, 1.1),
        threshold=rng.normal(0.46, 0.05 + 0.05 * wear),
        noise=rng.uniform(0.02, 0.06 + 0.15 * wear),
    )


def print_and_scan(
    clean: NDArray[np.uint8], treatment: Treatment, rng: np.random.Generator, behind: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Print a page, copy it and scan it.

    Parameters
    ----------
    clean : ndarray of shape (h, w), uint8
        Page at 300 dpi, black on 255.
    treatment : Treatment
        How.
    rng : Generator
        Source of the noise.
    behind : ndarray of shape (h', w'), uint8, optional
        The page on the other side of the paper.

    Returns
    -------
    ndarray of shape (h, w), uint8
        The scan.
    """
    screened = _screen(_lay(clean, treatment.angle_deg, treatment.scale), treatment)
    ink = _print(screened, treatment, rng)
    for copy in treatment.copies:
        ink = _copy(ink, copy, rng)
    ink = _soil(ink, treatment, rng)
    return _scan(ink, _other_side(behind, ink.shape, treatment), treatment, rng)


def _lay(grey: NDArray[np.uint8], angle_deg: float, scale: float) -> NDArray[np.uint8]:
    """Turn and scale a page about its middle."""
    height, width = grey.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, scale)
    return np.asarray(
        cv2.warpAffine(grey, matrix, (width, height), flags=cv2.INTER_LINEAR, borderValue=(255.0,)), np.uint8
    )


def _screen(grey: NDArray[np.uint8], treatment: Treatment) -> NDArray[np.uint8]:
    """Turn grey areas into halftone dots; edges of letters are narrower than an area and stay."""
    middle = ((grey > 12) & (grey < 243)).astype(np.uint8)
    areas = cv2.dilate(cv2.erode(middle, np.ones((7, 7), np.uint8)), np.ones((11, 11), np.uint8))
    if not areas.any():
        return grey
    x, y, width, height = cv2.boundingRect(areas)
    part, inside = grey[y : y + height, x : x + width], areas[y : y + height, x : x + width] > 0
    turn, step = np.radians(treatment.screen_deg), 2 * np.pi / treatment.screen_px
    row, column = np.ogrid[:height, :width]
    along = step * (np.cos(turn) * column + np.sin(turn) * row)
    across = step * (np.cos(turn) * row - np.sin(turn) * column)
    pattern = (np.cos(along) + np.cos(across)).astype(np.float32) / 4 + 0.5
    dots = np.clip((part / np.float32(255) - pattern) * 4 + 0.5, 0, 1) * 255
    screened = grey.copy()
    screened[y : y + height, x : x + width] = np.where(inside, dots, part).astype(np.uint8)
    return screened


def _print(grey: NDArray[np.uint8], treatment: Treatment, rng: np.random.Generator) -> Ink:
    """Print ink on paper."""
    wanted: Ink = np.float32(1) - grey.astype(np.float32) / np.float32(255)
    if treatment.needles:
        wanted = _needle_dots(wanted)
    spread = _blur(wanted, treatment.print_blur_px)
    shift = treatment.roughness * _noise(rng, spread.shape, 1.2) + treatment.unevenness * _noise(rng, spread.shape, 45)
    # Noise moves edges; it neither inks bare paper nor bares full ink. Dots and holes do that.
    spread += shift * 4 * spread * (1 - spread) + treatment.unevenness * np.minimum(shift, 0) * spread
    ink = (spread - 0.5 + treatment.gain) / treatment.softness + 0.5
    return np.clip(ink, 0, 1, out=ink)


def _needle_dots(wanted: Ink) -> Ink:
    """Print dots of a third of a millimetre, 120 by 72 an inch."""
    height, width = wanted.shape
    coarse = cv2.resize(wanted, (width * 120 // 300, height * 72 // 300), interpolation=cv2.INTER_AREA)
    rows, columns = np.nonzero(coarse > 0.42)
    dots = np.zeros((height, width), np.uint8)
    dots[(rows * 300 // 72 + 2).clip(max=height - 1), (columns * 300 // 120 + 1).clip(max=width - 1)] = 1
    return cv2.dilate(dots, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))).astype(np.float32)


def _copy(ink: Ink, copy: Copy, rng: np.random.Generator) -> Ink:
    """See the page in black and white, and print that."""
    height, width = ink.shape
    seen = _blur(ink, copy.blur_px)
    if copy.resolution != 1:
        seen = _resize(seen, round(height * copy.resolution), round(width * copy.resolution))
    # Exposure follows the strokes, or thin ones would be gone: nobody keeps a copy without the text.
    noise = copy.noise * np.clip(4 * seen, 0.25, 1) * _noise(rng, seen.shape, 0.8)  # weak on bare paper
    black = (seen + noise > copy.threshold * _darkness(seen)).astype(np.float32)
    if copy.resolution != 1:
        black = np.clip((_resize(black, height, width) - 0.5) * 2.5 + 0.5, 0, 1)
    return _blur(black, 0.55)


def _darkness(seen: Ink) -> Ink:
    """Estimate how dark the strokes around each pixel are, 0.5 to 1."""
    coarse = cv2.dilate(seen, np.ones((5, 5), np.uint8))[::4, ::4]
    coarse = cv2.dilate(coarse, np.ones((9, 9), np.uint8))
    return np.clip(_resize(np.asarray(coarse, np.float32), *seen.shape), 0.5, 1)


def _soil(ink: Ink, treatment: Treatment, rng: np.random.Generator) -> Ink:
    """Add specks, holes, and what a copier sees beside the page."""
    ink = np.maximum(ink, _dots(rng, ink.shape, treatment.specks))
    # Holes are drawn all over the page, and show where there is ink.
    ink = np.minimum(ink, 1 - _dots(rng, ink.shape, 20 * treatment.holes))
    height = len(ink)
    for _ in range(treatment.shadows):
        match rng.integers(4):
            case 0:  # the edge of the paper
                ink[:, : int(rng.integers(10, 70))] = 1
            case 1:
                ink[-int(rng.integers(10, 70)) :] = 1
            case 2:  # punch holes
                radius, left = int(rng.integers(25, 40)), int(rng.integers(60, 160))
                for y in (height // 2 - 470, height // 2 + 470):
                    cv2.circle(ink, (left, y), radius, (1.0,), -1)
            case _:  # a staple
                x, y, turn = int(rng.integers(40, 220)), int(rng.integers(40, 220)), rng.uniform(0, np.pi)
                end = int(x + 110 * np.cos(turn)), int(y + 110 * np.sin(turn))
                cv2.line(ink, (x, y), end, (0.9,), 5)
    return ink


def _other_side(behind: NDArray[np.uint8] | None, shape: tuple[int, ...], treatment: Treatment) -> Ink | None:
    """Compute what shines through, mirrored and blurred."""
    if behind is None or treatment.bleed == 0:
        return None
    height, width = shape
    mirrored = np.full(shape, 255, np.uint8)
    part = behind[:height, :width][:, ::-1]
    mirrored[: part.shape[0], width - part.shape[1] :] = part
    return treatment.bleed * _blur((255 - mirrored).astype(np.float32) / np.float32(255), treatment.bleed_blur_px)


def _scan(ink: Ink, shining: Ink | None, treatment: Treatment, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Light the paper, see it, and save it."""
    seen = ink if shining is None else np.maximum(ink, shining)
    seen = _blur(seen, treatment.scan_blur_px)
    grey = treatment.paper - (treatment.paper - treatment.ink) * seen
    if treatment.light:
        cells = rng.uniform(-1, 0, (3, 3)).astype(np.float32)
        grey += treatment.light * _resize(cells, *grey.shape)
    grey += treatment.grain * _noise(rng, grey.shape, treatment.grain_px)
    if treatment.sharpening:
        grey += treatment.sharpening * (grey - _blur(grey, 1.2))
    grey = (grey - treatment.black) * (255 / (treatment.white - treatment.black))
    scan = np.clip(grey, 0, 255).astype(np.uint8)
    if treatment.jpeg:
        data = cv2.imencode(".jpg", scan, [cv2.IMWRITE_JPEG_QUALITY, treatment.jpeg])[1]
        scan = np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)
    return scan


def _noise(rng: np.random.Generator, shape: tuple[int, ...], size_px: float) -> Ink:
    """Draw noise of spread 1 that wanders over about `size_px`."""
    height, width = shape
    coarseness = max(1, round(size_px / 1.5))
    rough = rng.standard_normal((-(-height // coarseness), -(-width // coarseness)), dtype=np.float32)
    if size_px / coarseness > 0.3:
        rough = _blur(rough, size_px / coarseness)
        rough /= max(float(rough.std()), 1e-6)
    return _resize(rough, height, width) if coarseness > 1 else rough


def _dots(rng: np.random.Generator, shape: tuple[int, ...], per_megapixel: float) -> Ink:
    """Draw dots of 1 to 5 pixels in random places, small ones most often."""
    height, width = shape
    dots = np.zeros(shape, np.uint8)
    for size_px, share in ((1, 0.5), (2, 0.28), (3, 0.15), (5, 0.07)):
        layer = np.zeros(shape, np.uint8)
        n = rng.poisson(share * per_megapixel * height * width / 1e6)
        layer[rng.integers(0, height, n), rng.integers(0, width, n)] = 1
        np.maximum(dots, cv2.dilate(layer, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size_px, size_px))), out=dots)
    return dots.astype(np.float32)


def _blur(image: Ink, sigma_px: float) -> Ink:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.float32)


def _resize(image: Ink, height: int, width: int) -> Ink:
    """Resample: averaged when it shrinks, linear when it grows."""
    shrinks = height < image.shape[0]
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (width, height), interpolation=method), np.float32)
