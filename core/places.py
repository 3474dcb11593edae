"""Where the system keeps settings, logs and caches of a program; Rejoin writes there, and where the examiner says.

On Linux these are the folders of the XDG specification, elsewhere those of macOS and Windows, as platformdirs knows
them.
"""

import os
from pathlib import Path

from platformdirs import PlatformDirs

_FOLDERS = PlatformDirs("Rejoin", appauthor=False)


def settings_file() -> Path:
    """Give the place of preferences and of the window's state: never evidence."""
    return _FOLDERS.user_config_path / "settings.ini"


def unsaved_folder() -> Path:
    """Give the folder of what is open and not saved, from which it comes back after a crash."""
    return _FOLDERS.user_state_path / "unsaved"


def locks_folder() -> Path:
    """Give the folder that tells which cases are open, of those that lie where nothing can be written."""
    return _FOLDERS.user_state_path / "open"


def log_file() -> Path:
    """Give the place of the log."""
    return _FOLDERS.user_log_path / "rejoin.log"


def keep_libraries_apart() -> None:
    """Have Keras keep its files in Rejoin's cache; to be called before it is imported.

    Otherwise it writes into the home folder, and a ``~/.keras/keras.json`` of another program would have a say in
    what is computed.
    """
    os.environ.setdefault("KERAS_HOME", str(_FOLDERS.user_cache_path / "keras"))
