"""Which fonts there are to set pages in, by use and by script.

Fonts are the system's: on Debian ``apt-get install $(cat training/rendering/debian-packages.txt)``; all are openly
licensed. Families that are not installed are left out, and what is lost by that is said.
"""

import random
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.errors import UsageError

FAMILIES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("families.toml").read_text(encoding="utf-8"))
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


def among(installed: set[str]) -> Fonts:
    """Sort the installed families by use."""
    families = {use: [name for name in names if name in installed] for use, names in FAMILIES.items()}
    missing = sorted({name for names in FAMILIES.values() for name in names} - installed)
    return Fonts({use: names for use, names in families.items() if names}, missing)
