import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import io
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.main_window import MainWindow
from app.session.document import case_file
from app.session.engine import Engine
from app.session.session import Session
from app.settings import Settings
from core.arrangement.arrangement import Arrangement
from core.case.case import Case, JoinInfo
from core.errors import UnreadableInputError
from core.matching.geometry import n_embedding_rows
from core.options import Options
from core.progress import Progress
from core.sheets.inputs import find_inputs
from core.sheets.reader import read_inputs
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred
from core.system.versions import versions

_PATIENCE_MS = 60_000
STRIP_WIDTH, STRIP_HEIGHT, N_STRIPS = 60, 500, 4
SHEET_SIZE = (400, 560)


class PatientBot(QtBot):
    """Waits long for what a test waits for: on a busy machine it comes late, and otherwise the limit costs nothing."""

    def waitUntil(self, callback, *, timeout=_PATIENCE_MS):
        super().waitUntil(callback, timeout=max(timeout, _PATIENCE_MS))

    def waitSignal(self, signal, *, timeout=_PATIENCE_MS, **others):
        return super().waitSignal(signal, timeout=max(timeout, _PATIENCE_MS), **others)

    def waitExposed(self, widget, *, timeout=_PATIENCE_MS):
        return super().waitExposed(widget, timeout=max(timeout, _PATIENCE_MS))


@pytest.fixture
def qtbot(qapp, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


def strip_x(index: int) -> int:
    """Left edge of a strip on a sheet."""
    return 30 + 90 * index


@pytest.fixture
def draw_sheet(tmp_path: Path) -> Callable[[str], Path]:
    """Draw a sheet of four strips on yellow; no two sheets are alike."""

    def draw(name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(drawn(name))
        return path

    return draw


@cache
def drawn(name: str) -> bytes:
    """Draw a sheet; hundreds of tests take the same three."""
    image = Image.new("RGB", SHEET_SIZE, (250, 200, 60))
    pen = ImageDraw.Draw(image)
    for index in range(N_STRIPS):
        x = strip_x(index)
        pen.rectangle((x, 30, x + STRIP_WIDTH - 1, 30 + STRIP_HEIGHT - 1), fill="white")
        pen.text((x + 8, 50 + 30 * index), name, fill="black")
    file = io.BytesIO()
    image.save(file, Image.registered_extensions()[Path(name).suffix.lower()], dpi=(300, 300))
    return file.getvalue()


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

    def reconstruct(
        self,
        paths: Sequence[Path],
        on_sheet: Callable[[SheetInfo, tuple[Shred, ...]], None],
        progress: Progress,
        options: Options = Options(),
    ) -> Case:
        self.runs.append(tuple(getattr(path, "path", path) for path in paths))
        if case_file(paths):
            return super().reconstruct(paths, on_sheet, progress, options)
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

    def encoder(self, progress):
        return SparseEncoder()

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


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture(scope="session", autouse=True)
def _style(qapp) -> None:
    qapp.setStyle("Fusion")


@pytest.fixture
def window(qtbot, engine: FakeEngine, settings: Settings) -> Iterator[MainWindow]:
    """The real window, with a fake engine and settings of its own."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme.apply(application, "light")
    session = Session(engine)
    window = MainWindow(session, settings)
    qtbot.addWidget(window, before_close_func=lambda window: window.session.document.discard_changes())
    window.show()
    qtbot.waitExposed(window)
    yield window
    for event in (engine.hold, engine.deaf):
        if event:
            event.set()
    session.close()
    qtbot.waitUntil(lambda: len(session.jobs) == 0, timeout=10_000)


@pytest.fixture
def opened(qtbot, window: MainWindow, draw_sheet: Callable[[str], Path]) -> MainWindow:
    """The window with three sheets reconstructed to two pages."""
    window.opener.open([draw_sheet(f"scan{number}.png") for number in (1, 2, 3)])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places), timeout=10_000)
    return window


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """Fail a test that leaves a thread behind."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 60
    while (left := set(threading.enumerate()) - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left, f"Threads are left: {[thread.name for thread in left]}"
