"""Pages whose shreds are turned, in both renditions: what is drawn on them lies where the shreds lie."""

from dataclasses import replace
from math import radians, sin, tan

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from core.arrangement.edits import ShiftShreds, TurnShred
from core.composition.pose import Pose
from core.inspection.samples import Sample
from tests.app.fakes import STRIP_HEIGHT, STRIP_WIDTH
from tests.app.turned import ANGLE_DEG, TurnedEngine

RENDITIONS = ["evidence", "reading"]


@pytest.fixture
def engine():
    return TurnedEngine()


@pytest.fixture(params=RENDITIONS)
def shown(qtbot, opened, request):
    """The window with a page in one of the renditions."""
    opened.session.document.show_rendition(request.param)
    until_shown(qtbot, opened, request.param)
    return opened


def until_shown(qtbot, window, rendition):
    canvas, action = window.pages.view.canvas, window.commands.reading_page
    qtbot.waitUntil(lambda: canvas.rendition == rendition and action.iconText() != "Draft")


def test_a_chosen_shred_is_framed_as_it_is_turned(shown):
    canvas = shown.pages.view.canvas
    shown.session.document.select_shred("1-03")
    (frame,) = canvas.marks
    lean = frame.polygon().at(3) - frame.polygon().at(0)
    assert lean.x() == pytest.approx(sin(radians(ANGLE_DEG)) * STRIP_HEIGHT, abs=0.1)
    assert frame.polygon().boundingRect().width() == pytest.approx(canvas.places["1-03"].width(), abs=2)


