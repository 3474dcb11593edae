"""Two windows on one case: the second one is told.

A small file beside the case, or in the user's folder where that one is read-only, tells who has the case open. The
system locks it as long as the process lives, so that what a killed one leaves behind counts for nothing. It keeps
nobody from anything: it is there to be asked.
"""

import hashlib
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.case.history import now
from core.case.wire_names import LOCK
from core.system.host import host_name, login_name
from core.system.json_values import build, canonical, pick, read_json
from core.system.places import locks_folder

_FAR = 1 << 30
"""Windows locks bytes, and nobody can read them then: one is locked that is not there."""


@dataclass(frozen=True)
class Holder:
    """Who has a case open.

    Attributes
    ----------
    who : str
        Name of the login.
    host : str
        Name of the computer.
    pid : int
        Number of the process there.
    since : str
        UTC, as in the history.
    """

    who: str
    host: str
    pid: int
    since: str


class CaseLock:
    """A lock that tells others that a case is open here, until it is released or the process ends.

    Parameters
    ----------
    case : Path
        Its file, which need not be there yet.

    Attributes
    ----------
    holder : Holder or None
        Who else has the case open; None if nobody does, as far as can be told.
    """

    def __init__(self, case: Path) -> None:
        self.holder: Holder | None = None
        self._held: tuple[int, Path] | None = None
        target = case.resolve()
        for path in _places(target):
            with suppress(OSError):  # read-only, not there, or a disk that locks nothing
                if path.parent != target.parent:
                    path.parent.mkdir(parents=True, exist_ok=True)
                self._take(path)
                return

    def release(self) -> None:
        """Release the case to others; once is enough."""
        if self._held is None:
            return
        (handle, path), self._held = self._held, None
        with suppress(OSError):
            if sys.platform != "win32":  # before it is unlocked, so that nobody locks what is about to go
                path.unlink()
        os.close(handle)
        with suppress(OSError):
            if sys.platform == "win32":  # there an open file cannot be removed
                path.unlink()

    def _take(self, path: Path) -> None:
        """Lock the file, or see who has locked it."""
        while True:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                locked = _lock(handle)
                other = _read(handle)
                if locked and _is_at(handle, path):
                    _write(handle)
                    self._held = handle, path
                    # Locks may not reach from one computer to another: then rather one question too many, once.
                    self.holder = other if other is not None and other.host != host_name() else None
                    return
                if not locked:
                    self.holder = other or Holder("", "", 0, "")
                    return
            finally:
                if self._held is None:
                    os.close(handle)


def _places(case: Path) -> tuple[Path, Path]:
    """Return the places at which the file may lie, the better one first."""
    name = hashlib.sha256(os.fsencode(case)).hexdigest()[:16]
    return case.with_name(f".{name}.lock"), locks_folder() / f"{name}.lock"


def _lock(handle: int) -> bool:
    """Lock an open file, unless another one has locked it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(handle: int, path: Path) -> bool:
    """Check whether an open file is still the one of that name: who released it may just have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False


def _read(handle: int) -> Holder | None:
    """Read who holds the case; None where nothing sensible is written."""
    os.lseek(handle, 0, os.SEEK_SET)
    try:
        return build(Holder, read_json(os.read(handle, 4096)), LOCK, "a lock")
    except (ValueError, RecursionError):
        return None


def _write(handle: int) -> None:
    """Write that this process holds the case."""
    holder = Holder(login_name(), host_name(), os.getpid(), now())
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, canonical(pick(holder, LOCK)))
