"""One try: something broken or hostile is given to Rejoin, and what comes of it is judged."""

import os
import tempfile
import time
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from core.errors import RejoinError
from core.system.logs import CHATTER

Trial: TypeAlias = Callable[[np.random.Generator, Path], str]
"""Makes something from a seed, gives it to Rejoin in a folder of its own, judges by assertions; "read", "refused", …"""

MOST_MEGABYTES = 1000
"""A try may take this much memory beyond what was there: TensorFlow, or a large sheet and a few copies."""

MOST_SECONDS = 20.0
"""Of the processor's time: how busy the machine is otherwise plays no part."""


@dataclass(frozen=True)
class Tried:
    """What came of a try; `fault` is empty if that is as it should be."""

    kind: str
    number: int
    outcome: str
    seconds: float
    megabytes: float
    fault: str = ""


def attempt(kind: str, trial: Trial, seed: int, number: int) -> Tried:
    """Do one try of a kind; the same seed and number make the same."""
    rng = np.random.default_rng([seed, zlib.crc32(kind.encode()), number])
    outcome, fault = "wrong", ""
    before = _forget_peak()
    start = time.process_time()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place, _native_messages() as said:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.filterwarnings("ignore", "__array__ implementation")  # TensorFlow's tensors, saved by Keras
                outcome = trial(rng, Path(place).resolve())
        except Exception:
            fault = traceback.format_exc()
    seconds, megabytes = time.process_time() - start, _peak() - before
    if said and not fault:
        fault = f"a library wrote to standard error: {said[0][:500]!r}"
    if megabytes > MOST_MEGABYTES and not fault:
        fault = f"{megabytes:.0f} MB were taken"
    if seconds > MOST_SECONDS and not fault:
        fault = f"{seconds:.0f} s were taken"
    return Tried(kind, number, "wrong" if fault else outcome, seconds, megabytes, fault)


def check_sentence(error: RejoinError, *names: str) -> None:
    """See that an error is what an examiner can read: it names what is the matter, and says what to do."""
    sentence = str(error)
    for name in names:
        assert name in sentence, f"does not name {name}: {sentence}"
    assert sentence.rstrip().endswith("."), sentence
    assert ". " in sentence or ".\n" in sentence, f"does not say what to do: {sentence}"
    assert "Traceback" not in sentence
    assert " at 0x" not in sentence, f"tells of Python's objects: {sentence}"
    assert len(sentence) - sum(map(len, names)) < 700, f"too long: {sentence[:2000]}"


@contextmanager
def untouched(folder: Path) -> Iterator[None]:
    """See that a block neither changes, adds nor removes a file below a folder."""
    before = _content(folder)
    yield
    after = _content(folder)
    assert after.keys() == before.keys(), f"files came or went: {after.keys() ^ before.keys()}"
    assert after == before, "files were changed"


def _content(folder: Path) -> dict[Path, tuple[int, int]]:
    """Size and time of change of everything below a folder."""
    return {path: (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*") if not path.is_dir()}


@contextmanager
def _native_messages() -> Iterator[list[str]]:
    """Catch what libraries that are not Python write to standard error."""
    said: list[str] = []
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            if told := [line for line in file if line.strip() and not CHATTER.match(line)]:
                said.append(b"".join(told).decode(errors="replace"))


def _forget_peak() -> float:
    """Let the counting of the largest memory begin anew where the system can; gives the memory now, in MB."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return float("inf")
    return _status("VmRSS")


def _peak() -> float:
    """Largest memory since `_forget_peak`, in MB."""
    return _status("VmHWM")


def _status(name: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:")), 0.0)
