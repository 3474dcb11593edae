import threading
from dataclasses import replace

import pytest

from core.arrangement.edits import MoveShreds, ShiftShreds
from core.arrangement.faces import FacePair, other_faces
from core.errors import UsageError
from core.text.page_text import PageText, Word


@pytest.fixture
def texts(session):
    session.texts.set_languages("eng")
    return session.texts


def read(qtbot, texts, *pages):
    texts.read(pages)
    qtbot.waitUntil(lambda: not texts.reading)


def test_pages_are_read_once_in_the_order_in_which_they_are_wanted(qtbot, texts, engine):
    assert texts.of_all_pages() == [None, None]
    read(qtbot, texts, 1, 0)
    assert texts.of_page(1).text == "Page 2.\n3-01 3-02 3-03"
    read(qtbot, texts, 0, 1)
    assert engine.pages_read == [(1, "eng"), (0, "eng")]
    assert texts.of_page(2) is None


def test_a_page_that_is_edited_is_read_again_and_known_again_when_that_is_undone(qtbot, texts, session, engine):
    read(qtbot, texts, 0, 1)
    session.editor.edit(ShiftShreds(("1-02",), 1), "nudge")
    assert [text is None for text in texts.of_all_pages()] == [True, False]
    session.editor.undo()
    assert None not in texts.of_all_pages()
    session.editor.edit(MoveShreds(("3-03",), 1, 0), "move")
    read(qtbot, texts, 0, 1)
    assert engine.pages_read == [(0, "eng"), (1, "eng"), (1, "eng")]


def test_what_was_read_in_other_languages_is_kept(qtbot, texts, engine):
    read(qtbot, texts, 0)
    texts.set_languages("deu")
    assert texts.of_page(0) is None
    read(qtbot, texts, 0)
    texts.set_languages("eng")
    assert texts.of_page(0) is not None
    assert engine.pages_read == [(0, "eng"), (0, "deu")]


def test_words_across_a_cut_are_those_of_the_join_as_it_stands(qtbot, texts, session):
    assert texts.across(("1-01", "1-02")) == ()
    read(qtbot, texts, 0)
    assert [word.text for word in texts.across(("1-01", "1-02"))] == ["between1-01", "it"]
    assert texts.across(("1-01", "1-03")) == ()
    session.editor.edit(MoveShreds(("1-02",), 1, 0), "move")
    assert texts.across(("1-01", "1-02")) == ()


def test_words_on_the_back_across_a_cut_count_for_its_join(qtbot, texts, session, engine, monkeypatch):
    read_fronts = engine.read_pages
    word = Word("overleaf", (5, 20, 40, 20))

    def with_backs(*given):
        for page, text in read_fronts(*given):
            yield page, replace(text, behind=PageText((word,), {("9-02", "9-01"): (word,)}))

    monkeypatch.setattr(engine, "read_pages", with_backs)
    case = session.document.case
    faces = other_faces([FacePair("1-01", "9-01", False, 0), FacePair("1-02", "9-02", False, 0)])
    paired = replace(case, arrangement=replace(case.arrangement, other_faces=faces))
    document, opened = session.document, session.document.opened
    document.opened = replace(opened, case=paired)
    read(qtbot, texts, 0)
    assert [word.text for word in texts.across(("1-01", "1-02"))] == ["between1-01", "it", "overleaf"]
    document.opened = opened
    assert texts.of_page(0) is None, "who parts the two reads both anew"


def test_reading_can_be_stopped_and_what_fails_is_told(qtbot, texts, engine):
    engine.hold = threading.Event()
    texts.read([0, 1])
    assert texts.reading
    texts.stop()
    assert not texts.reading
    engine.hold.set()
    engine.error = UsageError("Tesseract could not read a page.")
    with qtbot.waitSignal(texts.failed) as failed:
        texts.read([0])
    assert failed.args == [engine.error]
    assert not texts.reading
    assert texts.of_page(0) is None


def test_another_case_has_no_text_yet(qtbot, texts, session):
    read(qtbot, texts, 0)
    session.reader.reconstruct_again()
    qtbot.waitUntil(lambda: session.document.case is not None and len(session.jobs) == 0)
    assert texts.of_page(0) is None
