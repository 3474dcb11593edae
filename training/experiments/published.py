"""Figures as published, to stand beside those measured here.

From Paixão et al., "Fast(er) Reconstruction of Shredded Text Documents via Self-Supervised Deep Asymmetric Metric
Learning", CVPR 2020 (arXiv:2003.10063), and Paixão et al., "A human-in-the-loop recommendation-based framework for
reconstruction of mechanically shredded documents", Pattern Recognition Letters 164 (2022), pages 1 to 8. They hold for
the whole data sets. Seconds of mixed D2, D2 without shifts and D2 page by page are those in the results that the
paper's authors published with their code (github.com/thiagopx/deeprec-cvpr20), on one NVIDIA TITAN X.
"""

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


SINGLE = {
    "D1": (
        Accuracy("the paper, d = 128", 93.14, 12.93),
        Accuracy("the paper, d = 8", 94.57),
        Accuracy("Paixão-b (SIBGRAPI 2018)", 96.78, 4.44),
        Accuracy("Paixão et al. (TIFS 2018)", 71.85),
        Accuracy("Marques and Freitas (2013)", 29.18),
    ),
    "D2": (
        Accuracy("the paper, d = 128", 95.39, 6.02),
        Accuracy("the paper, d = 128, no shifts", 84.91, 14.33),
        Accuracy("the paper, d = 8", 97.27, 4.06),
        Accuracy("Paixão-b (SIBGRAPI 2018)", 94.78, 6.78),
        Accuracy("Paixão et al. (TIFS 2018)", 83.83),
        Accuracy("Marques and Freitas (2013)", 8.05),
    ),
}
"""Pages one by one, with vertical shifts where it does not say otherwise."""


def _pages(accuracies: str) -> dict[str, float]:
    """Give pages their names: D001, D002 and so on."""
    return {f"D{number:03}": float(text) for number, text in enumerate(accuracies.split(), start=1)}


PAGES = {
    "D2": {
        "the paper, d = 128": _pages(
            "96.00 96.30 96.30 96.00 95.65 100.00 96.15 95.83 96.15 100.00 "
            "95.83 100.00 94.74 95.83 100.00 78.26 79.17 100.00 95.65 100.00"
        ),
        "the paper, d = 128, no shifts": _pages(
            "56.00 88.89 96.30 72.00 95.65 80.00 96.15 87.50 80.77 96.00 "
            "95.83 95.83 84.21 50.00 87.50 65.22 79.17 100.00 95.65 95.45"
        ),
    },
}
"""Accuracy of every page in percent, from the results that the paper's authors published with their code."""

MIXED = {
    "D1": (
        Accuracy("the paper, d = 128", 94.81),
        Accuracy("Paixão-b (SIBGRAPI 2018)", 97.08),
        Accuracy("metric learning, PRL 2022", 93.51),
    ),
    "D2": (
        Accuracy("the paper, d = 128", 97.22),
        Accuracy("Paixão-b (SIBGRAPI 2018)", 95.24),
        Accuracy("Marques and Freitas (2013)", 4.17),
        Accuracy("metric learning, PRL 2022", 96.04),
    ),
    "S-CDIP": (
        Accuracy("Paixão-b (SIBGRAPI 2018)", 81.29, 11.75),
        Accuracy("metric learning, PRL 2022", 90.39),
    ),
}
"""All shreds of a data set together; the PRL's are means over 5 trainings, S-CDIP's Paixão-b over groups of pages."""

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
    """Tell which of the published data sets a folder's name stands for: "D1", "D2", "S-CDIP", or "" for another."""
    name = folder.name.lower()
    for start, data_set in (("d1", "D1"), ("d2", "D2"), ("d3", "S-CDIP")):
        if name.startswith(start):
            return data_set
    return ""
