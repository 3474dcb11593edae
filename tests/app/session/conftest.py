"""The session without a window."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.session.session import Session
from tests.app.fakes import FakeEngine


@pytest.fixture
def session(qtbot, engine: FakeEngine, draw_sheet: Callable[[str], Path]) -> Iterator[Session]:
    """A session with three sheets reconstructed to two pages."""
    session = Session(engine)
    session.reader.open([draw_sheet(f"scan{number}.png") for number in (1, 2, 3)])
    qtbot.waitUntil(lambda: session.document.case is not None and len(session.jobs) == 0)
    yield session
    for event in (engine.hold, engine.deaf):
        if event:
            event.set()
    session.close()
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
