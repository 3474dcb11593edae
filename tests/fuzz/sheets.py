"""Tries of the main job as a whole: sheets with little or nothing to put together, and files called anything."""

import io
import json
import os
import shutil
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import pikepdf
from numpy.typing import NDArray
from PIL import Image

import main
from core.case.file import load
from core.pipeline import load_encoder
from tests.fuzz.trial import Trial
from tests.fuzz.weights import sound

Sheet = NDArray[np.uint8]

DONE, UNREADABLE, NOTHING = 0, 3, 4
SURFACE, PAPER, INK = (250, 190, 80), (248, 247, 243), (40, 40, 45)


def surface(rng: np.random.Generator, height: int = 700, width: int = 600) -> Sheet:
    """Draw a sheet on which nothing lies."""
    return np.clip(np.array(SURFACE) + rng.normal(0, 2, (height, width, 1)), 0, 255).astype(np.uint8)


def with_strips(rng: np.random.Generator, n: int, *, ink: bool = True, width: int = 60, length: int = 500) -> Sheet:
    """Draw strips of paper side by side, with words or without."""
    sheet = surface(rng, length + 200, n * (width + 40) + 100)
    for number in range(n):
        left = 60 + number * (width + 40)
        strip = sheet[100 : 100 + length, left : left + width]
        strip[:] = PAPER
        for top in range(20, length - 20, 40) if ink else ():
            start, stop = sorted(int(place) for place in rng.integers(0, width, 2))
            strip[top : top + 12, start : stop + 4] = INK
    return sheet


def put(path: Path, sheet: Sheet, dpi: int = 300) -> Path:
    """Save a sheet."""
    Image.fromarray(sheet).save(path, path.suffix.removeprefix(".").upper().replace("TIF", "TIFF"), dpi=(dpi, dpi))
    return path


def reconstructed(folder: Path, sheets: Sequence[Path], codes: Sequence[int], *names: str) -> tuple[int, str, str]:
    """Run the command; gives its code and what it said.

    All that it promises must be there and whole if it succeeds; nothing may be there if it does not.
    """
    pages, told, case = (folder / name for name in (names or ("out.pdf", "out.json", "out.rejoin")))
    weights = folder / "encoder.keras"
    weights.write_bytes(sound())
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    out, err = io.StringIO(), io.StringIO()
    arguments = [
        *map(str, sheets),
        "-o",
        str(pages),
        "--json",
        str(told),
        "--case",
        str(case),
        "--weights",
        str(weights),
    ]
    with redirect_stdout(out), redirect_stderr(err), patch("core.pipeline.load_encoder", _encoder):
        code = main.main(["reconstruct", *arguments])
    assert code in codes, (code, err.getvalue())
    assert "Traceback" not in err.getvalue()
    assert "unexpected" not in err.getvalue()
    assert code == DONE or err.getvalue().rstrip().endswith(".")
    assert {path: path.read_bytes() for path in before} == before, "a sheet was changed"
    new = {path for path in folder.rglob("*") if path.is_file()} - before.keys()
    assert new == ({pages, told, case} if code == DONE else set()), new
    if code == DONE:
        result = json.loads(told.read_text(encoding="utf-8"))
        placed = {shred for page in result["pages"] for shred in page} | set(result["set_aside"])
        assert placed == {shred["id"] for shred in result["shreds"]}, "a shred was lost"
        with pikepdf.open(io.BytesIO(pages.read_bytes())) as pdf:
            assert len(pdf.pages) >= len(result["pages"])
        assert len(load(case).shreds) == len(result["shreds"])
    return code, out.getvalue(), err.getvalue()


_encoders: list[object] = []


def _encoder(weights: Path) -> object:
    """Load the encoder once: all tries have the same."""
    if not _encoders:
        _encoders.append(load_encoder(weights))
    return _encoders[0]


def _word(code: int) -> str:
    return {DONE: "done", UNREADABLE: "unreadable", NOTHING: "nothing found"}[code]


def _without_shreds(rng: np.random.Generator, folder: Path) -> str:
    """A sheet of one colour, of noise, of slow changes, or a photograph of anything."""
    noise = rng.integers(0, 256, (600, 500, 3), dtype=np.uint8)
    kinds = (
        lambda: surface(rng),
        lambda: np.full((600, 500, 3), int(rng.integers(0, 256)), np.uint8),
        lambda: noise,
        lambda: np.tile(np.linspace(0, 255, 500).astype(np.uint8)[None, :, None], (600, 1, 3)),
        lambda: cv2.GaussianBlur(noise, (0, 0), 15),
        lambda: np.where(noise > 200, noise, 255).astype(np.uint8),
    )
    sheet = put(folder / "scan.png", kinds[rng.integers(0, len(kinds))]())
    return _word(reconstructed(folder, [sheet], (NOTHING, DONE))[0])


