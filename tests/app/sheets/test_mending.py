"""A sheet mended in the real window, by mouse and by keys: what comes of it is in the case, and in its history."""

import itertools
import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from app.main_window import MainWindow
from app.reasons import reason_against
from app.record.past import PastDialog
from app.session.safety.autosave import Autosave, UnsavedState
from core.arrangement.edits import MoveShreds
from core.case.originals import at_hand
from core.comparison import Matched
from core.errors import NothingFoundError
from core.matching.costs import Costs
from core.renewal import update
from core.renewal.mending import mend
from core.sheets.mends import (
    CropSheet,
    DrawOutline,
    ExcludeSheet,
    MergeShreds,
    NotPaper,
    PickBackground,
    SplitShred,
    ThisIsAShred,
)
from tests.app.fakes import N_STRIPS, STRIP_HEIGHT, STRIP_WIDTH, FakeEngine, strip_x

TOP = 30
MIDDLE = TOP + STRIP_HEIGHT / 2
Key, Held, Button = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton


class MendingEngine(FakeEngine):
    """Mends for good; only that shreds are compared without a network."""

    def mend(self, case, number, mends, path, folders, progress):
        while self.hold and not self.hold.wait(0.01):
            progress(0.2, "Embedding borders")
        with at_hand(case, case.sheets[number], path, folders) as source:
            return mend(case, number, mends, lambda: SimpleNamespace(sha256=""), progress, source=source)


def in_their_order(shreds, encoder, options, progress, **_):
    n = sum(shred.compared for shred in shreds)
    places = np.arange(n, dtype=np.float32)
    cost = np.abs(places[None, :] - places[:, None] - 1) + 1
    np.fill_diagonal(cost, np.inf)
    blank = np.full(n, 2.0, np.float32)
    return Matched(
        Costs.of_all(cost.astype(np.float32), np.zeros((n, n), np.int16), blank, blank.copy()), encoder.sha256
    )


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(update, "match", in_their_order)
    return MendingEngine()


