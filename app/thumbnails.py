"""First glimpses of the files that were dropped, long before the stages get to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from app.tasks import Deliver
from core.progress import Progress

_SIDE_PX = 320
_MAX_FILES = 200
"""Further ones appear when they have been read for good."""


def glimpse(paths: Sequence[Path], progress: Progress, deliver: Deliver) -> None:
    """Look into folders, then at the files; runs on a worker.

    Delivers a tuple of all files, then for each that Qt can read a pair of path and small image. What Qt cannot read is
    passed over: the stages read more formats, and say what is wrong with a file.
    """
    from core.inputs import find_inputs

    files = tuple(file.path for file in find_inputs(paths))
    deliver(files)
    for index, file in enumerate(files[:_MAX_FILES]):
        progress(index / len(files), file.name)
        image = _small(file)
        if not image.isNull():
            deliver((file, image))


def _small(file: Path) -> QImage:
    reader = QImageReader(str(file))
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid():  # a JPEG is then decoded at an eighth of its size, in a twentieth of the time
        reader.setScaledSize(size.scaled(QSize(_SIDE_PX, _SIDE_PX), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
