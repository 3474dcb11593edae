"""Where the weights and the sample sheets that ship with the program are."""

from pathlib import Path

import resources

ROOT = Path(resources.__file__).resolve().parent


def weights_path() -> Path:
    """Give the path of the encoder's weights that ship with the program."""
    return ROOT / "weights" / "encoder.keras"


def sample_paths() -> list[Path]:
    """List the sample's sheets, in the order of their names."""
    suffixes = {".jpg", ".jpeg", ".png", ".tif", ".tiff"}
    return sorted(path for path in (ROOT / "samples").iterdir() if path.suffix.lower() in suffixes)


def font_path(name: str) -> Path:
    """Give the path of a font that PDF files embed, ``"NotoSans-Regular"``."""
    return ROOT / "fonts" / f"{name}.ttf"
