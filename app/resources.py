"""Where icons, style, sample sheets and weights are; the only place that knows. Needs no Qt."""

from pathlib import Path

import resources

_ROOT = Path(resources.__file__).resolve().parent


def icon_path(name: str) -> Path:
    """Give the path of an icon, ``"open"`` for ``resources/icons/open.svg``."""
    return _ROOT / "icons" / f"{name}.svg"


def style_path() -> Path:
    """Give the path of the style sheet's template."""
    return _ROOT / "style.qss"


def weights_path() -> Path:
    """Give the path of the encoder's weights that ship with the program."""
    return _ROOT / "weights" / "encoder.keras"


def sample_paths() -> list[Path]:
    """List the sample's sheets, in the order of their names."""
    suffixes = {".jpg", ".jpeg", ".png", ".tif", ".tiff"}
    return sorted(path for path in (_ROOT / "samples").iterdir() if path.suffix.lower() in suffixes)
