"""What a sheet gave, kept on disk: when it is asked for again, it is neither decoded nor segmented.

What is found on a sheet depends on its file, not on where that lies, and on how it is to be read and was mended. Where
sentences name the place, what they are about holds for that place alone.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.arrays import Array
from core.options import Options
from core.parallel import map_in_order
from core.sheets.input_file import InputFile
from core.sheets.inputs import lies_among_shreds
from core.sheets.mends import MendsOfSheets
from core.sheets.sheet import SheetInfo
from core.shreds.segmentation import Segmentation
from core.shreds.shred import Crumb, Shred
from core.shreds.storage.packed import PackedShred, pack, packed_as
from core.system.disk_cache import DiskCache

_OF_SHEET = ("size_px", "dpi", "dpi_source", "single_shred", "corners_px")
_OF_SHRED = (
    "bbox",
    "angle_deg",
    "frame_top_px",
    "blank",
    "half_turn",
    "scrap",
    "cross_cut",
    "content_sha256",
    "paper_px",
)


@dataclass(frozen=True, eq=False)
class ReadSheet:
    """What is known of a sheet when it has been read, but its pixels.

    Attributes
    ----------
    info : SheetInfo
        Where it comes from.
    content : str
        Hash of what it shows.
    comparable : bool
        Whether it can be told by its looks from another sheet.
    notes : tuple of str
        Sentences on the file.
    found : Segmentation or None
        What lies on it, named after sheet 0; None where that is yet to be found.
    """

    info: SheetInfo
    content: str
    comparable: bool
    notes: tuple[str, ...]
    found: Segmentation | None = None


@dataclass(frozen=True, eq=False)
class SheetStore:
    """Finds and keeps what sheets gave.

    Attributes
    ----------
    cache : DiskCache or None
        Without one nothing is kept.
    options : Options
        Those of reading and segmentation count.
    mends : mapping
        What the examiner mended on sheets.
    """

    cache: DiskCache | None
    options: Options
    mends: MendsOfSheets

    def depends_on(self, file: InputFile, info: SheetInfo) -> dict[str, Any]:
        """List all that what is found on a sheet depends on, but for the program.

        Parameters
        ----------
        file : InputFile
            How it is to be read.
        info : SheetInfo
            Of which file and page it is.

        Returns
        -------
        dict
            For the cache.
        """
        how = file.single_shred, file.dpi, file.dpi_source, file.corners_px
        return {
            "what": "sheet",
            "file": (info.sha256, info.mask_sha256, info.page),
            "name": (file.path.suffix.lower(), lies_among_shreds(file.path)),
            "how": repr(how),
            "options": (repr(self.options.reading), repr(self.options.segmentation)),
            "mends": repr(self.mends.get((info.sha256, info.page), ())),
        }

    def find(self, file: InputFile, info: SheetInfo) -> ReadSheet | None:
        """Return what was kept of a sheet.

        Parameters
        ----------
        file : InputFile
            How it is to be read.
        info : SheetInfo
            Of which file and page it is; what only reading tells is left open.

        Returns
        -------
        ReadSheet or None
            None if there is nothing.
        """
        kept = None if self.cache is None else self.cache.get(**self.depends_on(file, info))
        if kept is None:
            return None
        values = json.loads(kept["values"].tobytes())
        if (values["notes"] or values["refused"]) and values["path"] != str(file.path):
            return None
        of_sheet = {name: _tuples(values["sheet"][name]) for name in _OF_SHEET}
        info = replace(info, **of_sheet, preview=kept["preview"])
        found = _segmentation(kept, values)
        return ReadSheet(info, values["content"], values["comparable"], tuple(values["notes"]), found)

    def keep(self, file: InputFile, sheet: ReadSheet, index: int) -> ReadSheet:
        """Keep what a sheet gave.

        Parameters
        ----------
        file : InputFile
            How it was to be read.
        sheet : ReadSheet
            With what was found.
        index : int
            The sheet's, after which its shreds are named.

        Returns
        -------
        ReadSheet
            The same; its shreds are packed, and the cache has them, too.
        """
        if self.cache is None or sheet.found is None:
            return sheet
        found = sheet.found
        pieces = (*found.shreds, *found.scraps)
        pngs = list(map_in_order(pack, pieces, workers=1))
        arrays: dict[str, Array] = {"preview": sheet.info.preview}
        for number, (piece, png) in enumerate(zip(pieces, pngs, strict=True)):
            in_bytes = {"png": png, "mask": piece.mask_bits}
            arrays |= {f"{name} {number}": np.frombuffer(content, np.uint8) for name, content in in_bytes.items()}
            arrays[f"outline {number}"] = piece.outline
        for number, crumb in enumerate(found.crumbs):
            arrays[f"crumb {number}"] = crumb.outline
        values = {
            "path": str(file.path),
            "sheet": {name: getattr(sheet.info, name) for name in _OF_SHEET},
            "content": sheet.content,
            "comparable": sheet.comparable,
            "notes": sheet.notes,
            "refused": found.refused,
            "background": found.background,
            "cut": found.cut,
            "n_shreds": len(found.shreds),
            "pieces": [
                {"name": piece.id.removeprefix(f"{index + 1}-")} | {name: getattr(piece, name) for name in _OF_SHRED}
                for piece in pieces
            ],
            "crumbs": [{"bbox": crumb.bbox, "reason": crumb.reason} for crumb in found.crumbs],
        }
        text = json.dumps(values, default=lambda value: value.item())  # a number of numpy's
        arrays["values"] = np.frombuffer(text.encode(), np.uint8)
        self.cache.put(arrays, **self.depends_on(file, sheet.info))
        packed = tuple(map(packed_as, pieces, pngs))
        n = len(found.shreds)
        return replace(sheet, found=replace(found, shreds=packed[:n], scraps=packed[n:]))


def numbered(found: Segmentation, index: int) -> Segmentation:
    """Name what lies on a sheet after its place among the sheets of a case.

    Parameters
    ----------
    found : Segmentation
        Named after any sheet.
    index : int
        Of the sheet.

    Returns
    -------
    Segmentation
    """

    def of_sheet(pieces: tuple[Shred, ...]) -> tuple[Shred, ...]:
        return tuple(one.changed(id=f"{index + 1}-{one.id.partition('-')[2]}", sheet=index) for one in pieces)

    crumbs = tuple(replace(crumb, sheet=index) for crumb in found.crumbs)
    return replace(found, shreds=of_sheet(found.shreds), scraps=of_sheet(found.scraps), crumbs=crumbs)


def _segmentation(kept: Mapping[str, Array], values: Mapping[str, Any]) -> Segmentation:
    """Put together what was found on a sheet, as if it were the first of a case."""
    pieces = tuple(
        PackedShred(
            **{name: _tuples(value) for name, value in piece.items() if name != "name"},
            id=f"1-{piece['name']}",
            sheet=0,
            outline=kept[f"outline {number}"],
            png=kept[f"png {number}"].tobytes(),
            mask_bits=kept[f"mask {number}"].tobytes(),
        )
        for number, piece in enumerate(values["pieces"])
    )
    crumbs = tuple(
        Crumb(0, _tuples(crumb["bbox"]), kept[f"crumb {number}"], crumb["reason"])
        for number, crumb in enumerate(values["crumbs"])
    )
    n = values["n_shreds"]
    refused, background = tuple(values["refused"]), _tuples(values["background"])
    return Segmentation(pieces[:n], pieces[n:], crumbs, background, refused, values["cut"])


def _tuples(value: Any) -> Any:
    """Return what JSON makes lists of as it was."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
