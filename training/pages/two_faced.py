"""Shreds with two faces: pages printed on both faces of paper, cut by one cut, laid out, scanned, turned over, scanned.

Paper is turned over about its upright axis: its outline is mirrored then, and what was above stays above.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.units import mm_to_px
from training.demo.sheets import Strip
from training.pages.preparation import rasterize
from training.pages.print_scan import Treatment, print_and_scan
from training.pages.sack import (
    Lying,
    Places,
    chance_of_sheet,
    coloured,
    draw_places,
    drawn_sheets,
    is_blank,
    lay_at,
    strip_of,
    strip_path,
    strips_of,
    treatment_on_white,
    write_scan,
)

Face: TypeAlias = Literal["front", "back"]

FACES: tuple[Face, Face] = ("front", "back")

PRINT_TURN_DEG = 0.35
"""Print lies turned on either face by so much (standard deviation), as `training.pages.print_scan` has it."""

SLIP_DEG, SLIP_PX = 0.05, 2.0
"""So much shreds move on a carrier that is turned over (standard deviations)."""

CARRIER_OFF_PX = 25.0
"""By so much at most all of a carrier lies higher or lower when it was turned over."""


@dataclass(frozen=True)
class LyingFace(Lying):
    """A face of a shred that lies up on a sheet.

    Attributes
    ----------
    page : int
        Which sheet of paper it is of, from 0.
    number : int
        Which strip of it, from 0: the leftmost as the front shows it, the rightmost as the back does.
    face : {"front", "back"}
        What lies up.
    half_turned : bool
        Whether that lies upside down; a front that does shows its back upside down when it is turned over.
    """

    face: Face = "front"


def draw_blank_backs(n_papers: int, share: float, seed: int) -> frozenset[int]:
    """Draw which sheets of paper have nothing on their back; they are counted from 0."""
    order = np.random.default_rng([seed, 4]).permutation(n_papers)
    return frozenset(order[: round(share * n_papers)].tolist())


def cut_papers(
    path: Path, first: int, seed: int, width_mm: float, folder: Path, blank_backs: Collection[int] = ()
) -> list[LyingFace]:
    """Print the pages of a PDF file on both faces of paper, two by two, and cut each sheet of paper into strips.

    Parameters
    ----------
    path : Path
        As `training.rendering` made it. If the number of its pages is odd, the last back is blank.
    first : int
        Number of its first sheet of paper.
    seed : int
        With the number of a sheet of paper it decides all.
    width_mm : float
        Of strips.
    folder : Path
        Where strips are put: those of fronts and backs in folders of these names, see `strip_path`.
    blank_backs : collection of int
        Sheets of paper whose back bears nothing: the page that would be there is left out.

    Returns
    -------
    list of LyingFace
        Of every strip the front and the back, from the left of the front to its right; they lie nowhere yet.
    """
    clean, cut = list(rasterize(path)), []
    for at in range(0, len(clean), 2):
        paper = first + at // 2
        rng = np.random.default_rng([seed, 5, paper])
        printed_back = paper not in blank_backs and at + 1 < len(clean)
        pages = clean[at], clean[at + 1] if printed_back else None
        front, back = printed(*pages, rng)
        for number, strip in enumerate(strips_of(front, width_mm, rng)):
            # A speck of toner on a margin is no print: nothing tells where such a strip belongs.
            blank = without_ink(*pages, strip)
            for face, pixels in zip(FACES, both_faces(front, back, strip, rng), strict=True):
                np.save(strip_path(folder / face, paper, number), pixels)
                cut.append(LyingFace(paper, number, blank[face], face=face))
    return cut


def printed(
    front: NDArray[np.uint8], back: NDArray[np.uint8] | None, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Print two pages on the faces of one sheet of paper, and scan and copy these as it happens to paper.

    Parameters
    ----------
    front, back : ndarray of shape (h, w) and (h', w'), uint8
        Pages at 300 dpi, black on 255. A back that lies across the paper is turned by 90°. None for no print at all.
    rng : Generator
        Source of all chance.

    Returns
    -------
    front, back : ndarray of shape (h, w), uint8
        Both as they are read: the right edge of the one is the left edge of the other.
    """
    treatment = treatment_on_white(rng)
    behind = replace(treatment, angle_deg=rng.normal(0, PRINT_TURN_DEG))
    if back is None:
        behind, back = without_print(behind), np.full_like(front, 255)
    back = _on_paper(back, front)
    return print_and_scan(front, treatment, rng, behind=back), print_and_scan(back, behind, rng, behind=front)


def without_ink(front: NDArray[np.uint8], back: NDArray[np.uint8] | None, strip: Strip) -> dict[Face, bool]:
    """Tell on which faces a strip bears nothing of the pages that are printed on them.

    Parameters
    ----------
    front, back : ndarray of shape (h, w) and (h', w'), uint8
        As `printed` takes them.
    strip : Strip
        Where it is cut, as seen on the front.

    Returns
    -------
    dict of str to bool
        By the faces' names.
    """
    behind = np.full_like(front, 255) if back is None else _on_paper(back, front)
    return {"front": is_blank(strip_of(front, strip)), "back": is_blank(strip_of(behind[:, ::-1], strip))}


def without_print(treatment: Treatment) -> Treatment:
    """Return what happens to a face that no printer or copier touches; light, grain and what shines through stay."""
    return replace(treatment, copies=(), shadows=0, specks=0.0, holes=0.0)


