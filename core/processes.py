"""Who and what runs on this computer."""

import getpass
import os
import platform
import sys


def is_running(pid: int) -> bool:
    """Tell whether there is a process of that number."""
    if sys.platform == "win32":
        import ctypes

        kernel, code = ctypes.windll.kernel32, ctypes.c_ulong()
        handle = kernel.OpenProcess(0x1000, False, pid)  # to ask only; os.kill would end it
        known = bool(handle) and bool(kernel.GetExitCodeProcess(handle, ctypes.byref(code)))
        kernel.CloseHandle(handle)
        return known and code.value == 259
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True


def host_name() -> str:
    """Give the name of this computer."""
    return platform.node()


def login_name() -> str:
    """Give the name under which somebody is logged in; "unknown" where the system does not say."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
