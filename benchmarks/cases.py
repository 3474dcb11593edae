"""Cases to measure with, of any size, made in seconds: no stage of the pipeline is run."""

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

SHREDS_ON_PAGE = 25
SACK = 5000
"""From so many shreds on they are those of a sack: mixed on their sheets, packed, priced by their best candidates."""

SACK_ON_PAGE, ON_SHEET, BEST = 34, 24, 64


def build(n: int, path: Path, scans: Path | None) -> None:
    """Write a case of n shreds."""
    from core.case.file import save
    from core.case.record import reconstructed

    rng = np.random.default_rng(0)
    if scans:
        case = case_of_scans(n, scans, rng)
    else:
        case = case_of_a_sack(n, path.parent, rng) if n >= SACK else case_in_software(n, path.parent, rng)
    save(reconstructed(case, "nobody"), path)


@cache
def drawn_pages() -> list[np.ndarray]:
    """Draw two pages."""
    from training.demo.pages import form, letter

    return [np.asarray(draw().convert("RGB")) for draw in (letter, form)]


def case_in_software(n: int, folder: Path, rng: np.random.Generator):
    """Cut drawn pages into strips with wavy edges; the sheets are the pages."""
    from core.sheets.sheet import SheetInfo
    from core.shreds.shred import Shred

    sheets, shreds = [], []
    for number in range(-(-n // SHREDS_ON_PAGE)):
        page = np.roll(drawn_pages()[number % 2], 37 * number, axis=0)
        height, width, _ = page.shape
        file = file_of(folder, number)
        preview = np.ascontiguousarray(page[::5, ::5])
        sheets.append(SheetInfo(file, 0, f"{number:064x}", (width, height), 300.0, "file", preview))
        wave = np.round(3 * np.sin(np.arange(height) / 40 + number)).astype(int)
        bounds = np.linspace(0, width, SHREDS_ON_PAGE + 1).astype(int)
        for position in range(min(SHREDS_ON_PAGE, n - len(shreds))):
            left, right = bounds[position], bounds[position + 1]
            columns = np.arange(right - left)
            mask = (columns >= 4 + wave[:, None]) & (columns < right - left - 4 + wave[:, None])
            outline = np.array([[left, 0], [right, 0], [right, height], [left, height]], np.float32)
            pixels = page[:, left:right]
            box = (int(left), 0, int(right - left), height)
            shred_id = f"{number + 1}-{position + 1:02}"
            shreds.append(Shred(shred_id, number, box, outline, 0.0, pixels, mask, 0, False))
    return arranged(sheets, shreds, rng)


def file_of(folder: Path, number: int) -> Path:
    """Return the file of a sheet, which shows one of the two pages; it is there afterwards."""
    from PIL import Image

    file = folder / f"sheet_{number % 2}.png"
    if not file.exists():
        Image.fromarray(drawn_pages()[number % 2]).save(file, dpi=(300, 300))
    return file


def case_of_scans(n: int, folder: Path, rng: np.random.Generator):
    """Find the shreds on real scans, as many as are wanted; the order is the one in which they lie."""
    import sys

    from core.errors import NothingFoundError
    from core.options import Options
    from core.shreds.detect import find_shreds

    inputs = inputs_in(folder)
    sheets, shreds, begin = [], [], 0
    while len(shreds) < n and begin < len(inputs):
        batch, begin = inputs[begin : begin + 20], begin + 20
        try:
            found = find_shreds(batch, Options())
        except NothingFoundError:
            continue  # whole pages, and the like
        for shred in found.shreds:
            if shred.compared and len(shreds) < n:
                sheet = len(sheets) + shred.sheet
                shreds.append(replace(shred, sheet=sheet, id=f"{sheet + 1}-{shred.id.split('-')[1]}"))
        sheets += found.sheets
    if not shreds:
        sys.exit(f"No shreds are found on the scans in {folder}.")
    return arranged(sheets, shreds, rng)


def inputs_in(folder: Path) -> list:
    """List the scans in a folder and the folders in it; masks go with the shreds that they belong to."""
    from core.sheets.inputs import find_inputs

    folders = [folder, *sorted(path for path in folder.rglob("*") if path.is_dir())]
    found = [one for each in folders if each.name != "masks" for one in find_inputs([each]) if one.path.is_file()]
    return find_inputs(list({one.path: one for one in found}.values()))


def arranged(sheets: Sequence, shreds: Sequence, rng: np.random.Generator):
    """Put shreds on pages in the order in which they are given, with costs that speak for it."""
    from core.arrangement.arrangement import Arrangement
    from core.matching.costs import Costs

    n = len(shreds)
    cost = rng.uniform(20, 40, (n, n)).astype(np.float32)
    cost[np.arange(n - 1), np.arange(1, n)] = rng.uniform(0, 22, n - 1)
    np.fill_diagonal(cost, np.inf)
    ends = np.full(n, 15, np.float32)
    costs = Costs.of_all(cost, np.zeros((n, n), np.int16), ends, ends.copy())
    ids = [shred.id for shred in shreds]
    pages = tuple(tuple(ids[start : start + SHREDS_ON_PAGE]) for start in range(0, n, SHREDS_ON_PAGE))
    return case_of(sheets, shreds, costs, Arrangement(pages))


def case_of(sheets: Sequence, shreds: Sequence, costs, arrangement):
    """Put a case together."""
    from core.case.case import Case
    from core.case.joins import JoinTable
    from core.faces.posed import Posed
    from core.options import Options

    posed = Posed.alone((shred.id for shred in shreds), costs)
    joins = JoinTable.of(posed, arrangement).joins(arrangement)
    return Case(Options(), tuple(sheets), tuple(shreds), (), costs, arrangement, joins, True, 0.0, {}, (), "", {})


# A sack


def case_of_a_sack(n: int, folder: Path, rng: np.random.Generator):
    """Mix the shreds of many pages on sheets; every tenth of a page lies upside down, and paper has a scan's grain.

    Pages are 24 that differ, again and again: their shreds are packed once.
    """
    from core.arrangement.arrangement import Arrangement
    from core.sheets.sheet import SheetInfo
    from core.shreds.storage.packed import PackedShred

    n_pages, n_sheets = -(-3 * n // 100), -(-n // ON_SHEET)
    kinds = [strips_of(number, rng) for number in range(24)]
    at = rng.permutation(n)
    names = [f"{place // ON_SHEET + 1}-{place % ON_SHEET + 1:02}" for place in at.tolist()]
    pages = [[int(one) for one in part] for part in np.array_split(np.arange(n), n_pages)]
    half_turned = frozenset(names[one] for page in pages for one in page[7::10])
    shift_px = {names[one]: int(rng.integers(-8, 9)) for page in pages for one in page[1:]}
    arrangement = Arrangement(tuple(tuple(names[one] for one in page) for page in pages), (), shift_px)
    arrangement = replace(arrangement, half_turned=half_turned)
    shreds, previews = [None] * n, np.full((n_sheets, 710, 624, 3), (240, 170, 60), np.uint8)
    for number, page in enumerate(pages):
        for (png, small, outline), one in zip(kinds[number % 24], page, strict=False):
            sheet, column = divmod(int(at[one]), ON_SHEET)
            left, (height, width, _) = 40 + 125 * column, small.shape
            previews[sheet, 4 : 4 + height, left // 5 : left // 5 + width] = small
            width_px, height_px = (int(value) for value in outline.max(axis=0))
            box, moved = (left, 20, width_px, height_px), outline + np.float32([left, 20])
            values = {"id": names[one], "sheet": sheet, "bbox": box, "outline": moved, "angle_deg": 0.0}
            shreds[at[one]] = PackedShred(png=png, **values, frame_top_px=0, blank=False, half_turn=False, scrap="")
    of_sheet = ((file_of(folder, k), 0, f"{k:064x}", (3120, 3550), 300.0, "file") for k in range(n_sheets))
    sheets = [SheetInfo(*values, preview) for values, preview in zip(of_sheet, previews, strict=True)]
    return case_of(sheets, shreds, costs_of_a_sack([shred.id for shred in shreds], arrangement, rng), arrangement)


def strips_of(number: int, rng: np.random.Generator) -> list[tuple[bytes, np.ndarray, np.ndarray]]:
    """Cut a page; of each strip the PNG, a small picture, and the outline."""
    import cv2

    from core.shreds.shred import Shred
    from core.shreds.storage.packed import pack

    page = np.roll(drawn_pages()[number % 2], 37 * number, axis=0).astype(np.int16)
    page = np.clip(page - 12 + rng.normal(0, 0.5, page.shape).astype(np.int16), 0, 255).astype(np.uint8)
    bounds = np.linspace(0, page.shape[1], SACK_ON_PAGE + 1).astype(int)
    y = np.arange(len(page))
    wave, strips = np.round(3 * np.sin(y / 40 + number)).astype(int), []
    for position, (left, right) in enumerate(pairwise(bounds)):
        pixels, columns = page[:, left:right], np.arange(right - left)
        mask = (columns >= 4 + wave[:, None]) & (columns < right - left - 4 + wave[:, None])
        edges = np.stack([4 + wave, y], axis=1)[::18], np.stack([right - left - 4 + wave, y], axis=1)[::-18]
        if position % 10 == 7:
            pixels, mask = pixels[::-1, ::-1], mask[::-1, ::-1]
        shred = Shred("", 0, (0, 0, 0, 0), np.zeros((0, 2), np.float32), 0.0, pixels, mask, 0, False)
        small = cv2.resize(np.ascontiguousarray(pixels), None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
        strips.append((pack(shred), small, np.concatenate(edges).astype(np.float32)))
    return strips


def costs_of_a_sack(ids: Sequence[str], arrangement, rng: np.random.Generator):
    """Price shreds both ways up, against the true neighbour and so many others of each border."""
    from core.matching.costs import CUES, Costs

    n, row = len(ids), {shred: at for at, shred in enumerate(ids)}
    pose = {shred: row[shred] + n * (shred in arrangement.half_turned) for shred in ids}
    true = np.array([(pose[left], pose[right]) for left, right in arrangement.joins()])
    true = np.concatenate([true, (true[:, ::-1] + n) % (2 * n)])
    others = np.stack([np.repeat(np.arange(2 * n), BEST), rng.integers(0, 2 * n, 2 * n * BEST)], axis=1)
    others = others[others[:, 0] % n != others[:, 1] % n]
    keys, first = np.unique(np.concatenate([true, others]) @ [2 * n, 1], return_index=True)
    left, right = (part.astype(np.int32) for part in np.divmod(keys, 2 * n))
    is_true = first < len(true)
    cost = np.where(is_true, rng.uniform(0, 22, len(keys)), rng.uniform(20, 40, len(keys))).astype(np.float32)
    shift_px = rng.integers(-8, 9, len(keys)).astype(np.int16)
    turned_px = [arrangement.shift_px[right] for _, right in arrangement.joins()]
    shift_px[np.searchsorted(keys, true @ [2 * n, 1])] = turned_px * 2
    cues = {cue: rng.normal(0, 1, len(keys)).astype(np.float32) for cue in CUES}
    ends = np.full(2 * n, 15, np.float32)
    upright = np.where([shred in arrangement.half_turned for shred in ids], -3, 3).astype(np.float32)
    return Costs(left, right, cost, shift_px, ends, ends.copy(), **cues, upright=np.concatenate([upright, -upright]))


def packed_pages(n_pages: int, folder: Path, are_packed: bool):
    """Make a case of n pages; each is one of two, cut into shreds."""
    from core.arrangement.arrangement import Arrangement
    from core.case.case import JoinInfo
    from core.shreds.shred import Shred
    from core.shreds.storage.packed import PackedShred, pack

    rng = np.random.default_rng(0)
    two = case_in_software(2 * SHREDS_ON_PAGE, folder, rng)
    names = [field.name for field in fields(Shred) if field.name not in ("pixels", "mask")]
    pngs = [pack(shred) if are_packed else b"" for shred in two.shreds]
    sheets, shreds, pages = [], [], []
    for page in range(n_pages):
        sheets.append(replace(two.sheets[page % 2], sha256=f"{page:064x}"))
        ids = tuple(f"{page + 1}-{position + 1:02}" for position in range(SHREDS_ON_PAGE))
        for at, name in enumerate(ids, start=SHREDS_ON_PAGE * (page % 2)):
            shred = replace(two.shreds[at], id=name, sheet=page)
            values = {each: getattr(shred, each) for each in names}
            shreds.append(PackedShred(png=pngs[at], **values) if are_packed else shred)
        pages.append(ids)
    arrangement = Arrangement(tuple(pages))
    joins = tuple(JoinInfo(*pair, 1.0, 0, float(rng.uniform(0.05, 1))) for pair in arrangement.joins())
    return replace(two, sheets=tuple(sheets), shreds=tuple(shreds), arrangement=arrangement, joins=joins, costs=None)
