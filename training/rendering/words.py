"""Captions of forms, and common words of languages for which Faker has names and addresses but no words."""

import tomllib
from pathlib import Path

_FILE = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))

WORDS: dict[str, list[str]] = {language: words.split() for language, words in _FILE["words"].items()}
"""Words by language."""

LABELS: list[str] = _FILE["labels"]
"""Captions of fields in English forms; in other languages words are taken."""
