"""The file that holds a case."""

import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.case import Case, Crumb, JoinInfo
from core.described import check_keys, describe_arrangement, describe_options, read_arrangement, read_options
from core.errors import UnreadableInputError
from core.matching import Costs
from core.packed_shred import Keeper, PackedShred, Unpacked, pack, unpack
from core.parallel import map_in_order
from core.progress import Progress, no_progress, part
from core.sheet import SheetInfo
from core.shred import Shred
from core.writing import replacing

FORMAT = 2
"""Version of the case file; a file of a version that is not in `_READABLE` is refused."""

_READABLE = (1, FORMAT)

_PNG_COMPRESSION = 2
_EARLIEST_DATE = (1980, 1, 1, 0, 0, 0)
"""Of every entry in the file: the same case gives the same bytes."""


def save(case: Case, path: Path, progress: Progress = no_progress) -> None:
    """Write a case file: a ZIP of case.json, PNG images and numpy arrays.

    Sheets stay where they are; the file names them by their path, relative to itself, and by their SHA-256.

    Parameters
    ----------
    case : Case
        What to write.
    path : Path
        Usually ends in ``.rejoin``.
    progress : Progress
        Called for each shred.

    Raises
    ------
    OutputError
        If it cannot be written; whatever stood there before still stands there.
    """
    with replacing(path) as new, zipfile.ZipFile(new, "w") as archive:
        text = json.dumps(_describe(case, path.resolve().parent), indent=1)
        _add(archive, "case.json", text.encode(), compress=True)
        for name, array in _arrays(case).items():
            buffer = io.BytesIO()
            np.save(buffer, array, allow_pickle=False)
            _add(archive, name, buffer.getvalue(), compress=True)
        images = map_in_order(pack, case.shreds, "Saving shred", part(progress, 0, 0.9))
        for shred, png in zip(case.shreds, images, strict=True):
            _add(archive, f"shreds/{shred.id}.png", png)
        for index, sheet in enumerate(case.sheets):
            _add(archive, f"sheets/{index + 1}.png", _encode_png(sheet.preview))
        progress(1.0, "Saving")


