from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.errors import NothingFoundError
from core.options import SegmentationOptions
from core.progress import Cancelled
from core.shreds.segmentation import Segmentation, segment
from core.shreds.shred import Shred
from tests.core.drawn_sheets import SURFACES, Scene, Strip, as_sheet, draw, row_of_strips

OPTIONS = SegmentationOptions()


def on_sheet(shred: Shred, shape: tuple[int, ...]) -> np.ndarray:
    filled = np.zeros(shape, np.uint8)
    cv2.fillPoly(filled, [np.round(shred.outline).astype(np.int32)], 1)
    return filled > 0


def overlap(shred: Shred, truth: np.ndarray) -> float:
    found = on_sheet(shred, truth.shape)
    return float((found & truth).sum() / (found | truth).sum())


def middle_slope_deg(mask: np.ndarray) -> float:
    rows = np.flatnonzero(mask.any(axis=1))
    rows = rows[len(rows) // 20 : -len(rows) // 20]
    middle = (mask[rows].argmax(axis=1) + mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)) / 2
    return float(np.degrees(np.arctan(np.polyfit(rows, middle, 1)[0])))


def found_in(scene: Scene) -> tuple[Segmentation, list[np.ndarray]]:
    sheet, truth = draw(scene)
    return segment(sheet, 0, OPTIONS), truth


@pytest.mark.parametrize("light", [pytest.param(0.0, marks=pytest.mark.slow), 0.25])
@pytest.mark.parametrize("name", SURFACES)
def test_finds_the_shreds_on_any_surface_in_any_light(name: str, light: float) -> None:
    scene = Scene(row_of_strips(5), surface=SURFACES[name], light=light)
    segmentation, truth = found_in(scene)
    assert len(segmentation.shreds) == 5
    assert segmentation.crumbs == ()
    assert [shred.id for shred in segmentation.shreds] == ["1-01", "1-02", "1-03", "1-04", "1-05"]
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.96


def test_reports_the_surface() -> None:
    segmentation, _ = found_in(Scene(row_of_strips(3), surface=SURFACES["green"]))
    assert segmentation.background is not None
    assert np.abs(np.subtract(segmentation.background, SURFACES["green"])).max() < 6


@pytest.mark.parametrize("surface", ["yellow", "blue", "orange"])
def test_masks_end_on_clean_paper(surface: str) -> None:
    """Of the pixels along both contours not one in a hundred shows surface or shadow."""
    scene = Scene(row_of_strips(5, ink=False), surface=SURFACES[surface], shadow=0.6, quality=80)
    segmentation, truth = found_in(scene)
    for shred, mask in zip(segmentation.shreds, truth, strict=True):
        assert shred.mask.sum() < 1.001 * mask.sum()
        pixels = shred.pixels[shred.mask].astype(int)
        surface_like = np.abs(pixels - SURFACES[surface]).sum(axis=1) < np.abs(pixels - scene.paper).sum(axis=1)
        assert surface_like.sum() < 0.01 * 2 * len(shred.mask)
        assert shred.blank
        assert (shred.pixels[~shred.mask] == 255).all()


def found_turned(turn_deg: float) -> Segmentation:
    strips = [replace(strip, angle_deg=turn_deg) for strip in row_of_strips(4, gap=90)]
    return found_in(Scene(strips, surface=SURFACES["blue"]))[0]


@pytest.fixture(scope="module")
def upright() -> Segmentation:
    return found_turned(0.0)


@pytest.mark.parametrize("turn_deg", [-4.0, -1.0, 0.0, 2.5])
def test_straightens_by_the_long_axis(turn_deg: float, upright: Segmentation) -> None:
    segmentation = found_turned(turn_deg)
    for shred, same_upright in zip(segmentation.shreds, upright.shreds, strict=True):
        assert abs(middle_slope_deg(shred.mask)) < 0.1
        assert shred.angle_deg - same_upright.angle_deg == pytest.approx(turn_deg, abs=0.1)
        assert abs(len(shred.mask) - len(same_upright.mask)) <= 6


