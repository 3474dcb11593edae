"""How well shreds are found on any background: sheets laid out from real shreds under every kind of condition.

Background, light, compression, resolution and angle are crossed; the masks of the shreds are the truth.
"""

import json
import multiprocessing
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from core.errors import NothingFoundError, UnreadableInputError
from core.parallel import n_cores
from core.progress import Progress, no_progress
from core.sheets.formats.decoding import Document
from core.sheets.perspective import lay_flat
from training.measuring.segmentation import SheetResult, compare, read_mask, segmented
from training.pages.beds.laid_out import Conditions, LaidOut, Paper, boxed, lay_out
from training.pages.beds.photographed import take_photograph

KINDS: dict[str, dict[str, Any]] = {
    "pale": {"surface": "pale"},
    "bright": {"surface": "bright"},
    "saturated": {"surface": "saturated"},
    "dark": {"surface": "dark"},
    "cutting mat": {"surface": "mat"},
    "wood": {"surface": "wood"},
    "cloth": {"surface": "cloth"},
    "two colours": {"surface": "two colours"},
    "lid beside, pale": {"surface": "pale", "beside": True},
    "lid beside": {"surface": "bright", "beside": True},
    "pocket": {"surface": "saturated", "over": "pocket"},
    "tape": {"surface": "bright", "over": "tape"},
    "tinted paper": {"surface": "saturated", "paper": "tinted"},
    "coloured paper": {"surface": "dark", "paper": "coloured"},
}
"""What the sheets are counted by."""

PHOTOGRAPHED: dict[str, dict[str, Any]] = {
    f"photograph, {surface}": {"surface": surface}
    for surface in ("pale", "bright", "saturated", "dark", "mat", "wood", "cloth")
}
"""The same of photographs, on which the support is seen whole on a table."""

PARTS: dict[str, dict[str, Any]] = {f"part, {kind}": conditions for kind, conditions in KINDS.items()}
"""The same of narrow parts of sheets, on which a shred, two or three lie: they look much like a single shred."""

ON_PART = (1, 2, 1, 3)

TILTS_DEG = (2.0, 5.0, 8.0, 12.0, 15.0)

N_SHEETS = 15 * len(KINDS)
"""So many sheets of each kind tell them apart."""

LIGHTS = ("even", "uneven", "even", "shadow", "dark", "linear")

QUALITIES = (92, 75, 50, 30)

DPIS = (300, 150, 300, 200, 300, 150, 600, 300, 400)
"""Most sheets are scanned at 300 dpi; finer ones only take longer."""

FINEST_DPI = 1200
"""One sheet of `ONE_IN` is scanned so finely."""

ONE_IN = 40

ANGLES_DEG = (0.0, 1.5, 0.0, -4.0, 12.0, 90.0, -33.0, 180.0)

BEDS = ("A5", "A4", "A5", "A5", "A5")

N_SHREDS = (6, 9, 7, 10, 8)

MAX_PAPER = 48
"""So many real shreds are drawn from."""


@dataclass(frozen=True)
class Cell:
    """One sheet of the matrix: of which kind, how laid out, and from which seed."""

    kind: str
    conditions: Conditions
    seed: tuple[int, int]

    def __str__(self) -> str:
        one = self.conditions
        seen = f"{one.dpi} dpi" if one.tilt_deg is None else f"camera {one.tilt_deg:g}°"
        return f"{self.kind}, {one.light}, JPEG {one.quality}, {seen}, {one.angle_deg:g}°, {one.bed}"


@dataclass(frozen=True)
class MatrixTable:
    """What was found on each sheet of the matrix; `str` renders it."""

    cells: tuple[Cell, ...]
    results: tuple[SheetResult, ...]

    def __str__(self) -> str:
        both = list(zip(self.cells, self.results, strict=True))
        lines = [f"{'':24} {'sheets':>6} {'right number':>12} {'mean IoU':>8} {'refused':>7} {'s':>5}"]
        for title, of in (
            ("kind", lambda cell: cell.kind),
            ("light", lambda cell: cell.conditions.light),
            ("JPEG quality", lambda cell: str(cell.conditions.quality)),
            ("dpi", lambda cell: f"{cell.conditions.dpi:4}"),
            ("degrees", lambda cell: f"{cell.conditions.angle_deg:g}"),
        ):
            lines.append(f"{title}:")
            groups = sorted({of(cell) for cell in self.cells}) if title != "kind" else [*KINDS, *PHOTOGRAPHED, *PARTS]
            for name in groups:
                lines.append(_row(name, [result for cell, result in both if of(cell) == name]))
        lines.append(_row("all", self.results))
        lines += [
            f"refused: {n} × {sentence}"
            for sentence, n in Counter(result.refused for result in self.results if result.refused).most_common()
        ]
        lines += [
            f"wrong: {cell} (seed {cell.seed[0]} {cell.seed[1]}): {result.found} for {result.expected}; "
            f"{result.split} split, {result.merged} merged, {result.missed} missed"
            for cell, result in both
            if result.found != result.expected
        ]
        return "\n".join(lines)


