"""Texts of the core: numbers with their nouns, and texts that the window shows in its own language.

A text that is to be translated is marked with `QT_TRANSLATE_NOOP` where it is written; one with gaps is a `Message`,
which keeps its template and what stands in the gaps, so that nothing has to be read back out of a sentence.
"""

import re
from collections.abc import Iterable

_FILE = re.compile(r"[^\s/\\]+\.\w{2,5}\b")
_NUMBER = re.compile(r"\d[\d,.]*\b")
_FEW = 3


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Return the text itself; by this name Qt's tools find it, and put it into a context.

    Parameters
    ----------
    context : str
        Under which the window asks for the translation: ``"options"`` or ``"progress"``.
    text : str
        A literal.

    Returns
    -------
    str
        The text.
    """
    return text


class Message(str):
    """A text made from a template; printed, compared and sorted it is the text alone.

    Parameters
    ----------
    template : str
        With a name in braces for each gap.
    **fields : object
        What stands in the gaps.

    Examples
    --------
    >>> message = Message(QT_TRANSLATE_NOOP("progress", "Showing sheet {number} of {n}"), number=3, n=8)
    >>> print(message)
    Showing sheet 3 of 8
    >>> message.template, message.fields
    ('Showing sheet {number} of {n}', {'number': 3, 'n': 8})
    """

    template: str
    fields: dict[str, object]

    def __new__(cls, template: str, **fields: object) -> "Message":
        """Fill the gaps."""
        message = super().__new__(cls, template.format(**fields))
        message.template, message.fields = template, fields
        return message


def counted(n: int, noun: str, thousands: str = "") -> str:
    """Return a number with its noun, in the plural unless it is 1.

    Parameters
    ----------
    n : int
        How many.
    noun : str
        One whose plural ends in s.
    thousands : {"", ",", "_"}
        What sets thousands apart.

    Returns
    -------
    str

    Examples
    --------
    >>> counted(1, "page"), counted(1200, "page"), counted(1200, "page", ",")
    ('1 page', '1200 pages', '1,200 pages')
    """
    return f"{n:{thousands}} {noun if n == 1 else noun + 's'}"


def alike_once(sentences: Iterable[str]) -> list[str]:
    """Gather sentences that say the same of many files: the first of them, and of how many others it holds.

    Parameters
    ----------
    sentences : iterable of str
        Each with the name of a file; what comes before it, and numbers, may differ.

    Returns
    -------
    list of str
        In the order in which each thing is said first.

    Examples
    --------
    >>> alike_once(["a/1.png is empty.", "notes.txt is no picture.", "b/2.png is empty.", "b/3.png is empty."])
    ['a/1.png is empty. The same holds for 2 more: 2.png, 3.png.', 'notes.txt is no picture.']
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for sentence in sentences:
        named = _FILE.search(sentence)
        said = sentence[named.end() :] if named else sentence
        groups.setdefault(_NUMBER.sub("#", said), []).append((sentence, named[0] if named else ""))
    gathered = []
    for (first, _), *others in groups.values():
        if len(others) + 1 < _FEW:
            gathered += [first, *(sentence for sentence, _ in others)]
            continue
        names = [name for _, name in others if name]
        listed = ", ".join(names[:_FEW]) + ("…" if len(names) > _FEW else ".") if names else ""
        gathered.append(f"{first} The same holds for {len(others):,} more" + (f": {listed}" if listed else "."))
    return gathered
