"""Which case file is this window's: others that open it learn of it, and this one learns who has it open already."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.session.document import Document
from app.wording import local_time, translate
from core.case.lock import CaseLock, Holder
from core.system.host import host_name


class Ownership(QObject):
    """Holds the lock of the case file that is open, and lets it go when another one is, or none.

    Parameters
    ----------
    document : Document
        Whose file it is.
    """

    elsewhere = Signal(object, object)
    """A path and its `Holder`: what is open turned out to be open elsewhere, and was made a copy."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._held: tuple[Path, CaseLock] | None = None
        self._claimed: tuple[Path, CaseLock] | None = None
        document.case_changed.connect(self._follow)
        document.saved.connect(self._follow)

    def claim(self, path: Path) -> Holder | None:
        """Ask for a file that is about to be opened or saved to; return who else has it open."""
        path = path.resolve()
        if self._held is not None and self._held[0] == path:
            return None
        self.disclaim()
        self._claimed = path, CaseLock(path)
        return self._claimed[1].holder

    def disclaim(self) -> None:
        """Release what was asked for."""
        if self._claimed is not None:
            self._claimed[1].release()
            self._claimed = None

    def release(self) -> None:
        """Release everything."""
        self.disclaim()
        if self._held is not None:
            self._held[1].release()
            self._held = None

    def _follow(self) -> None:
        """Hold what is open now."""
        path = self._document.case_path
        path = None if path is None else path.resolve()
        if self._held is not None and self._held[0] == path:
            return
        if path is None:
            self.release()
            return
        asked = self._claimed is not None and self._claimed[0] == path
        holder = None if asked else self.claim(path)
        claimed, self._claimed = self._claimed, None
        self.release()
        if holder is None:
            self._held = claimed
        elif claimed is not None:
            claimed[1].release()
            self._document.put(as_copy=True)
            self._document.history_changed.emit()
            self.elsewhere.emit(path, holder)


def sentence(path: Path, holder: Holder) -> str:
    """Describe who has a case open, as far as that is known."""
    if not holder.who:
        return translate("holding", "{name} is open in another window.").format(name=path.name)
    text = translate("holding", "{name} is open in another window: by {who} on {host}, since {when}.")
    return text.format(name=path.name, who=holder.who, host=holder.host, when=local_time(holder.since))


def may_be_stale(holder: Holder) -> bool:
    """Return whether the other window may have ended without a word: it is, or was, on another computer."""
    return holder.host != host_name()
