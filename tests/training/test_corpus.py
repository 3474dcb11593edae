import numpy as np
import pytest

from core.errors import UsageError
from training.corpus import main
from training.pages.intact import load_pages, save_pages
from training.pages.preparation import find_pages, pages_of, read_pages


@pytest.mark.slow
def test_saved_pages_load_unchanged(folder, tmp_path):
    assert main([str(folder), "-o", str(tmp_path / "pages.npz")]) == 0
    loaded, read = load_pages(tmp_path / "pages.npz"), read_pages(find_pages(folder))
    assert loaded.names == read.names
    np.testing.assert_array_equal(loaded.margins, read.margins)
    save_pages(loaded.select([1]), tmp_path / "one.npz")
    assert load_pages(tmp_path / "one.npz").names == ["b/intact.png"]


@pytest.mark.parametrize(("given", "told"), [([], "is an image or a PDF file"), (["--pattern=*.jpg"], "is *.jpg")])
def test_a_folder_without_pages_is_wrong_use(tmp_path, capsys, given, told):
    (tmp_path / "notes.txt").write_text("no page")
    assert main([str(tmp_path), "-o", str(tmp_path / "pages.npz"), *given]) == UsageError.exit_code
    assert told in capsys.readouterr().err
    with pytest.raises(UsageError, match="There are no pages"):
        pages_of(tmp_path)


def test_a_damaged_pdf_stops_with_a_sentence(folder, tmp_path, capsys):
    (folder / "a" / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    assert main([str(folder), "-o", str(tmp_path / "pages.npz"), "--processes", "1"]) == 3
    assert "broken.pdf is damaged" in capsys.readouterr().err
    assert not (tmp_path / "pages.npz").exists()
