"""Parts that many kinds of pages have: letterheads, tables, fields, lists, footers, notes by hand."""

from training.rendering.drawings import logo
from training.rendering.style import Style
from training.rendering.texts import Author


def paragraphs(author: Author, least: int, most: int) -> str:
    """Write some paragraphs."""
    return "".join(f"<p>{author.paragraph()}</p>" for _ in range(author.rng.randint(least, most)))


def letterhead(author: Author) -> str:
    """Write the head of a company's paper."""
    rng, name = author.rng, author.company()
    mark = logo(rng, rng.uniform(9, 24)) if rng.random() < 0.6 else ""
    contact = " · ".join([*author.address(), author.phone()][: rng.randint(0, 4)])
    size = rng.uniform(1.1, 2.6)
    title = f'<span class="heading" style="font-size:{size:.2f}em;line-height:1.1">{name}</span>'
    rule = f'<hr style="border:0;border-top:{rng.choice([0, 0.5, 1, 2, 4])}pt solid;margin:1.5mm 0 4mm">'
    match rng.randrange(4):
        case 0:
            inner = f'<div class="center">{mark}<br>{title}<div class="small">{contact}</div></div>'
        case 1:
            lines = contact.replace(" · ", "<br>")
            inner = f'<div class="two"><div>{mark} {title}</div><div class="small right">{lines}</div></div>'
        case 2:
            inner = f'<div class="right">{title}<div class="small">{contact}</div>{mark}</div>'
        case _:
            inner = f'<div>{mark} {title} <span class="small">{contact}</span></div>'
    return inner + rule


def address_block(author: Author) -> str:
    """Write whom a letter is to."""
    lines = [author.name(), *([author.company()] if author.rng.random() < 0.6 else []), *author.address()]
    return f"<div>{'<br>'.join(lines)}</div>"


def table(author: Author, rows: int, columns: int, *, numbers: float = 0.6, total: bool = False) -> str:
    """Write a table.

    Parameters
    ----------
    author : Author
        Who writes.
    rows, columns : int
        Its size, without the head.
    numbers : float
        Share of columns that hold numbers; the first never does.
    total : bool
        Whether a last row sums up.

    Returns
    -------
    str
    """
    rng = author.rng
    look = rng.choice(("grid", "grid", "rows", "thick", "dots", "plain"))
    head_look = rng.choice(("", "", "head", "dark"))
    numeric = [False, *(rng.random() < numbers for _ in range(columns - 1))]
    kinds = [rng.choice((author.number, author.amount, author.amount)) if number else None for number in numeric]
    empty = rng.choice((0.0, 0.0, 0.3, 0.6))
    head = "".join(f'<th class="{"n" if number else ""}">{author.label()}</th>' for number in numeric)

    def cell(column: int, row: int) -> str:
        kind = kinds[column]
        if kind is not None:
            return "" if rng.random() < empty else kind()
        if column == 0:
            return f"{row + 1}. {author.title(1, 3)}" if look != "plain" else author.title(1, 3)
        return "" if rng.random() < empty else author.words(rng.randint(1, 3))

    body = "".join(
        "<tr>" + "".join(f'<td class="{"n" if numeric[c] else ""}">{cell(c, r)}</td>' for c in range(columns)) + "</tr>"
        for r in range(rows)
    )
    if total:
        sums = "".join(f'<td class="n"><b>{author.amount() if number else ""}</b></td>' for number in numeric[1:])
        body += f'<tr style="border-top:2pt solid"><td><b>{author.label()}</b></td>{sums}</tr>'
    return f'<table class="{look} {head_look}"><tr>{head}</tr>{body}</table>'


