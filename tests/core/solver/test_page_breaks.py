import numpy as np
import pytest

from core.matching.costs import Costs
from core.shreds.storage.packed import packed
from core.solver.page_breaks import estimate_n_pages, on_paper, page_widths

# 24 shreds that lost 7 px each make 210 mm, which are 2480 px.
WIDTH_PX, HEIGHT_PX = 96, 3000


def shreds_of(make_shred, n, height_px=HEIGHT_PX):
    mask = np.ones((height_px, WIDTH_PX), dtype=np.bool_)
    return [make_shred(f"{height_px}-{k:02d}", mask) for k in range(n)]


@pytest.fixture
def costs():
    """Costs of 12 shreds: joins cost 3, margins 2 each, but between 4 and 5 the margins cost nothing."""
    cost = np.full((12, 12), 3, dtype=np.float32)
    to_blank, from_blank = np.full((2, 12), 2, dtype=np.float32)
    to_blank[4] = from_blank[5] = 0
    return Costs.of_all(cost, np.zeros((12, 12), dtype=np.int16), to_blank, from_blank)


def test_pages_are_counted_by_the_width_of_the_paper(make_shred):
    shreds = shreds_of(make_shred, 24)

    def count(shreds, page_width_mm=210):
        return estimate_n_pages(page_widths(shreds, page_width_mm))

    assert count(shreds) == 1
    assert count(shreds[:3]) == 1
    assert count(shreds * 30) == 30
    assert count(shreds + shreds[:20]) == 2  # two margin shreds on either side are lost
    assert count(shreds + shreds[:4]) == 1
    assert count(shreds, page_width_mm=105) == 2


def test_a_torn_shred_counts_by_its_length(make_shred):
    widths = page_widths(shreds_of(make_shred, 5) + shreds_of(make_shred, 2, HEIGHT_PX // 2), 210)
    assert widths[:5] == pytest.approx([(WIDTH_PX + 7) / 2480] * 5, rel=0.001)
    assert widths[5:] == pytest.approx([(WIDTH_PX + 7) / 2480 / 2] * 2, rel=0.001)


def test_packed_shreds_are_unpacked_once_and_not_for_every_order(make_shred, monkeypatch):
    plain = shreds_of(make_shred, 3)
    shreds = [packed(shred) for shred in plain]
    first = page_widths(shreds, 210)
    assert first == pytest.approx(page_widths(plain, 210))
    monkeypatch.setattr("core.shreds.storage.packed._unpacked", None)  # whoever unpacks one now fails
    assert page_widths(shreds, 210) == pytest.approx(first)


def test_pages_no_wider_than_paper_stay(costs):
    pages = [tuple(range(6)), tuple(range(6, 12))]
    assert on_paper(pages, costs, np.full(12, 1.1 / 6)) == pages


def test_a_wide_page_is_broken_where_margins_cost_least(costs):
    wide = tuple(range(12))
    assert on_paper([wide], costs, np.full(12, 0.15)) == [wide[:5], wide[5:]]
    # With 6 shreds to a page at most, the part behind the cheap break is too wide by one, and is broken once more.
    parts = on_paper([wide], costs, np.full(12, 0.19))
    assert parts[0] == wide[:5]
    assert len(parts) == 3


def test_as_many_pages_as_there_really_are_rather_than_as_few_as_paper_allows():
    cost = np.full((30, 30), 3, dtype=np.float32)
    cost[9, 10] = cost[19, 20] = 6  # as margins beside margins do
    margin = np.full(30, 6, dtype=np.float32)
    row = tuple(range(30))
    three = on_paper([row], Costs.of_all(cost, np.zeros((30, 30), np.int16), margin, margin), np.full(30, 0.075))
    assert three == [row[:10], row[10:20], row[20:]], "two pages of 15 would be narrow enough, and broken within print"


def test_where_there_are_too_few_pages_the_cheapest_breaks_make_more(costs):
    wide, narrow = tuple(range(12)), np.full(12, 0.01)
    assert on_paper([wide], costs, narrow, n_least=2) == [wide[:5], wide[5:]]
    assert len(on_paper([wide], costs, narrow, n_least=3)) == 3


def test_kept_joins_are_never_broken(costs):
    wide = tuple(range(12))
    first, second = on_paper([wide], costs, np.full(12, 0.15), kept=[(4, 5)])
    assert first != wide[:5]
    assert first + second == wide
    joined = [(k, k + 1) for k in range(11)]
    assert on_paper([wide], costs, np.full(12, 0.15), kept=joined, n_least=2) == [wide]


def test_what_is_kept_together_and_wider_than_paper_leaves_all_else_narrow(costs):
    wide = tuple(range(12))
    parts = on_paper([wide], costs, np.full(12, 0.25), kept=[(k, k + 1) for k in range(6)])
    assert max(parts, key=len) == wide[:7]
    assert all(len(part) <= 4 for part in parts[1:])


def test_a_shred_wider_than_a_page_is_a_page(costs):
    assert on_paper([(0, 1)], costs, np.full(12, 3.0)) == [(0,), (1,)]
