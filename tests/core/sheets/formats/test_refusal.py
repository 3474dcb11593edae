"""Refusals get the name of what they are about, once."""

import pytest

from core.errors import UnreadableInputError
from core.sheets.formats.refusal import Refusal, damaged, errors_as_damage, naming


@pytest.mark.parametrize(("of_file", "name"), [(False, "scan.pdf, page 2,"), (True, "scan.pdf")])
def test_a_page_is_named_unless_it_is_the_file_that_fails(of_file, name):
    with (
        pytest.raises(UnreadableInputError) as caught,
        naming("outer"),
        naming("scan.pdf", "scan.pdf, page 2,"),
    ):
        raise damaged("Input/output error", of_file=of_file)
    assert str(caught.value).startswith(f"{name} is damaged or incomplete (Input/output error). ")
    assert caught.value.__cause__ is None


def test_any_error_of_a_decoder_is_damage_and_its_cause():
    damage = r"^scan is damaged or incomplete \(ZeroDivisionError\)"
    with pytest.raises(UnreadableInputError, match=damage) as caught, naming("scan"), errors_as_damage():
        raise ZeroDivisionError
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(Refusal, match="is empty"), errors_as_damage():
        raise Refusal("is empty")
