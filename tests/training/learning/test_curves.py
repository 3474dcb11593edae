import cv2
import numpy as np
import pytest

from training.learning.curves import draw_curves

HISTORY = [
    {"step": 100 * k, "loss": 2 / k, "validation_loss": 1 / k + k / 20, "validation_smd": 2 - 1 / k}
    for k in range(1, 9)
]


@pytest.mark.slow
@pytest.mark.parametrize("selection", ["loss", "smd"])
def test_a_picture_of_both_curves(tmp_path, selection):
    draw_curves(HISTORY, selection, tmp_path / "curves.png")
    picture = cv2.imread(str(tmp_path / "curves.png"))
    assert picture.shape == (720, 960, 3)
    colours = np.unique(picture.reshape(-1, 3), axis=0)
    # The curves' blue and orange, in OpenCV's order of channels.
    for colour in ((180, 119, 31), (14, 127, 255)):
        assert (colours == colour).all(axis=1).any()


def test_a_line_marks_the_step_whose_weights_are_kept(tmp_path):
    places = {}
    for selection in ("loss", "smd"):
        draw_curves(HISTORY, selection, tmp_path / "curves.png")
        picture = cv2.imread(str(tmp_path / "curves.png")).astype(int)
        dashes = (np.abs(picture - 128) < 10).all(axis=2).sum(axis=0)
        places[selection] = dashes.argmax() / picture.shape[1]
    assert 0.4 < places["loss"] < 0.6  # the loss is smallest at step 400 of 800, the SMD largest at the last
    assert places["smd"] > 0.9
