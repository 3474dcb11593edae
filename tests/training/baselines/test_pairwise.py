import json

import numpy as np
import pytest

from core.errors import UsageError
from core.shreds.borders import Borders
from tests.core.matrices import matrix
from tests.training.baselines.drawn_pages import cut_page, draw_page, share_right
from training.baselines.pair_training import PairRecipe, _draw_pairs, _seams
from training.baselines.pairwise import LENGTH_STEP_PX, SEAMS_PER_BATCH, Pairwise, Seams, main, moved_down
from training.baselines.squeezenet import build_judge
from training.pages.intact import PAPER_MARGIN, Pages, save_pages


class Continuity:
    """Judges seams by whether ink meets ink across the cut, in the shape in which the network does."""

    def predict_on_batch(self, batch: np.ndarray) -> np.ndarray:
        ink = batch[..., 0] > 0.5
        on_left, on_right = ink[:, :, 31], ink[:, :, 32]
        by_row = 3.0 * (on_left & on_right) - (on_left != on_right) + 0.25  # 4 for 16 blank rows
        by_step = by_row.reshape(len(ink), -1, 16).sum(axis=2)[:, :-1]
        return np.repeat(by_step[:, :, None, None], 3, axis=2)


def seams_of(right: np.ndarray, left: np.ndarray) -> Seams:
    return Seams.of(Borders(left, right, 0))


def test_rows_move_down_and_up():
    ink = np.array([[True], [False], [True]])
    assert moved_down(ink, 1).ravel().tolist() == [False, True, False]
    assert moved_down(ink, -1).ravel().tolist() == [False, True, False]
    assert moved_down(ink, 0).ravel().tolist() == [True, False, True]


def test_seams_leave_blank_rows_out_and_are_filled_up():
    rng = np.random.default_rng(0)
    right, left = rng.random((2, 2, 400, 32)) < 0.5
    right[:, :100], left[:, :104] = False, False
    right[:, 200:], left[:, 200:] = False, False
    ((chosen, batch),) = seams_of(right, left).batches(np.array([[0, 1]]), -4)
    assert chosen.tolist() == [0]
    assert batch.shape == (SEAMS_PER_BATCH, LENGTH_STEP_PX, 64, 1)
    # The right shred moves up by 4: its ink begins at row 100 too; 8 blank rows stay on both sides.
    np.testing.assert_array_equal(batch[0, 8:104, :32, 0], right[0, 100:196])
    np.testing.assert_array_equal(batch[0, 8:104, 32:, 0], left[1, 104:200])
    assert not batch[0, :8].any()
    assert not batch[0, 108:].any()
    assert not batch[1:].any()


def test_the_cost_falls_short_of_certainty_by_the_evidence_per_row():
    # 32 rows of ink on both sides meet: 3 for each row; a shred is 160 px high, 10 rows of logits.
    right, left = np.zeros((2, 2, 160, 32), dtype=np.bool_)
    right[0, 64:96], left[1, 64:96] = True, True
    evidence = Pairwise(Continuity())._evidence(seams_of(right, left), np.array([[0, 1], [1, 0]]), 0, lambda *_: None)
    np.testing.assert_allclose(evidence, [96.0, 0.0])


def test_shreds_find_their_neighbours_and_their_shifts():
    rng = np.random.default_rng(2)
    page = np.full((600, 640), 250, dtype=np.uint8)
    for _ in range(300):  # bars of one height, so that only the right shift joins them without a step
        y, x = rng.integers(0, 580), rng.integers(0, 560)
        page[y : y + 10, x : x + rng.integers(20, 80)] = 10
    costs = Pairwise(Continuity()).costs(cut_page(page, 8, lower_px={4: 4, 6: 8}))
    assert share_right(matrix(costs)) == 1.0
    assert [int(costs.shift_of(i, i + 1)) for i in range(7)] == [0, 0, 0, -4, 4, -8, 8]
    between = costs.cost
    assert ((between > 0) & (between < 1)).all()


def test_a_single_shred_has_no_joins():
    costs = Pairwise(Continuity()).costs(cut_page(draw_page(0, height=300), 4)[:1])
    assert len(costs.cost) == 0


