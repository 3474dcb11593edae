"""What both faces of paper are worth: pairs of faces found, and joins by both faces against those by one alone."""

import resource
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import other_faces
from core.embedding.encoder import Encoder
from core.faces.pairing import find_faces
from core.options import Options
from core.pipeline import arrange
from core.progress import Progress, no_progress, part
from training.measuring.faces.judging import JudgedJoins, JudgedPairs, judge_joins, judge_pairs
from training.measuring.faces.print_at_cuts import joins_with_print
from training.measuring.faces.truth import Join, TwoFaced, read_two_faced
from training.measuring.methods import VARIANTS, Embedder, EncoderMethod

WAYS = {
    "both": "both faces, paired as found",
    "true_pairs": "both faces, paired in truth",
    "one": "fronts alone",
}
"""How joins are found, and what that is called."""

_COLUMNS = {
    "joins": "made",
    "missed": "missed",
    "n": "of",
    "wrong": "wrong",
    "accuracy": "accuracy",
    "with_print": "with print",
    "n_with_print": "of",
    "blank_backs": "blank backs",
    "pages": "pages",
}

_FACES = {"both": ("front", "back"), "true_pairs": ("front", "back"), "one": ("front",)}


def evaluate_faces(folder: Path, weights: Path, progress: Progress = no_progress) -> dict[str, Any]:
    """Measure how well faces are paired, and the order by both faces and by the fronts alone.

    Parameters
    ----------
    folder : Path
        That `python -m training.sack --two-faced` made.
    weights : Path
        The encoder's.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        "data_set", "shreds", "faces", "seconds", "peak_memory_mb", see `compared`.

    Raises
    ------
    UsageError
        If the folder holds no such sack.
    """
    data = read_two_faced(folder, Options(), part(progress, 0.0, 0.3))
    method = EncoderMethod("rejoin", Embedder(Encoder.load(weights)), VARIANTS["full"])
    return {
        "data_set": str(folder),
        "shreds": {
            "papers": len({paper for paper, _ in data.inked}),
            "laid": len(data.inked),
            "faces": 2 * len(data.inked),
            "faces_found": len(data.faces),
        },
        **compared(data, method, part(progress, 0.3, 1.0)),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def compared(data: TwoFaced, method: EncoderMethod, progress: Progress = no_progress) -> dict[str, Any]:
    """Pair the faces of shreds, and find their order by both faces and by the fronts alone.

    Parameters
    ----------
    data : TwoFaced
        Shreds and their truth.
    method : EncoderMethod
        Prices joins of faces, both ways up.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        "faces": "pairs" ("right", "wrong", "turned_wrongly" of these, "n", and "share" right); then, by the names of
        `WAYS`: "joins", the share of the true ones that were made, "n" of these, "missed", how many were not made,
        "wrong", how many were made and are not true, "accuracy" in the paper's measure, "pages"; "with_print", the
        share of the true joins with print on both sides of the cut that were made, "n_with_print" of these, and
        "blank_backs", the share of those of paper without ink on its back, None if there are none; and "fewer_missed"
        and "fewer_wrong", by which share both faces have fewer than the fronts alone, None if these have none.
        "seconds": of each stage.
    """
    shreds, start = data.found.shreds, time.perf_counter()
    pairs = find_faces(shreds, part(progress, 0.0, 0.1))
    seconds = {"pair": time.perf_counter() - start}
    costs, seconds_of_costs = method.costs(shreds, part(progress, 0.1, 0.7))
    found = {
        way: arrange(shreds, costs, Options(), Arrangement(other_faces=other_faces(known)))
        for way, known in (("both", pairs), ("true_pairs", data.pairs()))
    }
    fronts = [shred for shred in shreds if shred.id in data.faces and data.faces[shred.id].face == "front"]
    found["one"] = arrange(fronts, method.costs(fronts, part(progress, 0.7, 1.0))[0], Options())
    judged = {way: judge_joins(one.arrangement, data, _FACES[way]) for way, one in found.items()}
    with_print = {
        way: joins_with_print(one.true, data, method.embedder(shreds), _FACES[way]) for way, one in judged.items()
    }
    pages = {way: len(one.arrangement.pages) for way, one in found.items()}
    faces = _figures(judged, with_print, data.blank_papers("back")) | {"pages": pages}
    seconds |= seconds_of_costs | found["both"].seconds
    return {"faces": {"pairs": _figures_of_pairs(judge_pairs(pairs, data)), **faces}, "seconds": seconds}


def _figures_of_pairs(pairs: JudgedPairs) -> dict[str, float]:
    return {**asdict(pairs), "share": pairs.right / max(1, pairs.n)}


def _figures(
    judged: Mapping[str, JudgedJoins], with_print: Mapping[str, Collection[Join]], blank: Collection[int]
) -> dict[str, Any]:
    """Return what `compared` says of joins; `blank` are the sheets of paper without ink on their back."""
    figures: dict[str, Any] = {
        "joins": {way: one.share_right for way, one in judged.items()},
        "n": {way: len(one.true) for way, one in judged.items()},
        "missed": {way: len(one.true - one.made) for way, one in judged.items()},
        "wrong": {way: one.wrong for way, one in judged.items()},
        "accuracy": {way: one.accuracy for way, one in judged.items()},
        "with_print": {way: one.share_among(with_print[way]) for way, one in judged.items()},
        "n_with_print": {way: len(joins) for way, joins in with_print.items()},
        "blank_backs": {
            way: one.share_among([join for join in one.true if join[0][0] in blank]) for way, one in judged.items()
        },
    }
    for kind in ("missed", "wrong"):
        both, one = figures[kind]["both"], figures[kind]["one"]
        figures[f"fewer_{kind}"] = 1 - both / one if one else None
    return figures


def describe_faces(result: dict[str, Any]) -> str:
    """Write what `evaluate_faces` returns as a few lines of text."""
    shreds, faces = result["shreds"], result["faces"]
    pairs = faces["pairs"]
    lines = [
        result["data_set"],
        f"  shreds            {shreds['laid']} of {shreds['papers']} sheets of paper; {shreds['faces_found']} of "
        f"{shreds['faces']} faces found",
        f"  pairs of faces    {pairs['share']:.2%} right: {pairs['right']} of {pairs['n']}; {pairs['wrong']} wrong, "
        f"{pairs['turned_wrongly']} of them turned wrongly",
        f"  {'joins right':32}" + "".join(f"{heading:>12}" for heading in _COLUMNS.values()),
    ]
    for way, name in WAYS.items():
        lines.append(f"    {name:30}" + "".join(f"{_cell(faces[kind][way]):>12}" for kind in _COLUMNS))
    for kind, what in (("missed", "fewer missed"), ("wrong", "fewer wrong")):
        fewer = faces[f"fewer_{kind}"]
        lines.append(f"  {what:18}{'none by the fronts alone' if fewer is None else f'{fewer:.1%} by both faces'}")
    lines.append(
        "  seconds           " + "  ".join(f"{stage} {value:.1f}" for stage, value in result["seconds"].items())
    )
    lines.append(f"  peak memory       {result['peak_memory_mb']:.0f} MB")
    return "\n".join(lines)


def _cell(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2%}" if isinstance(value, float) else str(value)
