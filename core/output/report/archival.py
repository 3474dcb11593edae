"""PDF/A-2b: a document that is typeset first; its large images come in when it is written, one after the other."""

import io
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import img2pdf
import pikepdf
from fpdf import FPDF
from fpdf.enums import MethodReturnValue
from fpdf.fonts import TTFFont

from core import __version__
from core.arrangement.details import CaseDetails
from core.composition.page_image import Rendition
from core.errors import OutputError
from core.progress import Progress, no_progress
from core.system.files import PatientStream
from core.system.places import font_path
from core.units import DPI, MM_PER_INCH
from core.wording import QT_TRANSLATE_NOOP

CREATOR = f"Rejoin {__version__}"

SUBJECT = "Digital reconstruction of shredded paper; not an original. Gaps are left as they are."
"""What every file says of itself in its metadata."""

SUBJECTS: dict[Rendition, str] = {
    "evidence": SUBJECT,
    "reading": "Reading copy of a digital reconstruction of shredded paper; not an original. Rims of cuts lie over one "
    "another, bent strips are straight, and paper is made even: the evidence page shows every pixel.",
}
"""What files of pages say."""

PT_PER_PX = 72 / DPI

TEXT, MONO = "text", "mono"
"""Families of type: for reading, and for hashes."""

LARGEST_PAGE_MM = 14_400 / 72 * MM_PER_INCH
"""PDF/A allows no larger page."""

_FONTS = {(TEXT, ""): "NotoSans-Regular", (TEXT, "B"): "NotoSans-Bold", (MONO, ""): "DejaVuSansMono"}
_FALLBACKS = {"signs": "DejaVuSans", "cjk": "WenQuanYiMicroHei"}
"""Asked in this order for letters that the text's own font lacks; read only if there are any."""

_SMALL_BYTES = 1 << 20
"""Images up to this size wait in memory: there can be thousands, and a process can open only so many files."""