def _crumbs(rng: np.random.Generator, folder: Path) -> str:
    """Thousands of crumbs of paper, with two strips among them or without."""
    strips = rng.random() < 0.5
    sheet = cv2.resize(with_strips(rng, 2), (1500, 1400)) if strips else surface(rng, 1400, 1500)
    size = int(rng.integers(2, 12))
    for _ in range(int(rng.integers(1000, 5000))):
        top, left = int(rng.integers(0, 1400)), int(rng.integers(0, 1500))
        sheet[top : top + size, left : left + size] = PAPER
    return _word(reconstructed(folder, [put(folder / "scan.png", sheet)], (NOTHING, DONE))[0])


def _one_shred(rng: np.random.Generator, folder: Path) -> str:
    code, out, _ = reconstructed(folder, [put(folder / "scan.png", with_strips(rng, 1))], (DONE,))
    assert "1 page from 1 shred on 1 sheet" in out
    return _word(code)


def _blank(rng: np.random.Generator, folder: Path) -> str:
    sheet = put(folder / "scan.png", with_strips(rng, int(rng.integers(1, 5)), ink=False))
    code, _, err = reconstructed(folder, [sheet], (NOTHING,))
    assert "blank" in err
    return _word(code)


def _twice(rng: np.random.Generator, folder: Path) -> str:
    """The same sheet under two names, as a copy or saved in another format."""
    first = put(folder / "scan.png", with_strips(rng, 3))
    if rng.random() < 0.5:
        second = Path(shutil.copy(first, folder / "copy.png"))
    else:
        second = put(folder / "copy.tif", np.asarray(Image.open(first)))
    code, out, err = reconstructed(folder, [first, second], (DONE,))
    assert "3 shreds on 1 sheet" in out
    assert f"{second} was left out: it has the same content as {first}" in err
    return _word(code)


def _mixed_dpi(rng: np.random.Generator, folder: Path) -> str:
    sheets = []
    for number, dpi in enumerate(rng.choice([150, 200, 300, 400, 600], 2, replace=False)):
        sheet = with_strips(rng, 2)
        scale = dpi / 300
        resized = cv2.resize(
            sheet, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        )
        sheets.append(put(folder / f"scan {number}.png", resized, int(dpi)))
    code, out, _ = reconstructed(folder, sheets, (DONE,))
    assert "4 shreds on 2 sheets" in out
    return _word(code)


def _some_unreadable(rng: np.random.Generator, folder: Path) -> str:
    """A good sheet among files of nonsense, or only those."""
    bad = [folder / f"bad {number}.png" for number in range(3)]
    for path in bad:
        path.write_bytes((b"", rng.bytes(200), b"\x89PNG\r\n\x1a\n" + rng.bytes(99), b"%PDF-1.4")[rng.integers(0, 4)])
    good = [put(folder / "good.png", with_strips(rng, 2))] if rng.random() < 0.5 else []
    code, _, err = reconstructed(folder, [*bad, *good], (DONE if good else UNREADABLE,))
    assert all(str(path) in err for path in bad)
    return _word(code)


NAMES = (
    "\u05d0\u05d1\u05d2",
    "\N{PILE OF POO}\N{ZERO WIDTH JOINER}",
    "a\nb",
    "\u202egnp",
    "e\u0301",
    "\u00e9",
    " lead",
    "trail ",
)
NAMES += (
    "x" * 200,
    os.fsdecode(b"\xff\xfe"),
    "-o",
    "--help",
    "%s%n{0}",
    "'\"`$(id)",
    "\x1b[31m",
    "a\tb",
    "~",
    ".hidden",
    "#",
)
NAMES += ("\u4e2d\u6587", "\ufeff", "\x7f", "con", "a&b<c>", "*?[", "\\back\\slash")


def _any_name(rng: np.random.Generator, folder: Path) -> str:
    """Sheets, folders and results called by any characters that the system allows."""
    inner = folder / NAMES[rng.integers(0, len(NAMES))]
    inner.mkdir()
    stem = NAMES[rng.integers(0, len(NAMES))]
    sheet = put(inner / f"{stem}.png", with_strips(rng, 2))
    names = [f"{NAMES[rng.integers(0, len(NAMES))]}.{ending}" for ending in ("pdf", "json", "rejoin")]
    return _word(reconstructed(folder, [sheet], (DONE,), *names)[0])


KINDS: dict[str, Trial] = {
    "sheet without shreds": _without_shreds,
    "thousands of crumbs": _crumbs,
    "one shred": _one_shred,
    "all shreds blank": _blank,
    "the same sheet twice": _twice,
    "sheets of mixed resolutions": _mixed_dpi,
    "unreadable files among sheets": _some_unreadable,
    "names with any characters": _any_name,
}
