import os

import main
from core.case.file import save


def test_what_is_asked_for_is_written(small_case, tmp_path, capsys):
    case, out = tmp_path / "matter.rejoin", tmp_path / "out"
    save(small_case, case)
    assert main.main(["export", str(case), "-o", str(out), "--pages", "png", "--order", "csv", "json", "--shreds"]) == 0
    assert capsys.readouterr().out == f"Written: {out}\n"
    assert sorted(os.listdir(out)) == ["ABOUT.txt", "SHA256SUMS", "order.csv", "order.json", "pages", "shreds"]
    assert len(os.listdir(out / "shreds")) == len(small_case.shreds)
    assert main.main(["export", str(case), "-o", str(out), "--seams"]) == 1
    assert "not empty" in capsys.readouterr().err
    assert main.main(["export", str(case), "-o", str(tmp_path / "other")]) == 2
    assert "nothing to export" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == ["matter.rejoin", "out"]


def test_text_is_in_english_unless_languages_are_named(small_case, tmp_path, tesseract_stub):
    tesseract_stub(("word", 1, 9))
    case = tmp_path / "matter.rejoin"
    save(small_case, case)
    for name, languages in (("english", []), ("both", ["deu+eng"])):
        assert main.main(["export", str(case), "-o", str(tmp_path / name), "--text", *languages]) == 0
        assert (tmp_path / name / "text" / "page-01.txt").read_text() == "word\n"
        assert f"({languages[0] if languages else 'eng'})" in (tmp_path / name / "ABOUT.txt").read_text()
