import pytest

from training.judge_way_up import main
from training.pages.intact import save_pages


@pytest.mark.slow
def test_the_command_prints_a_table(data_set, pages, tmp_path, capsys):
    save_pages(pages, tmp_path / "pages.npz")
    assert main([str(data_set), str(tmp_path / "pages.npz"), "--strips", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["shreds", "unknown%", "right%"]
    assert [line.split("  ")[0] for line in lines[1:4]] == [
        f"d2, {how}" for how in ("as they lie", "on their side", "half-turned")
    ]
    assert any("soiled" in line for line in lines[4:])


def test_a_missing_folder_is_said(tmp_path, capsys):
    assert main([str(tmp_path / "nothing")]) == 2
    assert "There is no folder" in capsys.readouterr().err
