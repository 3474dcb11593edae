from pathlib import Path

import numpy as np
import pytest

from training.experiments.published import PAGES, SINGLE, data_set_of


@pytest.mark.parametrize("method", PAGES["D2"])
def test_pages_and_their_mean_agree(method):
    pages = list(PAGES["D2"][method].values())
    published = next(one for one in SINGLE["D2"] if one.method == method)
    assert len(pages) == 20
    assert np.mean(pages) == pytest.approx(published.mean, abs=0.006)
    assert np.std(pages, ddof=1) == pytest.approx(published.std, abs=0.006)


@pytest.mark.parametrize(
    ("folder", "data_set"), [("a/d1", "D1"), ("D2", "D2"), ("d2_sheets", "D2"), ("d3", "S-CDIP"), ("mine", "")]
)
def test_folders_stand_for_published_data_sets(folder, data_set):
    assert data_set_of(Path(folder)) == data_set
