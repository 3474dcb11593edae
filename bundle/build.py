"""Build the bundle: dist/rejoin, a folder that runs where no Python is.

    python bundle/build.py

The same command on Linux, Windows and macOS; each builds for itself. It is run by the Python of the tests, and takes
the same versions of all libraries, in an environment of its own: what only tests and training need stays out.
"""

import argparse
import importlib.metadata
import platform
import shutil
import subprocess
import sys
import time
import tomllib
import venv
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD, DIST = ROOT / "build", ROOT / "dist"

DOCUMENTS = ("case-format.md", "validation.md")
"""What a laboratory needs beside the application, to read a case without it and for its own validation."""


def main() -> int:
    """Build, and print what takes the room."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    start = time.monotonic()
    python = environment(BUILD / "venv")
    prepared = time.monotonic()
    subprocess.run([python, ROOT / "bundle" / "icons.py", BUILD / "icons"], check=True)
    command = [python, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--workpath", BUILD / "pyinstaller", "--distpath", DIST, ROOT / "bundle" / "rejoin.spec"]
    subprocess.run(command, check=True, cwd=ROOT)
    (DIST / "rejoin" / "docs").mkdir()
    for document in DOCUMENTS:
        shutil.copy(ROOT / "docs" / document, DIST / "rejoin" / "docs")
    if sys.platform == "linux":
        shutil.copytree(ROOT / "bundle" / "linux", DIST / "rejoin" / "desktop")
        shutil.copytree(BUILD / "icons" / "hicolor", DIST / "rejoin" / "desktop" / "hicolor")
    print(f"Built in {time.monotonic() - prepared:.0f} s, after {prepared - start:.0f} s for its environment.")
    print(sizes(DIST / "rejoin"))
    return 0


def environment(folder: Path) -> Path:
    """Make a virtual environment with what the bundle needs, or bring it up to date; give its interpreter."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["bundle"]]
    versions = {one.name: one.version for one in importlib.metadata.distributions() if one.name != project["name"]}
    if sys.platform == "linux" and platform.machine() == "x86_64":
        # The same code without what only graphics cards need: two thirds of the size.
        wanted = [line.replace("tensorflow>", "tensorflow-cpu>") for line in wanted]
        versions["tensorflow-cpu"] = versions.pop("tensorflow")
    pinned = "\n".join(f"{name}=={version}" for name, version in sorted(versions.items()))
    stamp, content = folder / "installed", "\n".join([*wanted, pinned])
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == content:
        return python
    if not python.is_file():
        venv.create(folder, with_pip=True)
    constraints = folder / "constraints.txt"
    constraints.write_text(pinned, encoding="utf-8")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--constraint", constraints, *wanted], check=True)
    if sys.platform == "linux":
        strip(folder)
    stamp.write_text(content, encoding="utf-8")
    return python


def strip(folder: Path) -> None:
    """Take out of TensorFlow's libraries what only a debugger reads, the names of inner functions: a quarter."""
    found = [path for path in folder.glob("lib/python*/site-packages/tensorflow/**/*.so*") if path.is_file()]
    subprocess.run(["strip", "--strip-unneeded", *found], check=True)


def sizes(folder: Path) -> str:
    """List what takes more than 10 MB in a folder, by library."""
    taken: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            parts = path.relative_to(folder / "_internal").parts if "_internal" in path.parts else ()
            taken[parts[0].removesuffix(".libs") if len(parts) > 1 else "Python and what is shared"] += (
                path.stat().st_size
            )
    lines = [f"{folder}: {taken.total() / 1e6:.0f} MB"]
    lines += [f"{size / 1e6:8.0f} MB  {name}" for name, size in taken.most_common() if size > 10e6]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
