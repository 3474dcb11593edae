"""The support on a photograph: the four corners of a card, pad or mat that is seen whole."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from core.arrays import Doubles, Floats, Pixels

_GLANCE_PX = 1000
_BLUR_PX = 5
_LEAST_SEGMENT_PX, _BRIDGED_PX = 14, 4
_SAME_DEG, _SAME_PX = 1.5, 4.0
_LONG_SHARE = 0.25
_MOST_LINES, _MOST_GATHERED = 40, 120
_SEEN, _SIDE_SEEN = 0.75, 0.5
_AREA_SHARE = 0.15
_SIZE_COUNTS = 0.25
_SQUARE_DEG = 4.0
_RIM_PX, _FAR_PX = 6, 80
_PAPER_WHITE = 0.85
_N_PROFILES, _STRAIGHT_PX = 240, 1.5


@dataclass(frozen=True)
class _Sight:
    """How strong edges must be to be seen: from how far they are looked at, and what their sides must part.

    Attributes
    ----------
    reductions : tuple of int
        What is frayed by grain and threads is a straight edge from farther away.
    quantum : float
        Greys from one pixel to the next that may be chance.
    contrast : float
        By how much colours beside a side differ at least.
    one_way : float
        At so many places along a side they must differ in the same way.
    reach_px, blur_px : float
        How far from where a side is seen its edge is looked for, in pixels of the glance, and how its profiles are
        smoothed, in those of the photograph.
    """

    reductions: tuple[int, ...]
    quantum: float
    contrast: float
    one_way: float
    reach_px: float
    blur_px: float


_CLEARLY = _Sight((1, 2, 4), 2.0, 8.0, 0.0, 3.0, 1.5)
_FAINTLY = _Sight((2, 4, 8), 0.3, 4.0, 0.75, 10.0, 5.0)


def find_corners(pixels: Pixels, focal_px: float, *, faint: bool = False) -> Doubles | None:
    """Find the corners of a support that is seen whole, with straight edges, on something that looks different.

    Lines are gathered from short straight edges; of all quadrangles that four of them make, the largest is taken whose
    sides are seen nearly all along, and which differs along them from what lies around. A white one is no support: it
    may be the shreds themselves, side by side. Its sides are then fitted at full resolution.

    Parameters
    ----------
    pixels : ndarray of shape (h, w, 3), uint8
        A photograph, RGB.
    focal_px : float
        Focal length of the camera in pixels, see `rectangle_seen`.
    faint : bool
        Where nothing is found, look once more for a support that hardly differs from what is around it, such as dark
        card on a dark table. For what is surely a photograph.

    Returns
    -------
    ndarray of shape (4, 2), float64, or None
        x, y in pixels of the photograph, clockwise from the one that is nearest to its top left corner; None where
        there is no such support.
    """
    scale = min(1.0, _GLANCE_PX / max(pixels.shape[:2]))
    small = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    glance = np.asarray(cv2.cvtColor(cv2.medianBlur(small, _BLUR_PX), cv2.COLOR_RGB2LAB), np.uint8)
    white = float(np.percentile(small.min(axis=2), 98))
    for sight in (_CLEARLY, _FAINTLY)[: 1 + faint]:
        found = _quadrangles(_lines(glance, sight), glance.shape[:2])
        for _, corners in sorted(found, key=lambda one: one[0], reverse=True):
            _, off_square_deg = rectangle_seen(corners / scale, pixels.shape[:2], focal_px)
            is_flat = off_square_deg <= _SQUARE_DEG
            if is_flat and _differs(glance, corners, sight) and not _is_paper(small, corners, white):
                return _fitted(pixels, corners / scale, 1 / scale, sight)
    return None


def rectangle_seen(corners: Doubles, shape: tuple[int, ...], focal_px: float) -> tuple[float, float]:
    """Compute what a quadrangle would be, were it a flat parallelogram seen by a camera that points at its middle.

    Parameters
    ----------
    corners : ndarray of shape (4, 2), float64
        Clockwise, in pixels of the picture.
    shape : tuple of int
        Height and width of the picture.
    focal_px : float
        Focal length in pixels: how far a camera of that angle of view would be from the picture.

    Returns
    -------
    aspect : float
        Height by width.
    off_square_deg : float
        By how much its angles differ from right ones: 0 for a rectangle.
    """
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, (corners - np.array(shape[::-1]) / 2).astype(np.float32))
    across, down = (matrix[:, k] / (focal_px, focal_px, 1.0) for k in (0, 1))
    lengths = np.linalg.norm(across), np.linalg.norm(down)
    cosine = float(across @ down / (lengths[0] * lengths[1]))
    return float(lengths[1] / lengths[0]), float(np.degrees(np.abs(np.arcsin(np.clip(cosine, -1, 1)))))


@dataclass(frozen=True, eq=False)
class _Line:
    """Segments on one straight line: a point, its direction, and from where to where along it each of them goes."""

    point: Doubles
    direction: Doubles
    spans: Doubles  # (k, 2)

    @property
    def length(self) -> float:
        """How much of it is seen."""
        return float(np.ptp(self.spans, axis=1).sum())

    @property
    def angle_deg(self) -> float:
        """Of its direction, 0 to 180."""
        return float(np.degrees(np.arctan2(self.direction[1], self.direction[0])) % 180)

    def seen_between(self, points: Doubles) -> Doubles:
        """Compute how well it is seen between any two points on it: (n, 2) to (n, n).

        What is seen between them, as a share of the way between them and what is seen elsewhere: 1 for a side that
        ends where the points are, less for one that goes on beyond them.
        """
        places = np.round((points - self.point) @ self.direction).astype(int)
        first = min(int(self.spans.min()), int(places.min())) - 1
        covered = np.zeros(max(int(self.spans.max()), int(places.max())) - first + 2)
        for start, stop in np.round(self.spans).astype(int) - first:
            covered[max(start - _BRIDGED_PX, 0) : stop + _BRIDGED_PX] = 1
        so_far = np.cumsum(covered)[places - first]
        within, way = np.abs(so_far[:, None] - so_far), np.abs(places[:, None] - places)
        return np.asarray(within / np.maximum(way + covered.sum() - within, 1))


def _lines(glance: Pixels, sight: _Sight) -> list[_Line]:
    """Gather straight edges of any channel into lines, the longest first."""
    detector = cv2.createLineSegmentDetector(quant=sight.quantum)
    found: list[Doubles] = [np.empty((0, 4))]
    for reduction in sight.reductions:
        farther = cv2.resize(glance, None, fx=1 / reduction, fy=1 / reduction, interpolation=cv2.INTER_AREA)
        seen = [detector.detect(channel)[0] for channel in cv2.split(farther)]
        found += [np.reshape(one, (-1, 4)).astype(np.float64) * reduction for one in seen if one is not None]
    segments = np.concatenate(found)
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    segments = segments[np.argsort(-lengths)]
    segments = segments[: int((lengths >= _LEAST_SEGMENT_PX).sum())]
    least = _LONG_SHARE * min(glance.shape[:2])
    lines: list[_Line] = []
    while len(segments) and len(lines) < _MOST_GATHERED:
        point, far = segments[0, :2], segments[0, 2:]
        on = _on_line(segments, point, far)
        # Once more along all that was found: a short segment tells the direction poorly.
        ends = segments[on].reshape(-1, 2)
        direction = np.linalg.svd(ends - ends.mean(axis=0), full_matrices=False)[2][0]
        on |= _on_line(segments, ends.mean(axis=0), ends.mean(axis=0) + 100 * direction)
        ends = segments[on].reshape(-1, 2)
        middle = ends.mean(axis=0)
        spans = np.sort(((ends - middle) @ direction).reshape(-1, 2), axis=1)
        line = _Line(middle, direction, spans)
        if line.length >= least:
            lines.append(line)
        segments = segments[~on]
    return sorted(lines, key=lambda line: line.length, reverse=True)


def _on_line(segments: Doubles, point: Doubles, far: Doubles) -> np.ndarray:
    """Mark the segments that lie on the line through two points."""
    direction = (far - point) / np.linalg.norm(far - point)
    normal = np.array([-direction[1], direction[0]])
    off = np.abs((segments.reshape(-1, 2, 2) - point) @ normal).max(axis=1)
    along = segments[:, 2:] - segments[:, :2]
    sine = np.abs(along @ normal) / np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    return np.asarray((off <= _SAME_PX) & (sine <= np.sin(np.radians(4 * _SAME_DEG))))


def _quadrangles(lines: list[_Line], shape: tuple[int, ...]) -> Iterator[tuple[float, Doubles]]:
    """List the quadrangles that four lines make, with how well they are seen and how large they are."""
    along = [line for line in lines if _between_deg(line, lines[0]) <= 45][:_MOST_LINES]
    across = [line for line in lines if _between_deg(line, lines[0]) > 45][:_MOST_LINES]
    if min(len(along), len(across)) < 2:
        return
    crossings = np.array([[_crossing(one, other) for other in across] for one in along])
    sides = np.stack([line.seen_between(crossings[k]) for k, line in enumerate(along)])
    ends = np.stack([line.seen_between(crossings[:, k]) for k, line in enumerate(across)])
    four = sides[:, None], sides[None], ends.transpose(1, 2, 0)[..., None], ends.transpose(1, 2, 0)[:, :, None]
    seen = (
        np.minimum(np.minimum(*four[:2]), np.minimum(*four[2:])),
        np.add(four[0], four[1]) / 4 + np.add(four[2], four[3]) / 4,
    )
    for a, b, c, d in np.argwhere((seen[0] >= _SIDE_SEEN) & (seen[1] >= _SEEN)):
        corners = np.array([crossings[a, c], crossings[a, d], crossings[b, d], crossings[b, c]])
        inside = (corners >= 0).all() and (corners <= np.array(shape[::-1]) - 1).all()
        if a < b and c < d and inside and cv2.isContourConvex(corners.astype(np.float32)):
            share = float(cv2.contourArea(corners.astype(np.float32))) / (shape[0] * shape[1])
            if share >= _AREA_SHARE:
                yield float(seen[1][a, b, c, d]) * share**_SIZE_COUNTS, _clockwise(corners)


def _between_deg(one: _Line, other: _Line) -> float:
    """Compute the angle between two lines, 0 to 90."""
    apart = abs(one.angle_deg - other.angle_deg)
    return min(apart, 180 - apart)


def _crossing(one: _Line, other: _Line) -> Doubles:
    """Compute where two lines cross."""
    along, _ = np.linalg.solve(np.stack([one.direction, -other.direction], axis=1), other.point - one.point)
    return np.asarray(one.point + along * one.direction)


def _clockwise(corners: Doubles) -> Doubles:
    """Order corners clockwise as the eye sees them, from the one nearest to the top left."""
    off = corners - corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    return np.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0)


def _bands(image: Pixels, corners: Doubles, distance_px: float) -> tuple[Floats, Floats]:
    """Return the pixels at a distance inside the sides, and outside, side by side: (4, n, 3)."""
    middle = corners.mean(axis=0)
    steps = np.linspace(0.05, 0.95, 60)[:, None]
    bands: tuple[list[Floats], list[Floats]] = ([], [])
    for k in range(4):
        start, stop = corners[k], corners[(k + 1) % 4]
        normal = np.array([-(stop - start)[1], (stop - start)[0]]) / np.linalg.norm(stop - start)
        normal *= np.sign((middle - start) @ normal) * distance_px
        for band, side in zip(bands, (1, -1), strict=True):
            at = np.round(start + steps * (stop - start) + side * normal).astype(int)
            at = np.clip(at, 0, np.array(image.shape[1::-1]) - 1)
            band.append(image[at[:, 1], at[:, 0]].astype(np.float32))
    return np.stack(bands[0]), np.stack(bands[1])


def _differs(glance: Pixels, corners: Doubles, sight: _Sight) -> bool:
    """Check that each side parts two things: what lies within does not go on beyond, as at the edge of a shred."""
    bands = [_bands(glance, corners, distance) for distance in range(_RIM_PX, _FAR_PX, _RIM_PX)]
    inside, outside = bands[0]
    apart = inside - outside
    one_way = (apart * np.median(apart, axis=1, keepdims=True)).sum(axis=2) > 0
    if (np.median(np.linalg.norm(apart, axis=2), axis=1) < sight.contrast).any():
        return False
    if (one_way.mean(axis=1) < sight.one_way).any():
        return False
    within = np.median(np.concatenate([one for one, _ in bands], axis=1), axis=1)
    beyond = np.stack([np.median(other, axis=1) for _, other in bands])
    return bool((np.linalg.norm(beyond - within, axis=2) >= sight.contrast).all())


def _is_paper(small: Pixels, corners: Doubles, white: float) -> bool:
    """Check whether what lies along a side is as white as the whitest of the picture; a table may be, all around."""
    within, beyond = (
        np.median(band.min(axis=2), axis=1) >= _PAPER_WHITE * white for band in _bands(small, corners, _RIM_PX)
    )
    return bool(within.any() or (beyond.any() and not beyond.all()))


def _fitted(pixels: Pixels, corners: Doubles, step_px: float, sight: _Sight) -> Doubles:
    """Fit each side to the steepest places across it, at full resolution, and cross them."""
    sides = [_fitted_side(pixels, corners[k], corners[(k + 1) % 4], step_px, sight) for k in range(4)]
    return np.array([_crossing(sides[k - 1], sides[k]) for k in range(4)])


def _fitted_side(pixels: Pixels, start: Doubles, stop: Doubles, step_px: float, sight: _Sight) -> _Line:
    """Fit a line through the steepest places of profiles across a side; those that lie off it have no say."""
    direction = (stop - start) / np.linalg.norm(stop - start)
    normal = np.array([-direction[1], direction[0]])
    reach = max(8, round(sight.reach_px * step_px))
    across = np.arange(-reach, reach + 1)
    along = np.linspace(0.03, 0.97, _N_PROFILES)
    at = start + along[:, None, None] * (stop - start) + across[None, :, None] * normal
    columns, rows = at.astype(np.float32).transpose(2, 0, 1)
    seen = cv2.remap(pixels, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), sight.blur_px)
    steepness = np.linalg.norm(profiles[:, 2:] - profiles[:, :-2], axis=2)
    peak = np.clip(steepness.argmax(axis=1), 1, steepness.shape[1] - 2)
    before, top, after = (steepness[np.arange(len(peak)), peak + k] for k in (-1, 0, 1))
    bend = np.where(np.abs(before - 2 * top + after) > 1e-6, before - 2 * top + after, -1)
    off = across[peak + 1] + np.clip((before - after) / (2 * bend), -0.5, 0.5)
    length = np.linalg.norm(stop - start)
    slope, level = _robust_line(along * length, off)
    point = start + level * normal
    fitted = direction + slope * normal
    return _Line(point, fitted / np.linalg.norm(fitted), np.array([[0.0, length]]))


def _robust_line(x: Doubles, y: Doubles) -> tuple[float, float]:
    """Fit y = slope · x + level through what most points agree on."""
    thirds = len(x) // 3
    best = (-1, 0.0, float(np.median(y)))
    for i in range(0, thirds, 4):
        for j in range(len(x) - thirds, len(x), 4):
            slope = (y[j] - y[i]) / (x[j] - x[i])
            level = y[i] - slope * x[i]
            near = int((np.abs(y - slope * x - level) <= _STRAIGHT_PX).sum())
            best = max(best, (near, float(slope), float(level)))
    agree = np.abs(y - best[1] * x - best[2]) <= _STRAIGHT_PX
    slope, level = np.polyfit(x[agree], y[agree], 1)
    return float(slope), float(level)
