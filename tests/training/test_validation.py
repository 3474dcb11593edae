import json

import pytest

from core.errors import UnreadableInputError
from training import validation


@pytest.fixture
def measured(monkeypatch):
    """Stand for the measurement, which takes an hour."""
    monkeypatch.setattr(
        validation, "validate", lambda folders, weights, progress: {"folders": [f.name for f in folders]}
    )
    monkeypatch.setattr(validation, "tables", lambda told: f"tables of {told['folders']}")
    monkeypatch.setattr(validation, "with_tables", lambda text, told: text + f"tables of {told['folders']}")


def test_figures_are_written_printed_and_put_into_the_document(measured, tmp_path, capsys):
    out, document = tmp_path / "validation.json", tmp_path / "validation.md"
    document.write_text("# Validation\n", encoding="utf-8")
    assert validation.main(["d1", "d2", "-o", str(out), "--document", str(document)]) == 0
    assert json.loads(out.read_text(encoding="utf-8")) == {"folders": ["d1", "d2"]}
    assert document.read_text(encoding="utf-8") == "# Validation\ntables of ['d1', 'd2']"
    assert capsys.readouterr().out == "tables of ['d1', 'd2']\n"


def test_what_cannot_be_read_is_a_sentence(monkeypatch, tmp_path, capsys):
    def fail(folders, weights, progress):
        raise UnreadableInputError("There is no d1.")

    monkeypatch.setattr(validation, "validate", fail)
    assert validation.main(["d1", "-o", str(tmp_path / "out.json")]) == UnreadableInputError.exit_code
    assert capsys.readouterr().err.strip() == "There is no d1."
    assert not (tmp_path / "out.json").exists()
