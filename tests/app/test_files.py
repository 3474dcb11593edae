"""A sheet that was given twice: taken once, and asked about."""

from dataclasses import replace

import pytest

from core.errors import Duplicate

LEFT_OUT = Duplicate("copy.png was left out: it has the same content as scan1.png.")


@pytest.fixture
def given_twice(monkeypatch, engine):
    """Let the engine find that a sheet was given twice; remembers the options it was asked with."""
    asked, real = [], engine.reconstruct
    sentences = [LEFT_OUT]

    def reconstruct(paths, on_sheet, progress, options):
        asked.append(options)
        case = replace(real(paths, on_sheet, progress, options), options=options)
        return case if options.reading.keep_duplicates else replace(case, unreadable=tuple(sentences))

    monkeypatch.setattr(engine, "reconstruct", reconstruct)
    return asked, sentences


def open_sheet(qtbot, window, draw_sheet):
    window.opener.open([draw_sheet("scan1.png")])
    qtbot.waitUntil(lambda: bool(window.pages.view.canvas.places))


def test_it_is_asked_about_and_kept_if_wanted(qtbot, window, draw_sheet, given_twice):
    asked, _ = given_twice
    open_sheet(qtbot, window, draw_sheet)
    assert window.notices.text.startswith("1 sheet was given twice and taken once")
    assert window.notices.more_button.text() == "Keep Both"
    window.notices.more_button.click()
    qtbot.waitUntil(lambda: window.session.document.case.options.reading.keep_duplicates)
    assert [options.reading.keep_duplicates for options in asked] == [False, True]
    assert not window.notices.isVisible()
    assert window.session.document.case.history[-1].parameters["options"]["reading"]["keep_duplicates"]
    window.session.document.undo_stack.undo()
    assert not window.session.document.case.options.reading.keep_duplicates


def test_where_more_was_left_out_the_list_is_shown(qtbot, window, draw_sheet, given_twice):
    given_twice[1].append("notes.txt was left out: it is no picture.")
    open_sheet(qtbot, window, draw_sheet)
    assert window.notices.text == "2 inputs were left out."
