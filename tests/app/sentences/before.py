"""A case before something is done with it."""

from core.arrangement.arrangement import Arrangement
from core.arrangement.faces import FacePair, other_faces

BEFORE = Arrangement(
    pages=(("a", "b", "c", "d"), ("e", "f")),
    set_aside=("x",),
    confirmed=frozenset({("e", "f")}),
    notes={"b": "torn"},
    details={"number": "7"},
    held=frozenset({("b", "c")}),
    page_names={"e": "Letter"},
    other_faces=other_faces([FacePair("e", "e-back", False, 0), FacePair("f", "f-back", True, 2)]),
)
