"""Paper turned over in the real window."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, Qt

from app.reasons import reason_against
from app.record.notes import subjects
from core.arrangement.changes import Changes
from core.arrangement.edits import MoveShreds, SetAside, SplitPage, WriteNote
from core.arrangement.face_edits import TurnOver
from core.case.joins import rearranged
from core.inspection.page_overview import overview
from core.matching.costs import Costs
from core.renewal.update import remembered

Key, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier


def pages(window):
    return window.session.document.case.arrangement.pages


def until_composed(qtbot, window):
    qtbot.waitUntil(lambda: tuple(window.pages.view.canvas.places) == pages(window)[window.session.document.page])


def test_a_key_turns_the_page_over_and_undo_turns_it_back(qtbot, opened):
    document = opened.session.document
    document.select_shreds(("1-01", "1-02"), "1-02")
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_V)
    assert pages(opened) == (("3-03", "3-02", "3-01"), ("2-01", "2-02", "2-03"))
    assert document.case.arrangement.half_turned == {"3-03"}
    until_composed(qtbot, opened)
    assert document.selection.shreds == ("3-02", "3-01")
    assert document.selection.shred == "3-02"
    assert document.history[-1].text == "Turned over page 1: 3 shreds"
    opened.commands.undo.trigger()
    assert pages(opened)[0] == ("1-01", "1-02", "1-03")
    assert document.selection.shreds == ("1-01", "1-02")
    until_composed(qtbot, opened)


def test_all_rows_of_a_page_of_pieces_are_turned_over_and_the_same_one_stays_in_sight(opened):
    document = opened.session.document
    opened.session.editor.edit(SplitPage("1-03"), "split")
    rows = replace(document.case.arrangement, grid_places={"1-01": (0, 0, 0), "1-03": (0, 1, 0)})
    document.put_state(replace(document.case, arrangement=rows))
    document.show_shred("1-03")
    opened.commands.turn_over.trigger()
    assert pages(opened)[:2] == (("3-02", "3-01"), ("3-03",))
    assert document.page == 1
    assert document.history[-1].text == "Turned over page 1: 3 shreds"


def test_a_page_that_was_turned_over_is_in_the_order_that_was_found(opened):
    document = opened.session.document
    opened.commands.turn_over.trigger()
    assert not document.case.by_hand
    assert document.case.placed_by_hand == frozenset()
    assert remembered(document.case).parted == frozenset()
    opened.session.editor.edit(MoveShreds(("3-03",), 0, 3), "move")
    assert document.case.by_hand
    assert document.case.placed_by_hand == {("3-01", "3-03")}
    opened.commands.turn_over.trigger()
    assert document.case.placed_by_hand == {("1-03", "1-01")}
    assert remembered(document.case).parted == {("1-02", "1-03")}


def test_the_chosen_shreds_are_turned_over_where_they_stand(qtbot, opened):
    opened.session.document.select_shred("1-02")
    qtbot.keyClick(opened.pages.view.canvas, Key.Key_V, SHIFT)
    assert pages(opened)[0] == ("1-01", "3-02", "1-03")
    assert opened.session.document.history[-1].text == "Turned over shred 1-02, on page 1, place 2"
    opened.session.document.select_shred("1-04")
    opened.commands.turn_chosen_over.trigger()
    assert opened.session.document.case.arrangement.set_aside == ("3-04", "2-04")


def test_it_is_said_why_paper_of_which_one_face_is_known_cannot_be_turned_over(opened):
    document, actions = opened.session.document, opened.commands
    assert not reason_against(actions.turn_over)
    assert reason_against(actions.turn_chosen_over) == "Choose a shred on the page or in the strip first."
    document.select_shreds(("1-01", "2-04"))
    assert reason_against(actions.turn_chosen_over) == "What is on the other face of 2-04 is not known."
    document.show_page(1)
    assert reason_against(actions.turn_over) == "Nothing is known of the other face."
    document.select_shreds(document.order())
    text = "What is on the other face of 2-01, 2-02, 2-03 and 1 more is not known."
    assert reason_against(actions.turn_chosen_over) == text


def test_a_note_about_a_join_is_told_of_it_from_behind_too(qtbot, opened):
    document, strip = opened.session.document, opened.pages.strip
    opened.session.editor.edit(WriteNote("1-01|1-02", "torn here"), "note")
    opened.commands.turn_over.trigger()
    document.select_shreds(("3-02", "3-01"), "3-01")
    assert subjects(document)[0] == "1-01|1-02", "it is that note which is written on"
    opened.docks["pair"].action.trigger()
    qtbot.waitUntil(lambda: "Join 1-01 | 1-02: torn here" in opened.joins.pair_view.detail.text())
    assert overview(document.case, {})[0].noted == ("1-01|1-02",)
    assert [strip._cell_of(shred).join_noted for shred in ("3-02", "3-01")] == [False, True]


def test_a_page_is_looked_at_from_behind_with_a_hole_where_one_face_of_some_paper_was_scanned(opened):
    document = opened.session.document
    opened.session.editor.edit(MoveShreds(("2-01",), 0, 1), "move")
    before = document.case.arrangement
    assert not opened.docks["back"].dock.isVisible()
    opened.commands.turn_over.trigger()
    assert document.case.arrangement is before
    assert opened.docks["back"].dock.isVisible()
    assert opened.notices.text.startswith("What is on the other face of 2-01 is not known. The page stays")
    assert opened.faces.back._look()[1].count(None) == 1
    document.show_page(1)
    assert reason_against(opened.commands.turn_over) == "Nothing is known of the other face."


def test_nothing_is_turned_over_without_a_case(window):
    assert reason_against(window.commands.turn_over).startswith("No case is open")
    assert reason_against(window.commands.turn_chosen_over).startswith("No case is open")


def test_a_face_that_is_not_seen_stands_for_its_paper(opened):
    document = opened.session.document
    document.show_page(1)
    document.show_shred("3-02")
    assert document.page == 0
    document.select_shreds(("3-01", "2-02"), "3-01")
    assert document.selection.shreds == ("1-01", "2-02")
    assert document.selection.shred == "1-01"


def test_a_face_that_is_chosen_on_its_sheet_is_shown_there_as_what_is_behind_another(opened):
    document, source = opened.session.document, opened.sheets.source
    source.shred_chosen.emit("3-02")
    assert (document.selection.sheet, document.selection.shred, document.chosen_face) == (2, "1-02", "3-02")
    assert source._heading.text() == "Shred 3-02, behind 1-02"
    assert "Other face: 1-02, 70 % sure" in source._detail.text()
    assert source.view.chosen.path().boundingRect() == source.view._outlines["3-02"].boundingRect()
    opened.commands.turn_chosen_over.trigger()
    assert document.selection.shred == document.chosen_face == "3-02"
    assert source._heading.text() == "Shred 3-02"


def test_paper_is_counted_and_not_faces(opened):
    assert "8 shreds  ·  4 of them with both faces  ·  2 pages" in opened.status.summary.text()
    opened.session.editor.edit(SetAside(("1-01",)), "setting aside")
    opened.session.document.select_shred("1-01")
    opened.commands.turn_chosen_over.trigger()
    assert "8 shreds  ·  4 of them with both faces" in opened.status.summary.text()
    assert "3 shreds and 1 other piece set aside" in opened.status.summary.text()


def test_a_pair_is_seen_from_behind_and_it_is_said_which_face_is_which(qtbot, opened):
    view = opened.joins.pair_view
    opened.docks["pair"].action.trigger()
    opened.session.document.select_shred("1-02")
    qtbot.waitUntil(lambda: view.seam is not None)
    assert list(view.canvas.places) == ["1-01", "1-02"]
    view.behind_box.click()
    qtbot.waitUntil(lambda: list(view.canvas.places) == ["3-02", "3-01"])
    qtbot.waitUntil(lambda: view.seam is not None)
    assert "From behind: left 3-02, behind 1-02; right 3-01, behind 1-01" in view.detail.text()
    shift_px = view.shift_px
    view.canvas.dragged.emit(3)  # the right one is what is behind the left one
    assert view.shift_px == shift_px - 3
    opened.session.document.show_page(1)
    opened.session.document.select_shred("2-02")
    qtbot.waitUntil(lambda: list(view.canvas.places) == ["2-01", "2-02"])
    assert reason_against(view.behind_box) == "What is on the other face of 2-01, 2-02 is not known."
    assert "From behind" not in view.detail.text()


def test_alternatives_blink_from_behind_where_both_other_faces_are_known(qtbot, opened):
    document, view = opened.session.document, opened.joins.pair_view
    n = 2 * len(document.case.matched_ids)
    prices = np.random.default_rng(0).uniform(20, 40, (n, n)).astype(np.float32)
    costs = Costs.of_all(prices, np.zeros((n, n), np.int16), *np.full((2, n), 30, np.float32))
    document.put(case=replace(document.case, costs=costs))
    opened.docks["pair"].action.trigger()
    document.select_shred("1-02")
    blink = view.blink
    offered = [blink.other.itemData(at) for at in range(blink.other.count())]
    view.behind_box.click()
    behind = [blink.other.itemData(at) for at in range(blink.other.count())]
    assert behind == [pair for pair in offered if all(shred.startswith("1-") for shred in pair)] != offered
    blink.other.setCurrentIndex(behind.index(("1-01", "1-03")))
    blink.blink.click()
    qtbot.waitUntil(lambda: blink.over.isVisible() and blink.shown.text() == "Seen: 3-03 | 3-01")
    at, kept = view.canvas.places["3-01"].topLeft(), blink._picture.seen.placements["3-01"]
    assert blink.over.pos() + QPoint(*kept[:2]) == at
    qtbot.waitUntil(lambda: blink.shown.text() == "Seen: 3-02 | 3-01")


def test_a_face_that_is_named_in_the_pair_view_stands_for_its_paper(opened):
    view = opened.joins.pair_view
    opened.docks["pair"].action.trigger()
    view.left_box.setCurrentText("3-01")
    view.right_box.setCurrentText("2-02")
    view.left_box.activated.emit(0)
    assert view.pair == ("1-01", "2-02")


def test_what_lies_on_the_desk_and_what_was_cut_is_turned_over_too(opened):
    document = opened.session.document
    document.select_shreds(("1-01", "1-02"))
    opened.commands.lay_on_desk.trigger()
    document.select_shred("1-03")
    opened.commands.cut.trigger()
    opened.commands.turn_over.trigger()
    assert [group.shreds for group in opened.desk.groups] == [("3-02", "3-01")]
    document.select_shred("3-01")
    opened.commands.paste.trigger()
    assert pages(opened)[0] == ("3-02", "3-01", "3-03")
    opened.commands.turn_over.trigger()
    assert [group.shreds for group in opened.desk.groups] == [("1-01", "1-02")]


def test_an_order_that_shows_a_page_from_behind_changes_no_join_by_that(opened):
    case, told = opened.session.document.case, []
    over, _ = TurnOver(("1-01", "1-02", "1-03")).apply(case.arrangement)
    opened.session.answers.solved.connect(told.append)
    opened.session.answers._adopt(case, rearranged(case, over, None))
    assert told == [Changes((), (), (), (), (), (2, 2))]
    assert pages(opened) == case.arrangement.pages
    moved, _ = MoveShreds(("2-03",), 1, 0).apply(over)
    opened.session.answers._adopt(case, rearranged(case, moved, None))
    assert told[1].new == (("2-03", "2-01"),)
    assert pages(opened)[0] == ("3-03", "3-02", "3-01")
    panel = opened.joins.changes_panel
    assert {shred for part in panel.parts for pair in (*part.undone, *part.made) for shred in pair} == {
        "2-01",
        "2-02",
        "2-03",
    }
