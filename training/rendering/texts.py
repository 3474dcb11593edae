"""What the invented documents say: words, names, addresses, dates and amounts in many languages."""

import random
import tomllib
from dataclasses import dataclass
from html import escape
from pathlib import Path

from faker import Faker

_FILE = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))

WORDS: dict[str, list[str]] = {language: words.split() for language, words in _FILE["words"].items()}
"""Common words of languages for which Faker has names and addresses but no words."""

LABELS: list[str] = _FILE["labels"]
"""Captions of fields in English forms; in other languages words are taken."""

DATES: list[str] = _FILE["dates"]
"""Ways to write a date."""


@dataclass(frozen=True)
class Language:
    """A language to write in.

    Attributes
    ----------
    locale : str
        Its name for Faker.
    script : str
        Use of `training.rendering.fonts.FAMILIES`, or "latin".
    weight : float
        How often it is taken, relative.
    right_to_left : bool
        Whether it is written from right to left.
    """

    locale: str
    script: str = "latin"
    weight: float = 1.0
    right_to_left: bool = False

    @property
    def code(self) -> str:
        """Two letters, for hyphenation."""
        return self.locale.split("_")[0]


LANGUAGES = tuple(Language(*row) for row in _FILE["languages"])

SCRIPTS = tuple(dict.fromkeys(language.script for language in LANGUAGES))
"""All scripts, "latin" first."""


class Author:
    """Writes in one language; what it invents is escaped for HTML."""

    def __init__(self, language: Language, rng: random.Random) -> None:
        self.language, self.rng = language, rng
        self.fake = Faker(language.locale)
        self.fake.seed_instance(rng.getrandbits(64))
        self.joiner = "" if language.script.startswith(("chinese", "japanese")) else " "

    def words(self, n: int) -> str:
        """Invent n words."""
        own = WORDS.get(self.language.code)
        words = self.rng.choices(own, k=n) if own else self.fake.words(n)
        return escape(self.joiner.join(words), quote=False)

    def title(self, least: int = 2, most: int = 6) -> str:
        """Invent a heading."""
        text = self.words(self.rng.randint(least, most))
        return text[:1].upper() + text[1:]

    def label(self) -> str:
        """Invent the caption of a field."""
        if self.language.code == "en":
            return self.rng.choice(LABELS)
        return self.title(1, 2)

    def sentence(self) -> str:
        """Invent a sentence, some with numbers, names, brackets or quotation marks."""
        rng, length = self.rng, self.rng.randint(5, 19)
        parts = self.words(length).split(" ") if self.joiner else [self.words(length)]
        for index in range(1, len(parts) - 1):
            chance = rng.random()
            if chance < 0.06:
                parts[index] += rng.choice(",,,;:")
            elif chance < 0.075:
                parts[index] = f"({parts[index]})"
            elif chance < 0.09:
                mark = rng.choice(("“{}”", "“{}”", "«{}»", "<i>{}</i>", "<b>{}</b>", "<u>{}</u>"))
                parts[index] = mark.format(parts[index])
            elif chance < 0.11:
                parts[index] = rng.choice((self.number(), self.number(), self.name(), self.company(), self.date()))
        text = self.joiner.join(parts)
        return text[:1].upper() + text[1:] + ("。" if not self.joiner else rng.choice("......?!"))

    def paragraph(self, least: int = 2, most: int = 7) -> str:
        """Invent some sentences."""
        return " ".join(self.sentence() for _ in range(self.rng.randint(least, most)))

    def name(self) -> str:
        """Invent a person's name."""
        return escape(self.fake.name(), quote=False)

    def company(self) -> str:
        """Invent a company's name."""
        return escape(self.fake.company(), quote=False)

    def address(self) -> list[str]:
        """Invent the lines of an address."""
        return [escape(line, quote=False) for line in self.fake.address().splitlines()]

    def phone(self) -> str:
        """Invent a telephone number."""
        return escape(self.fake.phone_number(), quote=False)

    def email(self) -> str:
        """Invent an e-mail address."""
        return escape(self.fake.email(), quote=False)

    def date(self) -> str:
        """Invent a date."""
        day, month, year = self.rng.randint(1, 28), self.rng.randint(1, 12), self.rng.randint(1958, 2024)
        name = escape(self.fake.month_name(), quote=False)
        return self.rng.choice(DATES).format(day=day, month=month, name=name, year=year, short_year=year % 100)

    def number(self) -> str:
        """Invent a number as documents have them."""
        rng = self.rng
        return rng.choice(
            (
                str(rng.randint(1, 9)),
                str(rng.randint(10, 999)),
                f"{rng.randint(1000, 999999):,}",
                f"{rng.random() * 100:.1f} %",
                f"{rng.random() * 10:.2f}",
                f"{rng.randint(100, 999)}-{rng.randint(1000, 9999)}",
            )
        )

    def amount(self) -> str:
        """Invent a sum of money, without its currency."""
        value = self.rng.random() * 10 ** self.rng.randint(1, 6)
        text = f"{value:,.2f}" if self.rng.random() < 0.7 else f"{value:,.0f}"
        return text if self.language.code in ("en", "ja", "zh") else text.translate(str.maketrans(",.", ".,"))

    def code(self) -> str:
        """Invent a reference such as clerks use."""
        letters = "".join(self.rng.choices("ABCDEFGHKLMNPRSTUVWXZ", k=self.rng.randint(1, 3)))
        return f"{letters}{self.rng.choice('-/ ')}{self.rng.randint(10, 99999)}"


def draw_language(rng: random.Random, scripts: set[str], script: str = "") -> Language:
    """Draw a language whose script there are fonts for.

    Parameters
    ----------
    rng : Random
        Source of all chance.
    scripts : set of str
        Scripts other than Latin that can be set.
    script : str
        The one to draw languages of; empty for any.

    Returns
    -------
    Language
    """
    able = [language for language in LANGUAGES if language.script in ({script} if script else {"latin", *scripts})]
    return rng.choices(able, [language.weight for language in able])[0]
