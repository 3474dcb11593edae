"""An engine without a network, and the cases that it makes: no test of the window loads TensorFlow."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from app.session.document import case_file
from app.session.engine import Engine
from core.arrangement.arrangement import Arrangement
from core.case.case import Case, JoinInfo
from core.embedding.geometry import n_embedding_rows
from core.errors import UnreadableInputError
from core.options import Options
from core.progress import Progress
from core.sheets.inputs import find_inputs
from core.sheets.mends import MendsOfSheets
from core.sheets.reader import read_inputs
from core.sheets.sheet import SheetInfo
from core.shreds.detect import Found
from core.shreds.shred import Crumb, Shred
from core.system.versions import versions
from core.text.page_text import PageText, Word

STRIP_WIDTH, STRIP_HEIGHT, N_STRIPS = 60, 500, 4
SHEET_SIZE = (400, 560)


def strip_x(index: int) -> int:
    """Left edge of a strip on a sheet."""
    return 30 + 90 * index


class SparseEncoder:
    """Sees of a sample how much ink it has; stands for the encoder, so that no test loads TensorFlow."""

    sample_height_px = 32
    sha256 = "none"
    d = 1

    def embed(self, borders, side, progress=lambda *_: None):
        progress(1.0, "Embedding")
        ink = borders.mean(axis=2)
        n_rows = n_embedding_rows(borders.shape[1])
        rows = [[row[4 * k : 4 * k + 32].sum() for k in range(n_rows)] for row in ink]
        return np.array(rows, dtype=np.float32)[..., None]

    def blank(self, side):
        return np.zeros(1, dtype=np.float32)


@dataclass
class FakeEngine(Engine):
    """Finds the strips where they were drawn and keeps them in their order; no network, no TensorFlow.

    It can wait at a stage until it is released, ignore Cancel for a while, and fail.
    """

    hold: threading.Event | None = None
    error: BaseException | None = None
    deaf: threading.Event | None = None
    runs: list[tuple[Path, ...]] = field(default_factory=list)
    reread_by: list[str] = field(default_factory=list)
    strips_on_page: int = 6
    pages_read: list[tuple[int, str]] = field(default_factory=list)

    def prepare_mending(self, case: Case, progress: Progress) -> None:
        """Read no borders."""

    def reconstruct(
        self,
        paths: Sequence[Path],
        on_sheet: Callable[[SheetInfo, tuple[Shred, ...]], None],
        progress: Progress,
        options: Options = Options(),
        mends: MendsOfSheets | None = None,
    ) -> Case:
        self.runs.append(tuple(getattr(path, "path", path) for path in paths))
        if case_file(paths):
            return super().reconstruct(paths, on_sheet, progress, options, mends)
        sheets: list[SheetInfo] = []
        shreds: list[Shred] = []
        unreadable: list[str] = []
        for sheet in read_inputs(find_inputs(paths), progress=lambda fraction, text: progress(fraction / 2, text)):
            if isinstance(sheet, UnreadableInputError):
                unreadable.append(str(sheet))
                continue
            found = tuple(strip(len(sheets), index, sheet.pixels) for index in range(N_STRIPS))
            sheets.append(sheet.info)
            shreds += found
            on_sheet(sheet.info, found)
        if self.deaf:
            self.deaf.wait(240)
        while self.hold and not self.hold.wait(0.01):
            progress(0.6, "Embedding borders")
        if self.error:
            raise self.error
        if not sheets:
            raise UnreadableInputError("\n".join(unreadable))
        return replace(case_of(sheets, shreds, unreadable, self.strips_on_page), options=options)

    def read_added(self, case, files, progress):
        self.runs.append(tuple(file.path for file in files))
        sheets, shreds, unreadable = [], [], []
        for sheet in read_inputs(files, progress=progress):
            if isinstance(sheet, UnreadableInputError):
                unreadable.append(str(sheet))
                continue
            shreds += [strip(len(case.sheets) + len(sheets), index, sheet.pixels) for index in range(N_STRIPS)]
            sheets.append(sheet.info)
        while self.hold and not self.hold.wait(0.01):
            progress(0.6, "Finding shreds")
        if self.error:
            raise self.error
        if not sheets:
            raise UnreadableInputError("\n".join(unreadable))
        return Found(tuple(sheets), tuple(shreds), (), tuple(unreadable), damaged=tuple(unreadable))

    def add(self, case, found, progress):
        """Put the new strips on a page of their own."""
        alone = case_of(found.sheets, found.shreds, found.unreadable, self.strips_on_page)
        old, new = case.arrangement, alone.arrangement
        return replace(
            case,
            sheets=(*case.sheets, *found.sheets),
            shreds=(*case.shreds, *found.shreds),
            joins=(*case.joins, *alone.joins),
            unreadable=(*case.unreadable, *found.unreadable),
            arrangement=replace(
                old,
                pages=(*old.pages, *new.pages),
                set_aside=(*old.set_aside, *new.set_aside),
                shift_px=old.shift_px | new.shift_px,
            ),
            solved=None,
        )

    def encoder(self, progress):
        return SparseEncoder()

    def languages(self):
        return ("deu", "eng")

    def read_pages(self, case, pages, languages, progress):
        """Read on each shred its identifier, on each page "Page" with its number, and one word across each cut."""
        for number, page in enumerate(pages):
            while self.hold and not self.hold.wait(0.01):
                progress(number / len(pages), "Embedding")
            if self.error:
                raise self.error
            self.pages_read.append((page, languages))
            shreds = case.arrangement.pages[page]
            places = [(STRIP_WIDTH * at + 5, 100, 40, 20) for at in range(len(shreds))]
            titles = (
                Word("Page", (5, 20, 40, 20), line=(1, 1, 1), reading_box_px=(8, 20, 40, 20)),
                Word(f"{page + 1}.", (60, 20, 20, 20), line=(1, 1, 1)),
            )
            words = [Word(shred, place, line=(1, 1, 2)) for shred, place in zip(shreds, places, strict=True)]
            across = {
                (left, right): (Word(f"between{left}", (0, 0, 9, 9)), Word("it", (0, 0, 9, 9)))
                for left, right in pairwise(shreds)
            }
            yield page, PageText((*titles, *words), across)

    def reread(self, info, options):
        self.reread_by.append(threading.current_thread().name)
        return super().reread(info, options)


def strip(sheet: int, index: int, pixels: np.ndarray) -> Shred:
    """Cut out a strip; the last one of a sheet counts as blank."""
    x, y, w, h = strip_x(index), 30, STRIP_WIDTH, STRIP_HEIGHT
    outline = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], dtype=np.float32)
    return Shred(
        id=f"{sheet + 1}-{index + 1:02}",
        sheet=sheet,
        bbox=(x, y, w, h),
        outline=outline,
        angle_deg=0.0,
        pixels=pixels[y : y + h, x : x + w],
        mask=np.ones((h, w), dtype=np.bool_),
        frame_top_px=0,
        blank=index == N_STRIPS - 1,
    )


def case_of(sheets: Sequence[SheetInfo], shreds: Sequence[Shred], unreadable: Sequence[str], on_page: int) -> Case:
    """Put the strips on pages in the order in which they were found."""
    ids = [shred.id for shred in shreds if not shred.blank]
    pages = tuple(tuple(ids[start : start + on_page]) for start in range(0, len(ids), on_page))
    sureness = (0.999, 0.7, 0.2)
    joins = tuple(
        JoinInfo(left, right, 1.5 + number, 4 * number, sureness[number % 3])
        for page in pages
        for number, (left, right) in enumerate(pairwise(page))
    )
    return Case(
        options=Options(),
        sheets=tuple(sheets),
        shreds=tuple(shreds),
        crumbs=(Crumb(0, (5, 5, 20, 40), np.zeros((0, 2), np.float32), "sliver"),),
        costs=None,
        arrangement=Arrangement(
            pages, tuple(shred.id for shred in shreds if shred.blank), {join.right: join.shift_px for join in joins}
        ),
        joins=joins,
        optimal=True,
        gap=0.0,
        seconds={},
        unreadable=tuple(unreadable),
        weights_sha256="",
        versions=versions(),
    )
