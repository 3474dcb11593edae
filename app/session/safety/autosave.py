"""The working state, kept on disk while there are unsaved changes, and found again after a crash.

Every session with changes has a folder of its own. ``state.json`` holds what is open and its arrangement, small enough
to be written at every change; ``case.rejoin`` holds shreds and costs and is written once. Until it is there, what was
open would be reconstructed anew, with the same result.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from app.session.document import case_file
from app.session.session import Session
from app.session.tasks import Task
from core.arrangement.arrangement import Arrangement
from core.case.arrangement_json import describe_arrangement, read_arrangement
from core.case.case import Case
from core.case.history import History, describe_entry, read_entry
from core.options import first_stage
from core.system.files import replacing

logger = logging.getLogger(__name__)

FORMAT = 2
_DELAY_MS = 300
"""Changes that come faster than this are written together."""
_STATE, _BASE, _LOCK = "state.json", "case.rejoin", "lock"


@dataclass(frozen=True, eq=False)
class UnsavedState:
    """What a program that ended unexpectedly left behind.

    Attributes
    ----------
    folder : Path
        Where it lies.
    paths : tuple of Path
        What was open.
    base : Path or None
        The case file with its shreds, if there is one.
    arrangement, solved : Arrangement or None
        Of the case as it was last.
    history : History
        Up to the last change.
    begun : int
        Number of the entry after which the case was as it is in `base`.
    ended : datetime
        When the last change was written.
    """

    folder: Path
    paths: tuple[Path, ...]
    base: Path | None
    arrangement: Arrangement
    solved: Arrangement | None
    history: History
    begun: int
    ended: datetime

    def newer_than(self, paths: tuple[Path, ...]) -> bool:
        """Return whether this is a later state of what has just been opened."""
        if [path.resolve() for path in self.paths] != [path.resolve() for path in paths]:
            return False
        file = case_file(paths)
        return file is None or file.stat().st_mtime <= self.ended.timestamp()

    @classmethod
    def read(cls, folder: Path) -> UnsavedState | None:
        """Read what is in a folder; None if that is nothing that can be restored."""
        state = folder / _STATE
        try:
            serialised = json.loads(state.read_text(encoding="utf-8"))
            if serialised["format"] != FORMAT:
                return None
            base = folder / _BASE if serialised["base"] is None else Path(serialised["base"])
            return cls(
                folder,
                tuple(map(Path, serialised["paths"])),
                base if base.is_file() else None,
                read_arrangement(serialised["arrangement"]),
                None if serialised["solved"] is None else read_arrangement(serialised["solved"]),
                tuple(map(read_entry, serialised["history"])),
                int(serialised["begun"]),
                datetime.fromtimestamp(state.stat().st_mtime),
            )
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            logger.exception("The state in %s cannot be read.", folder)
            return None


class Autosave(QObject):
    """Writes the working state of a session at every change, on a worker.

    Parameters
    ----------
    session : Session
        Whose case is kept.
    root : Path
        In which each session has its folder; made when there is something to keep.
    """

    restored = Signal(object)
    """The `UnsavedState` that is open again."""

    def __init__(self, session: Session, root: Path) -> None:
        super().__init__(session)
        self._document, self._jobs = session.document, session.jobs
        self._reader, self._editor = session.reader, session.editor
        self._root, self._folder = root, root / os.urandom(16).hex()
        self._lock: QLockFile | None = None
        self._clean: Case | None = None
        self._reread: Case | None = None
        self._base_of: object = None
        self._base_read: Case | None = None
        self._writing: Task | None = None
        self._written = False
        """Whether the folder may have a state."""
        self._basing: Task | None = None
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._write)
        self._document.case_changed.connect(self._begin)
        self._document.saved.connect(self._begin)
        self._document.history_changed.connect(self._change)
        self._document.arrangement_changed.connect(self._change)

    # Keeping

    def _begin(self) -> None:
        """Note another case, or of the same one as it was just saved."""
        if not self._document.stepping:
            case = self._document.case
            self._clean = None if case is None else _without_shreds(case)
            self._reread = self._base_of = None

    def _change(self) -> None:
        """Write soon, or forget what was written if nothing is unsaved any more."""
        if not self._document.modified:
            self._timer.stop()
            self._forget()
        elif not self._timer.isActive():
            self._timer.start()

    def _write(self) -> None:
        """Write the state, and the shreds if they have not been written."""
        case = self._document.case
        if case is None or not self._document.modified or not self._own_folder():
            return
        if self._writing is not None:
            self._timer.start()
            return
        state, paths, saved = self._folder / _STATE, self._document.opened.paths, self._document.case_path
        ground = self._ground(case)
        base = saved if saved is not None and ground is self._clean and case.costs is ground.costs else None
        if base is None and self._base_of is not _lasting(case) and self._of_other_shreds(ground):
            self._write_base(case)  # first: beside other shreds the state would mean nothing
            return
        begun = len(ground.history)
        self._writing = self._jobs.start(lambda progress, deliver: _write_state(state, case, paths, base, begun))
        self._writing.at_outcome(self._settle_write)
        if base is None:
            self._write_base(case)

    def _ground(self, case: Case) -> Case:
        """Return the state that discarding all changes leads to: as it was opened or saved, or its sheets read anew."""
        if self._clean is not None and not _read_otherwise(self._clean, case):
            self._reread = None
            return self._clean
        if self._reread is None or _read_otherwise(self._reread, case):
            self._reread = _without_shreds(case)
        return self._reread

    def _of_other_shreds(self, ground: Case) -> bool:
        """Return whether what would be restored now has other shreds than the case."""
        if self._base_of is None:
            return ground is not self._clean
        return self._base_read is not None and _read_otherwise(self._base_read, ground)

    def _settle_write(self, failure: object = None) -> None:
        self._writing, self._written = None, True
        if isinstance(failure, BaseException):
            logger.warning("The working state could not be kept.", exc_info=failure)
        if not self._document.modified:
            self._forget()

    def _write_base(self, case: Case) -> None:
        """Write shreds and costs with the order as it was before the changes: discarding them leads back to it."""
        ground, engine, path = self._ground(case), self._jobs.engine, self._folder / _BASE
        if self._basing is not None or self._base_of is _lasting(case):
            return
        kept = {name: getattr(ground, name) for name in ("arrangement", "joins", "solved")}
        before = replace(case, **kept, history=())  # which the state holds
        self._basing = self._jobs.start(lambda progress, deliver: engine.save(path, before, progress))
        self._basing.succeeded.connect(lambda: self._settle_base(case))
        self._basing.failed.connect(self._settle_base)
        self._basing.cancelled.connect(self._settle_base)

    def _settle_base(self, outcome: Case | BaseException | None = None) -> None:
        self._basing = None
        if isinstance(outcome, BaseException):
            logger.warning("The shreds could not be kept beside the working state.", exc_info=outcome)
        elif outcome is not None:
            self._base_of, self._base_read = _lasting(outcome), _without_shreds(outcome)
            self._change()  # there may be other costs by now

    def _own_folder(self) -> bool:
        """Create the session's folder and lock it, so that no other window takes it for left behind."""
        if self._lock is None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError:
                logger.warning("The working state cannot be kept in %s.", self._folder, exc_info=True)
                return False
            lock = _lock(self._folder)
            self._lock = lock if lock.tryLock(0) else None
        return self._lock is not None

    def _forget(self) -> None:
        """Remove the state: there is nothing unsaved."""
        if self._written:
            self._written = False
            (self._folder / _STATE).unlink(missing_ok=True)

    def finish(self) -> None:
        """Leave nothing behind at a regular end; workers have ended by then."""
        if self._lock is not None and self._document.undo_stack.isClean():
            self._lock.unlock()
            self._lock = None
            shutil.rmtree(self._folder, ignore_errors=True)

    # Restoring

    def left_behind(self) -> UnsavedState | None:
        """Find the latest session whose program has ended without tidying up."""
        return max(self.all_left_behind(), key=lambda unsaved: unsaved.ended, default=None)

    def all_left_behind(self) -> list[UnsavedState]:
        """Find all sessions whose program has ended without tidying up; folders without a state are removed."""
        found: list[UnsavedState] = []
        for folder in sorted(self._root.iterdir()) if self._root.is_dir() else []:
            lock = _lock(folder)
            if folder == self._folder or not folder.is_dir() or not lock.tryLock(0):
                continue
            unsaved = UnsavedState.read(folder)
            lock.unlock()
            if unsaved is not None:
                found.append(unsaved)
            elif not (folder / _STATE).exists():
                shutil.rmtree(folder, ignore_errors=True)
        return found

    def restore(self, unsaved: UnsavedState) -> None:
        """Open what a session left behind, its changes as one step that can be undone."""
        lock = _lock(unsaved.folder)
        if not lock.tryLock(0):
            return  # another window was faster
        self._reader.reopen(unsaved.paths, unsaved.base, lambda: self._take_over(unsaved, lock))

    def _take_over(self, unsaved: UnsavedState, lock: QLockFile) -> None:
        """Go on with what was done in a session, and in its folder."""
        self._editor.put_back(unsaved.history, unsaved.begun, unsaved.arrangement, unsaved.solved)
        self._folder, self._lock, self._written = unsaved.folder, lock, True
        if unsaved.base is not None and self._document.case is not None:
            case = self._document.case
            self._base_of, self._base_read = _lasting(case), _without_shreds(case)
        self.restored.emit(unsaved)


