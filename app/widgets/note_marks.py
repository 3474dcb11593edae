"""The sign that says that there is a note, and what a tooltip says of it."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPainter, QPolygon

from app import theme
from app.wording import translate

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
    left, _, right = about.partition("|")
    if right:
        return translate("notes", "Join {left} | {right}").format(left=left, right=right)
    return translate("notes", "Shred {id}").format(id=left)


def noted(notes: Mapping[str, str], abouts: Iterable[str]) -> str:
    """Return the notes about some things, each with what it is about; "" if there are none."""
    return "\n\n".join(f"{title_of(about)}: {notes[about]}" for about in abouts if about in notes)
