"""Runs the commands of two trees on the same input and lists every output that differs.

    python benchmarks/compare_outputs.py ../before [--data FOLDER] [--keep FOLDER] [--only PART]

Both trees run under this interpreter with clocks that stand still, so that times, dates and what is hashed with them
come out alike and everything else is compared byte for byte: standard output and error, exit codes, result.json, pages,
cases, reports, exports, the self-test's record, and what the commands of training write. With ``--keep`` the outputs
of the other tree stay, and are not made again as long as its commit is the same.
"""

import argparse
import difflib
import fcntl
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent

STILL = """\
import datetime, runpy, sys, time, uuid
class Still(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2020, 1, 2, 3, 4, 5, tzinfo=tz)
datetime.datetime = Still
time.perf_counter = lambda: 0.0
uuid.uuid4 = lambda: uuid.UUID(int=0)
kind, name, *arguments = sys.argv[1:]
sys.path[0] = "."
sys.argv = [name, *arguments]
if kind == "-m":
    runpy.run_module(name, run_name="__main__", alter_sys=True)
else:
    runpy.run_path(name, run_name="__main__")
"""

CHATTER = re.compile(r"[IWE]\d{4} \d\d:\d\d:|WARNING: All log messages|\d{4}-\d\d-\d\d .*(tensorflow|\]) ")
"""What TensorFlow says of the machine while it loads, with the time."""

HELP = """\
main.py --help | main.py reconstruct --help | main.py verify --help | main.py report --help | main.py export --help
main.py self-test --help | main.py --version | main.py --nonsense | main.py reconstruct
-m training.evaluate --help | -m training.train --help | -m training.corpus --help | -m training.validation --help
-m training.rendering --help | -m training.experiments --help | -m training.self_test_record --help
""".replace("\n", " | ").strip(" |")

RECONSTRUCT = """\
main.py reconstruct {sheets} -o {out}/{name}.pdf --json {out}/{name}.json --case {out}/{name}.rejoin --list-joins \
--examiner Somebody
main.py verify {out}/{name}.rejoin --json {out}/{name}-verified.json
main.py report {out}/{name}.rejoin -o {out}/{name}-report.pdf --seams
main.py export {out}/{name}.rejoin -o {out}/{name}-export --pages png --order csv json --shreds --seams
"""

OPTIONS = """\
main.py reconstruct {sheets} -o {out}/options.pdf --json {out}/options.json --pages 2 --engine local-search --seams \
--jpeg 80 --seed 3
"""

FAILURES = """\
main.py reconstruct nowhere.png -o {out}/failed.pdf
main.py reconstruct README.md pyproject.toml -o {out}/failed.pdf
main.py reconstruct {sheets} -o {out}/nowhere/failed.pdf
main.py reconstruct {sheets} -o {out}/failed.txt
main.py verify README.md
main.py report {out}/nothing.rejoin -o {out}/failed.pdf
main.py reconstruct {sheets} -o {out}/failed.pdf --weights README.md
"""

TRAINING = """\
-m training.rendering -o {out}/invented --pages 24 --seed 5
-m training.corpus {out}/invented -o {out}/invented.npz
-m training.train {out}/invented.npz --steps 3 --every 3 --pages-per-step 2 --cuts-per-page 4 --rows 512 \
--seed 1 -o {out}/trained.keras
-m training.self_test_record -o {out}/expected.json
"""

EVALUATE = """\
-m training.evaluate {folder} --json {out}/{name}.json
-m training.evaluate {folder} --ink-alone --mode single --json {out}/{name}-ink.json
"""


def parts(data: Path) -> Iterator[tuple[str, str]]:
    """List the parts of the comparison, each with its commands, one a line."""
    copy, sample = "copy resources/samples {out}/samples\n", "{out}/samples/sheet_1.jpg {out}/samples/sheet_2.jpg"
    yield "help", HELP.replace(" | ", "\n")
    yield "sample", copy + RECONSTRUCT.replace("{sheets}", sample).replace("{name}", "sample")
    yield "options", copy + OPTIONS.replace("{sheets}", sample)
    yield "failures", copy + FAILURES.replace("{sheets}", sample)
    yield "self-test", "main.py self-test --json {out}/self-test.json"
    yield "training", TRAINING
    scans = {"d2": data / "d2_sheets" / "D009", "d3": next(iter(sorted((data / "d3").glob("letter/*"))), data)}
    for name, folder in scans.items():
        if folder.is_dir():
            sheets = " ".join(map(str, sorted(folder.glob("sheet_*.jpg"))))
            yield name, RECONSTRUCT.replace("{sheets}", sheets).replace("{name}", name)
    for name in ("d1", "d2"):
        folders = sorted((data / name).glob("*"))[:2]
        if folders:
            chosen = EVALUATE.replace("{name}", f"evaluate-{name}").replace("{folder}", "{out}/data")
            links = "".join(f"link {folder} {{out}}/data/{folder.name}\n" for folder in folders)
            yield f"evaluate-{name}", links + chosen


