"""What the window records suffices to repeat it from the sheets: the real window's session, verified by `core`."""

import random
import shutil
from dataclasses import replace

import pytest

from app.pages.shred_operations import Place, ShredOperations
from app.session.engine import Engine
from app.session.safety.autosave import Autosave, UnsavedState
from app.session.session import Session
from core.options import Options
from core.system.places import weights_path
from core.verification.verify import verify
from tests.core.repeatable import Desk, desk

pytestmark = pytest.mark.slow

__all__ = ["desk"]

SHREDS = ("1-01", "1-03", "1-04", "2-01", "2-02", "2-03")


class Examiner:
    """Works on the case of a session with all that the window offers."""

    def __init__(self, qtbot, folder, sheets):
        self.qtbot, self.path = qtbot, folder / "matter.rejoin"
        self.session = Session(Engine())
        self.operations, self.answers = (
            ShredOperations(self.session.document, self.session.editor),
            self.session.answers,
        )
        self.session.jobs.failed.connect(self._fail)
        self.open(sheets)

    def _fail(self, error):
        raise error

    def open(self, paths):
        if paths:
            self.session.reader.open(paths)
            self.wait()

    def wait(self):
        self.qtbot.waitUntil(lambda: len(self.session.jobs) == 0)
        assert self.session.document.case is not None

    def choose(self, *shreds):
        self.session.document.select_shreds(shreds)

    def move(self, shreds, page, position):
        self.operations.put(shreds, Place(page, position))

    def turn(self, shred, by_deg):
        self.choose(shred)
        self.operations.turn(by_deg)

    def nudge(self, shred, by_px, times=3):
        self.choose(shred)
        for _ in range(times):
            self.operations.nudge(by_px)

    def half_turn(self, *shreds):
        self.choose(*shreds)
        self.operations.half_turn()

    def set_aside(self, shred):
        self.choose(shred)
        self.operations.set_aside()

    def begin_page(self, shred):
        self.choose(shred)
        self.operations.begin_page()

    def solve(self):
        self.answers.solve_again()
        self.wait()

    def change(self, **parts):
        options = self.session.document.options_in_force
        stages = {name: replace(getattr(options, name), **values) for name, values in parts.items()}
        self.session.updater.apply(replace(options, **stages))
        self.wait()

    def save(self):
        with self.qtbot.waitSignal(self.session.document.saved):
            self.session.writer.save(self.path)
        self.wait()

    @property
    def steps(self):
        return [entry.what for entry in self.session.document.case.history]

    def verified(self):
        """Save, and repeat everything from the sheets."""
        self.save()
        done = verify(self.path, weights_path())
        assert done.holds, done.first_difference
        return True


@pytest.fixture
def examiner(qtbot, desk: Desk):
    examiner = Examiner(qtbot, desk.folder, desk.sheets)
    yield examiner
    examiner.session.close()
    examiner.session.jobs.wait()


def test_a_whole_correction_is_repeated(examiner, tmp_path):
    session = examiner.session
    page = session.document.case.arrangement.pages[0]
    examiner.move((page[0],), 0, 4)
    examiner.answers.answer((page[1], page[2]), "confirmed")
    examiner.answers.toggle((page[3], page[0]), "forbidden")
    examiner.solve()
    session.editor.undo()
    session.editor.undo()
    session.editor.redo()
    examiner.nudge(page[4], 2)
    session.editor.undo()
    session.editor.redo()
    examiner.turn(page[5], 0.5)
    examiner.half_turn(page[4])
    examiner.begin_page(page[3])
    examiner.set_aside(page[1])
    session.editor.undo()
    examiner.change(composition={"show_seams": True})
    examiner.solve()  # compares all anew: a shred was turned
    examiner.change(cost={"max_shift_rows": 5})
    session.editor.undo()
    examiner.change(reading={"max_megapixels": 500.0})  # reads the sheets again
    session.editor.undo()
    examiner.move((page[2],), 0, 0)
    with examiner.qtbot.waitSignal(session.writer.exported):
        session.writer.export(tmp_path / "pages.tif")
    assert examiner.verified()
    kinds = ("edited", "undone", "redone", "solved again", "options changed", "read again", "exported", "saved")
    assert set(kinds) < set(examiner.steps)


