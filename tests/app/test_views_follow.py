"""Views that update only what an edit has changed show the same as views that are built anew."""

import random

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel

from app.main_window import MainWindow
from app.pages.shred_operations import TRAY, Place
from app.record.notes import write
from app.session.session import Session
from app.settings import Settings
from core.arrangement.edits import WriteNote
from tests.app.solvable import SolvableEngine


@pytest.fixture
def engine():
    return SolvableEngine(strips_on_page=5)


@pytest.fixture
def fresh(qtbot, engine, tmp_path):
    """Another window, in which nothing has been shown yet."""
    window = MainWindow(Session(engine), Settings(tmp_path / "fresh.ini"))
    window.resize(1320, 860)
    qtbot.addWidget(window, before_close_func=lambda window: window.session.document.discard_changes())
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.session.close()
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)


def settle(qtbot, window):
    """Wait until everything is shown as it is."""
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: len(window.session.jobs) == 0)
    QApplication.processEvents()


def act(window, rng):
    """Do at random something that an examiner can do."""
    session, operations, answers = window.session, window.pages.operations, window.session.answers
    arrangement = session.document.case.arrangement
    session.document.select_shreds(rng.sample(arrangement.order, rng.randint(1, 2)))
    page = rng.randrange(len(arrangement.pages))
    about = session.document.selection.shred
    pair = rng.choice(arrangement.joins() or [arrangement.order[:2]])
    kinds = {
        "move": lambda: operations.put(operations.chosen, Place(page, rng.randint(0, len(arrangement.pages[page])))),
        "one by one": lambda: operations.move_by(rng.choice([-1, 1])),
        "new page": operations.move_to_new_page,
        "begin a page": operations.begin_page,
        "merge": operations.merge_pages,
        "set aside": operations.set_aside,
        "bring back": lambda: operations.put(operations.chosen_aside, Place(page, 0)),
        "nudge": lambda: operations.nudge(rng.choice([-1, 1])),
        "turn": lambda: operations.turn(0.3),
        "half-turn": operations.half_turn,
        "note": lambda: write(
            session.editor, rng.choice([about, "|".join(pair), ""]), rng.choice(["", "stained", "torn"])
        ),
        "answer": lambda: answers.answer(pair, rng.choice(["suggested", "confirmed", "forbidden"])),
        "undo": session.editor.undo,
        "redo": session.editor.redo,
        "turn the page": lambda: session.document.show_page(page),
        "tray": lambda: operations.put(operations.chosen_on_pages[:1], TRAY),
    }
    what = rng.choice([*kinds, "undo", "redo"])
    kinds[what]()
    return what


def strip_on_screen(window):
    """Give the order's strip as the screen has it, and as it would be drawn anew."""
    strip = window.docks["order"].dock.widget().viewport()
    place = QRect(strip.mapTo(window, QPoint()), strip.size())
    whole = window.screen().grabWindow(window.winId()).toImage()
    return grey(whole.copy(place)), grey(strip.grab().toImage())


def grey(image):
    image = image.convertToFormat(QImage.Format.Format_Grayscale8)
    return np.array(image.constBits()).reshape(image.height(), -1)[:, : image.width()].astype(int)


def pictures(window):
    """Draw the views that show the arrangement."""
    page, panels = window.pages.view, window.record.history_panel
    window.notices.hide()  # it takes room from the page
    QApplication.processEvents()
    page.canvas.fit()
    window.joins.review_queue.setFixedSize(560, 600)  # a panel that is not shown has whatever size it had last
    widgets = {
        "order": window.docks["order"].dock.widget().viewport(),
        "page": page.canvas.viewport(),
        "joins": page.ruler,
        "notes": panels.notes.list,
        "review": window.joins.review_queue,
    }
    return {name: widget.grab().toImage() for name, widget in widgets.items()}


def words(window):
    actions, tray = window.commands, window.pages.tray
    return {
        "tray": [(tray.item(row).toolTip(), tray.item(row).isSelected()) for row in range(tray.count())],
        "summary": window.status.summary.text(),
        "page": window.pages.label.text(),
        "source": [label.text() for label in window.sheets.source.findChildren(QLabel)],
        "steps": window.record.history_panel.steps.hash_label.text(),
        "notes": window.record.history_panel.tabText(1),
        "enabled": [
            getattr(actions, name).isEnabled()
            for name in ("move_left", "set_aside", "bring_back", "merge_pages", "next_page", "previous_page", "confirm")
        ],
        "answered": (actions.confirm.isChecked(), actions.forbid.isChecked()),
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_after_a_random_walk_every_view_shows_what_a_new_window_shows(qtbot, opened, fresh, seed):
    rng, session = random.Random(seed), opened.session
    settle(qtbot, opened)
    done = []
    for _ in range(4):
        for _ in range(12):
            done.append(act(opened, rng))
            QApplication.processEvents()
            shown, anew = strip_on_screen(opened)
            assert np.abs(shown - anew).max() <= 2, f"after {done}"  # part of a picture is scaled with other roundings
        if not session.document.case.turned_since:  # otherwise borders would be compared, which takes TensorFlow
            opened.session.answers.solve_again()
            settle(qtbot, opened)
            session.editor.edit(WriteNote("", f"{len(done)}"), "note")  # so that no join is new any more
        settle(qtbot, opened)
        fresh.session.document.show(session.document.opened)
        fresh.session.editor.begin()
        fresh.resize(opened.size())
        fresh.restoreState(opened.saveState())
        fresh.session.document.show_page(session.document.page)
        settle(qtbot, fresh)
        fresh.session.document.select_shreds(session.document.selection.shreds, session.document.selection.shred)
        settle(qtbot, fresh)
        assert words(opened) == words(fresh), f"after {done}"
        now, new = pictures(opened), pictures(fresh)
        assert [name for name in now if now[name] != new[name]] == [], f"after {done}"
