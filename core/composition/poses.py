"""The poses of all shreds of a page, found together: lines of print go on level across every cut."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix

from core.arrays import Doubles, Mask
from core.composition.bends import find_bends
from core.composition.cuts import Cuts, contours
from core.composition.heights import Differences, Profiles, differences, profiles_of
from core.composition.pose import Pictures, Pose, draw, extent, matrix_of

ROUNDS = ((1, 24), (3, 8), (5, 5))
"""How many shreds apart parts are compared, and how many pixels off they are looked for: first roughly, since shifts
come in steps of 4 px, a page may slope, and across a missing strip a join stands half a line off; then ever more."""

ANGLES_VARY_DEG = 0.1
"""The cuts of a page are parallel; how well a shred's own long axis follows its cut varies by so much."""

PAGE_TURNED_DEG = 1.5
"""Paper goes into a shredder askew by so much, usually."""

STEPS_VARY_PX = 4.0
"""What the arrangement says of the height of neighbours is off by so much, where no line tells better."""

ERRORS_SHARED = 3.0
"""The same line is seen by all pairs of shreds it crosses: errors are larger by this factor than if every measurement
were one of its own."""

NOT_RIGID_PX = 0.3
"""Paper and scans are not rigid: parts of one shred lie 1.2 px off one another (root mean square), the middle of some
twenty parts by so much."""

SURE = 2.0
"""A page is turned only by more than so many standard errors."""

_FITS = 12


def find_poses(
    pictures: Pictures,
    poses: Mapping[str, Pose],
    cuts: Cuts,
    moved_px: Mapping[str, int],
    turned: Collection[str],
    *,
    lines_across: bool = True,
) -> dict[str, Pose]:
    """Find where the shreds of a page lie: level, and to a fraction of a pixel.

    Ink in the rows of a shred, in three parts side by side, is correlated with that of the shreds beside it, up to
    five away. Heights and angles of all shreds, how far each stands above the one before and by how much the page
    went askew into the shredder, follow by robust least squares (iteratively reweighted): a line of print that runs on
    counts, one that only seems to does little harm. From left to right the contours tell, once strips that lay bent are
    straight: neighbours reach over one another as is usual for the set.

    Parameters
    ----------
    pictures : mapping of str to (pixels, mask)
        Each shred's pixels (RGB, (h, w, 3), uint8) and paper ((h, w), bool), as they are to be read, from left to
        right.
    poses : mapping of str to Pose
        What the arrangement says, without what was moved by hand.
    cuts : Cuts
        Of the set.
    moved_px : mapping of str to int
        By how much the examiner moved shreds down: that is added to what is found.
    turned : collection of str
        Shreds that the examiner turned: they turn only as the page does.
    lines_across : bool
        Whether lines of print cross the cuts. Where they run along the strips rows of letters would be taken for such.

    Returns
    -------
    dict of str to Pose
        From left to right; counted from the corner of the reading page.
    """
    names = list(pictures)
    if not lines_across:
        as_arranged = {name: replace(poses[name], y_px=poses[name].y_px + moved_px.get(name, 0)) for name in names}
        return _side_by_side(pictures, as_arranged, cuts)
    lying = [draw(*pictures[name], replace(poses[name], x_px=0.0)) for name in names]
    profiles = profiles_of([(one.pixels, one.paper) for one in lying])
    middle_px = np.array([poses[name].y_px for name in names])
    by_hand = np.array([name in turned for name in names])
    heights = _heights(profiles, np.array([float(one.y_px) for one in lying]), by_hand)
    found = {}
    for at, name in enumerate(names):
        found[name] = Pose(
            0.0,
            float(middle_px[at] + heights.down_px[at]) + moved_px.get(name, 0),
            poses[name].angle_deg - float(np.degrees(heights.turn[at])),
            cuts.spread_px if at else 0.0,
            float(heights.down_error_px[at]),
            float(np.degrees(heights.turn_error[at])),
        )
    return _side_by_side(pictures, found, cuts)


