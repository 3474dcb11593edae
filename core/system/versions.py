"""What a result depends on besides its input, versions above all; and what a report of a failure tells a developer."""

import hashlib
import platform
import sys
import traceback
from contextlib import suppress
from functools import cache
from pathlib import Path

import core
from core import __version__
from core.parallel import n_cores
from core.system import logs
from core.system.host import host_name
from core.system.places import weights_path

_LIBRARIES = ("numpy", "scipy", "opencv-python-headless", "pillow", "highspy", "keras")
_TENSORFLOW = ("tensorflow", "tensorflow-cpu")  # the latter is its build in the bundle
_WINDOW = ("PySide6-Essentials", "pyqtgraph")


def versions() -> dict[str, str]:
    """Return the versions of Rejoin, of Python and of the libraries that results depend on."""
    return {"rejoin": __version__, "python": platform.python_version(), **installed(_LIBRARIES + _TENSORFLOW)}


@cache  # every step that is recorded asks for them
def installed(libraries: tuple[str, ...]) -> dict[str, str]:
    """Find the versions of libraries, as far as they are there: Keras may stand on JAX instead of TensorFlow.

    Parameters
    ----------
    libraries : tuple of str
        As pip names them.

    Returns
    -------
    dict
        By the names of the libraries; not to be changed.
    """
    from importlib import metadata  # brings a parser of e-mail along, for which the window need not wait

    found = {}
    for library in libraries:
        with suppress(metadata.PackageNotFoundError):
            found[library] = metadata.version(library)
    return found


@cache
def fingerprint() -> str:
    """Hash the program that computes, and where it does: what one computed, another need not believe.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    return hashlib.sha256(f"{program()} {host_name()}".encode()).hexdigest()


@cache
def program() -> str:
    """Hash the program that computes, with its libraries and the weights that ship with it, wherever it does.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    digest = hashlib.sha256(repr((sorted(versions().items()), platform.machine())).encode())
    for path in sorted(weights_path().parent.glob("*.keras")):
        digest.update(path.read_bytes())
    root = Path(core.__file__).parent
    sources = sorted(root.rglob("*.py"))
    if not sources:  # in the bundle they are a part of the program
        program = Path(sys.executable).stat()
        digest.update(repr((program.st_size, program.st_mtime_ns)).encode())
    for path in sources:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


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
