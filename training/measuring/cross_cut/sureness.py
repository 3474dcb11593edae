"""Whether joins downwards are right as often as Rejoin says that they are."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.arrangement.grid import joins_below
from core.matching.confidence import JoinBelow
from training.measuring.accuracy import log_loss
from training.measuring.cross_cut.judging import stands_right_below
from training.pages.cross_cut import Pieces

BANDS = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
"""Limits of the confidences that are counted together."""

Said = tuple[float, bool]
"""How sure a join is said to be, and whether it is right."""


def said_below(arrangement: Arrangement, known: Sequence[JoinBelow], pieces: Pieces) -> list[Said]:
    """Tell of each join downwards that stands how sure it is said to be, and whether it is right.

    Parameters
    ----------
    arrangement : Arrangement
        Each of its `pages` is a row of pieces.
    known : sequence of JoinBelow
        How sure they are, and others that could stand there.
    pieces : Pieces
        The truth; pieces that are not in it do not count.

    Returns
    -------
    list of (float, bool)
        Of those of which anything is known.
    """
    sure, shreds = {join.pair: join.confidence for join in known}, {shred.id: shred for shred in pieces.shreds}
    pairs = joins_below(arrangement, lambda name: shreds[name].width_px)
    told = [(pair, sure.get(pair)) for pair in pairs if pieces.places.keys() >= {*pair}]
    return [(one, stands_right_below(arrangement, pieces, *pair)) for pair, one in told if one is not None]


def figures_below(said: Sequence[Said]) -> dict[str, Any]:
    """Count joins, and the right ones, by how sure they are said to be, and sum up what not knowing cost.

    Parameters
    ----------
    said : sequence of (float, bool)
        See `said_below`.

    Returns
    -------
    dict
        "bands", of each "from", "to", "joins" and "right"; "log_loss", the mean, and "of_share": what it would be if
        every join were said to be as sure as joins are right together. Both None where there is no join.
    """
    sure, right = np.array([one for one, _ in said]), np.array([one for _, one in said], np.bool_)
    of_band = np.digitize(sure, BANDS[1:-1])
    bands = [
        {"from": low, "to": high, "joins": int((of_band == at).sum()), "right": int(right[of_band == at].sum())}
        for at, (low, high) in enumerate(pairwise(BANDS))
    ]
    n = len(said)
    share = np.full(n, right.mean() if n else 0.0)
    losses = (log_loss(one.tolist(), right.tolist()) / n if n else None for one in (sure, share))
    return {"bands": bands, **dict(zip(("log_loss", "of_share"), losses, strict=True))}


def describe_below(figures: Mapping[str, Any]) -> list[str]:
    """Write what `figures_below` returns in lines; none where there is no join."""
    if figures["log_loss"] is None:
        return []
    parts = [
        f"{band['from']:.0%} to {band['to']:.0%}: {band['right']} of {band['joins']}"
        for band in figures["bands"]
        if band["joins"]
    ]
    losses = f"log loss {figures['log_loss']:.3f}, {figures['of_share']:.3f} by their share alone"
    return [f"    joins downwards right, as sure as they are said to be: {'  '.join(parts)}", f"      {losses}"]
