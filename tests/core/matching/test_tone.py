import numpy as np
import pytest

from core.matching.tone import brightness_in_frame, measure, sample_tones, tone_costs, tones_of
from core.shreds.deskew import row_extents
from core.shreds.shred import Shred, common_frame

HEIGHT, WIDTH, N = 800, 60, 6


def shred(number: int, grey: np.ndarray, top_px: int = 0) -> Shred:
    pixels = np.repeat(grey[..., None], 3, axis=2).astype(np.uint8)
    box = (0, 0, grey.shape[1], grey.shape[0])
    outline = np.zeros((4, 2), dtype=np.float32)
    return Shred(f"1-{number:02}", 0, box, outline, 0.0, pixels, np.ones(grey.shape, dtype=bool), top_px, False)


@pytest.fixture
def photograph() -> np.ndarray:
    """A landscape of broad light and dark patches, (HEIGHT, N · WIDTH)."""
    rng = np.random.default_rng(3)
    coarse = rng.uniform(30, 150, (HEIGHT // 40 + 2, N * WIDTH // 120 + 2))
    rows, columns = np.arange(HEIGHT) / 40, np.arange(N * WIDTH) / 120
    i, j = rows.astype(int)[:, None], columns.astype(int)[None, :]
    y, x = (rows % 1)[:, None], (columns % 1)[None, :]
    upper = coarse[i, j] * (1 - x) + coarse[i, j + 1] * x
    lower = coarse[i + 1, j] * (1 - x) + coarse[i + 1, j + 1] * x
    return upper * (1 - y) + lower * y + rng.normal(0, 4, (HEIGHT, N * WIDTH))


@pytest.fixture
def framed(photograph) -> np.ndarray:
    """The photograph with a margin of paper above and below."""
    paper = np.full((HEIGHT + 400, N * WIDTH), 250.0)
    paper[200:-200] = photograph
    return paper


def strips(page: np.ndarray) -> list[Shred]:
    return [shred(k + 1, page[:, k * WIDTH : (k + 1) * WIDTH]) for k in range(N)]


def costs_of(shreds: list[Shred]) -> np.ndarray:
    top, bottom = common_frame(shreds)
    sampled = [sample_tones(one, row_extents(one.mask)) for one in shreds]
    brightness = brightness_in_frame(sampled, [one.frame_top_px - top for one in shreds], bottom - top)
    right, left = tones_of(brightness, float(np.median([one.paper for one in sampled])))
    chance = measure(right, left)
    return np.zeros((len(shreds), len(shreds))) if chance is None else tone_costs(right, left, chance)


def test_the_neighbour_in_a_photograph_is_the_cheapest(framed):
    cost = costs_of(strips(framed))
    np.fill_diagonal(cost, np.inf)
    assert cost[:-1].argmin(axis=1).tolist() == [1, 2, 3, 4, 5]
    assert (cost[np.arange(N - 1), np.arange(1, N)] < 0).all()


def test_a_shred_that_lies_lower_on_the_sheet_is_still_found(framed):
    shreds = strips(framed)
    moved = shred(3, shreds[2].pixels[..., 0], top_px=16)
    cost = costs_of([*shreds[:2], moved, *shreds[3:]])
    np.fill_diagonal(cost, np.inf)
    assert cost[1].argmin() == 2
    assert cost[2].argmin() == 3


def test_pages_without_grey_tones_have_no_say():
    rng = np.random.default_rng(0)
    text = np.where(rng.random((HEIGHT, N * WIDTH)) < 0.15, 20.0, 250.0)
    assert not costs_of(strips(text)).any()


def test_dark_paper_is_no_tone():
    assert not costs_of(strips(np.full((HEIGHT, N * WIDTH), 120.0))).any()


def test_coloured_paper_is_no_tone_beside_white(framed):
    """Text on strong blue paper is no darker than a photograph's tones, but it has none."""
    blue = [shred(10 + k, np.full((HEIGHT, WIDTH), 255.0)) for k in range(2)]
    for one in blue:
        one.pixels[:] = (120, 160, 245)
        one.pixels[::40] = 20
    cost = costs_of([*strips(framed), *blue])
    assert (cost[6:, 6:] == 0).all()


def test_a_border_may_be_toned_only_where_the_other_is_toned_as_well(photograph):
    page = np.full((HEIGHT + 400, WIDTH), 250.0)
    page[200:-200] = photograph[:, :WIDTH]
    page[300:, :20] = 250  # on the left only where there is tone on the right as well
    assert np.isfinite(costs_of([shred(1, page)])).all()
