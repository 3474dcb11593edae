import io
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PIL import Image

from core.composition.backs import with_backs
from core.composition.page_image import carried
from core.composition.pages import compose
from core.options import CompositionOptions
from core.progress import Cancelled
from core.text import tesseract
from core.text.page_text import Word
from core.text.reading import BEYOND_CUT_PX, read_page, read_pages, words_across
from tests.core.composition.test_backs import case as two_faced

__all__ = ["two_faced"]

LEFT, RIGHT = (0, 0, 100, 400), (95, 5, 100, 400)
"""Two shreds whose wavy cut lies between 95 and 100 px."""


def across(*words, shreds=("a", "b"), placements=(LEFT, RIGHT)):
    found = words_across(words, shreds, dict(zip(shreds, placements, strict=True)))
    return {pair: [word.text for word in crossing] for pair, crossing in found.items()}


def word(text, first, last, y=50, confidence=0.95):
    return Word(text, (first, y, last - first, 20), confidence)


def test_a_word_that_begins_left_of_the_cut_and_ends_right_of_it_crosses_it():
    assert across(word("therefore", 60, 140), word("left", 10, 80), word("right", 110, 170)) == {
        ("a", "b"): ["therefore"]
    }


@pytest.mark.parametrize(
    "one",
    [
        word("unsure", 60, 140, confidence=0.5),
        word("it", 85, 120),
        word("1,204", 60, 140),
        word("serif", 40, 100 + BEYOND_CUT_PX - 1),
        word("neighbour", 95 - BEYOND_CUT_PX + 1, 160),
        word("above", 60, 140, y=-60),
    ],
    ids=lambda one: one.text,
)
def test_what_says_little_of_a_join_does_not_count(one):
    assert across(one) == {}


def test_a_long_word_crosses_several_cuts():
    shreds, placements = ("a", "b", "c"), (LEFT, (95, 0, 40, 400), (134, 0, 90, 400))
    found = across(word("incomprehensible", 60, 200), shreds=shreds, placements=placements)
    assert found == {("a", "b"): ["incomprehensible"], ("b", "c"): ["incomprehensible"]}


def test_on_a_turned_page_words_cross_the_same_cuts_or_none():
    on_its_head = across(word("therefore", 60, 140), placements=(RIGHT, LEFT))
    assert on_its_head == {("a", "b"): ["therefore"]}
    below, above = (4, 95, 400, 100), (0, 0, 400, 100)
    assert across(word("therefore", 60, 140, y=85), placements=(below, above)) == {}


def test_the_page_is_read_without_seams_and_tells_what_crosses_its_cuts(small_case, tesseract_stub):
    shown = replace(small_case, options=replace(small_case.options, composition=CompositionOptions(show_seams=True)))
    plain = compose(shown, 0, "reading")
    read = tesseract_stub(("joined", 10, 40))
    text = read_page(shown, 0, "eng")
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(read.read_bytes()))), plain.pixels)
    assert text.text == "joined"
    assert text.across == {("1-01", "2-02"): text.words}


def test_pages_come_in_the_order_in_which_they_are_wanted(small_case, tesseract_stub):
    tesseract_stub(("word", 1, 9))
    told = []
    read = list(read_pages(small_case, [1, 0], "eng", lambda fraction, text: told.append((fraction, text))))
    assert [page for page, _ in read] == [1, 0]
    assert (0.5, "Reading the text of page 2 of 2") in told


def test_a_page_is_read_with_its_back(two_faced, tesseract_stub):
    tesseract_stub(("word", 1, 9))
    read = dict(read_pages(two_faced, [0, 1], "eng"))
    assert read[0].text == read[0].behind.text == "word"
    assert read[1].behind is None
    apart = dict(read_pages(with_backs(two_faced), [0, 1, 2], "eng"))
    assert {page: text.behind for page, text in apart.items()} == {0: None, 1: None, 2: None}, "a page of its own"


def test_cancelling_reaches_the_pages_that_are_being_read(small_case, monkeypatch):
    begun, stopped = Event(), []

    def endless(image, languages, go_on):
        begun.set()
        try:
            while True:
                go_on()
        except Cancelled:
            stopped.append(True)
            raise

    def progress(fraction, text):
        if begun.is_set():
            raise Cancelled

    monkeypatch.setattr(tesseract, "read_words", endless)
    with pytest.raises(Cancelled):
        list(read_pages(small_case, [0, 1], "eng", progress))
    assert stopped


def test_the_places_of_words_fit_both_renditions(small_case, tesseract_stub):
    tesseract_stub(("joined", 10, 40))
    (word,) = read_page(small_case, 0, "eng").words
    reading, evidence = (compose(small_case, 0, rendition) for rendition in ("reading", "evidence"))
    assert word.on("reading") == word.reading_box_px
    assert word.on("evidence") == carried(word.reading_box_px, reading, evidence)
