"""Which fonts there are to set pages in, by use and by script.

Fonts are the system's: on Debian ``apt-get install $(cat training/rendering/debian-packages.txt)``; all are openly
licensed. Families that are not installed are left out, and what is lost by that is said.
"""

import random
import subprocess
from dataclasses import dataclass
from functools import cache

from core.errors import UsageError

FAMILIES = {
    "serif": (
        "Liberation Serif,Tinos,Nimbus Roman,TeX Gyre Termes,FreeSerif,P052,TeX Gyre Pagella,C059,TeX Gyre Schola,"
        "URW Bookman,TeX Gyre Bonum,DejaVu Serif,Noto Serif,Caladea,Linux Libertine O,EB Garamond,Old Standard TT,"
        "Gentium Basic,Gentium Book Basic,Charis SIL,CMU Serif,CMU Concrete,Latin Modern Roman,Baskervald ADF Std,"
        "Accanthis ADF Std,Berenis ADF Pro,Romande ADF Std,Tribun ADF Std,Fanwood Text,Goudy Bookletter 1911,Prociono,"
        "Vollkorn,Quattrocento,Century Catalogue,Essays1743,Averia Serif GWF,PT Serif,Junicode Two Beta,Roboto Slab,"
        "Noto Serif Display,GFS Didot"
    ),
    "sans": (
        "Liberation Sans,Arimo,Nimbus Sans,TeX Gyre Heros,FreeSans,URW Gothic,TeX Gyre Adventor,DejaVu Sans,"
        "DejaVu Sans Condensed,Noto Sans,Carlito,Lato,Roboto,Roboto Condensed,Open Sans,Open Sans Condensed,Inter,"
        "Cantarell,Cabin,Jura,Play,Tuffy,Tiresias Infofont,Beteckna,PT Sans,PT Sans Narrow,Gillius ADF,Ikarius ADF Std,"
        "Irianis ADF Std,Libris ADF Std,Mekanus ADF Std,Universalis ADF Std,Verana Sans,Linux Biolinum O,CMU Bright,"
        "Latin Modern Sans,Andika,Averia Sans GWF,Nimbus Sans Narrow,TeX Gyre Heros Cn,Comic Neue"
    ),
    "typewriter": (
        "Nimbus Mono PS,TeX Gyre Cursor,Courier Prime,Liberation Mono,Cousine,FreeMono,CMU Typewriter Text,"
        "Latin Modern Mono,DejaVu Sans Mono,PT Mono,Miriam Mono CLM,OCR B"
    ),
    "hand": (
        "Breip,Dancing Script,Ecolier_court,femkeklaver,Kristi,Rufscript,Humor Sans,Summersby,Z003,TeX Gyre Chorus,"
        "Romande ADF Script Std"
    ),
    "display": (
        "League Spartan,Comfortaa,Isabella,Essays1743,Romande ADF Style Std,Irianis ADF Style Std,"
        "Linux Libertine Display O,Lato Black,Roboto Condensed,URW Gothic,Play,Tribun ADF Std Cond"
    ),
    "cyrillic": (
        "Liberation Serif,Liberation Sans,DejaVu Serif,DejaVu Sans,PT Serif,PT Sans,PT Sans Narrow,Noto Serif,"
        "Noto Sans,Old Standard TT,Liberation Mono,PT Mono,FreeSerif,Nimbus Roman,Nimbus Sans,Nimbus Mono PS,C059,P052,"
        "CMU Serif,EB Garamond,Roboto,Open Sans,Comfortaa"
    ),
    "greek": (
        "GFS Didot,GFS Artemisia,GFS Neohellenic,GFS Olga,GFS Solomos,Liberation Serif,Liberation Sans,Liberation Mono,"
        "DejaVu Sans,DejaVu Serif,Noto Sans,Noto Serif,Old Standard TT,Nimbus Roman,Nimbus Sans"
    ),
    "armenian": "Noto Sans Armenian,Noto Serif Armenian,DejaVu Sans,DejaVu Serif",
    "arabic": (
        "Amiri,Scheherazade,KacstBook,KacstNaskh,KacstOffice,KacstLetter,KacstFarsi,Noto Naskh Arabic,Noto Sans Arabic,"
        "Noto Kufi Arabic,Nazli,Homa,PakType Naskh Basic,DejaVu Sans"
    ),
    "hebrew": (
        "David CLM,Frank Ruehl CLM,Miriam CLM,Miriam Mono CLM,Nachlieli CLM,Hadasim CLM,Simple CLM,Drugulin CLM,"
        "Noto Sans Hebrew,Noto Serif Hebrew,DejaVu Sans,Ezra SIL,Yehuda CLM"
    ),
    "devanagari": ("Noto Sans Devanagari,Noto Serif Devanagari,Lohit Devanagari,Chandas,Kalimati,Samanata"),
    "bengali": "Noto Sans Bengali,Noto Serif Bengali",
    "thai": "Noto Sans Thai,Noto Serif Thai,Noto Looped Thai",
    "chinese": "Noto Sans CJK SC,Noto Serif CJK SC,AR PL UMing CN,AR PL UKai CN,WenQuanYi Zen Hei",
    "chinese-traditional": "Noto Sans CJK TC,Noto Serif CJK TC,AR PL UMing TW,AR PL UKai TW,WenQuanYi Zen Hei",
    "japanese": (
        "IPAMincho,IPAGothic,IPAPMincho,IPAexGothic,TakaoMincho,TakaoPGothic,Noto Sans CJK JP,Noto Serif CJK JP,YOzN"
    ),
    "korean": (
        "NanumMyeongjo,NanumGothic,NanumBarunGothic,UnBatang,UnDotum,UnGungseo,UnPilgi,"
        "Noto Sans CJK KR,Noto Serif CJK KR"
    ),
}
"""Families by use, for Latin script, and by script."""


REMEDY = "On Debian: apt-get install $(cat training/rendering/debian-packages.txt)"


@dataclass(frozen=True)
class Fonts:
    """The installed families.

    Attributes
    ----------
    families : dict of str to list of str
        The installed ones of `FAMILIES`; no list is empty.
    missing : list of str
        Named in `FAMILIES` and not installed.
    """

    families: dict[str, list[str]]
    missing: list[str]

    def choose(self, rng: random.Random, use: str) -> str:
        """Draw a family for a use or script; of what there is, if there is none for it."""
        return rng.choice(self.families.get(use) or next(iter(self.families.values())))


@cache
def installed_fonts() -> Fonts:
    """Ask fontconfig which of the families are there.

    Returns
    -------
    Fonts

    Raises
    ------
    UsageError
        If fontconfig is missing, or every one of the families.
    """
    try:
        listing = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(f"The installed fonts could not be listed: fc-list failed ({error}). {REMEDY}") from error
    fonts = among({name.strip() for line in listing.splitlines() for name in line.split(",")})
    if not fonts.families:
        raise UsageError(f"Not one font to set pages in is installed. {REMEDY}")
    return fonts


def among(known: set[str]) -> Fonts:
    """Sort the known families by use."""
    wanted = {use: [name.strip() for name in names.split(",")] for use, names in FAMILIES.items()}
    families = {use: [name for name in names if name in known] for use, names in wanted.items()}
    missing = sorted({name for names in wanted.values() for name in names} - known)
    return Fonts({use: names for use, names in families.items() if names}, missing)
