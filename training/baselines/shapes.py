"""Paixão et al., 2018: whether the halves of cut characters form characters.

What a character of this document looks like is learned from the whole ones within the shreds: they are clustered, and
the medoids of the clusters represent them. Then, for every pair of shreds, characters that touch the cut are laid side
by side. It speaks for the pair if that looks like a character, or if each half is one by itself, and against it if not;
so does half a character with nothing beside it. Likeness is the modified Hausdorff distance (Dubuisson and Jain, 1994,
DOI 10.1109/ICPR.1994.576361) with the centroids laid upon each other.

Clusters are found by k-medoids with alternating steps, where the publication has a random search; and of many
characters only some are clustered.

References
----------
T. M. Paixão, M. C. S. Boeres, C. O. A. Freitas and T. Oliveira-Santos, "Exploring character shapes for unsupervised
reconstruction of strip-shredded text documents", IEEE Transactions on Information Forensics and Security 14 (7), 2019,
pages 1744 to 1754; published online in 2018.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.matching.costs import Costs
from core.parallel import map_in_order
from core.progress import Progress, no_progress, part
from core.shreds.shred import Shred
from training.baselines.characters import Character, Characters, Ink, find_characters, whole_characters
from training.baselines.dummy import costs_of_joins

WINDOW_PX = 64
"""Side of the window in which shapes are compared; what reaches beyond is cut off."""

LEAST_OVERLAP = 0.5
"""Characters on two sides of a cut face each other if they share this part of the lower one's height."""

MOST_CLUSTERED = 1500

ROUNDS = 50
"""Of the clustering, at most; it stands still before."""


@dataclass(frozen=True)
class Shapes:
    """The method.

    Attributes
    ----------
    n_clusters : int
        Letters of the alphabet, small and capital.
    threshold_px : float
        What is no further from one of the medoids is a character.
    reward, penalty : float
        For a character, and for a half that nothing completes.
    seed : int
        Of the clustering.
    """

    n_clusters: int = 52
    threshold_px: float = 0.5
    reward: float = 1.0
    penalty: float = -0.2
    seed: int = 0

    def costs(self, shreds: Sequence[Shred], progress: Progress = no_progress) -> Costs:
        """Price all joins, see `training.baselines.Baseline`: by how much the score falls short of the best one."""
        reading = map_in_order(
            find_characters, shreds, "Reading characters of shred {number} of {n}", part(progress, 0.0, 0.2)
        )
        characters = list(reading)
        medoids = self.medoids(whole_characters([inner for one in characters for inner in one.inner]))
        score = np.zeros((len(shreds), len(shreds)), dtype=np.float32)
        right = [self.are_characters([one.ink for one in of.right], medoids) for of in characters]
        left = [self.are_characters([one.ink for one in of.left], medoids) for of in characters]
        for i in range(len(shreds)):
            progress(0.2 + 0.8 * i / len(shreds), "Matching characters")
            score[i] = self._scores(characters, i, right[i], left, medoids)
        np.fill_diagonal(score, -np.inf)
        best = score.max(initial=0.0)
        progress(1.0, "Matching characters")
        return costs_of_joins(best - score, np.zeros(score.shape, dtype=np.int16))

    def medoids(self, characters: Sequence[Character]) -> "ShapeSet":
        """Choose shapes that represent whole characters; none if there are no characters."""
        rng = np.random.default_rng(self.seed)
        chosen = rng.permutation(len(characters))[:MOST_CLUSTERED]
        shapes = ShapeSet.of([characters[index].ink for index in chosen])
        if not len(chosen):
            return shapes
        distance = shapes.distances(shapes)
        medoids = rng.choice(len(chosen), min(self.n_clusters, len(chosen)), replace=False)
        for _ in range(ROUNDS):
            nearest = distance[:, medoids].argmin(axis=1)
            members = [np.flatnonzero(nearest == cluster) for cluster in range(len(medoids))]
            central = [
                one[distance[np.ix_(one, one)].sum(axis=0).argmin()] if len(one) else medoid
                for one, medoid in zip(members, medoids, strict=True)
            ]
            if np.array_equal(central, medoids):
                break
            medoids = np.array(central)
        return shapes.select(medoids)

    def are_characters(self, inks: Sequence[Ink], medoids: "ShapeSet") -> NDArray[np.bool_]:
        """Find the pieces of ink that look like one of the medoids; returns (n,)."""
        if not inks or not len(medoids.ink):
            return np.zeros(len(inks), dtype=np.bool_)
        return np.asarray(ShapeSet.of(inks).distances(medoids).min(axis=1) <= self.threshold_px, dtype=np.bool_)

    def _scores(
        self,
        characters: Sequence[Characters],
        i: int,
        on_right: NDArray[np.bool_],
        on_left: Sequence[NDArray[np.bool_]],
        medoids: "ShapeSet",
    ) -> NDArray[np.float32]:
        """Score shred `i` beside every other; `on_right` and `on_left` tell which halves are characters themselves."""
        joined: list[Ink] = []
        places: list[tuple[int, bool]] = []  # right shred, whether both halves are characters by themselves
        scores = np.zeros(len(characters), dtype=np.float32)
        for j, other in enumerate(characters):
            if j == i:
                continue
            for a, b in facing(characters[i].right, other.left):
                if a is None or b is None:
                    alone = on_left[j][b] if b is not None else on_right[a]
                    scores[j] += 0.0 if alone else self.penalty
                else:
                    joined.append(side_by_side(characters[i].right[a], other.left[b]))
                    places.append((j, bool(on_right[a] and on_left[j][b])))
        for (j, both), one in zip(places, self.are_characters(joined, medoids), strict=True):
            scores[j] += self.reward if one or both else self.penalty
        return scores


