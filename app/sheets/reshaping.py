"""The outline of a shred that is bent: which corner is under the pointer or the cross, grasped, moved, taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

if TYPE_CHECKING:
    from core.sheets.bent_outline import BentOutline  # brings OpenCV along


class Reshaping:
    """Bends one outline at a time; what comes of it, its owner makes a mend."""

    def __init__(self) -> None:
        self.bent: BentOutline | None = None
        """None as long as no shred is chosen."""
        self.corner = -1
        """The one under the pointer, or grasped; -1 for none."""
        self.grasped = False

    def begin(self, path: QPainterPath | None) -> None:
        """Bend another outline, or none."""
        self.corner, self.grasped, self.bent = -1, False, None
        if path is not None:
            from core.sheets.bent_outline import BentOutline

            points = (path.elementAt(at) for at in range(path.elementCount()))
            self.bent = BentOutline.of([(point.x, point.y) for point in points])

    def point_at(self, at: QPointF, reach: float) -> None:
        """Find the corner within reach of a place, unless one is grasped."""
        if self.bent is not None and not self.grasped:
            apart = [(QPointF(*corner) - at).manhattanLength() for corner in self.bent.corners]
            nearest = min(range(len(apart)), key=apart.__getitem__)
            self.corner = nearest if apart[nearest] < reach else -1

    def grasp(self, at: QPointF, reach: float) -> bool:
        """Grasp the corner within reach of a place, or make one there of the outline; return whether there is any."""
        self.point_at(at, reach)
        if self.bent is not None and self.corner < 0 and self.bent.distance_px((at.x(), at.y())) < reach:
            self.bent, self.corner = self.bent.added((at.x(), at.y()))
        self.grasped = self.corner >= 0
        return self.grasped

    def seen(self, at: QPointF) -> BentOutline | None:
        """Return the outline as it is with what is grasped at a place."""
        if self.bent is None or not self.grasped:
            return self.bent
        return self.bent.moved(self.corner, (round(at.x(), 1), round(at.y(), 1)))

    def drop(self, at: QPointF) -> bool:
        """Let go of a corner at a place; return whether there was one."""
        grasped, self.bent, self.grasped = self.grasped, self.seen(at), False
        return grasped

    def remove(self) -> bool:
        """Take the corner under the pointer away; return whether the outline is another one."""
        if self.bent is None or self.corner < 0:
            return False
        before, self.bent = self.bent, self.bent.removed(self.corner)
        self.corner, self.grasped = -1, False
        return self.bent is not before

    def step(self, at: QPointF, by: int) -> QPointF | None:
        """Return where the corner is that comes after, or before, the one nearest to a place."""
        if self.bent is None or self.grasped:
            return None
        self.point_at(at, float("inf"))
        return QPointF(*self.bent.corners[(self.corner + by) % len(self.bent.corners)])