def _row(name: str, results: Sequence[SheetResult]) -> str:
    """Render what was found on some sheets."""
    if not results:
        return f"  {name:22} {0:6}"
    right = np.mean([result.found == result.expected for result in results])
    overlaps = [overlap for result in results for overlap in result.overlaps]
    refused = sum(bool(result.refused) for result in results)
    seconds = np.mean([result.seconds for result in results])
    return f"  {name:22} {len(results):6} {right:12.1%} {np.mean(overlaps):8.4f} {refused:7} {seconds:5.2f}"


def matrix_cells(n: int, seed: int) -> tuple[Cell, ...]:
    """Cross the conditions at random, each value as often as it stands in its list.

    Parameters
    ----------
    n : int
        Number of sheets.
    seed : int
        The same seed gives the same sheets.

    Returns
    -------
    tuple of Cell
    """
    rng = np.random.default_rng(seed)
    values = {"light": LIGHTS, "quality": QUALITIES, "dpi": DPIS, "angle_deg": ANGLES_DEG, "bed": BEDS, "n": N_SHREDS}
    drawn = {name: rng.permutation(np.resize(np.array(choices), n)) for name, choices in values.items()}
    cells = []
    for index in range(n):
        kind = list(KINDS)[index % len(KINDS)]
        chosen = {name: choices[index].item() for name, choices in drawn.items()}
        if index % ONE_IN == ONE_IN - 1:
            chosen["dpi"] = FINEST_DPI
        if chosen["dpi"] > 300:
            chosen["bed"] = "A5"
        cells.append(Cell(kind, Conditions(**KINDS[kind], **chosen), (seed, index)))
    return tuple(cells)


def photograph_cells(n: int, seed: int) -> tuple[Cell, ...]:
    """Cross supports and tilts of the camera at random; light falls from one side, as on every photograph.

    Parameters
    ----------
    n : int
        Number of photographs.
    seed : int
        The same seed gives the same photographs.

    Returns
    -------
    tuple of Cell
    """
    rng = np.random.default_rng([seed, 1])
    values = {"tilt_deg": TILTS_DEG, "quality": QUALITIES, "n": N_SHREDS}
    drawn = {name: rng.permutation(np.resize(np.array(choices), n)) for name, choices in values.items()}
    kinds = list(PHOTOGRAPHED)
    return tuple(
        Cell(
            kinds[index % len(kinds)],
            Conditions(
                **PHOTOGRAPHED[kinds[index % len(kinds)]],
                bed="A4",
                **{name: choices[index].item() for name, choices in drawn.items()},
            ),
            (seed, index),
        )
        for index in range(n)
    )


def part_cells(n: int, seed: int) -> tuple[Cell, ...]:
    """Cross kinds of sheets and numbers of shreds on a narrow part of them at random.

    Parameters
    ----------
    n : int
        Number of parts.
    seed : int
        The same seed gives the same parts.

    Returns
    -------
    tuple of Cell
    """
    rng = np.random.default_rng([seed, 2])
    values = {"on_part": ON_PART, "light": LIGHTS, "quality": QUALITIES, "angle_deg": (0.0, 1.5, 0.0, -1.0)}
    drawn = {name: rng.permutation(np.resize(np.array(choices), n)) for name, choices in values.items()}
    kinds = list(PARTS)
    return tuple(
        Cell(
            kinds[index % len(kinds)],
            Conditions(
                **PARTS[kinds[index % len(kinds)]],
                bed="A4",
                n=9,
                **{name: choices[index].item() for name, choices in drawn.items()},
            ),
            (seed, index),
        )
        for index in range(n)
    )


