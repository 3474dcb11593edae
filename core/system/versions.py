"""What a result depends on besides its input, versions above all; and what a report of a failure tells a developer."""

import importlib.metadata
import platform
import sys
import traceback
from functools import cache

from core import __version__
from core.parallel import n_cores
from core.system import logs

_LIBRARIES: tuple[str, ...] = (
    "numpy",
    "scipy",
    "opencv-python-headless",
    "scikit-image",
    "pillow",
    "highspy",
    "keras",
    "tensorflow",
)


_LIBRARIES += ("tensorflow-cpu",)  # the build of TensorFlow in the bundle


def versions() -> dict[str, str]:
    """Give the versions of Rejoin, of Python and of the libraries that results depend on."""
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    """Look them up once: every step that is recorded asks for them."""
    return {"rejoin": __version__, "python": platform.python_version(), **installed(_LIBRARIES)}


def installed(libraries: tuple[str, ...]) -> dict[str, str]:
    """Give the versions of those libraries that are there: Keras may stand on JAX instead of TensorFlow."""
    found = {}
    for library in libraries:
        try:
            found[library] = importlib.metadata.version(library)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


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
        logs.recent() or "none",
    ]
    return logs.without_home("\n".join(parts))
