"""What training makes small, and the measure by which it chooses among its results."""

from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from core.matching.shifts import overlap


def shift_min_costs(right: Any, left: Any, max_shift_rows: int) -> Any:
    """Compute costs between all borders as `core.matching.ink.Ink` does, in operations that have gradients.

    Parameters
    ----------
    right, left : tensor of shape (K, h', d)
        Embeddings.
    max_shift_rows : int
        Largest vertical shift.

    Returns
    -------
    tensor of shape (K, K)
        Smallest sum of squared distances over the shifts.
    """
    ops = keras.ops
    k, n_rows, d = right.shape
    # Distances do not change when both spaces move together; around the mean, which is near the embedding of blank
    # paper, the difference of large squares below loses the least precision.
    origin = ops.stop_gradient(ops.mean(right + left, axis=(0, 1)) / 2)
    right, left = right - origin, left - origin
    compared = n_rows - max_shift_rows
    costs = []
    for shift in range(-max_shift_rows, max_shift_rows + 1):
        of_right, of_left = overlap(shift, compared)
        r = ops.reshape(right[:, of_right], (k, compared * d))
        l_ = ops.reshape(left[:, of_left], (k, compared * d))
        squares = ops.sum(r * r, axis=1)[:, None] + ops.sum(l_ * l_, axis=1)[None, :]
        costs.append(squares - 2 * ops.matmul(r, ops.transpose(l_)))
    return ops.min(ops.stack(costs), axis=0)


def listwise_loss(weights: Any, logits: Any, others_of_rows: Any = None, others_of_columns: Any = None) -> Any:
    """Cross-entropy of choosing the true neighbour among all, for right borders (rows) and left borders (columns).

    Parameters
    ----------
    weights : tensor of shape (K,)
        What each cut counts; 0 for cuts with almost no ink, which no border could tell apart.
    logits : tensor of shape (K, K)
        ``-cost / temperature``; the diagonal holds the true joins.
    others_of_rows, others_of_columns : tensor of shape (K, K), optional
        The same of joins of which none is true: with other left borders, by right border, and with other right borders,
        by left border in the columns.

    Returns
    -------
    tensor, scalar
        Weighted mean over cuts of the mean of both entropies, in nats: ``log K`` for an encoder that knows nothing.
    """
    ops = keras.ops
    true = ops.diagonal(logits)
    of_rows = logits if others_of_rows is None else ops.concatenate([logits, others_of_rows], axis=1)
    of_columns = logits if others_of_columns is None else ops.concatenate([logits, others_of_columns], axis=0)
    by_row = ops.logsumexp(of_rows, axis=1) - true
    by_column = ops.logsumexp(of_columns, axis=0) - true
    weights = ops.cast(weights, logits.dtype)
    return ops.sum(weights * (by_row + by_column)) / (2 * ops.maximum(ops.sum(weights), 1.0))


def contrastive_loss(same: Any, squared_distances: Any, margin: float = 1.0) -> Any:
    """Contrastive loss of pairs of samples: what belongs together comes close, other pairs are pushed `margin` apart.

    With y = 1 for a pair that belongs together, 0 for another, and D the distance of its embeddings::

        loss = 1/2 [ y D² + (1 - y) max(0, margin - D)² ],  mean over the pairs

    This is what the text of Paixão et al., CVPR 2020, section 3.2, says, and the loss of Hadsell et al., CVPR 2006
    (doi:10.1109/CVPR.2006.100). Equation 3 of the former is printed with y and 1 - y in each other's places, which
    would push matching samples apart.

    Parameters
    ----------
    same : tensor of shape (n,)
        y.
    squared_distances : tensor of shape (n,)
        D².
    margin : float
        1 in the paper.

    Returns
    -------
    tensor, scalar
        Not negative; 0 where all pairs that belong together coincide and all others are at least `margin` apart.
    """
    ops = keras.ops
    same = ops.cast(same, squared_distances.dtype)
    # The root has no derivative at 0.
    distances = ops.sqrt(ops.maximum(squared_distances, 1e-12))
    apart = ops.square(ops.maximum(margin - distances, 0.0))
    return ops.mean(same * squared_distances + (1 - same) * apart) / 2


def standardized_mean_difference(right: NDArray[np.floating], wrong: NDArray[np.floating]) -> float:
    """Measure how well distances part right pairs from wrong ones: SMD, also known as Cohen's d.

    Paixão et al., CVPR 2020, keep the epoch in which it is largest on validation pages. It is the difference of the
    mean distances, in units of the pooled standard deviation::

        smd = (mean(wrong) - mean(right)) / √(((n_w - 1) s_w² + (n_r - 1) s_r²) / (n_w + n_r - 2))

    Parameters
    ----------
    right, wrong : ndarray of shape (n,)
        Distances (in the authors' program, squared ones), or costs, of pairs that belong together and of others.

    Returns
    -------
    float
        The larger the better; 0 if the means are equal, or if there are fewer than two pairs of either kind.
    """
    if min(len(right), len(wrong)) < 2:
        return 0.0
    right, wrong = np.asarray(right, dtype=np.float64), np.asarray(wrong, dtype=np.float64)
    squares = (len(wrong) - 1) * wrong.var(ddof=1) + (len(right) - 1) * right.var(ddof=1)
    difference = wrong.mean() - right.mean()
    return float(difference / np.sqrt(squares / (len(wrong) + len(right) - 2))) if difference else 0.0
