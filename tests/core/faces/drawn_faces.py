"""Shreds drawn by their contours alone, as a scanner sees one face and the other."""

import numpy as np
from scipy.ndimage import gaussian_filter1d

from core.shreds.shred import Shred

HEIGHT, WIDTH = 1200, 70


def cut_paper(n, seed=0, wave_px=2.0):
    """Cut a sheet of paper into n strips: where each begins and ends, (n, 2, HEIGHT); neighbours share a cut."""
    rng = np.random.default_rng(seed)
    cuts = gaussian_filter1d(rng.normal(size=(n + 1, HEIGHT)), 8, axis=1)
    cuts *= wave_px / cuts.std()
    return np.stack([10 + cuts[:-1], 10 + WIDTH + cuts[1:]], axis=1)


def scanned(name, strip, rng, *, over=False, half_turned=False, cut_off_px=0, **values):
    """Scan a strip, whole pixels at a random place; of its top, as it lies, so many rows may lie off the bed."""
    moved = strip + rng.uniform(-0.5, 0.5) + rng.uniform(-2, 2) * np.linspace(-1, 1, HEIGHT)
    columns = np.arange(WIDTH + 20)
    mask = (columns > moved[0, :, None]) & (columns < moved[1, :, None])
    if over:
        mask = mask[:, ::-1]
    if half_turned:
        mask = mask[::-1, ::-1]
    mask = mask[cut_off_px:]
    return Shred(
        id=name, sheet=int(over), bbox=(0, 0, mask.shape[1], len(mask)), outline=np.empty((0, 2), np.float32),
        angle_deg=0.0, pixels=np.full((*mask.shape, 3), 255, np.uint8), mask=mask,
        **{"blank": False, "frame_top_px": 0, **values},
    )  # fmt: skip


def both_faces(n, seed=0, **values):
    """Scan n strips from both faces, every second one half-turned in between: first all fronts, then all backs."""
    rng, strips = np.random.default_rng(seed + 1), cut_paper(n, seed)
    fronts = [scanned(f"1-{k:02}", strip, rng, **values) for k, strip in enumerate(strips)]
    return fronts + [
        scanned(f"2-{k:02}", strip, rng, over=True, half_turned=k % 2 == 1, **values) for k, strip in enumerate(strips)
    ]
