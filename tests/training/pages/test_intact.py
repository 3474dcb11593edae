import ast
import threading

import numpy as np
import pytest

from core.errors import UnreadableInputError
from training.pages.intact import MARGIN_STEP, PAPER_MARGIN, load_pages, margin, write_pages


def test_ink_is_where_the_margin_is_not_positive(page):
    above = margin(page)
    assert above.dtype == np.int8
    assert (above[102:108, 45:175] <= 0).all()
    assert (above[150:] == PAPER_MARGIN).all()
    assert (above % MARGIN_STEP == 0).all()


def test_pages_are_stored_in_their_own_size_and_equal_pages_make_equal_files(tmp_path):
    rng = np.random.default_rng(0)
    pages = [("a", rng.integers(-64, 33, (9, 5)).astype(np.int8)), ("b", rng.integers(-64, 33, (6, 8)).astype(np.int8))]
    assert write_pages(iter(pages), tmp_path / "one.npz") == write_pages(iter(pages), tmp_path / "two.npz") == 2
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    loaded = load_pages(tmp_path / "one.npz")
    assert loaded.margins.shape == (2, 9, 8)
    for page, (_, expected) in zip(loaded.margins, pages, strict=True):
        np.testing.assert_array_equal(page[: expected.shape[0], : expected.shape[1]], expected)
        assert (page[expected.shape[0] :] == PAPER_MARGIN).all()
        assert (page[:, expected.shape[1] :] == PAPER_MARGIN).all()


def test_headers_are_parsed_in_one_thread_only(tmp_path, monkeypatch):
    write_pages(((str(number), np.zeros((4, 4), np.int8)) for number in range(8)), tmp_path / "pages.npz")
    threads, parse = set(), ast.parse

    def parse_and_note(*given, **named):
        threads.add(threading.get_ident())
        return parse(*given, **named)

    monkeypatch.setattr(ast, "parse", parse_and_note)
    load_pages(tmp_path / "pages.npz")
    assert threads == {threading.get_ident()}


def test_pages_in_one_array_are_read_too(tmp_path):
    margins = np.arange(24, dtype=np.int8).reshape(2, 3, 4)
    np.savez_compressed(tmp_path / "pages.npz", names=np.array(["a", "b"]), margins=margins)
    loaded = load_pages(tmp_path / "pages.npz")
    assert loaded.names == ["a", "b"]
    np.testing.assert_array_equal(loaded.margins, margins)


def test_files_of_something_else_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", weights=np.ones(3))
    (tmp_path / "text.npz").write_text("no archive")
    for name in ("other.npz", "text.npz"):
        with pytest.raises(UnreadableInputError, match="no file of prepared pages"):
            load_pages(tmp_path / name)
    with pytest.raises(UnreadableInputError, match="does not exist"):
        load_pages(tmp_path / "absent.npz")
