"""How cross-cut paper is put together: pages cut in software one by one, several mixed, and with pieces missing."""

import argparse
import resource
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrangement.arrangement import Arrangement, OtherFace
from core.arrangement.faces import with_faces
from core.arrangement.grid import place_of_row
from core.comparison import match
from core.embedding.encoder import Encoder
from core.errors import UsageError
from core.options import Options
from core.pipeline import arrange
from core.progress import Progress, no_progress, part
from core.wording import counted
from training.measuring.cross_cut.judging import Judged, judge, with_rows_behind
from training.measuring.cross_cut.sureness import Said, describe_below, figures_below, said_below
from training.measuring.cross_cut.truth import cut_in_software, has_rows, pages_to_cut, read_intact, read_rows
from training.pages.cross_cut import Cutting, Pieces

MIXED = 5
"""So many pages are mixed at a time."""

MISSING = 0.1
"""Share of the pieces that are taken away, where nothing else is asked for."""

WAYS = {
    "single": "one page at a time",
    "mixed": f"{MIXED} pages mixed",
    "missing": "one at a time, pieces missing",
    "as_found": "as they were found",
}
"""What is reconstructed, and what that is called."""

STAGES = ("embed", "cost", "solve")

_COLUMNS = ("across", "down", "in place", "blank ones", "pieces", "pages found")

_SHARES = ("across", "down", "in_place")


@dataclass(frozen=True, eq=False)
class Reconstructed:
    """Pieces that were put together, and what is right of that.

    Attributes
    ----------
    pages : tuple of Judged
        By the pages in truth.
    n_pages_found : int
        How many pages came out.
    n : int
        Pieces.
    seconds : dict of str to float
        By the `STAGES`.
    below : sequence of (float, bool)
        See `training.measuring.cross_cut.sureness.said_below`.
    """

    pages: tuple[Judged, ...]
    n_pages_found: int
    n: int
    seconds: dict[str, float]
    below: Sequence[Said] = ()


def reconstruct(
    pieces: Pieces,
    encoder: Encoder,
    progress: Progress = no_progress,
    *,
    faces: Mapping[str, OtherFace] = MappingProxyType({}),
) -> Reconstructed:
    """Put pieces together as the application does when it is told nothing, and judge that.

    Parameters
    ----------
    pieces : Pieces
        With their truth.
    encoder : Encoder
        Knows which way up print is.
    progress : Progress
        Fraction and text.
    faces : mapping of str to OtherFace
        Which are the faces of one piece of paper.

    Returns
    -------
    Reconstructed
        Of blank pieces alone nothing comes out.
    """
    arrangement, seconds, below = Arrangement(), dict.fromkeys(STAGES, 0.0), list[Said]()
    if any(shred.compared for shred in pieces.shreds):
        matched = match(pieces.shreds, encoder, Options(), part(progress, 0.0, 0.7))
        first = with_faces(arrangement, faces)
        arranged = arrange(pieces.shreds, matched.costs, Options(), first, progress=part(progress, 0.7, 1.0))
        below = said_below(arranged.arrangement, arranged.below, pieces)
        arrangement = with_rows_behind(arranged.arrangement)
        seconds = seconds | matched.seconds | arranged.seconds
    found = {place_of_row(arrangement, row)[0] for row in range(len(arrangement.pages))}
    return Reconstructed(judge(arrangement, pieces), len(found), len(pieces.shreds), seconds, below)


