"""The desktop of a user: menu entry, MIME type and icons, put into folders of their own."""

import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from core.case.file import save

LINUX = Path(__file__).resolve().parents[2] / "bundle" / "linux"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="desktops of Linux")


@pytest.fixture
def bundle(tmp_path):
    """A bundle of a script that writes down what it is given, in a folder with an awkward name."""
    folder = tmp_path / 'a "bundle" of $HOME' / "rejoin"
    folder.mkdir(parents=True)
    program = folder / "rejoin"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" >"$TOLD"\n')
    program.chmod(0o755)
    shutil.copytree(LINUX, folder / "desktop")
    icon = folder / "desktop/hicolor/48x48/mimetypes/rejoin-case.png"
    icon.parent.mkdir(parents=True)
    icon.write_bytes(b"picture")
    return folder


@pytest.fixture
def user(tmp_path):
    """The folders of a user who has nothing yet."""
    names = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TOLD")
    return {**os.environ, "XDG_CURRENT_DESKTOP": "GNOME", **{name: str(tmp_path / name) for name in names}}


def install(bundle, user, *options):
    command = [bundle / "desktop" / "install", *options]
    return subprocess.run(command, env=user, capture_output=True, text=True, check=False)


def ask(user, *command):
    return subprocess.run(command, env=user, capture_output=True, text=True, check=True).stdout


def test_it_is_put_into_the_users_folders_and_taken_away_again(bundle, user):
    done = install(bundle, user)
    assert done.returncode == 0, done.stderr
    data = Path(user["XDG_DATA_HOME"])
    installed = [
        data / "applications/rejoin.desktop",
        data / "mime/packages/rejoin.xml",
        data / "icons/hicolor/48x48/mimetypes/rejoin-case.png",
    ]
    assert all(path.is_file() for path in installed)
    assert install(bundle, user, "--remove").returncode == 0
    assert not any(path.exists() for path in installed)


def test_without_the_program_it_says_so(bundle, user):
    (bundle / "rejoin").unlink()
    done = install(bundle, user)
    assert done.returncode == 1
    assert "There is no program" in done.stderr
    assert not Path(user["XDG_DATA_HOME"]).exists()


def test_a_folder_that_desktops_cannot_name_is_refused(bundle, user):
    bundle = bundle.rename(bundle.parent / "100 %")
    done = install(bundle, user)
    assert done.returncode == 1
    assert "% in its name" in done.stderr
    assert not Path(user["XDG_DATA_HOME"]).exists()


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils is not installed")
def test_the_entry_is_valid(bundle, user):
    assert ask(user, "desktop-file-validate", str(LINUX / "rejoin.desktop")) == ""
    install(bundle, user)
    assert ask(user, "desktop-file-validate", f"{user['XDG_DATA_HOME']}/applications/rejoin.desktop") == ""


needs_gio = pytest.mark.skipif(
    not (shutil.which("gio") and shutil.which("update-mime-database")), reason="gio or shared-mime-info is missing"
)


@needs_gio
def test_cases_are_known_by_ending_and_by_content(bundle, user, tmp_path, small_case):
    install(bundle, user)
    case, renamed, other = tmp_path / "one.rejoin", tmp_path / "no ending", tmp_path / "other"
    save(small_case, case)
    shutil.copyfile(case, renamed)
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("letter.txt", "no case")

    def kind(path):
        return ask(user, "gio", "info", "-a", "standard::content-type,standard::icon", str(path))

    assert "standard::content-type: application/x-rejoin-case" in kind(case)
    assert "rejoin-case" in kind(case).split("standard::icon")[1]
    assert "standard::content-type: application/x-rejoin-case" in kind(renamed)
    assert "standard::content-type: application/zip" in kind(other)
    if shutil.which("xdg-mime"):
        assert ask(user, "xdg-mime", "query", "filetype", str(case)) == "application/x-rejoin-case\n"
        assert ask(user, "xdg-mime", "query", "default", "application/x-rejoin-case") == "rejoin.desktop\n"


@needs_gio
def test_a_double_click_starts_the_program_with_the_file(bundle, user, tmp_path):
    install(bundle, user)
    case = tmp_path / "Schöne Akte 1.rejoin"
    case.write_bytes(b"")
    entry = Path(user["XDG_DATA_HOME"]) / "applications/rejoin.desktop"
    ask(user, "gio", "launch", str(entry), str(case))
    told = Path(user["TOLD"])
    for _ in range(1200):
        if told.is_file() and told.read_text(encoding="utf-8"):
            break
        time.sleep(0.05)
    assert told.read_text(encoding="utf-8") == f"{case}\n"
