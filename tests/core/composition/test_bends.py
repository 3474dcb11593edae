from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.composition.bends import BENT_PX, LEAST_ROWS, find_bends
from core.composition.cuts import Cuts
from core.composition.pose import Pose
from core.composition.poses import find_poses
from core.composition.reading import compose_reading_page
from tests.core.composition.drawn_page import printed_page

HEIGHT, WIDTH = 1290, 90


def wavy_cuts(n, seed=0):
    """Where a page is cut: from top to bottom, and a little to and fro, as paper runs through a machine."""
    rng = np.random.default_rng(seed)
    rows = np.arange(HEIGHT)
    waves = (2 * np.sin(rows / rng.uniform(20, 60) + rng.uniform(0, 6)) for _ in range(n + 1))
    return [20.0 + WIDTH * at + wave for at, wave in enumerate(waves)]


def bent_strips(bends):
    """Cut a printed page into strips that lie bent: each of their rows is moved by -bend to the right."""
    page, cuts, margin = printed_page(height=HEIGHT), wavy_cuts(len(bends)), 30
    pictures, poses = {}, {}
    for at, bend in enumerate(bends):
        left = 20 + WIDTH * at - margin
        column, row = np.meshgrid(np.arange(WIDTH + 2 * margin), np.arange(HEIGHT))
        on_page = (column + left + bend[:, None]).astype(np.float32)
        pixels = cv2.remap(page, on_page, row.astype(np.float32), cv2.INTER_CUBIC, borderValue=(255, 255, 255))
        mask = (on_page >= cuts[at][:, None]) & (on_page < cuts[at + 1][:, None])
        pixels[~mask] = 255
        pictures[f"1-{at + 1:02d}"] = pixels, mask
        poses[f"1-{at + 1:02d}"] = Pose(0.0, (HEIGHT - 1) / 2, 0.0)
    return pictures, poses


def bow(px):
    """A strip that gives way to one side: 0 on average, without a slope."""
    x = np.linspace(-1, 1, HEIGHT)
    return px * (1 / 3 - x**2)


def test_a_bent_strip_among_straight_ones_is_found():
    bends = [bow(0.0) for _ in range(8)]
    bends[3], bends[6] = bow(6.0), bow(-4.0)
    found = find_bends(*bent_strips(bends))
    for at, bend in enumerate(bends):
        of_one = found.get(f"1-{at + 1:02d}", np.zeros(HEIGHT))
        assert np.abs(of_one - bend)[150:-150].max() < 1.0
        assert np.abs(of_one - bend).max() < 1.5
        assert of_one.mean() == pytest.approx(0, abs=1e-6)


def test_a_cut_that_runs_askew_is_no_bend():
    pictures, poses = bent_strips([bow(5.0)] * 8)  # all alike: so was the paper cut
    assert all(np.abs(bend).max() < BENT_PX / 4 for bend in find_bends(pictures, poses).values())


def test_print_meets_again_across_a_bent_strip():
    bends = [bow(0.0), bow(7.0), bow(0.0), bow(-6.0), bow(0.0)]
    pictures, poses = bent_strips(bends)
    found = find_poses(pictures, poses, Cuts(0.0, 0.5), {}, ())
    straight, as_it_lay = (
        compose_reading_page(pictures, of)
        for of in (found, {name: replace(pose, bend_px=None) for name, pose in found.items()})
    )
    page = printed_page(height=HEIGHT)[:, 20 : 20 + WIDTH * len(bends)]
    assert unlike(straight.pixels, page) < 0.5 * unlike(as_it_lay.pixels, page)


def unlike(composed, page):
    """How much of the page's ink stands elsewhere, wherever the page as a whole lies best."""
    ink = [255 - cv2.cvtColor(one, cv2.COLOR_RGB2GRAY) for one in (composed, page)]
    inner = ink[1][100:-100, 60:-60]
    return 1 - cv2.matchTemplate(ink[0], inner, cv2.TM_CCOEFF_NORMED).max()


@pytest.mark.parametrize("height", [200, LEAST_ROWS - 1])
def test_short_pieces_lie_straight(height):
    pictures, poses = bent_strips([bow(0.0), bow(9.0), bow(0.0)])
    short = {name: (pixels[:height], mask[:height]) for name, (pixels, mask) in pictures.items()}
    assert find_bends(short, poses) == {}


def test_what_is_torn_is_not_taken_for_bent():
    pictures, poses = bent_strips([bow(0.0)] * 6)
    pixels, mask = pictures["1-03"]
    mask = mask.copy()
    mask[700:] &= np.arange(mask.shape[1]) < 60  # a third of its breadth is gone
    found = find_bends({**pictures, "1-03": (pixels, mask)}, poses)
    assert all(np.abs(bend).max() < 10 for bend in found.values())
    none = np.zeros_like(mask)
    assert "1-03" not in find_bends({**pictures, "1-03": (pixels, none)}, poses)
