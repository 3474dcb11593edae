"""The shreds, previews and costs of a case file: PNG images and numpy arrays, no larger than a case needs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import lru_cache, partial
from math import ceil, cos, radians, sin
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.arrays import Pixels
from core.case.archive import DAMAGE, PNG_SIGNATURE, AlteredError, Archive
from core.case.case import Case
from core.case.zip_layout import LaidDown, NewArchive
from core.errors import UnreadableInputError
from core.matching.costs import CUES, Costs
from core.parallel import map_in_order
from core.progress import Progress
from core.sheets.reader import PREVIEW_PX
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred
from core.shreds.storage.packed import PackedShred, pack
from core.wording import QT_TRANSLATE_NOOP, Message

_SAVING = QT_TRANSLATE_NOOP("progress", "Saving shred {number} of {n}")

_CHECKING = QT_TRANSLATE_NOOP("progress", "Checking picture {number} of {n}")

MOST_JOINS = 2000
"""Costs are kept of so many joins of each shred at most, taken together."""

MOST_IN_A_MATRIX = 40_000
"""Until format 3 there were costs of all joins: of more no machine had memory."""

MAX_SHRED_PX = 400_000_000
"""As much as the largest sheet that is read without being asked for; nothing on it is larger."""

_SLACK_PX = 64
"""By how much the picture of a shred may exceed the frame in which it lies on its sheet."""

_PNG_COMPRESSION = 2
_TOLD_EVERY = 100
_PREVIEWS = 16
_OF_ANY_SHEET = {field.name: field.default for field in fields(SheetInfo) if field.default is not MISSING}
_OF_JOINS: Mapping[str, type[np.generic]] = {
    "left": np.int32,
    "right": np.int32,
    "cost": np.float32,
    "shift_px": np.int16,
    **dict.fromkeys(CUES, np.float32),
}
_OF_SHREDS = ("to_blank", "from_blank", "upright", "along")
"""Arrays of the costs: a number for each join, and for each shred."""


class StoredPng:
    """A PNG that lies in the file of a case.

    Parameters
    ----------
    archive : Archive
        Open as long as this is held.
    name : str
        Of the entry.
    at_most_px : tuple of int
        Largest width and height.
    """

    __slots__ = ("_at_most_px", "archive", "name")

    def __init__(self, archive: Archive, name: str, at_most_px: tuple[int, int]) -> None:
        self.archive, self.name, self._at_most_px = archive, name, at_most_px

    def read(self, at_most_bytes: int | None = None) -> bytes:
        """Read it, or its beginning.

        Parameters
        ----------
        at_most_bytes : int, optional
            No more than so many; what tells its size are the first 24.

        Returns
        -------
        bytes
            If it is all, it was compared with the manifest.

        Raises
        ------
        UnreadableInputError
            If it cannot be read any more, or was altered.
        """
        try:
            if at_most_bytes is not None:
                return self.archive.read_png_head(self.name, self._at_most_px)[:at_most_bytes]
            return self.archive.read_png(self.name, self._at_most_px)
        except (OSError, *DAMAGE) as error:
            raise UnreadableInputError(
                f"{self.archive.path} cannot be relied on ({str(error)[:200]}). Check its drive, or use a copy of it."
            ) from error


class StoredSheet(SheetInfo):
    """A sheet whose preview is a PNG in the file of a case, unpacked whenever it is asked for.

    In all else it is a `SheetInfo`. `dataclasses.replace` makes one whose preview is in memory.

    Parameters
    ----------
    png : StoredPng
        The preview.
    **values
        The other fields of a `SheetInfo`.
    """

    png: StoredPng

    def __new__(cls, **values: Any) -> "StoredSheet":
        """Make a plain one where a preview is given, as `dataclasses.replace` does."""
        if "png" not in values:
            return SheetInfo(**values)  # type: ignore[return-value]  # then __init__ of this class is not called
        return super().__new__(cls)

    def __init__(self, **values: Any) -> None:
        self.__dict__.update({**_OF_ANY_SHEET, **values})

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the preview with all else."""
        return SheetInfo, tuple(getattr(self, field.name) for field in fields(SheetInfo))

    @property
    def preview(self) -> Pixels:
        """See `SheetInfo`; read-only."""
        return _preview(self.png)

    @property
    def has_preview_at_hand(self) -> bool:
        """See `SheetInfo`."""
        return False

    def changed(self, **values: Any) -> SheetInfo:
        """See `SheetInfo`; the preview stays where it is."""
        return StoredSheet(**{**self.__dict__, **values})


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
    new = _Partly(archive, sources_of(case))
    if case.costs is not None:
        for name in (*_OF_JOINS, *_OF_SHREDS, "temperature"):
            new.add_array(f"costs/{name}.npy", np.asarray(getattr(case.costs, name)))
    for index, crumb in enumerate(case.crumbs):
        new.add_array(f"crumbs/{index + 1}.npy", crumb.outline)
    for shred in case.shreds:
        new.add_array(f"outlines/{shred.id}.npy", shred.outline)
    stay = [_stored(shred) for shred in case.shreds]
    others = [shred for shred, png in zip(case.shreds, stay, strict=True) if png is None]
    packed = map_in_order(pack, others)
    for number, (shred, png) in enumerate(zip(case.shreds, stay, strict=True), start=1):
        if number % _TOLD_EVERY == 0 or png is None:
            progress(number / len(case.shreds), Message(_SAVING, number=number, n=len(case.shreds)))
        new.add_png(f"shreds/{shred.id}.png", png, lambda: next(packed))
    for index, sheet in enumerate(case.sheets):
        png = sheet.png if isinstance(sheet, StoredSheet) else None
        new.add_png(f"sheets/{index + 1}.png", png, partial(_encode_preview, sheet))


