"""Kinds of pages that one person writes to another."""

from html import escape

from training.rendering.blocks import address_block, item_list, letterhead, paragraphs, table
from training.rendering.drawings import signature
from training.rendering.style import Style
from training.rendering.texts import Author


def letter(author: Author, style: Style) -> str:
    """Write a letter."""
    rng = author.rng
    head = letterhead(author) if rng.random() < 0.75 else ""
    date = f'<p class="{rng.choice(("", "right"))}">{author.date()}</p>'
    subject = f"<p><b>{author.label()}: {author.title(3, 8)}</b></p>" if rng.random() < 0.6 else ""
    middle = item_list(author, rng.randint(2, 6), numbered=rng.random() < 0.6) if rng.random() < 0.3 else ""
    middle += table(author, rng.randint(2, 7), rng.randint(2, 5)) if rng.random() < 0.15 else ""
    closing = (
        f'<div style="margin:1.5em 0 0 {rng.choice((0, 0, 50))}%"><p>{author.title(1, 3)},</p>'
        f"{signature(rng, rng.uniform(28, 65)) if rng.random() < 0.8 else '<br><br>'}<br>"
        f"{author.name()}<br>{author.title(1, 3)}</div>"
    )
    copies = f'<p class="small">cc: {author.name()}<br>{author.name()}</p>' if rng.random() < 0.4 else ""
    return (
        f"{head}{date}{address_block(author)}<br>{subject}<p>{author.title(1, 2)} {author.name()},</p>"
        f"{paragraphs(author, 1, 4)}{middle}{paragraphs(author, 1, 6)}{closing}{copies}"
    )


def memo(author: Author, style: Style) -> str:
    """Write a note within a company."""
    rng, english = author.rng, author.language.code == "en"
    labels = ("To", "From", "Date", "Subject", "Copies to") if english else [author.label() for _ in range(5)]
    values = [author.name(), author.name(), author.date(), f"<b>{author.title(3, 8)}</b>"]
    values.append(", ".join(author.name() for _ in range(3)))
    rows = "".join(
        f'<tr><td style="width:18%">{name}:</td><td>{value}</td></tr>'
        for name, value in zip(labels, values, strict=True)
    )
    title = "Memorandum" if english else author.title(1, 2)
    middle = table(author, rng.randint(2, 8), rng.randint(2, 5)) if rng.random() < 0.3 else ""
    middle += item_list(author, rng.randint(3, 7), numbered=True) if rng.random() < 0.5 else ""
    return (
        f"{letterhead(author) if rng.random() < 0.5 else ''}<h1>{title}</h1><table>{rows}</table><hr>"
        f"{paragraphs(author, 2, 6)}{middle}{paragraphs(author, 1, 6)}"
        f"{signature(rng, 22) if rng.random() < 0.3 else ''}"
    )


def electronic_mail(author: Author, style: Style) -> str:
    """Write a printed e-mail with what it answers to."""
    rng, parts = author.rng, []
    for depth in range(rng.randint(1, 4)):
        head = "".join(
            f"<tr><td style='width:14%'><b>{name}:</b></td><td>{value}</td></tr>"
            for name, value in (
                ("From", f"{author.name()} [{author.email()}]"),
                ("Sent", f"{author.date()} {rng.randint(0, 23)}:{rng.randint(0, 59):02}"),
                ("To", "; ".join(author.name() for _ in range(rng.randint(1, 6)))),
                ("Subject", author.title(2, 8)),
            )
        )
        quote = "border-left:1pt solid;padding-left:3mm" if depth and rng.random() < 0.4 else ""
        between = "<p>-----Original Message-----</p>" if depth else ""
        parts.append(f'{between}<table>{head}</table><div style="{quote}">{paragraphs(author, 1, 3)}</div>')
    return f"<h2>{author.name()}</h2><hr style='border-top:2pt solid'>{''.join(parts)}"


def note(author: Author, style: Style) -> str:
    """Write a page by hand."""
    rng, parts = author.rng, []
    for _ in range(rng.randint(9, 26)):
        text = author.words(rng.randint(1, 9))
        sums = f"{author.number()} × {author.number()} = {author.amount()}"
        parts.append(
            f'<div style="margin:{rng.uniform(0, 5):.1f}mm 0 0 {rng.choice((0, 0, 0, 8, 20, 40))}mm;'
            f'transform:rotate({rng.gauss(-0.6, 0.8):.1f}deg)">{rng.choice((text, text, text, sums))}</div>'
        )
    lines = "background:repeating-linear-gradient(#fff 0 7.8mm,#999 7.8mm 8mm);" if rng.random() < 0.25 else ""
    look = f"{lines}font-size:{rng.uniform(15, 26):.0f}pt;line-height:1.15"
    return f'<div class="hand" style="{look}">{"".join(parts)}</div>'


def fax_cover(author: Author, style: Style) -> str:
    """Write the sheet that goes ahead of a fax."""
    rng = author.rng
    rows = "".join(
        f'<tr><td style="width:34%"><b>{author.label().upper()}:</b></td><td class="hand">{value}</td></tr>'
        for value in (author.name(), author.phone(), author.name(), author.phone(), author.date(), author.number())
    )
    words = "".join(f"<div>{author.words(rng.randint(2, 6))}</div>" for _ in range(rng.randint(0, 6)))
    look = rng.choice(("grid", "rows", "plain", "thick"))
    return (
        f'{letterhead(author)}<h1 class="center" style="letter-spacing:0.4em">{author.title(1, 2)}</h1>'
        f'<table class="{look}" style="font-size:1.15em">{rows}</table>'
        f'<p>{author.label()}:</p><div class="hand">{words}</div>'
        f'<p class="small" style="margin-top:12mm">{author.paragraph(3, 5)}</p>'
    )


def code_listing(author: Author, style: Style) -> str:
    """Write a piece of an invented program."""
    rng, lines, depth = author.rng, [], 0
    names = [
        author.fake.unique.word() if rng.random() < 0.5 else rng.choice(("i", "n", "key", "data", "row"))
        for _ in range(12)
    ]
    for number in range(1, rng.randint(28, 70)):
        a, b, c = rng.choice(names), rng.choice(names), rng.choice(names)
        line, step = rng.choice(
            (
                (f"{a} = {b}[{rng.randint(0, 9)}] + {c}", 0),
                (f"{a}.{b}({c}, {rng.randint(0, 255)});", 0),
                (f"if ({a} != {b} && {c} > {rng.random():.2f}) {{", 1),
                (f"for {a} in range({rng.randint(2, 99)}):", 1),
                (f'printf("%s: %d\\n", {a}, {b});', 0),
                (f"// {a} {b} {c}", 0),
                ("}", -1),
                (f"return {a};", -1),
                ("", 0),
            )
        )
        depth = max(0, depth + min(step, 0))
        prefix = f"{number:4d}  " if names[0] < "m" else ""
        lines.append(escape(prefix + "    " * depth + line))
        depth = min(depth + max(step, 0), 6)
    return f"<h2>{author.title()}</h2><p>{author.paragraph(1, 3)}</p><pre class='code'>{chr(10).join(lines)}</pre>"
