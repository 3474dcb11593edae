"""Measures accuracy and time on real shreds: ``python -m training.evaluate DATASET_DIR``.

Accuracy is the paper's: the share of adjacent pairs that are right, among shreds with ink; where documents are mixed,
the last shred of one followed by the first of another counts too. A shred that was not found takes its joins with it.
"""

import argparse
import json
import resource
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.case import JoinInfo
from core.encoder import Encoder
from core.errors import RejoinError
from core.matching import Costs
from core.options import CostOptions, Options
from core.pipeline import Arranged, Matched, arrange, match
from core.progress import Progress
from core.shred import Shred
from training.documents import DataSet, Document, read_data_set

CONFIDENCE_BANDS = (0.0, 0.25, 0.5, 0.75, 0.95, 1.01)
"""Limits of the bands in which confidence is compared with the share of right joins."""

SHIPPED_WEIGHTS = Path(__file__).parents[1] / "resources" / "weights" / "encoder.keras"


def right_joins(pages: Sequence[Sequence[str]], documents: Sequence[Sequence[str]]) -> int:
    """Count the right joins of a reconstruction.

    Parameters
    ----------
    pages : sequence of sequence of str
        Shreds from left to right, page after page; they count as one long sequence.
    documents : sequence of sequence of str
        The true orders. With more than one, the end of one followed by the beginning of any other is right.

    Returns
    -------
    int
        At most the number of shreds less 1.
    """
    sequence = [shred for page in pages for shred in page]
    return sum(is_right(pair, documents) for pair in pairwise(sequence))


def is_right(join: tuple[str, str], documents: Sequence[Sequence[str]]) -> bool:
    """Tell whether a join is right in the paper's measure, see `right_joins`."""
    for document in documents:
        if join[0] in document:
            place = document.index(join[0])
            if place + 1 < len(document):
                return document[place + 1] == join[1]
            return join[1] in {other[0] for other in documents if other and other is not document}
    return False