def fields(author: Author, rows: int, *, by_hand: bool) -> str:
    """Write rows of fields with captions, boxed or on lines, filled in or left blank."""
    rng, parts = author.rng, []
    boxed, printed = rng.random() < 0.5, rng.choice(("", 'class="typed"'))
    for _ in range(rows):
        cells = []
        for _ in range(rng.choice((1, 2, 2, 3))):
            value = rng.choice((author.name, author.date, author.number, author.code, author.company, author.phone))()
            value = "&nbsp;" if rng.random() < 0.3 else value
            look = f'class="hand" style="transform:rotate({rng.gauss(0, 0.8):.1f}deg)"' if by_hand else printed
            if boxed:
                inner = f'<div class="small">{author.label()}</div><div {look} >{value}</div>'
                cells.append(f'<div style="flex:1;border:0.7pt solid;padding:0.5mm 1.5mm">{inner}</div>')
            else:
                cells.append(
                    f'<div style="flex:1;display:flex;gap:1.5mm;margin:0 2mm 2.2mm 0"><span>{author.label()}:</span>'
                    f'<div style="flex:1;border-bottom:0.7pt solid"><div {look}>{value}</div></div></div>'
                )
        parts.append(f'<div style="display:flex">{"".join(cells)}</div>')
    return "".join(parts)


def check_boxes(author: Author, questions: int) -> str:
    """Write questions with boxes to tick, circles to fill or a scale to ring."""
    rng, parts = author.rng, []
    box = (
        '<span style="display:inline-block;width:0.75em;height:0.75em;border:0.8pt solid;{}'
        'text-align:center;line-height:0.8">{}</span>'
    )
    shape = rng.choice(("", "", "border-radius:50%;"))
    answers = [author.words(rng.randint(1, 2)) for _ in range(rng.randint(2, 5))]
    in_rows = rng.random() < 0.4
    for number in range(1, questions + 1):
        ticked = rng.randrange(len(answers) + 2)
        options = ("<br>" if in_rows else " &emsp; ").join(
            f"{box.format(shape, '✕' if k == ticked else '')} {answer}" for k, answer in enumerate(answers)
        )
        parts.append(f'<p style="text-align:start">{number}. {author.sentence()}<br>&emsp;{options}</p>')
    return "".join(parts)


def item_list(author: Author, items: int, *, numbered: bool) -> str:
    """Write a list, some items with a second level."""
    rng = author.rng
    kind = rng.choice(("decimal", "lower-alpha", "upper-roman") if numbered else ("disc", "square", "circle"))
    parts = []
    for _ in range(items):
        inner = item_list(author, rng.randint(2, 3), numbered=False) if rng.random() < 0.12 and items > 3 else ""
        parts.append(f"<li>{author.sentence() if rng.random() < 0.7 else author.title()}{inner}</li>")
    return f'<ol style="list-style-type:{kind};margin:0.3em 0 0.8em;padding-inline-start:1.8em">{"".join(parts)}</ol>'


def running_lines(author: Author) -> str:
    """Write what stands above and below the text of some pages."""
    rng, parts = author.rng, []
    if rng.random() < 0.35:
        words = f"<span>{author.title()}</span><span>{rng.randint(1, 300)}</span>"
        parts.append(f'<div class="top small two">{words}</div>')
    if rng.random() < 0.55:
        text = rng.choice((str(rng.randint(1, 90)), f"{author.title(2, 4)} – {rng.randint(1, 40)}", author.company()))
        look = rng.choice(("center", "right", ""))
        parts.append(f'<div class="foot small {look}">{text}</div>')
    if rng.random() < 0.3:  # a number stamped along the side when the page was filed
        parts.append(
            f'<div style="position:fixed;right:-7mm;bottom:{rng.randint(5, 60)}mm;transform:rotate(-90deg);'
            f'transform-origin:right;font:bold {rng.randint(9, 13)}pt sans-serif">{rng.randint(10**7, 10**10)}</div>'
        )
    return "".join(parts)


def note_by_hand(author: Author, style: Style) -> str:
    """Write a few words across the page, as with a pen."""
    rng = author.rng
    words = "<br>".join(author.words(rng.randint(1, 3)) for _ in range(rng.randint(1, 4)))
    return (
        f'<div class="hand" style="position:absolute;top:{rng.randint(-2, 85)}%;left:{rng.randint(5, 75)}%;'
        f"transform:rotate({rng.gauss(0, 8):.0f}deg);"
        f'font-size:{rng.uniform(13, 26) / style.size_pt:.2f}em">{words}</div>'
    )
