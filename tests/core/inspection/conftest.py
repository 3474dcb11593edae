import numpy as np
import pytest

from core.inspection.sample_index import BorderSamples, SampleIndex
from core.shreds.shred import Shred


def shred(id, sheet=0, *, ink=True, height=200, seed=0):
    pixels = np.full((height, 80, 3), 255, np.uint8)
    if ink:
        first = 40 + 20 * seed
        pixels[first : first + 10] = 20
    outline = np.zeros((0, 2), np.float32)
    mask = np.ones((height, 80), np.bool_)
    return Shred(id, sheet, (0, 0, 80, height), outline, 0.0, pixels, mask, 0, not ink)


def samples(*of_each):
    """Of each shred a dict of row to vector."""
    return BorderSamples.of(
        [np.array(list(each.values()), np.float32).reshape(-1, 2) for each in of_each],
        [np.array(list(each), np.intp) for each in of_each],
    )


@pytest.fixture
def index():
    shreds = (shred("a"), shred("b"), shred("c", 1), shred("d", 1))
    right = samples({5: (0, 0), 9: (10, 10)}, {}, {5: (3, 0)}, {})
    left = samples({5: (0, 0)}, {5: (3, 4), 6: (0, 2), 40: (1, 0)}, {}, {5: (6, 8), 9: (10, 11)})
    return SampleIndex(shreds, (0, 200), right, left)
