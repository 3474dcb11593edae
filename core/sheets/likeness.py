"""Whether two pictures show the same sheet: saved again, smaller, compressed, or laid on the scanner once more."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import cv2
import numpy as np

from core.arrays import Floats, Pixels
from core.parallel import map_in_order
from core.sheets.sheet import SheetInfo

_LONGER_PX, _SHORTER_PX, _LONGEST_PX = 800, 96, 1600
_SAME_ASPECT = 0.02
_THUMB_PX = 24
_LEAST_THUMB, _LEAST_THUMB_SAVED = 0.6, 0.97
_N_POINTS = 400
_NEAR_BITS, _LEAST_MATCHES = 48, 24
_BLOCK_PX = 32
_DETAIL_GREY = 5.0
_LEAST_BLOCKS = 8
_SAVED_AGAIN, _SCANNED_AGAIN = 0.9, 0.5
_NEARLY_ALL, _COMMON = 0.9, 0.8

Points: TypeAlias = tuple[Floats, Pixels | None]


@dataclass(frozen=True, eq=False)
class Likeness:
    """What a picture is compared by.

    Attributes
    ----------
    reduced : ndarray of shape (h, w) or (h, w, 3), uint8
        The picture, grey or RGB; not a copy where it was small already.
    """

    reduced: Pixels

    @classmethod
    def of(cls, pixels: Pixels) -> "Likeness":
        """Reduce a picture.

        Parameters
        ----------
        pixels : ndarray of shape (h, w) or (h, w, 3), uint8
            Grey or RGB.

        Returns
        -------
        Likeness
        """
        height, width = pixels.shape[:2]
        longer, shorter = max(height, width), min(height, width)
        scale = min(1.0, max(_LONGER_PX / longer, min(_SHORTER_PX / shorter, _LONGEST_PX / longer)))
        size = max(1, round(width * scale)), max(1, round(height * scale))
        return cls(pixels if scale == 1 else np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)))

    @property
    def grey(self) -> Pixels:
        """Its brightness; made anew each time, since many are held."""
        grey = cv2.cvtColor(self.reduced, cv2.COLOR_RGB2GRAY) if self.reduced.ndim == 3 else self.reduced
        return np.asarray(grey, np.uint8)

    def is_like(self, other: "Likeness", *, scanned_again: bool = True) -> bool:
        """Check whether another picture shows the same.

        Nearly everywhere where there is something to be seen, both must show the same strokes: two sheets on the same
        support have that alone in common.

        Parameters
        ----------
        other : Likeness
            Of the other picture.
        scanned_again : bool
            It may also lie a little otherwise, or upside down, as after another scan; not only be saved again.

        Returns
        -------
        bool

        Examples
        --------
        >>> scan = np.kron(np.random.default_rng(0).integers(0, 256, (90, 60), np.uint8), np.ones((8, 8), np.uint8))
        >>> smaller = cv2.resize(scan, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
        >>> Likeness.of(scan).is_like(Likeness.of(smaller))
        True
        >>> Likeness.of(scan).is_like(Likeness.of(scan[::-1].copy()))
        False
        """
        from_afar = float((self.thumb * other.thumb).mean())
        upside_down = float((self.thumb * other.thumb[::-1, ::-1]).mean()) if scanned_again else -1.0
        if max(from_afar, upside_down) < _LEAST_THUMB:
            return False
        if from_afar >= _LEAST_THUMB_SAVED and self._has_shape_of(other):
            size = min(self.reduced.shape[:2], other.reduced.shape[:2])
            one, same_size = (_resized(picture.grey, size) for picture in (self, other))
            if _agreement(one, same_size, np.ones(size, bool)) >= _SAVED_AGAIN:
                return True
        turn = _alignment(self._points, other._points) if scanned_again else None
        if turn is None:
            return False
        mine, others = self.grey, other.grey
        size = mine.shape[1], mine.shape[0]
        moved = cv2.warpAffine(others, turn, size, flags=cv2.INTER_LINEAR)
        inside = cv2.warpAffine(np.ones_like(others), turn, size) > 0
        return bool(
            inside.mean() >= _COMMON and _agreement(mine, np.asarray(moved, np.uint8), inside) >= _SCANNED_AGAIN
        )

    def _has_shape_of(self, other: "Likeness") -> bool:
        """Check that one could be the other at another size; a pixel more or less is none."""
        (h, w), (other_h, other_w) = self.reduced.shape[:2], other.reduced.shape[:2]
        return abs(w * other_h / (h * other_w) - 1) <= _SAME_ASPECT + 1 / min(h, w, other_h, other_w)

    @cached_property
    def thumb(self) -> Floats:
        """What it looks like from afar, of mean 0 and spread 1; a small turn hardly changes it."""
        thumb = _resized(self.grey, (_THUMB_PX, _THUMB_PX)).astype(np.float32)
        blurred = np.asarray(cv2.GaussianBlur(thumb, (0, 0), 1.5), np.float32)
        return (blurred - blurred.mean()) / max(float(blurred.std()), 1e-3)

    def find_corners(self) -> None:
        """Find the corners of strokes now, once, before several threads ask for them."""
        _ = self._points

    @cached_property
    def _points(self) -> Points:
        """Places and descriptions of corners of strokes."""
        found, described = cv2.ORB.create(_N_POINTS).detectAndCompute(self.grey, None)
        return np.array([point.pt for point in found], np.float32), None if described is None else np.asarray(
            described, np.uint8
        )


def _resized(grey: Pixels, shape: tuple[int, ...]) -> Pixels:
    """Bring to a height and width."""
    return np.asarray(cv2.resize(grey, (shape[1], shape[0]), interpolation=cv2.INTER_AREA), np.uint8)


def _alignment(one: Points, other: Points) -> Any:
    """Find the turn and the move that lay one picture's corners on those of another; None if there is none."""
    if one[1] is None or other[1] is None:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(other[1], one[1])
    near = [match for match in matches if match.distance <= _NEAR_BITS]
    if len(near) < _LEAST_MATCHES:
        return None
    source = other[0][[match.queryIdx for match in near]]
    target = one[0][[match.trainIdx for match in near]]
    cv2.setRNGSeed(0)  # the same pictures, the same answer
    turn, inliers = cv2.estimateAffinePartial2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=2.0)
    return turn if turn is not None and inliers.sum() >= _LEAST_MATCHES // 2 else None


