"""Accuracy and time of methods on real shreds, in the measure of `training.measuring.accuracy`.

A shred that was not found takes its joins with it.
"""

import resource
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from core.embedding.encoder import Encoder
from core.options import Options
from core.progress import Progress, no_progress
from training.baselines import BASELINES
from training.measuring.accuracy import calibration
from training.measuring.disturbances import AS_IT_LIES, Disturbance, disturbed
from training.measuring.documents import DataSet, read_data_set, together
from training.measuring.methods import BaselineMethod, Embedder, EncoderMethod, Method, Variant
from training.measuring.reconstruction import reconstruct

REJOIN = "rejoin"

METHODS = (REJOIN, *BASELINES)
"""Names of the methods that can be measured."""


def one_by_one(data: DataSet, method: Method, progress: Progress = no_progress) -> dict[str, Any]:
    """Reconstruct every document by itself, as one page."""
    pages = {one.name: reconstruct(data.of([one]), method, progress) for one in data.documents if one.n_true >= 2}
    accuracy = {name: page.accuracy for name, page in pages.items()}
    values = np.array(list(accuracy.values()))
    return {
        "mean": float(values.mean()),
        "std": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
        "perfect": float((values == 1).mean()),
        "n_documents": len(values),
        "one_page_estimated": sum(page.estimated_n_pages() == 1 for page in pages.values()) / len(values),
        "upright": float(np.mean([page.upright for page in pages.values()])),
        "per_doc": accuracy,
        "seconds": sum(page.seconds["solve"] for page in pages.values()),
        "cost_seconds": sum(page.seconds["cost"] for page in pages.values()),
    }


def mixed(data: DataSet, method: Method, progress: Progress = no_progress) -> dict[str, Any]:
    """Reconstruct all documents together."""
    data = data.of([document for document in data.documents if document.n_true])
    pages, uncounted = reconstruct(data, method, progress), data.uncounted
    joins = [join for join in pages.arranged.joins if not {join.left, join.right} & uncounted]
    return {
        "accuracy": pages.accuracy,
        "upright": pages.upright,
        "candidates": pages.candidates,
        "n": pages.n,
        "n_documents": len(data.documents),
        "n_pages_estimated": pages.estimated_n_pages(),
        "calibration": calibration(joins, data.truth),
        "optimal": pages.arranged.optimal,
        "gap": pages.arranged.gap,
        "seconds": pages.seconds["solve"],
        "cost_seconds": pages.seconds["cost"],
    }


def measure(data: DataSet, name: str, weights: Path, variant: Variant, mode: str, progress: Progress) -> dict[str, Any]:
    """Measure one method on a data set that has been read.

    Parameters
    ----------
    data : DataSet
        Documents and their shreds.
    name : str
        One of `METHODS`.
    weights : Path
        The encoder's weights; baselines have no use for them.
    variant : Variant
        How the encoder is used; baselines have always a dummy of cost 0.
    mode : {"single", "multi", "both"}
        Documents by themselves, all together, or both.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        "method", "dummy", "seconds" by stage, and "single" and "multi" as asked for.
    """
    method: Method
    if name == REJOIN:
        embedder = Embedder(Encoder.load(weights), try_half_turns=variant.cost.try_half_turns)
        embedded = embedder(data.found.shreds, progress)
        method = EncoderMethod(name, embedder, variant)
        result: dict[str, Any] = {"weights_sha256": embedded.weights_sha256}
        seconds = {"embed": embedded.seconds, "cost": 0.0}
    else:
        method, result, seconds = BaselineMethod(name), {}, {"cost": 0.0}
    result |= {"method": name, "dummy": method.dummy, "seconds": seconds}
    for way, reconstruct_all in (("single", one_by_one), ("multi", mixed)):
        if mode in (way, "both"):
            result[way] = reconstruct_all(data, method, progress)
            seconds["cost"] += result[way]["cost_seconds"]
            seconds["solve"] = result[way]["seconds"]
    return result


