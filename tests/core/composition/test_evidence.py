from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.composition.evidence import compose_page, touching_px
from core.composition.page_image import PAPER, SEAM_RGB, gaps
from core.options import CompositionOptions
from core.shreds.deskew import long_axis_deg, row_extents
from core.shreds.shred import upright


def wavy_masks(n, height=120, width=40, seed=0):
    """Cut a sheet of paper along n - 1 shared wavy lines without loss."""
    rng = np.random.default_rng(seed)
    columns, rows = np.arange(n * width), np.arange(height)
    cuts = [np.zeros(height)]
    cuts += [k * width + 5 * np.sin(rows / rng.uniform(6, 15) + rng.uniform(0, 6)) for k in range(1, n)]
    cuts += [np.full(height, n * width)]
    masks = []
    for left, right in pairwise(cuts):
        mask = (columns >= left[:, None]) & (columns < right[:, None])
        masks.append(mask[:, mask.any(axis=0)])
    return masks


def shreds_of(masks, make_shred, **others):
    return {f"1-{k:02d}": make_shred(f"1-{k:02d}", mask, **others) for k, mask in enumerate(masks, start=1)}


def test_shreds_cut_without_loss_make_the_whole_page_again(make_shred):
    masks = wavy_masks(5)
    shreds = shreds_of(masks, make_shred)
    page = compose_page(shreds, Arrangement(pages=(tuple(shreds),)), 0)
    assert page.pixels.shape == (120, 200, 3)
    covered = np.zeros((120, 200), dtype=int)
    for shred_id, (x, y, w, h) in page.placements.items():
        covered[y : y + h, x : x + w] += shreds[shred_id].mask
    assert (covered == 1).all()


def test_every_paper_pixel_is_on_the_page_bit_for_bit_and_nothing_else(make_shred):
    rng = np.random.default_rng(3)
    masks = [mask & ~(rng.random((120, 1)) < 0.1) for mask in wavy_masks(6, seed=1)]
    masks[2] = masks[2][30:90]
    shreds = shreds_of(masks, make_shred, frame_top_px=7)
    order = ("1-03", "1-01", "1-06", "1-02", "1-05", "1-04")
    arrangement = Arrangement(pages=(order,), shift_px={"1-01": -12, "1-06": 5, "1-05": 8})
    page = compose_page(shreds, arrangement, 0)
    untouched = np.ones(page.pixels.shape[:2], dtype=np.bool_)
    for shred_id, (x, y, w, h) in page.placements.items():
        shred = shreds[shred_id]
        assert (page.pixels[y : y + h, x : x + w][shred.mask] == shred.pixels[shred.mask]).all()
        assert untouched[y : y + h, x : x + w][shred.mask].all(), "two shreds overlap"
        untouched[y : y + h, x : x + w][shred.mask] = False
    assert (page.pixels[untouched] == 255).all()


def test_neighbours_touch_in_at_least_one_row(make_shred):
    narrow, bulging = np.ones((50, 20), dtype=np.bool_), np.ones((50, 26), dtype=np.bool_)
    bulging[:, 20:] = False
    bulging[30, 20:] = True
    shreds = {"1-01": make_shred("1-01", bulging), "1-02": make_shred("1-02", narrow)}
    page = compose_page(shreds, Arrangement(pages=(("1-01", "1-02"),)), 0)
    assert page.placements == {"1-01": (0, 0, 26, 50), "1-02": (26, 0, 20, 50)}


def test_two_alone_touch_as_they_do_on_a_page(make_shred):
    shreds = shreds_of(wavy_masks(3)[:2], make_shred)
    page = compose_page(shreds, Arrangement(pages=(("1-01", "1-02"),), shift_px={"1-02": 7}), 0)
    (x_left, *_), (x_right, *_) = page.placements.values()
    left, right = (row_extents(shred.mask) for shred in shreds.values())
    assert touching_px(left, right, 7) == x_right - x_left
    assert touching_px(left, right, 1000) is None


