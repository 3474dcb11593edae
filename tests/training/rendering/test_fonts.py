import random
import subprocess

import pytest

from core.errors import UsageError
from training.rendering import fonts
from training.rendering.fonts import FAMILIES, among, installed_fonts


@pytest.fixture
def listing(monkeypatch):
    """Let fontconfig list what a test says, or fail."""

    def answer(text):
        def run(command, **_):
            if isinstance(text, Exception):
                raise text
            return subprocess.CompletedProcess(command, 0, text, "")

        installed_fonts.cache_clear()
        monkeypatch.setattr(fonts.subprocess, "run", run)

    yield answer
    installed_fonts.cache_clear()


def test_installed_families_are_sorted_by_use_and_the_others_named(listing):
    listing("DejaVu Sans,DejaVu Sans Condensed\nLiberation Serif\nUnheard Of\n")
    found = installed_fonts()
    assert found.families["serif"] == ["Liberation Serif"]
    assert found.families["sans"] == ["DejaVu Sans", "DejaVu Sans Condensed"]
    assert "thai" not in found.families
    assert "Amiri" in found.missing
    assert "DejaVu Sans" not in found.missing


def test_a_use_without_a_family_takes_what_there_is():
    found = among({"Liberation Serif"})
    assert found.choose(random.Random(0), "hand") == "Liberation Serif"


def test_no_font_at_all_and_no_fontconfig_are_said(listing):
    listing("Unheard Of\n")
    with pytest.raises(UsageError, match="Not one font"):
        installed_fonts()
    listing(FileNotFoundError("fc-list"))
    with pytest.raises(UsageError, match=r"could not be listed.*apt-get install"):
        installed_fonts()


def test_families_are_named_once_for_a_use():
    for use, families in FAMILIES.items():
        assert all(families), use
        assert len(families) == len(set(families)), use
