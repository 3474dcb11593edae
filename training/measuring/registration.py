"""Where on its intact page a shred belongs: what poses are measured against."""

from dataclasses import dataclass

import cv2
import numpy as np

from core.arrays import Doubles, Floats, Mask, Pixels
from core.composition.heights import darkness
from core.matching.contour import vertex

COARSE = 0.125
"""A shred is looked for on a copy of the page that is smaller by this factor."""

ANGLES_DEG = np.arange(-3.5, 3.6, 0.25)
"""At these angles; blocks find the rest."""

BLOCK_ROWS = 300
"""Blocks of so many rows are looked for on the page."""

ROUNDS = ((14, 0.4), (6, 0.5), (6, 0.6))
"""Blocks are looked for so many pixels around; those whose ink correlates less are not what they are taken for."""

PLACES = 4
"""So many places are tried: on a small copy one line of print is much like the next."""

LEAST_BLOCKS = 3

BLUR_PX = 15
"""At last all of a shred is moved until it correlates best with its page: first blurred by so much, then as it is."""

LEAST_ALIKE, MORE_ALIKE = 0.75, 1.05
"""A place is believed where a shred correlates by the first, and by so many times more than anywhere else."""

ELSEWHERE_PX = 8
"""Farther off is another place."""

_AROUND_PX = 60


@dataclass(frozen=True, eq=False)
class Registered:
    """A shred's true place.

    Attributes
    ----------
    matrix : ndarray of shape (2, 3), float64
        Takes (column, row, 1) of the shred's picture to (x, y) of the intact page.
    off_px : float
        By how much its blocks lie elsewhere than a rigid shred's would (root mean square): scans and paper are not
        quite rigid.
    """

    matrix: Doubles
    off_px: float


def register(pixels: Pixels, mask: Mask, page: Floats) -> Registered | None:
    """Find the pose at which a shred shows what its page shows there.

    Parameters
    ----------
    pixels, mask
        Of the shred, as `core.composition.heights.darkness` takes them.
    page : ndarray of shape (h, w), float32
        Darkness of the intact page.

    Returns
    -------
    Registered or None
        None if fewer than `LEAST_BLOCKS` blocks of it are found, or if it is as much like another place.
    """
    ink, _ = darkness(pixels, mask)
    middle = (ink.shape[1] - 1) / 2, (ink.shape[0] - 1) / 2, 1

    def elsewhere(one: Registered, other: Registered) -> bool:
        return float(np.abs((one.matrix - other.matrix) @ middle).max()) > ELSEWHERE_PX

    places: list[tuple[float, Registered]] = []
    for start in _coarse(ink, page):
        found = _refined(ink, page, start)
        if found is not None and all(elsewhere(found, other) for _, other in places):
            places.append(_aligned(ink, page, found))
    if not places:
        return None
    most, best = max(places, key=lambda place: place[0])
    others = max((alike for alike, place in places if elsewhere(place, best)), default=0.0)
    return best if most > max(LEAST_ALIKE, MORE_ALIKE * others) else None


def _refined(ink: Floats, page: Floats, matrix: Doubles) -> Registered | None:
    """Find a shred near a place, block by block."""
    off_px = np.inf
    for search_px, least_alike in ROUNDS:
        here, there = _blocks(ink, page, matrix, search_px, least_alike)
        if len(here) < LEAST_BLOCKS:
            return None
        matrix = rigid_fit(here, there)
        distance = np.linalg.norm(there - moved(here, matrix), axis=1)
        off_px = float(np.sqrt(np.mean(np.minimum(distance, 3 * np.median(distance)) ** 2)))
    return Registered(matrix, off_px)


def _aligned(ink: Floats, page: Floats, found: Registered) -> tuple[float, Registered]:
    """Move and turn all of a shred until it correlates best with its page; with how well it does.

    Blocks tell little along lines of print, where one letter is much like the next; all of them together do
    (Evangelidis and Psarakis 2008, DOI 10.1109/TPAMI.2008.113).
    """
    columns = np.flatnonzero((ink > 0).any(axis=0))
    first, end = int(columns[0]), int(columns[-1]) + 1
    corners = np.array([[x, y, 1] for x in (first, end) for y in (0, len(ink))]) @ found.matrix[0]
    left = int(max(corners.min() - _AROUND_PX, 0))
    right = int(min(corners.max() + _AROUND_PX, page.shape[1]))
    to_crop, from_crop = np.array([[0, 0, -left], [0, 0, 0]]), np.array([[0, 0, left], [0, 0, 0]])
    within = found.matrix + to_crop + np.outer(found.matrix[:, 0], (0, 0, first))
    seen, shred = np.ascontiguousarray(page[:, left:right]), np.ascontiguousarray(ink[:, first:end])
    rough, rough_page = (cv2.GaussianBlur(one, (BLUR_PX, BLUR_PX), 0) for one in (shred, seen))
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        _, matrix = cv2.findTransformECC(rough, rough_page, within.astype(np.float32), cv2.MOTION_EUCLIDEAN, stop)
        alike, matrix = cv2.findTransformECC(shred, seen, matrix, cv2.MOTION_EUCLIDEAN, stop)
    except cv2.error:  # it does not converge: the shred is not what stands here
        return 0.0, found
    whole = np.asarray(matrix, np.float64) + from_crop
    return alike, Registered(whole - np.outer(whole[:, 0], (0, 0, first)), found.off_px)


