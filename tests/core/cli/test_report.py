from dataclasses import replace

import pikepdf
import pytest

import main
from core.case.file import save
from core.text import tesseract


@pytest.fixture
def case_path(small_case, tmp_path):
    save(small_case, tmp_path / "matter 7.rejoin")
    return tmp_path / "matter 7.rejoin"


def n_pages(path):
    with pikepdf.open(path) as pdf:
        return len(pdf.pages)


@pytest.mark.slow
def test_report_and_appendix(case_path, tmp_path, capsys):
    whole, pages, rest = (tmp_path / f"{name}.pdf" for name in ("whole", "pages", "rest"))
    assert main.main(["report", str(case_path), "-o", str(whole)]) == 0
    assert capsys.readouterr().out == f"Written: {whole}\n"
    assert main.main(["report", str(case_path), "-o", str(pages), "--appendix", str(rest), "--seams", "-q"]) == 0
    assert capsys.readouterr().out == ""
    assert n_pages(pages) == 2
    assert n_pages(whole) == 2 + n_pages(rest)
    with pikepdf.open(whole) as pdf, pdf.open_metadata() as metadata:
        assert "matter 7" in metadata["dc:title"]


def test_a_report_is_written_without_text_where_nothing_can_read_it(case_path, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(tesseract, "TESSERACT", "no-such-program")
    out = tmp_path / "report.pdf"
    assert main.main(["report", str(case_path), "-o", str(out), "--appendix-only", "--text-layer"]) == 0
    assert capsys.readouterr().err == f"{tesseract.NOT_INSTALLED}\n"
    assert out.exists()


def test_sections_and_pages_are_chosen(case_path, tmp_path, capsys):
    out = tmp_path / "report.pdf"
    command = ["report", str(case_path), "-o", str(out), "-q"]
    assert main.main([*command, "--sections", "pages, summary", "--pages", "2"]) == 0
    assert n_pages(out) == 2
    assert main.main([*command, "--sections", "pages,summary", "--appendix-only"]) == 0
    assert n_pages(out) == 1
    for wrong, said in (
        (["--sections", "pictures,songs"], "A report has no section songs. Its sections are pages, summary,"),
        (["--sections", ""], "Nothing would be in the report"),
        (["--pages", "2-3"], "There is no page 2-3: pages go from 1 to 2."),
        (["--pages", "all"], '"all" names no pages.'),
    ):
        assert main.main([*command, *wrong]) == 2
        assert said in capsys.readouterr().err


def test_neither_the_case_nor_a_sheet_is_written_over(small_case, tmp_path, capsys):
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(b"an original")
    sheets = (replace(small_case.sheets[0], path=scan), small_case.sheets[1])
    case = tmp_path / "matter.rejoin"
    save(replace(small_case, sheets=sheets), case)
    for output, what in ((scan, "one of the sheets"), (case, "the case")):
        assert main.main(["report", str(case), "-o", str(output)]) == 2
        assert f"is {what}; it would be overwritten" in capsys.readouterr().err
    assert scan.read_bytes() == b"an original"


def test_an_unreadable_case_ends_with_code_3(tmp_path, capsys):
    (tmp_path / "one.rejoin").write_bytes(b"no case")
    assert main.main(["report", str(tmp_path / "one.rejoin"), "-o", str(tmp_path / "report.pdf")]) == 3
    assert "is no case of Rejoin" in capsys.readouterr().err
