import numpy as np
import pytest

from core.inspection.neighbours import distance_between
from core.inspection.sample_plane import map_height
from core.inspection.samples import Sample


def test_map_keeps_distances_that_lie_in_a_plane(index):
    drawn = map_height(index, 5, also=[Sample("b", "left", 6), Sample("b", "left", 6), Sample("a", "left", 30)])
    assert drawn.samples == (
        Sample("a", "right", 5),
        Sample("c", "right", 5),
        Sample("a", "left", 5),
        Sample("b", "left", 5),
        Sample("d", "left", 5),
        Sample("b", "left", 6),
    )
    assert drawn.share == pytest.approx(1)
    place = dict(zip(drawn.samples, drawn.points, strict=True))
    for one, other in [(("a", "right", 5), ("b", "left", 5)), (("b", "left", 5), ("b", "left", 6))]:
        expected = distance_between(index, Sample(*one), Sample(*other))
        assert np.linalg.norm(place[Sample(*one)] - place[Sample(*other)]) == pytest.approx(expected, rel=1e-5)


def test_a_height_without_ink_gives_an_empty_map(index):
    assert map_height(index, 30).samples == ()
