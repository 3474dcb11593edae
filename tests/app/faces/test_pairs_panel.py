"""Faces paired and parted in the real window."""

from dataclasses import replace

import pytest

from app.faces.pairs_panel import Paper, papers_of
from app.reasons import reason_against
from core.arrangement.face_edits import PartFaces
from tests.app.faces.conftest import DOUBTFUL
from tests.app.solvable import doubtful_costs


def rows(panel):
    items = [panel.tree.topLevelItem(row) for row in range(panel.tree.topLevelItemCount())]
    return [tuple(item.text(column) for column in range(4)) for item in items]


def faces(window):
    return {shred: other[0] for shred, other in window.session.document.case.arrangement.other_faces.items()}


@pytest.fixture
def panel(qtbot, opened):
    opened.docks["faces"].action.trigger()
    qtbot.waitUntil(lambda: opened.faces.pairs.tree.topLevelItemCount() > 0)
    return opened.faces.pairs


def test_doubtful_pairs_come_first_then_those_of_which_one_face_is_known(opened):
    case = opened.session.document.case
    listed = papers_of(case)
    assert listed[0] == Paper("1-02", "3-02", DOUBTFUL)
    assert [paper.shred for paper in listed[1:5]] == ["2-01", "2-02", "2-03", "2-04"]
    assert [paper.shred for paper in listed[5:]] == ["1-01", "1-03", "1-04"]
    by_hand = replace(case.arrangement, paired_by_hand=frozenset({"1-02", "3-02"}))
    assert not any(paper.doubtful for paper in papers_of(replace(case, arrangement=by_hand)))


def test_the_panel_lists_pairs_with_their_sheets_and_counts_them(panel):
    assert rows(panel)[0] == ("1-02", "3-02", "70 % sure", "scan1.png, scan3.png")
    assert rows(panel)[1] == ("2-01", "–", "–", "scan2.png")
    assert panel.heading.text() == "4 shreds with both faces, 1 of them doubtful, 4 with one face"


def test_what_does_not_fit_of_faces_is_said_above_the_list_as_it_is_now(qtbot, opened, panel):
    qtbot.waitUntil(lambda: "No shred on these sheets was found on another sheet from behind" in panel.notes.text())
    assert panel.notes.text().endswith("1 pair of faces is less than 90 % sure: 1-02 and 3-02 (70 %).")
    assert panel.notes.isVisible()
    opened.session.editor.edit(PartFaces("1-02"), "part")
    qtbot.waitUntil(lambda: panel.notes.text() != "" and "less than 90 % sure" not in panel.notes.text())


def test_a_row_shows_the_shred_on_its_page_and_both_its_faces(qtbot, opened, panel):
    document = opened.session.document
    document.show_page(1)
    panel.tree.setCurrentItem(panel.tree.topLevelItem(0))
    assert (document.page, document.selection.shred) == (0, "1-02")
    qtbot.waitUntil(lambda: panel.canvas.image_item.finest is not None)
    assert panel.caption.text().startswith("Left 1-02; right perhaps its other face, 3-02, turned over")
    assert panel.canvas.image_item.boundingRect().width() > 110
    document.select_shred("2-01")
    assert [item.text(0) for item in panel.tree.selectedItems()] == ["2-01"]
    qtbot.waitUntil(lambda: panel.canvas.image_item.finest is None)


def test_of_paper_with_one_face_a_sentence_stands_where_both_would_be_shown(qtbot, opened, panel):
    for shred in ("2-01", "2-02"):
        opened.session.document.select_shred(shred)
        text = f"Nothing is known of the other face of {shred}."
        qtbot.waitUntil(lambda text=text: panel.caption.text().startswith(text))
    opened.session.document.select_shred("1-02")
    qtbot.waitUntil(lambda: panel.caption.text().startswith("Left 1-02"))


