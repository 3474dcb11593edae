import pytest

from training.rendering import __main__ as command
from training.rendering.fonts import installed_fonts


@pytest.mark.slow
def test_the_command_writes_documents_of_four_pages(tmp_path, capsys):
    from pypdfium2 import PdfDocument

    try:
        import weasyprint  # noqa: F401
    except OSError as error:
        pytest.skip(f"WeasyPrint cannot be used: {error}; see training/rendering/debian-packages.txt")
    installed_fonts.cache_clear()
    assert command.main(["-o", str(tmp_path / "pages"), "--pages", "5", "--seed", "4"]) == 0
    assert "5 pages in 2 files" in capsys.readouterr().out
    paths = sorted((tmp_path / "pages").glob("*.pdf"))
    assert [path.name for path in paths] == ["document_4_00000.pdf", "document_4_00001.pdf"]
    assert [len(PdfDocument(path)) for path in paths] == [4, 1]
    assert command.main(["-o", str(tmp_path / "scripts"), "--pages", "5", "--by-script"]) == 0
    folders = sorted(path.parent.name for path in (tmp_path / "scripts").glob("*/*.pdf"))
    assert "latin" in folders
    assert len(set(folders)) == 2


def test_no_fonts_are_said_in_a_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    installed_fonts.cache_clear()
    assert command.main(["-o", str(tmp_path / "pages")]) == 2
    installed_fonts.cache_clear()
    assert "fc-list failed" in capsys.readouterr().err
