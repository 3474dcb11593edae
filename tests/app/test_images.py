import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

from app.images import polygon_from


@pytest.mark.parametrize("points", [np.array([[0, -1], [2500, 7], [3, 4]], np.int32), np.array([[0.1, 2e5]])])
def test_points_become_a_polygon(points):
    assert polygon_from(points) == QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def test_no_points_become_an_empty_polygon():
    assert polygon_from(np.empty((0, 2))).isEmpty()
