"""An engine whose pages are composed with turned shreds, as pages that went askew into the shredder are."""

import threading
from dataclasses import dataclass, field, replace

from core.composition.evidence import compose_page
from core.composition.pages import pictures_of
from core.composition.pose import plain_poses
from core.composition.reading import compose_reading_page
from tests.app.fakes import STRIP_WIDTH, FakeEngine

ANGLE_DEG = 1.5
OVERLAP_PX = 4


@dataclass
class TurnedEngine(FakeEngine):
    """Turns every shred of a levelled page, and lays rims of a reading page over one another.

    Levelled pages can be held until they are released, so that drafts are seen.
    """

    levelling: threading.Event = field(default_factory=threading.Event)
    composed: list[tuple[int, str, bool]] = field(default_factory=list)

    def __post_init__(self):
        self.levelling.set()

    def compose(self, case, page, rendition="evidence"):
        level = rendition == "reading" or case.options.composition.level
        self.composed.append((page, rendition, level))
        if not level:
            return super().compose(case, page)
        assert self.levelling.wait(240)
        plain = plain_poses(case.shred_by_id, case.arrangement, page)
        step_px = STRIP_WIDTH - OVERLAP_PX
        poses = {
            name: replace(pose, x_px=200 + at * step_px, angle_deg=pose.angle_deg + ANGLE_DEG, angle_error_deg=0.1)
            for at, (name, pose) in enumerate(plain.items())
        }
        if rendition == "reading":
            return compose_reading_page(pictures_of(case, page), poses)
        return compose_page(case.shred_by_id, case.arrangement, page, case.options.composition, poses)
