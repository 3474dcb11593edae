"""Shreds kept compressed on disk: of thousands the pixels do not fit into memory, and few are looked at together."""

import zlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import fields, replace
from threading import Lock
from typing import Any, Protocol
from weakref import ref

import cv2
import imagecodecs
import numpy as np

from core.arrays import Mask, Pixels
from core.parallel import map_in_order
from core.progress import Progress, no_progress
from core.shreds.shred import Shred
from core.system.spool import Spool
from core.wording import QT_TRANSLATE_NOOP

_MEASURING = QT_TRANSLATE_NOOP("progress", "Measuring shred {number} of {n}")

KEPT_AS_THEY_ARE_BYTES = 1 << 28
"""So much of the pixels of a case is kept unpacked; what exceeds it is packed."""

_UNPACKED_BYTES = 1 << 27
"""Of those that are packed, so much stays unpacked after it has been looked at: two pages or three."""

PNG_HEAD_BYTES = 24
"""So many bytes at the beginning of a PNG tell its size."""

_BESIDE_PIXELS = [field.name for field in fields(Shred) if field.name not in ("pixels", "mask")]

Unpacked = tuple[Pixels, Mask]


def png_size(head: bytes) -> tuple[int, int]:
    """Read the width and the height of a PNG from its first `PNG_HEAD_BYTES`."""
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


class Away(Protocol):
    """Bytes that lie on the disk."""

    def read(self, at_most_bytes: int | None = None) -> bytes:
        """Read them, or the first of them."""


class PackedShred(Shred):
    """A shred whose pixels and mask are a PNG in memory or on disk, unpacked whenever they are asked for.

    In all else it is a `Shred`. `dataclasses.replace` makes one that is not packed.

    Parameters
    ----------
    png : bytes or Away
        RGB pixels with the mask as opacity; on disk it is not touched before it is asked for.
    content_sha256 : str, optional
        As of the `Shred`, if it is known.
    paper_px : tuple of int, optional
        Likewise.
    mask_bits : bytes, optional
        Likewise: then nothing is unpacked for the mask.
    **values
        The other fields of a `Shred`.
    """

    _png: bytes | Away
    _size_px: tuple[int, int] | None

    def __new__(cls, **values: Any) -> "PackedShred":
        """Make a plain shred where pixels are given instead of a PNG, as `dataclasses.replace` does."""
        if "png" not in values:
            return Shred(**values)  # type: ignore[return-value]  # then __init__ of this class is not called
        return super().__new__(cls)

    def __init__(self, **values: Any) -> None:
        png = values.pop("png")
        self.__dict__.update(values, _png=png, _size_px=None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the PNG with all else, wherever it lies."""
        return _packed_again, ({"png": self.png} | self.known | {name: getattr(self, name) for name in _BESIDE_PIXELS},)

    @property
    def png(self) -> bytes:
        """The PNG."""
        return self._png if isinstance(self._png, bytes) else self._png.read()

    @property
    def away(self) -> Away | None:
        """Where the PNG lies on the disk; None if it is in memory."""
        return None if isinstance(self._png, bytes) else self._png

    @property
    def pixels(self) -> Pixels:
        """See `Shred`; read-only."""
        return _unpacked(self)[0]

    @property
    def mask(self) -> Mask:
        """See `Shred`; read-only."""
        bits = vars(self).get("mask_bits")
        if bits is None:
            return _unpacked(self)[1]
        changes = np.frombuffer(zlib.decompress(bits), np.uint8).reshape(self.height_px, -1)
        rows = np.bitwise_xor.accumulate(changes, axis=0)
        mask = np.unpackbits(rows, axis=1, count=self.width_px).view(np.bool_)
        mask.flags.writeable = False
        return mask

    @property
    def height_px(self) -> int:
        """See `Shred`; the PNG's head tells."""
        return self._size()[1]

    @property
    def width_px(self) -> int:
        """See `Shred`; the PNG's head tells."""
        return self._size()[0]

    def _size(self) -> tuple[int, int]:
        if self._size_px is None:
            head = self._png if isinstance(self._png, bytes) else self._png.read(PNG_HEAD_BYTES)
            object.__setattr__(self, "_size_px", png_size(head))
        assert self._size_px is not None
        return self._size_px

    def changed(self, **values: Any) -> Shred:
        """See `Shred`; it stays packed."""
        fields_now = {name: getattr(self, name) for name in _BESIDE_PIXELS} | values
        return PackedShred(png=self._png, **self.known, **fields_now)


def _packed_again(values: dict[str, Any]) -> PackedShred:
    return PackedShred(**values)


class _Lately:
    """What was unpacked lately, as far as there is room; of shreds that are gone nothing is kept."""

    def __init__(self) -> None:
        self._turn, self._kept, self._n_bytes = Lock(), OrderedDict[int, tuple[ref[PackedShred], Unpacked]](), 0

    def __call__(self, shred: PackedShred) -> Unpacked:
        with self._turn:
            kept = self._kept.get(id(shred))
            if kept is not None and kept[0]() is shred:
                self._kept.move_to_end(id(shred))
                return kept[1]
        unpacked = unpack(shred.png)
        self.keep(shred, unpacked)
        return unpacked

    def keep(self, shred: PackedShred, unpacked: Unpacked) -> None:
        """Keep what a shred is unpacked to."""
        with self._turn:
            self._drop(id(shred))
            self._kept[id(shred)] = ref(shred), unpacked
            self._n_bytes += _n_bytes_of(unpacked)
            while self._n_bytes > _UNPACKED_BYTES and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: int) -> None:
        dropped = self._kept.pop(key, None)
        self._n_bytes -= 0 if dropped is None else _n_bytes_of(dropped[1])


