"""Figures as published, to stand beside those measured here.

From Paixão et al., "Fast(er) Reconstruction of Shredded Text Documents via Self-Supervised Deep Asymmetric Metric
Learning", CVPR 2020 (arXiv:2003.10063), and Paixão et al., "A human-in-the-loop recommendation-based framework for
reconstruction of mechanically shredded documents", Pattern Recognition Letters 164 (2022), pages 1 to 8. They hold for
the whole data sets. Seconds of mixed D2, D2 without shifts and D2 page by page are those in the results that the
paper's authors published with their code (github.com/thiagopx/deeprec-cvpr20), on one NVIDIA TITAN X.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Accuracy:
    """A published accuracy: mean and sample standard deviation over pages, in percent; None where not published."""

    method: str
    mean: float
    std: float | None = None

    def __str__(self) -> str:
        return f"{self.mean:.2f}" if self.std is None else f"{self.mean:.2f} ± {self.std:.2f}"


_FILE = tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))

SINGLE, MIXED = (
    {data_set: tuple(Accuracy(*row) for row in rows) for data_set, rows in _FILE[name].items()}
    for name in ("single", "mixed")
)
"""Pages one by one, and all shreds together, by data set."""

PAGES = {
    data_set: {
        method: {f"D{number:03}": accuracy for number, accuracy in enumerate(of_pages, start=1)}
        for method, of_pages in methods.items()
    }
    for data_set, methods in _FILE["pages"].items()
}
"""Accuracy of every page, by data set, method and page."""

MIXED_SHREDS = {"D1": 1370, "D2": 505, "S-CDIP": 2292}


@dataclass(frozen=True)
class Times:
    """Seconds of the three stages for all shreds of D2 together."""

    method: str
    embed: float
    cost: float
    solve: float


PAPER_TIMES = Times("the paper, d = 128 (TITAN X)", 34.54, 187.76, 1.76)
PAIRWISE_TIMES = Times("Paixão-b, an inference per pair (TITAN X)", 0.0, 4849.96, 3.16)


def data_set_of(folder: Path) -> str:
    """Find which of the published data sets a folder's name stands for: "D1", "D2", "S-CDIP", or "" for another."""
    return {"d1": "D1", "d2": "D2", "d3": "S-CDIP"}.get(folder.name[:2].lower(), "")
