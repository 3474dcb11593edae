import numpy as np
import pytest

from training.demo.sheets import SHRED_WIDTH_PX, cut, lay, printed, scanned


@pytest.fixture
def page():
    """A page of 3 shreds with a rule from edge to edge."""
    drawn = np.full((400, 3 * SHRED_WIDTH_PX), 255, dtype=np.uint8)
    drawn[200:206] = 20
    return printed(drawn, np.random.default_rng(1))


def test_each_cut_loses_a_few_pixels_of_paper_and_none_is_doubled(page):
    shreds = cut(page, 0, np.random.default_rng(2))
    assert [shred.number for shred in shreds] == [0, 1, 2]
    paper = sum(shred.rgba[..., 3].sum(axis=1) / 255 for shred in shreds)
    lost_per_side = (page.shape[1] - paper) / 4
    assert 1 <= lost_per_side.mean() <= 2
    assert lost_per_side.min() > 0


def test_both_sides_of_a_cut_share_its_course(page):
    left, right, _ = cut(page, 0, np.random.default_rng(2))
    edge = left.rgba[..., 3].sum(axis=1)
    assert edge.std() > 1.5
    width = right.rgba.shape[1]
    begins = width - (right.rgba[..., 3] > 127)[:, ::-1].cumsum(axis=1).argmax(axis=1)
    assert np.corrcoef(edge, begins)[0, 1] > 0.8


def test_the_ink_goes_on_across_the_cuts(page):
    for shred in cut(page, 0, np.random.default_rng(2)):
        inner = shred.rgba[203, 10:-10, :3][shred.rgba[203, 10:-10, 3] == 255]
        assert inner.max() < 120


def test_a_scan_shows_dark_ink_on_white_paper_on_yellow_card(page, monkeypatch):
    monkeypatch.setattr("training.demo.sheets.SHEET_SIZE_PX", (600, 480))
    rng = np.random.default_rng(3)
    sheet = scanned(lay(cut(page, 0, rng), rng), rng)
    assert sheet.shape == (480, 600, 3)
    yellow = sheet[..., 0].astype(int) - sheet[..., 2] > 100
    white = sheet.min(axis=2) > 215
    ink = sheet.max(axis=2) < 100
    assert 0.5 < yellow.mean() < 0.65
    assert white.mean() == pytest.approx(3 * 92 * 394 / (480 * 600), abs=0.02)
    assert ink.sum() == pytest.approx(3 * 90 * 6, rel=0.2)
