import numpy as np
import pytest

from core.errors import NothingFoundError
from training.experiments.__main__ import main
from training.experiments.published import MIXED_SHREDS, PAIRWISE_TIMES, PAPER_TIMES
from training.experiments.scaling import Timed, cut_pages, duration, fit, published


def test_pages_are_cut_into_strips_with_ink(pages_folder):
    paths = sorted(pages_folder.glob("*/intact.png"))
    shreds = cut_pages(paths, 5, 100)
    assert [shred.id for shred in shreds] == [f"{page}-{strip:02}" for page in (1, 2) for strip in range(1, 6)]
    assert {shred.pixels.shape for shred in shreds} == {(360, 40, 3)}
    assert not any(shred.blank for shred in shreds)
    assert len(cut_pages(paths, 5, 7)) == 7
    with pytest.raises(NothingFoundError):
        cut_pages([], 5, 7)


def test_the_fit_finds_the_law():
    timed = [Timed(n, 1, {"embed": 0.5 * n, "cost": 0.1 * n + 0.002 * n * n}) for n in (10, 100, 1000)]
    embed, cost = fit(timed, "embed", with_pairs=False), fit(timed, "cost", with_pairs=True)
    np.testing.assert_allclose([embed.per_shred, embed.per_pair], [0.5, 0])
    np.testing.assert_allclose([cost.per_shred, cost.per_pair], [0.1, 0.002])
    assert cost(10) == pytest.approx(1.2)


def test_published_times_are_prolonged_from_those_of_d2():
    n = MIXED_SHREDS["D2"]
    assert published(PAPER_TIMES)(n) == pytest.approx(34.54 + 187.76)
    assert published(PAIRWISE_TIMES)(n) / published(PAPER_TIMES)(n) == pytest.approx(22, abs=0.5)  # as the paper says


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.25, "0.25 s"), (90, "90 s"), (120, "2 min"), (9000, "2.5 h"), (864_000, "10 d")]
)
def test_durations_can_be_grasped(seconds, text):
    assert duration(seconds) == text


@pytest.mark.slow
def test_the_command_measures_and_predicts(pages_folder, weights, tmp_path):
    numbers = ["--shreds", "5", "100", "--beyond", "505", "--pair-shreds", "4", "--strips", "5"]
    arguments = ["time", str(pages_folder), "--weights", str(weights), *numbers, "--method", "marques"]
    assert main([*arguments, "-o", str(tmp_path)]) == 0
    text = (tmp_path / "time.md").read_text()
    assert "10 strips with ink" in text
    assert "| shreds | pages | embed s |" in text
    assert "\n| 5 | 1 |" in text
    assert "\n| 10 | 2 |" in text
    assert "| n = 5 | n = 10 | n = 505 |" in text
    assert "| marques, from 12 pairs |" in text
    assert "| the paper, d = 128 (TITAN X) |" in text
    assert "| 80.8 min |" in text  # Paixão-b on D2's 505 shreds, as published
    assert (tmp_path / "time.png").stat().st_size > 5000
