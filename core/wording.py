"""Texts of the core: numbers with their nouns, and texts that the window shows in its own language.

A text that is to be translated is marked with `QT_TRANSLATE_NOOP` where it is written; one with gaps is a `Message`,
which keeps its template and what stands in the gaps, so that nothing has to be read back out of a sentence.
"""


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
