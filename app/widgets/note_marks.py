"""Marks on pictures: the sign that there is a note, with what a tooltip says of it, and words that were looked for."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from PySide6.QtCore import QLineF, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygon, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPolygonItem, QGraphicsRectItem, QGraphicsSimpleTextItem

from app import theme
from app.wording import translate
from core.arrangement.noted import numbered_places, over, subject_of
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


def word_marks(others: Iterable[QRectF], current: Iterable[QRectF]) -> list[QGraphicsItem]:
    """Frame words that were looked for, those of the current hit more strongly."""
    colour = theme.LIGHT.fair  # paper is light in either theme
    marks: list[QGraphicsItem] = []
    for places, alpha, width_px in ((others, 60, 1.0), (current, 100, 2.5)):
        for place in places:
            mark = QGraphicsRectItem(place.adjusted(-4, -4, 4, 4))
            mark.setPen(theme.pen(colour, width_px))
            mark.setBrush(theme.translucent(colour, alpha))
            mark.setZValue(2)
            marks.append(mark)
    return marks


def size_of(outline: QPolygonF) -> tuple[int, int]:
    """Return the size of a shred's own picture, of which these are the corners on a page."""
    corner, right, _, foot = (outline.at(at) for at in range(4))
    return round(QLineF(corner, right).length()), round(QLineF(corner, foot).length())


def frames(
    notes: Mapping[str, str],
    maps: Mapping[str, QTransform],
    outlines: Mapping[str, QPolygonF],
    half_turned: Collection[str],
) -> Iterator[QGraphicsPolygonItem]:
    """Frame the places on a page that there are notes about, each with its number and the note.

    Parameters
    ----------
    notes : mapping of str to str
        See `core.arrangement.arrangement.Arrangement.notes`.
    maps, outlines : mapping of str
        From the own picture of each shred of the page to the page, and its corners there.
    half_turned : collection of str
        Shreds that stand upside down, against how they were found.

    Yields
    ------
    QGraphicsPolygonItem
        In the coordinates of the page.
    """
    for about, number in numbered_places(notes).items():
        (shred,), place_px = subject_of(about)
        if shred in maps and place_px is not None:
            place_px = over(place_px, size_of(outlines[shred])) if shred in half_turned else place_px
            frame = QGraphicsPolygonItem(maps[shred].map(QPolygonF(QRectF(*place_px))))
            frame.setPen(theme.pen(theme.LIGHT.doubtful, 2.0))
            frame.setToolTip(notes[about])
            frame.setZValue(4)
            text = QGraphicsSimpleTextItem(str(number), frame)
            text.setBrush(QColor(theme.LIGHT.doubtful))
            text.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
            text.setPos(frame.polygon().boundingRect().topRight())
            yield frame


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
