import json

from training.measuring.cross_cut.truth import has_rows
from training.sample_pieces import main


def test_pages_lie_beside_their_truth(tmp_path):
    assert main(["-o", str(tmp_path / "cut"), "--pages", "2"]) == 0
    truth = json.loads((tmp_path / "cut" / "contest_truth.json").read_text(encoding="utf-8"))
    for page, rows in truth.items():
        assert has_rows(tmp_path / "cut" / page)
        names = {file.stem for file in (tmp_path / "cut" / page).iterdir()}
        assert names == {name for row in rows for name in row}
    assert list(truth) == ["page_1", "page_2"]