@pytest.mark.slow
def test_the_network_takes_samples_and_whole_seams():
    judge = build_judge()
    rng = np.random.default_rng(0)
    assert judge.predict_on_batch(rng.random((2, 32, 64, 1), dtype=np.float32)).shape == (2, 1, 3, 1)
    assert judge.predict_on_batch(rng.random((1, 256, 64, 1), dtype=np.float32)).shape == (1, 15, 3, 1)


@pytest.mark.slow
def test_blank_rows_are_no_evidence():
    pairwise = Pairwise(build_judge())
    right, left = np.zeros((2, 1, 600, 32), dtype=np.bool_)
    pairs = np.array([[0, 0]])
    assert pairwise._evidence(seams_of(right, left), pairs, 0, lambda *_: None)[0] == pytest.approx(0.0, abs=1e-3)
    right[:, 300:364] = np.random.default_rng(0).random((64, 32)) < 0.5
    here = pairwise._evidence(seams_of(right, left), pairs, 0, lambda *_: None)[0]
    there = pairwise._evidence(seams_of(np.roll(right, 123, axis=1), left), pairs, 0, lambda *_: None)[0]
    assert here == there != 0.0


def test_missing_weights_are_told_with_the_command_that_makes_them(tmp_path):
    with pytest.raises(UsageError, match=r"training\.baselines\.pairwise PAGES"):
        Pairwise.load(tmp_path / "none.keras")
    (tmp_path / "other.keras").write_text("no weights")
    with pytest.raises(UsageError, match="holds no weights"):
        Pairwise.load(tmp_path / "other.keras")


def test_pages_without_ink_are_told(tmp_path, capsys):
    save_pages(Pages(["blank"] * 3, np.full((3, 300, 1200), PAPER_MARGIN, dtype=np.int8)), tmp_path / "pages.npz")
    given = [str(tmp_path / "pages.npz"), "-o", str(tmp_path / "pairwise.keras"), "--held-out=2"]
    assert main(given) == UsageError.exit_code
    assert "Give more pages" in capsys.readouterr().err


def test_the_network_sees_true_neighbours_as_they_lie_on_the_page():
    # Ink stands in stripes of 3 px, so that only what is left of the cut tells what is right of it.
    margins = np.full((1, 300, 960), PAPER_MARGIN, dtype=np.int8)
    margins[0, :, np.arange(960) % 6 < 3] = -20
    pairs = _draw_pairs(np.random.default_rng(0), Pages(["stripes"], margins), PairRecipe(batch_size=10))
    seams, same = _seams(pairs)
    assert seams.shape[1:] == (32, 64, 1)
    assert same.sum() == len(same) / 2 > 0
    true = seams[same][:, :, np.r_[:30, 34:64], 0]  # noise keeps to the columns between
    shifted = np.stack([(np.arange(64) + first) % 6 < 3 for first in range(6)])[:, np.r_[:30, 34:64]]
    assert (true[:, None, 0] == shifted).all(axis=2).any(axis=1).all()


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
@pytest.mark.filterwarnings("ignore:Even though the `tf.config")
def test_the_command_writes_weights_and_their_card(tmp_path):
    margins = np.full((2, 600, 1200), PAPER_MARGIN, dtype=np.int8)
    inked = margins[:, :12]  # few windows bear enough ink: the samples are few
    inked[np.random.default_rng(0).random(inked.shape) < 0.5] = -20
    save_pages(Pages(["page 0", "page 1"], margins), tmp_path / "pages.npz")
    output = tmp_path / "pairwise.keras"
    sizes = {"epochs": 1, "held-out": 2, "batch-size": 64}
    given = [f"--{name}={value}" for name, value in sizes.items()]
    assert main([str(tmp_path / "pages.npz"), "-o", str(output), *given]) == 0
    card = json.loads((tmp_path / "pairwise.json").read_text())
    assert card["settings"]["epochs"] == 1
    assert card["pages"]["n"] == 2
    assert [entry["epoch"] for entry in card["history"]] == [1]
    assert 0.3 < card["history"][0]["accuracy"] < 1  # of all batches, not of the last
    assert output.stat().st_size < 2_000_000
    shreds = cut_page(draw_page(3, height=300), 3)
    assert np.isfinite(Pairwise.load(output).costs(shreds).cost_of(0, 1))