def load(path: Path, progress: Progress = no_progress) -> Case:
    """Read a case file.

    Parameters
    ----------
    path : Path
        As written by `save`.
    progress : Progress
        Called for each shred.

    Returns
    -------
    Case
        As it was saved; the sheets' own files need not be there.

    Raises
    ------
    UnreadableInputError
        If it is no case file, is damaged, or was written by another version of Rejoin.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, path, progress)
    except OSError as error:
        raise UnreadableInputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, KeyError, TypeError) as error:
        raise UnreadableInputError(
            f"{path} is no case of Rejoin, or is damaged ({error}). Use a copy of it."
        ) from error


def _describe(case: Case, folder: Path) -> dict[str, Any]:
    """Put everything but arrays and images into plain values."""
    return {
        "format": FORMAT,
        "options": describe_options(case.options),
        "sheets": [
            {
                "path": _relative(sheet.path, folder),
                "page": sheet.page,
                "sha256": sheet.sha256,
                "size_px": list(sheet.size_px),
                "dpi": sheet.dpi,
                "dpi_source": sheet.dpi_source,
                "mask_sha256": sheet.mask_sha256,
            }
            for sheet in case.sheets
        ],
        "shreds": [
            {
                "id": shred.id,
                "sheet": shred.sheet,
                "bbox": [int(value) for value in shred.bbox],
                "angle_deg": float(shred.angle_deg),
                "frame_top_px": int(shred.frame_top_px),
                "blank": bool(shred.blank),
                "half_turn": bool(shred.half_turn),
                "scrap": shred.scrap,
            }
            for shred in case.shreds
        ],
        "crumbs": [
            {"sheet": crumb.sheet, "bbox": [int(value) for value in crumb.bbox], "reason": crumb.reason}
            for crumb in case.crumbs
        ],
        "arrangement": describe_arrangement(case.arrangement),
        "solved": None if case.solved is None else describe_arrangement(case.solved),
        "joins": [asdict(join) for join in case.joins],
        "optimal": case.optimal,
        "gap": case.gap,
        "seconds": case.seconds,
        "unreadable": list(case.unreadable),
        "weights_sha256": case.weights_sha256,
        "versions": case.versions,
    }


def _arrays(case: Case) -> dict[str, NDArray[Any]]:
    """Name the arrays of a case as in its file."""
    arrays: dict[str, NDArray[Any]] = {f"outlines/{shred.id}.npy": shred.outline for shred in case.shreds}
    arrays |= {f"crumbs/{index + 1}.npy": crumb.outline for index, crumb in enumerate(case.crumbs)}
    if case.costs is not None:
        arrays |= {f"costs/{field.name}.npy": getattr(case.costs, field.name) for field in fields(Costs)}
    return arrays


def _read(archive: zipfile.ZipFile, path: Path, progress: Progress) -> Case:
    """Build the case that `_describe`, `_arrays` and the images tell of."""
    told = json.loads(archive.read("case.json"))
    if not isinstance(told, dict):
        raise ValueError("case.json tells of no case")
    if told.get("format") not in _READABLE:
        raise UnreadableInputError(
            f"{path} was written by another version of Rejoin (format {told.get('format')}; this version reads "
            f"up to {FORMAT}). Open it with that version."
        )
    if told["format"] == 1:  # nothing could be changed by hand
        told["solved"] = None
        told["arrangement"] |= {"held": [], "parted": [], "half_turned": [], "turned_deg": {}}
    expected = {"format"} | {field.name for field in fields(Case)} - {"costs", "history"}
    check_keys(told, expected, "case")

    def array(name: str) -> Any:
        return np.load(io.BytesIO(archive.read(name)), allow_pickle=False)

    names = set(archive.namelist())
    costs = None
    if "costs/cost.npy" in names:
        # Older files know of no tones.
        there = [field.name for field in fields(Costs) if f"costs/{field.name}.npy" in names]
        costs = Costs(**{name: array(f"costs/{name}.npy") for name in there})

    def image(shred: Mapping[str, Any]) -> tuple[bytes, Unpacked]:
        png = archive.read(f"shreds/{shred['id']}.png")
        return png, unpack(png)

    keeper = Keeper()
    shreds: list[Shred] = []
    images = map_in_order(image, told["shreds"], "Opening shred", progress)
    for shred, (png, (pixels, mask)) in zip(told["shreds"], images, strict=True):
        values = {**_tuples(shred, "bbox"), "outline": array(f"outlines/{shred['id']}.npy")}
        as_it_is = keeper.takes(pixels.nbytes + mask.nbytes)
        shreds.append(Shred(**values, pixels=pixels, mask=mask) if as_it_is else PackedShred(**values, png=png))
    sheets = []
    for index, sheet in enumerate(told["sheets"]):
        preview = _decode_png(archive.read(f"sheets/{index + 1}.png"))
        place = Path(os.path.normpath(path.resolve().parent / sheet["path"]))
        sheets.append(SheetInfo(**(_tuples(sheet, "size_px") | {"path": place}), preview=preview))
    crumbs = [
        Crumb(**_tuples(crumb, "bbox"), outline=array(f"crumbs/{index + 1}.npy"))
        for index, crumb in enumerate(told["crumbs"])
    ]
    return Case(
        options=read_options(told["options"]),
        sheets=tuple(sheets),
        shreds=tuple(shreds),
        crumbs=tuple(crumbs),
        costs=costs,
        arrangement=read_arrangement(told["arrangement"]),
        solved=None if told["solved"] is None else read_arrangement(told["solved"]),
        joins=tuple(JoinInfo(**join) for join in told["joins"]),
        unreadable=tuple(told["unreadable"]),
        **{name: told[name] for name in ("optimal", "gap", "seconds", "weights_sha256", "versions")},
    )


def _tuples(told: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Turn one value from a list, as JSON has it, into a tuple."""
    return {**told, name: tuple(told[name])}


def _relative(path: Path, folder: Path) -> str:
    """Give a path as seen from a folder, with forward slashes; absolute where it lies on another drive."""
    try:
        return Path(os.path.relpath(path.resolve(), folder)).as_posix()
    except ValueError:
        return path.resolve().as_posix()


def _add(archive: zipfile.ZipFile, name: str, data: bytes, compress: bool = False) -> None:
    """Add an entry whose bytes depend on the data alone."""
    entry = zipfile.ZipInfo(name, _EARLIEST_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    archive.writestr(entry, data)


def _encode_png(image: NDArray[np.uint8]) -> bytes:
    """Compress RGB."""
    _, data = cv2.imencode(
        ".png", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, _PNG_COMPRESSION]
    )
    return data.tobytes()


def _decode_png(data: bytes) -> NDArray[np.uint8]:
    """Decompress RGB."""
    image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("an image in it is broken")
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), dtype=np.uint8)
