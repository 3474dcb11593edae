"""What a case is called where it is worked on: its number, exhibit, laboratory, examiner, remarks, and a logo."""

import base64
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from core.arrangement.arrangement import Arrangement

MAX_LOGO_BYTES = 256 << 10
MAX_LOGO_PX = 2_000
MAX_LINE = 200
MAX_REMARKS = 10_000

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class CaseDetails:
    """What stands on what is written of a case; "" where nothing was entered.

    Attributes
    ----------
    number, exhibit, laboratory, examiner : str
        A line each.
    remarks : str
        Any number of lines.
    logo : str
        Of the laboratory: a PNG in base64, see `encoded_logo`.

    Raises
    ------
    ValueError
        A sentence, if something is too long, or the logo is no whole PNG of a reasonable size.

    Examples
    --------
    >>> details = CaseDetails(number="2026-0412", exhibit="Exhibit 3")
    >>> details.heading("matter")
    '2026-0412 · Exhibit 3 · matter'
    >>> CaseDetails.of(Arrangement(details=details.values())) == details
    True
    """

    number: str = ""
    exhibit: str = ""
    laboratory: str = ""
    examiner: str = ""
    remarks: str = ""
    logo: str = ""

    def __post_init__(self) -> None:
        for name in ("number", "exhibit", "laboratory", "examiner"):
            line = getattr(self, name)
            if len(line) > MAX_LINE or "\n" in line:
                raise ValueError(f"The {name} is no line of up to {MAX_LINE} letters.")
        if len(self.remarks) > MAX_REMARKS:
            raise ValueError(f"The remarks are longer than {MAX_REMARKS:,} letters.")
        if self.logo:
            _check_logo(self.logo_png)

    @classmethod
    def of(cls, arrangement: Arrangement) -> "CaseDetails":
        """Read the details that an arrangement holds.

        Parameters
        ----------
        arrangement : Arrangement
            Of a case.

        Returns
        -------
        CaseDetails
            Empty ones, if it holds none.
        """
        return cls(**arrangement.details)

    def values(self) -> dict[str, str]:
        """Return what was entered, by the names of the fields."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name))}

    def heading(self, name: str) -> str:
        """Return what a case is called in one line: number, exhibit, and the name of its file.

        Parameters
        ----------
        name : str
            Of its file, or what it was made from.

        Returns
        -------
        str
            The name alone, if neither was entered.
        """
        return " · ".join(dict.fromkeys(filter(None, (self.number, self.exhibit, name))))

    def lines(self) -> Iterator[tuple[str, str]]:
        """List what was entered, but for the logo, each with its label in English."""
        labels: Mapping[str, str] = {
            "number": "Case number",
            "exhibit": "Exhibit",
            "laboratory": "Laboratory",
            "examiner": "Examiner",
            "remarks": "Remarks",
        }
        yield from ((label, value) for name, label in labels.items() if (value := getattr(self, name)))

    @property
    def logo_png(self) -> bytes:
        """The logo as a file; empty if there is none."""
        return base64.b64decode(self.logo, validate=True)


def encoded_logo(png: bytes) -> str:
    """Encode a logo as `CaseDetails` holds it.

    Parameters
    ----------
    png : bytes
        A PNG file of at most `MAX_LOGO_BYTES`, and `MAX_LOGO_PX` wide and high.

    Returns
    -------
    str
        In base64.

    Raises
    ------
    ValueError
        A sentence, if it is none.
    """
    _check_logo(png)
    return base64.b64encode(png).decode("ascii")


def _check_logo(png: bytes) -> None:
    """Check that a logo is a PNG, whole and of a reasonable size; what its pixels are is another question."""
    if len(png) > MAX_LOGO_BYTES:
        raise ValueError(f"The logo has more than {MAX_LOGO_BYTES >> 10} KiB.")
    chunks = dict(_chunks(png)) if png.startswith(_SIGNATURE) else {}
    if [*chunks][:1] != [b"IHDR"] or [*chunks][-1:] != [b"IEND"] or b"IDAT" not in chunks:
        raise ValueError("The logo is no whole PNG.")
    width, height = (int.from_bytes(chunks[b"IHDR"][at : at + 4], "big") for at in (0, 4))
    if not (0 < width <= MAX_LOGO_PX and 0 < height <= MAX_LOGO_PX):
        raise ValueError(f"The logo is more than {MAX_LOGO_PX} pixels wide or high.")


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Read the parts of a PNG up to the first that is damaged."""
    at = len(_SIGNATURE)
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        kind, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        crc = png[at + 8 + length : at + 12 + length]
        if crc != zlib.crc32(kind + content).to_bytes(4, "big"):
            return
        yield kind, content
        at += 12 + length
