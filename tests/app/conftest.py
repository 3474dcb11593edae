import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import io
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.main_window import MainWindow
from app.session.session import Session
from app.settings import Settings
from app.widgets import messages
from tests.app.fakes import N_STRIPS, SHEET_SIZE, STRIP_HEIGHT, STRIP_WIDTH, FakeEngine, strip_x

_PATIENCE_MS = 60_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what opens a case in the window: each takes a quarter of a second or more, and they are hundreds."""
    for item in items:
        if "opened" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")


class PatientBot(QtBot):
    """Waits long for what a test waits for: on a busy machine it comes late, and otherwise the limit costs nothing."""

    def waitUntil(self, callback, *, timeout=_PATIENCE_MS):
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=_PATIENCE_MS, **others):
        return super().waitSignal(signal, timeout=timeout, **others)

    def waitExposed(self, widget, *, timeout=_PATIENCE_MS):
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


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


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture(scope="session", autouse=True)
def _style(qapp) -> None:
    qapp.setStyle("Fusion")
    plainly_light(qapp)


def plainly_light(application: QApplication) -> None:
    """Apply the colours of the theme, not its style sheet: with that, a window takes twice as long to build.

    Tests that choose a theme, and those that start the application, have the style sheet too.
    """
    theme.apply(application, "light")
    application.setStyleSheet("")


@pytest.fixture
def window(qtbot, engine: FakeEngine, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """The real window, with a fake engine and settings of its own; whether to save what never was, nobody is asked."""
    monkeypatch.setattr(messages, "ask_to_save_new", lambda parent: "discard")
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    if theme.colours() is not theme.LIGHT or application.styleSheet():  # a test before this one may have changed it
        plainly_light(application)
    others = set(application.topLevelWidgets())
    session = Session(engine)
    window = MainWindow(session, settings)
    window.resize(1320, 860)  # whatever screen there is
    window.resizeDocks([window.docks["source"].dock], [380], Qt.Orientation.Horizontal)
    qtbot.addWidget(window, before_close_func=lambda window: window.session.document.discard_changes())
    window.show()
    qtbot.waitExposed(window)
    yield window
    for event in (engine.hold, engine.deaf):
        if event:
            event.set()
    session.close()
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
    session.deleteLater()
    # Without a running event loop Qt deletes nothing, and each window of hundreds of tests would stay in memory, with
    # all its panels that were never shown: a change of colours goes through every one of them.
    for widget in set(application.topLevelWidgets()) - others:
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def opened(qtbot, window: MainWindow, draw_sheet: Callable[[str], Path]) -> MainWindow:
    """The window with three sheets reconstructed to two pages."""
    window.opener.open([draw_sheet(f"scan{number}.png") for number in (1, 2, 3)])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
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