class Bench:
    """The window with its second sheet open to be mended."""

    def __init__(self, qtbot, window: MainWindow):
        self.qtbot, self.window, self.document = qtbot, window, window.session.document
        self.mending, self.canvas = window.sheets.mending, window.sheets.mending.canvas
        window.sheets.mending.open(1)
        assert window.centre.currentWidget() is self.mending.page

    def place(self, x, y):
        return self.canvas.mapFromScene(QPointF(x, y))

    def drag(self, start, end):
        view = self.canvas.viewport()
        QTest.mousePress(view, Button.LeftButton, Held.NoModifier, self.place(*start))
        QTest.mouseMove(view, self.place((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        QTest.mouseMove(view, self.place(*end))
        QTest.mouseRelease(view, Button.LeftButton, Held.NoModifier, self.place(*end))

    def click(self, x, y, held=Held.NoModifier):
        QTest.mouseClick(self.canvas.viewport(), Button.LeftButton, held, self.place(x, y))

    def press(self, *keys, held=Held.NoModifier):
        for key in keys:
            QTest.keyClick(self.canvas, key, held)

    def settled(self):
        """Wait until it is shown what would come of the mends."""
        self.qtbot.waitUntil(lambda: len(self.window.session.jobs) == 0)
        return self.mending.mends

    def apply(self):
        before = self.document.case
        self.press(Key.Key_Return, held=Held.ControlModifier)
        self.qtbot.waitUntil(lambda: self.document.case is not None and self.document.case.shreds is not before.shreds)
        self.settled()
        return [shred.id for shred in self.document.case.shreds if shred.sheet == 1]

    def move_to(self, x, y):
        """Move the cross there by arrow keys alone."""
        step = 12 / self.canvas.transform().m11()
        self.press(Key.Key_Down)
        for _ in range(400):
            dx, dy = x - self.canvas.at.x(), y - self.canvas.at.y()
            if abs(dx) < 1 and abs(dy) < 1:
                return
            along, key, other = (dx, Key.Key_Right, Key.Key_Left) if abs(dx) >= 1 else (dy, Key.Key_Down, Key.Key_Up)
            held = Held.ShiftModifier if abs(along) < step else Held.NoModifier
            self.press(key if along > 0 else other, held=held)
        raise AssertionError("the cross does not come there")


def middle(index):
    return strip_x(index) + STRIP_WIDTH / 2


@pytest.fixture
def bench(qtbot, opened):
    return Bench(qtbot, opened)


def test_a_shred_is_split_by_a_line_and_that_is_one_step_of_the_case(bench):
    document, editor = bench.document, bench.window.session.editor
    before = document.case
    document.show_page(1)
    there = before.arrangement.pages[1][0]
    bench.press(Key.Key_S)
    bench.drag((middle(1), TOP - 15), (middle(1), TOP + STRIP_HEIGHT + 15))
    (split,) = bench.settled()
    assert isinstance(split, SplitShred)
    assert bench.mending.page.title.text().endswith("1 not applied yet")
    assert [one.kind for one in bench.canvas.shown.outlines].count("new") == 2
    assert [one.name for one in bench.canvas.shown.gone] == ["2-02"]
    assert document.case is before, "nothing is done before it is applied"
    assert bench.apply() == ["2-01", "2-03", "2-04", "2-05", "2-06"]
    assert document.case.sheets[1].mends == (split,)
    assert [shred for shred in document.case.shreds if shred.sheet != 1] == [s for s in before.shreds if s.sheet != 1]
    entry = document.history[-1]
    assert entry.text == "mending of sheet 2, scan2.png: 1 split"
    assert (entry.what, entry.parameters["mends"][0]["sha256"]) == ("mended", document.case.sheets[1].sha256)
    assert bench.window.centre.currentWidget() is bench.mending.page, "the sheet as it is now stays in sight"
    assert document.page == document.case.arrangement.page_of(there), "and so does the page behind it"
    bench.qtbot.waitUntil(lambda: bench.window.focusWidget() is bench.canvas)
    bench.press(Key.Key_Z, held=Held.ControlModifier)
    assert [shred.id for shred in document.case.shreds] == [shred.id for shred in before.shreds]
    assert document.case.sheets[1].mends == ()
    assert len(bench.canvas.shown.outlines) == N_STRIPS
    editor.redo()
    assert document.case.sheets[1].mends == (split,)


def test_two_shreds_are_merged_that_were_chosen(bench):
    bench.click(middle(0), MIDDLE)
    bench.click(middle(1), MIDDLE, Held.ControlModifier)
    assert len(bench.canvas.chosen) == 2
    bench.press(Key.Key_M)
    assert isinstance(bench.settled()[0], MergeShreds)
    assert len(bench.apply()) == N_STRIPS - 1


def test_an_outline_is_drawn_anew_corner_by_corner(bench):
    bench.click(middle(2), MIDDLE)
    bench.press(Key.Key_O)
    left, right, bottom = strip_x(2) + 4, strip_x(2) + STRIP_WIDTH - 4, TOP + STRIP_HEIGHT - 4
    for corner in ((left, TOP + 60), (right, TOP + 60), (strip_x(3) + 20, MIDDLE), (right, bottom), (left, bottom)):
        bench.click(*corner)
    bench.press(Key.Key_Escape)
    assert bench.canvas.points == [], "dropped"
    for corner in ((left, TOP + 60), (right, TOP + 60), (strip_x(3) + 20, MIDDLE)):
        bench.click(*corner)
    bench.press(Key.Key_Backspace)
    bench.click(right, bottom)
    bench.click(left, bottom)
    bench.press(Key.Key_Return)
    (mend,) = bench.settled()
    assert isinstance(mend, DrawOutline)
    assert len(mend.outline) == 4
    assert "2-03" in bench.apply(), "it keeps its number"
    drawn = bench.document.case.shred_by_id["2-03"]
    assert drawn.bbox[1] == pytest.approx(TOP + 60, abs=4)
    assert drawn.bbox[2] == pytest.approx(STRIP_WIDTH - 8, abs=6)


def test_what_is_no_paper_is_taken_out_and_a_new_shred_put_in(bench):
    bench.click(middle(3), MIDDLE)
    bench.press(Key.Key_Delete)
    assert isinstance(bench.settled()[0], NotPaper)
    bench.press(Key.Key_P)
    for corner in ((20, 60), (strip_x(0) + 90, 60), (strip_x(0) + 90, 520), (20, 520)):
        bench.click(*corner)
    bench.click(21, 61)
    assert [type(mend) for mend in bench.settled()] == [NotPaper, ThisIsAShred], "the first corner again closes it"
    assert bench.apply()[-1] == "2-05"


def test_background_crop_and_exclusion_hold_for_the_whole_sheet(bench):
    bench.press(Key.Key_B)
    bench.click(8, 8)
    bench.press(Key.Key_C)
    bench.drag((strip_x(1) - 10, 5), (strip_x(3) - 10, 555))
    assert [type(mend) for mend in bench.settled()] == [PickBackground, CropSheet]
    bench.drag((strip_x(3) - 10, 555), (strip_x(2) - 10, 540))
    crop = bench.settled()[1]
    assert len(bench.settled()) == 2, "a corner was moved: there is one rectangle"
    assert crop.corners[0] == pytest.approx((strip_x(1) - 10, 5), abs=2)
    assert bench.apply() == ["2-01"]
    bench.press(Key.Key_X)
    assert isinstance(bench.settled()[-1], ExcludeSheet)
    assert not bench.mending.page.buttons["split"].isEnabled()
    assert bench.apply() == []
    bench.press(Key.Key_X)
    assert bench.apply() == ["2-01"]


def test_everything_is_done_by_keys_alone(bench):
    bench.press(Key.Key_S)
    bench.move_to(middle(0), 10)
    bench.press(Key.Key_Space)
    bench.move_to(middle(0), 550)
    bench.press(Key.Key_Return)
    assert isinstance(bench.settled()[0], SplitShred)
    bench.press(Key.Key_Escape)
    assert bench.canvas.tool == "choose"
    bench.press(Key.Key_Right, held=Held.ControlModifier)
    assert len(bench.canvas.chosen) == 1, "the next shred is chosen"
    bench.press(Key.Key_Right, held=Held.ControlModifier)
    bench.press(Key.Key_Delete)
    assert isinstance(bench.settled()[1], NotPaper)
    bench.press(Key.Key_C)
    bench.move_to(5, 5)
    bench.press(Key.Key_Space)
    bench.move_to(strip_x(3) - 8, 555)
    bench.press(Key.Key_Space)
    assert isinstance(bench.settled()[2], CropSheet)
    assert len(bench.apply()) == 3


def test_what_waits_is_taken_back_one_by_one_and_the_rest_is_dropped_by_cancel(bench):
    before = bench.document.case
    for index in (0, 1):
        bench.click(middle(index), MIDDLE)
        bench.press(Key.Key_Delete)
        bench.settled()
    assert len(bench.mending.mends) == 2
    bench.press(Key.Key_Z, held=Held.ControlModifier)
    assert len(bench.settled()) == 1
    assert [one.name for one in bench.canvas.shown.gone] == ["2-01"]
    bench.press(Key.Key_Z, held=Held.ControlModifier | Held.ShiftModifier)
    assert len(bench.settled()) == 2
    bench.press(Key.Key_Escape)
    assert bench.mending.active, "what was drawn is not lost by a key"
    QTest.mouseClick(bench.mending.page.drop, Button.LeftButton)
    assert not bench.mending.active
    assert bench.document.case is before
    assert bench.window.centre.currentWidget() is bench.window.pages.view


@pytest.mark.parametrize(
    ("do", "why"),
    [
        (lambda bench: (bench.press(Key.Key_S), bench.drag((8, 5), (8, 300))), "crosses no shred"),
        (lambda bench: (bench.click(middle(0), MIDDLE), bench.press(Key.Key_M)), "Choose the shreds that are one"),
        (
            lambda bench: (
                bench.press(Key.Key_P),
                *(bench.click(*corner) for corner in ((60, 60), (200, 300), (200, 60), (60, 300))),
                bench.press(Key.Key_Return),
            ),
            "crosses itself",
        ),
        (lambda bench: bench.press(Key.Key_Delete), "Choose what is no paper"),
    ],
)
def test_a_refusal_is_a_sentence_and_changes_nothing(bench, do, why):
    do(bench)
    assert bench.settled() == ()
    assert why in bench.mending.page.hint.text()
    assert bench.mending.pending == 0


def test_the_work_can_be_stopped_and_what_was_drawn_is_still_there(bench, engine):
    engine.hold = threading.Event()
    before = bench.document.case
    bench.click(middle(0), MIDDLE)
    bench.press(Key.Key_Delete)
    bench.settled()
    bench.press(Key.Key_Return, held=Held.ControlModifier)
    assert bench.window.session.jobs.busy
    bench.press(Key.Key_X)
    bench.press(Key.Key_Z, held=Held.ControlModifier)
    assert [type(mend) for mend in bench.mending.mends] == [NotPaper], "what is drawn meanwhile would be lost"
    assert "being done again" in bench.window.statusBar().currentMessage()
    QTest.keyClick(bench.canvas, Key.Key_Escape)
    bench.window.commands.cancel.trigger()
    engine.hold.set()
    bench.settled()
    assert bench.document.case is before
    assert bench.mending.pending == 1


def test_all_mends_of_a_sheet_are_taken_back(bench):
    bench.click(middle(0), MIDDLE)
    bench.press(Key.Key_Delete)
    bench.settled()
    assert len(bench.apply()) == N_STRIPS - 1
    QTest.mouseClick(bench.mending.page.reset, Button.LeftButton)
    assert bench.settled() == ()
    assert len(bench.apply()) == N_STRIPS
    assert "taken back" in bench.document.history[-1].text


def test_it_is_reached_from_the_list_of_sheets_from_source_and_by_key(qtbot, opened):
    mending, strip = opened.sheets.mending, opened.sheets.filmstrip
    opened.session.document.select_sheet(2)
    QTest.keyClick(strip, Key.Key_Return)
    assert (mending.active, mending.number) == (True, 2)
    QTest.keyClick(mending.canvas, Key.Key_Escape)
    assert not mending.active
    index = strip.model().index(0)
    place = strip.visualRect(index).center()
    QTest.mouseClick(strip.viewport(), Button.LeftButton, Held.NoModifier, place)
    QTest.mouseDClick(strip.viewport(), Button.LeftButton, Held.NoModifier, place)
    assert (mending.active, mending.number) == (True, 0)
    mending.close()
    opened.session.document.select_shred("2-03")
    opened.sheets.source.mend_wanted.emit()
    assert (mending.number, len(mending.canvas.chosen)) == (1, 1)
    assert opened.session.document.selection.shreds == (), "keys for shreds on pages mean none that is out of sight"
    mending.close()
    opened.commands.mend.trigger()
    assert mending.number == 1
    opened.commands.table.trigger()
    assert not mending.active
    assert opened.centre.currentWidget() is opened.table.widget


def test_what_was_chosen_on_the_pages_is_chosen_again_after_esc(qtbot, opened):
    document, mending = opened.session.document, opened.sheets.mending
    document.select_shreds(("2-02", "2-03"), "2-02")
    QTest.keyClick(opened, Key.Key_D, Held.ControlModifier)
    assert document.selection.shreds == ()
    QTest.keyClick(mending.canvas, Key.Key_Escape)
    QTest.keyClick(mending.canvas, Key.Key_Escape)
    assert not mending.active
    assert (document.selection.shreds, document.selection.shred) == (("2-02", "2-03"), "2-02")
    QTest.keyClick(opened, Key.Key_D, Held.ControlModifier)
    document.select_shred("3-01")
    mending.page.drop.click()
    assert document.selection.shreds == ("3-01",), "what was chosen meanwhile counts"


def test_what_a_mend_took_away_is_not_chosen_again(bench):
    document = bench.document
    bench.mending.close()
    document.select_shreds(("2-01", "2-03"))
    bench.mending.open(1)
    bench.press(Key.Key_Escape)
    bench.click(middle(0), MIDDLE)
    bench.press(Key.Key_Delete)
    bench.settled()
    bench.apply()
    bench.press(Key.Key_Escape)
    assert not bench.mending.active
    assert document.selection.shreds == ("2-03",)


def test_the_state_before_a_mend_is_seen_from_the_history(bench):
    window, document, qtbot = bench.window, bench.document, bench.qtbot
    window.session.editor.edit(MoveShreds(("2-02",), 0, 0), "move")
    moved = document.case.arrangement
    bench.press(Key.Key_S)
    bench.drag((middle(1), TOP - 15), (middle(1), TOP + STRIP_HEIGHT + 15))
    bench.settled()
    bench.apply()
    bench.press(Key.Key_Escape, Key.Key_Escape)
    QTest.keyClick(window, Key.Key_H, Held.ControlModifier)
    steps = window.record.history_panel.steps
    qtbot.waitUntil(lambda: steps.filtered.rowCount() == 3)
    steps.table.setCurrentIndex(steps.filtered.index(1, 0))
    QTest.keyClick(steps.table, Key.Key_Return)
    dialog = next(each for each in window.findChildren(PastDialog) if each.isVisible())
    qtbot.waitUntil(lambda: dialog.view.image_item.finest is not None and dialog.view.image_item.opacity() == 1)
    assert dialog._look.case.arrangement == moved
    assert "Sheets were mended since" in dialog.summary.text()
    assert ("shred 2-02", "page 1, place 1", "not there") in dialog.differences
    assert {what for what, before, _ in dialog.differences if before == "not there"} == {"shred 2-05", "shred 2-06"}


def test_the_foot_says_the_scale_of_what_is_in_the_middle(bench):
    window = bench.window
    bench.canvas.set_zoom(2)
    assert window.status.zoom.text() == "200 %"
    bench.press(Key.Key_Escape)
    assert window.status.zoom.text() == f"{100 * window.pages.view.canvas.zoom:.0f} %"


@pytest.mark.parametrize("size", [(952, 500), (720, 480)], ids=["full HD at 200 %", "smallest"])
def test_no_tool_is_cut_where_there_is_little_room(qtbot, bench, size):
    page = bench.mending.page
    bench.window.docks.show("review")
    bench.window.resize(*size)
    bench.click(middle(0), MIDDLE)
    bench.press(Key.Key_Delete)
    bench.settled()
    tools = [*page.buttons.values(), page.drop, page.apply]
    qtbot.waitUntil(lambda: page.apply.visibleRegion().boundingRect() == page.apply.rect())
    for tool in tools:
        assert tool.visibleRegion().boundingRect() == tool.rect(), tool.text()
        assert tool.width() >= tool.sizeHint().width(), tool.text()
    places = [tool.rect().translated(tool.mapTo(page, tool.rect().topLeft())) for tool in tools]
    assert not any(one.intersects(other) for one, other in itertools.combinations(places, 2))
    assert bench.canvas.height() >= 80
    assert page.title.toolTip().endswith("1 not applied yet")
    assert page.title.text().endswith("yet")
    assert page.title.fontMetrics().horizontalAdvance(page.title.text()) <= page.title.width()


def test_mends_are_kept_when_the_sheets_are_read_with_other_options_or_once_more(bench, engine):
    given = []
    reconstruct = engine.reconstruct

    def noting(paths, on_sheet, progress, options, mends=None):
        given.append(mends)
        return reconstruct(paths, on_sheet, progress, options, mends)

    engine.reconstruct = noting
    bench.click(middle(0), MIDDLE)
    bench.press(Key.Key_Delete)
    bench.settled()
    bench.apply()
    sheet = bench.document.case.sheets[1]
    bench.mending.close()
    bench.window.session.reader.reconstruct_again()
    bench.qtbot.waitUntil(lambda: bool(given) and not bench.window.session.jobs.busy)
    assert given == [{(sheet.sha256, 0): sheet.mends}]


def test_a_crash_afterwards_leads_back_to_the_sheet_as_it_was_mended(bench, qtbot, tmp_path):
    session = bench.window.session
    autosave = Autosave(session, tmp_path / "unsaved")
    autosave._begin()
    bench.click(middle(0), MIDDLE)
    bench.press(Key.Key_Delete)
    mends = bench.settled()
    bench.apply()
    session.editor.edit(MoveShreds(("2-02",), 0, 0), "move")
    wanted = session.document.case.arrangement

    def kept():
        found = [UnsavedState.read(path.parent) for path in tmp_path.glob("unsaved/*/state.json")]
        return bool(found and found[0] and found[0].arrangement == wanted and found[0].base)

    qtbot.waitUntil(kept)
    qtbot.waitUntil(lambda: len(session.jobs) == 0)
    unsaved = UnsavedState.read(next(tmp_path.glob("unsaved/*/state.json")).parent)
    autosave._lock.unlock()
    session.document.discard_changes()
    again = Autosave(session, tmp_path / "unsaved")
    again.restore(unsaved)
    qtbot.waitUntil(lambda: session.document.modified and not session.jobs.busy)
    case = session.document.case
    assert case.arrangement == wanted
    assert case.sheets[1].mends == mends
    assert [shred.id for shred in case.shreds if shred.sheet == 1] == ["2-02", "2-03", "2-04"]
    assert [entry.what for entry in case.history].count("mended") == 1


def test_where_nothing_was_found_a_sheet_is_mended_before_there_is_a_case(
    qtbot, window, engine, draw_sheet, monkeypatch
):
    shown = []
    monkeypatch.setattr("app.main_window.messages.show_error", lambda parent, error: shown.append(str(error)))
    real, given = engine.reconstruct, []

    def finds_nothing(paths, on_sheet, progress, options, mends=None):
        given.append(mends)
        case = real(paths, on_sheet, progress, options, mends)
        if not mends:
            raise NothingFoundError("No shreds can be told from the background.")
        return replace(case, sheets=tuple(replace(s, mends=mends.get((s.sha256, 0), ())) for s in case.sheets))

    engine.reconstruct = finds_nothing
    window.opener.open([draw_sheet("scan1.png"), draw_sheet("scan2.png")])
    qtbot.waitUntil(lambda: bool(shown))
    assert window.session.document.case is None
    assert window.notices.text.startswith("Nothing was found")
    QTest.mouseClick(window.notices.more_button, Button.LeftButton)
    bench = Bench(qtbot, window)
    bench.press(Key.Key_B)
    bench.click(8, 8)
    mends = bench.settled()
    assert isinstance(mends[0], PickBackground)
    bench.press(Key.Key_Return, held=Held.ControlModifier)
    document = window.session.document
    qtbot.waitUntil(lambda: document.case is not None)
    assert [sheet.mends for sheet in document.case.sheets] == [(), mends]
    assert given[-1] == {(document.case.sheets[1].sha256, 0): mends}
    assert document.history[0].parameters["mends"][0]["mends"] == [{"mend": "PickBackground", "at": list(mends[0].at)}]
    qtbot.waitUntil(lambda: window.centre.currentWidget() is window.pages.view)


def test_a_line_may_be_bent_and_is_still_one_split(bench):
    bench.press(Key.Key_S)
    left, right = strip_x(1) - 12, strip_x(1) + STRIP_WIDTH + 12
    bench.click(left, MIDDLE - 40)
    bench.click(middle(1), MIDDLE - 40)
    bench.click(middle(1), MIDDLE + 40)
    bench.click(right, MIDDLE + 200)
    bench.press(Key.Key_Backspace)
    bench.click(right, MIDDLE + 40)
    bench.press(Key.Key_Return)
    (split,) = bench.settled()
    assert isinstance(split, SplitShred)
    assert len(split.line) == 4
    assert len(bench.apply()) == N_STRIPS + 1
    heights = [shred.bbox[3] for shred in bench.document.case.shreds if shred.scrap]
    assert heights == pytest.approx([STRIP_HEIGHT / 2 + 40] * 2, abs=5), "both reach over the bend"


def test_an_outline_that_was_found_is_bent_by_its_corners(bench):
    reshaping = bench.canvas.reshaping
    bench.press(Key.Key_R)
    bench.click(middle(2), MIDDLE)
    top_left, bottom_left = (strip_x(2), TOP), (strip_x(2), TOP + STRIP_HEIGHT)
    n_corners = len(reshaping.bent.corners)
    bench.drag(top_left, (strip_x(2) + 8, TOP + 40))
    (mend,) = bench.settled()
    assert isinstance(mend, DrawOutline)
    bench.click(strip_x(2), MIDDLE + 100)
    assert len(reshaping.bent.corners) == n_corners + 1, "a click on the edge makes a corner"
    assert bench.settled() == (mend,), "and changes nothing yet"
    bench.drag((strip_x(2), MIDDLE + 100), (strip_x(2) + 20, MIDDLE + 100))
    assert len(bench.settled()) == 1, "the outline that was bent first takes no place of its own"
    bent = bench.settled()
    bench.press(Key.Key_Delete)
    assert len(reshaping.bent.corners) == n_corners
    bench.press(Key.Key_Z, held=Held.ControlModifier)
    assert bench.settled() == bent
    corners = reshaping.bent.corners
    bench.drag((strip_x(2) + 20, MIDDLE + 100), (strip_x(2) + 26, MIDDLE + 120))
    assert bench.settled() != bent
    bench.press(Key.Key_Z, held=Held.ControlModifier)
    assert bench.settled() == bent
    assert reshaping.bent.corners == corners, "what was taken back is not bent further"
    bench.press(Key.Key_Period)
    at = bench.canvas.at
    assert (at.x(), at.y()) in [pytest.approx(corner) for corner in reshaping.bent.corners]
    bench.move_to(*bottom_left)
    bench.press(Key.Key_Space)
    bench.move_to(bottom_left[0] + 6, bottom_left[1] - 60)
    bench.press(Key.Key_Return)
    assert bench.settled() != bent, "by keys too"
    assert "2-03" in bench.apply(), "it keeps its number"
    drawn = bench.document.case.shred_by_id["2-03"]
    assert drawn.mask.sum() < 0.97 * STRIP_WIDTH * STRIP_HEIGHT


def test_panels_about_pages_make_room_while_a_sheet_is_mended(bench):
    docks, mending = bench.window.docks, bench.mending
    assert not docks["source"].dock.isVisible()
    assert not docks["order"].dock.isVisible()
    assert docks["sheets"].dock.isVisible()
    assert "being mended" in reason_against(docks["order"].action)
    mending.close()
    assert docks["source"].dock.isVisible()
    assert docks["order"].dock.isVisible()
