import pytest

from core.text.page_text import PageText
from core.text.search import find
from tests.core.text.test_page_text import lines_of

FIRST = PageText(lines_of("Tide tables of the Harbour", "Archive, kept by Zoë for recon-", "struction."))
SECOND = PageText(lines_of("HARBOUR dues") + lines_of("harbour", paragraph=2))


def places(wanted, *pages):
    return [(hit.page, " ".join(word.text for word in hit.words)) for hit in find(pages, wanted)]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("harbour", [(0, "Harbour"), (2, "HARBOUR"), (2, "harbour")]),
        ("  Harbour   archive ", [(0, "Harbour Archive,")]),
        ("zoe", [(0, "Zoë")]),
        ("Reconstruction", [(0, "recon- struction.")]),
        ("ables of t", [(0, "tables of the")]),
        ("dues harbour", []),
        ("-", []),
        ("", []),
    ],
)
def test_words_are_found_on_all_pages_that_have_been_read(wanted, found):
    assert places(wanted, FIRST, None, SECOND) == found


def test_a_hit_tells_its_boxes():
    (hit,) = find([FIRST], "of the harbour")
    assert hit.boxes_px("evidence") == tuple(word.box_px for word in FIRST.words[2:5])


def test_the_same_word_twice_in_a_row_is_two_hits():
    assert len(find([PageText(lines_of("that that"))], "that")) == 2


def test_words_on_the_back_are_found_behind_those_on_the_front():
    both = PageText(FIRST.words, behind=SECOND)
    hits = [(hit.page, hit.behind) for hit in find([SECOND, both, None], "harbour")]
    assert hits == [(0, False), (0, False), (1, False), (1, True), (1, True)]
