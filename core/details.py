"""What a report of a failure tells a developer, and nothing else: no names of people, no content of documents."""

import platform
import sys
import traceback

from core import __version__, log_file
from core.parallel import n_cores
from core.versions import installed, versions

_WINDOW = ("PySide6-Essentials", "pyqtgraph")


def details(error: BaseException) -> str:
    """Describe a failure and where it happened.

    Parameters
    ----------
    error : BaseException
        With its chain of causes.

    Returns
    -------
    str
        Versions, system, the exceptions with their places in the program, and the last lines of the log; the home
        folder is written ``~``.
    """
    kind = "bundle" if getattr(sys, "frozen", False) else "from source"
    libraries = {**versions(), **installed(_WINDOW)}
    del libraries["rejoin"]
    parts = [
        f"Rejoin {__version__}, {kind}",
        f"{platform.platform()}, {platform.machine()}, {n_cores()} cores",
        ", ".join(f"{name} {version}" for name, version in libraries.items()),
        "",
        "".join(traceback.format_exception(error)).strip(),
        "",
        "Last lines of the log:",
        log_file.recent() or "none",
    ]
    return log_file.without_home("\n".join(parts))
