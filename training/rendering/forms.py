"""Kinds of pages with fields, boxes and tables."""

from training.rendering.blocks import check_boxes, fields, item_list, letterhead, paragraphs, table
from training.rendering.drawings import signature
from training.rendering.style import Style
from training.rendering.texts import Author

_BARS = ["", "background:#000;color:#fff;padding:0.8mm 2mm", "background:#ccc;padding:0.8mm 2mm"]
_BARS += ["border:1pt solid;padding:0.5mm"]
"""Looks of a heading above fields."""


def form(author: Author, style: Style) -> str:
    """Write a form, filled in by hand or by machine."""
    rng = author.rng
    by_hand = rng.random() < 0.5
    parts = [letterhead(author) if rng.random() < 0.5 else "", f"<h1>{author.title(2, 4)}</h1>"]
    for _ in range(rng.randint(2, 6)):
        parts.append(f'<h3 style="{rng.choice(_BARS)}">{author.title(1, 4)}</h3>')
        parts.append(
            rng.choice(
                (
                    lambda: fields(author, rng.randint(2, 6), by_hand=by_hand),
                    lambda: fields(author, rng.randint(3, 7), by_hand=by_hand),
                    lambda: table(author, rng.randint(2, 6), rng.randint(3, 6)),
                    lambda: check_boxes(author, rng.randint(1, 3)),
                    lambda: f'<div class="box">{paragraphs(author, 1, 1)}</div>',
                )
            )()
        )
    parts.append(
        '<div class="two" style="margin-top:8mm">'
        f'<div style="flex:1;border-bottom:0.7pt solid">{signature(rng, 40)}</div>'
        f'<div style="width:35%;margin-left:6mm;border-bottom:0.7pt solid" class="hand">{author.date()}</div></div>'
        f'<div class="two small"><span>{author.label()}</span><span>{author.label()}</span></div>'
    )
    return "".join(parts)


def invoice(author: Author, style: Style) -> str:
    """Write a bill."""
    rng = author.rng
    left = "<br>".join([f"<b>{author.label()}</b>", author.company(), *author.address()])
    values = (author.code, author.date, author.number, author.code)
    right = "<br>".join(f"{author.label()}: {value()}" for value in values)
    rows = table(author, rng.randint(3, 18), rng.randint(4, 7), numbers=0.75, total=True)
    terms = f'<p class="small">{author.paragraph(2, 5)}</p>'
    return (
        f"{letterhead(author)}<h1>{'Invoice' if author.language.code == 'en' else author.title(1, 2)}</h1>"
        f'<div class="two"><div>{left}</div><div>{right}</div></div>{rows}'
        f'<p class="right"><b>{author.label()}: {author.amount()}</b></p>{terms}'
    )


def budget(author: Author, style: Style) -> str:
    """Write tables of sums."""
    rng = author.rng
    parts = [f"<h1>{author.title(2, 6)}</h1><p>{author.date()}</p>"]
    for _ in range(rng.randint(1, 3)):
        parts.append(f"<h3>{author.title(1, 4)}</h3>")
        parts.append(table(author, rng.randint(6, 20), rng.randint(3, 9), numbers=0.95, total=True))
    return "".join(parts) + (paragraphs(author, 1, 2) if rng.random() < 0.5 else "")


def questionnaire(author: Author, style: Style) -> str:
    """Write questions with answers to tick."""
    rng = author.rng
    return (
        f"<h1>{author.title(2, 5)}</h1><p>{author.paragraph(1, 3)}</p>{fields(author, rng.randint(0, 2), by_hand=True)}"
        f"{check_boxes(author, rng.randint(3, 9))}<h3>{author.title()}</h3>{check_boxes(author, rng.randint(3, 9))}"
    )


def resume(author: Author, style: Style) -> str:
    """Write the course of someone's life."""
    rng = author.rng
    centred = rng.choice(("center", ""))
    parts = [f'<div class="{centred}"><h1>{author.name()}</h1>']
    parts.append(f"{' · '.join([*author.address(), author.phone(), author.email()])}</div>")
    for _ in range(rng.randint(4, 8)):
        rows = []
        for _ in range(rng.randint(1, 4)):
            year = rng.randint(1950, 2020)
            text = f"<b>{author.company()}</b>, {author.words(3)}. {author.sentence() if rng.random() < 0.6 else ''}"
            rows.append(f'<tr><td style="width:20%">{year}–{year + rng.randint(0, 9)}</td><td>{text}</td></tr>')
        rule = rng.choice(("", "border-bottom:1pt solid"))
        in_list = rng.random() < 0.25
        body = item_list(author, rng.randint(2, 5), numbered=False) if in_list else f"<table>{''.join(rows)}</table>"
        parts.append(f'<h2 style="{rule}">{author.title(1, 2)}</h2>{body}')
    return "".join(parts)


def schedule(author: Author, style: Style) -> str:
    """Write a page that is one large table, or a directory in columns."""
    rng = author.rng
    if rng.random() < 0.4:
        entries = "".join(
            f'<div style="margin-bottom:1.5mm"><b>{author.name()}</b><br>{", ".join(author.address())}<br>'
            f"{author.phone()}</div>"
            for _ in range(rng.randint(20, 50))
        )
        head = f"<h2>{author.title()}</h2>"
        look = f"columns:{rng.randint(2, 3)};font-size:0.85em;text-align:start"
        return f'{head}<div class="columns" style="{look}">{entries}</div>'
    head, size = f"<h2>{author.title()}</h2>", rng.uniform(0.7, 0.95)
    return f'{head}<div style="font-size:{size:.2f}em">{table(author, rng.randint(18, 45), rng.randint(3, 8))}</div>'
