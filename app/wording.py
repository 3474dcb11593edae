"""Numbers, times and progress in words, the same everywhere in the window, and in its language."""

from collections.abc import Iterable
from math import isfinite
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QCoreApplication, QDateTime, QLibraryInfo, QLocale, Qt, QTranslator

from core.arrangement.arrangement import Arrangement, JoinState, PageState
from core.arrangement.grid import number_of
from core.case.case import JoinInfo, TurnedBy
from core.matching.confidence import DOUBTFUL, JoinBelow, percentage
from core.sheets.sheet import file_names
from core.shreds.shred import Shred
from core.system.places import ROOT
from core.wording import Message

translate = QCoreApplication.translate

SURE = 0.9
"""From this confidence on a join counts as sure; below it as fair, until it is doubtful."""


JoinMark: TypeAlias = JoinState | Literal["placed"]
"""What the examiner said of a join, or that it was made by moving shreds."""

BY_HAND = "◆"
"""Above a join that was made by hand, and on a shred that was turned or nudged."""

CONFIRMED, FORBIDDEN, IN_DOUBT = "✓", "✕", "?"
"""At a join of which something was said, or that is doubtful."""

PINNED = "⚲"
"""On a shred that is pinned to its page."""


def counted(n: int, one: str, many: str) -> str:
    """Write a number with its noun: "1 shred", "1,200 shreds"."""
    return f"{n:,} {one if n == 1 else many}"


def counted_shreds(shreds: Iterable[Shred]) -> str:
    """Count shreds in words: "24 shreds"; slivers and crumbs are none."""
    return n_shreds(sum(not shred.scrap for shred in shreds))


def n_shreds(n: int) -> str:
    """Write how many shreds there are: "24 shreds"."""
    return counted(n, translate("wording", "shred"), translate("wording", "shreds"))


def degree(confidence: float) -> str:
    """Return how sure something is, "97 % sure", and in a word if that is doubtful: colour is never the only sign."""
    doubtful, sure = translate("wording", "{percent} sure: doubtful"), translate("wording", "{percent} sure")
    return (doubtful if confidence < DOUBTFUL else sure).format(percent=percentage(confidence))


def how_sure(join: JoinInfo) -> str:
    """Return how sure a join is, "97 % sure"; or that a blank or turned shred was never compared."""
    return sure_if_known(join.confidence if isfinite(join.cost) else None)


def how_sure_below(join: JoinBelow) -> str:
    """Return how sure it is that a piece stands directly below another one: "1-07 below 1-02: 97 % sure"."""
    text = translate("wording", "{below} below {above}: {sure}")
    return text.format(below=join.below, above=join.above, sure=sure_if_known(join.confidence))


def sure_if_known(confidence: float | None) -> str:
    """Return how sure something is, "97 % sure"; or that it was never compared."""
    return translate("wording", "not compared") if confidence is None else degree(confidence)


def join_sign(state: JoinState, by_hand: bool, doubtful: bool) -> str:
    """Return the sign of a join; a sure one that nothing was said or done of has none."""
    if state != "suggested":
        return CONFIRMED if state == "confirmed" else FORBIDDEN
    return BY_HAND if by_hand else IN_DOUBT if doubtful else ""


def turned_by(what: TurnedBy) -> str:
    """Return what turned a shred upside down, in a sentence; nothing where nothing did."""
    return {
        "": "",
        "print": translate("wording", "It lay upside down, by its print, and was turned."),
        "page": translate("wording", "It was turned upside down with the rest of its page."),
        "hand": translate("wording", "It stands upside down as it was turned by hand."),
        "paper": translate("wording", "It stands upside down as its paper was turned by hand, or turned over."),
    }[what]


def join_state(state: JoinMark) -> str:
    """Return the word for what the examiner said or did of a join."""
    return {
        "confirmed": translate("wording", "Confirmed"),
        "forbidden": translate("wording", "Forbidden"),
        "suggested": translate("wording", "Suggested"),
        "placed": translate("wording", "Placed by hand"),
    }[state]


def answer(
    joins: Iterable[tuple[tuple[str, str], str]], margins: Iterable[tuple[str, str]] = (), *, below: bool = False
) -> str:
    """Write an answer: "No to 1-01 | 1-02, Yes to 1-01 | 1-03", or "No to 1-01 | 1-02, page ends with 1-01"."""
    if below:
        texts = {"confirmed": translate("wording", "Yes to {lower} below {upper}")}
        texts["forbidden"] = translate("wording", "No to {lower} below {upper}")
        return ", ".join(texts[state].format(upper=upper, lower=lower) for (upper, lower), state in joins)
    texts = {"confirmed": translate("wording", "Yes to {left} | {right}")}
    texts["forbidden"] = translate("wording", "No to {left} | {right}")
    parts = [texts[state].format(left=left, right=right) for (left, right), state in joins]
    ends = {"right": translate("wording", "page ends with {shred}")}
    ends["left"] = translate("wording", "page begins with {shred}")
    return ", ".join((*parts, *(ends[side].format(shred=shred) for shred, side in margins)))


