"""Weights and their card: what they were trained on, how, where and for how long, and their hash."""

import hashlib
import json
import platform
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import keras
import numpy as np

from core import __version__
from core.parallel import n_cores
from core.system.files import file_sha256
from training.learning.contrastive import PaperRecipe
from training.learning.listwise import Recipe
from training.pages.intact import Pages
from training.pages.shredding import Wear


def pages_sha256(pages: Pages) -> str:
    """Hash the margins of pages, page by page, so that they need not be copied."""
    digest = hashlib.sha256()
    for page in pages.margins:
        digest.update(np.ascontiguousarray(page).data)
    return digest.hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of what training computes with."""
    return {
        "rejoin": __version__,
        "python": platform.python_version(),
        "keras": keras.__version__,
        "backend": keras.backend.backend(),
        "numpy": np.__version__,
    }


def machine() -> dict[str, Any]:
    """Describe the machine: its graphics cards, where NVIDIA's tool is there to name them, and cores."""
    cards: list[str] = []
    if shutil.which("nvidia-smi"):
        query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        cards = subprocess.run(query, capture_output=True, text=True, check=False).stdout.split("\n")
    return {
        "graphics": [card.strip() for card in cards if card.strip()],
        "processor": platform.machine(),
        "cores": n_cores(),
        "system": platform.system(),
    }


LARGE = 10_000
"""Arrays of more weights than this are rounded, see `write_weights`."""


def write_weights(model: keras.Model, path: Path) -> None:
    """Write a model in little room: large arrays are rounded to half precision, and the file is compressed.

    The many weights of a last layer are each of little account; rounding the few of the first layers would move
    results more. Keras reads the file as any other.

    Parameters
    ----------
    model : keras.Model
        Its weights are rounded.
    path : Path
        File to write, .keras.
    """
    weights = model.get_weights()
    model.set_weights([one.astype(np.float16).astype(np.float32) if one.size > LARGE else one for one in weights])
    model.save(path)
    with zipfile.ZipFile(path) as archive:
        content = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_LZMA)


def save(
    encoder: keras.Model,
    path: Path,
    pages: Pages | Sequence[Pages],
    recipe: Recipe | PaperRecipe,
    wear: Wear,
    history: list[dict[str, float]],
    shares: Sequence[float] | None = None,
    validate_on: int = 0,
) -> None:
    """Write weights, see `write_weights`, and beside them their card.

    Parameters
    ----------
    encoder : keras.Model
        Trained.
    path : Path
        File to write, .keras; the card is card.json in the same folder.
    pages : Pages or sequence of Pages
        What it was trained on.
    recipe, wear, history, shares, validate_on
        As for `training.learning.loop.train`, and what that gave.
    """
    sources = [pages] if isinstance(pages, Pages) else list(pages)
    facts = {
        "wear": asdict(wear) if isinstance(recipe, Recipe) else None,
        "pages": [describe(source) for source in sources],
        "shares": list(shares or [1] * len(sources)),
        "validate_on": validate_on,
        "seconds": history[-1]["seconds"],
    }
    save_with_card(encoder, path, path.with_name("card.json"), recipe, history, facts)


def describe(pages: Pages) -> dict[str, Any]:
    """Describe pages: how many, and their hash."""
    return {"n": len(pages.names), "sha256": pages_sha256(pages)}


def save_with_card(
    model: keras.Model, path: Path, card: Path, recipe: Any, history: list[dict[str, float]], facts: dict[str, Any]
) -> None:
    """Write weights, see `write_weights`, and a card of them: recipe, `facts`, machine, history, versions, hash."""
    write_weights(model, path)
    content = {"weights": path.name, "sha256": file_sha256(path), "recipe": recipe.name, "settings": asdict(recipe)}
    content |= facts | {"machine": machine(), "history": history, "versions": versions()}
    content["date"] = datetime.now(UTC).strftime("%Y-%m-%d")
    card.write_text(json.dumps(content, indent=1) + "\n")