def _coarse(ink: Floats, page: Floats) -> list[Doubles]:
    """Find the places where the shred may lie, at a few angles."""
    small, small_page = (cv2.resize(one, None, None, COARSE, COARSE, cv2.INTER_AREA) for one in (ink, page))
    height, width = small.shape
    room, around = height // 8, 30
    wide_page = cv2.copyMakeBorder(small_page, around, around, around, around, cv2.BORDER_CONSTANT, value=0)
    found = []
    for angle_deg in ANGLES_DEG.tolist():
        matrix = np.asarray(cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle_deg, 1.0), np.float64)
        matrix[:, 2] += room
        turned = cv2.warpAffine(small, matrix, (width + 2 * room, height + 2 * room))
        rows, columns = (np.flatnonzero(turned.max(axis=axis) > 0.01) for axis in (1, 0))
        if len(rows) == 0:
            continue
        cut = turned[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        if any(side > side_of_page for side, side_of_page in zip(cut.shape, wide_page.shape, strict=True)):
            continue
        _, alike, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(wide_page, cut, cv2.TM_CCORR_NORMED))
        matrix[:, 2] += (x - around - columns[0], y - around - rows[0])
        found.append((alike, matrix))
    # (k + 1/2) / COARSE - 1/2 is where the middle of the small pixel k lies.
    half = (1 / COARSE - 1) / 2
    places: list[Doubles] = []
    for _, matrix in sorted(found, key=lambda one: -one[0]):
        middle = matrix @ ((width - 1) / 2, (height - 1) / 2, 1)
        if len(places) < PLACES and all(np.abs(middle - other).max() > 1.5 for other in _middles(places, small.shape)):
            places.append(matrix)
    for matrix in places:
        matrix[:, 2] = matrix[:, 2] / COARSE + half - matrix[:, :2] @ (half, half)
    return places


def _middles(places: list[Doubles], shape: tuple[int, ...]) -> list[Doubles]:
    return [place @ ((shape[1] - 1) / 2, (shape[0] - 1) / 2, 1) for place in places]


def _blocks(ink: Floats, page: Floats, matrix: Doubles, search_px: int, least_alike: float) -> tuple[Doubles, Doubles]:
    """Find blocks of a shred near where they are thought to be: their middles on it, and on the page."""
    height, width = page.shape
    turned = cv2.warpAffine(ink, matrix, (width, height))
    columns = np.flatnonzero(turned.max(axis=0) > 0)
    here, there = [], []
    if len(columns) == 0:
        return np.zeros((0, 2)), np.zeros((0, 2))
    first, end = max(int(columns[0]), search_px), min(int(columns[-1]) + 1, width - search_px)
    for top in range(search_px, height - BLOCK_ROWS - search_px, BLOCK_ROWS // 2):
        block = turned[top : top + BLOCK_ROWS, first:end]
        if min(block.shape) == 0 or block.std() < 0.01:
            continue
        around = page[top - search_px : top + BLOCK_ROWS + search_px, first - search_px : end + search_px]
        alike = np.asarray(cv2.matchTemplate(around, block, cv2.TM_CCOEFF_NORMED), np.float32)
        _, best, _, (x, y) = cv2.minMaxLoc(alike)
        if best > least_alike and 0 < x < 2 * search_px and 0 < y < 2 * search_px:
            middle = np.array([(first + end - 1) / 2, top + (BLOCK_ROWS - 1) / 2])
            off = np.array([x + vertex(*alike[y, x - 1 : x + 2]), y + vertex(*alike[y - 1 : y + 2, x])]) - search_px
            here.append(middle)
            there.append(middle + off)
    back = np.asarray(cv2.invertAffineTransform(matrix), np.float64)
    return moved(np.reshape(here, (-1, 2)), back), np.reshape(there, (-1, 2))


def rigid_fit(here: Doubles, there: Doubles) -> Doubles:
    """Find the turn and the move that bring points onto others; a few that do not fit do little harm.

    Parameters
    ----------
    here, there : ndarray of shape (n, 2), float64
        Points, and where they are to come.

    Returns
    -------
    ndarray of shape (2, 3), float64
        Takes (x, y, 1) to (x, y).
    """
    weight = np.ones(len(here))
    matrix = np.eye(2, 3)
    for _ in range(15):
        share = weight[:, None] / weight.sum()
        centre, aim = (share * here).sum(axis=0), (share * there).sum(axis=0)
        u, _, vt = np.linalg.svd((share * (here - centre)).T @ (there - aim))
        turn = vt.T @ np.diag([1, np.linalg.det(vt.T @ u.T)]) @ u.T
        matrix = np.column_stack([turn, aim - turn @ centre])
        weight = 1 / np.maximum(np.linalg.norm(there - moved(here, matrix), axis=1), 0.5)
    return np.asarray(matrix, np.float64)


def stretched_fit(here: Doubles, there: Doubles) -> Doubles:
    """Find the map that brings points onto others where both axes may also be stretched and sheared.

    Parameters
    ----------
    here, there : ndarray of shape (n, 2), float64
        Points, and where they are to come; at least three, not on one line.

    Returns
    -------
    ndarray of shape (2, 3), float64
        Takes (x, y, 1) to (x, y).
    """
    ones = np.column_stack([here, np.ones(len(here))])
    weight, matrix = np.ones(len(here)), np.eye(2, 3)
    for _ in range(15):
        root = np.sqrt(weight)[:, None]
        matrix = np.linalg.lstsq(root * ones, root * there)[0].T
        weight = 1 / np.maximum(np.linalg.norm(there - moved(here, matrix), axis=1), 0.5)
    return np.asarray(matrix, np.float64)


def moved(points: Doubles, matrix: Doubles) -> Doubles:
    """Move points.

    Parameters
    ----------
    points : ndarray of shape (n, 2), float64
        (x, y).
    matrix : ndarray of shape (2, 3), float64
        Takes (x, y, 1) to (x, y).

    Returns
    -------
    ndarray of shape (n, 2), float64
        Where they lie then.
    """
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float64)
