import pytest
from PySide6.QtCore import Qt

from tests.app.joins.asking import until_asked
from tests.app.solvable import SolvableEngine


@pytest.fixture
def engine():
    return SolvableEngine()


@pytest.fixture
def session(opened):
    return opened.session


@pytest.fixture
def review(qtbot, opened):
    """The review queue, opened by its key, with its first question."""
    qtbot.keyClick(opened, Qt.Key.Key_F11)
    queue = opened.joins.review_queue
    until_asked(qtbot, queue)
    qtbot.waitUntil(lambda: queue.hasFocus())
    return queue
