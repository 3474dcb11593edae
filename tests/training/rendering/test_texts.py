import random
import re

import pytest

from training.rendering import texts
from training.rendering.texts import LANGUAGES, Author, Language, draw_language

SCRIPTS = {
    "latin": "[A-Za-z]",
    "cyrillic": "[а-я]",
    "greek": "[α-ω]",
    "armenian": "[ա-ֆ]",
    "arabic": "[ا-ي]",
    "hebrew": "[א-ת]",
    "devanagari": "[अ-ह]",
    "bengali": "[অ-হ]",
    "thai": "[ก-ฮ]",
    "chinese": "[一-鿿]",
    "chinese-traditional": "[一-鿿]",
    "japanese": "[ぁ-ヿ]",
    "korean": "[가-힣]",
}


def author(locale, seed=1):
    language = next(language for language in LANGUAGES if language.locale == locale)
    return Author(language, random.Random(seed))


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.locale)
def test_every_language_writes_its_own_script(language):
    text = Author(language, random.Random(1)).paragraph()
    assert len(re.findall(SCRIPTS[language.script], text.lower() if language.script != "latin" else text)) > 10


def test_the_seed_decides_what_is_written():
    def written(seed):
        writer = author("de_DE", seed)
        parts = (writer.paragraph, writer.name, writer.date, writer.amount, writer.code, writer.label, writer.email)
        return [part() for part in parts]

    assert written(1) == written(1)
    assert all(one != other for one, other in zip(written(1), written(2), strict=True))


def test_text_is_escaped_for_html():
    writer = author("en_US")
    writer.fake = type("Fake", (), {"company": staticmethod(lambda: "Smith & <Sons>")})()
    assert writer.company() == "Smith &amp; &lt;Sons&gt;"


def test_only_languages_with_fonts_are_drawn():
    rng = random.Random(0)
    drawn = [draw_language(rng, {"greek", "serif"}) for _ in range(400)]
    assert {language.script for language in drawn} == {"latin", "greek"}
    every = [draw_language(rng, set(SCRIPTS)) for _ in range(2000)]
    assert 0.62 < sum(language.script == "latin" for language in every) / 2000 < 0.78


def test_amounts_are_written_as_in_the_country():
    assert re.fullmatch(r"[\d,]+(\.\d\d)?", author("en_US").amount())
    assert re.fullmatch(r"[\d.]+(,\d\d)?", author("de_DE").amount())


def test_languages_are_named_once():
    assert len({language.locale for language in LANGUAGES}) == len(LANGUAGES)
    assert Language("pt_BR").code == "pt"


def test_languages_of_one_script_are_drawn_if_wanted():
    drawn = {draw_language(random.Random(seed), set(), "cyrillic").locale for seed in range(40)}
    assert drawn == {"ru_RU", "uk_UA", "mk_MK"}
    assert tuple(SCRIPTS) == texts.SCRIPTS
