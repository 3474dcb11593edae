"""Pages drawn and cut without loss."""

import numpy as np
from PIL import Image

from training.demo.pieces import N_COLUMNS, N_ROWS, PIECE_PX, drawn_page, write_pieces


def test_pieces_put_together_are_the_page(tmp_path):
    rows = write_pieces(tmp_path / "page", 3)
    pieces = [[np.array(Image.open(tmp_path / "page" / f"{name}.png")) for name in row] for row in rows]
    whole = np.vstack([np.hstack(row) for row in pieces])
    assert (whole == np.array(drawn_page(3))).all()
    assert len({name for row in rows for name in row}) == N_ROWS * N_COLUMNS
    assert {piece.shape[::-1] for row in pieces for piece in row} == {PIECE_PX}
    assert (whole < 128).mean() > 0.02, "there is print"
    assert (np.array(drawn_page(4)) != whole).any()
