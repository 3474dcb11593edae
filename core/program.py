"""How the program runs: from its sources or from the bundle, and what follows from that."""

import os
import sys

from core import pdf_process

SOURCE, BUNDLE = "python main.py", "rejoin"
_OWN = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH")


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


def drawing_command() -> list[str]:
    """Give the command that starts the process of `core.pdf_process`; its arguments follow."""
    if getattr(sys, "frozen", False):
        return [sys.executable, pdf_process.COMMAND]
    return [sys.executable, "-P", pdf_process.__file__]  # -P: the modules beside it are not Python's


def own_environment() -> dict[str, str]:
    """Give the environment for another process of this very program, which finds the bundle's libraries anew."""
    return {**os.environ, "PYINSTALLER_RESET_ENVIRONMENT": "1"}


def restore_environment() -> None:
    """Take back what the bundle set in the environment to find its own libraries.

    It has found them by then; a viewer that it opens, or Tesseract, would take them for its own and break.
    """
    if getattr(sys, "frozen", False):
        for name in _OWN:
            before = os.environ.pop(f"{name}_ORIG", None)
            os.environ.pop(name, None)
            if before is not None:
                os.environ[name] = before
