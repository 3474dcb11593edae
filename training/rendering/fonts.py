"""Which fonts there are to set pages in, by use and by script.

Fonts are the system's: on Debian ``apt-get install $(python -m training.rendering --list-font-packages)``. Families
that are not installed are left out, and what is lost by that is said.
"""

import random
import subprocess
from dataclasses import dataclass
from functools import cache

PACKAGES = (
    "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fontconfig fonts-dejavu fonts-liberation2 fonts-croscore fonts-crosextra-carlito fonts-crosextra-caladea "
    "fonts-urw-base35 fonts-texgyre fonts-lmodern fonts-cmu fonts-linuxlibertine fonts-ebgaramond fonts-oldstandard "
    "fonts-sil-gentium-basic fonts-sil-charis fonts-sil-andika fonts-junicode fonts-fanwood fonts-goudybookletter "
    "fonts-prociono fonts-vollkorn fonts-quattrocento fonts-century-catalogue fonts-essays1743 fonts-averia-gwf "
    "fonts-averia-serif-gwf fonts-averia-sans-gwf fonts-lato fonts-roboto fonts-roboto-slab fonts-open-sans fonts-inter "
    "fonts-cantarell fonts-cabin fonts-jura fonts-play fonts-comfortaa fonts-league-spartan fonts-tuffy "
    "fonts-tiresias fonts-beteckna fonts-paratype fonts-adf-accanthis fonts-adf-baskervald fonts-adf-berenis "
    "fonts-adf-gillius fonts-adf-ikarius fonts-adf-irianis fonts-adf-libris fonts-adf-mekanus fonts-adf-romande "
    "fonts-adf-tribun fonts-adf-universalis fonts-adf-verana fonts-courier-prime fonts-inconsolata fonts-hack "
    "fonts-firacode fonts-jetbrains-mono fonts-mononoki fonts-monofur fonts-anonymous-pro fonts-ocr-a fonts-ocr-b "
    "fonts-breip fonts-dancingscript fonts-ecolier-court fonts-femkeklaver fonts-kristi fonts-rufscript "
    "fonts-humor-sans fonts-isabella fonts-summersby fonts-comic-neue fonts-freefont-ttf fonts-noto-core fonts-noto-cjk "
    "fonts-gfs-didot fonts-gfs-artemisia fonts-gfs-neohellenic fonts-gfs-olga fonts-gfs-solomos fonts-hosny-amiri "
    "fonts-kacst fonts-farsiweb fonts-paktype fonts-sil-scheherazade culmus fonts-sil-ezra fonts-lohit-deva "
    "fonts-deva-extra fonts-ipafont fonts-ipaexfont fonts-takao fonts-yozvox-yozfont fonts-wqy-zenhei fonts-arphic-ukai "
    "fonts-arphic-uming fonts-nanum fonts-unfonts-core"
).split()
"""Debian's packages with the families named below, all openly licensed, and with what sets and packs them."""

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
        "Latin Modern Mono,DejaVu Sans Mono,Noto Sans Mono,PT Mono,Miriam Mono CLM,OCR B"
    ),
    "code": (
        "DejaVu Sans Mono,Liberation Mono,Inconsolata,Hack,Fira Code,JetBrains Mono,mononoki,monofur,Anonymous Pro,"
        "Courier Prime Code,Noto Sans Mono,OCRA"
    ),
    "hand": (
        "Breip,Dancing Script,Ecolier_court,femkeklaver,Kristi,Rufscript,Humor Sans,Summersby,Z003,TeX Gyre Chorus,"
        "Romande ADF Script Std"
    ),
    "display": (
        "League Spartan,Comfortaa,Isabella,Essays1743,Romande ADF Style Std,Irianis ADF Style Std,Linux Libertine Display O,"
        "Lato Black,Roboto Condensed,URW Gothic,Play,Tribun ADF Std Cond"
    ),
    "cyrillic": (
        "Liberation Serif,Liberation Sans,DejaVu Serif,DejaVu Sans,PT Serif,PT Sans,PT Sans Narrow,Noto Serif,Noto Sans,"
        "Old Standard TT,Liberation Mono,PT Mono,FreeSerif,Nimbus Roman,Nimbus Sans,Nimbus Mono PS,C059,P052,CMU Serif,"
        "EB Garamond,Roboto,Open Sans,Comfortaa"
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
    "devanagari": (
        "Noto Sans Devanagari,Noto Serif Devanagari,Lohit Devanagari,Chandas,Kalimati,Samanata,Samyak Devanagari"
    ),
    "bengali": "Noto Sans Bengali,Noto Serif Bengali",
    "thai": "Noto Sans Thai,Noto Serif Thai,Noto Looped Thai",
    "chinese": "Noto Sans CJK SC,Noto Serif CJK SC,AR PL UMing CN,AR PL UKai CN,WenQuanYi Zen Hei",
    "chinese-traditional": "Noto Sans CJK TC,Noto Serif CJK TC,AR PL UMing TW,AR PL UKai TW,WenQuanYi Zen Hei",
    "japanese": "IPAMincho,IPAGothic,IPAPMincho,IPAexGothic,TakaoMincho,TakaoPGothic,Noto Sans CJK JP,Noto Serif CJK JP,YOzN",
    "korean": "NanumMyeongjo,NanumGothic,NanumBarunGothic,UnBatang,UnDotum,UnGungseo,UnPilgi,Noto Sans CJK KR,Noto Serif CJK KR",
}
"""Families by use, for Latin script, and by script."""


@dataclass(frozen=True)
class Fonts:
    """The installed families.

    Attributes
    ----------
    families : dict of str to list of str
        The installed ones of `FAMILIES`; none of them empty.
    missing : list of str
        Named in `FAMILIES` and not installed.
    """

    families: dict[str, list[str]]
    missing: list[str]

    def choose(self, rng: random.Random, use: str) -> str:
        """Draw a family for a use or script."""
        return rng.choice(self.families[use])


@cache
def installed_fonts() -> Fonts:
    """Ask fontconfig which of the families are there.

    Returns
    -------
    Fonts

    Raises
    ------
    FileNotFoundError
        If fontconfig's command ``fc-list`` is missing.
    """
    listed = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout
    known = {name.strip() for line in listed.splitlines() for name in line.split(",")}
    wanted = {use: [name.strip() for name in names.split(",")] for use, names in FAMILIES.items()}
    families = {use: [name for name in names if name in known] for use, names in wanted.items()}
    missing = sorted({name for names in wanted.values() for name in names} - known)
    return Fonts({use: names for use, names in families.items() if names}, missing)
