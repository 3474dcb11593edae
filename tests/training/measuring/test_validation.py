"""Error rates by confidence: how they are counted, and that what ships, what is written and the weights agree."""

import hashlib
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import main as program
from core.arrangement.arrangement import Arrangement
from core.case.case import JoinInfo
from core.matching.costs import Costs
from core.system.places import ROOT, weights_path
from training.measuring import validation
from training.measuring.documents import DataSet, Document
from training.measuring.validation import (
    HALF,
    LAID,
    MIXED,
    ONE_BY_ONE,
    PARTLY,
    Band,
    bands,
    laid_anyhow,
    runs,
    summed,
    tables,
    with_tables,
)

DOCUMENT = Path(program.__file__).parent / "docs" / "validation.md"
AGAIN = (
    "The weights have changed since: run python -m training.validation DATA/d1 DATA/d2 DATA/d2_sheets DATA/d3 "
    "--document docs/validation.md, and python -m training.self_test_record"
)


def shipped_figures() -> dict:
    return json.loads((ROOT / "validation.json").read_text(encoding="utf-8"))


def test_joins_are_sorted_into_bands_and_only_neighbours_on_paper_are_right():
    sure = (0.0, 0.2499, 0.25, 0.98, 0.99, 1.0)
    joins = [JoinInfo(f"1-0{n}", f"1-0{n + 1}", 1.0, 0, confidence) for n, confidence in enumerate(sure)]
    counted = bands(joins, {("1-00", "1-01"), ("1-04", "1-05"), ("1-07", "1-08")})
    assert [(band.low, band.high, band.joins, band.right) for band in counted] == [
        (0.0, 0.25, 2, 1),
        (0.25, 0.5, 1, 0),
        (0.5, 0.75, 0, 0),
        (0.75, 0.95, 0, 0),
        (0.95, 0.99, 1, 0),
        (0.99, 1.0, 2, 1),
    ]
    assert summed([counted, counted])[5] == Band(0.99, 1.0, 4, 2)


def test_the_interval_is_that_of_clopper_and_pearson():
    figures = Band(0.95, 0.99, 10, 9).figures("D1")
    assert figures["right_from"] == pytest.approx(0.5550, abs=1e-4)  # Clopper and Pearson 1934, as tables have it
    assert figures["right_to"] == pytest.approx(0.9975, abs=1e-4)
    assert "right_from" not in Band(0.5, 0.75, 0, 0).figures("D1")


@pytest.fixture
def two_documents(monkeypatch):
    """Give two documents of ten shreds each, and a solver that lays all of them in their order on one page."""
    shreds = [SimpleNamespace(id=f"{n:02d}", blank=False) for n in range(20)]
    documents = [
        Document(str(d), tuple(range(10 * d, 10 * d + 10)), tuple(range(10 * d, 10 * d + 10)), 10) for d in (0, 1)
    ]

    turned: set[str] = set()

    def arranged_as(chosen, _costs, _n_pages):
        ids = [shred.id for shred in chosen]
        joins = [JoinInfo(a, b, 1.0, 0, 1.0) for a, b in pairwise(ids)]
        return SimpleNamespace(joins=joins, arrangement=Arrangement(half_turned=frozenset(turned)))

    monkeypatch.setattr(validation, "arranged_as", arranged_as)
    data = DataSet(SimpleNamespace(shreds=shreds), tuple(documents))
    return data, turned


@pytest.fixture
def method():
    nothing = np.zeros((0, 0), np.float32)
    costs = Costs.of_all(nothing, nothing.astype(np.int16), np.zeros(0, np.float32), np.zeros(0, np.float32))
    return SimpleNamespace(costs=lambda _shreds: (costs, {}))


def test_the_ways_of_measuring(two_documents, method):
    data, _ = two_documents
    alone, mixed, partly, half = runs(data, "D", method)
    assert (alone.how, alone.true_joins, alone.bands[-1]) == (ONE_BY_ONE, 18, Band(0.99, 1.0, 18, 18))
    assert (mixed.how, mixed.true_joins, mixed.bands[-1]) == (MIXED, 18, Band(0.99, 1.0, 19, 18))
    assert partly.how == PARTLY
    assert partly.bands[-1].joins == 15
    assert partly.bands[-1].right == partly.true_joins < 18
    assert half.how == HALF
    assert half.bands[-1].joins == 9
    assert half.bands[-1].right == half.true_joins < partly.true_joins
    assert list(runs(data, "D", method))[2] == partly
    figures = mixed.figures()
    assert (figures["surest"], figures["surest_right"]) == (19, 18)
    # One wrong join that counts as surer than by no more than a millionth.
    assert figures["log_loss"] == pytest.approx(-np.log(1e-6) / 19, abs=1e-3)


def test_joins_that_came_out_upside_down_are_right_if_all_of_the_page_is(two_documents, method, monkeypatch):
    data, turned = two_documents
    monkeypatch.setattr(validation, "disturbed", lambda data, _how: replace(data, upside_down=frozenset({"03"})))
    (laid,) = laid_anyhow(data, "D", {LAID: method})
    assert (laid.how, laid.bands[-1]) == (LAID, Band(0.99, 1.0, 19, 16)), "both joins of a shred on its head are wrong"
    turned |= {shred.id for shred in data.found.shreds} ^ {"03"}
    (laid,) = laid_anyhow(data, "D", {LAID: method})
    assert laid.bands[-1].right == 0, "a page that came out upside down, in the order of one that did not"


def test_tables_go_between_their_marks():
    text = with_tables("before\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nafter\n", shipped_figures())
    assert text.startswith("before\n<!-- figures: begin -->\n\n| data | documents |")
    assert text.endswith("<!-- figures: end -->\nafter\n")
    assert "old" not in text
    assert with_tables(text, shipped_figures()) == text


def test_the_document_says_what_the_file_holds():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert tables(shipped_figures()) in text
    assert with_tables(text, shipped_figures()) == text


def test_the_figures_are_those_of_the_weights_that_ship():
    sha256 = hashlib.sha256(weights_path().read_bytes()).hexdigest()
    assert shipped_figures()["weights_sha256"] == sha256, AGAIN
    record = json.loads((ROOT / "samples" / "expected.json").read_text(encoding="utf-8"))
    assert record["weights_sha256"] == sha256, AGAIN


def test_what_ships_is_consistent():
    shipped = shipped_figures()
    bands = shipped["bands"] + shipped["further_bands"]
    for band in bands:
        assert 0 <= band["right"] <= band["joins"]
        assert band["right_from"] <= band["right"] / band["joins"] <= band["right_to"]
    for run in shipped["runs"]:
        of_run = [band for band in bands if band["data"] == f"{run['data']}, {run['how']}"]
        assert sum(band["joins"] for band in of_run) == run["joins"]
        assert sum(band["right"] for band in of_run) == run["right"]
    assert all(sentence.endswith(".") for sentence in shipped["limits"])
