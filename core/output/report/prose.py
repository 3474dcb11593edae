"""What the report says in words: how it is done, what is known of errors, and where its limits are."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from core.output.report.typesetting import Column, Row, Typesetter
from core.shreds.deskew import NO_TURN_DEG
from core.system.places import ROOT

_TEXTS: dict[str, Any] = tomllib.loads((ROOT / "report.toml").read_text(encoding="utf-8"))
"""Paragraphs on the method and its limits."""

_BANDS = (
    Column("sure by", 26), Column("joins", 20, "R"), Column("right", 20, "R"), Column("right, %", 20, "R"),
    Column("95 % interval", 30, "R"),
)  # fmt: skip


def add_method(setter: Typesetter, cross_cut: bool) -> None:
    """Write how a reconstruction is made, with references.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    cross_cut : bool
        Whether paper was cut both ways.
    """
    setter.heading("Method")
    for paragraph in [*_TEXTS["method"], *([_TEXTS["cross_cut"]] if cross_cut else [])]:
        setter.paragraph(paragraph.format(degrees=NO_TURN_DEG))
    setter.y_mm += 1
    for reference in _TEXTS["references"]:
        setter.paragraph(reference, 8, grey=60)


def add_limits(setter: Typesetter, weights_sha256: str, version: str) -> None:
    """Write where the method ends, and how often joins of each confidence were right on known documents.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    weights_sha256, version : str
        Of the weights and of the Rejoin that made the case; what was measured with others is said to be so.
    """
    measured = _measured()
    setter.heading("Limits and measured error rates")
    for limit in measured.get("limits") or _TEXTS["limits"]:
        setter.paragraph(f"– {limit}")
    bands = measured.get("bands", [])
    if not bands:
        setter.paragraph("Error rates were not measured with this version of Rejoin.")
        return
    setter.subheading("How often joins were right, by how sure they were")
    setter.paragraph(_TEXTS["measured"])
    by = measured.get("versions", {}).get("rejoin", version)
    if "measured" in measured:
        setter.paragraph(f"Measured {measured['measured']} with Rejoin {by}.")
    other = "They were measured with another {} than the one that made this case."
    if by != version:
        setter.paragraph(other.format("version of Rejoin"), style="B")
    if measured.get("weights_sha256", weights_sha256) != weights_sha256:
        setter.paragraph(other.format("encoder"), style="B")
    setter.table(_BANDS, _band_rows(bands))


def _band_rows(bands: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Return the bands as rows, those of the same data below its name."""
    for data, of_data in groupby(bands, key=lambda band: str(band.get("data", ""))):
        yield Row((data,))
        for band in of_data:
            joins, right = int(band["joins"]), int(band["right"])
            share = f"{100 * right / joins:.1f}" if joins else "–"
            interval = [f"{100 * band[name]:.1f}" for name in ("right_from", "right_to") if name in band]
            sure = f"{100 * band['from']:.0f}–{100 * band['to']:.0f} %"
            yield Row((sure, f"{joins:,}", f"{right:,}", share, " to ".join(interval)))


def _measured() -> dict[str, Any]:
    """Read what was measured with this version; nothing where it does not ship."""
    path = ROOT / "validation.json"
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return values
