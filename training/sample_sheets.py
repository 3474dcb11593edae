"""Makes the bundled sample: two pages, cut in software, laid on yellow card and "scanned".

``python -m training.sample_sheets`` writes resources/samples/sheet_1.jpg, sheet_2.jpg and truth.json. Seeded: the same
versions of Pillow, numpy and OpenCV write the same files.
"""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from core.units import DPI
from training.demo.sheets import make_sheets

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "samples"
SEED = 20
JPEG_QUALITY = 75


def main() -> None:
    """Write the sample."""
    sheets, truth = make_sheets(np.random.default_rng(SEED))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number, pixels in enumerate(sheets, start=1):
        path = FOLDER / f"sheet_{number}.jpg"
        Image.fromarray(pixels).save(path, quality=JPEG_QUALITY, dpi=(DPI, DPI), optimize=True)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
    (FOLDER / "truth.json").write_text(json.dumps({"pages": truth}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
