"""Where icons and style are; for weights and sample sheets see `core.system.places`. Needs no Qt."""

from pathlib import Path

from core.system.places import ROOT
from core.system.places import sample_paths as sample_paths
from core.system.places import weights_path as weights_path


def icon_path(name: str) -> Path:
    """Give the path of an icon, ``"open"`` for ``resources/icons/open.svg``."""
    return ROOT / "icons" / f"{name}.svg"


def style_path() -> Path:
    """Give the path of the style sheet's template."""
    return ROOT / "style.qss"
