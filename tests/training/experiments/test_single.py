import numpy as np
import pytest

from training.experiments.__main__ import main
from training.experiments.single import paired_t_test


@pytest.mark.slow
def test_the_command_compares_methods_page_by_page(data_set, weights, tmp_path, capsys):
    variants = ["full", "zero-dummy-no-shift"]
    arguments = ["single", str(data_set), "--weights", f"fresh={weights}", "--variants", *variants]
    assert main([*arguments, "--method", "marques", "-o", str(tmp_path)]) == 0
    text = (tmp_path / "single.md").read_text()
    assert "## d2: 2 pages" in text
    for label in ("fresh, with contour and tones", "fresh, ink alone, zero-cost dummy, no shifts", "marques"):
        assert sum(line.startswith(f"| {label} |") for line in text.splitlines()) == 1
    assert "*published for all of D2:* the paper, d = 128 | 95.39 ± 6.02" in text
    # Of D001 and D002: 96.00 and 96.30.
    assert "*published for these pages:* the paper, d = 128 | 96.15 ± 0.21 | 0%" in text
    assert {line.split(" | ")[0] for line in text.splitlines() if line.startswith("| D0")} == {"| D001", "| D002"}
    assert (tmp_path / "single.png").stat().st_size > 5000
    assert (tmp_path / "single-seconds.png").stat().st_size > 5000
    told = capsys.readouterr().out
    assert all(line in told for line in text.splitlines())
    last = text.splitlines()[-1]
    assert last.startswith("Made by `python -m training.experiments single ")
    assert "--method marques" in last
    assert "keras" in last


def test_the_t_test_is_paired():
    one, other = np.array([90.0, 80.0, 70.0]), np.array([92.0, 81.0, 73.0])
    # Differences 2, 1, 3: mean 2, standard error 1 / √3.
    assert paired_t_test(one, other) == "t = 3.46, p = 0.074"
    assert paired_t_test(one, one) == "the same on all pages"
    assert paired_t_test(one, one + 1).startswith("t = inf")
    assert paired_t_test(one[:1], other[:1]) == "too few pages"
