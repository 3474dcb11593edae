"""Documents name only what is there: files, modules, commands, options; and figures that are on record."""

import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from core.matching.confidence import percentage

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = "app|core|training|tests|benchmarks|bundle|resources|docs"
PLACE = re.compile(rf"(?<![\w./-])(?:{PACKAGES})/[\w./*-]*[\w*/]")
MODULE = re.compile(r"(?<![\w./-])(?:app|core|training)(?:\.[A-Za-z_]\w*)+(?!\w|/)")
DOCUMENT = re.compile(r"(?<![\w/*])[\w./-]+\.md\b")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`|^ {4,}(\S.*)$", re.MULTILINE)
COMMAND = re.compile(r"main\.py|-m (?:training|tests)|(?:benchmarks|bundle)/\w+\.py|\brejoin (?=reconstruct|verify)")


@cache
def files():
    """List the files of the project by their names from its root; what is built or installed is left out."""
    below = (path for folder in PACKAGES.split("|") for path in (ROOT / folder).rglob("*"))
    found = [path for path in (*ROOT.glob("*"), *below) if path.is_file() and "__pycache__" not in path.parts]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def documents():
    return [name for name in files() if name.endswith(".md")]


def sources():
    return [name for name in files() if name.endswith((".py", ".toml", ".spec", ".iss")) or name == "Makefile"]


@cache
def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def is_there(place, name):
    """Tell whether a path stands for something, seen from the root or from the folder of the file that names it."""
    roots = (ROOT, (ROOT / name).parent)
    if "*" in place:
        return any(next(root.glob(place), None) for root in roots)
    return any((root / place).exists() for root in roots)


def is_module(dotted):
    """Tell whether a dotted name is a module, or something that a module defines."""
    parts = dotted.split(".")
    for length in range(len(parts), 1, -1):
        place = ROOT.joinpath(*parts[:length])
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if file.is_file():
            source = file.read_text(encoding="utf-8")
            return all(re.search(rf"\b{part}\b", source) for part in parts[length:])
    return False


@pytest.mark.parametrize("name", documents())
def test_a_document_names_only_what_is_there(name):
    text = text_of(name)
    assert [place for place in PLACE.findall(text) if not is_there(place, name)] == []
    assert [dotted for dotted in MODULE.findall(text) if not is_module(dotted)] == []
    assert [other for other in DOCUMENT.findall(text) if not is_there(other, name)] == []


def anchors(text):
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", documents())
def test_links_lead_somewhere(name):
    for link in LINK.findall(text_of(name)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        place, _, anchor = link.partition("#")
        target = ((ROOT / name).parent / place).resolve() if place else ROOT / name
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("name", documents())
def test_commands_have_the_options_that_documents_give_them(name):
    code = "\n".join(one or other for one, other in CODE.findall(text_of(name)))
    targets = set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", code)) <= targets
    known = {option for file in sources() for option in re.findall(r"[\"'](--[a-z-]+)[\"']", text_of(file))}
    known |= {"--help", "--version"}
    settings = {match.replace("_", "-") for match in re.findall(r"^    (\w+): ", text_of("training/train.py"), re.M)}
    used = {option for line in code.splitlines() if COMMAND.search(line) for option in re.findall(r"--[a-z-]+", line)}
    assert {option for option in used - known if option[2:] not in settings} == set()


def test_sources_name_only_documents_and_modules_that_are_there():
    lost = []
    for name in sources():
        text = text_of(name)
        places = re.findall(
            r"(?<![\w./-])(?:docs/[\w./-]*\w|(?:app|core|training|benchmarks|bundle)/[\w/]*\w\.py)\b", text
        )
        quoted = re.findall(r"`((?:app|core|training)(?:\.[A-Za-z_]\w*)+)`", text)
        lost += [(name, place) for place in places if not is_there(place, name)]
        lost += [(name, dotted) for dotted in quoted if not is_module(dotted)]
    assert lost == []


def test_the_readme_is_short_and_says_of_the_sample_what_is_on_record():
    readme, folder = text_of("README.md"), ROOT / "resources" / "samples"
    assert len(readme.split()) <= 1100
    record = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    true_joins = {
        pair
        for page in truth["pages"]
        for pair in pairwise(f"{place['sheet']}-{place['position']:02d}" for place in page)
    }
    n_joins, least = len(record["joins"]), min(join["confidence"] for join in record["joins"])
    assert {(join["left"], join["right"]) for join in record["joins"]} <= true_joins
    assert f"{n_joins} joins, the least sure at {percentage(least)}" in " ".join(readme.split())
    assert f"All {n_joins} joins are right" in readme