def _read_otherwise(one: Case, other: Case) -> bool:
    """Return whether sheets read as in one case give other shreds than as in the other: by options, or mended."""
    mends = [[sheet.mends for sheet in case.sheets] for case in (one, other)]
    return mends[0] != mends[1] or first_stage(one.options, other.options) == "read"


def _without_shreds(case: Case) -> Case:
    """Return what is needed of a case that may be kept beside another one: shreds fill the memory."""
    return replace(case, shreds=())


def _lasting(case: Case) -> object:
    """Return what stays the same while a case is edited, and what a case file is written anew for if it changes."""
    return case.shreds if case.costs is None else case.costs


def _lock(folder: Path) -> QLockFile:
    """Build the lock of a session; it is stale only if its process has ended, however long ago it was made."""
    lock = QLockFile(str(folder / _LOCK))
    lock.setStaleLockTime(0)
    return lock


def _write_state(state: Path, case: Case, paths: tuple[Path, ...], base: Path | None, begun: int) -> None:
    """Write what is open, how it is arranged, and how it came to be so; runs on a worker."""
    serialised = {
        "format": FORMAT,
        "paths": [str(path.absolute()) for path in paths],
        "base": None if base is None else str(base.absolute()),
        "arrangement": describe_arrangement(case.arrangement),
        "solved": None if case.solved is None else describe_arrangement(case.solved),
        "history": list(map(describe_entry, case.history)),
        "begun": begun,
    }
    with replacing(state) as new:
        new.write_text(json.dumps(serialised), encoding="utf-8")