def evaluate(
    folders: Sequence[Path],
    weights: Path,
    variant: Variant,
    mode: str,
    progress: Progress,
    methods: Sequence[str] = (REJOIN,),
    how: Disturbance = AS_IT_LIES,
) -> dict[str, Any]:
    """Measure accuracy and time of methods on the same shreds of a data set.

    Parameters
    ----------
    folders : sequence of Path
        See `training.measuring.documents`; several are mixed into one.
    weights, variant, mode, progress
        See `measure`.
    methods : sequence of str
        Some of `METHODS`.
    how : Disturbance
        What is done to the shreds before.

    Returns
    -------
    dict
        "single", "multi", "seconds", and what was found. These are of the first method; "methods" holds those of all by
        name.
    """
    data = disturbed(together([read_data_set(folder, Options(), progress) for folder in folders]), how)
    found = {
        "data_set": ", ".join(map(str, folders)),
        "disturbance": asdict(how),
        "shreds": {
            "found": len(data.found.shreds),
            "found_with_ink": sum(not shred.blank for shred in data.found.shreds),
            "true_with_ink": data.n_true,
            "true_found": sum(len(document.order) for document in data.documents),
        },
    }
    measured = {}
    for name in methods:
        result = measure(data, name, weights, variant, mode, progress)
        measured[name] = {**result, "seconds": {**data.found.seconds, **result["seconds"]}}
    first = measured[methods[0]]
    return {
        **found,
        **first,
        "upright": next(first[way]["upright"] for way in ("multi", "single") if way in first),
        "methods": measured,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def describe(result: dict[str, Any], *, per_document: bool = False) -> str:
    """Write a result as a few lines of text, optionally with one for each document."""
    shreds = result["shreds"]
    lines = [
        f"{result['data_set']}",
        f"  shreds with ink   {shreds['found_with_ink']} found, {shreds['true_with_ink']} true, "
        f"{shreds['true_found']} of them found",
    ]
    for method, measured in result["methods"].items():
        lines.append(f"  method            {method}, {measured['dummy']} dummy")
        lines += _describe_method(measured)
    if per_document:
        lines += _describe_documents(result["methods"])
    lines.append(f"  peak memory       {result['peak_memory_mb']:.0f} MB")
    return "\n".join(lines)


def _describe_method(result: dict[str, Any]) -> list[str]:
    """Write what was measured of a method as lines of text."""
    lines = []
    if single := result.get("single"):
        lines.append(
            f"  one by one        {100 * single['mean']:.2f} ± {100 * single['std']:.2f} % of joins right, "
            f"every join right in {100 * single['perfect']:.0f} % of {single['n_documents']} documents"
        )
        lines.append(f"  taken for 1 page  {100 * single['one_page_estimated']:.0f} % of documents")
    if multi := result.get("multi"):
        proof = "optimal" if multi["optimal"] else f"gap {100 * multi['gap']:.3f} %"
        lines.append(
            f"  mixed             {100 * multi['accuracy']:.2f} % of joins right, {multi['n']} shreds of "
            f"{multi['n_documents']} documents (taken for {multi['n_pages_estimated']} pages), {proof}"
        )
        bands = [
            f"{100 * b['from']:.0f}-{100 * b['to']:.0f} %: {100 * b['right']:.0f} % of {b['n']}"
            for b in multi["calibration"]
            if b["n"]
        ]
        lines.append(f"  upright           {100 * multi['upright']:.2f} % of shreds")
        lines.append(f"  candidates        {100 * multi['candidates']:.2f} % of true joins come into question")
        lines.append(f"  right, if sure    {', '.join(bands)}")
    seconds = "  ".join(f"{stage} {value:.1f}" for stage, value in result["seconds"].items())
    lines.append(f"  seconds           {seconds}")
    return lines


def _describe_documents(methods: dict[str, dict[str, Any]]) -> list[str]:
    """List the accuracy of every document by itself, a column for each method."""
    measured = {name: result["single"]["per_doc"] for name, result in methods.items() if "single" in result}
    lines = []
    if measured:
        lines.append(f"  {'document':20}" + "".join(f"{name:>10}" for name in measured))
    for document in next(iter(measured.values()), {}):
        accuracies = "".join(f"{100 * per_document[document]:10.2f}" for per_document in measured.values())
        lines.append(f"  {document:20}{accuracies}")
    return lines
