import threading

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from core.arrangement.edits import HalfTurn
from core.embedding.geometry import n_embedding_rows, rows_with_ink
from core.inspection.samples import Sample


class PlainEncoder:
    """Embeds a sample as the number of ink pixels in each quarter of its 32 rows, so that no TensorFlow is needed."""

    sample_height_px = 32

    def __init__(self):
        self.embedded = 0
        self.threads = set()

    def blank(self, side):
        return np.zeros(4, np.float32)

    def embed(self, borders, side, progress):
        self.threads.add(threading.current_thread())
        self.embedded += len(borders)
        progress(0.5, "Embedding")
        out = np.zeros((len(borders), n_embedding_rows(borders.shape[1]), 4), np.float32)
        for border, embedding in zip(borders, out, strict=True):
            for row in np.flatnonzero(rows_with_ink(border)):
                window = border[4 * row : 4 * row + 32]
                embedding[row, : len(window) // 8] = [part.sum() for part in np.array_split(window, 4)][
                    : len(window) // 8
                ]
        return out


@pytest.fixture
def encoder(engine):
    encoder = PlainEncoder()
    engine.encoder = lambda progress: encoder
    return encoder


@pytest.fixture
def inspected(qtbot, opened, encoder):
    """The window with the inspector open."""
    qtbot.keyClick(opened, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: opened.samples.inspector.ready)
    return opened


def click_page(qtbot, window, shred_id, x, y):
    canvas = window.pages.view.canvas
    place = canvas.places[shred_id]
    at = QPointF(place.left() + x, place.top() + y)
    qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=canvas.mapFromScene(at))


def until_answered(qtbot, window):
    qtbot.waitUntil(lambda: window.samples.panel.inspection is not None)


def inspect(qtbot, window, sample):
    window.samples.inspector.choose(sample)
    until_answered(qtbot, window)


def ink_row(window, shred_id, side):
    """A row at which that border has ink."""
    index = window.samples.inspector.index
    rows, _ = index.of(side).slice(index.number(shred_id))
    return int(rows[len(rows) // 2])


def test_closed_inspector_computes_nothing(qtbot, opened, encoder):
    click_page(qtbot, opened, "1-02", 5, 200)
    assert opened.samples.inspector.sample is None
    assert encoder.embedded == 0


def test_opening_the_inspector_embeds_on_a_worker(inspected, encoder):
    assert encoder.embedded == 18  # both borders of nine shreds with ink
    assert threading.main_thread() not in encoder.threads
    assert inspected.samples.panel.hint.isVisible()


@pytest.mark.parametrize(("x", "side"), [(4, "left"), (56, "right")])
def test_click_on_a_border_shows_the_sample_there(qtbot, inspected, x, side):
    click_page(qtbot, inspected, "1-02", x, 200)
    sample = inspected.samples.inspector.sample
    assert (sample.shred, sample.side) == ("1-02", side)
    assert abs(4 * sample.row + inspected.samples.inspector.frame[0] + 16 - 200) <= 3
    until_answered(qtbot, inspected)
    view = inspected.samples.panel
    assert ("▶ Right" if side == "right" else "◀ Left") in view.heading.text()
    assert [image.width() for image in view.picture.images] == [32, 32]


def test_click_on_the_source_shows_the_sample_there(qtbot, inspected):
    inspected.session.document.select_shred("2-02")
    view = inspected.sheets.source.view
    at = QPointF(30 + 90 + 4, 30 + 300)  # the left border of the second strip, 300 px down
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.mapFromScene(at))
    sample = inspected.samples.inspector.sample
    assert (sample.shred, sample.side) == ("2-02", "left")
    assert abs(4 * sample.row + inspected.samples.inspector.frame[0] + 16 - 300) <= 3


def test_click_in_the_pair_view_shows_the_sample_there(qtbot, inspected):
    inspected.docks.show("pair")
    pair = inspected.joins.pair_view
    pair.show_pair(("1-01", "1-02"))
    qtbot.waitUntil(lambda: set(pair.canvas.places) == {"1-01", "1-02"})
    place = pair.canvas.places["1-01"]
    pair.canvas.fit()
    at = pair.canvas.mapFromScene(QPointF(place.right() - 5, place.top() + 200))
    qtbot.mouseClick(pair.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    sample = inspected.samples.inspector.sample
    assert (sample.shred, sample.side) == ("1-01", "right")
    frame = inspected.samples.pair_marks.frames[0]
    assert frame.right() == pytest.approx(place.right())
    assert frame.center().y() == pytest.approx(place.top() + 200, abs=4)


def test_neighbours_are_of_the_other_side_and_as_many_as_asked_for(qtbot, inspected):
    inspect(qtbot, inspected, Sample("1-01", "right", ink_row(inspected, "1-01", "right")))
    view = inspected.samples.panel
    assert view.cards.count() == 3
    assert {found.neighbour.sample.side for found in view.inspection.found} == {"left"}
    distances = [found.neighbour.distance for found in view.inspection.found]
    assert distances == sorted(distances)
    view.k_box.setValue(7)
    qtbot.waitUntil(lambda: view.cards.count() == 7)
    view.scope_box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: view.cards.count() == 2)  # the two others of the sheet that have ink
    assert all(found.neighbour.sample.shred.startswith("1-") for found in view.inspection.found)


def test_blank_samples_say_so(qtbot, inspected):
    rows, _ = inspected.samples.inspector.index.right.slice(0)
    blank = next(row for row in range(200) if row not in rows)
    inspect(qtbot, inspected, Sample("1-01", "right", blank))
    assert "No ink here" in inspected.samples.panel.state.text()
    assert inspected.samples.panel.cards.count() == 0
    assert not inspected.samples.panel.try_button.isEnabled()


def test_samples_are_marked_on_page_and_source(qtbot, inspected):
    click_page(qtbot, inspected, "1-02", 4, 200)
    until_answered(qtbot, inspected)
    sample = inspected.samples.inspector.sample
    place = inspected.pages.view.canvas.places["1-02"]
    frame = inspected.samples.page_marks.frames[0]
    top = 4 * sample.row + inspected.samples.inspector.frame[0]
    assert (frame.left(), frame.top(), frame.width()) == (place.left(), place.top() + top, 32)
    on_sheet = inspected.samples.sheet_marks.frames[0]
    assert on_sheet.center().y() == pytest.approx(30 + top + 16, abs=2)
    qtbot.keyClick(inspected, Qt.Key.Key_F9)
    assert inspected.samples.page_marks.frames == []


def test_click_on_a_neighbour_goes_to_its_page(qtbot, inspected):
    inspect(qtbot, inspected, Sample("1-01", "right", ink_row(inspected, "1-01", "right")))
    inspected.samples.panel.k_box.setValue(20)
    cards = inspected.samples.panel.cards
    qtbot.waitUntil(lambda: cards.count() > 7)
    shreds = [found.neighbour.sample.shred for found in inspected.samples.panel.inspection.found]
    row = next(row for row, shred in enumerate(shreds) if shred.startswith("3-"))
    cards.scrollToItem(cards.item(row))
    qtbot.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=cards.visualItemRect(cards.item(row)).center())
    assert inspected.session.document.selection.shred == shreds[row]
    assert inspected.session.document.page == 1
    qtbot.waitUntil(lambda: shreds[row] in inspected.pages.view.canvas.places)


