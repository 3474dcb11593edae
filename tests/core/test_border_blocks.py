import pickle

import pytest

from core import embedded as embedding
from core.embedded import embed
from core.embedding.encoder import Encoder
from core.options import Options
from core.shreds.detect import find_shreds
from core.system.disk_cache import DiskCache
from core.system.places import weights_path
from tests.core.drawn_sheets import write_sheets
from tests.core.test_embedded import assert_same

pytestmark = pytest.mark.slow


class Elsewhere:
    """Does tasks as another process would, and tells how large they were."""

    elsewhere = True

    def __init__(self):
        self.sizes = []

    def map(self, function, items, _n_items, _text, progress, *, same="any"):
        assert same == "any", "who reads paper needs no network"
        for item in items:
            sent = pickle.dumps((function, item))
            self.sizes.append(len(sent))
            does, what = pickle.loads(sent)
            yield pickle.loads(pickle.dumps(does(what, progress)))


def test_where_a_card_embeds_others_read_only_what_is_not_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(embedding, "TASK_SHREDS", 5)
    monkeypatch.setattr(embedding, "LAST_SHREDS", 0)
    encoder, cache, others = Encoder.load(weights_path()), DiskCache(tmp_path / "kept"), Elsewhere()
    found = find_shreds(write_sheets(tmp_path / "sheets", 2), Options()).shreds[:12]
    shreds = tuple(shred.changed(half_turn=number % 3 == 0) for number, shred in enumerate(found))
    expected = embed(shreds, encoder, Options())
    assert expected.turned is not None
    monkeypatch.setattr(embedding, "on_a_card", lambda: True)
    for _ in range(2):
        assert_same(embed(shreds, encoder, Options(), cache=cache, workers=others), expected)
    assert [size > 1000 for size in others.sizes] == [True] * 3 + [False] * 3
    assert len(list((tmp_path / "kept").iterdir())) == 3 + 3, "as they lie, and half-turned"
    kept = min((tmp_path / "kept").iterdir())
    kept.write_bytes(kept.read_bytes()[:-1])
    assert_same(embed(shreds, encoder, Options(), cache=cache, workers=others), expected)
    assert_same(embed(shreds, encoder, Options(), workers=others), expected)
