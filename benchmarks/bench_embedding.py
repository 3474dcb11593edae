"""How long it takes to embed both borders of 505 shreds, each with 3,000 rows of print: the shreds of all of D2.

The print is that of the bundled sample: rows of its borders that lie amid lines, one below the other until a border is
full, so that hardly any window is blank and spared.
"""

import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.options import Options
from core.parallel import n_cores
from core.pipeline import load_encoder
from core.shreds.borders import read_borders
from core.shreds.detect import find_shreds
from core.system.places import ROOT, weights_path

N_SHREDS = 505
N_ROWS = 3000


def printed(borders: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Fill borders of 505 shreds with the print of some, (n, h, 32); blank stretches are left out."""
    inked = [border[border.any(axis=1)] for border in borders]
    inked = [border for border in inked if len(border) > N_ROWS // 10]
    return np.stack([np.resize(inked[n % len(inked)], (N_ROWS, borders.shape[2])) for n in range(N_SHREDS)])


def main() -> None:
    """Print the seconds."""
    found = find_shreds(sorted((ROOT / "samples").glob("sheet_*.jpg")), Options())
    borders = read_borders([shred for shred in found.shreds if shred.compared])
    encoder = load_encoder(weights_path())
    right, left = printed(borders.right), printed(borders.left)
    start = time.perf_counter()
    encoder.embed(right, "right")
    encoder.embed(left, "left")
    seconds = time.perf_counter() - start
    print(f"{2 * N_SHREDS} borders of {N_ROWS} rows of print embedded in {seconds:.1f} s on {n_cores()} cores")


if __name__ == "__main__":
    main()