_TURNING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn the direction of writing, and so could make a name look like another one."""


class ArchivalDocument(FPDF):
    """A PDF/A-2b: fonts embedded, colours by sRGB, title and date in its metadata, the same bytes for the same content.

    Text of any script is drawn; what no font here has, and what would turn the direction of writing, shows as its code.
    Large images wait on disk until the document is written, so that few are held in memory; the end of a ``with`` block
    closes all files.

    Parameters
    ----------
    title : str
        Of the document.
    date : datetime
        When it was made; aware.
    folder : Path
        Where nameless files may lie meanwhile.
    subject : str
        What it says of itself.
    """

    def __init__(self, title: str, date: datetime, folder: Path, subject: str = SUBJECT) -> None:
        super().__init__(unit="mm", format="A4", enforce_compliance="PDF/A-2B")
        self.date = date.astimezone(UTC)
        self._folder = folder
        self._files = ExitStack()
        # An image as a PDF of its own holds it, its page, and its place: points from the lower left corner.
        self._placed: list[tuple[pikepdf.Object, int, tuple[float, float, float, float]]] = []
        self._letters: dict[str, Collection[int]] = {}
        self._labels: dict[int, str] = {}
        self.set_margin(0)
        self.c_margin = 0.0
        self.set_auto_page_break(False)
        for (family, style), name in _FONTS.items():
            self._load(family, style, name)
        self.set_title(self.shown(title))
        self.set_subject(subject)
        self.set_creator(CREATOR)
        self.set_producer(f"{CREATOR}, fpdf2, pikepdf")
        self.set_creation_date(self.date)
        self.set_lang("en")
        self.type(TEXT, 9)

    def __enter__(self) -> "ArchivalDocument":
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def describe(self, details: CaseDetails) -> None:
        """Write into the metadata what the case is called; what was not entered is left out.

        Parameters
        ----------
        details : CaseDetails
            Of the case.
        """
        if by := ", ".join(filter(None, (details.examiner, details.laboratory))):
            self.set_author(self.shown(by))
        if called := ", ".join(filter(None, (details.number, details.exhibit))):
            self.set_keywords(self.shown(called))

    def file_id(self) -> None:
        """Leave the identifier to `save`: it would depend on the clock here."""

    def type(self, family: str = TEXT, size_pt: float = 9, style: str = "", grey: int = 0) -> None:
        """Choose the font, its size and how grey it is (0: black, 255: white).

        Parameters
        ----------
        family : {"text", "mono"}
            Of type.
        size_pt : float
            Its size.
        style : {"", "B"}
            Upright or bold.
        grey : int
            0 to 255.
        """
        self.set_font(family, style, size_pt)
        self.set_text_color(grey)

    def shown(self, text: str) -> str:
        """Replace what cannot be drawn by codes, and load the fonts that all the rest needs.

        Parameters
        ----------
        text : str
            In any script.

        Returns
        -------
        str
            As it can be drawn.
        """
        return "".join(map(self._shown, unicodedata.normalize("NFC", text)))

    def write_at(self, x_mm: float, y_mm: float, text: str, width_mm: float = 0.0, align: str = "L") -> None:
        """Write one line whose upper edge is at `y_mm`.

        Parameters
        ----------
        x_mm, y_mm : float
            Upper left corner.
        text : str
            One line.
        width_mm : float
            Within which it is aligned; 0 for its own width.
        align : {"L", "C", "R"}
            Left, centre, right.
        """
        text = self.shown(text)
        with self._shaped(text):
            self.set_xy(x_mm, y_mm)
            self.cell(width_mm or self.get_string_width(text) + 1, self.font_size, text, align=align)

    def write_block(self, x_mm: float, y_mm: float, text: str, width_mm: float, leading: float = 1.3) -> float:
        """Write lines that are broken at `width_mm`; where the block ends comes back.

        Parameters
        ----------
        x_mm, y_mm : float
            Upper left corner.
        text : str
            Any number of lines.
        width_mm : float
            At which they are broken.
        leading : float
            Distance of lines, as a multiple of the size of type.

        Returns
        -------
        float
            Lower end of the block, in mm.
        """
        text = self.shown(text)
        with self._shaped(text):
            self.set_xy(x_mm, y_mm)
            self.multi_cell(width_mm, leading * self.font_size, text, align="R" if _from_right(text) else "L")
        return float(self.y)

    def block_height(self, text: str, width_mm: float, leading: float = 1.3) -> float:
        """Measure how high a block would be, in mm.

        Parameters
        ----------
        text : str
            Any number of lines.
        width_mm : float
            At which they are broken.
        leading : float
            See `write_block`.

        Returns
        -------
        float
            In mm.
        """
        text = self.shown(text)
        with self._shaped(text):
            height = self.multi_cell(
                width_mm, leading * self.font_size, text, align="L", dry_run=True, output=MethodReturnValue.HEIGHT
            )
        assert isinstance(height, float | int)
        return float(height)

    def lines_of(self, text: str, width_mm: float) -> list[str]:
        """Break a text as `write_block` would.

        Parameters
        ----------
        text : str
            Any number of lines.
        width_mm : float
            At which they are broken.

        Returns
        -------
        list of str
            As they would stand.
        """
        text = self.shown(text)
        with self._shaped(text):
            lines = self.multi_cell(width_mm, text=text, align="L", dry_run=True, output=MethodReturnValue.LINES)
        assert isinstance(lines, list)
        return [str(line) for line in lines]

    def shortened(self, text: str, width_mm: float) -> str:
        """Cut a text in its middle so that it fits on a line.

        Parameters
        ----------
        text : str
            One line.
        width_mm : float
            That it may take.

        Returns
        -------
        str
            With "…" where something was left out.
        """
        text = self.shown(text)
        short = text
        for kept in range(len(text) - 1, 1, -1):
            if self.get_string_width(short) <= width_mm:
                break
            short = f"{text[: (kept + 1) // 2]}…{text[len(text) - kept // 2 :]}"
        return short

    def add_sheet(self, width_mm: float, height_mm: float) -> None:
        """Begin a page of any size.

        Parameters
        ----------
        width_mm, height_mm : float
            Size of the page.

        Raises
        ------
        OutputError
            If PDF/A knows no page so large.
        """
        if max(width_mm, height_mm) > LARGEST_PAGE_MM:
            raise OutputError(
                f"A page of {width_mm / 1000:.1f} m × {height_mm / 1000:.1f} m is larger than a PDF may be "
                f"({LARGEST_PAGE_MM / 1000:.1f} m). Write TIFF or PNG, or part the page."
            )
        self.add_page(format=(width_mm, height_mm))

    def bookmark(self, text: str, level: int = 0, label: str = "") -> None:
        """List the page that was begun last among the bookmarks.

        Parameters
        ----------
        text : str
            One line.
        level : int
            1 for what belongs to the bookmark before.
        label : str
            What readers show in place of the number of the page.
        """
        self.set_y(0)
        self.start_section(self.shown(text), level)
        if label:
            self._labels[self.page - 1] = self.shown(label)

    def place(self, image: bytes, x_mm: float, y_mm: float, size_px: tuple[int, int]) -> None:
        """Lay a PNG or JPEG on the page, at true size, below all that is drawn there.

        Parameters
        ----------
        image : bytes
            PNG or JPEG at 300 dpi.
        x_mm, y_mm : float
            Upper left corner.
        size_px : tuple of int
            Its width and height.
        """
        small = len(image) < _SMALL_BYTES
        file = self._files.enter_context(io.BytesIO() if small else TemporaryFile(dir=self._folder))  # noqa: SIM115
        # It takes the compressed data over as they are, without loss; asked for the way up it would decompress them.
        as_it_is = img2pdf.Rotation.none
        img2pdf.convert(image, outputstream=file, engine=img2pdf.Engine.internal, rotation=as_it_is)
        source = self._files.enter_context(pikepdf.open(file))
        (as_pdf,) = source.pages[0].Resources.XObject.values()
        width, height = (PT_PER_PX * side for side in size_px)
        box = (x_mm * self.k, self.h_pt - y_mm * self.k - height, width, height)
        self._placed.append((as_pdf, self.page - 1, box))

    def save(self, file: Path, progress: Progress = no_progress) -> None:
        """Write the document.

        Parameters
        ----------
        file : Path
            Usually one that `core.system.files.replacing` gave.
        progress : Progress
            Called while it is written.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        with pikepdf.open(io.BytesIO(self.output())) as pdf:
            for image, page, box in self._placed:
                _lay(pdf.pages[page], pdf.copy_foreign(image), box)
            if self._labels:
                pdf.Root.PageLabels = _labels(self._labels, len(pdf.pages))
            if pikepdf.Name.OCProperties in pdf.Root:
                layers = pdf.Root.OCProperties.D
                layers.Name = pikepdf.String("Layers")
                del layers.AS  # PDF/A lets nobody but the reader switch layers
            with pdf.open_metadata(set_pikepdf_as_editor=False) as metadata:
                for key in ("xmp:ModifyDate", "xmp:MetadataDate"):
                    metadata[key] = self.date.isoformat(timespec="seconds")
            with file.open("wb") as stream:
                patient = PatientStream(stream)
                pdf.save(
                    patient,
                    deterministic_id=True,
                    object_stream_mode=pikepdf.ObjectStreamMode.generate,
                    progress=lambda percent: progress(percent / 100, QT_TRANSLATE_NOOP("progress", "Writing the PDF")),
                )
                if patient.error is not None:
                    raise patient.error

    def _shown(self, letter: str) -> str:
        code = ord(letter)
        drawn = letter == "\n" or (letter not in _TURNING and self._has(code))
        return letter if drawn else f"‹U+{code:04X}›"

    def _has(self, code: int) -> bool:
        if code < 0x20 or 0xD800 <= code < 0xE000:
            return False
        for name, file in {TEXT: "", **_FALLBACKS}.items():
            if name not in self._letters:
                self._load(name, "", file)
                self.set_fallback_fonts([each for each in _FALLBACKS if each in self._letters], exact_match=False)
            if code in self._letters[name]:
                return True
        return False

    def _load(self, family: str, style: str, file: str) -> None:
        self.add_font(family, style, font_path(file))
        font = self.fonts[f"{family}{style}"]
        assert isinstance(font, TTFFont)
        self._files.callback(font.ttfont.close)
        self._letters.setdefault(family, font.cmap.keys())

    @contextmanager
    def _shaped(self, text: str) -> Iterator[None]:
        """Join letters and turn lines as scripts that are written from right to left want it."""
        self.set_text_shaping(any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text))
        yield
        self.set_text_shaping(False)


