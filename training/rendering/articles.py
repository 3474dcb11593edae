"""Kinds of pages that are read by many: articles, reports, contracts, papers, notices."""

from training.rendering.blocks import item_list, letterhead, paragraphs, table
from training.rendering.drawings import chart, equation, flow_chart
from training.rendering.photographs import photograph
from training.rendering.style import Style
from training.rendering.texts import Author


def _figure(author: Author, width_mm: float) -> str:
    """Draw a figure with its caption."""
    rng = author.rng
    draw = rng.choice((chart, chart, flow_chart))
    picture = photograph(rng, width_mm) if rng.random() < 0.45 else draw(rng, author, width_mm)
    return f'<div class="center" style="margin:2mm 0">{picture}<div class="small">{author.sentence()}</div></div>'


def news_article(author: Author, style: Style) -> str:
    """Write a piece of a newspaper: large heading, narrow columns."""
    rng = author.rng
    n = rng.randint(2, 5)
    width = (style.width_mm - (n - 1) * 6) / n
    picture = photograph(rng, width) if rng.random() < 0.6 else ""
    picture += f'<div class="small">{author.sentence()}</div>' if picture else ""
    rule = rng.choice(("", "column-rule:0.5pt solid;"))
    text = paragraphs(author, 4, 12) + picture + paragraphs(author, 8, 18)
    return (
        f'<p class="small">{author.company()} – {author.date()}</p>'
        f'<h1 style="font-size:{rng.uniform(2.0, 4.4):.1f}em">{author.title(3, 8)}</h1>'
        f"<p><i>{author.sentence()}</i></p><p>{author.name()}</p>"
        f'<div class="columns" style="columns:{n};{rule}font-size:0.88em">{text}</div>'
    )


def report(author: Author, style: Style) -> str:
    """Write a page of a report: text, headings, lists, figures."""
    rng = author.rng
    parts = [f"<h1>{author.title()}</h1>" if rng.random() < 0.4 else ""]
    for number in range(1, rng.randint(4, 8)):
        numbering = f"{number}. " if rng.random() < 0.5 else ""
        parts.append(f"<h2>{numbering}{author.title()}</h2>{paragraphs(author, 1, 3)}")
        kind = rng.random()
        if kind < 0.2:
            parts.append(_figure(author, style.width_mm * rng.uniform(0.4, 0.95)))
        elif kind < 0.35:
            parts.append(item_list(author, rng.randint(3, 7), numbered=rng.random() < 0.5))
        elif kind < 0.45:
            parts.append(table(author, rng.randint(3, 8), rng.randint(3, 6)))
    return "".join(parts)


def plain_text(author: Author, style: Style) -> str:
    """Write a page of a book or of minutes: nothing but text."""
    return paragraphs(author, 8, 14)


def paper(author: Author, style: Style) -> str:
    """Write a page of a scientific paper: two columns, formulas, notes."""
    rng = author.rng
    columns = rng.choice((1, 2, 2))
    width = style.width_mm / columns - 6
    parts = []
    for number in range(1, rng.randint(6, 14)):
        parts.append(f"<h3>{number} {author.title(1, 4)}</h3>{paragraphs(author, 1, 3)}")
        if rng.random() < 0.6:
            formula = f"<span></span><span>{equation(rng, style.size_pt)}</span><span>({number})</span>"
            parts.append(f'<div class="two" style="margin:2mm 0">{formula}</div>')
        if rng.random() < 0.25:
            parts.append(_figure(author, width * 0.9))
    head = f'<div class="center"><h1>{author.title(4, 9)}</h1><p class="center">{author.name()}, {author.name()}'
    head += f"<br><i>{author.company()}</i></p></div>"
    sources = "".join(
        f"<li>{author.name()}: <i>{author.title(4, 9)}</i>, {rng.randint(1950, 2020)}.</li>"
        for _ in range(rng.randint(0, 9))
    )
    body = "".join(parts) + f'<ol class="small">{sources}</ol>'
    return f'{head if rng.random() < 0.5 else ""}<div class="columns" style="columns:{columns}">{body}</div>'


def contract(author: Author, style: Style) -> str:
    """Write numbered clauses."""
    rng, parts = author.rng, [f'<h1 class="center">{author.title(2, 5)}</h1>']
    for number in range(1, rng.randint(6, 14)):
        parts.append(f"<p><b>{rng.choice(('§ ', '', 'Art. '))}{number}.</b> {author.paragraph(1, 4)}</p>")
        for letter in "abcd"[: rng.choice((0, 0, 2, 3))]:
            parts.append(f'<p style="margin-inline-start:9mm;text-indent:0">({letter}) {author.sentence()}</p>')
    return "".join(parts)


def notice(author: Author, style: Style) -> str:
    """Write a page of few large words, or a title page."""
    rng = author.rng
    lines = "".join(
        f'<p class="center" style="font-size:{rng.uniform(1, 2.6):.1f}em">{author.title(2, 7)}</p>'
        for _ in range(rng.randint(2, 6))
    )
    picture = _figure(author, style.width_mm * rng.uniform(0.3, 1)) if rng.random() < 0.7 else ""
    return (
        f'{letterhead(author)}<h1 class="center" '
        f'style="font-size:{rng.uniform(2, 4.5):.1f}em;margin-top:{rng.randint(0, 40)}mm">'
        f'{author.title(1, 5)}</h1>{lines}{picture}<p class="center">{author.date()}</p>'
    )


def figures(author: Author, style: Style) -> str:
    """Fill a page with figures: charts, diagrams, photographs."""
    rng = author.rng
    lies_on_its_side = style.paper_mm[0] > style.paper_mm[1]
    across = rng.choice((1, 1, 2)) + lies_on_its_side  # a picture higher than the page would leave it blank
    width = style.width_mm / across
    each = "".join(
        f'<div style="display:inline-block;vertical-align:top;width:{width - 4:.0f}mm">'
        f"{_figure(author, width - 6)}</div> "
        for _ in range(rng.randint(2, 3) * across)
    )
    head = f"<h2>{author.title()}</h2><p>{author.paragraph(1, 3)}</p>"
    return f'{head}<div style="orphans:1;widows:1">{each}</div>'


def contents(author: Author, style: Style) -> str:
    """Write a list of chapters with page numbers."""
    rng, parts, at = author.rng, [], 1
    for number in range(1, rng.randint(14, 34)):
        at += rng.randint(1, 12)
        indent = rng.choice((0, 0, 6, 12))
        line = rng.choice(("dotted", "dotted", "solid"))
        dots = f'<span style="flex:1;border-bottom:1pt {line};margin:0 1mm 1mm"></span>'
        entry = f"{number}. {author.title(2, 6)}{dots}{at}"
        parts.append(f'<div style="display:flex;margin-inline-start:{indent}mm">{entry}</div>')
    return f"<h1>{author.title(1, 2)}</h1>{''.join(parts)}"
