import numpy as np
import pytest

from core.embedding.way_up import WayUp, build_model
from core.options import Options
from training.measuring.documents import read_data_set
from training.measuring.way_up import HEADING, Judged, judge_data_set, judge_pages
from training.pages.intact import Pages


@pytest.fixture(scope="module")
def way_up() -> WayUp:
    """Untrained, and made to prefer ink at the top."""
    model = build_model()
    for layer in model.layers:
        if layer.weights:
            layer.set_weights([np.abs(one) for one in layer.get_weights()])
    return WayUp(model)


def test_figures_are_those_of_what_was_said():
    log_odds = np.array([[0, -3, -3, -3], [0, -3, 2, -3], [0, 0, 0, 0]], np.float32)
    judged = Judged("some", log_odds, 0, np.array(["a", "b", "a"]), 0.3)
    assert judged.unknown == pytest.approx(1 / 3)
    assert judged.right == judged.right_of_two == 0.5
    assert judged.loss_of_two == pytest.approx(np.mean([np.log1p(np.exp(x)) for x in (-3, 2, 0)]), abs=1e-6)
    odds = np.exp(log_odds.astype(float))
    assert judged.loss == pytest.approx(-np.log(odds[:, 0] / odds.sum(axis=1)).mean(), abs=1e-6)
    assert judged.pages == (1, 2, -2)
    assert "1 of 2" in str(judged)
    assert "10.00" in str(judged)


def test_shreds_are_judged_in_three_ways(data_set, way_up):
    as_they_lie, on_their_side, half_turned = judge_data_set(read_data_set(data_set, Options()), way_up, "d2")
    assert [one.true for one in (as_they_lie, on_their_side, half_turned)] == [0, 1, 2]
    # The judge sees the same turned, so that it says the same turned.
    assert on_their_side.loss == pytest.approx(as_they_lie.loss, abs=0.02)
    assert half_turned.loss == pytest.approx(as_they_lie.loss, abs=0.02)
    assert as_they_lie.page.tolist() == ["D001"] * 4 + ["D002"] * 4
    assert len(str(as_they_lie)) <= len(HEADING) + 10


def test_pages_are_cut_by_folder(pages, way_up):
    named = Pages([f"{'greek' if number < 3 else 'thai'}/{number}.pdf" for number in range(6)], pages.margins)
    judged = judge_pages(named, way_up, 3)
    assert [one.name for one in judged][:4] == [
        f"greek, {how}" for how in ("down", "along", "down, soiled", "along, soiled")
    ]
    assert len(judged) == 8
    again = judge_pages(named, way_up, 3)
    assert all((one.log_odds == other.log_odds).all() for one, other in zip(judged, again, strict=True))
