"""Slivers and crumbs, from the sheet to the page: found, not compared, placed by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrangement.edits import MoveShreds, SetAside
from core.case.file import load, save
from core.composition.evidence import compose_page
from core.errors import NothingFoundError
from core.options import Options
from core.output.result import result
from core.pipeline import reconstruct
from core.renewal.update import solve_again
from core.solver.page_breaks import estimate_n_pages, page_widths
from tests.core.renewal.test_update import no_encoder
from tests.core.test_pipeline import HEIGHT, fake_match, write_sheet

__all__ = ["fake_match"]

SLIVER = "1-s1"


@pytest.fixture
def case(tmp_path, fake_match):
    """Three shreds with ink, and a sliver beside them."""
    from PIL import Image

    path = write_sheet(tmp_path / "a.png", [0, 1, 2])
    pixels = np.array(Image.open(path))
    pixels[40 : 40 + HEIGHT, 20:36] = 245
    Image.fromarray(pixels).save(path, dpi=(300, 300))
    return reconstruct([path], replace(Options()), tmp_path / "none")


def placed(case, edit):
    arrangement, _ = edit.apply(case.arrangement)
    return replace(case, arrangement=arrangement, solved=case.solved or case.arrangement)


def test_a_sliver_is_set_aside_and_asks_nothing_of_the_others(case):
    assert case.arrangement.pages == (("1-01", "1-02", "1-03"),)
    assert case.arrangement.set_aside == (SLIVER,)
    assert case.matched_ids == ("1-01", "1-02", "1-03")
    assert case.costs.n == 3


def test_the_examiner_places_it_and_solving_again_leaves_it_there(case):
    by_hand = placed(case, MoveShreds((SLIVER,), 0, 1))
    again = solve_again(by_hand, no_encoder)
    assert again.arrangement.pages == (("1-01", SLIVER, "1-02", "1-03"),)
    page = compose_page({shred.id: shred for shred in case.shreds}, again.arrangement, 0)
    x, y, width, height = page.placements[SLIVER]
    sliver = next(shred for shred in case.shreds if shred.id == SLIVER)
    assert (page.pixels[y : y + height, x : x + width][sliver.mask] == sliver.pixels[sliver.mask]).all()
    aside = solve_again(placed(again, SetAside((SLIVER,))), no_encoder)
    assert aside.arrangement.pages == case.arrangement.pages


def test_file_and_result_tell_of_it(case, tmp_path):
    save(case, tmp_path / "a.rejoin")
    (sliver,) = (shred for shred in load(tmp_path / "a.rejoin").shreds if shred.scrap)
    original = next(shred for shred in case.shreds if shred.id == SLIVER)
    assert (sliver.id, sliver.scrap, sliver.compared) == (SLIVER, "sliver", False)
    np.testing.assert_array_equal(sliver.pixels, original.pixels)
    assert [(told["id"], told["scrap"]) for told in result(case)["shreds"]][-2:] == [("1-03", ""), (SLIVER, "sliver")]


def test_it_counts_nothing_where_pages_are_counted(make_shred):
    shreds = [make_shred(f"1-{k:02}", np.ones((3000, 96), dtype=np.bool_)) for k in range(24)]
    pieces = [make_shred(f"1-s{k}", np.ones((300, 96), dtype=np.bool_), scrap="crumb") for k in range(90)]
    assert estimate_n_pages(page_widths([*shreds, *pieces], 210)) == 1


def test_sheets_of_nothing_but_scraps_say_what_is_missing(case, tmp_path):
    options = replace(Options(), segmentation=replace(Options().segmentation, min_length_mm=100))
    with pytest.raises(NothingFoundError, match=r"a\.png.*100 mm long"):
        reconstruct([tmp_path / "a.png"], options, tmp_path / "none")
