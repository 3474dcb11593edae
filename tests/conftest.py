import gc
import os

# pytest's workers have all cores at work: what numpy or scikit-learn divide among further threads waits for these,
# spinning, several times as long as it takes alone. A program that a test starts does as its environment says, too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.arrangement.arrangement import Arrangement
from core.case.case import Case, JoinInfo
from core.matching.costs import Costs
from core.options import Options
from core.sheets.sheet import SheetInfo
from core.shreds.shred import Crumb, Shred
from core.system.disk_cache import DiskCache
from core.text import tesseract

_COLUMNS = "level,page_num,block_num,par_num,line_num,word_num,left,top,width,height,conf,text"

_STUB = """\
#!/bin/sh
case "$1" in
--version) echo "tesseract 9.9" ;;
--list-langs) printf 'List of available languages (3):\\ndeu\\neng\\nosd\\n' ;;
*) cat > "$0.image"; cat "$0.tsv" ;;
esac
"""


def pytest_collection() -> None:
    """Look for no garbage while libraries and tests are read: it takes seconds, and they stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.enable()


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let no test find what another one kept on disk, nor the user's."""
    monkeypatch.setattr("core.system.disk_cache.stages_folder", lambda: tmp_path_factory.mktemp("stages"))


@pytest.fixture(scope="session")
def sample_cache(tmp_path_factory: pytest.TempPathFactory) -> DiskCache:
    """What was read of the bundled sample, for all tests that ask something else of it, in both of pytest's workers."""
    own = tmp_path_factory.getbasetemp()
    return DiskCache((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "sample")


@pytest.fixture(scope="session")
def make_shred() -> Callable[..., Shred]:
    """Make shreds of random colours with the mask given (True: paper)."""

    def make(shred_id: str, mask: np.ndarray, frame_top_px: int = 0, **others) -> Shred:
        rng = np.random.default_rng(sum(map(ord, shred_id)))
        pixels = np.where(mask[..., None], rng.integers(0, 255, (*mask.shape, 3)), 255).astype(np.uint8)
        height, width = mask.shape
        outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
        defaults = {"sheet": 0, "bbox": (5, 6, width, height), "angle_deg": 0.25, "blank": False}
        return Shred(
            **(defaults | others), id=shred_id, outline=outline, pixels=pixels, mask=mask, frame_top_px=frame_top_px
        )

    return make


@pytest.fixture
def small_case(make_shred: Callable[..., Shred], tmp_path: Path) -> Case:
    """Make a case of two sheets, two pages of two shreds, a blank shred and a crumb."""
    wavy = np.ones((80, 30), dtype=np.bool_)
    wavy[20:40, 25:] = False
    shreds = (
        make_shred("1-01", wavy, frame_top_px=-3),
        make_shred("1-02", np.ones((80, 30), dtype=np.bool_), half_turn=True),
        make_shred("1-03", np.ones((70, 25), dtype=np.bool_), blank=True),
        make_shred("2-01", np.ones((90, 33), dtype=np.bool_), sheet=1),
        make_shred("2-02", wavy, sheet=1, angle_deg=-1.5),
    )
    sheets = tuple(
        SheetInfo(
            tmp_path / f"scan {k}.png",
            k,
            f"{k:064x}",
            (300, 200),
            300.0,
            "file",
            np.full((20, 30, 3), 7 + k, np.uint8),
            (None, "c" * 64)[k],
        )
        for k in range(2)
    )
    rng = np.random.default_rng(0)
    cost = rng.uniform(1, 9, (4, 4)).astype(np.float32)
    np.fill_diagonal(cost, np.inf)
    blank = rng.uniform(1, 9, (2, 4)).astype(np.float32)
    costs = Costs.of_all(cost, rng.integers(-12, 13, (4, 4)).astype(np.int16), blank[0], blank[1])
    arrangement = Arrangement(
        pages=(("1-01", "2-02"), ("2-01", "1-02")),
        set_aside=("1-03",),
        shift_px={"2-02": 4, "1-02": -8},
        confirmed=frozenset({("1-01", "2-02")}),
        forbidden=frozenset({("1-01", "1-02"), ("2-01", "1-01")}),
        held=frozenset({("2-01", "1-02")}),
        parted=frozenset({("2-02", "2-01")}),
        half_turned=frozenset({"2-02"}),
        turned_by_hand=frozenset({"2-02"}),
        turned_deg={"2-01": -0.3},
    )
    return Case(
        options=Options(),
        sheets=sheets,
        shreds=shreds,
        crumbs=(Crumb(1, (1, 2, 3, 4), np.zeros((5, 2), np.float32), "sliver"),),
        costs=costs,
        arrangement=arrangement,
        joins=(JoinInfo("1-01", "2-02", 2.5, 4, 0.75), JoinInfo("2-01", "1-02", float("inf"), -8, 0.1)),
        optimal=True,
        gap=0.0,
        seconds={"load": 0.5, "total": 1.23456},
        unreadable=("notes.txt is no image.",),
        weights_sha256="ab" * 32,
        versions={"rejoin": "0.1.0", "python": "3.11"},
        solved=replace(arrangement, half_turned=frozenset(), turned_deg={}),
    )


@pytest.fixture
def tesseract_stub(tmp_path_factory, monkeypatch):
    """Put a script in the place of Tesseract; it knows German and English, and reads on any page what it is given."""
    program = tmp_path_factory.mktemp("bin") / "tesseract"
    program.write_text(_STUB)
    program.chmod(0o755)
    monkeypatch.setattr(tesseract, "TESSERACT", os.fspath(program))

    def reads(*words: tuple[str, int, int], line_by_line: bool = False) -> Path:
        """Let it read words: each with x and width; they stand on one line, or each on its own."""
        columns = _COLUMNS.split(",")
        rows = [
            (5, 1, 1, 1, number if line_by_line else 1, number, x, 20, width, 12, 95, text)
            for number, (text, x, width) in enumerate(words, start=1)
        ]
        lines = ["\t".join(map(str, row)) for row in (columns, *rows)]
        program.with_name("tesseract.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return program.with_name("tesseract.image")

    reads()
    return reads