def test_shreds_that_lie_across_are_set_upright() -> None:
    strips = [Strip(550, 120 + 160 * k, angle_deg=89 + k) for k in range(5)]
    for surface in ("green", "black"):
        segmentation, _ = found_in(Scene(strips, surface=SURFACES[surface]))
        assert len(segmentation.shreds) == 5
        assert all(shred.mask.shape[0] > 850 and shred.mask.shape[1] < 160 for shred in segmentation.shreds)


def test_an_upright_shred_is_not_resampled() -> None:
    pixels = np.full((1000, 400, 3), (40, 130, 70), np.uint8)
    pixels[50:950, 150:250] = np.random.default_rng(0).integers(200, 255, (900, 100, 3))
    (shred,) = segment(as_sheet(pixels), 0, OPTIONS).shreds
    x, y, width, height = shred.bbox
    assert shred.angle_deg == 0
    np.testing.assert_array_equal(
        shred.pixels[shred.mask], pixels[y : y + height, x : x + width][: len(shred.mask)][shred.mask]
    )


def test_cuts_touching_shreds_apart() -> None:
    angles = [0.8, -0.5, 1.5, -1.5, 0.0, 0.0]
    places = [130, 255, 400, 540, 700, 850]
    strips = [Strip(x, 600, angle_deg=angle) for x, angle in zip(places, angles, strict=True)]
    segmentation, truth = found_in(Scene(strips))
    assert len(segmentation.shreds) == 6
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.95


@pytest.mark.parametrize("seed", [0, 5])
def test_cuts_a_whole_row_of_touching_shreds_apart(seed: int) -> None:
    strips = [Strip(130 + 115 * k, 600, angle_deg=0.4 * (-1) ** k) for k in range(7)]
    segmentation, truth = found_in(Scene(strips, seed=seed))
    assert len(segmentation.shreds) == 7
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.94


def test_two_touching_shreds_alone_on_a_sheet() -> None:
    segmentation, _ = found_in(Scene([Strip(400, 600), Strip(516, 600, angle_deg=0.6)]))
    assert len(segmentation.shreds) == 2


def test_keeps_a_torn_shred_whole() -> None:
    tears: list[tuple[int, ...]] = [(300,), (), (500,), (), (250, 620)]
    strips = [Strip(130 + 160 * k, 600, torn_at=tears[k]) for k in range(5)]
    segmentation, truth = found_in(Scene(strips, surface=SURFACES["orange"]))
    assert len(segmentation.shreds) == 5
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.96


def test_a_shred_slit_lengthwise_stays_whole() -> None:
    sheet, _ = draw(Scene(row_of_strips(5, ink=False), shadow=0))
    pixels = sheet.pixels.copy()
    x, top = 130 + 2 * 160, 150
    pixels[top:700, x - 3 : x + 3] = SURFACES["yellow"]
    assert len(segment(as_sheet(pixels), 0, OPTIONS).shreds) == 5


def test_short_shreds_in_two_rows_stay_apart() -> None:
    strips = [Strip(130 + 160 * k, y, length=420) for k in range(5) for y in (320, 880)]
    segmentation, _ = found_in(Scene(strips, surface=SURFACES["green"]))
    assert len(segmentation.shreds) == 10


