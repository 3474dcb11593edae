"""The window with paper of which both faces were scanned."""

from dataclasses import replace

import pytest

from core.arrangement.faces import FacePair, other_faces, with_faces
from tests.app.fakes import FakeEngine

DOUBTFUL = 0.7


class TwoFacedEngine(FakeEngine):
    """Finds the backs of the first sheet's shreds on the third one; how sure it is of 1-02 leaves doubts."""

    def reconstruct(self, *arguments, **others):
        case = super().reconstruct(*arguments, **others)
        if len(case.sheets) < 3:
            return case
        sure = {2: DOUBTFUL}
        pairs = [FacePair(f"1-0{k}", f"3-0{k}", k == 3, 10 * k, sure.get(k, 0.99)) for k in (1, 2, 3, 4)]
        arrangement = with_faces(case.arrangement, other_faces(pairs))
        joins = tuple(join for join in case.joins if arrangement.has_join(join.left, join.right))
        return replace(case, arrangement=arrangement, joins=joins)


@pytest.fixture
def engine():
    return TwoFacedEngine(strips_on_page=3)
