import json

import pytest

from training.evaluate import main


@pytest.mark.slow
def test_the_command_writes_every_method(data_set, tmp_path, capsys):
    output = tmp_path / "out.json"
    assert main([str(data_set), "--method", "rejoin", "marques", "--dummy", "zero", "--json", str(output)]) == 0
    result = json.loads(output.read_text())
    assert result["method"] == "rejoin"
    assert result["dummy"] == "zero"
    assert {"single", "multi", "seconds", "weights_sha256", "shreds", "data_set"} <= set(result)
    assert "rejoin, zero dummy" in capsys.readouterr().out


def test_missing_weights_are_a_sentence(data_set, capsys):
    assert main([str(data_set), "--weights", "no.keras"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_faces_are_measured_of_shreds_with_two_faces_alone(tmp_path, capsys):
    assert main([str(tmp_path), "--faces"]) == 2
    assert "no shreds with two faces" in capsys.readouterr().err


def test_cross_cut_paper_is_measured_of_intact_pages(tmp_path, capsys):
    assert main([str(tmp_path), "--cross-cut"]) == 2
    assert "There are no pages" in capsys.readouterr().err