def test_a_rule_across_a_shred_on_black_does_not_cut_it() -> None:
    """Ink and background are equally dark there; every strip drawn has a rule from contour to contour."""
    segmentation, truth = found_in(Scene(row_of_strips(4), surface=SURFACES["black"]))
    for shred, mask in zip(segmentation.shreds, truth, strict=True):
        assert overlap(shred, mask) > 0.96
        middle = shred.pixels[len(shred.mask) // 2 - 30 : len(shred.mask) // 2 + 30, 40:70].min(axis=2)
        assert (middle.mean(axis=1) < 100).sum() >= 4


def test_grey_letters_at_a_cut_on_black_are_kept() -> None:
    """Typewriter ink and pencil are brighter than a black surface, and no part of it."""
    sheet, truth = draw(Scene(row_of_strips(4, ink=False), surface=SURFACES["black"]))
    pixels, letters = sheet.pixels.copy(), []
    for mask in truth:
        right = int(np.flatnonzero(mask[600])[-1])
        letter = mask & False
        for top in (420, 500, 580, 660):
            letter[top : top + 16, right - 18 :] = mask[top : top + 16, right - 18 :]
        pixels[letter] = 130
        letters.append(letter)
    found = segment(as_sheet(pixels), 0, OPTIONS)
    for shred, letter in zip(found.shreds, letters, strict=True):
        grey = np.abs(shred.pixels.astype(int).mean(axis=2) - 130) < 25
        assert grey.sum() > 0.7 * letter.sum()


def test_slivers_crumbs_and_dust() -> None:
    extra = [(950, 300, 60, 100), (1030, 100, 16, 700), (1060, 900, 10, 8)]
    segmentation, _ = found_in(Scene(row_of_strips(5), extra=extra, surface=SURFACES["blue"]))
    assert len(segmentation.shreds) == 5
    assert [(scrap.id, scrap.scrap, scrap.bbox[0] // 10) for scrap in segmentation.scraps] == [
        ("1-s1", "crumb", 95),
        ("1-s2", "sliver", 103),
    ]
    assert segmentation.crumbs == ()


def test_a_sliver_and_a_crumb_keep_their_pixels_and_their_height() -> None:
    extra = [(950, 350, 60, 100), (1030, 170, 16, 860)]
    sheet, _ = draw(Scene(row_of_strips(5), extra=extra, surface=SURFACES["blue"]))
    plain = segment(draw(Scene(row_of_strips(5), surface=SURFACES["blue"]))[0], 0, OPTIONS)
    segmentation = segment(sheet, 0, OPTIONS)
    crumb, sliver = segmentation.scraps
    assert not crumb.compared
    assert not sliver.compared
    assert 11 <= np.median(sliver.mask.sum(axis=1)) <= 16
    assert (sliver.pixels[sliver.mask] > 200).all()
    assert abs(sliver.frame_top_px) <= 3  # as long as the shreds: its top end was cut from the same edge
    assert crumb.frame_top_px == pytest.approx(350 - 150, abs=6)
    assert crumb.angle_deg == 0
    for one, other in zip(segmentation.shreds, plain.shreds, strict=True):
        assert (one.id, one.frame_top_px, one.bbox) == (other.id, other.frame_top_px, other.bbox)


def test_dust_stays_out() -> None:
    segmentation, _ = found_in(Scene(row_of_strips(3), extra=[(950, 300, 30, 40), (1030, 100, 40, 40)]))
    assert segmentation.scraps == ()
    assert [(dust.reason, dust.outline.shape[1]) for dust in segmentation.crumbs] == [("crumb", 2), ("crumb", 2)]


def test_options_say_what_is_too_small() -> None:
    sheet, _ = draw(Scene(row_of_strips(3), extra=[(950, 300, 60, 200)]))
    assert len(segment(sheet, 0, SegmentationOptions(min_length_mm=10)).shreds) == 4
    short = segment(sheet, 0, SegmentationOptions(min_length_mm=100))
    assert short.shreds == ()
    assert [scrap.scrap for scrap in short.scraps] == ["crumb"] * 4


@pytest.mark.parametrize("surface", ["yellow", "black"])
def test_the_scanner_lid_is_no_shred(surface: str) -> None:
    segmentation, truth = found_in(Scene(row_of_strips(5), lid_px=40, surface=SURFACES[surface]))
    assert len(segmentation.shreds) == 5
    assert [scrap.reason for scrap in segmentation.crumbs] == ["frame"]
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.96


def test_a_support_sheet_much_smaller_than_the_scanner() -> None:
    strips = [Strip(550 + 150 * k, 600) for k in range(4)]
    segmentation, truth = found_in(Scene(strips, lid_px=450, surface=SURFACES["orange"]))
    assert len(segmentation.shreds) == 4
    assert [scrap.reason for scrap in segmentation.crumbs] == ["frame"]
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.96


def test_the_lid_is_told_from_a_shred_that_touches_it() -> None:
    strips = [Strip(100 + 160 * k, 600, length=1300, angle_deg=0.3) for k in range(5)]
    segmentation, truth = found_in(Scene(strips, lid_px=40))
    assert len(segmentation.shreds) == 5
    assert overlap(segmentation.shreds[0], truth[0]) > 0.95


def test_a_shred_at_the_edge_of_the_scan_is_no_lid() -> None:
    strips = [Strip(20 + 160 * k, 600, length=1300) for k in range(5)]
    segmentation, _ = found_in(Scene(strips))
    assert len(segmentation.shreds) == 5


def test_top_ends_shown_are_aligned() -> None:
    strips = [replace(strip, y=600 + 40 * (k % 3)) for k, strip in enumerate(row_of_strips(6))]
    strips[3] = replace(strips[3], length=500, y=800)
    segmentation, _ = found_in(Scene(strips))
    tops = [shred.frame_top_px for shred in segmentation.shreds]
    assert all(abs(top) <= 4 for k, top in enumerate(tops) if k != 3)
    assert tops[3] == pytest.approx(550 - (640 - 450), abs=6)


def test_shreds_that_run_off_the_sheet_keep_their_height() -> None:
    """A mark at the same height of the sheet has the same row in the common frame, however a shred is turned."""
    strips = [Strip(130 + 160 * k, 600, length=1500, angle_deg=k - 2.0, ink=False) for k in range(5)]
    sheet, _ = draw(Scene(strips, surface=SURFACES["green"]))
    pixels = sheet.pixels.copy()
    for strip in strips:
        centre = (int(strip.x + np.tan(np.radians(strip.angle_deg)) * -300), 300)
        cv2.circle(pixels, centre, 8, (0, 0, 0), cv2.FILLED)
    rows = []
    for shred in segment(as_sheet(pixels), 0, OPTIONS).shreds:
        dark = np.flatnonzero((shred.pixels.max(axis=2) < 100).any(axis=1))
        rows.append(shred.frame_top_px + (dark[0] + dark[-1]) / 2)
        assert not shred.blank
    np.testing.assert_allclose(rows, 300, atol=2)


@pytest.mark.parametrize("white", [250, 240])
def test_white_on_white_says_what_to_do(white: int) -> None:
    sheet, _ = draw(Scene(row_of_strips(4), surface=(white, white, white)))
    with pytest.raises(NothingFoundError, match=r"scan\.jpg.*as bright as the paper.*coloured or dark surface"):
        segment(sheet, 0, OPTIONS)


def test_a_page_with_a_dark_picture_is_no_sheet_of_shreds() -> None:
    pixels = np.full((1200, 900, 3), 250, np.uint8)
    pixels[300:700, 200:700] = 60
    with pytest.raises(NothingFoundError, match="coloured or dark surface"):
        segment(as_sheet(pixels), 0, OPTIONS)


@pytest.mark.parametrize("surface", ["yellow", "black", "orange"])
def test_an_empty_sheet_is_named(surface: str) -> None:
    sheet, _ = draw(Scene([], surface=SURFACES[surface]))
    with pytest.raises(NothingFoundError, match=r"No shreds found in scan\.jpg"):
        segment(sheet, 0, OPTIONS)


def test_a_file_of_one_shred_is_taken_as_it_is() -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (500, 120, 3), dtype=np.uint8)
    mask = np.zeros((500, 120), np.bool_)
    mask[7:490, 10:100] = True
    mask[200:220, 90:100] = False
    segmentation = segment(as_sheet(pixels, mask), 3, OPTIONS)
    (shred,) = segmentation.shreds
    assert (shred.id, shred.sheet, shred.bbox, shred.angle_deg) == ("4-01", 3, (10, 7, 90, 483), 0.0)
    np.testing.assert_array_equal(shred.mask, mask[7:490, 10:100])
    np.testing.assert_array_equal(shred.pixels[shred.mask], pixels[mask])
    assert segmentation.background is None
    with pytest.raises(NothingFoundError, match="mask is empty"):
        segment(as_sheet(pixels, np.zeros_like(mask)), 0, OPTIONS)


def test_the_same_sheet_gives_the_same_shreds() -> None:
    sheet, _ = draw(Scene(row_of_strips(3)))
    first, second = (segment(sheet, 0, OPTIONS).shreds for _ in range(2))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.pixels, other.pixels)
        np.testing.assert_array_equal(one.mask, other.mask)
        assert one.frame_top_px == other.frame_top_px


