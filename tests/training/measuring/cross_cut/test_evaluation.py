import argparse
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from core.arrangement.arrangement import Arrangement
from core.errors import UsageError
from training.measuring.cross_cut import evaluation
from training.measuring.cross_cut.evaluation import (
    add_cross_cut_arguments,
    cutting_of,
    describe_cross_cut,
    evaluate_cross_cut,
    reconstruct,
    summary,
)
from training.measuring.cross_cut.truth import cut_in_software
from training.pages.cross_cut import Cutting

HOW = Cutting(half_turned=0.0, turn_deg=0.0, edge_px=0)


@pytest.fixture
def printed():
    """A page of noise: every piece bears ink."""
    return np.random.default_rng(0).choice(np.array([0, 0, 255], np.uint8), (1000, 200))


@pytest.fixture
def solved(monkeypatch):
    """Pieces that come out as they were cut; `solved` holds what was put together."""
    known = []

    def knowing(pages, how):
        known.append(cut_in_software(pages, how))
        return known[-1]

    def arrange(shreds, costs, options, previous, progress):
        rows = {}
        for name, place in sorted(known[-1].places.items(), key=lambda item: item[1].column):
            rows.setdefault((place.page, place.row), []).append(name)
        pages = tuple(tuple(rows[key]) for key in sorted(rows))
        marks = {rows[key][0]: (*key, 0) for key in sorted(rows)}
        return SimpleNamespace(arrangement=Arrangement(pages, grid_places=marks), seconds={"solve": 3.0}, below=())

    matched = SimpleNamespace(costs=None, seconds={"embed": 1.0, "cost": 2.0})
    monkeypatch.setattr(evaluation, "match", lambda shreds, encoder, options, progress: matched)
    monkeypatch.setattr(evaluation, "arrange", arrange)
    monkeypatch.setattr(evaluation, "cut_in_software", knowing)
    monkeypatch.setattr(evaluation.Encoder, "load", lambda weights: None)
    return known


def test_pages_are_cut_one_by_one_mixed_and_with_pieces_missing(solved, printed, tmp_path):
    for number in range(6):
        Image.fromarray(np.roll(printed, number, axis=1)).save(tmp_path / f"{number}.png", dpi=(300, 300))
    result = evaluate_cross_cut(tmp_path, tmp_path, HOW)
    assert len(result["pages"]) == len(result["single"]["per_page"]) == 6
    assert [len({place.page for place in pieces.places.values()}) for pieces in solved] == [*[1] * 6, 5, *[1] * 6]
    assert result["single"]["across"] == result["single"]["down"] == result["single"]["in_place"] == 1.0
    assert result["mixed"]["across"] == 1.0
    assert (result["mixed"]["pages"], result["mixed"]["pages_found"], result["mixed"]["per_page"]) == (5, 5, {})
    assert result["single"]["seconds"] == {"embed": 6.0, "cost": 12.0, "solve": 18.0}
    n_cut = [len(pieces.shreds) for pieces in solved[:6]]
    assert result["missing"]["pieces"] == sum(n - round(0.1 * n) for n in n_cut) < sum(n_cut)
    # Where a piece is missing, what follows in its row is taken for one column farther left.
    assert result["missing"]["down"] < 1.0
    text = describe_cross_cut(result)
    assert text.count("100.00%") >= 7 * 3
    assert "5 pages mixed" in text
    assert "5 of 5" in text


def test_what_is_not_asked_for_is_not_measured(solved, printed, tmp_path):
    Image.fromarray(printed).save(tmp_path / "0.png", dpi=(300, 300))
    assert evaluate_cross_cut(tmp_path, tmp_path, HOW, missing=0.0).keys().isdisjoint({"mixed", "missing"})
    with pytest.raises(UsageError, match="1 page cannot be mixed"):
        evaluate_cross_cut(tmp_path, tmp_path, HOW, mode="multi")


def test_of_blank_pieces_nothing_comes_out():
    pieces = cut_in_software([np.full((1000, 200), 255, np.uint8)], HOW)
    done = reconstruct(pieces, None)
    assert done.n_pages_found == 0
    summed = summary([done], ["blank"])
    assert summed["across"] is None
    assert (summed["blank"], summed["blank_in_place"]) == (len(pieces.shreds), 0)
    assert summed["per_page"]["blank"]["pages"] == 1


def test_half_of_the_pieces_lie_upside_down_unless_something_else_is_asked_for():
    parser = argparse.ArgumentParser()
    add_cross_cut_arguments(parser)
    parser.set_defaults(half_turned=None, seed=3)
    assert cutting_of(parser.parse_args([])) == Cutting(seed=3)
    given = parser.parse_args(["--piece", "5", "30", "--wear", "2", "--turn", "0.3", "--row-offset", "1"])
    given.half_turned = 0.0
    assert cutting_of(given) == Cutting((5.0, 30.0), 1.0, 2, 0.3, 0.0, seed=3)
