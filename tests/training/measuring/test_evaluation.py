from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from core.comparison import match
from core.matching.costs import Costs
from core.options import CostOptions, Options
from core.progress import no_progress
from tests.training.baselines.drawn_pages import cut_page, draw_page
from training.baselines.dummy import without_blank
from training.measuring.documents import read_data_set
from training.measuring.evaluation import describe, evaluate, mixed, one_by_one
from training.measuring.methods import VARIANTS, Embedder, EncoderMethod
from training.measuring.reconstruction import reconstruct

NOWHERE = Path("no.keras")


@pytest.fixture
def folder(tmp_path):
    """Two documents of four shreds, a file per shred; the last shred of the first one is blank."""
    for seed, name in enumerate(("one", "two")):
        (tmp_path / name / "shreds").mkdir(parents=True)
        page = draw_page(seed, width=480, height=600).copy()
        if name == "one":
            page[:, 360:] = 250
        for number, shred in enumerate(cut_page(page, 4)):
            Image.fromarray(shred.pixels).save(tmp_path / name / "shreds" / f"{number}.png", dpi=(300, 300))
    return tmp_path


def priced(costs, shreds, dummy="zero"):
    """A method that takes parts of costs of those of the shreds that have ink."""
    row = {shred: number for number, shred in enumerate(shred for shred in shreds if not shred.blank)}

    def part(chosen, _progress):
        costs_of_part = costs.of([row[shred] for shred in chosen if not shred.blank])
        return without_blank(costs_of_part) if dummy == "zero" else costs_of_part, {"embed": 0.0, "cost": 0.0}

    return SimpleNamespace(label="given", dummy=dummy, costs=part)


@pytest.mark.slow
def test_methods_are_measured_on_the_same_shreds(folder):
    result = evaluate([folder], NOWHERE, VARIANTS["full"], "both", no_progress, ["marques", "shapes"])
    assert result["shreds"] == {"found": 8, "found_with_ink": 7, "true_with_ink": 7, "true_found": 7}
    assert list(result["methods"]) == ["marques", "shapes"]
    for method, measured in result["methods"].items():
        assert measured["method"] == method
        assert measured["dummy"] == "zero"
        assert set(measured["single"]["per_doc"]) == {"one", "two"}
        assert measured["multi"]["n"] == 7
        assert {"load", "segment", "cost", "solve"} <= set(measured["seconds"])
    # What a single method gave before there were several is where it was: the first one's.
    assert result["single"] == result["methods"]["marques"]["single"]
    assert result["multi"]["accuracy"] == result["methods"]["marques"]["multi"]["accuracy"]


@pytest.mark.slow
def test_the_text_tells_every_method_and_document(folder):
    result = evaluate([folder], NOWHERE, VARIANTS["full"], "single", no_progress, ["marques", "shapes"])
    result["methods"]["marques"]["single"] |= {"mean": 0.75, "std": 0.125, "per_doc": {"one": 0.5, "two": 1.0}}
    text = describe(result, per_document=True)
    assert "75.00 ± 12.50 % of joins right" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["document", "marques", "shapes"] in lines
    assert ["one", "50.00"] in [line[:2] for line in lines]


def test_mean_and_sample_deviation_are_those_of_the_documents(folder):
    data = read_data_set(folder, Options())
    cost = np.full((7, 7), 9, dtype=np.float32)
    for left, right in ((0, 1), (1, 2), (3, 4), (4, 6), (6, 5)):  # the last shreds of the second document are swapped
        cost[left, right] = 1
    np.fill_diagonal(cost, np.inf)
    free = np.zeros(7, dtype=np.float32)
    costs = Costs.of_all(cost, np.zeros((7, 7), dtype=np.int16), free, free)
    single = one_by_one(data, priced(costs, data.found.shreds))
    assert single["per_doc"] == {"one": 1.0, "two": pytest.approx(1 / 3)}
    assert single["mean"] == pytest.approx(2 / 3)
    assert single["std"] == pytest.approx(np.sqrt(2) / 3)
    assert single["perfect"] == 0.5


def test_a_shred_that_was_not_found_takes_its_joins_with_it(folder):
    data = read_data_set(folder, Options())
    first, second = data.documents
    cost = np.full((7, 7), 9, dtype=np.float32)
    for left in (0, 1, 3, 4, 5):
        cost[left, left + 1] = 1
    np.fill_diagonal(cost, np.inf)
    free = np.zeros(7, dtype=np.float32)
    costs = Costs.of_all(cost, np.zeros((7, 7), dtype=np.int16), free, free)
    data = replace(data, documents=(replace(first, n_true=6), second))
    method = priced(costs, data.found.shreds)
    assert one_by_one(data, method)["per_doc"] == {"one": pytest.approx(2 / 5), "two": 1.0}
    # Nine joins in all: of those found, five and the one from page to page are right.
    assert mixed(data, method)["accuracy"] == pytest.approx(6 / 9)
    assert mixed(data, method)["n"] == 10


def test_the_dummy_decides_where_a_page_begins(folder):
    data = read_data_set(folder, Options())
    cost = np.full((7, 7), 9, dtype=np.float32)
    cost[0, 1], cost[1, 2], cost[2, 0] = 2, 3, 1  # the margins look like a join: cheaper than the true ones
    np.fill_diagonal(cost, np.inf)
    to_blank, from_blank = np.full((2, 7), 9, dtype=np.float32)
    to_blank[2] = from_blank[0] = 0
    costs = Costs.of_all(cost, np.zeros((7, 7), dtype=np.int16), to_blank, from_blank)
    document = data.of(data.documents[:1])
    assert reconstruct(document, priced(costs, data.found.shreds, "blank")).accuracy == 1.0
    assert reconstruct(document, priced(costs, data.found.shreds, "zero")).accuracy == 0.5


def test_documents_by_themselves_are_priced_as_if_there_were_no_others(folder):
    class Encoder:
        sha256 = ""

        def embed(self, borders, _side, _progress):
            return np.repeat(borders.sum(axis=2)[:, ::64, None].astype(np.float32), 2, axis=2)

        def blank(self, _side):
            return np.zeros(2, dtype=np.float32)

    data = read_data_set(folder, Options())
    chosen = data.of(data.documents[1:]).found.shreds
    embedder = Embedder(Encoder(), try_half_turns=False)
    embedder(data.found.shreds)
    part, _ = EncoderMethod("x", embedder, VARIANTS["full"]).costs(chosen)
    as_they_lie = replace(Options(), cost=CostOptions(try_half_turns=False))
    alone = match(chosen, Encoder(), as_they_lie).costs
    np.testing.assert_allclose(part.to_blank, alone.to_blank, rtol=1e-5)
    np.testing.assert_allclose(part.cost, alone.cost, rtol=1e-5)
    assert part.temperature == pytest.approx(alone.temperature)
