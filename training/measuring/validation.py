"""How often joins are right, by how sure they are.

The program knows nothing but the scans: the number of pages is estimated, as an examiner gets it who says nothing. A
join is right if its shreds lie side by side on the paper; unlike the paper's measure, the end of a page before the
beginning of another is not. Every data set is measured one document at a time, all documents mixed, mixed with a fifth
and with half of the shreds taken away, as when a part of the strips is lost, and laid as a stranger lays them, once
with half-turns and heights tried and once without.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binomtest

from core.case.case import JoinInfo
from core.case.history import now
from core.embedding.encoder import Encoder
from core.progress import Progress, in_parts
from core.system.versions import versions
from training.measuring.accuracy import by_confidence, log_loss
from training.measuring.disturbances import Disturbance, disturbed
from training.measuring.documents import DataSet, read_data_set
from training.measuring.methods import AS_THEY_LIE, VARIANTS, Embedder, EncoderMethod, Method
from training.measuring.reconstruction import arranged_as

BANDS = (0.0, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
"""Limits of the bands of confidence; the last band holds 1."""

NAMES = {"d1": "D1", "d2": "D2", "d2_sheets": "D2, scans", "d3": "d3, scans"}
"""What tables call the data sets, by the names of their folders."""

ONE_BY_ONE, MIXED, PARTLY, HALF = "one by one", "mixed", "mixed, a fifth missing", "mixed, half missing"

LAID, NOT_TRIED = "mixed, laid anyhow", "mixed, laid anyhow, not tried"
"""Half of the shreds upside down, all up to 5 mm too high or too low; half-turns and heights tried, and not tried."""

ANYHOW = Disturbance(half_turned=0.5, laid_off_mm=5.0)

ALL = "all"
"""What tables call the sum of the data sets."""

LIMITS: list[str] = tomllib.loads(Path(__file__).with_name("limits.toml").read_text(encoding="utf-8"))["limits"]
"""What was not measured, in sentences."""

_BEGIN, _END = "<!-- figures: begin -->", "<!-- figures: end -->"


@dataclass(frozen=True)
class Band:
    """Joins of a band of confidence, and how many of them are right."""

    low: float
    high: float
    joins: int
    right: int

    def figures(self, data: str) -> dict[str, Any]:
        """Return it as JSON, with an exact interval for the share of right joins (Clopper and Pearson, 95 %)."""
        figures = {"from": self.low, "to": self.high, "joins": self.joins, "right": self.right, "data": data}
        if self.joins:
            interval = binomtest(self.right, self.joins).proportion_ci(0.95, method="exact")
            figures |= {"right_from": round(float(interval.low), 4), "right_to": round(float(interval.high), 4)}
        return figures


def bands(joins: Sequence[JoinInfo], true: set[tuple[str, str]]) -> list[Band]:
    """Count joins, and the right ones among them, in each band of confidence.

    Parameters
    ----------
    joins : sequence of JoinInfo
        Of a reconstruction.
    true : set of pairs
        Shreds that lie side by side on the paper.

    Returns
    -------
    list of Band
        From doubtful to sure.
    """
    return [
        Band(low, high, len(inside), sum((join.left, join.right) in true for join in inside))
        for low, high, inside in by_confidence(joins, BANDS)
    ]


def summed(parts: Sequence[Sequence[Band]]) -> list[Band]:
    """Add up the same bands of several reconstructions."""
    return [
        Band(of_band[0].low, of_band[0].high, sum(band.joins for band in of_band), sum(band.right for band in of_band))
        for of_band in zip(*parts, strict=True)
    ]


@dataclass(frozen=True)
class Run:
    """A data set, reconstructed in one way."""

    data: str
    how: str
    true_joins: int
    bands: Sequence[Band]
    loss: float

    def figures(self) -> dict[str, Any]:
        """Return it as JSON; the log loss is the mean over all joins."""
        joins, right = (sum(getattr(band, name) for band in self.bands) for name in ("joins", "right"))
        counts = {"true_joins": self.true_joins, "joins": joins, "right": right}
        surest = {"surest": self.bands[-1].joins, "surest_right": self.bands[-1].right}
        return {"data": self.data, "how": self.how, **counts, "log_loss": round(self.loss / max(1, joins), 4), **surest}


def runs(data: DataSet, name: str, method: Method, seed: int = 0) -> Iterator[Run]:
    """Reconstruct a data set one document at a time, mixed, and mixed with a fifth and half of its shreds missing.

    Parameters
    ----------
    data : DataSet
        Documents and their shreds.
    name : str
        What tables call it.
    method : Method
        Prices the joins.
    seed : int
        Draws the shreds that are missing.

    Yields
    ------
    Run
        In that order.
    """
    every = [sorted(document.indices) for document in data.documents if document.n_true > 1]
    yield _run(name, ONE_BY_ONE, [_reconstructed(data, chosen, method) for chosen in every])
    mixed = sorted(index for document in data.documents for index in document.indices)
    drawn = np.random.default_rng(seed).permutation(len(mixed))
    for how, n_missing in ((MIXED, 0), (PARTLY, len(mixed) // 5), (HALF, len(mixed) // 2)):
        kept = [mixed[place] for place in sorted(drawn[n_missing:])]
        yield _run(name, how, [_reconstructed(data, kept, method)])


def laid_anyhow(data: DataSet, name: str, methods: Mapping[str, Method]) -> Iterator[Run]:
    """Reconstruct a data set as a stranger lays it.

    Parameters
    ----------
    data : DataSet
        Documents and their shreds, as they were scanned.
    name : str
        What tables call it.
    methods : mapping of str to Method
        What prices the joins, by what tables call it.

    Yields
    ------
    Run
        For each method.
    """
    laid = disturbed(data, ANYHOW)
    everything = sorted(index for document in laid.documents for index in document.indices)
    for how, method in methods.items():
        yield _run(name, how, [_reconstructed(laid, everything, method)])


def _run(name: str, how: str, parts: Sequence[tuple[int, list[Band], float]]) -> Run:
    """Add up reconstructions of one kind."""
    counts, counted, losses = zip(*parts, strict=True)
    return Run(name, how, sum(counts), summed(counted), sum(losses))


def _reconstructed(data: DataSet, chosen: Sequence[int], method: Method) -> tuple[int, list[Band], float]:
    """Reconstruct some shreds; returns how many true joins are among them, those that were made, and their log loss."""
    shreds = data.found.shreds
    there = set(chosen)
    true = {
        (shreds[left].id, shreds[right].id)
        for document in data.documents
        for left, right in pairwise(document.order)
        if {left, right} <= there
    }
    part_of_all = [shreds[index] for index in chosen]
    costs, _ = method.costs(part_of_all)
    arranged, uncounted = arranged_as(part_of_all, costs, None), data.uncounted
    counted = [join for join in arranged.joins if not {join.left, join.right} & uncounted]
    joins = [_as_read(join, arranged.arrangement.half_turned ^ data.upside_down) for join in counted]
    sure = [join.confidence for join in joins]
    return len(true), bands(joins, true), log_loss(sure, [(join.left, join.right) in true for join in joins])


def _as_read(join: JoinInfo, wrong_way: Collection[str]) -> JoinInfo:
    """Turn a join that came out upside down; one of shreds that came out in different ways up can never be right."""
    left, right = join.left in wrong_way, join.right in wrong_way
    if left and right:
        return replace(join, left=join.right, right=join.left)
    return replace(join, left=f"{join.left}, upside down") if left or right else join


def validate(folders: Sequence[Path], weights: Path, progress: Progress) -> dict[str, Any]:
    """Measure data sets.

    Parameters
    ----------
    folders : sequence of Path
        See `training.measuring.documents`.
    weights : Path
        The encoder's weights.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        ``bands`` and ``limits`` are what a report prints; ``further_bands``, ``data`` and ``runs`` tell more: of joins
        more than 99 % sure (``surest``) how many are right, and the log loss of all.
    """
    embedder = Embedder(Encoder.load(weights))
    method = EncoderMethod("rejoin", embedder, VARIANTS["full"])
    sets, done = [], []
    for folder, report in in_parts(folders, progress):
        data, name = read_data_set(folder, method.options, report), NAMES.get(folder.name, folder.name)
        embedder(data.found.shreds, report)
        done += list(runs(data, name, method))
        not_tried = EncoderMethod("rejoin", Embedder(embedder.encoder, try_half_turns=False), AS_THEY_LIE)
        done += list(laid_anyhow(data, name, {LAID: method, NOT_TRIED: not_tried}))
        with_ink = len(data.found.shreds) - len(data.uncounted)
        sets.append({"name": name, "documents": len(data.documents), "shreds": with_ink})
    every = [*done, *_all(done)]
    printed = [run for run in every if run.how == MIXED or (run.data == ALL and run.how in (PARTLY, HALF))]
    return {
        "measured": now(),
        "weights_sha256": embedder.encoder.sha256,
        "versions": versions(),
        "data": sets,
        "runs": [run.figures() for run in every],
        "bands": [band for run in every if run in printed for band in _bands_of(run)],
        "further_bands": [band for run in every if run not in printed for band in _bands_of(run)],
        "limits": LIMITS,
    }


def _all(done: Sequence[Run]) -> list[Run]:
    """Add up the data sets; the cut-out shreds of D2 are those of its scans, and count once."""
    names = {run.data for run in done}
    apart = [run for run in done if not (run.data == NAMES["d2"] and NAMES["d2_sheets"] in names)]
    ways = {how: [run for run in apart if run.how == how] for how in dict.fromkeys(run.how for run in done)}
    return [
        _run(ALL, how, [(run.true_joins, list(run.bands), run.loss) for run in same])
        for how, same in ways.items()
        if len(same) > 1
    ]


def _bands_of(run: Run) -> list[dict[str, Any]]:
    """Return the bands that hold joins."""
    return [band.figures(f"{run.data}, {run.how}") for band in run.bands if band.joins]


def tables(figures: Mapping[str, Any]) -> str:
    """Lay out what `validate` returns as Markdown."""
    lines = ["| data | documents | shreds with ink |", "| --- | --- | --- |"]
    lines += [f"| {one['name']} | {one['documents']} | {one['shreds']} |" for one in figures["data"]]
    names = ["data", "how", "true joins", "joins made", "of them right", "true joins found", "log loss"]
    lines += ["", f"| {' | '.join(names)} | over 99 % sure: right |", "| --- " * 8 + "|"]
    for run in figures["runs"]:
        made, found = (run["right"] / max(1, run[name]) for name in ("joins", "true_joins"))
        counts = f"{run['true_joins']} | {run['joins']} | {run['right']} ({100 * made:.2f} %) | {100 * found:.2f} %"
        surest = f"{run['surest_right']} of {run['surest']}"
        if run["surest"]:
            surest += f" ({100 * run['surest_right'] / run['surest']:.2f} %)"
        lines.append(f"| {run['data']} | {run['how']} | {counts} | {run['log_loss']:.3f} | {surest} |")
    lines += ["", "| data, how | sure by | joins | right | wrong | share right, 95 % interval |", "| --- " * 6 + "|"]
    for band in (*figures["bands"], *figures["further_bands"]):
        share = f"{100 * band['right'] / band['joins']:.1f} %"
        interval = f"{100 * band['right_from']:.1f} to {100 * band['right_to']:.1f} %"
        counts = f"{band['joins']} | {band['right']} | {band['joins'] - band['right']}"
        sure = f"{100 * band['from']:.0f}-{100 * band['to']:.0f} %"
        lines.append(f"| {band['data']} | {sure} | {counts} | {share}, {interval} |")
    lines += ["", f"Measured {figures['measured'][:10]} with weights {figures['weights_sha256'][:16]}…, "]
    lines[-1] += ", ".join(f"{name} {version}" for name, version in figures["versions"].items()) + "."
    return "\n".join(lines)


def with_tables(text: str, figures: Mapping[str, Any]) -> str:
    """Write the tables into a document, between its two marks.

    Raises
    ------
    ValueError
        If the marks are not there.
    """
    before, rest = text.split(_BEGIN)
    _, after = rest.split(_END)
    return f"{before}{_BEGIN}\n\n{tables(figures)}\n\n{_END}{after}"
