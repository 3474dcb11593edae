"""Edits of faces: paper turned over, and which two faces are one paper."""

from dataclasses import dataclass, replace

from core.arrangement.arrangement import Arrangement, OtherFace
from core.arrangement.edit import Edit, InvalidEditError, ShiftOf
from core.arrangement.faces import FacePair, other_faces, showing, with_faces
from core.arrangement.placing import carried_marks


@dataclass(frozen=True)
class TurnOver(Edit):
    """Turns paper over, so that its other face is seen; what stands side by side turns as one, about its middle."""

    shreds: tuple[str, ...]

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        faces, chosen = arrangement.other_faces, dict.fromkeys(self.shreds)
        unknown = [shred for shred in chosen if shred not in arrangement.places]
        if unknown or not chosen:
            raise InvalidEditError(f"There is no shred {unknown[0]}." if unknown else "No shred is named.")
        alone = [shred for shred in chosen if shred not in faces]
        if alone:
            raise InvalidEditError(f"What is on the other face of {', '.join(alone[:3])} is not known.")
        seen = {faces[shred][0] for shred in chosen}
        after = showing(arrangement, seen.union(shred for shred in arrangement.order if shred not in chosen))
        return replace(after, turned_by_hand=after.turned_by_hand | seen, **carried_marks(after, after.pages))


@dataclass(frozen=True)
class PairFaces(Edit):
    """Says that two shreds are the faces of one paper; what either was paired with stands for itself then.

    The fields are those of `core.arrangement.faces.FacePair`.
    """

    one: str
    other: str
    half_turn: bool
    lower_px: int

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        known = arrangement.places.keys() | arrangement.other_faces.keys()
        for shred in (self.one, self.other):
            if shred not in known:
                raise InvalidEditError(f"There is no shred {shred}.")
        if self.one == self.other:
            raise InvalidEditError(f"{self.one} cannot be its own other face.")
        pair = FacePair(self.one, self.other, self.half_turn, self.lower_px)
        faces = _parted(arrangement, self.one, self.other) | other_faces([pair])
        return replace(
            with_faces(arrangement, faces), paired_by_hand=arrangement.paired_by_hand | {self.one, self.other}
        )


@dataclass(frozen=True)
class PartFaces(Edit):
    """Says that a shred and what it was paired with are two pieces of paper; the one that was not seen is set aside."""

    shred: str

    def _changed(self, arrangement: Arrangement, shift_of: ShiftOf) -> Arrangement:
        if self.shred not in arrangement.other_faces:
            raise InvalidEditError(f"{self.shred} is not paired with another face.")
        other = arrangement.other_faces[self.shred][0]
        return replace(
            with_faces(arrangement, _parted(arrangement, self.shred)),
            paired_by_hand=arrangement.paired_by_hand | {self.shred, other},
        )


def _parted(arrangement: Arrangement, *shreds: str) -> dict[str, OtherFace]:
    """Return the pairs of faces without those of some shreds."""
    return {face: other for face, other in arrangement.other_faces.items() if not {face, other[0]}.intersection(shreds)}