def test_progress_rises_and_cancels() -> None:
    sheet, _ = draw(Scene(row_of_strips(3)))
    fractions: list[float] = []
    segment(sheet, 0, OPTIONS, lambda fraction, text: fractions.append(fraction))
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1

    def stop(fraction: float, text: str) -> None:
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        segment(sheet, 0, OPTIONS, stop)


@pytest.mark.parametrize("surface", ["yellow", "orange", "green", "blue"])
@pytest.mark.parametrize("marker", [(252, 250, 130), (252, 250, 175), (190, 250, 150), (255, 170, 210)])
def test_print_under_a_marker_is_paper(surface: str, marker: tuple[int, int, int]) -> None:
    sheet, truth = draw(Scene(row_of_strips(5), surface=SURFACES[surface], quality=92))
    paper = cv2.GaussianBlur(np.any(truth, axis=0).astype(np.float32), (3, 3), 0)[..., None]
    band = np.ones((1200, 1, 1), np.float32)
    for y in range(250, 950, 110):
        band[y : y + 48] = 0
    tint = np.where(band > 0, np.float32(1), np.array(marker, np.float32) / 255)
    pixels = np.rint(sheet.pixels * (1 - paper + paper * tint)).astype(np.uint8)
    segmentation = segment(as_sheet(pixels), 0, OPTIONS)
    assert len(segmentation.shreds) == 5
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.95
    assert not any(shred.blank for shred in segmentation.shreds)


