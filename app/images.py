"""Pictures as Qt draws them fast, and small ones: glimpses of dropped files, shreds as the order shows them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QDataStream, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QImageWriter, QPolygonF

from core.arrangement.details import MAX_LOGO_BYTES
from core.progress import Progress
from core.shreds.shred import Shred

Pyramid: TypeAlias = tuple[QImage, ...]
"""The same picture at falling sizes, each half of the one before."""

STRIP_SIZE = (24, 200)
"""Width and height of a shred's picture, in pixels; it is drawn stretched to the room there is."""

_SMALLEST_LEVEL_PX = 400
_LOGO_PX = (708, 260)
"""60 × 22 mm on a report, at 300 dpi."""

_AT_A_TIME = 25
_SIDE_PX = 320
_MAX_FILES = 200
"""Further ones appear when they have been read for good."""


def image_from(pixels: NDArray[np.uint8]) -> QImage:
    """Copy RGB or RGBA pixels of shape (h, w, 3) or (h, w, 4) to an image that Qt draws fast."""
    pixels = np.ascontiguousarray(pixels)
    height, width, depth = pixels.shape
    given, fast = (
        (QImage.Format.Format_RGB888, QImage.Format.Format_RGB32)
        if depth == 3
        else (QImage.Format.Format_RGBA8888, QImage.Format.Format_ARGB32_Premultiplied)
    )
    return QImage(pixels.data, width, height, depth * width, given).convertToFormat(fast)


def polygon_from(points: NDArray[Any]) -> QPolygonF:
    """Convert points of shape (k, 2), x and y, to a polygon; as Qt's own stream, in a tenth of the time of objects."""
    polygon = QPolygonF()
    QDataStream(QByteArray(len(points).to_bytes(4, "big") + points.astype(">f8").tobytes())) >> polygon
    return polygon


def changed_image(image: QImage, change: Callable[[NDArray[np.uint8]], NDArray[np.uint8]]) -> QImage:
    """Have the RGB pixels of a picture, of shape (h, w, 3), changed by a function that returns new ones."""
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return image_from(change(rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3)))


def pyramid_from(pixels: NDArray[np.uint8]) -> Pyramid:
    """Build the copies of a picture, RGB or RGBA; for a large one this belongs on a worker."""
    levels = [image_from(pixels)]
    while max(levels[-1].width(), levels[-1].height()) > _SMALLEST_LEVEL_PX:
        half = QSize(max(1, levels[-1].width() // 2), max(1, levels[-1].height() // 2))
        levels.append(levels[-1].scaled(half, mode=Qt.TransformationMode.SmoothTransformation))
    return tuple(levels)


def glimpse(paths: Sequence[Path], progress: Progress, deliver: Callable[[object], None]) -> None:
    """Look into folders, then at the files; runs on a worker.

    Delivers a tuple of all files, then for each that Qt can read a pair of path and small image. What Qt cannot read is
    passed over: the stages read more formats, and say what is wrong with a file.
    """
    from core.sheets.inputs import find_inputs

    files = tuple(file.path for file in find_inputs(paths))
    deliver(files)
    for index, file in enumerate(files[:_MAX_FILES]):
        progress(index / len(files), file.name)
        image = _small(file)
        if not image.isNull():
            deliver((file, image))


def small_pictures(files: Sequence[Path], progress: Progress) -> dict[Path, QImage]:
    """Read files small, as far as Qt can read them and there are not too many; runs on a worker."""
    pictures = {}
    for file in files[:_MAX_FILES]:
        progress(0.0, file.name)
        pictures[file] = _small(file)
    return {file: image for file, image in pictures.items() if not image.isNull()}


def _small(file: Path) -> QImage:
    reader = QImageReader(str(file))
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid():  # a JPEG is then decoded at an eighth of its size, in a twentieth of the time
        reader.setScaledSize(size.scaled(QSize(_SIDE_PX, _SIDE_PX), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


def logo_from(file: Path) -> bytes:
    """Read a picture as a PNG small enough for a logo, empty if Qt cannot read it; runs on a worker."""
    reader = QImageReader(str(file))
    reader.setDecideFormatFromContent(True)
    image, data = reader.read(), QByteArray()
    side = QSize(*_LOGO_PX)
    while not image.isNull() and (data.isEmpty() or data.size() > MAX_LOGO_BYTES):
        if image.width() > side.width() or image.height() > side.height():
            kept, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            image = image.scaled(side, kept, smooth)
        data.clear()
        buffer = QBuffer(data)
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        QImageWriter(buffer, QByteArray(b"png")).write(image)
        side /= 2
    return bytes(data.data())


def strips(shreds: Sequence[Shred], progress: Progress, deliver: Callable[[object], None]) -> None:
    """Draw shreds small, a few at a time; runs on a worker and delivers dictionaries from identifier to image."""
    made: dict[str, QImage] = {}
    for index, shred in enumerate(shreds):
        progress(index / len(shreds), shred.id)
        step = max(1, shred.mask.shape[0] // (4 * STRIP_SIZE[1]))
        full = image_from(shred.pixels[::step, ::2])
        made[shred.id] = full.scaled(*STRIP_SIZE, mode=Qt.TransformationMode.SmoothTransformation)
        if len(made) == _AT_A_TIME:
            deliver(made)
            made = {}
    deliver(made)