def _agreement(one: Pixels, other: Pixels, inside: np.ndarray) -> float:
    """Compute how well two pictures agree in all but the worst tenth of the blocks that show something; -1 for few."""
    first, second = (_detail(picture) for picture in (one, other))
    side = min(_BLOCK_PX, *one.shape)
    kernel = (side, side)

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.blur(values, kernel)[side // 2 :: side, side // 2 :: side], np.float32)

    covered = mean(inside.astype(np.float32)) > 0.999
    spread_1, spread_2 = (np.sqrt(np.maximum(mean(detail * detail), 0)) for detail in (first, second))
    shown = covered & (np.maximum(spread_1, spread_2) >= _DETAIL_GREY)
    if shown.sum() < _LEAST_BLOCKS:
        return -1.0
    similarity = mean(first * second)[shown] / np.maximum(spread_1 * spread_2, 1e-3)[shown]
    return float(np.quantile(similarity, 1 - _NEARLY_ALL))


def _detail(grey: Pixels) -> Floats:
    """Keep strokes, and leave out what noise and light make of them."""
    blurred = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    return np.asarray(blurred - cv2.GaussianBlur(blurred, (0, 0), 6.0), np.float32)


class Album:
    """Sheets that were read so far, to find among them the one that another shows once more."""

    def __init__(self) -> None:
        self._seen: list[tuple[SheetInfo, Likeness]] = []
        self._thumbs = np.zeros((0, _THUMB_PX * _THUMB_PX), np.float32)

    def find(self, info: SheetInfo) -> SheetInfo | None:
        """Find the sheet that shows the same as another; one without is kept for those to come.

        Parameters
        ----------
        info : SheetInfo
            Of a sheet, with its preview.

        Returns
        -------
        SheetInfo or None
            Of an earlier sheet. A single shred is only like one that was saved again: blank ones all look alike.
        """
        likeness = Likeness.of(info.preview)
        thumb = likeness.thumb.reshape(1, -1)
        turned = thumb[:, :: 1 if info.single_shred else -1]
        from_afar = np.maximum(self._thumbs @ thumb[0], self._thumbs @ turned[0]) / thumb.size
        near = from_afar >= (_LEAST_THUMB_SAVED if info.single_shred else _LEAST_THUMB)
        alike = [self._seen[at] for at in np.flatnonzero(near) if self._seen[at][0].single_shred == info.single_shred]

        if alike and not info.single_shred:
            likeness.find_corners()

        def shows_the_same(seen: tuple[SheetInfo, Likeness]) -> bool:
            return seen[1].is_like(likeness, scanned_again=not info.single_shred)

        for (other, _), same in zip(alike, map_in_order(shows_the_same, alike), strict=False):
            if same:
                return other
        self._seen.append((info, likeness))
        self._thumbs = np.concatenate([self._thumbs, thumb])
        return None

    def exchange(self, earlier: SheetInfo, info: SheetInfo) -> None:
        """Keep a sheet in the place of one that it was found to show.

        Parameters
        ----------
        earlier : SheetInfo
            What `find` returned.
        info : SheetInfo
            Of the sheet that is used instead.
        """
        at = next(at for at, (seen, _) in enumerate(self._seen) if seen is earlier)
        self._seen[at] = info, Likeness.of(info.preview)
        self._thumbs[at] = self._seen[at][1].thumb.ravel()
