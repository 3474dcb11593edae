"""Small PDF files that take for ever to draw, or all of the memory, made from a seed."""

import io
from collections.abc import Callable

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

Generator = np.random.Generator
Drawing = Callable[[Generator, pikepdf.Pdf], tuple[bytes, dict[str, Dictionary]]]
"""Gives the commands of a page, and what they refer to."""

SIDE_PT = 500


def made(drawing: Drawing, rng: Generator, n_after: int = 0) -> bytes:
    """Make a file with a page that is drawn so, and blank pages after it."""
    pdf, file = pikepdf.new(), io.BytesIO()
    for _ in range(1 + n_after):
        pdf.add_blank_page(page_size=(SIDE_PT, SIDE_PT))
    commands, resources = drawing(rng, pdf)
    pdf.pages[0].Contents, pdf.pages[0].Resources = pdf.make_stream(commands), Dictionary(**resources)
    pdf.save(file, static_id=True)
    return file.getvalue()


def _form(pdf: pikepdf.Pdf, commands: bytes, **resources: Dictionary) -> Stream:
    form = pdf.make_stream(commands)
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, SIDE_PT, SIDE_PT])
    form.Resources = Dictionary(**resources)
    return form


def forms(rng: Generator, pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """A form that draws another one fifty times, which draws another one fifty times…"""
    inner = _form(pdf, b"0 0 1 1 re f")
    for _ in range(int(rng.integers(6, 12))):
        inner = _form(pdf, b"/Inner Do " * 50, XObject=Dictionary(Inner=inner))
    return b"/Inner Do", {"XObject": Dictionary(Inner=inner)}


def groups(rng: Generator, pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """Transparent groups that hold each other; each takes a picture as large as the page."""
    half = Dictionary(Half=Dictionary(ca=0.5, BM=Name.Multiply))
    inner = _form(pdf, b"0 0 400 400 re f")
    for _ in range(int(rng.integers(9, 13))):
        inner = _form(pdf, b"/Half gs " + b"/Inner Do " * 4, XObject=Dictionary(Inner=inner), ExtGState=half)
        inner.Group = Dictionary(S=Name.Transparency, I=True)
    return b"/Inner Do", {"XObject": Dictionary(Inner=inner)}


def masks(rng: Generator, pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """What is masked by what is masked by what is masked…"""
    inner = _form(pdf, b"0 0 400 400 re f")
    for _ in range(int(rng.integers(9, 13))):
        inner.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
        mask = Dictionary(Mask=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=inner)))
        inner = _form(pdf, b"/Mask gs " + b"9 9 400 400 re f " * 4, ExtGState=mask)
    return b"/Inner Do", {"XObject": Dictionary(Inner=inner)}


def tiles(rng: Generator, pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """A pattern that is repeated at each ten-thousandth of a point, or less."""
    pattern, step = pdf.make_stream(b"1 0 0 rg 0 0 1 1 re f"), 10.0 ** -int(rng.integers(4, 9))
    pattern.Type, pattern.PatternType, pattern.PaintType, pattern.TilingType = Name.Pattern, 1, 1, 1
    pattern.BBox, pattern.XStep, pattern.YStep = Array([0, 0, 100, 100]), step, step
    pattern.Resources = Dictionary()
    return b"/Pattern cs /P scn 0 0 500 500 re f", {"Pattern": Dictionary(P=pattern)}


def shades(rng: Generator, pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """A shading that computes long for each pixel."""
    work = b"dup mul sin exch dup mul cos exch " * int(rng.integers(20_000, 60_000))
    program = pdf.make_stream(b"{ " + work + b"pop dup dup }")
    program.FunctionType, program.Domain, program.Range = 4, Array([0, 1] * 2), Array([0, 1] * 3)
    shading = Dictionary(ShadingType=1, ColorSpace=Name.DeviceRGB, Function=program)
    shading.Matrix = Array([SIDE_PT, 0, 0, SIDE_PT, 0, 0])
    return b"/S sh", {"Shading": Dictionary(S=shading)}


def letters(rng: Generator, pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """Letters that are drawn by writing letters."""

    def font(letter: Stream) -> Dictionary:
        encoding = Dictionary(Type=Name.Encoding, Differences=Array([97, Name.a]))
        return Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=Array([0, 0, SIDE_PT, SIDE_PT]),
            FontMatrix=Array([1, 0, 0, 1, 0, 0]),
            CharProcs=Dictionary(a=letter),
            Encoding=encoding,
            FirstChar=97,
            LastChar=97,
            Widths=Array([10]),
            Resources=letter.get("/Resources", Dictionary()),
        )

    text = b"BT /F 1 Tf (" + b"a" * 50 + b") Tj ET"
    letter = pdf.make_stream(b"10 0 d0 0 0 1 1 re f")
    for _ in range(int(rng.integers(6, 12))):
        inner, letter = letter, pdf.make_stream(b"10 0 d0 " + text)
        letter.Resources = Dictionary(Font=Dictionary(F=font(inner)))
    return text, {"Font": Dictionary(F=font(letter))}


def pictures(rng: Generator, pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """A large picture, drawn askew many thousand times."""
    side = int(rng.integers(2000, 4000))
    image = pdf.make_stream(bytes(side * side))
    image.Type, image.Subtype, image.ColorSpace = Name.XObject, Name.Image, Name.DeviceGray
    image.Width, image.Height, image.BitsPerComponent = side, side, 8
    return b"q 500 3 7 500 0 0 cm /Big Do Q " * 50_000, {"XObject": Dictionary(Big=image)}


def commands(rng: Generator, _pdf: pikepdf.Pdf) -> tuple[bytes, dict[str, Dictionary]]:
    """Millions of commands, packed small: shapes, clippings, states that are never taken back."""
    one = (b"0 0 m 500 0 l 500 500 l h f* ", b"0 0 500 500 re W n ", b"q ")[rng.integers(0, 3)]
    return one * 4_000_000, {}


DRAWINGS: tuple[Drawing, ...] = (forms, groups, masks, tiles, shades, letters, pictures, commands)
