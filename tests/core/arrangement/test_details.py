import base64
import io
from dataclasses import replace

import pytest
from PIL import Image

from core.arrangement.arrangement import Arrangement
from core.arrangement.details import MAX_LINE, CaseDetails, encoded_logo
from core.arrangement.edits import WriteDetails
from core.case.arrangement_json import describe_arrangement, read_arrangement
from core.case.file import load, save


def png(size=(60, 20), colour="red"):
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "png")
    return file.getvalue()


def test_details_are_saved_with_the_case_and_taken_back_exactly(small_case, tmp_path):
    details = CaseDetails("2026-0412", "Exhibit 3", "Lab", "Ada", "Received\nin one envelope.", encoded_logo(png()))
    arrangement, back = WriteDetails(details.values()).apply(small_case.arrangement)
    save(replace(small_case, arrangement=arrangement), tmp_path / "a.rejoin")
    read = load(tmp_path / "a.rejoin").arrangement
    assert CaseDetails.of(read) == details
    assert CaseDetails.of(read).logo_png == png()
    assert back.apply(read)[0] == small_case.arrangement


def test_a_case_of_an_earlier_version_has_none_and_keeps_its_hashes():
    serialised = describe_arrangement(Arrangement(pages=(("a",),)))
    assert "details" not in serialised
    assert CaseDetails.of(read_arrangement(serialised)) == CaseDetails()


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"number": "x" * (MAX_LINE + 1)}, "number is no line"),
        ({"exhibit": "a\nb"}, "exhibit is no line"),
        ({"remarks": "x" * 10_001}, "remarks are longer"),
        ({"logo": base64.b64encode(b"no picture").decode()}, "no whole PNG"),
        ({"logo": base64.b64encode(png()[:-6]).decode()}, "no whole PNG"),
        ({"logo": base64.b64encode(png((2_001, 1))).decode()}, "2000 pixels"),
        ({"logo": base64.b64encode(png() + bytes(300_000)).decode()}, "256 KiB"),
        ({"logo": "ä"}, "ASCII"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_no_detail_is_refused_when_a_file_is_read(details, said):
    with pytest.raises((ValueError, TypeError), match=said):
        read_arrangement(describe_arrangement(Arrangement()) | {"details": details})


def test_a_case_is_called_by_what_was_entered():
    assert CaseDetails().heading("matter") == "matter"
    assert CaseDetails(number="7", exhibit="7").heading("7") == "7"
    assert list(CaseDetails(exhibit="E", remarks="R").lines()) == [("Exhibit", "E"), ("Remarks", "R")]