def read_paper(folder: Path) -> list[Paper]:
    """Read real shreds with their masks, from a data set or from a folder that holds several.

    Parameters
    ----------
    folder : Path
        It, the one beside it of the same name without ``_sheets``, or a folder in it has a truth.json, or documents
        with shreds and masks.

    Returns
    -------
    list of Paper
        At most `MAX_PAPER`, evenly chosen.

    Raises
    ------
    NothingFoundError
        If there are no shreds with masks.
    """
    sources: list[tuple[Path, Path, Sequence[int] | None]] = []
    beside = folder.with_name(folder.name.removesuffix("_sheets"))
    for root in (beside, *sorted(path for path in folder.iterdir() if path.is_dir())):
        if (root / "truth.json").is_file():
            for document in json.loads((root / "truth.json").read_text()).values():
                sources += [
                    (root / document["sheets"][shred["sheet"] - 1], root / shred["mask"], shred["bbox"])
                    for shred in document["shreds"]
                ]
        for masks in sorted(root.glob("*/masks")):
            if (masks.parent / "shreds").is_dir():
                of = {path.stem: path for path in (masks.parent / "shreds").iterdir()}
                sources += [(of[path.stem], path, None) for path in sorted(masks.iterdir()) if path.stem in of]
    if not sources:
        raise NothingFoundError(
            f"No shreds with masks in {folder}. Give a data set that has a truth.json, or shreds and masks, "
            "or the folder that holds such sets."
        )
    step = max(1, len(sources) // MAX_PAPER)
    return [_read_paper(*source) for source in sources[::step][:MAX_PAPER]]


def _read_paper(path: Path, mask: Path, box: Sequence[int] | None) -> Paper:
    """Read one shred and its mask."""
    with Image.open(path) as image:
        if box is not None:
            x, y, width, height = box
            pixels = np.asarray(image.convert("RGB"))[y : y + height, x : x + width]
        else:
            pixels = np.asarray(image.convert("RGB"))
    return Paper(pixels, read_mask(mask))


def sheet_matrix(
    folder: Path, cells: Sequence[Cell], progress: Progress = no_progress, workers: int | None = None
) -> MatrixTable:
    """Lay out sheets under all conditions, find the shreds on them, and compare with the truth.

    Parameters
    ----------
    folder : Path
        Real shreds with masks, see `read_paper`.
    cells : sequence of Cell
        The sheets, see `matrix_cells`.
    progress : Progress
        Called with each sheet.
    workers : int, optional
        Processes; one for each core, if absent, and with 1 this process.

    Returns
    -------
    MatrixTable
    """
    _paper[:] = read_paper(folder)
    workers = workers or n_cores()
    results = []
    with ExitStack() as stack:
        if workers > 1:
            # Started afresh, not forked: OpenCV's threads do not outlive a fork.
            spawned = (multiprocessing.get_context("spawn"), _work_alone, (_paper,))
            found = stack.enter_context(ProcessPoolExecutor(workers, *spawned)).map(_measure, cells)
        else:
            found = map(_measure, cells)
        for result in found:
            results.append(result)
            progress(len(results) / len(cells), "Sheets laid out and searched")
    return MatrixTable(tuple(cells), tuple(results))


_paper: list[Paper] = []


def _work_alone(paper: list[Paper]) -> None:
    """Keep the real shreds in this process, and let OpenCV use one core."""
    cv2.setNumThreads(1)
    _paper[:] = paper


def _measure(cell: Cell) -> SheetResult:
    """Lay out a sheet, write it as a scanner would, and find its shreds."""
    laid = lay_out(_paper, cell.conditions, cell.seed)
    if cell.conditions.tilt_deg is not None:
        return _measure_photograph(cell, laid, cell.conditions.tilt_deg)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.jpg"
        dpi = (cell.conditions.dpi, cell.conditions.dpi)
        Image.fromarray(laid.scan).save(path, quality=cell.conditions.quality, dpi=dpi)
        result, shreds, pixels = segmented(path, path.parent)
    height, width = shape = pixels.shape[:2]
    # Brought to 300 dpi, the sheet may lack its last row or column.
    truth = [(box, mask[: height - box[1], : width - box[0]]) for box, mask in laid.truth]
    compare(result, shreds, truth, shape)
    result.name = str(cell)
    return result


def _measure_photograph(cell: Cell, laid: LaidOut, tilt_deg: float) -> SheetResult:
    """Photograph a sheet that was laid out, and find its shreds; the truth goes the same way as the pixels."""
    taken = take_photograph(laid.scan, tilt_deg, np.random.default_rng([*cell.seed, 1]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photograph.jpg"
        Image.fromarray(taken.pixels).save(path, quality=cell.conditions.quality, exif=taken.exif())
        with open(path, "rb") as handle, closing(Document(handle, path.name, 100)) as document:
            flat = lay_flat(document.picture(0))
        if flat is None:
            return SheetResult(str(cell), 0, 0.0, expected=len(laid.truth), refused="its support is not found")
        try:
            result, shreds, pixels = segmented(path, path.parent)
        except UnreadableInputError:  # it goes on: what was taken for the support is not of the shape of paper
            return SheetResult(str(cell), 0, 0.0, expected=len(laid.truth), refused="its size is not known")
    height, width = pixels.shape[:2]
    owner = np.zeros(laid.scan.shape[:2], np.uint8)
    for number, ((x, y, across, down), mask) in enumerate(laid.truth, start=1):
        owner[y : y + down, x : x + across][mask] = number
    to_300_dpi = np.diag([width / flat.pixels.shape[1], height / flat.pixels.shape[0], 1.0])
    whole = to_300_dpi @ flat.matrix @ taken.matrix
    moved = cv2.warpPerspective(owner, whole, (width, height), flags=cv2.INTER_NEAREST)
    compare(result, shreds, [boxed(moved == number) for number in range(1, len(laid.truth) + 1)], (height, width))
    result.name = str(cell)
    return result
