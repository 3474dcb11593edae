"""Words on the pages, shreds, sheets, pages and notes are found, and the text of a page is copied."""

from itertools import chain

from PySide6.QtCore import QObject, QRectF, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from app import wording
from app.pages.page_view import PageView
from app.sentences.naming import pages
from app.session.tasks import Task
from app.shell import Shell
from app.widgets.controls import build
from app.widgets.note_marks import title_of
from app.wording import translate
from core.arrangement.arrangement import Arrangement
from core.arrangement.noted import subject_of
from core.text import tesseract
from core.text.case_search import Finding, find_things
from core.text.search import Hit, find

_REST_MS = 500
_MESSAGE_MS = 8000
_LISTED = 100
"""Of more, what is meant is not found by looking through a list."""


class Finder(QObject):
    """Lets the pages be read when their text is asked for first, and again when they have changed.

    Parameters
    ----------
    shell : Shell
        The window.
    view : PageView
        The page, with the bar in which words are typed.
    """

    marked_behind = Signal(list, list)
    """Where words that were looked for stand on the back of the page that is shown, and those of the current hit."""

    def __init__(self, shell: Shell, view: PageView) -> None:
        super().__init__(shell.parent)
        self._shell, self._view, self._bar = shell, view, view.find_bar
        self._document, self._texts = shell.session.document, shell.session.texts
        self.things: list[Finding] = []
        """What is called, in whole or in part, as what was typed."""
        self.hits: tuple[Hit, ...] = ()
        self.current: Hit | None = None
        self._asking: Task | None = None
        self._to_copy: int | None = None
        self._seeking = False
        """Whether the first hit is to be gone to: since words were typed, and until there is one."""
        self._rest = build(QTimer, self, singleShot=True, interval=_REST_MS, timeout=self._read)
        self._connect()

    def _connect(self) -> None:
        actions, bar, texts, document = self._shell.actions, self._bar, self._texts, self._document
        actions.find.triggered.connect(self.open)
        actions.find_next.triggered.connect(lambda: self.step(1))
        actions.find_previous.triggered.connect(lambda: self.step(-1))
        actions.copy_text.triggered.connect(self.copy_page)
        actions.cancel.triggered.connect(self.close)
        bar.wanted_changed.connect(self._seek)
        bar.stepped.connect(self.step)
        bar.chosen.connect(self._go_to_row)
        bar.line_wanted.connect(self._copy_line)
        bar.languages.changed.connect(self._choose_languages)
        for signal in (bar.closed, self._view.canvas.escaped):
            signal.connect(self.close)
        document.replaced.connect(self.close)
        document.arrangement_changed.connect(self._search)
        document.arrangement_changed.connect(self._rest.start)
        texts.changed.connect(self._search)
        texts.changed.connect(self._copy_read)
        texts.reading_changed.connect(self._follow_reading)
        texts.progressed.connect(lambda fraction, text: bar.state.setText(text))
        texts.failed.connect(self.close)

    # Opening and closing

    def open(self) -> None:
        """Show the bar below the page, and begin to read what has not been read; or say why no words are found."""
        self._shell.actions.table.setChecked(False)
        if not tesseract.installed():
            self._bar.ask(self._missing())
        else:
            self._bar.ask()
            self._with_languages()
        self._search()

    def close(self) -> None:
        """Hide the bar and read no further."""
        self._to_copy = None
        self._texts.stop()
        if self._bar.isVisibleTo(self._view):
            had_focus = self._bar.isAncestorOf(QGuiApplication.focusObject())  # type: ignore[arg-type]
            self._bar.hide()
            self.show_hits()
            if had_focus:
                self._view.canvas.setFocus()

    @property
    def _is_open(self) -> bool:
        return self._bar.isVisibleTo(self._view)

    def _missing(self) -> str:
        return self.tr(
            "Tesseract, which reads the text of the pages, is not installed on this machine. "
            "Install it (on Debian: tesseract-ocr) and press Ctrl+F again."
        )

    def _with_languages(self) -> None:
        """Find out, on a worker, in which languages pages can be read; then read them."""
        if self._asking is None:
            jobs = self._shell.session.jobs
            self._asking = jobs.start(lambda progress, deliver: jobs.engine.languages())
            self._asking.succeeded.connect(self._offer)
            self._asking.failed.connect(jobs.failed)
            self._asking.at_outcome(self._stop_asking)

    def _stop_asking(self, *_: object) -> None:
        self._asking = None

    def _offer(self, available: tuple[str, ...]) -> None:
        usable = tesseract.usable(self._shell.settings.languages(), available)
        self._bar.languages.offer(wording.languages(available), usable.split("+"))
        self._texts.set_languages(usable)
        if not usable:
            self._bar.ask(
                self.tr("Tesseract knows no language here. Install one (on Debian: tesseract-ocr-eng) and try again.")
            )
        self._read()

    def _choose_languages(self, languages: tuple[str, ...]) -> None:
        self._shell.settings.set_languages("+".join(languages))
        self._texts.set_languages("+".join(languages))
        self._read()

    # Reading

    def _read(self) -> None:
        """Have the pages read: all of them from the one that is shown on, or the one whose text is to be copied."""
        page, n_pages = self._document.page, self._document.n_pages
        if self._is_open:
            self._texts.read([*range(page, n_pages), *range(page)])
        elif self._to_copy is not None:
            self._texts.read([self._to_copy])

    def _follow_reading(self) -> None:
        if not self._texts.reading:
            self._bar.state.clear()
            self._rest.start()  # something may have been edited since reading began
        self._search()

    # Finding

    def _seek(self) -> None:
        self._seeking = True
        self._search()

    def _search(self) -> None:
        """Find anew; who stands on a hit stays there, else at the first one from the page shown on."""
        if not self._is_open:
            return
        self.hits = find(self._texts.of_all_pages(), self._bar.field.text())
        if self.current not in self.hits:
            here = self._document.page
            self.current = next((hit for hit in self.hits if hit.page >= here), next(iter(self.hits), None))
        if self._seeking and self.current is not None:
            self._seeking = False
            self._go()
        self._count()
        self._list()
        self.show_hits()

    def _list(self) -> None:
        """List what was found by its name, and behind that the hits, each with the line in which it stands."""
        opened = self._document.opened
        self.things, lines = [], []
        if opened.case is not None:
            self.things = find_things(opened.case, opened.sheet_names, self._bar.field.text(), _LISTED)
            lines = [line(thing, opened.case.arrangement) for thing in self.things]
        self._bar.show_found(lines + [self._describe(hit) for hit in self.hits[:_LISTED]])

    def _describe(self, hit: Hit) -> str:
        word = self.tr("Word, back of page {n}: {line}") if hit.behind else self.tr("Word, page {n}: {line}")
        return word.format(n=hit.page + 1, line=self._line_of(hit))

    def _line_of(self, hit: Hit) -> str:
        text = self._texts.of_page(hit.page)
        face = text.behind if text is not None and hit.behind else text
        return "" if face is None else face.line_of(hit.words[0])

    def _go_to_row(self, row: int) -> None:
        if row < len(self.things):
            go_to(self._shell, self.things[row])
        elif row - len(self.things) < len(self.hits):
            self._go_to_hit(self.hits[row - len(self.things)])

    def step(self, by: int) -> None:
        """Go to the next hit (1), or to the one before (-1); around the ends."""
        if not self._is_open:
            self.open()
        elif self.current is not None:
            self._go_to_hit(self.hits[(self.hits.index(self.current) + by) % len(self.hits)])
        elif self.things:
            go_to(self._shell, self.things[0])

    def _go_to_hit(self, hit: Hit) -> None:
        self.current = hit
        self._go()
        self._count()
        self.show_hits()

    def _go(self) -> None:
        if self.current is not None:
            self._document.show_page(self.current.page)
            if not self.current.behind:
                self._view.canvas.show_place(self._rect(self.current))

    def _rect(self, hit: Hit) -> QRectF:
        """Return what holds the first word of a hit."""
        return self._rects(hit)[0]

    def _rects(self, hit: Hit) -> list[QRectF]:
        """Return what holds the words of a hit, where they are on the canvas: text is of the row, the page is whole."""
        canvas = self._view.canvas
        return [QRectF(*box).translated(canvas.area.topLeft()) for box in hit.boxes_px(canvas.rendition)]

    def _count(self) -> None:
        text = ""
        if self.current is not None:
            told = self.tr("{number} of {n}, page {page}")
            if self.current.behind:
                told = self.tr("{number} of {n}, on the back of page {page}")
            here = {"number": self.hits.index(self.current) + 1, "page": self.current.page + 1}
            text = told.format(n=len(self.hits), **here)
        elif self._bar.field.text().strip():
            text = self.tr("No words found yet") if self._texts.reading else self.tr("No words found")
        self._bar.show_count(text, self.current is not None)

    def show_hits(self) -> None:
        """Mark the hits on the page that is shown."""
        canvas, shown = self._view.canvas, self._document.page
        is_shown = self._is_open and bool(canvas.places)
        here = [hit for hit in self.hits if hit.page == shown and not hit.behind] if is_shown else []
        current = self.current if self.current in here else None
        others = [rect for hit in here if hit != current for rect in self._rects(hit)]
        canvas.mark_found(others, self._rects(current) if current else [])
        behind = [hit for hit in self.hits if hit.page == shown and hit.behind] if self._is_open else []
        of_current = [[QRectF(*box) for box in hit.boxes_px(canvas.rendition)] for hit in behind if hit == self.current]
        of_others = [[QRectF(*box) for box in hit.boxes_px(canvas.rendition)] for hit in behind if hit != self.current]
        self.marked_behind.emit(list(chain(*of_others)), list(chain(*of_current)))

    def page_shown(self, *, edited: bool) -> None:
        """Mark the hits on a page that has just come in sight; one that was edited stays where it is."""
        self.show_hits()
        here = None if self.current is None or self.current.behind else self.current.page
        if not edited and self._is_open and self.current is not None and here == self._document.page:
            self._view.canvas.show_place(self._rect(self.current))

    # Copying

    def copy_page(self) -> None:
        """Copy the text of the page shown; it is read first if need be."""
        if not tesseract.installed():
            self._shell.notices.tell(self._missing(), icon="warning")
            return
        self._to_copy = self._document.page
        self._copy_read()
        if self._to_copy is not None:
            self._shell.status_bar.showMessage(self.tr("Reading page {n}…").format(n=self._to_copy + 1))
            self._with_languages()

    def _copy_read(self) -> None:
        """Copy the text that was asked for once it has been read."""
        text = None if self._to_copy is None else self._texts.of_page(self._to_copy)
        if text is not None and self._to_copy is not None:
            QGuiApplication.clipboard().setText(text.text)
            words = wording.counted(len(text.words), self.tr("word"), self.tr("words"))
            told = self.tr("Copied: the text of page {n}, {words}").format(n=self._to_copy + 1, words=words)
            self._shell.status_bar.showMessage(told, _MESSAGE_MS)
            self._to_copy = None

    def _copy_line(self) -> None:
        line = "" if self.current is None else self._line_of(self.current)
        if line:
            QGuiApplication.clipboard().setText(line)
            self._shell.status_bar.showMessage(self.tr("Copied: {line}").format(line=line), _MESSAGE_MS)


def line(finding: Finding, arrangement: Arrangement) -> str:
    """Describe in a line what was found, its kind first."""
    text = " ".join(finding.text.split())
    if isinstance(finding.key, int):
        if finding.kind == "page":
            return wording.page_title(arrangement, finding.key, text)
        return translate("findings", "Sheet {n}, {name}").format(n=finding.key + 1, name=text)
    if finding.kind == "note":
        return translate("findings", "Note: {title}: {text}").format(title=title_of(finding.key), text=text)
    page = arrangement.page_of(arrangement.seen(finding.key))
    aside = translate("findings", "Shred {id}, set aside")
    placed = translate("findings", "Shred {id}, {page}")
    return (aside if page is None else placed).format(id=text, page="" if page is None else pages(arrangement, [page]))


def go_to(shell: Shell, finding: Finding) -> None:
    """Show what was found: its page, its shreds chosen, or its sheet."""
    document, key = shell.session.document, finding.key
    if isinstance(key, int):
        (document.show_page if finding.kind == "page" else document.select_sheet)(key)
    elif key:
        shreds, _ = subject_of(key)
        document.select_shreds(shreds, shreds[-1])
        document.show_shred(shreds[-1])
    else:
        shell.docks.show("history")
