"""The computer and its user, and how the program runs on it: from its sources or from the bundle."""

import getpass
import os
import platform
import sys

_OWN = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH")


def is_running(pid: int) -> bool:
    """Check whether there is a process on this computer.

    Parameters
    ----------
    pid : int
        Its number.

    Returns
    -------
    bool
        True also for a process of somebody else.
    """
    if sys.platform == "win32":
        import ctypes

        kernel, code = ctypes.windll.kernel32, ctypes.c_ulong()
        handle = kernel.OpenProcess(0x1000, False, pid)  # to ask only; os.kill would end it
        exists = bool(handle) and bool(kernel.GetExitCodeProcess(handle, ctypes.byref(code)))
        kernel.CloseHandle(handle)
        return exists and code.value == 259
    try:
        os.kill(pid, 0)
    except OSError as error:  # of any other kind: it is somebody else's
        return not isinstance(error, ProcessLookupError)
    return True


def host_name() -> str:
    """Return the name of this computer."""
    return platform.node()


def login_name() -> str:
    """Return the name under which somebody is logged in; "unknown" where the system does not say."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"


def called(text: str) -> str:
    """Replace in a text how commands are called by how they are called here.

    Parameters
    ----------
    text : str
        Which names commands as they are called in the source tree: ``python main.py reconstruct``.

    Returns
    -------
    str
        In the bundle, ``rejoin reconstruct``.
    """
    return text.replace("python main.py", "rejoin") if getattr(sys, "frozen", False) else text


def own_environment() -> dict[str, str]:
    """Return the environment for another process of this very program, which finds the bundle's libraries by itself."""
    return {**os.environ, "PYINSTALLER_RESET_ENVIRONMENT": "1"}


def restore_environment() -> None:
    """Take back what the bundle set in the environment to find its own libraries.

    It has found them by then; a viewer that it opens, or Tesseract, would take them for its own and break.
    """
    if getattr(sys, "frozen", False):
        for name in _OWN:
            os.environ.pop(name, None)
            if (before := os.environ.pop(f"{name}_ORIG", None)) is not None:
                os.environ[name] = before