_unpacked = _Lately()


def _n_bytes_of(unpacked: Unpacked) -> int:
    pixels, mask = unpacked
    return pixels.nbytes + mask.nbytes


def pack(shred: Shred) -> bytes:
    """Compress a shred's pixels, with its mask as opacity, to a PNG; nothing is lost.

    Parameters
    ----------
    shred : Shred
        Packed or not.

    Returns
    -------
    bytes
        A PNG of the shred as it was found, not turned.
    """
    if isinstance(shred, PackedShred):
        return shred.png
    rgba = cv2.cvtColor(np.ascontiguousarray(shred.pixels), cv2.COLOR_RGB2RGBA)
    return as_png(np.asarray(cv2.insertChannel(shred.mask.astype(np.uint8) * np.uint8(255), rgba, 3), np.uint8))


def as_png(picture: Pixels) -> bytes:
    """Compress a picture of paper to a PNG; nothing is lost.

    Paper goes on from one row to the next, and where it does not, it has the scanner's grain, in which nothing longer
    than a run is found again: looking for runs alone takes a third of the usual time, and makes smaller files.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3) or (h, w, 4), uint8
        RGB, or RGB with opacity.

    Returns
    -------
    bytes
        The PNG.
    """
    return bytes(
        imagecodecs.png_encode(picture, 1, strategy=imagecodecs.PNG.STRATEGY.RLE, filter=imagecodecs.PNG.FILTER.UP)
    )


def packed_as(shred: Shred, png: bytes) -> PackedShred:
    """Return a shred whose PNG is at hand; what it is unpacked to is, too, if it is asked for soon.

    Parameters
    ----------
    shred : Shred
        Packed or not.
    png : bytes
        From `pack`.

    Returns
    -------
    PackedShred
    """
    known = PackedShred(png=png, **_known(shred), **{name: getattr(shred, name) for name in _BESIDE_PIXELS})
    pixels, mask = shred.pixels.view(), shred.mask.view()
    pixels.flags.writeable = mask.flags.writeable = False
    _unpacked.keep(known, (pixels, mask))
    return known


def packed(shred: Shred) -> PackedShred:
    """Return a shred packed in memory.

    Parameters
    ----------
    shred : Shred
        Packed or not.

    Returns
    -------
    PackedShred
    """
    if isinstance(shred, PackedShred):
        return shred
    return PackedShred(png=pack(shred), **_known(shred), **{name: getattr(shred, name) for name in _BESIDE_PIXELS})