def questions_left(n_questions: int, n_wrong: float) -> str:
    """Write what is still to be asked, and what that is worth: "12 questions left, worth about 3 joins"."""
    if not n_questions:
        return translate("wording", "No questions left: all joins are sure")
    questions = counted(n_questions, translate("wording", "question"), translate("wording", "questions"))
    if n_wrong < 1:
        return translate("wording", "{questions} left, worth less than a join").format(questions=questions)
    joins = counted(round(n_wrong), translate("wording", "join"), translate("wording", "joins"))
    return translate("wording", "{questions} left, worth about {joins}").format(questions=questions, joins=joins)


def page_title(arrangement: Arrangement, page: int, name: str) -> str:
    """Return what a page is called: "Page 3", or "Page 3, Invoice" if it has a name; a row "Page 3, row 2"."""
    number, at = number_of(arrangement, page)
    row = "" if at is None else translate("wording", "row {n}").format(n=at + 1)
    called = ", ".join(filter(None, (row, name)))
    text = translate("wording", "Page {n}, {name}") if called else translate("wording", "Page {n}")
    return text.format(n=number + 1, name=called)


def page_state(state: PageState, changed: bool) -> str:
    """Return how far the examiner is with a page: "Done", or "Done, and changed since"."""
    text = {
        "new": translate("wording", "New"),
        "reviewed": translate("wording", "Reviewed"),
        "done": translate("wording", "Done"),
    }[state]
    return translate("wording", "{state}, and changed since").format(state=text) if changed else text


def languages(codes: Iterable[str]) -> dict[str, str]:
    """Name languages of Tesseract's by its codes for them: "German (deu)"; the code alone where Qt knows no name."""
    known = {code: QLocale.codeToLanguage(code.partition("_")[0]) for code in codes}
    return {
        code: code if language == QLocale.Language.AnyLanguage else f"{QLocale.languageToString(language)} ({code})"
        for code, language in known.items()
    }


def time_left(seconds: float | None) -> str:
    """Return how long it still takes, as roughly as it is known."""
    if seconds is None:
        return ""
    if seconds < 5:
        return translate("wording", "a few seconds left")
    if seconds < 55:
        return translate("wording", "about {n} s left").format(n=5 * round(seconds / 5))
    if seconds >= 5400:
        return translate("wording", "about {n:.1f} h left").format(n=seconds / 3600)
    return translate("wording", "about {n} min left").format(n=max(1, round(seconds / 60)))


def short(name: str, longest: int = 44) -> str:
    """Return a name that a line has room for: of a longer one the beginning and the end, which tell it from others."""
    half = (longest - 1) // 2
    return name if len(name) <= longest else f"{name[:half]}…{name[-half:]}"


def named(paths: tuple[Path, ...]) -> str:
    """Name files opened together: "scan01.png and 3 more"."""
    first, n_more = file_names(paths)[0], len(paths) - 1
    return translate("wording", "{first} and {n} more").format(first=first, n=n_more) if n_more else first


def install(application: QCoreApplication, locale: QLocale | None = None) -> list[QTranslator]:
    """Install the translations of Rejoin and of Qt's own texts that there are for a language.

    ``pyside6-lupdate -extensions py app core -ts resources/translations/rejoin_LANGUAGE.ts`` gathers the
    texts, ``pyside6-lrelease`` makes the file that is read here.

    Parameters
    ----------
    application : QCoreApplication
        Keeps them.
    locale : QLocale, optional
        The system's, if absent.

    Returns
    -------
    list of QTranslator
        Those in force.
    """
    locale = locale or QLocale()
    installed = []
    # Qt's before Rejoin's: what was installed last is asked first.
    for name, folder in (
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        ("rejoin", str(ROOT / "translations")),
    ):
        translator = QTranslator(application)
        if _speaks(locale) and translator.load(locale, name, "_", folder):
            application.installTranslator(translator)
            installed.append(translator)
    return installed


def _speaks(locale: QLocale) -> bool:
    """Return whether Rejoin itself speaks a language: half a translated window would be worse than none."""
    return any((ROOT / "translations").glob(f"rejoin_{locale.name().split('_')[0]}*.qm"))


def translated(text: str) -> str:
    """Translate a text of `core.progress.Progress`; one that nobody has translated stays as it is."""
    if isinstance(text, Message):
        return translate("progress", text.template).format(**text.fields)
    return translate("progress", text)


def local_time(when: str) -> str:
    """Return the time of an entry as the clock of this place showed it."""
    time = QDateTime.fromString(when, Qt.DateFormat.ISODate).toLocalTime()
    return f"{QLocale().toString(time.date(), QLocale.FormatType.ShortFormat)} {time.toString('HH:mm:ss')}"
