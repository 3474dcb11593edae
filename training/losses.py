"""What training makes small."""

from typing import Any

import keras

from core.matching import first_rows


def shift_min_costs(right: Any, left: Any, max_shift_rows: int) -> Any:
    """Costs between all right and all left borders, as `core.cost.compute_costs`, in operations that have gradients.

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
    compared = n_rows - max_shift_rows
    costs = []
    for shift in range(-max_shift_rows, max_shift_rows + 1):
        a, b = first_rows(shift)
        r = ops.reshape(right[:, a : a + compared], (k, compared * d))
        l_ = ops.reshape(left[:, b : b + compared], (k, compared * d))
        squares = ops.sum(r * r, axis=1)[:, None] + ops.sum(l_ * l_, axis=1)[None, :]
        costs.append(squares - 2 * ops.matmul(r, ops.transpose(l_)))
    return ops.min(ops.stack(costs), axis=0)


def listwise_loss(weights: Any, logits: Any) -> Any:
    """Cross-entropy of choosing the true neighbour among all, for right borders (rows) and left borders (columns).

    Parameters
    ----------
    weights : tensor of shape (K,)
        What each cut counts; 0 for cuts with almost no ink, which no border could tell apart.
    logits : tensor of shape (K, K)
        ``-cost / temperature``; the diagonal holds the true joins.

    Returns
    -------
    tensor, scalar
        Weighted mean over cuts of the mean of both entropies, in nats: ``log K`` for an encoder that knows nothing.
    """
    ops = keras.ops
    true = ops.diagonal(logits)
    by_row = ops.logsumexp(logits, axis=1) - true
    by_column = ops.logsumexp(logits, axis=0) - true
    weights = ops.cast(weights, logits.dtype)
    return ops.sum(weights * (by_row + by_column)) / (2 * ops.maximum(ops.sum(weights), 1.0))
