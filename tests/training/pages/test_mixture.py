import numpy as np
import pytest

from core.errors import UsageError
from training.pages.intact import PAPER_MARGIN, Pages, copy_pages
from training.pages.mixture import split


def pages(name: str, n: int, size=(4, 5)) -> Pages:
    """Pages whose pixels tell their number."""
    margins = np.arange(n, dtype=np.int8)[:, None, None] * np.ones(size, np.int8)
    return Pages([f"{name} {number}" for number in range(n)], margins)


def test_every_nth_page_of_each_source_is_held_out_and_the_first_source_is_validated_on():
    training, validation = split([pages("scan", 6), pages("rendered", 4)], 3)
    assert [indices.tolist() for indices in training.indices] == [[0, 1, 3, 4], [0, 1, 3]]
    assert [indices.tolist() for indices in validation.indices] == [[2, 5]]
    _, rendered = split([pages("scan", 6), pages("rendered", 4)], 3, validate_on=1)
    assert rendered.sources[0].names[rendered.indices[0][0]] == "rendered 2"


def test_shares_decide_how_many_pages_of_a_step_come_from_each_source():
    scans, rendered = pages("scan", 10, (4, 5)), pages("rendered", 20, (6, 3))
    half, _ = split([scans, rendered], 5)
    third, _ = split([scans, rendered], 5, [2, 1])
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert [page.shape for page in half.draw(rng, 6)] == [(4, 5)] * 3 + [(6, 3)] * 3
    n = [sum(page.shape == (4, 5) for page in third.draw(rng, 7)) for _ in range(300)]
    assert set(n) == {4, 5}
    assert np.mean(n) == pytest.approx(7 * 2 / 3, abs=0.1)


def test_pages_of_a_step_differ_as_long_as_there_are_enough():
    training, validation = split([pages("scan", 10)], 5)
    rng = np.random.default_rng(0)
    assert sorted(page[0, 0] for page in training.draw(rng, 8)) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert {page[0, 0] for page in validation.draw(rng, 8)} == {4, 9}


def test_drawing_copies_nothing():
    source = pages("scan", 4)
    training, _ = split([source], 4)
    assert all(np.shares_memory(page, source.margins) for page in training.draw(np.random.default_rng(0), 3))


def test_smaller_pages_are_surrounded_by_paper():
    training, _ = split([pages("scan", 4, (4, 5)), pages("rendered", 4, (6, 3))], 4)
    assert training.size == (6, 5)
    copied = copy_pages([np.zeros((4, 5), np.int8), np.ones((6, 3), np.int8)], training.size)
    assert copied.dtype == np.int8
    assert (copied[0, :4] == 0).all()
    assert (copied[0, 4:] == PAPER_MARGIN).all()
    assert (copied[1, :, :3] == 1).all()
    assert (copied[1, :, 3:] == PAPER_MARGIN).all()


def test_what_cannot_be_split_is_refused():
    with pytest.raises(UsageError, match="Source 1 has 2 pages, and one in 3 is held out"):
        split([pages("scan", 6), pages("rendered", 2)], 3)
    with pytest.raises(UsageError, match="needs a share above 0"):
        split([pages("scan", 6)], 3, [1, 1])
    with pytest.raises(UsageError, match="no source 1"):
        split([pages("scan", 6)], 3, validate_on=1)
