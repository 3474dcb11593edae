import json

from training import self_test_record


def test_what_was_measured_is_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(self_test_record, "measured", lambda: {"n_shreds": 48})
    path = tmp_path / "expected.json"
    assert self_test_record.main(["-o", str(path)]) == 0
    assert json.loads(path.read_text(encoding="utf-8")) == {"n_shreds": 48}
    assert str(path) in capsys.readouterr().out
