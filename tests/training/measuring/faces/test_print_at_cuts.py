from types import SimpleNamespace

import numpy as np
import pytest

from core.shreds.borders import Borders
from core.shreds.detect import Found
from training.measuring.faces.print_at_cuts import LEAST_INK_PX, joins_with_print
from training.measuring.faces.truth import TrueFace, TwoFaced

BOTH = ("front", "back")
JOIN = ((0, 0), (0, 1))


def chosen(*found, faces=BOTH):
    """Tell whether the join of two strips is chosen, of faces given as (strip, face, upside down, left ink, right)."""
    names = [str(number) for number in range(len(found))]
    true = {name: TrueFace((0, one[0]), one[1], one[2]) for name, one in zip(names, found, strict=True)}
    left, right = (np.array([np.arange(400) < one[at] for one in found])[..., None] for at in (3, 4))
    embedded = SimpleNamespace(shreds=[SimpleNamespace(id=name) for name in names], borders=Borders(left, right, 0))
    data = TwoFaced(Found((), (), (), (), {}), true, {})
    return joins_with_print([JOIN], data, embedded, faces) == [JOIN]


def test_print_on_both_sides_of_the_cut_is_enough():
    assert chosen((0, "front", False, 0, 300), (1, "front", False, 300, 0))
    assert not chosen((0, "front", False, 300, 0), (1, "front", False, 300, 0))
    assert not chosen((0, "front", False, 0, 300), (1, "front", False, LEAST_INK_PX - 1, 300))


@pytest.mark.parametrize(("face", "upside_down"), [("back", False), ("front", True)])
def test_from_behind_or_upside_down_borders_change_places(face, upside_down):
    assert chosen((0, face, upside_down, 300, 0), (1, face, upside_down, 0, 300))
    assert not chosen((0, face, upside_down, 0, 300), (1, face, upside_down, 300, 0))


def test_from_behind_and_upside_down_they_keep_them():
    assert chosen((0, "back", True, 0, 300), (1, "back", True, 300, 0))


def test_it_must_be_on_the_same_face_and_on_one_that_counts():
    assert not chosen((0, "front", False, 0, 300), (1, "back", False, 0, 300))
    back = (0, "back", False, 300, 0), (1, "back", False, 0, 300)
    assert chosen(*back)
    assert not chosen(*back, faces=("front",))
    assert not chosen((0, "front", False, 0, 300))