@pytest.mark.parametrize("card", [(180, 195, 215), (190, 192, 190)])
def test_shreds_full_of_print_go_on_where_another_card_begins(card: tuple[int, int, int]) -> None:
    """Rims of print on greyish paper look like the other card: it bears print then, and is no paper for all that."""
    scene = Scene(row_of_strips(5), surface=SURFACES["orange"], paper=(240, 241, 244))
    (above, truth), (below, _) = draw(scene), draw(replace(scene, surface=card))
    pixels = np.concatenate([above.pixels[:650], below.pixels[650:]])
    segmentation = segment(as_sheet(pixels), 0, OPTIONS)
    assert len(segmentation.shreds) == 5
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.95


@pytest.mark.parametrize("paper", [(255, 240, 165), (250, 200, 212), (185, 208, 240), (195, 230, 190)])
@pytest.mark.parametrize("surface", ["yellow", "orange", "black", "red"])
def test_coloured_paper_is_found(surface: str, paper: tuple[int, int, int]) -> None:
    segmentation, truth = found_in(Scene(row_of_strips(5), surface=SURFACES[surface], paper=paper))
    assert len(segmentation.shreds) == 5
    assert min(overlap(shred, mask) for shred, mask in zip(segmentation.shreds, truth, strict=True)) > 0.95
    assert not any(shred.blank for shred in segmentation.shreds)
    blank, _ = found_in(Scene(row_of_strips(5, ink=False), surface=SURFACES[surface], paper=paper))
    assert all(shred.blank for shred in blank.shreds)
