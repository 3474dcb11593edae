"""Accuracy and time of methods on real shreds, in the measure of `training.measuring.accuracy`.

A shred that was not found takes its joins with it.
"""

import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from core.matching.costs import Costs
from core.matching.encoder import Encoder
from core.options import Options
from core.pipeline import Arranged, Embedded, arrange, compare, embed
from core.progress import Progress
from core.shreds.shred import Shred
from core.system.places import weights_path
from training.baselines import BASELINES, baseline
from training.baselines.dummy import without_blank
from training.measuring.accuracy import calibration, right_joins
from training.measuring.documents import DataSet, Document, read_data_set

REJOIN = "rejoin"

METHODS = (REJOIN, *BASELINES)
"""Names of the methods that can be measured."""

Dummy: TypeAlias = Literal["blank", "zero"]
"""What closes a page: the blank shred (docs/decisions/blank-margin.md) or, as in publications, a dummy of cost 0."""

CostsOf: TypeAlias = Callable[[Sequence[int]], Costs]
"""Gives the costs of shreds with ink, which are counted among all that were found."""

SHIPPED_WEIGHTS = weights_path()


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A data set, and what gives the costs of its joins; measured in one way or another.

    Attributes
    ----------
    data : DataSet
        Documents and their shreds.
    costs_of : callable
        See `CostsOf`.
    options : Options
        Those of the solver are used.
    dummy : {"blank", "zero"}
        With a dummy of cost 0 all documents together are one single path, as in the publications.
    """

    data: DataSet
    costs_of: CostsOf
    options: Options
    dummy: Dummy = "blank"

    def single(self) -> dict[str, Any]:
        """Reconstruct every document by itself, as one page."""
        accuracy: dict[str, float] = {}
        pages_estimated_right, cost_s, solve_s = 0, 0.0, 0.0
        for document in self.data.documents:
            if document.n_true < 2:
                continue
            costs, seconds = self._costs([document])
            arranged = self._arranged([document], costs, 1)
            accuracy[document.name] = self._share_right([document], arranged)
            pages_estimated_right += len(self._arranged([document], costs, None).arrangement.pages) == 1
            cost_s, solve_s = cost_s + seconds, solve_s + arranged.seconds["solve"]
        values = np.array(list(accuracy.values()))
        return {
            "mean": float(values.mean()),
            "std": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
            "perfect": float((values == 1).mean()),
            "n_documents": len(values),
            "one_page_estimated": pages_estimated_right / len(values),
            "per_doc": accuracy,
            "seconds": solve_s,
            "cost_seconds": cost_s,
        }

    def multi(self) -> dict[str, Any]:
        """Reconstruct all documents together."""
        documents = [document for document in self.data.documents if document.n_true]
        costs, cost_s = self._costs(documents)
        arranged = self._arranged(documents, costs, self._n_pages(documents))
        return {
            "accuracy": self._share_right(documents, arranged),
            "n": sum(document.n_true for document in documents),
            "n_documents": len(documents),
            "n_pages_estimated": len(self._arranged(documents, costs, None).arrangement.pages),
            "calibration": calibration(arranged.joins, self._truth(documents)),
            "optimal": arranged.optimal,
            "gap": arranged.gap,
            "seconds": arranged.seconds["solve"],
            "cost_seconds": cost_s,
        }

    def accuracy(self, documents: Sequence[Document]) -> tuple[float, Arranged]:
        """Reconstruct some documents together, as many pages as there are documents.

        Parameters
        ----------
        documents : sequence of Document
            Some of the data set's.

        Returns
        -------
        accuracy : float
            Share of right joins, 0 to 1.
        arranged : Arranged
            The reconstruction.
        """
        arranged = self._arranged(documents, self._costs(documents)[0], self._n_pages(documents))
        return self._share_right(documents, arranged), arranged

    def _n_pages(self, documents: Sequence[Document]) -> int:
        return len(documents) if self.dummy == "blank" else 1

    def _costs(self, documents: Sequence[Document]) -> tuple[Costs, float]:
        """Give the costs of the shreds with ink of some documents, and the seconds it took."""
        start = time.perf_counter()
        costs = self.costs_of([i for i in _shreds_of(documents) if not self.data.found.shreds[i].blank])
        costs = without_blank(costs) if self.dummy == "zero" else costs
        return costs, time.perf_counter() - start

    def _share_right(self, documents: Sequence[Document], arranged: Arranged) -> float:
        n_true = sum(document.n_true for document in documents)
        return right_joins(arranged.arrangement.pages, self._truth(documents)) / max(1, n_true - 1)

    def _truth(self, documents: Sequence[Document]) -> list[list[str]]:
        return [[self.data.found.shreds[index].id for index in document.order] for document in documents]

    def _arranged(self, documents: Sequence[Document], costs: Costs, n_pages: int | None) -> Arranged:
        """Arrange the shreds of some documents; without a number of pages it is estimated."""
        shreds = [self.data.found.shreds[index] for index in _shreds_of(documents)]
        return arrange(shreds, costs, replace(self.options, solver=replace(self.options.solver, n_pages=n_pages)))


def _shreds_of(documents: Sequence[Document]) -> list[int]:
    """List the shreds of some documents, counted among all that were found."""
    return sorted(index for document in documents for index in document.indices)


def priced(embedded: Embedded, shreds: Sequence[Shred], options: Options) -> CostsOf:
    """Price the joins between some shreds as if there were no others.

    Parameters
    ----------
    embedded : Embedded
        Those of the shreds that are compared.
    shreds : sequence of Shred
        All shreds.
    options : Options
        Those of cost are used.

    Returns
    -------
    callable
        See `CostsOf`.
    """
    rank = np.cumsum([shred.compared for shred in shreds]) - 1
    return lambda chosen: compare(embedded.of([int(rank[index]) for index in chosen]), options).costs


def measure(
    data: DataSet, method: str, weights: Path, options: Options, dummy: Dummy, mode: str, progress: Progress
) -> dict[str, Any]:
    """Measure one method on a data set that has been read.

    Parameters
    ----------
    data : DataSet
        Documents and their shreds.
    method : str
        One of `METHODS`.
    weights : Path
        The encoder's weights; baselines have no use for them.
    options : Options
        Of all stages.
    dummy : {"blank", "zero"}
        For the encoder's method; baselines know no blank shred and have always a dummy of cost 0.
    mode : {"single", "multi", "both"}
        Documents by themselves, all together, or both.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        "method", "dummy", "seconds" by stage, and "single" and "multi" as asked for.
    """
    shreds = data.found.shreds
    if method == REJOIN:
        embedded = embed(shreds, Encoder.load(weights), options, progress)
        evaluation = Evaluation(data, priced(embedded, shreds, options), options, dummy)
        result: dict[str, Any] = {"weights_sha256": embedded.weights_sha256}
        seconds = {"embed": embedded.seconds, "cost": 0.0}
    else:
        pricing = baseline(method)
        evaluation = Evaluation(
            data, lambda chosen: pricing.costs([shreds[index] for index in chosen], progress), options, "zero"
        )
        result, seconds = {}, {"cost": 0.0}
    result |= {"method": method, "dummy": evaluation.dummy, "seconds": seconds}
    for name, measured in (("single", evaluation.single), ("multi", evaluation.multi)):
        if mode in (name, "both"):
            result[name] = measured()
            seconds["cost"] += result[name]["cost_seconds"]
            seconds["solve"] = result[name]["seconds"]
    return result


def evaluate(
    folder: Path,
    weights: Path,
    options: Options,
    mode: str,
    progress: Progress,
    *,
    methods: Sequence[str] = (REJOIN,),
    dummy: Dummy = "blank",
) -> dict[str, Any]:
    """Measure accuracy and time of methods on the same shreds of a data set.

    Parameters
    ----------
    folder : Path
        See `training.measuring.documents`.
    weights : Path
        The encoder's weights.
    options : Options
        Of all stages.
    mode : {"single", "multi", "both"}
        Documents by themselves, all together, or both.
    progress : Progress
        Fraction and text.
    methods : sequence of str
        Some of `METHODS`.
    dummy : {"blank", "zero"}
        See `measure`.

    Returns
    -------
    dict
        As described in the design: "single", "multi", "seconds", and what was found. These are of the first method;
        "methods" holds those of all by name.
    """
    data = read_data_set(folder, options, progress)
    found = {
        "data_set": str(folder),
        "shreds": {
            "found": len(data.found.shreds),
            "found_with_ink": sum(not shred.blank for shred in data.found.shreds),
            "true_with_ink": sum(document.n_true for document in data.documents),
            "true_found": sum(len(document.order) for document in data.documents),
        },
    }
    measured = {}
    for method in methods:
        result = measure(data, method, weights, options, dummy, mode, progress)
        measured[method] = {**result, "seconds": {**data.found.seconds, **result["seconds"]}}
    return {
        **found,
        **measured[methods[0]],
        "methods": measured,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def describe(result: dict[str, Any], *, per_document: bool = False) -> str:
    """Put a result into a few lines of text, optionally with one for each document."""
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
    """Put what was measured of a method into lines of text."""
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
