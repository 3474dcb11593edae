from dataclasses import replace

import numpy as np
import pytest

from core.errors import UsageError
from core.shreds.windows import WINDOW
from training.pages import windows
from training.pages.intact import PAPER_MARGIN, Pages
from training.pages.strips import AS_SCANNED
from training.pages.windows import Drawing, draw_batches, draw_windows, split_documents

FEW = Drawing(strips_per_step=2, windows_per_strip=3, longest_px=400.0, scribbles=0.1, seed=1)


def test_documents_are_held_out_whole(pages):
    named = Pages([f"greek/{number // 2}.pdf, page {number % 2 + 1}" for number in range(6)], pages.margins)
    training, (validation,) = split_documents([named], 3, [1.0])
    assert validation.names == ["greek/2.pdf, page 1", "greek/2.pdf, page 2"]
    assert training.indices[0].tolist() == [0, 1, 2, 3]
    with pytest.raises(UsageError, match="has 3 documents"):
        split_documents([named], 4, [1.0])


def test_batches_are_the_same_whoever_draws_them(pages):
    mixture, _ = split_documents([pages], 3, [1.0])
    batches = list(draw_batches(mixture, FEW, 3))
    assert len(batches) == 3
    assert {batch.shape for batch in batches} == {(6, WINDOW, WINDOW, 1)}
    assert (batches[0] != batches[1]).any()
    again = list(draw_batches(mixture, FEW, 2))
    assert all((one == other).all() for one, other in zip(again, batches[:2], strict=True))


@pytest.mark.slow
def test_processes_draw_what_threads_do(pages):
    mixture, _ = split_documents([pages], 3, [1.0])
    alone, together = (list(draw_batches(mixture, FEW, 3, processes)) for processes in (1, 2))
    assert all((one == other).all() for one, other in zip(alone, together, strict=True))


def test_blank_pages_have_no_windows(monkeypatch):
    blank = np.full((500, 400), PAPER_MARGIN, np.int8)
    plain = Drawing(strips_per_step=2, windows_per_strip=3, longest_px=400.0, scribbles=0.0, seed=1)
    clean = replace(AS_SCANNED, longest_px=plain.longest_px)
    monkeypatch.setattr(windows, "Soiling", lambda longest_px: clean)
    with pytest.raises(UsageError, match="no ink"):
        draw_windows(np.random.default_rng(3), [blank], plain)
