import numpy as np

from core.matching.lowest import lowest


def test_the_lowest_of_each_group_come_in_ascending_order():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, 60).astype(np.float32)
    values[rng.random(60) < 0.2] = np.inf
    starts = np.array([0, 0, 7, 20, 21, 60, 60])
    found = lowest(values, starts, 5)
    for group, places in enumerate(found):
        own = values[starts[group] : starts[group + 1]]
        ranked = [at for at in np.argsort(own, kind="stable") if np.isfinite(own[at])][:5]
        assert [place - starts[group] for place in places if place >= 0] == ranked
