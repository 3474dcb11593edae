"""A first look at a heap of files, before any is read: how many sheets, how many single shreds, at which resolution."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from core.errors import UnreadableInputError
from core.options import ReadingOptions
from core.progress import Progress, no_progress
from core.sheets.estimate import Estimate, estimate_dpi
from core.sheets.formats.decoding import Document
from core.sheets.formats.picture import Picture, exif_dpi, exif_of, focal_35mm, quietly
from core.sheets.input_file import InputFile, Inputs
from core.sheets.inputs import find_inputs, lies_among_shreds
from core.sheets.kind import cut_out, is_elongated, is_single_shred
from core.sheets.perspective import lay_flat
from core.sheets.print_pitch import line_pitch_px
from core.sheets.resolution import choose_stated, fits_bed, is_believable, sheet_dpi
from core.sheets.sheet import SheetInfo, file_names, paired_by_name
from core.units import MM_PER_INCH
from core.wording import QT_TRANSLATE_NOOP, Message, counted

_FORMATS = ("JPEG", "PNG", "TIFF", "BMP", "WEBP", "JPEG2000")
_MOST_OF_A_FOLDER = 2 / 3
_LEAST_CLEAR_SHARE = 0.2
_A_FEW, _A_HEAP = 3, 12
_MOST_MEASURED = 40
_SHORT_IN, _SHORT_PX = 6.0, 1200


@dataclass(frozen=True)
class Look:
    """What was seen of a file.

    Attributes
    ----------
    file : InputFile
        With what was decided: whether it is read as one shred, and at which resolution if it states none.
    n_pages : int
        1, but for TIFF; 0 for a file that only its own decoder can open, such as PDF.
    size_px : tuple of int, or None
        Width and height of its first page; None for a file that only its decoder can open.
    states_dpi : bool
        It says at which resolution it was scanned, or nothing is known against that.
    recognised : bool
        That it is one shred shows on the picture alone, not at the place where it lies: worth a question.
    by_estimate : bool
        Its resolution is the one that was estimated for all.
    by_support : bool
        It is a photograph, and its resolution follows from what the shreds lie on, were that A4 or Letter.
    """

    file: InputFile
    n_pages: int
    size_px: tuple[int, int] | None
    states_dpi: bool
    recognised: bool = False
    by_estimate: bool = False
    by_support: bool = False

    @property
    def single_shred(self) -> bool:
        """Whether the file is read as one shred."""
        return bool(self.file.single_shred)


@dataclass(frozen=True)
class Survey:
    """What was seen of all files.

    Attributes
    ----------
    looks : tuple of Look
        In the order in which the files are read.
    estimate : Estimate or None
        The resolution at which those are taken that state none and are not as large as a scanner's bed.
    """

    looks: tuple[Look, ...]
    estimate: Estimate | None = None

    @property
    def files(self) -> tuple[InputFile, ...]:
        """What is to be read."""
        return tuple(look.file for look in self.looks)

    @property
    def n_sheets(self) -> int:
        """How many sheets there are, each page of a file being one."""
        return sum(look.n_pages for look in self.looks if not look.single_shred)

    @property
    def n_single_shreds(self) -> int:
        """How many single shreds there are."""
        return sum(look.n_pages for look in self.looks if look.single_shred)

    @property
    def without_resolution(self) -> tuple[Look, ...]:
        """What states no resolution."""
        return tuple(look for look in self.looks if not look.states_dpi)

    @property
    def is_certain(self) -> bool:
        """Whether there is nothing that the examiner should be asked about."""
        return not self.without_resolution and not any(look.recognised for look in self.looks)

    @property
    def common_dpi(self) -> float | None:
        """The one resolution at which all files are taken that state none; None if they are taken at several."""
        taken = {look.file.dpi for look in self.without_resolution}
        return taken.pop() if len(taken) == 1 else None

    def extent_mm(self, dpi: float) -> tuple[float, float]:
        """Compute what a resolution means for those that state none.

        Parameters
        ----------
        dpi : float
            For all of them.

        Returns
        -------
        tuple of float
            Length of the longest, and width of all single shreds together.
        """
        sizes = [look.size_px for look in self.without_resolution if look.size_px is not None]
        shreds = [look.size_px for look in self.without_resolution if look.size_px is not None and look.single_shred]
        longest, together = max(map(max, sizes), default=0), sum(map(min, shreds))
        return longest / dpi * MM_PER_INCH, together / dpi * MM_PER_INCH

    def sentences(self) -> Iterator[str]:
        """Say what was found, and what was assumed."""
        n_others = sum(not look.n_pages for look in self.looks)
        kinds = ("sheet", self.n_sheets), ("single shred", self.n_single_shreds), ("PDF or other file", n_others)
        found = [counted(n, kind, ",") for kind, n in kinds if n]
        yield f"Found {', '.join(found[:-1])}{' and ' if found[1:] else ''}{found[-1] if found else 'nothing'}."
        n_estimated = sum(look.by_estimate for look in self.without_resolution)
        wrong = "If that is wrong, give the right one (“Resolution”, --dpi)."
        if self.estimate is not None and n_estimated:
            yield f"{_without(n_estimated)}: taken as {self.estimate.dpi:g} dpi, {self.estimate.reason}. {wrong}"
        if n_by_support := sum(look.by_support for look in self.without_resolution):
            photographs = counted(n_by_support, "photograph", ",")
            yield f"{photographs}: taken as if what the shreds lie on were of A4 or Letter size. {wrong}"
        if n_by_size := len(self.without_resolution) - n_estimated - n_by_support:
            yield f"{_without(n_by_size)}: taken as what fits a scanner's bed. {wrong}"

    def answered(self, single_shreds: Iterable[bool], dpi: float | None) -> tuple[InputFile, ...]:
        """Return the files as the examiner wants them read.

        Parameters
        ----------
        single_shreds : iterable of bool
            Of each file, whether it is one shred.
        dpi : float or None
            Of the files that state no resolution; None leaves it as it was estimated.

        Returns
        -------
        tuple of InputFile
        """
        files = []
        for look, single in zip(self.looks, single_shreds, strict=True):
            file = replace(look.file, single_shred=single)
            files.append(file if dpi is None or look.states_dpi else replace(file, dpi=dpi, dpi_source="given"))
        return tuple(files)


def _without(n: int) -> str:
    """Say how many files state no resolution."""
    return "1 file does not say its resolution" if n == 1 else f"{n:,} files do not say their resolution"


def survey(
    paths: Inputs,
    options: ReadingOptions = ReadingOptions(),
    progress: Progress = no_progress,
    known: Sequence[SheetInfo] = (),
) -> Survey:
    """Look at the files that paths stand for, and decide how each is to be read.

    Only the heads of most files are read; long pictures, those with opacity, and a few of those without a resolution
    are decoded. What cannot be read is left for its reader to say.

    Parameters
    ----------
    paths : sequence of Path or InputFile
        Files and folders. What is known of an `InputFile` stays.
    options : ReadingOptions
        Those with which the files are to be read.
    progress : Progress
        Called for each file.
    known : sequence of SheetInfo
        Those to which the files are added: where most of them are single shreds, short pieces come one by one.

    Returns
    -------
    Survey
    """
    files = find_inputs(paths)
    seen = []
    for file, name in zip(files, file_names([file.path for file in files]), strict=True):
        progress(0.0, Message(QT_TRANSLATE_NOOP("progress", "Looking at {name}"), name=name))
        seen.append(_see(file, options))
    _agree_in_folders(seen, options, 2 * sum(sheet.single_shred for sheet in known) > len(known))
    estimate = None if options.dpi is not None else _estimate(seen, options)
    return Survey(tuple(one.look(options, estimate) for one in seen), estimate)


@dataclass
class _Seen:
    """What is known of a file so far; `single` is None where only its reader can tell."""

    file: InputFile
    n_pages: int = 0
    size_px: tuple[int, int] | None = None
    dpi: float | None = None
    states_dpi: bool = True
    single: bool | None = None
    by_its_edges: bool = False
    recognised: bool = False
    photograph: bool = False
    support_dpi: float | None = None

    @property
    def may_be_short(self) -> bool:
        """Whether it is far smaller than a sheet, and nothing else tells what it is."""
        if self.file.single_shred is not None or self.single or self.by_its_edges or self.size_px is None:
            return False
        return max(self.size_px) <= (_SHORT_IN * self.dpi if self.dpi else _SHORT_PX)

    @property
    def needs_estimate(self) -> bool:
        """Whether its size tells nothing of its resolution."""
        unknown = not self.states_dpi and self.file.dpi is None and self.size_px is not None
        if not unknown or self.support_dpi is not None:
            return False
        return bool(self.single) or self.photograph or not fits_bed(self.size_px or (1, 1))

    def _estimated_dpi(self, estimate: Estimate | None) -> float | None:
        """Return the resolution at which it is taken if it states none and nobody gave one."""
        if self.needs_estimate:
            return None if estimate is None else estimate.dpi
        if self.states_dpi or self.file.dpi is not None or self.size_px is None or self.n_pages != 1:
            return None
        return self.support_dpi or sheet_dpi(*self.size_px)

    def look(self, options: ReadingOptions, estimate: Estimate | None) -> Look:
        """Put together what came out."""
        file = replace(self.file, single_shred=self.single)
        dpi = self._estimated_dpi(estimate) if options.dpi is None else None
        if dpi is not None:
            file = replace(file, dpi=dpi, dpi_source="estimated")
        states_dpi = self.states_dpi or options.dpi is not None or self.file.dpi is not None
        recognised, by_estimate = self.recognised and bool(self.single), dpi is not None and self.needs_estimate
        by_support = dpi is not None and dpi == self.support_dpi
        return Look(file, self.n_pages, self.size_px, states_dpi, recognised, by_estimate, by_support)


def _see(file: InputFile, options: ReadingOptions) -> _Seen:
    """Look at a file: its head, and its picture where that tells more."""
    seen = _Seen(file, single=file.single_shred)
    try:
        with open(file.path, "rb") as handle:
            with quietly():
                image = Image.open(handle, formats=_FORMATS)
            exif = exif_of(image)
            with quietly():
                n_pages = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
                stated, see_through = image.info.get("dpi"), image.has_transparency_data
    except Exception:  # whatever Pillow raises: other decoders may open it, or say what is wrong
        return seen
    seen.size_px, seen.n_pages = image.size, n_pages
    stated = choose_stated(image.size, (stated, exif_dpi(exif)))
    seen.photograph = focal_35mm(exif) is not None  # a camera states a resolution that means nothing
    seen.states_dpi = stated is not None and is_believable(*stated) and not seen.photograph
    seen.dpi = max(stated) if stated is not None and seen.states_dpi else None
    if seen.single is None:
        if not see_through and lies_among_shreds(file.path):
            seen.single = is_elongated(seen.size_px)
        elif see_through or is_elongated(seen.size_px):
            _look_closer(seen, options)
        else:
            seen.single = False
    if seen.single is False and seen.file.dpi is None and not seen.states_dpi and options.dpi is None:
        _look_flat(seen, options)
    return seen


def _look_flat(seen: _Seen, options: ReadingOptions) -> None:
    """Lay a photograph flat, which its reader will do again, and see how large it is then."""
    try:
        flat = lay_flat(_first_page(seen.file.path, options))
    except (OSError, UnreadableInputError):
        return
    if flat is not None:
        seen.photograph, seen.support_dpi = True, flat.dpi
        seen.size_px = flat.pixels.shape[1], flat.pixels.shape[0]


def _look_closer(seen: _Seen, options: ReadingOptions, though_short: bool = False) -> None:
    """Decode the first page: what its opacity or its edges tell, and how far apart lines of print stand."""
    try:
        picture = _first_page(seen.file.path, options)
    except (OSError, UnreadableInputError):
        return
    height, width = picture.pixels.shape[:2]
    seen.size_px = width, height
    seen.recognised = True
    if picture.alpha is not None:
        seen.single = cut_out(picture.alpha) == "shred"
    else:
        seen.by_its_edges = is_elongated(seen.size_px)
        seen.single = (seen.by_its_edges or though_short) and is_single_shred(picture.pixels)


def _first_page(path: Path, options: ReadingOptions) -> Picture:
    """Decode the first page of a file."""
    with open(path, "rb") as handle:
        document = Document(handle, str(path), options.max_megapixels)
        try:
            return document.picture(0)
        finally:
            document.close()


def _agree_in_folders(seen: Sequence[_Seen], options: ReadingOptions, among_single: bool) -> None:
    """Let the files of a folder of which edges tell what they are go by what most of them are.

    Short pieces count where long ones do, where there are many of them, or where there were such before.
    """
    folders: dict[Path, list[_Seen]] = defaultdict(list)
    for one in seen:
        folders[one.file.path.parent].append(one)
    for of_folder in folders.values():
        by_edges = [one for one in of_folder if one.by_its_edges]
        share = sum(bool(one.single) for one in by_edges) / max(1, len(by_edges))
        if share >= _MOST_OF_A_FOLDER or share <= 1 - _MOST_OF_A_FOLDER:
            for one in by_edges:
                one.single = share > 0.5
        short = [one for one in of_folder if one.may_be_short]
        if len(short) >= _A_HEAP or among_single or (share > 0.5 and len(by_edges) >= _A_FEW):
            for one in short:
                _look_closer(one, options, though_short=True)


def _estimate(seen: Sequence[_Seen], options: ReadingOptions) -> Estimate | None:
    """Estimate the resolution of the files that need it."""
    lost = [one for one in seen if one.needs_estimate]
    if not lost:
        return None
    # Where both faces of paper are there, a page is as large as one of each two.
    behind = {other for _, other in paired_by_name([one.file.path for one in lost])}
    shreds_px = [
        (min(one.size_px), max(one.size_px))
        for number, one in enumerate(lost)
        if number not in behind
        if one.size_px and (one.single or is_elongated(one.size_px))
    ]
    every = -(-len(lost) // _MOST_MEASURED)
    measured = [_pitch_px(one.file, options) for one in lost[::every]]
    clear = [pitch for pitch in measured if pitch is not None]
    pitch = float(np.median(clear)) if len(clear) > _LEAST_CLEAR_SHARE * len(measured) else None
    return estimate_dpi(shreds_px, pitch, [one.dpi for one in seen if one.dpi is not None])


def _pitch_px(file: InputFile, options: ReadingOptions) -> float | None:
    """Measure the distance of the lines of print on the first page of a file."""
    try:
        picture = _first_page(file.path, options)
        flat = None if file.single_shred else lay_flat(picture)
        return line_pitch_px(picture.pixels if flat is None else flat.pixels)
    except (OSError, UnreadableInputError):
        return None
