"""Where things lie on this machine: settings, logs and caches, and what ships with the program.

On Linux settings, logs and caches lie in the folders of the XDG specification, elsewhere in those of macOS and Windows,
as platformdirs knows them. Rejoin writes there, and where the examiner says.
"""

import json
import os
from pathlib import Path

from platformdirs import PlatformDirs

import resources

ROOT = Path(resources.__file__).resolve().parent
"""The folder of what ships with the program."""

CACHE_GB = 20.0
"""So much of what stages made is kept on disk, if nothing else is wanted."""

_FOLDERS = PlatformDirs("Rejoin", appauthor=False)


def settings_file() -> Path:
    """Return the place of preferences and of the window's state: never evidence."""
    return _FOLDERS.user_config_path / "settings.ini"


def unsaved_folder() -> Path:
    """Return the folder of what is open and not saved, from which it comes back after a crash."""
    return _FOLDERS.user_state_path / "unsaved"


def locks_folder() -> Path:
    """Return the folder that tells which cases are open, of those that lie where nothing can be written."""
    return _FOLDERS.user_state_path / "open"


def cache_folder() -> Path:
    """Return the folder of what can be computed again."""
    return _FOLDERS.user_cache_path


def stages_folder() -> Path:
    """Return the folder of what stages made of sheets, kept for later runs."""
    return cache_folder() / "stages"


def log_file() -> Path:
    """Return the place of the log."""
    return _FOLDERS.user_log_path / "rejoin.log"


def keep_libraries_apart() -> None:
    """Make Keras keep its files in Rejoin's cache; to be called before it is imported.

    Otherwise it writes into the home folder, and a ``~/.keras/keras.json`` of another program would have a say in
    what is computed.
    """
    os.environ.setdefault("KERAS_HOME", str(cache_folder() / "keras"))


def weights_path() -> Path:
    """Return the path of the encoder's weights that ship with the program."""
    return ROOT / "weights" / "encoder.keras"


def way_up_weights_path() -> Path:
    """Return the path of the weights, shipped with the program, of what tells which way up a shred is."""
    return ROOT / "weights" / "way_up.keras"


def piece_weights_path(direction: str) -> Path:
    """Return the weights of the encoder of pieces for one direction, "across" or "down"."""
    return ROOT / "weights" / f"pieces_{direction}.keras"


def shipped_weights_sha256() -> str:
    """Return the SHA-256 that the weights had when they were shipped, as their card tells; empty without a card."""
    card = weights_path().with_name("card.json")
    return str(json.loads(card.read_text(encoding="utf-8"))["sha256"]) if card.is_file() else ""


def sample_paths() -> list[Path]:
    """List the sample's sheets, in the order of their names."""
    suffixes = {".jpg", ".jpeg", ".png", ".tif", ".tiff"}
    return sorted(path for path in (ROOT / "samples").iterdir() if path.suffix.lower() in suffixes)


def font_path(name: str) -> Path:
    """Return the path of a font that PDF files embed.

    Parameters
    ----------
    name : str
        ``"NotoSans-Regular"``.

    Returns
    -------
    Path
        A TrueType file, which need not be there.
    """
    return ROOT / "fonts" / f"{name}.ttf"
