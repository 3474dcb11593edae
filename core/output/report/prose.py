"""What the report says in words: how it is done, what is known of errors, and where its limits are."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from core.output.report.typesetting import Column, Row, Typesetter
from core.shreds.deskew import NO_TURN_DEG
from core.system.places import ROOT

METHOD = (
    "Reading. The SHA-256 of each sheet's file is taken from the bytes that were read. A sheet of another resolution "
    "is brought to 300 dpi: averaged where it is finer, interpolated (bicubic) where it is coarser.",
    "Shreds. The colour of the background is found, shreds are cut out along clean paper and parted where they touch. "
    f"A shred that lay turned by {NO_TURN_DEG:g}° or more is turned upright: its pixels are interpolated (bicubic) "
    "from those around them on the sheet, so that fine detail is a little softer than in the scan, and at the very "
    "edge of the paper some of the background's colour can be mixed in. The others are taken over as they are. Ink is "
    "told from paper by Sauvola's threshold [1]; that serves the comparison alone and changes no picture.",
    "Comparison. Two small networks map the ink along right and left borders into one space, in which borders that "
    "belong together lie close (after Paixão et al. [2]; they learned from intact pages cut in software). The cost "
    "of a join is the squared distance at the best vertical shift; where cuts are wavy the likeness of the contours "
    "counts too, and in photographs grey tones do. Lines of print at the same heights tell shreds of one page from "
    "those of others, and where print touches a cut a page hardly ends.",
    "Order. The cheapest set of rows, one for each page, is found and proved by cuts and branching [3]; the margin "
    "of a page counts as blank paper. What the examiner confirmed, forbade, made or parted by hand is kept.",
    "Confidence. Costs are taken as log-odds and balanced over all rows and columns [4]; a border can also meet "
    "nothing, since its neighbour may be missing. So a join is given its probability among all orders of these "
    "shreds. It cannot know which shreds are missing: how often joins so graded were right is measured below, with all "
    "shreds there and without.",
    "Pages. Shreds are laid edge to edge at their shifts; none overlaps another. Each pixel of a straightened shred "
    "stands there unchanged; nothing is painted in, and shreds are not blended into each other. Where no paper lies "
    "the page is plain white (255, 255, 255): gaps are left visible, and marked in pale blue where cuts are shown. A "
    "shred that the examiner turned by a fraction of a degree is interpolated once more. What must be seen exactly as "
    "it was scanned is to be looked at on the sheet.",
)
REFERENCES = (
    "[1] J. Sauvola, M. Pietikäinen: Adaptive document image binarization. Pattern Recognition 33 (2000). DOI "
    "10.1016/S0031-3203(99)00055-2",
    "[2] T. M. Paixão et al.: Fast(er) Reconstruction of Shredded Text Documents via Self-Supervised Deep "
    "Asymmetric Metric Learning. CVPR 2020, arXiv 2003.10063",
    "[3] Q. Huangfu, J. A. J. Hall: Parallelizing the dual revised simplex method. Mathematical Programming "
    "Computation 10 (2018). DOI 10.1007/s12532-017-0130-5 (HiGHS)",
    "[4] R. Sinkhorn, P. Knopp: Concerning nonnegative matrices and doubly stochastic matrices. Pacific Journal of "
    "Mathematics 21 (1967). DOI 10.2140/pjm.1967.21.343",
)
LIMITS = (
    "Strips cut lengthwise, printed on one side. Cross-cut or hand-torn paper and shreds that lie upside down are "
    "not recognised as such.",
    "Borders without ink, cut straight, tell nothing: such joins are marked doubtful. Photographs and large "
    "diagrams are harder than text.",
    "The number of pages is estimated from the widths of the shreds unless it is given.",
    "Each cut loses a little paper, and worn fibre is left out: letters across a cut can look narrower than they were.",
    "A join that is sure is no proof: another shred, not among those scanned, may fit as well.",
)
MEASURED = (
    "Measured on real shreds whose order is known; on other material they can be otherwise. A join is right if its two "
    "shreds lay side by side on the paper. D1: Portuguese pages cut straight; D2: English pages from a worn machine, "
    "as cut-out shreds and as scans; d3: scans of S-CDIP's shreds. Mixed: all documents of a set at once, as out of a "
    "bag; a fifth missing: every fifth shred, drawn at random, was taken away. Intervals are those of Clopper and "
    "Pearson, joins taken as independent. The whole stands in docs/validation.md among Rejoin's sources."
)
_BANDS = (
    Column("sure by", 26), Column("joins", 20, "R"), Column("right", 20, "R"), Column("right, %", 20, "R"),
    Column("95 % interval", 30, "R"),
)  # fmt: skip


def add_method(setter: Typesetter) -> None:
    """Write how a reconstruction is made, with references.

    Parameters
    ----------
    setter : Typesetter
        Sets it.
    """
    setter.heading("Method")
    for paragraph in METHOD:
        setter.paragraph(paragraph)
    setter.skip(1)
    for reference in REFERENCES:
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
    for limit in measured.get("limits") or LIMITS:
        setter.paragraph(f"– {limit}")
    bands = measured.get("bands", [])
    if not bands:
        setter.paragraph("Error rates were not measured with this version of Rejoin.")
        return
    setter.subheading("How often joins were right, by how sure they were")
    setter.paragraph(MEASURED)
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
