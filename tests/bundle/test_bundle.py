"""The bundle, started as on a computer with nothing on it: no Python, no network, no settings.

It is built by `make bundle`, which takes minutes; what is tested here is the one in dist, if no source is newer, or the
folder that REJOIN_BUNDLE names. `make test-bundle` does both.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import img2pdf
import pikepdf
import pytest
from PIL import Image

from core.system.places import sample_paths

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / name for name in ("main.py", "pyproject.toml", "app", "core", "resources", "bundle")]
LIMIT_S = 500


def program() -> Path | None:
    """Find a bundle to test."""
    if "REJOIN_BUNDLE" in os.environ:
        return Path(os.environ["REJOIN_BUNDLE"]).resolve() / "rejoin"
    built = ROOT / "dist/rejoin/rejoin"
    files = [file for path in SOURCES for file in (path.rglob("*") if path.is_dir() else [path])]
    newest = max(file.stat().st_mtime for file in files if "__pycache__" not in file.parts)
    return built if built.is_file() and built.stat().st_mtime > newest else None


pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux", reason="the steps for other systems are untried"),
    pytest.mark.skipif(program() is None, reason="no bundle is as new as the sources; make test-bundle builds it"),
]


def alone(home: Path) -> list[str]:
    """What to put before a command, so that it finds nothing: no variable, no Python, no network, an empty home."""
    path = home / "path"
    path.mkdir(parents=True)
    net = ["unshare", "--map-root-user", "--net"]
    can = shutil.which("unshare") and subprocess.run([*net, "true"], capture_output=True, check=False).returncode == 0
    return [*(net if can else []), "env", "-i", f"HOME={home}", f"PATH={path}"]


def written(home: Path) -> set[str]:
    return {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}


def test_what_a_laboratory_reads_is_beside_the_program():
    documents = program().parent / "docs"
    for name, says in (("case-format.md", "SHA-256"), ("validation.md", "a fifth missing")):
        assert says in (documents / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reconstructed(tmp_path_factory):
    """The folder with what the main job made of the sample, and its home."""
    folder = tmp_path_factory.mktemp("reconstructed")
    first, second = sample_paths()
    (folder / "second.pdf").write_bytes(img2pdf.convert(str(second)))  # another process of the bundle draws it
    command = [*alone(folder / "home"), program(), "reconstruct", first, "second.pdf", "--quiet"]
    command += ["-o", "pages.pdf", "--json", "result.json", "--case", "one.rejoin"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


def test_the_main_job_in_an_empty_environment(reconstructed):
    with pikepdf.open(reconstructed / "pages.pdf") as pdf:
        assert len(pdf.pages) == 2
    result = json.loads((reconstructed / "result.json").read_text(encoding="utf-8"))
    assert {"numpy", "keras", "opencv-python-headless"} <= result["versions"].keys()
    assert {"tensorflow", "tensorflow-cpu"} & result["versions"].keys()
    truth = json.loads((ROOT / "resources/samples/truth.json").read_text(encoding="utf-8"))
    blank = {shred["id"] for shred in result["shreds"] if shred["blank"]}
    right = set()
    for page in truth["pages"]:
        ids = [f"{place['sheet']}-{place['position']:02d}" for place in page]
        right |= set(pairwise(shred for shred in ids if shred not in blank))
    assert {pair for page in result["pages"] for pair in pairwise(page)} == right


def test_files_are_written_where_the_desktop_says_and_nowhere_else(reconstructed):
    logs = {f".local/state/Rejoin/log/{name}.log" for name in ("rejoin", "crashes")}
    assert written(reconstructed / "home") == {*logs, ".cache/Rejoin/keras/keras.json"}


def test_wrong_use_is_a_sentence_and_an_exit_code(tmp_path):
    command = [*alone(tmp_path / "home"), program(), "reconstruct", "gone.png", "-o", "pages.pdf"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False, cwd=tmp_path)
    assert done.returncode == 3
    assert "gone.png" in done.stderr
    assert "Traceback" not in done.stderr


SCREENSHOT = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
application.primaryScreen().grabWindow(0).save(sys.argv[1])
"""


@pytest.fixture
def screen(tmp_path):
    """A screen; gives its number, and a function that takes a picture of it."""
    if not shutil.which("Xvfb"):
        pytest.skip("Xvfb is not installed")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        display = f":{told.readline().strip()}"

    def picture():
        path = tmp_path / "screen.png"
        environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        subprocess.run([sys.executable, "-c", SCREENSHOT, path], env=environment, check=True, timeout=60)
        return Image.open(path).convert("RGB")

    yield display, picture
    server.terminate()
    server.wait()


def show(paths, expected, screen, folder):
    """Start the bundle with files, as a double click does; give a picture of the screen when the log tells of them."""
    display, picture = screen
    assert len(picture().getcolors(256)) == 1
    command = [*alone(folder / "home"), f"DISPLAY={display}", program(), *paths]
    log = folder / "home/.local/state/Rejoin/log/rejoin.log"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as window:
        try:
            stop, lines = time.monotonic() + LIMIT_S, ""
            while expected not in lines and time.monotonic() < stop and window.poll() is None:
                time.sleep(0.5)
                lines = log.read_text(encoding="utf-8") if log.is_file() else ""
            assert window.poll() is None, window.stdout.read()
            assert "The window is shown." in lines
            assert expected in lines
            time.sleep(5)  # the first page is composed and drawn
            return picture()
        finally:
            window.terminate()


def is_drawn(picture):
    """Whether there are paper, ink and thumbnails of scans on the screen, not a single ground."""
    colours = picture.getcolors(picture.width * picture.height)
    return len(colours) > 1000 and max(count for count, _ in colours) < 0.8 * picture.width * picture.height


def test_the_window_reconstructs_the_sample_in_an_empty_environment(screen, tmp_path):
    picture = show(sample_paths(), "are on 2 pages", screen, tmp_path)
    if "REJOIN_SCREENSHOT" in os.environ:
        picture.save(os.environ["REJOIN_SCREENSHOT"])
    assert is_drawn(picture)


def test_a_double_click_on_a_case_opens_it(reconstructed, screen, tmp_path):
    assert is_drawn(show([reconstructed / "one.rejoin"], "A case is read: 52 shreds", screen, tmp_path))
