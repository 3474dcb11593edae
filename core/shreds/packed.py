"""Shreds kept compressed: of thousands the pixels do not fit into memory, and few are looked at together."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import fields
from threading import Lock
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.parallel import map_in_order
from core.shreds.shred import Shred

KEPT_AS_THEY_ARE_BYTES = 1 << 30
"""So much of the pixels of a case is kept unpacked; what exceeds it is packed."""

_UNPACKED_AT_ONCE = 64
"""Of those that are packed, so many stay unpacked after they have been looked at: two pages."""

_COMPRESSION = 2

Unpacked = tuple[NDArray[np.uint8], NDArray[np.bool_]]


class PackedShred(Shred):
    """A shred whose pixels and mask are a PNG in memory, unpacked whenever they are asked for.

    In all else it is a `Shred`. `dataclasses.replace` gives one that is not packed.
    """

    _png: bytes

    def __new__(cls, **values: Any) -> "PackedShred":
        """Make a plain shred where pixels are given instead of a PNG, as `dataclasses.replace` does."""
        if "png" not in values:
            return Shred(**values)  # type: ignore[return-value]  # then __init__ of this class is not called
        return super().__new__(cls)

    def __init__(self, *, png: bytes, **values: Any) -> None:
        object.__setattr__(self, "_png", png)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def png(self) -> bytes:
        """RGB pixels with the mask as opacity."""
        return self._png

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """See `Shred`; read-only."""
        return _latest.of(self)[0]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """See `Shred`; read-only."""
        return _latest.of(self)[1]


class _Latest:
    """The shreds that were unpacked last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[PackedShred, Unpacked]] = OrderedDict()
        self._lock = Lock()

    def of(self, shred: PackedShred) -> Unpacked:
        """Unpack a shred, unless that has been done lately."""
        key = id(shred)  # of an object that is held here, so that no other can have it
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][1]
        unpacked = unpack(shred.png)
        with self._lock:
            self._kept[key] = (shred, unpacked)
            while len(self._kept) > _UNPACKED_AT_ONCE:
                self._kept.popitem(last=False)
        return unpacked


_latest = _Latest()


def pack(shred: Shred) -> bytes:
    """Give a shred's pixels, with its mask as opacity, as a PNG; nothing is lost."""
    if isinstance(shred, PackedShred):
        return shred.png
    rgba = np.dstack([shred.pixels, shred.mask.astype(np.uint8) * np.uint8(255)])
    _, data = cv2.imencode(".png", cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), [cv2.IMWRITE_PNG_COMPRESSION, _COMPRESSION])
    return data.tobytes()


def unpack(png: bytes) -> Unpacked:
    """Give pixels and mask of a PNG that `pack` made.

    Raises
    ------
    ValueError
        If it is none.
    """
    rgba = cv2.imdecode(np.frombuffer(png, dtype=np.uint8), cv2.IMREAD_UNCHANGED)
    if rgba is None or rgba.ndim != 3 or rgba.shape[2] != 4:
        raise ValueError("an image in it is broken")
    pixels, mask = cv2.cvtColor(rgba, cv2.COLOR_BGRA2RGB), rgba[..., 3] > 0
    pixels.flags.writeable = mask.flags.writeable = False
    return np.asarray(pixels, np.uint8), np.asarray(mask, np.bool_)


class Keeper:
    """Packs shreds once those that came before fill the memory that they may have.

    Parameters
    ----------
    limit_bytes : int
        How much may be kept as it is.
    """

    def __init__(self, limit_bytes: int = KEPT_AS_THEY_ARE_BYTES) -> None:
        self._left = limit_bytes

    def takes(self, n_bytes: int) -> bool:
        """Tell whether so much more may be kept as it is, and count it if so."""
        if n_bytes > self._left:
            return False
        self._left -= n_bytes
        return True

    def keep(self, shreds: Sequence[Shred]) -> tuple[Shred, ...]:
        """Give shreds back, packed where there is no more room."""
        fits = [isinstance(shred, PackedShred) or self.takes(_n_bytes(shred)) for shred in shreds]
        packed = iter(map_in_order(_packed, [shred for shred, fit in zip(shreds, fits, strict=True) if not fit]))
        return tuple(shred if fit else next(packed) for shred, fit in zip(shreds, fits, strict=True))


def put_away(others: Sequence[Sequence[Shred]], shown: Sequence[Shred]) -> list[tuple[Shred, ...]]:
    """Pack shreds that are not shown at present, as far as they find no room beside those that are.

    Parameters
    ----------
    others : sequence of sequence of Shred
        Shreds of earlier readings of the same sheets, kept to be shown again.
    shown : sequence of Shred
        These stay as they are.

    Returns
    -------
    list of tuple of Shred
        The others.
    """
    taken = sum(_n_bytes(shred) for shred in shown if not isinstance(shred, PackedShred))
    keeper = Keeper(max(0, KEPT_AS_THEY_ARE_BYTES - taken))
    return [keeper.keep(shreds) for shreds in others]


def _n_bytes(shred: Shred) -> int:
    return shred.pixels.nbytes + shred.mask.nbytes


def _packed(shred: Shred) -> PackedShred:
    return PackedShred(png=pack(shred), **dict(_plain(shred)))


def _plain(shred: Shred) -> Iterator[tuple[str, Any]]:
    """Give all attributes but pixels and mask."""
    return ((field.name, getattr(shred, field.name)) for field in fields(Shred) if field.name not in ("pixels", "mask"))
