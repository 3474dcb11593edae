import random
from xml.etree import ElementTree

import numpy as np
import pytest

from core.system.places import ROOT
from training.rendering.articles import figures
from training.rendering.documents import KINDS, WIDE_KINDS, draw_pages, render_document, typeset
from training.rendering.drawings import chart, equation, flow_chart, logo, signature
from training.rendering.fonts import FAMILIES, among
from training.rendering.photographs import photograph
from training.rendering.style import draw_style
from training.rendering.texts import LANGUAGES, Author

EVERY_FONT = among({name for names in FAMILIES.values() for name in names})
BROUGHT = among({"Noto Sans"})
FACES = "".join(
    f"@font-face {{ font-family:'Noto Sans'; font-weight:{weight}; src:url('{path.as_uri()}') }}\n"
    for weight, face in (("normal", "Regular"), ("bold", "Bold"))
    for path in [ROOT / "fonts" / f"NotoSans-{face}.ttf"]
)
"""Where a page breaks depends on the font, and a machine need not have another one than DejaVu."""


def writer(seed=1, locale="en_US", fonts=EVERY_FONT):
    language = next(language for language in LANGUAGES if language.locale == locale)
    rng = random.Random(seed)
    return Author(language, rng), draw_style(rng, language, fonts)


def test_seed_and_number_decide_the_pages_and_all_differ():
    pages = draw_pages(1, 0, 4, EVERY_FONT)
    assert pages == draw_pages(1, 0, 4, EVERY_FONT)
    others = draw_pages(1, 1, 4, EVERY_FONT) + draw_pages(2, 0, 4, EVERY_FONT)
    assert len({*pages, *others}) == 12


def test_fewer_pages_are_the_first_ones():
    assert draw_pages(1, 5, 2, EVERY_FONT) == draw_pages(1, 5, 4, EVERY_FONT)[:2]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_writes_different_pages_in_languages_of_both_directions(kind):
    pages = [kind(*writer(seed, locale)) for locale in ("en_US", "he_IL", "ja_JP") for seed in range(3)]
    assert len(set(pages)) == 9
    assert all(len(page) > 300 for page in pages)


def test_pages_on_their_side_are_among_the_wide_kinds():
    assert set(KINDS) > WIDE_KINDS
    style = writer()[1].landscape()
    assert style.paper_mm[0] > style.paper_mm[1]


def test_styles_keep_their_fonts_when_they_vary():
    _, style = writer()
    varied = style.vary(random.Random(3))
    assert (varied.body, varied.heading, varied.hand, varied.typed) == (
        style.body,
        style.heading,
        style.hand,
        style.typed,
    )
    assert varied.margins_mm != style.margins_mm


def test_drawings_are_well_formed():
    author, _ = writer()
    rng = author.rng
    for _ in range(12):
        for drawing in (logo(rng, 15), signature(rng, 40), chart(rng, author, 90), flow_chart(rng, author, 90)):
            assert len(ElementTree.fromstring(drawing)) > 0
        formula = ElementTree.fromstring(equation(rng, 11))
        assert float(formula.get("width").removesuffix("pt")) > 5


def test_photographs_are_small_and_differ():
    pictures = {photograph(random.Random(seed), 60) for seed in range(8)}
    assert len(pictures) == 8
    assert max(map(len, pictures)) < 40_000


@pytest.fixture
def typesetting():
    """Skip where the libraries that WeasyPrint needs are not installed."""
    try:
        from weasyprint.text.fonts import FontConfiguration
    except OSError as error:
        pytest.skip(f"WeasyPrint cannot be used: {error}; see training/rendering/debian-packages.txt")
    return FontConfiguration


def rasters(path):
    from pypdfium2 import PdfDocument

    with PdfDocument(path) as document:
        return [page.render(scale=1, grayscale=True).to_numpy().copy() for page in document]


@pytest.mark.slow
def test_text_that_does_not_fit_is_left_out(typesetting, tmp_path):
    long = "<html><style>@page { size: 50mm 50mm }</style><body>" + "<p>words and words</p>" * 40
    typeset([long, long.replace("words", "more")], tmp_path / "two.pdf", typesetting())
    first, second = rasters(tmp_path / "two.pdf")
    assert first.shape == second.shape == (142, 142)
    assert (first < 128).any()
    assert (first != second).any()


def test_pages_of_pictures_show_them(typesetting, tmp_path):
    author, style = writer(seed=25, fonts=BROUGHT)
    pages = [
        f"<html><style>{FACES}{look.css()}</style><body>{figures(author, look)}</body></html>"
        for look in (style, style, style.landscape(), style.landscape())
    ]
    typeset(pages, tmp_path / "pictures.pdf", typesetting())
    for raster in rasters(tmp_path / "pictures.pdf"):
        lower_half = raster[len(raster) // 2 :]
        assert np.mean(lower_half < 200) > 0.005


@pytest.mark.slow
def test_a_document_is_set_the_same_each_time_and_knows_its_maker(typesetting, tmp_path):
    from pypdfium2 import PdfDocument

    from training.rendering import CREATOR
    from training.rendering.fonts import installed_fonts

    installed_fonts.cache_clear()
    for name in ("once", "again"):
        (tmp_path / name).mkdir()
        size = render_document(3, seed=1, n_pages=14, folder=tmp_path / name)
        assert size == (tmp_path / name / "document_1_00003.pdf").stat().st_size
    once, again = (rasters(tmp_path / name / "document_1_00003.pdf") for name in ("once", "again"))
    assert len(once) == 2
    for first, second in zip(once, again, strict=True):
        np.testing.assert_array_equal(first, second)
        assert 0.001 < np.mean(first < 128) < 0.6
    with PdfDocument(tmp_path / "once" / "document_1_00003.pdf") as document:
        assert document.get_metadata_value("Creator") == CREATOR