def test_a_pair_is_parted_and_two_shreds_are_paired(qtbot, opened, panel):
    document = opened.session.document
    assert reason_against(panel.part) == "Choose one shred of which both faces are known first."
    document.select_shred("1-02")
    panel.part.click()
    qtbot.waitUntil(lambda: "1-02" not in faces(opened))
    assert document.case.arrangement.set_aside[-1] == "3-02"
    assert document.history[-1].text == "Parted 1-02 from 3-02, as two pieces of paper"
    assert rows(panel)[0][:3] == ("1-02", "–", "by hand")
    assert reason_against(panel.pair) == "Choose two shreds first: the two faces of one paper."
    document.select_shreds(("2-01", "3-02"))
    qtbot.waitUntil(lambda: panel.caption.text().startswith("Left 2-01; right 3-02, turned over"))
    assert document.page == 0
    panel.pair.click()
    qtbot.waitUntil(lambda: faces(opened).get("2-01") == "3-02")
    assert document.history[-1].text == "Paired 2-01 with 3-02"
    assert (document.page, document.selection.shreds) == (1, ("2-01",))
    qtbot.waitUntil(lambda: panel.caption.text() == "Left 2-01; right its other face 3-02, turned over: so you said")
    assert "3-02" not in document.order()
    assert ("2-01", "3-02", "by hand", "scan2.png, scan3.png") in rows(panel)
    opened.commands.undo.trigger()
    opened.commands.undo.trigger()
    assert faces(opened)["1-02"] == "3-02"


def test_a_pair_is_said_to_be_right_and_the_next_doubtful_one_is_asked_about(qtbot, opened, panel):
    document = opened.session.document
    faces_before = dict(document.case.arrangement.other_faces)
    doubts = {
        shred: (*other[:3], DOUBTFUL) if shred in ("1-01", "3-01") else other for shred, other in faces_before.items()
    }
    document.put_state(replace(document.case, arrangement=replace(document.case.arrangement, other_faces=doubts)))
    document.select_shred("1-01")
    panel.pair.click()
    qtbot.waitUntil(lambda: document.case.arrangement.paired_by_hand == {"1-01", "3-01"})
    assert document.case.arrangement.other_faces["1-01"] == (*faces_before["1-01"][:3], 1.0)
    assert document.selection.shreds == ("1-02",)
    panel.pair.click()
    qtbot.waitUntil(lambda: panel.heading.text() == "4 shreds with both faces, 4 with one face")
    qtbot.waitUntil(lambda: panel.caption.text() == "Left 1-02; right its other face 3-02, turned over: so you said")
    assert reason_against(panel.pair) == "Choose two shreds first: the two faces of one paper."
    assert panel.notes.text() == "" or "less than" not in panel.notes.text()


def test_joins_are_told_anew_of_paper_that_was_paired_otherwise(qtbot, opened, panel):
    document = opened.session.document
    document.put(case=replace(document.case, costs=doubtful_costs()))
    document.select_shred("1-02")
    panel.part.click()
    qtbot.waitUntil(lambda: document.case.joins[0].cost == 10)
    assert {join.cost for join in document.case.joins if join.left[0] == join.right[0]} == {10}


def test_two_rows_that_are_chosen_are_chosen_on_their_pages(opened, panel):
    for row in (1, 2):
        panel.tree.topLevelItem(row).setSelected(True)
    assert opened.session.document.selection.shreds == ("2-01", "2-02")
    assert not reason_against(panel.pair)


def test_a_pair_made_while_another_case_was_opened_is_dropped(qtbot, opened, panel, draw_sheet):
    document = opened.session.document
    document.select_shreds(("2-01", "2-02"))
    panel.pair.click()
    document.discard_changes()
    opened.opener.open([draw_sheet("scan1.png")])
    qtbot.waitUntil(lambda: document.case is not None and len(document.case.sheets) == 1)
    qtbot.waitUntil(lambda: panel._finding.settled)
    assert faces(opened) == {}
