"""The text of the pages: read on a worker when it is asked for, and kept while its page stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal

from app.session.document import Document
from app.session.pictures import PageLook
from app.session.tasks import Deliver, Jobs, Task
from core.arrangement.arrangement import OtherFace, Pair
from core.case.case import Case
from core.progress import Progress
from core.text.page_text import PageText, Word

Key: TypeAlias = tuple[PageLook, tuple[OtherFace | None, ...], str]


class Texts(QObject):
    """Has pages read, and knows what was read.

    Parameters
    ----------
    document : Document
        Whose pages they are.
    jobs : Jobs
        Read them.
    """

    changed = Signal()
    """A page has been read, or it is asked for in other languages."""
    reading_changed = Signal()
    """Reading has begun or ended."""
    progressed = Signal(float, str)
    failed = Signal(object)
    """The exception that ended reading."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._jobs = document, jobs
        self._kept: dict[Key, PageText] = {}
        self._task: Task | None = None
        self.languages = ""
        """Those in which pages are read, as Tesseract takes them: "deu+eng"."""
        document.replaced.connect(self._forget)

    @property
    def reading(self) -> bool:
        """Whether pages are being read."""
        return self._task is not None

    def of_page(self, page: int) -> PageText | None:
        """Return what was read on a page as it is now; None if it has not been read."""
        case = self._document.case
        if case is None or not 0 <= page < self._document.n_pages:
            return None
        return self._kept.get(_key(case, page, self.languages))

    def of_all_pages(self) -> list[PageText | None]:
        """List what was read on each page."""
        if not self._kept:  # of hundreds it takes long to see that nothing is known
            return [None] * self._document.n_pages
        return [self.of_page(page) for page in range(self._document.n_pages)]

    def across(self, pair: Pair) -> tuple[Word, ...]:
        """Return the words that cross the cut of a join, on both faces, as far as its page has been read."""
        case = self._document.case
        page = case.arrangement.page_of(pair[1]) if case is not None else None
        text = None if page is None else self.of_page(page)
        if case is None or text is None:
            return ()
        words, faces = text.across.get(pair, ()), case.arrangement.other_faces
        if text.behind is None or not faces.keys() >= {*pair}:
            return words
        return (*words, *text.behind.across.get((faces[pair[1]][0], faces[pair[0]][0]), ()))

    def set_languages(self, languages: str) -> None:
        """Read in other languages from now on; what was read in the ones before is kept."""
        if languages != self.languages:
            self.stop()
            self.languages = languages
            self.changed.emit()

    def read(self, pages: Sequence[int]) -> None:
        """Read those of some pages that have not been read, in that order, unless something is being read already."""
        case, engine, languages = self._document.case, self._jobs.engine, self.languages
        known = self.of_all_pages()
        missing = [page for page in pages if known[page] is None]
        if case is None or not missing or not languages or self._task is not None:
            return

        def work(progress: Progress, deliver: Deliver) -> None:
            for page, text in engine.read_pages(case, missing, languages, progress):
                deliver((_key(case, page, languages), text))

        self._task = task = self._jobs.start(work)
        task.delivered.connect(self._keep)
        task.progressed.connect(self.progressed)
        task.at_outcome(self._end)
        task.failed.connect(self.failed)
        self.reading_changed.emit()

    def stop(self) -> None:
        """Read no further; what has been read is kept."""
        if self._task is not None:
            self._task.cancel()

    def _keep(self, read: tuple[Key, PageText]) -> None:
        key, text = read
        self._kept[key] = text
        self.changed.emit()

    def _end(self, *_: object) -> None:
        self._task = None
        self.reading_changed.emit()

    def _forget(self) -> None:
        self.stop()
        self._kept.clear()
        self.changed.emit()


def _key(case: Case, page: int, languages: str) -> Key:
    """Return all that the text of a page and of its back depends on."""
    arrangement = case.arrangement
    behind = tuple(arrangement.other_faces.get(shred) for shred in arrangement.pages[page])
    return PageLook.of(case, page), behind, languages