class _Heights:
    """What shreds are moved down and turned by, clockwise positive in radians, and the standard errors of both."""

    def __init__(self, solution: Doubles, error: Doubles, n: int) -> None:
        self.down_px, self.turn = solution[:n], solution[n : 2 * n]
        self.down_error_px, self.turn_error = error[:n], error[n : 2 * n]


def _heights(profiles: Profiles, top_px: Doubles, by_hand: Mask) -> _Heights:
    """Find heights and angles, in rounds of measuring and fitting."""
    n = len(top_px)
    profiles = replace(profiles, lever_px=np.where(by_hand[profiles.shred], 0.0, profiles.lever_px))
    priors = _priors(n)
    solution, error = np.zeros(2 * n + 2), np.full(2 * n + 2, np.inf)
    of = profiles.shred
    for reach, search_px in ROUNDS:
        part_top_px = top_px[of] + solution[of] + solution[n + of] * profiles.lever_px
        measured = differences(profiles, part_top_px, reach, search_px)
        rows, values = _equations(measured, profiles, part_top_px - top_px[of], n)
        solution, error = _fit(rows, values, priors, solution, rough=reach == 1)
    solution[n : 2 * n][by_hand] = solution[2 * n]
    if abs(solution[2 * n]) < SURE * error[2 * n]:  # shreds that nothing tells to turn are not resampled for nothing
        solution[n : 2 * n] = 0
    told = np.bincount(of[np.concatenate([measured.left, measured.right])], minlength=n) > 0
    error[:n][~told] = np.inf
    return _Heights(solution, error, n)


def _equations(measured: Differences, profiles: Profiles, moved_px: Doubles, n: int) -> tuple[csr_matrix, Doubles]:
    """Build an equation for each measurement; unknown are n heights, n angles, the page's angle, and the usual step."""
    k, of, lever_px = len(measured.drop_px), profiles.shred, profiles.lever_px
    weight, ones = 1 / (ERRORS_SHARED * measured.error_px), np.ones(k)
    parts = ((measured.right, ones), (measured.left, -ones))
    columns = [column for part, _ in parts for column in (of[part], n + of[part])]
    factors = [factor for part, sign in parts for factor in (sign * weight, sign * weight * lever_px[part])]
    at = np.tile(np.arange(k), len(columns))
    rows = csr_matrix((np.concatenate(factors), (at, np.concatenate(columns))), shape=(k, 2 * n + 2))
    return rows, weight * (moved_px[measured.right] - moved_px[measured.left] - measured.drop_px)


def _priors(n: int) -> csr_matrix:
    """Build what is near zero before anything is measured; it decides where no line does."""
    y, turn, page, step = np.eye(2 * n + 2)[:n], np.eye(2 * n + 2)[n : 2 * n], *np.eye(2 * n + 2)[2 * n :]
    rows = [
        (turn - page) / np.radians(ANGLES_VARY_DEG),
        page[None] / np.radians(PAGE_TURNED_DEG),
        (y[1:] - y[:-1] - step) / STEPS_VARY_PX,
        step[None] / STEPS_VARY_PX,
        1e-3 * y,
    ]
    return csr_matrix(np.concatenate(rows))


class _Normal:
    """Sums up normal equations, with other weights each time; the places of all products are found once.

    A page has so few unknowns that products of sparse matrices take far longer to prepare than to compute.
    """

    def __init__(self, rows: csr_matrix) -> None:
        self._values, self._columns, self._n = rows.data, rows.indices.astype(np.intp), rows.shape[1]
        in_row = np.diff(rows.indptr)
        self._row = np.repeat(np.arange(len(in_row)), in_row)
        beside = in_row[self._row]  # each entry is multiplied with all of its row
        self._one = np.repeat(np.arange(len(beside)), beside)
        first = rows.indptr[self._row] - np.cumsum(beside) + beside
        self._other = np.arange(len(self._one)) + first[self._one]
        self._cell = self._columns[self._one] * self._n + self._columns[self._other]

    def weighted(self, weight: Doubles, off: Doubles) -> tuple[Doubles, Doubles]:
        """Compute AᵀWA and AᵀWb for the weights and the values b of all rows."""
        values = self._values * weight[self._row]
        matrix = np.bincount(self._cell, self._values[self._one] * values[self._other], self._n**2)
        pull = np.bincount(self._columns, values * off[self._row], self._n)
        return np.asarray(matrix, np.float64).reshape(self._n, self._n), np.asarray(pull, np.float64)


