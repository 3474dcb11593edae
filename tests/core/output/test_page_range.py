import pytest

from core.errors import UsageError
from core.output.page_range import described_pages, read_pages


@pytest.mark.parametrize(
    ("text", "pages"),
    [("", None), ("  ", None), ("1", (0,)), ("3-5,2", (1, 2, 3, 4)), (" 4 – 4 , 9 ", (3, 8)), ("1-9", tuple(range(9)))],
)
def test_pages_are_read_as_people_write_them(text, pages):
    assert read_pages(text, 9) == pages


@pytest.mark.parametrize("text", ["0", "10", "5-3", "a", "1,,2", "1-2-3", "-3", "1;2"])
def test_what_names_no_page_is_refused(text):
    with pytest.raises(UsageError):
        read_pages(text, 9)


def test_pages_are_written_as_people_do():
    assert described_pages((0, 1, 2, 4, 7, 8)) == "1–3, 5, 8–9"
    assert described_pages(()) == "none"