def test_what_is_under_the_pointer_is_found_at_both_ends(shown):
    canvas = shown.pages.view.canvas
    for shred, matrix in canvas.maps.items():
        for column in (9, STRIP_WIDTH - 9):
            for row in (3, STRIP_HEIGHT // 2, STRIP_HEIGHT - 3):
                assert canvas.shred_at(matrix.map(QPointF(column, row))) == shred


def test_shreds_drop_between_those_beside_the_pointer(shown):
    canvas = shown.pages.view.canvas
    for row in (6, STRIP_HEIGHT - 6):
        for column, position in ((12, 2), (STRIP_WIDTH - 12, 3)):
            at = canvas.mapFromScene(canvas.maps["1-03"].map(QPointF(column, row)))
            assert canvas.place_at(canvas.viewport().mapToGlobal(at)).position == position


def test_a_seam_leans_as_its_cut_does(shown):
    canvas = shown.pages.view.canvas
    seam = canvas.seam("1-02", "1-03")
    assert seam.dx() / seam.dy() == pytest.approx(tan(radians(ANGLE_DEG)), abs=1e-4)
    for row in (0, STRIP_HEIGHT):
        right, left = (canvas.maps[name].map(QPointF(x, row)) for name, x in (("1-02", STRIP_WIDTH), ("1-03", 0)))
        x = seam.x1() + seam.dx() * (right + left).y() / 2 / seam.dy()
        assert x == pytest.approx((right + left).x() / 2, abs=0.5)
    canvas.set_zoom(8)
    canvas.centerOn(canvas.places["1-02"].bottomLeft())
    assert canvas.seam_x("1-02", "1-03") > seam.x1() + 5, "the marker stands above the cut where it is seen"


def test_what_was_nudged_and_turned_floats_where_it_will_lie(shown):
    canvas, editor = shown.pages.view.canvas, shown.session.editor
    old = canvas.maps["1-03"]
    editor.edit(ShiftShreds(("1-03",), 7), "nudge")
    (item,) = canvas.floats
    for column, row in ((0, 0), (STRIP_WIDTH, STRIP_HEIGHT)):
        to = old.map(QPointF(column, row)) + QPointF(0, 7)
        assert item.mapToScene(column, row).toTuple() == pytest.approx(to.toTuple(), abs=0.01)
    editor.edit(TurnShred("1-03", -ANGLE_DEG), "turn")
    (item,) = canvas.floats
    top, foot = item.mapToScene(STRIP_WIDTH / 2, 0), item.mapToScene(STRIP_WIDTH / 2, STRIP_HEIGHT)
    assert top.x() == pytest.approx(foot.x(), abs=0.01), "it stands upright"


def test_what_floated_lies_there_once_the_page_is_composed(qtbot, shown):
    canvas, shift_px = shown.pages.view.canvas, 3
    shown.session.editor.edit(ShiftShreds(("1-03",), shift_px), "nudge")
    (item,) = canvas.floats
    there = item.mapToScene(STRIP_WIDTH / 2, STRIP_HEIGHT / 2)
    qtbot.waitUntil(lambda: not canvas.floats)
    lies = canvas.maps["1-03"].map(QPointF(STRIP_WIDTH / 2, STRIP_HEIGHT / 2))
    assert abs(lies.y() - there.y()) <= 1.5, "whole rows on the page"


@pytest.mark.parametrize("by_hand_deg", [0.0, 2.0])
def test_samples_are_marked_where_they_lie_on_a_turned_shred(qtbot, shown, by_hand_deg):
    canvas, samples = shown.pages.view.canvas, shown.samples
    if by_hand_deg:
        shown.session.editor.edit(TurnShred("1-03", by_hand_deg), "turn")
        qtbot.waitUntil(lambda: not canvas.floats)
    qtbot.keyClick(shown, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: samples.inspector.ready)
    sample = Sample("1-03", "left", 80)
    samples.inspector.choose(sample)
    (mark,) = samples.page_marks._items
    frame = mark.polygon()
    # However it was turned, a sample at its left border begins there, and is as upright as by hand it was turned.
    middle = (frame.at(0) + frame.at(3)) / 2
    assert canvas.maps["1-03"].inverted()[0].map(middle).x() == pytest.approx(0, abs=2)
    lean = frame.at(3) - frame.at(0)
    assert lean.x() / lean.y() == pytest.approx(tan(radians(ANGLE_DEG)), abs=2e-3)
    canvas.set_zoom(4)
    at = canvas.mapFromScene((frame.at(0) + frame.at(2)) / 2)
    samples.inspector.choose(None)
    canvas.centerOn(canvas.mapToScene(at))
    middle = canvas.viewport().rect().center()
    qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert samples.inspector.sample == sample


# Switching


def test_one_key_switches_and_the_view_stays(qtbot, opened, settings):
    canvas, document, button = opened.pages.view.canvas, opened.session.document, opened.commands.reading_page
    until_shown(qtbot, opened, "evidence")
    assert (button.iconText(), canvas.image_item.tint) == ("Evidence page", None)
    entries = len(document.history)
    document.select_shred("2-02")
    canvas.set_zoom(5)
    canvas.centerOn(canvas.maps["2-01"].map(QPointF(30, 400)))
    seen = canvas.mapFromScene(canvas.maps["2-01"].map(QPointF(30, 400)))
    for rendition, text in (("reading", "Reading copy"), ("evidence", "Evidence page"), ("reading", "Reading copy")):
        qtbot.keyClick(canvas, Qt.Key.Key_R)
        until_shown(qtbot, opened, rendition)
        assert (button.iconText(), button.isChecked()) == (text, rendition == "reading")
        assert canvas.zoom == pytest.approx(5)
        assert (canvas.mapFromScene(canvas.maps["2-01"].map(QPointF(30, 400))) - seen).manhattanLength() <= 3
        assert document.selection.shred == "2-02"
        assert len(canvas.marks) == 1
    assert canvas.image_item.tint is not None, "nobody takes it for evidence"
    assert settings.reading_page(), "remembered for the next window"
    assert (len(document.history), document.undo_stack.count()) == (entries, 0), "no part of the case"


def test_the_other_page_is_shown_in_the_same_rendition(qtbot, shown):
    rendition = shown.pages.view.canvas.rendition
    qtbot.keyClick(shown.pages.view.canvas, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: "3-01" in shown.pages.view.canvas.places)
    until_shown(qtbot, shown, rendition)


def test_a_reading_page_is_tinted_and_evidence_is_not(shown):
    image = shown.pages.view.canvas.grab().toImage()
    canvas = shown.pages.view.canvas
    at = canvas.mapFromScene(canvas.maps["1-02"].map(QPointF(STRIP_WIDTH / 2, 12)))
    colour = image.pixelColor(at)
    assert (colour.blue() < colour.red()) == (canvas.rendition == "reading")


# Drafts


@pytest.fixture
def drafted(qtbot, window, engine, draw_sheet):
    """The window with a draft of a page, whose levelled picture waits."""
    engine.levelling.clear()
    window.opener.open([draw_sheet(f"scan{number}.png") for number in (1, 2, 3)])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))
    yield window
    engine.levelling.set()