def _on_paper(page: NDArray[np.uint8], like: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Bring a page on paper as large as that of another."""
    if (page.shape[0] > page.shape[1]) != (like.shape[0] > like.shape[1]):
        page = np.rot90(page)
    paper = np.full_like(like, 255)
    part = page[: paper.shape[0], : paper.shape[1]]
    paper[: part.shape[0], : part.shape[1]] = part
    return paper


def both_faces(
    front: NDArray[np.uint8], back: NDArray[np.uint8], strip: Strip, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Cut a strip out of paper.

    Parameters
    ----------
    front, back : ndarray of shape (h, w), uint8
        Grey values of both faces, see `printed`.
    strip : Strip
        Where it is cut, as seen on the front.
    rng : Generator
        Fibres are torn otherwise on the back.

    Returns
    -------
    front, back : ndarray of shape (h, w', 2), uint8
        As `strip_path` has them: the paper of the one is that of the other, mirrored.
    """
    torn = replace(strip, rim=strip.rim[::-1] * rng.uniform(0.7, 1.3))
    return strip_of(front, strip), strip_of(back[:, ::-1], torn)[:, ::-1]


def drawn_scans(
    cut: Sequence[LyingFace],
    *,
    half_turned: float,
    turned_over: float,
    missing: float,
    per_sheet: int,
    carrier: bool,
    seed: int,
) -> list[tuple[list[LyingFace], list[LyingFace]]]:
    """Mix strips, lose some, turn some and turn some over, spread them over sheets, and turn all of these over.

    Parameters
    ----------
    cut : sequence of LyingFace
        Both faces of all strips.
    half_turned, turned_over, missing : float
        Which share of the strips, 0 to 1; those that are turned over show their back first.
    per_sheet : int
        So many lie on a sheet.
    carrier : bool
        Whether all that lies on a sheet is turned over together: each shred keeps its way up, and right is left. Else
        shreds are turned over one by one, and each comes to lie anywhere on the sheet, either way up.
    seed : int
        Decides all.

    Returns
    -------
    list of (list of LyingFace, list of LyingFace)
        Sheet by sheet, from left to right: as it was laid, and turned over.
    """
    known = {(one.page, one.number, one.face): one for one in cut}
    rng = np.random.default_rng([seed, 6])

    def other(one: LyingFace) -> LyingFace:
        face = known[one.page, one.number, "back" if one.face == "front" else "front"]
        return replace(face, half_turned=one.half_turned)

    scans = []
    fronts = drawn_sheets([one for one in cut if one.face == "front"], half_turned, missing, per_sheet, seed)
    for sheet in fronts:
        up = [other(one) if rng.random() < turned_over else one for one in sheet]
        down = [other(one) for one in reversed(up)]
        if not carrier:
            ways = rng.random(len(down)) < 0.5
            down = [replace(down[at], half_turned=bool(ways[at])) for at in rng.permutation(len(down))]
        scans.append((up, down))
    return scans


def write_scans(
    path: Path,
    scans: tuple[Sequence[LyingFace], Sequence[LyingFace]],
    strips: Path,
    laid_off_mm: float,
    seed: int,
    *,
    carrier: bool,
) -> tuple[list[LyingFace], list[LyingFace]]:
    """Lay shreds on a sheet and scan it, turn them over and scan them again, and write both scans as JPEG.

    Parameters
    ----------
    path : Path
        File of the first scan; that of the second, see `turned_over_path`.
    scans : (sequence of LyingFace, sequence of LyingFace)
        Of `drawn_scans`.
    strips : Path
        The folder of `cut_papers`.
    laid_off_mm : float
        By so much at most each lies too high or too low.
    seed : int
        With the sheet's name it decides all.
    carrier : bool
        As for `drawn_scans`: shreds slip a little at most on a carrier.

    Returns
    -------
    (list of LyingFace, list of LyingFace)
        With their boxes.
    """
    rng = chance_of_sheet(path, seed)
    off_px = mm_to_px(laid_off_mm)
    first = draw_places(len(scans[0]), off_px, rng)
    second = mirrored(first, rng) if carrier else draw_places(len(scans[1]), off_px, rng)
    laid = []
    for file, shreds, places in zip((path, turned_over_path(path)), scans, (first, second), strict=True):
        pixels = [coloured(np.load(strip_path(strips / one.face, one.page, one.number)), one, seed) for one in shreds]
        sheet, boxes = lay_at(pixels, places, off_px + CARRIER_OFF_PX * carrier, rng)
        write_scan(file, sheet, rng)
        laid.append([replace(one, bbox=box) for one, box in zip(shreds, boxes, strict=True)])
    return laid[0], laid[1]


def mirrored(places: Places, rng: np.random.Generator) -> Places:
    """Return how shreds lie when the carrier that holds them was turned over about its upright axis."""
    n, off_px = len(places.turns_deg), rng.uniform(-CARRIER_OFF_PX, CARRIER_OFF_PX)
    turns_deg = rng.normal(0, SLIP_DEG, n) - places.turns_deg[::-1]
    return Places(turns_deg, places.moves_px[::-1] + off_px + rng.normal(0, SLIP_PX, n))


def turned_over_path(path: Path) -> Path:
    """Return where the scan of a sheet lies after all of its shreds were turned over."""
    return path.with_name(f"{path.stem}_back{path.suffix}")
