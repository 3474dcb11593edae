"""Characters on a shred: whole ones, and those that touch a border and may be cut."""

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from core.shreds.binarization import binarize
from core.shreds.shred import Shred, upright
from core.units import PX_PER_MM

LOWEST_LINE_MM, HIGHEST_LINE_MM = 1.8, 5.5
"""Height of a line of text; what is higher is no text."""

LETTER_GAP_MM = 1.2
"""Ink that is no further apart horizontally belongs to the same line."""

NEAR_BORDER_MM = 0.5
"""A character that comes so near to the contour may be cut."""

LEAST_OVERLAP = 0.5
"""Parts of a line that overlap by so much of the narrower one's width are one character: dots, accents."""

LEAST_HEIGHT, LEAST_AREA = 0.6, 0.4
"""A whole character has at least this share of the median height and of the median area of its box."""

Ink: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Character:
    """Ink that belongs together.

    Attributes
    ----------
    top_px : int
        Row of the common frame in which it begins.
    ink : ndarray of shape (h, w), bool
        Its pixels.
    """

    top_px: int
    ink: Ink

    @property
    def bottom_px(self) -> int:
        """Row of the common frame after its last."""
        return self.top_px + len(self.ink)


@dataclass(frozen=True)
class Characters:
    """The characters of a shred, those at the borders from top to bottom.

    Attributes
    ----------
    left, right : tuple of Character
        Those that touch the left and the right border.
    inner : tuple of Character
        The others: whole ones.
    """

    left: tuple[Character, ...]
    right: tuple[Character, ...]
    inner: tuple[Character, ...]


def find_characters(shred: Shred) -> Characters:
    """Find the characters of a shred.

    Parameters
    ----------
    shred : Shred
        Upright.

    Returns
    -------
    Characters
        None where there is no text.
    """
    pixels, mask = upright(shred)
    ink = binarize(pixels, mask)
    near = round(NEAR_BORDER_MM * PX_PER_MM)
    first = mask.argmax(axis=1) + near
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1) - near
    widest = int(mask.sum(axis=1).mean() / 2)
    found: dict[str, list[Character]] = {"left": [], "right": [], "inner": []}
    for line_x, line_y, line in _lines(ink):
        for part_x, part_y, patch in _parts_of_line(line, widest):
            x, y = line_x + part_x, line_y + part_y
            rows = slice(y, y + len(patch))
            if (x <= first[rows]).any():
                place = "left"
            elif (x + patch.shape[1] - 1 >= last[rows]).any():
                place = "right"
            else:
                place = "inner"
            found[place].append(Character(shred.frame_top_px + y, patch))
    left, right = (tuple(sorted(found[side], key=lambda one: one.top_px)) for side in ("left", "right"))
    return Characters(left, right, tuple(found["inner"]))


def whole_characters(candidates: list[Character]) -> list[Character]:
    """Leave out what is much smaller than most: points, commas, specks."""
    if not candidates:
        return []
    height, area = np.median([(len(one.ink), one.ink.size) for one in candidates], axis=0)
    return [one for one in candidates if len(one.ink) > LEAST_HEIGHT * height and one.ink.size > LEAST_AREA * area]


def _lines(ink: Ink) -> list[tuple[int, int, Ink]]:
    """Find lines of text: column and row of the box around each, and its ink without that of other lines."""
    reach = np.ones((1, 2 * round(LETTER_GAP_MM * PX_PER_MM / 2) + 1), dtype=np.uint8)
    smeared = cv2.dilate(ink.astype(np.uint8), reach)
    n, labels, boxes, _ = cv2.connectedComponentsWithStats(smeared, connectivity=8)
    lines = []
    for number in range(1, n):
        x, y, width, height = (int(value) for value in boxes[number, :4])
        if LOWEST_LINE_MM * PX_PER_MM <= height <= HIGHEST_LINE_MM * PX_PER_MM:
            box = slice(y, y + height), slice(x, x + width)
            lines.append((x, y, ink[box] & (labels[box] == number)))
    return lines


def _parts_of_line(line: Ink, widest_px: int) -> list[tuple[int, int, Ink]]:
    """Find the characters of a line, parts one above the other taken together."""
    n, labels, boxes, _ = cv2.connectedComponentsWithStats(line.astype(np.uint8), connectivity=8)
    narrow = [number for number in range(1, n) if boxes[number, cv2.CC_STAT_WIDTH] <= widest_px]
    groups: list[tuple[int, int, list[int]]] = []  # first column, column after the last, components
    for number in sorted(narrow, key=lambda one: -int(boxes[one, cv2.CC_STAT_WIDTH])):
        start = int(boxes[number, cv2.CC_STAT_LEFT])
        stop = start + int(boxes[number, cv2.CC_STAT_WIDTH])
        for index, (first, after, members) in enumerate(groups):
            overlap = min(stop, after) - max(start, first)
            if overlap >= LEAST_OVERLAP * min(stop - start, after - first):
                groups[index] = min(first, start), max(after, stop), [*members, number]
                break
        else:
            groups.append((start, stop, [number]))
    characters = []
    for start, stop, members in groups:
        patch = np.isin(labels[:, start:stop], members)
        rows = np.flatnonzero(patch.any(axis=1))
        characters.append((start, int(rows[0]), patch[rows[0] : rows[-1] + 1]))
    return characters
