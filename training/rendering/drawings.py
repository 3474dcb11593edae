"""Drawings for the pages, as SVG: logos, stamps, signatures, charts, diagrams, equations."""

import random
from functools import cache
from math import cos, pi, sin

from training.rendering.texts import Author


def svg(width: float, height: float, content: str, style: str = "") -> str:
    """Wrap a drawing; lengths in millimetres, ten units each."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.1f}mm" height="{height:.1f}mm" style="{style}" '
        f'viewBox="0 0 {width * 10:.0f} {height * 10:.0f}">{content}</svg>'
    )


def grey(rng: random.Random, least: int = 0, most: int = 220) -> str:
    """Draw a grey."""
    value = rng.randint(least, most)
    return f"rgb({value},{value},{value})"


def logo(rng: random.Random, size_mm: float) -> str:
    """Draw a mark made of a few shapes."""
    unit = size_mm * 10
    parts = []
    for _ in range(rng.randint(1, 4)):
        fill = rng.choice(["black", "none", "white", grey(rng)])
        paint = f'fill="{fill}" stroke="black" stroke-width="{rng.choice([0, 3, 6, 12]) if fill != "none" else 8}"'
        x, y, r = unit * rng.uniform(0.3, 0.7), unit * rng.uniform(0.3, 0.7), unit * rng.uniform(0.12, 0.3)
        match rng.randrange(4):
            case 0:
                parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}" {paint}/>')
            case 1:
                parts.append(_box(x - r, y - r, 2 * r, 2 * r, paint))
            case 2:
                n, turn = rng.randint(3, 8), rng.uniform(0, pi)
                parts.append(f'<polygon points="{_star(x, y, r, n, turn, rng.uniform(0.4, 1))}" {paint}/>')
            case _:
                lines = "".join(f"M0 {k * unit / 9:.0f}H{unit:.0f}" for k in range(2, 8))
                parts.append(f'<path d="{lines}" fill="none" stroke="black" stroke-width="{rng.randint(4, 14)}"/>')
    return svg(size_mm, size_mm, "".join(parts))


def _box(x: float, y: float, width: float, height: float, look: str) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" {look}/>'


def _star(x: float, y: float, r: float, n: int, turn: float, waist: float) -> str:
    """Return the corners of a star or polygon."""
    return " ".join(
        f"{x + r * (waist if k % 2 else 1) * cos(turn + pi * k / n):.0f},"
        f"{y + r * (waist if k % 2 else 1) * sin(turn + pi * k / n):.0f}"
        for k in range(2 * n)
    )


def signature(rng: random.Random, width_mm: float) -> str:
    """Draw a quick curve as of a pen."""
    height, x, y = width_mm * 0.36, 0.04 * width_mm * 10, width_mm * 2.2
    path, n = f"M{x:.0f} {y:.0f}", rng.randint(7, 18)
    loop = rng.uniform(0.25, 1.0)
    for k in range(n):
        tall = height * 10 * loop * (rng.uniform(0.5, 0.95) if rng.random() < 0.3 or k == 0 else rng.uniform(0.1, 0.4))
        step = width_mm * 9 / n * rng.uniform(0.3, 1.7)
        path += (
            f"C{x + step * rng.uniform(-0.4, 1.5):.0f} {y - tall:.0f} {x - step * rng.uniform(-0.5, 0.9):.0f} "
            f"{y - tall * rng.uniform(0.6, 1.1):.0f} {x + step:.0f} {y + rng.uniform(-8, 8):.0f}"
        )
        x += step
    if rng.random() < 0.4:
        path += f"M{0.2 * x:.0f} {y + 14:.0f}Q{0.6 * x:.0f} {y - 6:.0f} {x:.0f} {y + rng.uniform(-10, 22):.0f}"
    pen = f'fill="none" stroke="{grey(rng, 0, 90)}" stroke-width="{rng.uniform(3.0, 8.5):.1f}" stroke-linecap="round"'
    return svg(width_mm, height, f'<path d="{path}" {pen} stroke-linejoin="round"/>', "overflow:visible")


def stamp(rng: random.Random, author: Author) -> str:
    """Draw a rubber stamp, turned a little, somewhere on the page."""
    angle, shade = rng.gauss(0, 9), grey(rng, 0, 130)
    place = f"position:absolute;top:{rng.uniform(2, 80):.0f}%;left:{rng.uniform(5, 72):.0f}%"
    border = rng.choice(["2pt solid", "1pt solid", "3pt double", "0 none", "1.5pt dashed"])
    lines = [author.title(1, 2).upper(), author.rng.choice([author.date(), author.code()])][: rng.randint(1, 2)]
    if rng.random() < 0.25:
        text = author.title(1, 3).upper()
        ring = (
            f'<g fill="none" stroke="{shade}"><circle cx="160" cy="160" r="150" stroke-width="9"/>'
            f'<circle cx="160" cy="160" r="104" stroke-width="4"/></g><text x="160" y="176" text-anchor="middle" '
            f'font-size="38" fill="{shade}">{text[:12]}</text>'
        )
        return f'<div style="{place};transform:rotate({angle:.1f}deg)">{svg(32, 32, ring)}</div>'
    return (
        f'<div class="heading" style="{place};transform:rotate({angle:.1f}deg);border:{border};color:{shade};'
        f'padding:1mm 3mm;font-size:{rng.uniform(9, 22):.0f}pt;text-align:center">{"<br>".join(lines)}</div>'
    )


def chart(rng: random.Random, author: Author, width_mm: float) -> str:
    """Draw a chart: curves, bars, points or a pie, with axes and words."""
    w, h = width_mm * 10, width_mm * 10 * rng.uniform(0.45, 0.8)
    left, bottom = 0.13 * w, h - 0.14 * h
    n = rng.randint(4, 12)
    kind = rng.choice(["lines", "bars", "points", "pie", "steps"])
    parts = [] if kind == "pie" else [_axes(rng, author, w, left, bottom, n)]
    across = [left + (w - left) * (k + 0.5) / n for k in range(n)]
    if kind == "pie":
        parts.append(_pie(rng, author, w, h))
    elif kind == "bars":
        for x in across:
            tall = (bottom - 0.05 * h) * rng.uniform(0.1, 1)
            look = f'fill="{grey(rng)}" stroke="black" stroke-width="3"'
            parts.append(_box(x, bottom - tall, (w - left) / n * 0.6, tall, look))
    elif kind == "points":
        slope = rng.uniform(-0.8, 0.8)
        for _ in range(rng.randint(20, 90)):
            t = rng.random()
            y = bottom * (0.5 + slope * (t - 0.5) + rng.gauss(0, 0.1))
            x, y = left + t * (w - left), min(max(y, 0), bottom)
            parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{h / 90:.0f}"/>')
    else:
        for _ in range(rng.randint(1, 4)):
            y, path = bottom * rng.uniform(0.2, 0.9), ""
            for k, x in enumerate(across):
                y = min(max(y + rng.gauss(0, 0.13) * bottom, 0.04 * h), bottom)
                path += f"{'L' if k else 'M'}{x:.0f} {y:.0f}"
                path += f"H{x + (w - left) / n:.0f}" if kind == "steps" else ""
            dash = rng.choice(["", "", "20 12", "6 10", "30 10 6 10"])
            pen = f'stroke="black" stroke-width="{rng.randint(3, 9)}" stroke-dasharray="{dash}"'
            parts.append(f'<path d="{path}" fill="none" {pen}/>')
    return svg(width_mm, h / 10, "".join(parts))


def _text(x: float, y: float, size: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.0f}" text-anchor="{anchor}">{text}</text>'


def _axes(rng: random.Random, author: Author, w: float, left: float, bottom: float, n: int) -> str:
    """Draw axes with marks and numbers, some with a grid."""
    size = rng.uniform(22, 32)
    path = f"M{left:.0f} 0V{bottom:.0f}H{w:.0f}"
    rows, top = rng.randint(3, 7), rng.choice([1, 10, 50, 100, 2500])
    words = []
    for k in range(rows + 1):
        y = bottom - (bottom - size) * k / rows
        words.append(_text(left - 14, y + size / 3, size, f"{top * k / rows:.4g}", "end"))
    thin = "".join(f"M{left:.0f} {bottom - bottom * k / rows:.0f}H{w:.0f}" for k in range(1, rows + 1))
    start = rng.choice([0, 1, 1970, 1985])
    for k in range(n):
        words.append(_text(left + (w - left) * (k + 0.5) / n, bottom + 1.2 * size, size, str(start + k)))
    words.append(_text((left + w) / 2, bottom + 2.4 * size, size, author.words(rng.randint(1, 4))))
    grid = f'<path d="{thin}" stroke="#777" stroke-width="2" fill="none"/>' if rng.random() < 0.5 else ""
    return f'{grid}<path d="{path}" stroke="black" stroke-width="4" fill="none"/>{"".join(words)}'


def _pie(rng: random.Random, author: Author, w: float, h: float) -> str:
    """Draw a pie of grey slices with words beside."""
    x, y, r, parts, angle = w * 0.35, h / 2, h * 0.46, [], rng.uniform(0, 2 * pi)
    shares = [rng.uniform(0.2, 1) for _ in range(rng.randint(3, 7))]
    for k, share in enumerate(shares):
        end = angle + 2 * pi * share / sum(shares)
        start, stop = (f"{x + r * cos(at):.0f} {y + r * sin(at):.0f}" for at in (angle, end))
        path = f"M{x:.0f} {y:.0f}L{start}A{r:.0f} {r:.0f} 0 {int(end - angle > pi)} 1 {stop}Z"
        parts.append(f'<path d="{path}" fill="{grey(rng, 0, 255)}" stroke="black" stroke-width="4"/>')
        parts.append(_text(x + 1.2 * r, h * (k + 1) / (len(shares) + 1), 28, author.words(2), "start"))
        angle = end
    return "".join(parts)


def flow_chart(rng: random.Random, author: Author, width_mm: float) -> str:
    """Draw boxes with words, and arrows between them."""
    rows, columns = rng.randint(2, 6), rng.randint(1, 4)
    cell_w, cell_h = width_mm * 10 / columns, rng.uniform(180, 300)
    box_w, box_h = cell_w * 0.74, cell_h * 0.55
    pen, parts = 'stroke="black" stroke-width="4"', []
    for row in range(rows):
        for column in range(columns):
            x, y = column * cell_w + cell_w * 0.1, row * cell_h + 20
            round_px = rng.choice([0, 0, 20, box_h / 2])
            look = f'rx="{round_px:.0f}" fill="none" stroke="black" stroke-width="{rng.randint(3, 7)}"'
            parts.append(_box(x, y, box_w, box_h, look))
            middle, end = x + box_w / 2, y + cell_h
            parts.append(_text(middle, y + box_h / 2 + 10, min(34, box_w / 9), author.title(1, 2)[:22]))
            if row + 1 < rows and rng.random() < 0.8:
                parts.append(f'<path d="M{middle:.0f} {y + box_h:.0f}V{end:.0f}" {pen}/>')
                parts.append(f'<path d="M{middle:.0f} {end:.0f}l-12 -26h24z"/>')
            if column + 1 < columns and rng.random() < 0.5:
                parts.append(f'<path d="M{x + box_w:.0f} {y + box_h / 2:.0f}h{cell_w - box_w:.0f}" {pen}/>')
    return svg(width_mm, rows * cell_h / 10, "".join(parts))


_GREEK = (r"\alpha", r"\beta", r"\lambda", r"\sigma", r"\theta", r"\mu", r"\phi")
_SYMBOLS = (*"abcfghkmnpqstuvwxyzABCEFGHKLMNPRSTVXY", *_GREEK)


def _term(rng: random.Random, depth: int = 0) -> str:
    """Invent a part of a formula."""
    symbol = rng.choice(_SYMBOLS)
    match rng.randrange(9 if depth < 2 else 4):
        case 0:
            return f"{symbol}_{{{rng.choice('ijknt01')}}}"
        case 1:
            return f"{symbol}^{{{rng.choice('2nkT')}}}"
        case 2 | 3:
            return f"{rng.choice(['', '', '2', '3'])}{symbol}"
        case 4 | 5:
            return rf"\frac{{{_term(rng, depth + 1)}}}{{{_term(rng, depth + 1)} + {_term(rng, depth + 1)}}}"
        case 6:
            return rf"\sum_{{i=1}}^{{{rng.choice('nNkm')}}} {_term(rng, depth + 1)}"
        case 7:
            return rf"\int_0^{{\infty}} {_term(rng, depth + 1)}\,d{rng.choice('xtu')}"
        case _:
            return rf"\sqrt{{{_term(rng, depth + 1)}}}"


def equation(rng: random.Random, size_pt: float) -> str:
    """Invent a formula and set it with matplotlib's mathtext."""
    terms = f" {rng.choice('+-')} ".join(_term(rng) for _ in range(rng.randint(1, 3)))
    return _typeset(f"${_term(rng, 2)} = {terms}$", size_pt, rng.choice(("cm", "stix", "dejavuserif")))


@cache
def _typeset(formula: str, size_pt: float, fontset: str) -> str:
    """Turn a formula into outlines."""
    from matplotlib import rc_context
    from matplotlib.path import Path as Outline
    from matplotlib.textpath import TextPath

    with rc_context({"mathtext.fontset": fontset}):
        outline: Outline = TextPath((0, 0), formula, size=size_pt)
    box = outline.get_extents()
    codes = (Outline.MOVETO, Outline.LINETO, Outline.CURVE3, Outline.CURVE4, Outline.CLOSEPOLY)
    commands = dict(zip(codes, "MLQCZ", strict=True))
    path = "".join(
        commands[code] + ("" if code == Outline.CLOSEPOLY else " ".join(f"{value:.2f}" for value in points))
        for points, code in outline.iter_segments()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box.width:.1f}pt" height="{box.height:.1f}pt" viewBox="'
        f'{box.x0:.2f} {-box.y1:.2f} {box.width:.2f} {box.height:.2f}"><path transform="scale(1,-1)" d="{path}"/></svg>'
    )