def run(tree: Path, commands: str, folder: Path) -> None:
    """Run the commands of one part in a tree, and write what they print into the folder of their outputs."""
    place = Path(tempfile.gettempdir()) / "rejoin-outputs"  # the same for both: some outputs name it
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    environment = dict(
        os.environ, PYTHONHASHSEED="0", HOME=str(place / "home"), COLUMNS="120", TF_CPP_MIN_LOG_LEVEL="3"
    )
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        environment.pop(variable, None)
    printed = []
    for command in commands.strip().splitlines():
        words = shlex.split(command.format(out=place))
        if words[0] == "copy":  # cases name their sheets: they lie at the same place for both trees
            shutil.copytree(tree / words[1], words[2])
            continue
        if words[0] == "link":
            Path(words[2]).parent.mkdir(exist_ok=True)
            Path(words[2]).symlink_to(words[1])
            continue
        words = words if words[0] == "-m" else ["-f", *words]
        done = subprocess.run(
            [sys.executable, "-c", STILL, *words],
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        said = "".join(
            line
            for line in re.sub(r".*\r", "", done.stderr).splitlines(keepends=True)
            if not CHATTER.match(line) and "%|" not in line  # a bar says how fast it goes
        )
        printed.append(f"$ {command}\nexit code {done.returncode}\n{done.stdout}--\n{said}")
    shutil.rmtree(place / "home", ignore_errors=True)
    (place / "printed.txt").write_text("\n".join(printed).replace(str(tree), "TREE"))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(place, folder, symlinks=True)
    shutil.rmtree(place)


def listed(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder, those inside of zipped ones by themselves."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink() or not path.is_file():
            continue
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                files |= {f"{name}:{entry}": archive.read(entry) for entry in archive.namelist()}
        if path.suffix != ".keras":  # Keras writes the time into the archive
            files[name] = re.sub(rb".*peak.memory.*\n", b"", path.read_bytes())  # no two runs take the same
    return files


def compare(before: Path, after: Path) -> list[str]:
    """Describe what differs between two folders, a line or a few for each file."""
    left, right = listed(before), listed(after)
    told = [f"  only {'before' if name in left else 'now'}: {name}" for name in sorted(left.keys() ^ right.keys())]
    for name in sorted(left.keys() & right.keys()):
        if left[name] == right[name]:
            continue
        told.append(f"  differs: {name} ({len(left[name])} and {len(right[name])} bytes)")
        if name.endswith((".json", ".txt", ".csv")):
            lines = [text[name].decode("utf-8", "replace").splitlines() for text in (left, right)]
            told += [f"    {line[:160]}" for line in difflib.unified_diff(*lines, lineterm="", n=0)][2:12]
    return told


def main() -> int:
    """Compare; the exit code is 0 if nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="the other tree: a clone at the commit to compare with")
    parser.add_argument("--data", type=Path, default=HERE.parent / "shared" / "data", help="real shreds, if there are")
    parser.add_argument("--keep", type=Path, help="where outputs stay")
    parser.add_argument("--only", nargs="+", metavar="PART", help="some of the parts")
    given = parser.parse_args()
    keep = given.keep or Path(tempfile.mkdtemp(prefix="rejoin-compared-"))
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=given.tree, capture_output=True, text=True, check=True)
    n_different = 0
    for name, commands in parts(given.data.resolve()):
        if given.only and name not in given.only:
            continue
        lock = (Path(tempfile.gettempdir()) / "rejoin-outputs.lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)  # one comparison at a time: all write to the same place
        recipe = hashlib.sha256(f"{commit.stdout}{commands}{STILL}".encode()).hexdigest()[:12]
        before, after = keep / f"before-{name}-{recipe}", Path(tempfile.mkdtemp(prefix="rejoin-now-")) / name
        if not before.exists():
            run(given.tree.resolve(), commands, before)
        run(HERE, commands, after)
        differences = compare(before, after)
        lock.close()
        n_different += len(differences)
        n_files = len(listed(after))
        print(f"{name}: {n_files} outputs, " + ("all the same" if not differences else "some differ"), flush=True)
        print("".join(f"{line}\n" for line in differences), end="", flush=True)
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