def _fit(rows: csr_matrix, values: Doubles, priors: csr_matrix, start: Doubles, rough: bool) -> tuple[Doubles, Doubles]:
    """Solve equations among which some are wrong; with standard errors, of heights from their mean.

    A measurement that is off by u standard errors counts as log(1 + u²), so that a ruled line, or the edge of a copy,
    at another angle than the print has little say; what is usual counts as 2(√(1 + r²) − 1). At first, when a shred may
    lie far from where its lines say, measurements count likewise: what most of them say must be found from afar.
    """
    solution, normal = start, np.eye(len(start))
    measured, before = _Normal(rows), _Normal(priors)
    for step in range(_FITS):
        off, unusual = values - rows @ solution, priors @ solution
        weight = 1 / (1 + (ERRORS_SHARED * off) ** 2)
        matrix, pull = measured.weighted(np.sqrt(weight) if rough and step < _FITS // 2 else weight, off)
        held, back = before.weighted(1 / np.sqrt(1 + unusual**2), unusual)
        normal = matrix + held
        solution = solution + np.linalg.solve(normal, pull - back)
    n = len(solution) // 2 - 1
    covariance = np.linalg.inv(normal)
    heights = covariance[:n, :n] - covariance[:n, :n].mean(axis=0) - covariance[:n, :n].mean(axis=1)[:, None]
    errors = np.diag(covariance).copy()
    errors[:n] = np.diag(heights) + covariance[:n, :n].mean()
    errors[:n] += NOT_RIGID_PX**2
    return solution, np.sqrt(np.maximum(errors, 0))


def _side_by_side(pictures: Pictures, poses: Mapping[str, Pose], cuts: Cuts) -> dict[str, Pose]:
    """Lay shreds from left to right, straight, each reaching in the median of its rows over what lies left of it."""
    bends = find_bends(pictures, poses)
    poses = {name: replace(pose, x_px=0.0, bend_px=bends.get(name)) for name, pose in poses.items()}
    edges = {
        name: contours(mask, matrix_of(mask, poses[name]), poses[name].bend_px) for name, (_, mask) in pictures.items()
    }
    overlap_px = cuts.overlap_of([mask for _, mask in pictures.values()])
    heights = np.concatenate([edge[:, 1] for both in edges.values() for edge in both])
    first, n_rows = round(heights.min()), round(heights.max()) - round(heights.min()) + 1
    frontier = np.full(n_rows, -np.inf)  # where the paper laid so far ends, in each row
    placed = {}
    for name, both in edges.items():
        begins, stops = (_by_row(edge, first, n_rows) for edge in both)
        beside = np.isfinite(begins) & np.isfinite(frontier)
        if beside.any():
            x = float(np.median(frontier[beside] - begins[beside])) - overlap_px
        else:  # right of everything: the first one, or one that lies above or below all others
            x = float(frontier.max(initial=0.0)) - float(both[0][:, 0].min())
        frontier = np.fmax(frontier, stops + x)
        placed[name] = replace(poses[name], x_px=x)
    corners = [extent(pictures[name][1], pose)[0] for name, pose in placed.items()]
    left, top = (min(sides) for sides in zip(*corners, strict=True))
    return {name: replace(pose, x_px=pose.x_px - left, y_px=pose.y_px - top) for name, pose in placed.items()}


def _by_row(edge: Doubles, first: int, n_rows: int) -> Doubles:
    """Bring the points of a contour, (x, y), into rows: x in each row, not a number where there is none."""
    columns = np.full(n_rows, np.nan)
    columns[np.round(edge[:, 1]).astype(int) - first] = edge[:, 0]
    return columns