@dataclass(frozen=True, eq=False)
class ShapeSet:
    """Shapes with their centroids in the middle of a window.

    Attributes
    ----------
    ink : ndarray of shape (n, WINDOW_PX²), float32
        1 for ink, divided by the number of its pixels.
    away : ndarray of shape (n, WINDOW_PX²), float32
        Distance of every pixel from the nearest ink, in pixels.
    """

    ink: NDArray[np.float32]
    away: NDArray[np.float32]

    @classmethod
    def of(cls, inks: Sequence[Ink]) -> "ShapeSet":
        """Centre pieces of ink, each with some ink."""
        centred = np.zeros((len(inks), WINDOW_PX, WINDOW_PX), dtype=np.uint8)
        away = np.zeros(centred.shape, dtype=np.float32)
        for window, distance, ink in zip(centred, away, inks, strict=True):
            rows, columns = np.nonzero(ink)
            rows = rows - int(rows.mean()) + WINDOW_PX // 2
            columns = columns - int(columns.mean()) + WINDOW_PX // 2
            inside = (np.minimum(rows, columns) >= 0) & (np.maximum(rows, columns) < WINDOW_PX)
            window[rows[inside], columns[inside]] = 1
            distance[:] = cv2.distanceTransform(1 - window, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
        flat = centred.reshape(-1, WINDOW_PX**2).astype(np.float32)
        return cls(flat / np.maximum(1, flat.sum(axis=1, keepdims=True)), away.reshape(flat.shape))

    def select(self, chosen: NDArray[np.intp]) -> "ShapeSet":
        """Return some of the shapes."""
        return ShapeSet(self.ink[chosen], self.away[chosen])

    def distances(self, others: "ShapeSet") -> NDArray[np.float32]:
        """Measure the modified Hausdorff distance of all n shapes from m others; gives (n, m), in pixels."""
        return np.asarray(np.maximum(self.ink @ others.away.T, self.away @ others.ink.T), dtype=np.float32)


def facing(right: Sequence[Character], left: Sequence[Character]) -> Iterable[tuple[int | None, int | None]]:
    """Pair the characters at two borders that meet, from top to bottom.

    Parameters
    ----------
    right, left : sequence of Character
        Of the right border of one shred and of the left border of the next, from top to bottom.

    Yields
    ------
    tuple
        Index in `right` and in `left`; None where nothing faces a character. All characters occur once.
    """
    a = b = 0
    while a < len(right) and b < len(left):
        shared = min(right[a].bottom_px, left[b].bottom_px) - max(right[a].top_px, left[b].top_px)
        if shared >= LEAST_OVERLAP * min(len(right[a].ink), len(left[b].ink)):
            yield a, b
            a, b = a + 1, b + 1
        elif right[a].bottom_px <= left[b].bottom_px:
            yield a, None
            a += 1
        else:
            yield None, b
            b += 1
    yield from ((rest, None) for rest in range(a, len(right)))
    yield from ((None, rest) for rest in range(b, len(left)))


def side_by_side(right: Character, left: Character) -> Ink:
    """Lay the character at a right border beside the one at the left border of the next shred."""
    top = min(right.top_px, left.top_px)
    height = max(right.bottom_px, left.bottom_px) - top
    halves = []
    for one in (right, left):
        half = np.zeros((height, one.ink.shape[1]), dtype=np.bool_)
        half[one.top_px - top : one.bottom_px - top] = one.ink
        halves.append(half)
    return np.concatenate(halves, axis=1)