def unpack(png: bytes) -> Unpacked:
    """Decompress a PNG that `pack` made.

    Parameters
    ----------
    png : bytes
        The PNG.

    Returns
    -------
    pixels : ndarray of shape (h, w, 3), uint8
        RGB, read-only.
    mask : ndarray of shape (h, w), bool
        True where there is paper; read-only.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        rgba = imagecodecs.png_decode(png)
    except (imagecodecs.PngError, ValueError) as error:
        raise ValueError("an image in it is broken") from error
    if rgba.dtype != np.uint8 or rgba.ndim != 3 or rgba.shape[2] != 4:
        raise ValueError("an image in it is broken")
    pixels, mask = cv2.cvtColor(rgba, cv2.COLOR_RGBA2RGB), cv2.extractChannel(rgba, 3) > 0
    pixels.flags.writeable = mask.flags.writeable = False
    return np.asarray(pixels, np.uint8), np.asarray(mask, np.bool_)


def count_paper(shreds: Sequence[Shred], progress: Progress = no_progress) -> None:
    """Have the paper of shreds counted, see `Shred.paper_px`, on all cores, where nobody did: in a case just opened.

    Parameters
    ----------
    shreds : sequence of Shred
        Packed or not.
    progress : Progress
        Fraction and text.
    """
    unknown = [shred for shred in shreds if "paper_px" not in vars(shred)]
    for _ in map_in_order(lambda shred: shred.paper_px, unknown, _MEASURING, progress):
        pass


class Keeper:
    """Pack shreds once those that came before fill the memory that they may have.

    Parameters
    ----------
    limit_bytes : int
        How much may be kept as it is.
    """

    def __init__(self, limit_bytes: int = KEPT_AS_THEY_ARE_BYTES) -> None:
        self._left = limit_bytes
        self._spool = Spool()

    def takes(self, n_bytes: int) -> bool:
        """Check whether so much more may be kept as it is, and count it if so.

        Parameters
        ----------
        n_bytes : int
            Of pixels and mask.

        Returns
        -------
        bool
            False if it is to be packed.
        """
        if n_bytes > self._left:
            return False
        self._left -= n_bytes
        return True

    def keep(self, shreds: Sequence[Shred]) -> tuple[Shred, ...]:
        """Put shreds away where there is no more room, and unpack those that have room.

        Parameters
        ----------
        shreds : sequence of Shred
            Packed or not; those on disk stay there.

        Returns
        -------
        tuple of Shred
            The same, in their order.
        """
        stays = [_is_away(shred) or self.takes(_n_bytes(shred)) for shred in shreds]
        others = [shred for shred, stay in zip(shreds, stays, strict=True) if not stay]
        packed = (
            self.packed(png, **_known(shred), **{name: getattr(shred, name) for name in _BESIDE_PIXELS})
            for shred, png in zip(others, map_in_order(pack, others), strict=True)
        )
        return tuple(_as_kept(shred) if stay else next(packed) for shred, stay in zip(shreds, stays, strict=True))

    def packed(self, png: bytes, **values: Any) -> PackedShred:
        """Put a PNG on disk and make a shred of it.

        Parameters
        ----------
        png : bytes
            From `pack`.
        **values
            The other fields of a `Shred`, and what is known of it.

        Returns
        -------
        PackedShred
        """
        return PackedShred(png=self._spool.put(png), **values)


def put_away(others: Sequence[Sequence[Shred]], shown: Sequence[Shred]) -> list[tuple[Shred, ...]]:
    """Pack shreds that are not shown at present, as far as they find no room beside those that are.

    Parameters
    ----------
    others : sequence of sequence of Shred
        Shreds of earlier readings of the same sheets, kept to be shown again; some may be among those shown.
    shown : sequence of Shred
        These stay as they are.

    Returns
    -------
    list of tuple of Shred
        The others.
    """
    taken = sum(_n_bytes(shred) for shred in shown if not isinstance(shred, PackedShred))
    keeper, here = Keeper(max(0, KEPT_AS_THEY_ARE_BYTES - taken)), {id(shred) for shred in shown}
    packed = []
    for shreds in others:
        away = iter(keeper.keep([shred for shred in shreds if id(shred) not in here]))
        packed.append(tuple(shred if id(shred) in here else next(away) for shred in shreds))
    return packed


def _n_bytes(shred: Shred) -> int:
    """Count the bytes of a shred's pixels and mask."""
    return 4 * shred.height_px * shred.width_px


def _known(shred: Shred) -> dict[str, Any]:
    """Return what is known of a shred, or found now that it is unpacked: of thousands it would take minutes again."""
    if isinstance(shred, PackedShred):
        return shred.known
    return {**shred.known, "paper_px": shred.paper_px, "mask_bits": shred.mask_bits}


def _is_away(shred: Shred) -> bool:
    """Check whether a shred's pixels lie on disk."""
    return isinstance(shred, PackedShred) and shred.away is not None


def _as_kept(shred: Shred) -> Shred:
    """Unpack a shred that is to stay in memory."""
    if not isinstance(shred, PackedShred) or _is_away(shred):
        return shred
    unpacked = replace(shred)
    vars(unpacked).update(shred.known)
    return unpacked
