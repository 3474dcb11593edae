"""Paper without print."""

from dataclasses import replace

import numpy as np

from core.arrangement.arrangement import Arrangement
from core.faces.blank_paper import filling_places, placed_by_geometry
from core.faces.posed import UNSEEN
from tests.core.grid.drawn_grid import as_piece


def _piece(name: str, height: int, width: int, blank: bool = False):
    return as_piece(name, np.full((height, width, 3), 240, np.uint8)).changed(blank=blank)


def test_blank_pieces_are_free_unless_the_examiner_placed_them_or_set_them_aside():
    blank = [_piece(f"1-00{at}", 40, 30, True) for at in range(4)]
    shreds = [*blank, _piece("1-009", 40, 30), _piece("1-010", 3, 3, True).changed(scrap="crumb")]
    papers = [(one.id, UNSEEN) for one in shreds]

    def free(said: Arrangement) -> list[str]:
        return [one for one, _ in placed_by_geometry(shreds, papers, said)]

    assert free(Arrangement()) == ["1-000", "1-001", "1-002", "1-003"]
    placed = Arrangement((("1-009", "1-000", "1-001", "1-002"),), set_aside=("1-003", "1-010"))
    assert free(placed) == ["1-000", "1-001", "1-002"]  # the last was set aside when the others had been placed
    assert free(replace(placed, confirmed=frozenset({("1-009", "1-000")}))) == ["1-001", "1-002"]
    assert free(replace(placed, held=frozenset({("1-000", "1-001")}))) == ["1-002"]
    assert filling_places(shreds, placed) == {"1-000", "1-001", "1-002"}
    strips = [one.changed(cross_cut=False) for one in shreds]
    assert placed_by_geometry(strips, papers, Arrangement()) == []


def test_paper_with_print_on_its_other_face_is_not_blank():
    shreds = [_piece("1-000", 40, 30, True), _piece("2-000", 40, 30), _piece("1-001", 40, 30, True)]
    papers = [("1-000", "2-000"), ("1-001", UNSEEN)]
    assert placed_by_geometry(shreds, papers, Arrangement()) == [("1-001", UNSEEN)]
