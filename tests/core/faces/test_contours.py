import numpy as np
import pytest

from core.faces.contours import NOISE_PX2, read_contours
from core.progress import Cancelled
from tests.core.faces.drawn_faces import cut_paper, scanned


def read(strip, **values):
    return read_contours([scanned("1-01", strip, np.random.default_rng(5), **values)])[0][0]


def test_paper_that_is_turned_over_has_its_edges_exchanged():
    strip = cut_paper(1)[0]
    np.testing.assert_allclose(read(strip, over=True), read(strip)[::-1], atol=1e-5)


def test_paper_that_is_turned_over_and_upside_down_has_its_edges_reversed():
    strip = cut_paper(1)[0]
    seen, upside_down = read(strip)[:, ::-1], read(strip, over=True, half_turned=True)
    assert max((seen[:, at : len(seen[0]) - 2 + at] * upside_down[:, 1:-1]).sum() for at in range(3)) > 0.9


def test_waves_are_scaled_and_those_of_whole_pixels_are_not_blown_up():
    assert 0.95 < np.square(read(cut_paper(1, wave_px=3.0)[0])).sum() < 1
    assert np.square(read(cut_paper(1, wave_px=0.0)[0])).sum() < 0.08 / NOISE_PX2


def test_a_tear_does_not_outweigh_the_cut():
    torn = cut_paper(1)[0]
    whole = read(torn)
    torn[1, 500:520] -= 40
    assert (read(torn) * whole).sum() > 0.5


def test_it_tells_at_which_row_each_shred_begins_so_that_the_middles_are_at_one_height():
    rng, strip = np.random.default_rng(0), cut_paper(1)[0]
    shreds = [scanned("1-01", strip, rng), scanned("1-02", strip, rng, cut_off_px=100)]
    waves, (whole, cut_off) = read_contours(shreds)
    assert cut_off - whole == 50
    assert waves.shape[:2] == (2, 2)


def test_it_can_be_stopped():
    def stop(fraction, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_contours([scanned("1-01", cut_paper(1)[0], np.random.default_rng(0))], stop)