def test_a_draft_is_there_at_once_and_gives_way_without_a_jump(qtbot, drafted, engine):
    canvas = drafted.pages.view.canvas
    assert drafted.commands.reading_page.iconText() == "Draft"
    assert drafted.session.pictures.page(0) is None
    assert canvas.image_item.opacity() == 1
    canvas.set_zoom(5)
    canvas.centerOn(canvas.maps["2-01"].map(QPointF(30, 100)))
    seen = canvas.mapFromScene(canvas.maps["2-01"].map(QPointF(30, 100)))
    engine.levelling.set()
    until_shown(qtbot, drafted, "evidence")
    assert drafted.commands.reading_page.iconText() == "Evidence page"
    assert canvas.zoom == pytest.approx(5)
    assert (canvas.mapFromScene(canvas.maps["2-01"].map(QPointF(30, 100))) - seen).manhattanLength() <= 3
    qtbot.waitUntil(lambda: len(drafted.session.jobs) == 0)
    assert engine.composed.count((0, "evidence", False)) == 1
    levels = [key[1].composition.level for key in drafted.session.pictures._kept]
    assert levels == [True, True], "the draft is dropped"


def test_an_edited_page_is_shown_as_it_was_and_never_as_a_draft(qtbot, opened, engine):
    canvas = opened.pages.view.canvas
    until_shown(qtbot, opened, "evidence")
    qtbot.waitUntil(lambda: len(opened.session.jobs) == 0)
    engine.levelling.clear()
    del engine.composed[:]
    before = canvas.maps
    opened.session.editor.edit(ShiftShreds(("1-03",), 5), "nudge")
    assert canvas.maps is before
    assert len(canvas.floats) == 1
    engine.levelling.set()
    qtbot.waitUntil(lambda: not canvas.floats)
    assert all(level for _, _, level in engine.composed)


def test_a_shred_tells_how_exactly_it_lies(qtbot, opened):
    until_shown(qtbot, opened, "evidence")
    opened.session.document.select_shred("1-02")
    text = "On its page: angle ± 0.1°; no line of print tells its height"
    assert text in opened.sheets.source._detail.text()
    opened.session.editor.edit(ShiftShreds(("1-02",), 5), "nudge")
    assert text in opened.sheets.source._detail.text(), "it stays until the page has been composed anew"
    opened.session.document.show_page(1)
    assert "On its page" not in opened.sheets.source._detail.text()
    opened.session.document.show_page(0)
    qtbot.waitUntil(lambda: text in opened.sheets.source._detail.text())


def test_a_shred_tells_that_it_lay_bent(opened, monkeypatch):
    source = opened.sheets.source
    bent = Pose(0.0, 0.0, 0.0, 1.0, 0.4, 0.1, bend_px=np.array([-3.0, 0.0, 4.0, -1.0]))
    monkeypatch.setattr(source._pictures, "pose", lambda shred: bent)
    opened.session.document.select_shred("1-02")
    assert "Bent by up to 0.3 mm; straight on the reading copy." in source._detail.text()


@pytest.fixture
def rows(qtbot, shown):
    """The window with two rows of pieces on one page, the first one in sight."""
    document = shown.session.document
    places = {row[0]: (0, number, 30 * number) for number, row in enumerate(document.case.arrangement.pages)}
    document.put_state(replace(document.case, arrangement=replace(document.case.arrangement, grid_places=places)))
    document.arrangement_changed.emit()
    qtbot.waitUntil(lambda: shown.pages.view.canvas.spotlight is not None)
    return shown


def test_rows_of_pieces_are_seen_on_their_page_with_one_of_them_lit(qtbot, rows):
    canvas, document = rows.pages.view.canvas, rows.session.document
    first, second = document.case.arrangement.pages
    qtbot.waitUntil(lambda: rows.commands.reading_page.iconText() != "Draft")
    assert tuple(canvas.places) == first
    assert canvas.maps.keys() == {*first, *second}
    image, lit, view = canvas.image_item.finest, canvas.area, canvas.looked_at
    qtbot.mouseClick(
        canvas.viewport(),
        Qt.MouseButton.LeftButton,
        pos=canvas.mapFromScene(canvas.maps[second[1]].map(QPointF(STRIP_WIDTH / 2, STRIP_HEIGHT / 2))),
    )
    assert document.selection.shred == second[1]
    assert document.page == 1
    assert tuple(canvas.places) == second
    assert canvas.image_item.finest is image, "it is the same picture"
    assert canvas.looked_at == view
    assert canvas.area.center().x() > lit.right(), "the engine lays all rows in one"
    assert canvas.image_item.boundingRect().contains(canvas.area)


def test_a_join_of_a_row_is_drawn_within_the_row(rows):
    canvas = rows.pages.view.canvas
    left, right, *_ = canvas.places
    seam = canvas.seam(left, right)
    assert (min(seam.y1(), seam.y2()), max(seam.y1(), seam.y2())) == (canvas.area.top(), canvas.area.bottom())
    assert canvas.area.height() < canvas.image_item.boundingRect().height()
