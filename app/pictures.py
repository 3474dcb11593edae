"""Large pictures, composed pages and sheets at full resolution: made on a worker, the latest few kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, QRectF, Signal

from app.image_view import Pyramid
from app.tasks import Task, Tasks

Key: TypeAlias = tuple[Literal["page", "sheet"], int]
_KEPT = 4
"""A page of A4 with its coarser copies takes some 45 MB."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What a view shows.

    Attributes
    ----------
    levels : tuple of QImage
        From the full resolution down.
    size_px : tuple of int
        Width and height at full resolution.
    places : dict of str to QRectF
        Where on a page each shred lies, from left to right; empty for a sheet.
    """

    levels: Pyramid
    size_px: tuple[int, int]
    places: dict[str, QRectF] = field(default_factory=dict)


class Pictures(QObject):
    """Makes pictures when they are asked for.

    Parameters
    ----------
    tasks : Tasks
        Where they are made.
    prepare : callable
        Takes the key and gives the function that makes the picture; the function runs on a worker.
    """

    ready = Signal(object)
    """The key of a picture that `get` now gives."""
    failed = Signal(object)
    """The exception that kept a picture from being made."""

    def __init__(
        self, tasks: Tasks, prepare: Callable[[Key], Callable[[], Picture]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._prepare = prepare
        self._kept: OrderedDict[Key, Picture] = OrderedDict()
        self._making: dict[Key, Task] = {}
        self._failed: set[Key] = set()

    def clear(self) -> None:
        """Forget all pictures, also those being made: the case is another one."""
        for task in list(self._making.values()):
            task.cancel()
        self._making.clear()
        self._kept.clear()
        self._failed.clear()

    def get(self, key: Key) -> Picture | None:
        """Give a picture if it is there; otherwise have it made, and `ready` tells when it is.

        One that could not be made is not tried again, so that its failure is told once.
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._making and key not in self._failed:
            make = self._prepare(key)
            task = self._tasks.start(lambda progress, deliver: make())
            self._making[key] = task
            task.succeeded.connect(lambda picture: self._keep(key, picture))
            task.failed.connect(lambda error: self._give_up(key, error))
        return None

    def _keep(self, key: Key, picture: Picture) -> None:
        del self._making[key]
        self._kept[key] = picture
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        self.ready.emit(key)

    def _give_up(self, key: Key, error: BaseException) -> None:
        del self._making[key]
        self._failed.add(key)
        self.failed.emit(error)