class _Partly:
    """Writes what is new, and takes over what lies in the files that were read.

    Parameters
    ----------
    archive : NewArchive
        Written to.
    sources : sequence of Archive
        Still open.
    """

    def __init__(self, archive: NewArchive, sources: Sequence[Archive]) -> None:
        self._archive, self._sources = archive, sources

    def add_array(self, name: str, array: NDArray[Any]) -> None:
        """Add an array."""
        there = laid_down_in(self._sources, name, array)
        if there is None:
            self._archive.add_array(name, array)
        else:
            self._archive.take_over(name, there)

    def add_png(self, name: str, png: StoredPng | None, encode: Callable[[], bytes]) -> None:
        """Add a picture."""
        there = None if png is None else png.archive.laid_down(png.name)
        if there is None:
            self._archive.add(name, encode() if png is None else png.read())
        else:
            self._archive.take_over(name, there)


def sources_of(case: Case) -> list[Archive]:
    """List the files in which shreds and previews of a case lie."""
    shreds = filter(None, map(_stored, case.shreds))
    sheets = (sheet.png for sheet in case.sheets if isinstance(sheet, StoredSheet))
    return list({id(png.archive): png.archive for png in (*shreds, *sheets)}.values())


def laid_down_in(archives: Iterable[Archive], name: str, value: NDArray[Any] | None = None) -> LaidDown | None:
    """Return an entry as it lies in the first of some files that has it, see `Archive.laid_down`."""
    return next(filter(None, (archive.laid_down(name, value) for archive in archives)), None)


def _stored(shred: Shred) -> StoredPng | None:
    away = shred.away if isinstance(shred, PackedShred) else None
    return away if isinstance(away, StoredPng) else None


def read_sheets(archive: Archive, values: Sequence[Mapping[str, Any]]) -> tuple[SheetInfo, ...]:
    """Build the sheets of which all but the preview is told; that is not read yet.

    Parameters
    ----------
    archive : Archive
        Of a case.
    values : sequence of mapping
        Of each sheet its fields but the preview.

    Returns
    -------
    tuple of SheetInfo
        In their order.
    """
    pngs = (StoredPng(archive, f"sheets/{index + 1}.png", (PREVIEW_PX, PREVIEW_PX)) for index in range(len(values)))
    return tuple(StoredSheet(**sheet, png=png) for sheet, png in zip(values, pngs, strict=True))


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


def read_shreds(archive: Archive, values: Sequence[Mapping[str, Any]]) -> tuple[Shred, ...]:
    """Build the shreds of which all but pixels, mask and outline is told; pixels are not read yet.

    Parameters
    ----------
    archive : Archive
        Of a case.
    values : sequence of mapping
        Of each shred its fields but pixels, mask and outline.

    Returns
    -------
    tuple of Shred
        In their order.

    Raises
    ------
    ValueError
        If one is missing, or is no strip of paper.
    """
    shreds: list[Shred] = []
    for one in values:
        name = f"shreds/{one['id']}.png"
        if name not in archive.names:
            raise ValueError(f"{name} is missing")
        outline = archive.read_array(f"outlines/{one['id']}.npy", np.float32, (-1, 2))
        shreds.append(PackedShred(**one, outline=outline, png=StoredPng(archive, name, _largest_px(one))))
    return tuple(shreds)


def check_pixels(archive: Archive, progress: Progress) -> None:
    """Check that no picture was altered, nor what was packed with them, as far as that has not been done.

    Parameters
    ----------
    archive : Archive
        Of a case, its manifest checked.
    progress : Progress
        Called for each shred.

    Raises
    ------
    AlteredError
        If one was.
    """
    names = sorted(archive.to_check)
    for start in range(0, len(names), _TOLD_EVERY):
        progress(start / len(names), Message(_CHECKING, number=start + 1, n=len(names)))
        altered = next(archive.altered(names[start : start + _TOLD_EVERY]), None)
        if altered is not None:
            raise AlteredError(f"{altered} was altered after the case was saved")
        for name in names[start : start + _TOLD_EVERY]:
            with archive.opened(name) as (file, _):
                if name.endswith(".png") and file.read(len(PNG_SIGNATURE)) != PNG_SIGNATURE:
                    raise ValueError(f"{name} is no PNG")
    archive.to_check = frozenset()


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


@lru_cache(maxsize=_PREVIEWS)
def _preview(png: StoredPng) -> Pixels:
    """Unpack a preview, unless that has been done lately."""
    return _decode_png(png.read())


def _encode_preview(sheet: SheetInfo) -> bytes:
    return _encode_png(sheet.preview)


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
