"""The shreds, previews and costs of a case file: PNG images and numpy arrays, no larger than a case needs."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, cos, radians, sin
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.case.archive import Archive, NewArchive
from core.case.case import Case
from core.matching.costs import CUES, Costs
from core.parallel import map_in_order
from core.progress import Progress
from core.sheets.reader import PREVIEW_PX
from core.shreds.shred import Crumb, Shred
from core.shreds.storage.packed import Keeper, Unpacked, pack, unpack
from core.wording import QT_TRANSLATE_NOOP

_SAVING = QT_TRANSLATE_NOOP("progress", "Saving shred {number} of {n}")
_OPENING = QT_TRANSLATE_NOOP("progress", "Opening shred {number} of {n}")

MOST_JOINS = 2000
"""Costs are kept of so many joins of each shred at most, taken together."""

MOST_IN_A_MATRIX = 40_000
"""Until format 3 there were costs of all joins: of more no machine had memory."""

MAX_SHRED_PX = 400_000_000
"""As much as the largest sheet that is read without being asked for; nothing on it is larger."""

_SLACK_PX = 64
"""By how much the picture of a shred may exceed the frame in which it lies on its sheet."""

_PNG_COMPRESSION = 2
_OF_JOINS: Mapping[str, type[np.generic]] = {
    "left": np.int32,
    "right": np.int32,
    "cost": np.float32,
    "shift_px": np.int16,
    **dict.fromkeys(CUES, np.float32),
}
_OF_SHREDS = ("to_blank", "from_blank", "upright", "along")
"""Arrays of the costs: a number for each join, and for each shred."""


def write_pixels(archive: NewArchive, case: Case, progress: Progress) -> None:
    """Add pixels and arrays of a case to its file.

    Parameters
    ----------
    archive : NewArchive
        To which they are added.
    case : Case
        Whose they are.
    progress : Progress
        Called for each shred.
    """
    if case.costs is not None:
        for name in (*_OF_JOINS, *_OF_SHREDS, "temperature"):
            archive.add_array(f"costs/{name}.npy", np.asarray(getattr(case.costs, name)))
    for index, crumb in enumerate(case.crumbs):
        archive.add_array(f"crumbs/{index + 1}.npy", crumb.outline)
    for shred in case.shreds:
        archive.add_array(f"outlines/{shred.id}.npy", shred.outline)
    for shred, png in zip(case.shreds, map_in_order(pack, case.shreds, _SAVING, progress), strict=True):
        archive.add(f"shreds/{shred.id}.png", png)
    for index, sheet in enumerate(case.sheets):
        archive.add(f"sheets/{index + 1}.png", _encode_png(sheet.preview))


def read_previews(archive: Archive, n_sheets: int) -> Iterator[NDArray[np.uint8]]:
    """Read the small pictures of all sheets, one after the other.

    Parameters
    ----------
    archive : Archive
        Of a case.
    n_sheets : int
        How many sheets it has.

    Yields
    ------
    ndarray of shape (h, w, 3), uint8
        RGB.
    """
    for index in range(n_sheets):
        yield _decode_png(archive.read_png(f"sheets/{index + 1}.png", (PREVIEW_PX, PREVIEW_PX)))


def read_crumbs(archive: Archive, values: Sequence[Mapping[str, Any]]) -> tuple[Crumb, ...]:
    """Build the crumbs of which all but the outlines is told.

    Parameters
    ----------
    archive : Archive
        Of a case.
    values : sequence of mapping
        Of each crumb its fields but the outline.

    Returns
    -------
    tuple of Crumb
        In their order.
    """
    outlines = (archive.read_array(f"crumbs/{index + 1}.npy", np.float32, (-1, 2)) for index in range(len(values)))
    return tuple(Crumb(**crumb, outline=outline) for crumb, outline in zip(values, outlines, strict=True))


def read_shreds(archive: Archive, values: Sequence[Mapping[str, Any]], progress: Progress) -> tuple[Shred, ...]:
    """Build the shreds of which all but pixels, mask and outline is told; of many most stay packed.

    Parameters
    ----------
    archive : Archive
        Of a case.
    values : sequence of mapping
        Of each shred its fields but pixels, mask and outline.
    progress : Progress
        Called for each shred.

    Returns
    -------
    tuple of Shred
        In their order.
    """

    def image(shred: Mapping[str, Any]) -> tuple[bytes, Unpacked]:
        png = archive.read_png(f"shreds/{shred['id']}.png", _largest_px(shred))
        return png, unpack(png)

    keeper = Keeper()
    shreds: list[Shred] = []
    images = map_in_order(image, values, _OPENING, progress)
    for one, (png, (pixels, mask)) in zip(values, images, strict=True):
        outline = archive.read_array(f"outlines/{one['id']}.npy", np.float32, (-1, 2))
        if keeper.takes(pixels.nbytes + mask.nbytes):
            shreds.append(Shred(**one, outline=outline, pixels=pixels, mask=mask))
        else:
            shreds.append(keeper.packed(png, **one, outline=outline))
    return tuple(shreds)


def read_costs(archive: Archive, n: int) -> Costs | None:
    """Read the costs of n compared shreds, if there are any; earlier versions knew of fewer cues, and one way up.

    Parameters
    ----------
    archive : Archive
        Of a case.
    n : int
        How many of its shreds were compared.

    Returns
    -------
    Costs or None
        None if the case has none.

    Raises
    ------
    ValueError
        If an array is another one, or there are more joins than can be.
    """
    there = {name[6:-4] for name in archive.names if name.startswith("costs/")}
    if "cost" not in there:
        return None
    to_blank = archive.read_array("costs/to_blank.npy", np.float32, (-1,))
    n_poses = len(to_blank)
    if n_poses not in (n, 2 * n):
        raise ValueError(f"it holds costs of {n_poses} shreds, not of {n}")
    if "left" not in there and n_poses > MOST_IN_A_MATRIX:
        raise ValueError(f"it holds costs of {n_poses} shreds, more than can be compared")
    shape = (-1,) if "left" in there else (n_poses, n_poses)  # a matrix until format 3
    most = min(n_poses, MOST_JOINS) * n_poses
    arrays: dict[str, Any] = {
        name: archive.read_array(f"costs/{name}.npy", kind, shape, most)
        for name, kind in _OF_JOINS.items()
        if name in there
    }
    for name in there.intersection(_OF_SHREDS):
        arrays[name] = archive.read_array(f"costs/{name}.npy", np.float32, (n_poses,))
    if "temperature" in there:
        arrays["temperature"] = archive.read_array("costs/temperature.npy", np.float64, ()).item()
    return Costs(**arrays) if "left" in there else Costs.of_all(**arrays)


def _largest_px(shred: Mapping[str, Any]) -> tuple[int, int]:
    """Return the largest width and height that the picture of a shred can have, by its frame on the sheet."""
    _, _, width, height = shred["bbox"]
    across, along = abs(cos(radians(shred["angle_deg"]))), abs(sin(radians(shred["angle_deg"])))
    largest = ceil(width * across + height * along) + _SLACK_PX, ceil(width * along + height * across) + _SLACK_PX
    if min(width, height) < 1 or largest[0] * largest[1] > MAX_SHRED_PX:
        raise ValueError(f"{shred['id']} is no strip of paper: {width} × {height} pixels")
    return largest


def _encode_png(image: NDArray[np.uint8]) -> bytes:
    """Compress RGB."""
    bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    return cv2.imencode(".png", bgr, [cv2.IMWRITE_PNG_COMPRESSION, _PNG_COMPRESSION])[1].tobytes()


def _decode_png(data: bytes) -> NDArray[np.uint8]:
    """Decompress RGB."""
    image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("an image in it is broken")
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), dtype=np.uint8)
