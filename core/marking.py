"""Marking texts to be translated, where they are declared; they are translated where they are shown."""


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Give the text itself; by this name Qt's tools find it, and put it into a context."""
    return text