@pytest.mark.parametrize("side", ["left", "right"])
def test_trying_a_join_moves_the_shred_and_is_undone(qtbot, inspected, side):
    session = inspected.session
    before = session.document.case.arrangement
    inspect(qtbot, inspected, Sample("1-02", side, ink_row(inspected, "1-02", side)))
    cards = inspected.samples.panel.cards
    found = inspected.samples.panel.inspection.found
    cards.setCurrentRow(next(row for row, one in enumerate(found) if not one.by_order))
    other = cards.current.neighbour.sample.shred
    qtbot.mouseClick(inspected.samples.panel.try_button, Qt.MouseButton.LeftButton)
    joined = ("1-02", other) if side == "right" else (other, "1-02")
    assert joined in session.document.case.arrangement.joins()
    assert "trial" in session.document.undo_stack.undoText()
    step = session.document.undo_stack.index()
    inspected.samples.panel.try_action.trigger()  # they are neighbours now: nothing more to do, and that is said
    assert session.document.undo_stack.index() == step
    assert "already" in inspected.notices.text
    session.editor.undo()
    assert session.document.case.arrangement == before


def test_step_and_cross_by_key(qtbot, inspected):
    row = ink_row(inspected, "1-02", "left")
    inspect(qtbot, inspected, Sample("1-02", "left", row))
    qtbot.keyClick(inspected, Qt.Key.Key_BracketRight)
    assert inspected.samples.inspector.sample == Sample("1-02", "left", row + 1)
    qtbot.keyClick(inspected, Qt.Key.Key_BracketLeft)
    qtbot.keyClick(inspected, Qt.Key.Key_X)
    assert inspected.samples.inspector.sample == Sample("1-02", "right", row)


def test_only_a_turned_shred_is_embedded_again(qtbot, inspected, encoder):
    encoder.embedded = 0
    inspected.session.editor.edit(HalfTurn(("1-02",)), "half-turn")
    qtbot.waitUntil(lambda: encoder.embedded > 0 and inspected.samples.inspector.ready)
    assert encoder.embedded == 2


def test_map_links_the_query_and_its_partner_and_shows_what_is_hovered(qtbot, inspected):
    inspect(qtbot, inspected, Sample("1-01", "right", ink_row(inspected, "1-01", "right")))
    seen, plane = inspected.samples.panel.inspection, inspected.samples.panel.map
    assert seen.look.sample in seen.height.samples
    other = next(sample for sample in seen.height.samples if sample != seen.look.sample)
    viewport = plane.plot.viewport()

    def hovered():
        # Again and again: the plot takes its final scale when it has been drawn, and skips moves in between.
        at = QPointF(viewport.mapFrom(plane, plane.place(other).toPoint()))
        none = Qt.MouseButton.NoButton
        move = QMouseEvent(
            QEvent.Type.MouseMove, at, viewport.mapToGlobal(at), none, none, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(viewport, move)  # not the pointer itself: whatever else lies on the screen
        return plane.hovered is not None

    qtbot.waitUntil(hovered)
    assert plane.preview.isVisible()
    assert plane.hovered.shred in plane.preview.accessibleName()


def test_another_case_forgets_the_samples(qtbot, inspected, draw_sheet, encoder):
    inspect(qtbot, inspected, Sample("1-01", "right", 20))
    inspected.opener.open([draw_sheet("other.png")])
    assert inspected.samples.inspector.sample is None
    qtbot.waitUntil(lambda: inspected.session.document.case is not None and inspected.samples.inspector.ready)
    assert len(inspected.samples.inspector.index.shreds) == 3


def test_failure_to_embed_is_told(qtbot, opened, engine):
    def fail(progress):
        raise OSError(5, "Input/output error", "encoder.keras")

    engine.encoder = fail
    with qtbot.waitSignal(opened.session.jobs.failed):
        qtbot.keyClick(opened, Qt.Key.Key_F9)
    assert not opened.samples.inspector.ready