def calibration(joins: Sequence[JoinInfo], documents: Sequence[Sequence[str]]) -> list[dict[str, float]]:
    """Compare how sure joins are with how many of them are right.

    Parameters
    ----------
    joins : sequence of JoinInfo
        Of a reconstruction.
    documents : sequence of sequence of str
        The true orders.

    Returns
    -------
    list of dict
        A dict per band of confidence: from, to, n, right (a share; 0 without joins) and mean confidence.
    """
    bands = []
    for low, high in pairwise(CONFIDENCE_BANDS):
        inside = [join for join in joins if low <= join.confidence < high]
        right = [is_right((join.left, join.right), documents) for join in inside]
        sure = [join.confidence for join in inside]
        bands.append(
            {
                "from": low,
                "to": min(high, 1.0),
                "n": len(inside),
                "right": float(np.mean(right)) if inside else 0.0,
                "confidence": float(np.mean(sure)) if inside else 0.0,
            }
        )
    return bands


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A data set with the costs of all its joins; measured in one way or another."""

    data: DataSet
    matched: Matched
    options: Options

    def single(self) -> dict[str, Any]:
        """Reconstruct every document by itself, as one page."""
        accuracy: dict[str, float] = {}
        pages_estimated_right = 0
        for document in self.data.documents:
            if document.n_true < 2:
                continue
            accuracy[document.name] = self._accuracy([document], n_pages=1)[0]
            pages_estimated_right += len(self._arranged([document], None).arrangement.pages) == 1
        values = np.array(list(accuracy.values()))
        return {
            "mean": float(values.mean()),
            "std": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
            "perfect": float((values == 1).mean()),
            "n_documents": len(values),
            "one_page_estimated": pages_estimated_right / len(values),
            "per_doc": accuracy,
        }

    def multi(self) -> dict[str, Any]:
        """Reconstruct all documents together."""
        documents = [document for document in self.data.documents if document.n_true]
        accuracy, arranged = self._accuracy(documents, n_pages=len(documents))
        return {
            "accuracy": accuracy,
            "n": sum(document.n_true for document in documents),
            "n_documents": len(documents),
            "n_pages_estimated": len(self._arranged(documents, None).arrangement.pages),
            "calibration": calibration(arranged.joins, self._truth(documents)),
            "optimal": arranged.optimal,
            "gap": arranged.gap,
            "seconds": arranged.seconds["solve"],
        }

    def _accuracy(self, documents: Sequence[Document], n_pages: int) -> tuple[float, Arranged]:
        arranged = self._arranged(documents, n_pages)
        n_true = sum(document.n_true for document in documents)
        n_right = right_joins(arranged.arrangement.pages, self._truth(documents))
        return n_right / max(1, n_true - 1), arranged

    def _truth(self, documents: Sequence[Document]) -> list[list[str]]:
        return [[self.data.found.shreds[index].id for index in document.order] for document in documents]

    def _arranged(self, documents: Sequence[Document], n_pages: int | None) -> Arranged:
        """Arrange the shreds of some documents; without a number of pages it is estimated."""
        chosen = sorted(index for document in documents for index in document.indices)
        shreds = [self.data.found.shreds[index] for index in chosen]
        costs = _costs_of(self.matched.costs, self.data.found.shreds, chosen)
        return arrange(shreds, costs, replace(self.options, solver=replace(self.options.solver, n_pages=n_pages)))


def _costs_of(costs: Costs, shreds: Sequence[Shred], chosen: Sequence[int]) -> Costs:
    """Take the costs of some shreds; `chosen` counts all shreds, costs only those with ink."""
    rank = np.cumsum([not shred.blank for shred in shreds]) - 1
    rows = [int(rank[index]) for index in chosen if not shreds[index].blank]
    return costs.of(rows)


def evaluate(folder: Path, weights: Path, options: Options, mode: str, progress: Progress) -> dict[str, Any]:
    """Measure accuracy and time on a data set.

    Parameters
    ----------
    folder : Path
        See `training.documents`.
    weights : Path
        The encoder's weights.
    options : Options
        Of all stages.
    mode : {"single", "multi", "both"}
        Documents by themselves, all together, or both.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        As described in the design: "single", "multi", "seconds", and what was found.
    """
    data = read_data_set(folder, options, progress)
    matched = match(data.found.shreds, Encoder.load(weights), options, progress)
    evaluation = Evaluation(data, matched, options)
    result: dict[str, Any] = {
        "data_set": str(folder),
        "weights_sha256": matched.weights_sha256,
        "shreds": {
            "found": len(data.found.shreds),
            "found_with_ink": sum(not shred.blank for shred in data.found.shreds),
            "true_with_ink": sum(document.n_true for document in data.documents),
            "true_found": sum(len(document.order) for document in data.documents),
        },
        "seconds": {**data.found.seconds, **matched.seconds},
    }
    if mode in ("single", "both"):
        result["single"] = evaluation.single()
    if mode in ("multi", "both"):
        result["multi"] = evaluation.multi()
        result["seconds"]["solve"] = result["multi"]["seconds"]
    result["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def describe(result: dict[str, Any]) -> str:
    """Put a result into a few lines of text."""
    shreds = result["shreds"]
    lines = [
        f"{result['data_set']}",
        f"  shreds with ink   {shreds['found_with_ink']} found, {shreds['true_with_ink']} true, "
        f"{shreds['true_found']} of them found",
    ]
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
    lines.append(f"  peak memory       {result['peak_memory_mb']:.0f} MB")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure accuracy and time on real shreds."""
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=main.__doc__)
    parser.add_argument(
        "folder", type=Path, metavar="DATASET_DIR", help="documents, as training/documents.py reads them"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result to this file as well")
    parser.add_argument("--weights", type=Path, default=SHIPPED_WEIGHTS, help="encoder (default: the shipped one)")
    parser.add_argument("--mode", choices=["single", "multi", "both"], default="both", help="default: %(default)s")
    parser.add_argument("--no-contour", action="store_true", help="compare ink alone")
    parser.add_argument("--segmentation", action="store_true", help="measure how shreds are found, and nothing else")
    given = parser.parse_args(arguments)
    try:
        if given.segmentation:
            from training.segmentation_accuracy import segmentation_table

            print(segmentation_table(given.folder))
            return 0
        with tqdm(total=1.0, disable=None, bar_format="{desc:40} {bar}", leave=False) as bar:

            def progress(fraction: float, text: str) -> None:
                bar.set_description_str(text, refresh=False)
                bar.update(fraction - bar.n)

            options = Options(cost=CostOptions(use_contour=not given.no_contour))
            result = evaluate(given.folder, given.weights, options, given.mode, progress)
    except RejoinError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(describe(result))
    if given.json:
        given.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
