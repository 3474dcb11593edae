import pytest

from training.experiments.__main__ import main


@pytest.mark.slow
def test_the_command_measures_accuracy_and_stages(data_set, weights, tmp_path):
    arguments = ["mixed", str(data_set), "--weights", str(weights), "--variants", "ink", "--method", "marques"]
    assert main([*arguments, "-o", str(tmp_path)]) == 0
    text = (tmp_path / "mixed.md").read_text()
    assert "## d2: 8 shreds of 2 documents" in text
    assert "| untrained, ink alone | 8 |" in text
    assert "| marques | 8 |" in text
    assert "| *published:* the paper, d = 128 | 505 | 97.22 |" in text
    assert "| 34.54 | 187.76 | 1.76 | 224.06 |" in text
    assert (tmp_path / "mixed.png").stat().st_size > 5000
    assert (tmp_path / "mixed-seconds.png").stat().st_size > 5000