def test_work_goes_on_after_saving_and_is_repeated_too(examiner):
    examiner.move(("1-01",), 0, 3)
    examiner.save()
    examiner.open([examiner.path])
    assert examiner.steps == ["reconstructed", "edited", "saved"]
    examiner.nudge("1-04", -5)
    examiner.session.editor.undo()
    examiner.half_turn("2-01", "2-02")
    examiner.solve()
    assert examiner.verified()
    examiner.session.reader.reconstruct_again()
    examiner.wait()
    examiner.begin_page("2-01")
    assert examiner.verified()
    assert examiner.steps.count("reconstructed") == 2


@pytest.mark.parametrize("seed", range(3))
def test_a_random_walk_is_repeated(examiner, seed):
    rng, session = random.Random(seed), examiner.session

    def any_pair():
        return tuple(rng.sample(SHREDS, 2))

    def move():
        pages = session.document.case.arrangement.pages
        page = rng.randrange(len(pages))
        examiner.move(rng.sample(SHREDS, rng.randint(1, 2)), page, rng.randint(0, len(pages[page])))

    acts = (
        move,
        lambda: examiner.nudge(rng.choice(SHREDS), rng.randint(-9, 9), times=rng.randint(1, 3)),
        lambda: examiner.turn(rng.choice(SHREDS), rng.choice((-0.1, 0.2))),
        lambda: examiner.half_turn(rng.choice(SHREDS)),
        lambda: examiner.set_aside(rng.choice(SHREDS)),
        lambda: examiner.begin_page(rng.choice(SHREDS)),
        examiner.operations.merge_pages,
        lambda: examiner.answers.answer(any_pair(), rng.choice(("confirmed", "forbidden", "suggested"))),
        session.editor.undo,
        session.editor.undo,
        session.editor.redo,
    )
    for _ in range(40):
        rng.choice(acts)()
    assert len(session.document.case.history) > 25
    assert examiner.verified()


def test_options_that_were_tried_out_do_not_stay(examiner):
    examiner.change(solver={"n_pages": 2})
    assert len(examiner.session.document.case.arrangement.pages) == 2
    examiner.session.editor.undo()
    assert examiner.session.document.case.options == Options()
    assert examiner.verified()


def test_what_came_back_after_a_crash_is_repeated(examiner, desk, qtbot, tmp_path):
    autosave = Autosave(examiner.session, tmp_path / "unsaved")
    autosave._begin()  # the case was open before
    examiner.move(("1-03",), 0, 5)
    examiner.answers.answer(("1-04", "2-01"), "forbidden")
    examiner.solve()
    examiner.nudge("2-02", 4)

    def kept():
        sessions = [UnsavedState.read(path.parent) for path in (tmp_path / "unsaved").glob("*/state.json")]
        return any(session and session.history == examiner.session.document.case.history for session in sessions)

    qtbot.waitUntil(kept)
    examiner.wait()
    # As a program leaves it that is killed.
    shutil.copytree(tmp_path / "unsaved", tmp_path / "left", ignore=shutil.ignore_patterns("lock"))
    after = examiner.session.document.case
    again = Examiner(qtbot, desk.folder, ())
    left = Autosave(again.session, tmp_path / "left")
    left.restore(left.left_behind())
    qtbot.waitUntil(lambda: again.session.document.case is not None and "restored" in again.steps)
    again.wait()
    assert again.session.document.case.arrangement == after.arrangement
    assert (again.session.document.case.solved, again.session.document.case.joins) == (after.solved, after.joins)
    assert again.steps == ["reconstructed", "edited", "edited", "solved again", *["edited"] * 3, "restored"]
    again.half_turn("2-03")
    again.solve()
    again.session.editor.undo_all()
    again.session.editor.redo()
    assert again.verified()
    again.session.close()
    again.session.jobs.wait()
