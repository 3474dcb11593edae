"""SHA-256 of files and of plain values."""

import hashlib
from pathlib import Path
from typing import Any

from core.plain import canonical


def file_sha256(path: Path) -> str:
    """Hash a file, piece by piece.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def values_sha256(told: Any) -> str:
    """Hash values that JSON can hold, equal ones alike; see `core.plain.canonical`."""
    return hashlib.sha256(canonical(told)).hexdigest()
