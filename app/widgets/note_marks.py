"""The sign that says that there is a note, and what a tooltip says of it."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPainter, QPolygon

from app import theme
from app.wording import translate
from core.arrangement.noted import subject_of
from core.units import px_to_mm

SIDE = 9
"""Of the sign, in pixels of the screen."""


def paint_mark(painter: QPainter, at: QPoint) -> None:
    """Draw a folded corner, its upper right end at a point, on paper that is white in every theme."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.LIGHT.accent))
    painter.drawPolygon(QPolygon([at, at + QPoint(-SIDE, 0), at + QPoint(0, SIDE)]))
    painter.restore()


def title_of(about: str) -> str:
    """Name what a note is about."""
    if not about:
        return translate("notes", "The case")
    shreds, place_px = subject_of(about)
    if len(shreds) == 2:
        return translate("notes", "Join {left} | {right}").format(left=shreds[0], right=shreds[1])
    if place_px is None:
        return translate("notes", "Shred {id}").format(id=shreds[0])
    x, y = (px_to_mm(place_px[at] + place_px[at + 2] / 2) for at in (0, 1))
    text = translate("notes", "Place on shred {id}, {x:.0f} mm from its left and {y:.0f} mm from its upper edge")
    return text.format(id=shreds[0], x=x, y=y)


def noted(notes: Mapping[str, str], abouts: Iterable[str]) -> str:
    """Return the notes about some things, each with what it is about; "" if there are none."""
    return "\n\n".join(f"{title_of(about)}: {notes[about]}" for about in abouts if about in notes)
