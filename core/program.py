"""What the program is called where it runs, for the commands that help and messages name."""

import sys

SOURCE, BUNDLE = "python main.py", "rejoin"


def called(text: str) -> str:
    """Write in a text that tells of commands how they are called here.

    Parameters
    ----------
    text : str
        Which names commands as they are called in the source tree: ``python main.py reconstruct``.

    Returns
    -------
    str
        In the bundle, ``rejoin reconstruct``.
    """
    return text.replace(SOURCE, BUNDLE) if getattr(sys, "frozen", False) else text
