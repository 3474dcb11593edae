from types import SimpleNamespace

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair
from core.pipeline import Arranged
from core.shreds.borders import Borders
from core.shreds.detect import Found
from core.shreds.shred import Shred
from training.measuring.faces import evaluation
from training.measuring.faces.truth import TrueFace, TwoFaced


def shred(name):
    pixels, mask = np.full((4, 4, 3), 255, np.uint8), np.ones((4, 4), np.bool_)
    return Shred(name, 0, (0, 0, 4, 4), np.zeros((0, 2), np.float32), 0.0, pixels, mask, 0, blank=False)


class Fake:
    """A method whose costs are the names of the shreds; no print is at any cut but that between strips 0 and 1."""

    def embedder(self, shreds):
        ink = {"f0": 200, "f1": 200}
        sides = [np.arange(600) < ink.get(one.id, 0) for one in shreds]
        borders = Borders(np.array(sides)[..., None], np.array(sides)[..., None], 0)
        return SimpleNamespace(shreds=shreds, borders=borders)

    def costs(self, shreds, progress):
        return [one.id for one in shreds], {"embed": 1.0, "cost": 2.0}


@pytest.fixture
def data():
    """One sheet of paper of three strips, the back of which is blank."""
    faces = {f"{face[0]}{at}": TrueFace((0, at), face, False) for at in range(3) for face in ("front", "back")}
    inked = {(0, at): frozenset({"front"}) for at in range(3)}
    return TwoFaced(Found((), tuple(map(shred, faces)), (), (), {}), faces, inked)


def test_both_faces_are_measured_against_the_fronts_alone(data, monkeypatch):
    monkeypatch.setattr(evaluation, "find_faces", lambda shreds, progress: (FacePair("f0", "b0", False, 0),))
    asked = []

    def arrange(shreds, costs, options, previous=None):
        other = previous.other_faces if previous else None
        asked.append((costs, other))
        page = ("f0", "f1", "f2") if other else ("f0", "f2", "f1")
        return Arranged(Arrangement((page,)), (), True, 0.0, {"solve": 3.0})

    monkeypatch.setattr(evaluation, "arrange", arrange)
    result = evaluation.compared(data, Fake())
    names = ["f0", "b0", "f1", "b1", "f2", "b2"]
    assert [costs for costs, _ in asked] == [names, names, ["f0", "f1", "f2"]]
    assert asked[0][1] == {"f0": ("b0", False, 0, 1.0), "b0": ("f0", False, 0, 1.0)}
    assert len(asked[1][1]) == 6
    faces = result["faces"]
    assert faces["pairs"] == {"right": 1, "wrong": 0, "turned_wrongly": 0, "n": 3, "share": pytest.approx(1 / 3)}
    assert faces["joins"] == {"both": 1.0, "true_pairs": 1.0, "one": 0.0}
    assert faces["missed"] == {"both": 0, "true_pairs": 0, "one": 2}
    assert faces["wrong"] == {"both": 0, "true_pairs": 0, "one": 2}
    assert faces["blank_backs"] == faces["joins"]
    assert faces["n_with_print"] == {"both": 1, "true_pairs": 1, "one": 1}
    assert faces["with_print"] == faces["joins"]
    assert faces["fewer_missed"] == faces["fewer_wrong"] == 1.0
    assert {"pair", "embed", "cost", "solve"} <= result["seconds"].keys()
    about = {"data_set": "sack", "shreds": {"papers": 1, "laid": 3, "faces": 6, "faces_found": 6}}
    text = evaluation.describe_faces({**about, **result, "peak_memory_mb": 1.0})
    assert "33.33% right: 1 of 3" in text
    assert "fewer wrong       100.0% by both faces" in text
    assert "fronts alone" in text


def test_without_wrong_joins_there_are_none_to_be_fewer(data, monkeypatch):
    monkeypatch.setattr(evaluation, "find_faces", lambda shreds, progress: ())
    right = Arranged(Arrangement((("f0", "f1", "f2"),)), (), True, 0.0, {})
    monkeypatch.setattr(evaluation, "arrange", lambda *asked: right)
    result = evaluation.compared(data, Fake())
    assert result["faces"]["fewer_wrong"] is None
    about = {"data_set": "sack", "shreds": {"papers": 1, "laid": 3, "faces": 6, "faces_found": 6}}
    assert "none by the fronts alone" in evaluation.describe_faces({**about, **result, "peak_memory_mb": 1.0})
