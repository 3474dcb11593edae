"""What the picture of a page depends on, and what of the pictures made is kept."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from app.session.pictures import PageLook
from core.arrangement.edits import ShiftShreds, TurnPage, TurnShred
from core.options import CompositionOptions, Options
from tests.app.turned import ANGLE_DEG, TurnedEngine


@pytest.fixture
def engine():
    return TurnedEngine()


def until_made(qtbot, session):
    qtbot.waitUntil(lambda: session.pictures.page(0) is not None and len(session.jobs) == 0)


def test_a_page_looks_otherwise_by_all_that_it_is_composed_by(session, monkeypatch):
    case = session.document.case
    edits = ShiftShreds(("1-03",), 4), TurnShred("1-02", 1.0), TurnPage(0, 1)
    along = np.zeros(len(case.matched_ids))
    others = [replace(case, arrangement=edit.apply(case.arrangement)[0]) for edit in edits]
    others.append(replace(case, options=Options(composition=CompositionOptions(show_seams=True))))
    others += [replace(case, costs=Mock(to_blank=(), along=along)) for _ in range(2)]  # by which a nudge is told
    looks = {PageLook.of(case, 0, "reading"), *(PageLook.of(each, 0) for each in (case, *others))}
    assert len(looks) == 2 + len(others)
    assert PageLook.of(replace(case), 0) in looks
    monkeypatch.setattr(type(case), "turned_since", frozenset({"1-03", "9-99"}))
    assert PageLook.of(replace(case), 0) not in looks, "costs say nothing of one of its shreds"


def test_a_draft_is_evidence_that_was_not_levelled(qtbot, session, engine):
    engine.levelling.clear()
    session.document.show_rendition("reading")
    assert session.pictures.page(0) is None
    assert session.pictures.draft(0) is None
    qtbot.waitUntil(lambda: session.pictures.draft(0) is not None)
    draft = session.pictures.draft(0)
    assert (draft.look.rendition, draft.look.composition.level) == ("evidence", False)
    assert session.pictures.pose("1-02") is None, "a draft tells nothing of how exact it is"
    engine.levelling.set()
    until_made(qtbot, session)
    assert session.pictures.page(0).look.rendition == "reading"
    assert session.pictures.pose("1-02").angle_deg == ANGLE_DEG
    assert session.pictures.pose("3-01") is None, "it stands on another page"


def test_both_renditions_are_kept(qtbot, session, engine):
    until_made(qtbot, session)
    session.document.show_rendition("reading")
    until_made(qtbot, session)
    del engine.composed[:]
    session.document.show_rendition("evidence")
    assert session.pictures.page(0).look.rendition == "evidence"
    assert engine.composed == []


def test_the_rows_of_a_page_of_pieces_look_the_same_wherever_one_is(session):
    case = session.document.case
    first, second = case.arrangement.pages
    rows = replace(case, arrangement=replace(case.arrangement, grid_places={first[0]: (0, 0, 0), second[0]: (0, 1, 4)}))
    look = PageLook.whole(rows, 0)
    assert look == PageLook.whole(rows, 1)
    assert look.shreds == (*first, *second)
    moved = replace(rows.arrangement, grid_places={first[0]: (0, 0, 0), second[0]: (0, 1, 8)})
    assert PageLook.whole(replace(rows, arrangement=moved), 0) != look
    nudged, _ = ShiftShreds((second[1],), 4).apply(rows.arrangement)
    assert PageLook.whole(replace(rows, arrangement=nudged), 0) != look
    assert PageLook.whole(case, 1) == PageLook.of(case, 1)
