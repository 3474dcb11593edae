"""Where the weights and the sample sheets that ship with the program are."""

import json
from pathlib import Path

import resources

ROOT = Path(resources.__file__).resolve().parent


def weights_path() -> Path:
    """Give the path of the encoder's weights that ship with the program."""
    return ROOT / "weights" / "encoder.keras"


def shipped_weights_sha256() -> str:
    """Give the SHA-256 that the weights had when they were shipped, as their card tells; empty without a card."""
    card = weights_path().with_name("card.json")
    return str(json.loads(card.read_text(encoding="utf-8"))["sha256"]) if card.is_file() else ""


def sample_paths() -> list[Path]:
    """List the sample's sheets, in the order of their names."""
    suffixes = {".jpg", ".jpeg", ".png", ".tif", ".tiff"}
    return sorted(path for path in (ROOT / "samples").iterdir() if path.suffix.lower() in suffixes)


def font_path(name: str) -> Path:
    """Give the path of a font that PDF files embed, ``"NotoSans-Regular"``."""
    return ROOT / "fonts" / f"{name}.ttf"
