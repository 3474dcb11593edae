import numpy as np

from core.shreds.ground.scanner_frame import cut_off_frame, cut_off_lid, dark_rim
from core.shreds.ground.surfaces import reduced
from core.shreds.pieces import find_pieces
from tests.core.drawn_sheets import paper_strips


def test_frame_on_every_side() -> None:
    paper = paper_strips((300, 0, 100, 1000), (500, 0, 100, 1000))
    paper[:, :30] = paper[:, -20:] = paper[:15] = paper[-25:] = True
    inner, frame = cut_off_frame(paper, paper)
    assert len(frame) == 4
    assert sorted(piece.bbox[0] for piece in find_pieces(inner)) == [300, 500]


def test_a_frame_may_lie_aslant() -> None:
    paper = paper_strips((300, 100, 100, 800))
    for row in range(1000):
        paper[row, : 20 + row // 50] = True
    inner, (strip,) = cut_off_frame(paper, paper)
    assert not inner[:, :40].any()
    assert strip.bbox == (0, 0, 39, 1000)


def test_no_frame_no_strip() -> None:
    paper = paper_strips((2, 0, 100, 1000), (300, 0, 100, 1000))
    inner, strips = cut_off_frame(paper, paper)
    assert strips == []
    assert (inner == paper).all()


WHITE = np.array((250, 250, 250), np.float32)


def seen(paper: np.ndarray, lid: np.ndarray | None = None) -> np.ndarray:
    """The sheet, reduced: white paper on orange, the lid a little bluer."""
    pixels = np.where(paper[..., None], 250, np.array((250, 180, 90))).astype(np.uint8)
    if lid is not None:
        pixels[lid] = (225, 240, 252)
    return reduced(pixels).astype(np.float32)


def test_a_wavy_support_leaves_no_lid() -> None:
    """Shreds that reach over the support's edge end where it ends on both sides of them."""
    paper = paper_strips(*[(150 + 140 * k, 100, 90, 850) for k in range(5)])
    lid = np.arange(1000)[:, None] > 880 + 15 * np.sin(np.arange(900) / 60)
    inner, strips = cut_off_lid(paper | lid, paper | lid, seen(paper | lid), WHITE)
    assert len(find_pieces(inner)) == 5
    assert not inner[905:].any()
    assert inner[:860].sum() == paper[:860].sum()
    assert strips


def test_a_bare_strip_of_another_white_is_the_lid() -> None:
    paper = paper_strips((300, 100, 90, 800), (500, 100, 90, 800))
    lid = np.arange(900) < (50 + 10 * np.sin(np.arange(1000) / 90))[:, None]
    inner, _ = cut_off_lid(paper | lid, paper | lid, seen(paper, lid), WHITE)
    assert (inner == paper).all()


def test_a_printed_shred_along_the_edge_is_no_lid() -> None:
    paper = paper_strips((0, 0, 90, 1000), (300, 100, 90, 800))
    small = seen(paper)
    small[::5, :20] = 40
    inner, strips = cut_off_lid(paper, paper, small, WHITE)
    assert (inner == paper).all()
    assert strips == []


def test_a_dark_band_along_the_edge_is_the_frame() -> None:
    grey = np.zeros((1000, 900), np.bool_)
    grey[:, :60] = True
    grey[400:500, 500:600] = True
    rim = dark_rim(grey)
    assert rim[:, :60].all()
    assert not rim[:, 80:].any()