def test_shifts_and_the_common_frame_set_the_height(make_shred):
    masks = [np.ones((50, 20), dtype=np.bool_)] * 3
    shreds = {f"1-0{k}": make_shred(f"1-0{k}", masks[k - 1], frame_top_px=top) for k, top in ((1, 4), (2, -6), (3, 0))}
    arrangement = Arrangement(pages=(("1-01", "1-02", "1-03"),), shift_px={"1-02": 8, "1-03": -4})
    page = compose_page(shreds, arrangement, 0)
    # In the frame: 4, -6 + 8 = 2, 0 + 8 - 4 = 4; the page begins at the highest.
    assert [page.placements[f"1-0{k}"][1] for k in (1, 2, 3)] == [2, 0, 2]
    assert page.pixels.shape[:2] == (52, 60)


def test_torn_ends_lie_below_one_another(make_shred):
    mask = np.ones((50, 20), dtype=np.bool_)
    shreds = {
        "1-01": make_shred("1-01", np.ones((110, 30), dtype=np.bool_)),
        "1-02": make_shred("1-02", mask),
        "1-03": make_shred("1-03", mask, frame_top_px=55),
    }
    page = compose_page(shreds, Arrangement(pages=(("1-01", "1-02", "1-03"),)), 0)
    assert page.placements["1-02"][0] == page.placements["1-03"][0] == 30


def test_the_examiners_turns_are_drawn(make_shred):
    mask = np.ones((201, 41), dtype=np.bool_)
    shreds = {"1-01": make_shred("1-01", mask), "1-02": make_shred("1-02", mask)}
    plain = Arrangement(pages=(("1-01", "1-02"),))
    half = compose_page(shreds, replace(plain, half_turned=frozenset({"1-02"})), 0)
    assert (half.pixels[::-1, ::-1][:, :41] == shreds["1-02"].pixels).all()
    turned = replace(plain, turned_deg={"1-02": 2.0})
    by_2_deg = compose_page(shreds, turned, 0).placements
    assert by_2_deg["1-02"][2:] == (41 + 2 * 4, 201 + 2 * 1)
    assert by_2_deg["1-01"][1] == 1, "the middle of the turned shred stays at its height"
    assert long_axis_deg(turned.pose(shreds["1-02"]).mask) == pytest.approx(2.0, abs=0.1)


def test_a_half_turned_shred_is_drawn_upside_down_in_its_place(make_shred):
    mask = wavy_masks(1)[0]
    mask = mask.copy()
    mask[:10, 5:] = False
    shred = make_shred("1-01", mask, half_turn=True)
    page = compose_page({"1-01": shred}, Arrangement(pages=(("1-01",),)), 0)
    assert (page.pixels[::-1, ::-1][mask] == shred.pixels[mask]).all()
    pixels, turned = upright(shred)
    assert (turned == mask[::-1, ::-1]).all()
    assert (pixels == shred.pixels[::-1, ::-1]).all()
    assert upright(replace(shred, half_turn=False))[0] is shred.pixels


def test_seams_are_drawn_when_asked_for(make_shred):
    masks = wavy_masks(3)
    shreds = shreds_of(masks, make_shred)
    arrangement = Arrangement(pages=(tuple(shreds),))
    plain = compose_page(shreds, arrangement, 0)
    seams = compose_page(shreds, arrangement, 0, CompositionOptions(show_seams=True))
    changed = (plain.pixels != seams.pixels).any(axis=2)
    assert (changed.sum(axis=1) == 4).all()
    assert (seams.pixels[changed] == SEAM_RGB).all()


def test_gaps_are_where_no_paper_lies(make_shred):
    shreds = shreds_of(wavy_masks(3), make_shred)
    arrangement = Arrangement(pages=(tuple(shreds),))
    page = compose_page(shreds, arrangement, 0)
    nothing = gaps(page)
    assert nothing.sum() + sum(shred.mask.sum() for shred in shreds.values()) == nothing.size
    assert (page.pixels[nothing] == PAPER).all()


def test_an_empty_page_is_refused(make_shred):
    with pytest.raises(ValueError, match="Page 1"):
        compose_page({}, Arrangement(pages=((),)), 0)
