from core.shreds.pieces import find_pieces
from core.shreds.scanner_frame import cut_off_frame
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