def evaluate_cross_cut(
    folder: Path,
    weights: Path,
    how: Cutting,
    *,
    missing: float = MISSING,
    all_pages: bool = False,
    mode: str = "both",
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """Measure how cross-cut paper is put together: of intact pages, cut in software, or of pieces with known rows.

    Parameters
    ----------
    folder : Path
        See `training.measuring.cross_cut.truth`.
    weights : Path
        The encoder's; that of pieces is the one that ships.
    how : Cutting
        How pages are cut; pieces with known rows are taken as they are.
    missing : float
        Share of the pieces that is taken away in "missing", 0 to 1; at 0 that is left out.
    all_pages : bool
        As for `training.measuring.cross_cut.truth.pages_to_cut`.
    mode : {"single", "multi", "both"}
        Pages one at a time, several mixed, or both.
    progress : Progress
        Fraction and text.

    Returns
    -------
    dict
        "data_set"; "pages", their names; "cutting", unless pieces were taken as they are; "peak_memory_mb"; and by the
        names of `WAYS` what `summary` returns.

    Raises
    ------
    UsageError
        If there is neither a page nor a piece, or there are too few pages to be mixed.
    UnreadableInputError
        If a page cannot be read.
    """
    if has_rows(folder):
        (pieces, faces), encoder = read_rows(folder, part(progress, 0.0, 0.2)), Encoder.load(weights)
        result: dict[str, Any] = {"data_set": str(folder), "pages": [folder.resolve().name]}
        result["as_found"] = summary([reconstruct(pieces, encoder, part(progress, 0.2, 1.0), faces=faces)])
    else:
        pages = read_intact(pages_to_cut(folder, all_pages=all_pages))
        names, images, encoder = list(pages), list(pages.values()), Encoder.load(weights)
        result = {"data_set": str(folder), "pages": names, "cutting": asdict(how)}
        several = [images[start : start + MIXED] for start in range(0, len(images) - MIXED + 1, MIXED)]
        one_by_one = [[image] for image in images] if mode in ("single", "both") else []
        ways = {
            "single": (one_by_one, how),
            "mixed": (several if mode in ("multi", "both") else [], how),
            "missing": (one_by_one if missing else [], replace(how, missing=missing)),
        }
        if not any(sets for sets, _ in ways.values()):
            raise UsageError(
                f"{counted(len(images), 'page')} cannot be mixed {MIXED} at a time. Give more, or --mode single."
            )
        n_all, n_done = sum(len(sets) * len(sets[0]) for sets, _ in ways.values() if sets), 0
        for way, (sets, cutting) in ways.items():
            if sets:
                n = len(sets) * len(sets[0])
                here = part(progress, n_done / n_all, (n_done + n) / n_all)
                result[way] = summary(
                    _cut_and_reconstruct(sets, cutting, encoder, here), () if way == "mixed" else names
                )
                n_done += n
    return result | {"peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def _cut_and_reconstruct(
    sets: Sequence[Sequence[NDArray[np.uint8]]], how: Cutting, encoder: Encoder, progress: Progress
) -> list[Reconstructed]:
    """Cut each set of pages along a grid of its own, and put it together."""
    done = []
    for number, pages in enumerate(sets):
        pieces = cut_in_software(pages, replace(how, seed=how.seed + number))
        done.append(reconstruct(pieces, encoder, part(progress, number / len(sets), (number + 1) / len(sets))))
    return done


def summary(done: Sequence[Reconstructed], names: Sequence[str] = ()) -> dict[str, Any]:
    """Sum up what was reconstructed.

    Parameters
    ----------
    done : sequence of Reconstructed
        At least one.
    names : sequence of str
        Of the pages, if each was reconstructed by itself.

    Returns
    -------
    dict
        "across", "down" and "in_place": means over what was reconstructed, None if nothing can be right; "n_across",
        "n_down", "blank", "blank_in_place", "pieces", "pages" and "pages_found": sums; "seconds": sums by stage;
        "per_page": the shares, blank pieces and pieces of each page; "below": of joins downwards, how often they are
        right as sure as they are said to be, see `training.measuring.cross_cut.sureness.figures_below`.
    """
    judged = [Judged.of_all(one.pages) for one in done]
    every = Judged.of_all(judged)
    return {
        **{name: _mean(one.shares()[name] for one in judged) for name in _SHARES},
        "n_across": every.n_across,
        "n_down": every.n_down,
        "blank": every.n_blank,
        "blank_in_place": every.blank_in_place,
        "pieces": sum(one.n for one in done),
        "pages": sum(len(one.pages) for one in done),
        "pages_found": sum(one.n_pages_found for one in done),
        "seconds": {stage: sum(one.seconds.get(stage, 0.0) for one in done) for stage in STAGES},
        "below": figures_below([said for one in done for said in one.below]),
        "per_page": {
            name: {
                **judged_page.shares(),
                "blank": judged_page.n_blank,
                "blank_in_place": judged_page.blank_in_place,
                "pieces": one.n,
                "pages": 1,
                "pages_found": one.n_pages_found,
            }
            for name, judged_page, one in zip(names, judged, done, strict=bool(names))
        },
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def describe_cross_cut(result: Mapping[str, Any]) -> str:
    """Write what `evaluate_cross_cut` returns as a table."""
    lines = [result["data_set"]]
    if cutting := result.get("cutting"):
        lines += [
            "  {}, cut into {:g} × {:g} mm".format(counted(len(result["pages"]), "page"), *cutting["piece_mm"]),
            "  worn by {wear_px} px, rows {row_offset_mm:g} mm off those above, turned by {turn_deg:g}° (σ), "
            "{half_turned:.0%} upside down".format(**cutting),
        ]
    for way, name in WAYS.items():
        if way in result:
            lines += ["", f"  {name:36}" + "".join(f"{heading:>13}" for heading in _COLUMNS)]
            rows = {f"  {page}": row for page, row in result[way]["per_page"].items()} | {"  together": result[way]}
            lines += [f"  {called:36}" + "".join(f"{cell:>13}" for cell in _cells(row)) for called, row in rows.items()]
            lines += describe_below(result[way]["below"])
            seconds = result[way]["seconds"]
            lines.append("    seconds: " + "  ".join(f"{stage} {value:.1f}" for stage, value in seconds.items()))
    return "\n".join([*lines, "", f"  peak memory: {result['peak_memory_mb']:.0f} MB"])


def _cells(row: Mapping[str, Any]) -> list[str]:
    """Write what stands below the `_COLUMNS`."""
    shares = ["–" if row[name] is None else f"{row[name]:.2%}" for name in _SHARES]
    blank = f"{row['blank_in_place']} of {row['blank']}"
    return [*shares, blank, str(row["pieces"]), f"{row['pages_found']} of {row['pages']}"]


def add_cross_cut_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how pages are cut."""
    what = "measure how cross-cut paper is put together, and nothing else: intact pages are cut in software, one at a "
    what += f"time, {MIXED} mixed, and with pieces missing; or a folder of pieces with contest_truth.json beside it"
    parser.add_argument("--cross-cut", action="store_true", help=what)
    group, usual = parser.add_argument_group("with --cross-cut"), Cutting()
    size = "size of the pieces (default: 4 40)"
    group.add_argument("--piece", type=float, nargs=2, default=usual.piece_mm, metavar=("WIDTH", "HEIGHT"), help=size)
    offset = "cut each row so much farther right than the one above (mm; default: %(default)g, cuts go through)"
    group.add_argument("--row-offset", type=float, default=usual.row_offset_mm, metavar="MM", help=offset)
    wear = "so much of the paper is lost along each cut, on either side (default: %(default)s)"
    group.add_argument("--wear", type=int, default=usual.wear_px, metavar="PX", help=wear)
    turn = "by how much straightened pieces lie turned still (σ; default: %(default)g)"
    group.add_argument("--turn", type=float, default=usual.turn_deg, metavar="DEG", help=turn)
    pages = "cut the pages as well that the encoder of pieces was trained on"
    group.add_argument("--all-pages", action="store_true", help=pages)


def cutting_of(options: argparse.Namespace) -> Cutting:
    """Return how pages are to be cut; half of the pieces lie upside down, unless something else is asked for."""
    half_turned = Cutting.half_turned if options.half_turned is None else options.half_turned
    return Cutting(tuple(options.piece), options.row_offset, options.wear, options.turn, half_turned, seed=options.seed)