def _labels(texts: Mapping[int, str], n_pages: int) -> pikepdf.Dictionary:
    """Build the labels of pages: a text, or the number of the page where there is none."""
    each: list[Any] = []
    for page in range(n_pages):
        text, number = texts.get(page), pikepdf.Dictionary(S=pikepdf.Name.D, St=page + 1)
        each += [page, number if text is None else pikepdf.Dictionary(P=pikepdf.String(text))]
    return pikepdf.Dictionary(Nums=pikepdf.Array(each))


def _lay(page: pikepdf.Page, image: pikepdf.Object, box_pt: tuple[float, float, float, float]) -> None:
    """Lay an image below what a page holds; the trim box marks how far it reaches."""
    x, y, width, height = box_pt
    name = pikepdf.Name.Reconstruction
    page.add_resource(image, pikepdf.Name.XObject, name)
    page.contents_add(f"q {width:.4f} 0 0 {height:.4f} {x:.4f} {y:.4f} cm {name} Do Q".encode(), prepend=True)
    page.trimbox = [round(value, 4) for value in (x, y, x + width, y + height)]


def _from_right(text: str) -> bool:
    """Check whether a text begins in a script that is written from right to left."""
    kinds = (unicodedata.bidirectional(letter) for letter in text)
    return next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L"
