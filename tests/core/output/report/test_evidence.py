import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

import core.output.report.prose
import core.output.report.tables
from core.arrangement.arrangement import Arrangement
from core.arrangement.details import CaseDetails, encoded_logo
from core.arrangement.edits import TurnPage
from core.arrangement.noted import place_key
from core.case.history import append
from core.case.joins import JoinTable
from core.case.record import reconstruction_parameters, recorded
from core.composition.pages import compose
from core.errors import OutputError, UsageError
from core.faces.posed import Posed
from core.matching.confidence import JoinBelow, percentage
from core.matching.costs import Costs
from core.options import REPORT_SECTIONS
from core.output.report.evidence import write_report
from core.output.report.preparing import noted_places
from core.output.report.typesetting import GUTTER_MM, WIDTH_MM, Column
from core.progress import Cancelled
from core.sheets.mends import CropSheet, NotPaper
from core.system.files import file_sha256
from core.system.places import shipped_weights_sha256, weights_path
from tests.core.composition.test_backs import case as two_faced

__all__ = ["two_faced"]

pytestmark = pytest.mark.slow

DATE = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def text_of(path):
    with pypdfium2.PdfDocument(path) as pdf:
        text = "\n".join(page.get_textpage().get_text_range() for page in pdf)
    return " ".join(text.split())


def test_the_report_says_what_the_examiner_put_below_what(full_case, tmp_path):
    said = {"confirmed_below": frozenset({("1-01", "2-01")}), "held_below": frozenset({("", "1-01"), ("2-02", "1-02")})}
    write_report(tmp_path / "report.pdf", replace(full_case, arrangement=replace(full_case.arrangement, **said)))
    text = text_of(tmp_path / "report.pdf")
    assert "Confirmed below each other by the examiner: 1 2-01 below 1-01" in text
    assert "Rows put below each other by the examiner: 1 1-02 below 2-02" in text
    assert "Forbidden below" not in text


def test_the_report_holds_what_another_examiner_needs(full_case, tmp_path, monkeypatch):
    monkeypatch.setattr(core.output.report.prose, "ROOT", tmp_path)  # where nothing was measured
    write_report(tmp_path / "report.pdf", full_case, name="Matter 7")
    text = text_of(tmp_path / "report.pdf")
    for sheet in full_case.sheets:
        assert sheet.name in text
        assert sheet.sha256[:32] in text
    assert all(text.count(f"{shred.id} ") >= 2 for shred in full_case.shreds)  # listed, and shown
    assert "1-01 2-02 2.5 2.5 0.0 0.0 0.0 0.0 +0.34 75 % confirmed Note: The stamp goes across. Печать" in text
    assert "2-01 1-02 – – – – – – −0.68 not compared made by hand" in text
    assert "Forbidden by the examiner: 2 1-01 | 1-02 2-01 | 1-01" in text
    assert "Parted by the examiner: 1 2-02 | 2-01" in text
    assert "1-01 | 1-02: Not these." in text
    assert "Note: No ink." in text
    assert "Received in one envelope." in text
    assert "1 too narrow" in text
    assert "Pages 2 – solver.n_pages" in text
    assert text.count(full_case.history[-1].sha256) == 2
    assert "Dr. Ines Falkenberg edited: edited something" in text
    assert '{"n": 3}' in text
    assert full_case.weights_sha256 in text
    assert "notes.txt is no image." in text
    assert "Error rates were not measured" in text
    assert "arXiv 2003.10063" in text
    assert text.index("page 2 of 2") < text.index("Report on a reconstruction")


def test_the_details_of_the_case_stand_on_the_first_page_and_on_every_head(full_case, tmp_path):
    logo = io.BytesIO()
    Image.new("RGBA", (90, 30), (200, 0, 0, 128)).save(logo, "png")
    details = CaseDetails("2026-A1", "Exhibit 3", "Institute", "Ada", "Sealed.", encoded_logo(logo.getvalue()))
    arrangement = replace(full_case.arrangement, details=details.values())
    case = replace(full_case, arrangement=arrangement)
    write_report(tmp_path / "report.pdf", case, name="Matter 7", sections=REPORT_SECTIONS[1:])
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as pdf:
        pages = [page.get_textpage().get_text_range() for page in pdf]
        assert [image.get_px_size() for image in pdf[0].get_objects([3])] == [(90, 30)]
    assert all("2026-A1 · Exhibit 3 · Matter 7" in page for page in pages)
    first = " ".join(pages[0].split())
    assert "Case number 2026-A1 Exhibit Exhibit 3 Laboratory Institute Examiner Ada Remarks Sealed." in first
    assert "Worked on by Dr. Ines Falkenberg" in first
    assert first.index("Last hash of history") < first.index("Place and date Signature"), "signed beside the hash"
    with pikepdf.open(tmp_path / "report.pdf") as pdf, pdf.open_metadata() as metadata:
        assert metadata["dc:creator"] == ["Ada, Institute"]
        assert metadata["pdf:Keywords"] == "2026-A1, Exhibit 3"


def test_a_report_holds_the_sections_that_are_wanted_and_names_the_others(full_case, tmp_path):
    path = tmp_path / "report.pdf"
    whole = write_report(tmp_path / "whole.pdf", full_case, date=DATE)[0]
    assert "Left out here" not in text_of(whole)
    write_report(path, full_case, sections=("history", "pages", "summary"), pages=(1,), date=DATE)
    text = text_of(path)
    assert "page 2 of 2" in text
    assert "page 1 of 2" not in text
    assert "Pages shown here 2 of 2" in text
    assert "Left out here sheets, shreds, order, pictures, options, software, method, limits" in text
    assert "Each step holds the SHA-256" in text
    assert "Software" not in text
    write_report(path, full_case, sections=("options",))
    text = text_of(path)
    assert "Left out here summary, sheets" in text
    assert "Signature" in text
    assert "RECONSTRUCTION" not in text
    write_report(path, full_case, sections=("pages",))
    with pypdfium2.PdfDocument(path) as pdf:
        assert len(pdf) == 2
    for sections, appendix in (((), None), (("pages",), tmp_path / "appendix.pdf")):
        with pytest.raises(UsageError, match="Nothing would be in the report"):
            write_report(path, full_case, sections=sections, appendix=appendix)


def test_what_was_mended_on_a_sheet_stands_beside_it(small_case, tmp_path):
    first, second = small_case.sheets
    mends = NotPaper((55.0, 60.0)), CropSheet(((0.0, 0.0), (120.0, 190.0)))
    case = replace(small_case, sheets=(replace(first, mends=mends), second))
    write_report(tmp_path / "r.pdf", case)
    text = " ".join(text_of(tmp_path / "r.pdf").split())
    assert "mended by the examiner" in text
    assert "what lies at (55, 60) said to be no paper; nothing looked for beyond (0, 0) to (120, 190)" in text
    assert text.count("mended by the examiner") == 1


def test_turned_pages_are_told_and_numbered_beside_their_shreds(small_case, tmp_path):
    arrangement, _ = TurnPage(1, 3).apply(small_case.arrangement)
    case = replace(small_case, arrangement=arrangement)
    text = text_of(write_report(tmp_path / "report.pdf", case, seams=True)[0])
    assert "Turned to be read page 2 by 270°, counter-clockwise" in text
    assert "Turned to be read" not in text_of(write_report(tmp_path / "plain.pdf", small_case, seams=True)[0])
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as pdf:
        numbers = pdf[1].get_textpage()
        lefts, tops = zip(*(number_at(numbers, shred) for shred in case.arrangement.pages[1]), strict=True)
    assert lefts[0] == pytest.approx(lefts[1], abs=1)
    assert tops[0] > tops[1], "the left shred has become the uppermost"


def number_at(page, shred):
    index, _ = page.search(shred).get_next()
    left, _, _, top = page.get_charbox(index)
    return left, top


def test_what_could_stand_instead_is_named_with_how_sure_it_is(small_case, tmp_path):
    cost = np.full((4, 4), 9, np.float32)
    np.fill_diagonal(cost, np.inf)
    cost[0, 3], cost[0, 2] = 1.0, 1.2  # 1-01 meets 2-02, or 2-01
    blank = np.full(4, 2, np.float32)
    costs = Costs.of_all(cost, np.zeros((4, 4), np.int16), blank, blank, temperature=0.5)
    arrangement = Arrangement(pages=(("1-01", "2-02"), ("2-01",), ("1-02",)), set_aside=("1-03",))
    known = JoinTable.of(Posed.alone(("1-01", "1-02", "2-01", "2-02"), costs), arrangement)
    case = replace(small_case, costs=costs, arrangement=arrangement, solved=None, joins=known.joins(arrangement))
    write_report(tmp_path / "report.pdf", case)
    sure = percentage(known.confidence.of(0, 2))
    assert f"Possible right of 1-01 also 2-01 ({sure})" in text_of(tmp_path / "report.pdf")


def test_the_table_of_shreds_says_what_turned_one_upside_down(small_case, tmp_path):
    cost = np.full((8, 8), 9, np.float32)
    np.fill_diagonal(cost, np.inf)
    cost[4, 3], cost[4, 1], cost[4, 2] = 1.0, 1.1, 1.2  # as 1-01 stands: beside 2-02; 1-02 and 2-01 as they lay
    blank = np.full(8, 6, np.float32)
    upright = np.array([-4, 1, 0, 5], np.float32)
    costs = Costs.of_all(
        cost, np.zeros((8, 8), np.int16), blank, blank, temperature=0.5, upright=np.concatenate([upright, -upright])
    )
    arrangement = replace(
        small_case.arrangement,
        confirmed=frozenset(),
        half_turned=frozenset({"1-01", "1-02", "2-01"}),
        turned_by_hand=frozenset({"2-01"}),
    )
    case = replace(small_case, arrangement=arrangement, costs=costs, solved=None)
    assert [case.turned_by(shred) for shred in ("1-01", "1-02", "2-01", "2-02")] == ["print", "page", "hand", ""]
    lines = text_of(write_report(tmp_path / "report.pdf", case)[0])
    assert "half-turned: by its print" in lines
    assert "half-turned: with its page" in lines
    assert "half-turned: by hand" in lines
    assert "right of 1-01 also 1-02 half-turned" in lines


def test_the_summary_accounts_for_every_join(small_case, tmp_path):
    left, right = next(iter(small_case.arrangement.joins()))
    arrangement = replace(small_case.arrangement, confirmed=frozenset(), forbidden=frozenset({(left, right)}))
    n = len(list(arrangement.joins()))
    write_report(tmp_path / "report.pdf", replace(small_case, arrangement=arrangement))
    said = f"0 confirmed by the examiner, {n - 1} suggested, 1 forbidden and standing all the same"
    assert said in text_of(tmp_path / "report.pdf")


def test_a_case_without_pages_has_a_report(small_case, tmp_path):
    aside = Arrangement(set_aside=tuple(shred.id for shred in small_case.shreds))
    write_report(tmp_path / "report.pdf", replace(small_case, arrangement=aside, joins=()))
    assert "Set aside: 5" in text_of(tmp_path / "report.pdf")


def test_pages_come_first_and_can_be_apart_with_the_same_bytes_each_time(small_case, tmp_path):
    pages, rest, only = (tmp_path / f"{name}.pdf" for name in ("pages", "rest", "only"))
    assert write_report(pages, small_case, appendix=rest, seams=True, date=DATE) == (pages, rest)
    write_report(only, small_case, sections=REPORT_SECTIONS[1:], date=DATE)
    with pikepdf.open(pages) as pdf:
        assert [("/Reconstruction" in page.Resources.XObject) for page in pdf.pages] == [True, True]
    assert rest.read_bytes() == only.read_bytes()


def test_error_rates_are_those_that_were_measured(small_case, tmp_path, monkeypatch):
    monkeypatch.setattr(core.output.report.prose, "ROOT", tmp_path)
    first = {"from": 0.0, "to": 0.25, "joins": 12, "right": 7, "data": "D1, mixed"}
    second = {"from": 0.95, "to": 1.0, "joins": 546, "right": 546, "data": "D1, mixed"}
    measured = {
        "bands": [first | {"right_from": 0.2767, "right_to": 0.8483}, second],
        "limits": ["Only strips."],
        "weights_sha256": "cd" * 32,
        "measured": "2026-01-02T03:04:05Z",
        "versions": {"rejoin": "0.0.9"},
    }
    (tmp_path / "validation.json").write_text(json.dumps(measured), encoding="utf-8")
    write_report(tmp_path / "with.pdf", small_case)
    text = text_of(tmp_path / "with.pdf")
    assert "D1, mixed 0–25 % 12 7 58.3 27.7 to 84.8 95–100 % 546 546 100.0" in text
    assert "measured with another encoder" in text
    assert "Measured 2026-01-02T03:04:05Z with Rejoin 0.0.9." in text
    assert "measured with another version of Rejoin" in text
    same = measured | {"weights_sha256": small_case.weights_sha256, "versions": small_case.versions}
    (tmp_path / "validation.json").write_text(json.dumps(same), encoding="utf-8")
    write_report(tmp_path / "same.pdf", small_case)
    assert "measured with another" not in text_of(tmp_path / "same.pdf")
    assert "– Only strips." in text


def test_another_ending_and_a_full_disk_leave_nothing(small_case, tmp_path, monkeypatch):
    with pytest.raises(UsageError, match=r"report\.doc"):
        write_report(tmp_path / "report.doc", small_case)

    def cancel(fraction, _text):
        if fraction > 0.7:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_report(tmp_path / "report.pdf", small_case, progress=cancel)

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_report(tmp_path / "report.pdf", small_case)
    assert not list(tmp_path.iterdir())


def test_a_model_is_the_one_that_ships_by_its_card_not_by_the_file_that_lies_there(small_case, tmp_path):
    shipped = replace(small_case, weights_sha256=shipped_weights_sha256())
    assert file_sha256(weights_path()) == shipped.weights_sha256
    for case, said in ((shipped, "the encoder that ships with Rejoin"), (small_case, "another encoder than this")):
        write_report(tmp_path / "report.pdf", case, sections=REPORT_SECTIONS[1:])
        assert said in text_of(tmp_path / "report.pdf")


def test_the_method_says_where_pixels_are_computed(small_case, tmp_path):
    write_report(tmp_path / "report.pdf", small_case)
    text = text_of(tmp_path / "report.pdf")
    assert "A shred that lay turned by 0.03° or more is turned upright: its pixels are interpolated" in text
    assert "brought to 300 dpi: averaged where it is finer, interpolated (bicubic) where it is coarser" in text


def test_other_software_and_another_model_are_named_with_the_step_that_used_them_first(small_case, tmp_path):
    history = recorded(small_case, "Ada", "reconstructed", "2 pages", reconstruction_parameters(small_case)).history
    later = small_case.versions | {"rejoin": "9.0"}
    for told in ({}, {"versions": later, "weights_sha256": "cd" * 32}, {}):
        history = append(
            history, when=history[0].when, who="Ada", what="solved again", text="again",
            parameters={"solve": True} | told, arrangement=small_case.arrangement,
        )  # fmt: skip
    write_report(tmp_path / "report.pdf", replace(small_case, history=history))
    text = text_of(tmp_path / "report.pdf")
    assert text.count("From step") == 1
    assert "From step 3 on" in text
    assert "rejoin 9.0, model cdcdcd" in text


@pytest.mark.parametrize("module", [core.output.report.prose, core.output.report.tables])
def test_the_columns_of_every_table_fit_between_the_margins(module):
    tables = [value for value in vars(module).values() if isinstance(value, tuple) and isinstance(value[0], Column)]
    assert tables
    for columns in tables:
        assert sum(column.width_mm for column in columns) + GUTTER_MM * (len(columns) - 1) <= WIDTH_MM


def test_places_with_notes_are_framed_on_a_layer_and_told_of_beside_their_shred(full_case, tmp_path):
    notes = full_case.arrangement.notes | {"1-01@1,4,6,9": "A thumb print."}
    case = replace(full_case, arrangement=replace(full_case.arrangement, notes=notes))
    write_report(tmp_path / "plain.pdf", full_case, name="Matter 7")
    write_report(tmp_path / "noted.pdf", case, name="Matter 7")
    assert "Place 1 on the page: A thumb print." in text_of(tmp_path / "noted.pdf")
    layers = []
    for name in ("plain.pdf", "noted.pdf"):
        with pikepdf.open(tmp_path / name) as pdf:
            groups = pdf.Root.get("/OCProperties", {}).get("/OCGs", [])
            layers.append([str(group.Name) for group in groups])
    assert layers == [[], ["Places that there are notes about"]]


def test_a_place_keeps_to_its_shred_when_that_is_turned_over(printed_case):
    shred = printed_case.arrangement.pages[0][0]
    height, width = printed_case.shred_by_id[shred].mask.shape
    notes = {place_key(shred, (0, 0, width, height // 4)): "upper part"}
    found = []
    for half_turned in (frozenset(), frozenset({shred})):
        arrangement = replace(printed_case.arrangement, notes=notes, half_turned=half_turned)
        case = replace(printed_case, arrangement=arrangement)
        page = compose(case, 0)
        found.append((noted_places(case, page)[1][:, 1].mean(), page.placements[shred][1] + height / 2))
    assert found[0][0] < found[0][1]
    assert found[1][0] > found[1][1]


def test_both_faces_are_told(two_faced, tmp_path):
    faces = two_faced.arrangement.other_faces
    unsure = {"1-01": (*faces["1-01"][:3], 0.6), "2-01": (*faces["2-01"][:3], 0.6)}
    case = replace(two_faced, arrangement=replace(two_faced.arrangement, other_faces=faces | unsure))
    text = text_of(write_report(tmp_path / "report.pdf", case, name="M", pages=(0,))[0])
    assert "Made from 2 sheets, 3 pieces of paper, 2 of them scanned on both faces" in text
    assert "Pages 2, of 3 shreds Pages with a back 1" in text
    assert "1 pair of faces is less than 90 % sure: 1-01 and 2-01 (60 %)." in text
    assert "Joins 1: 0 confirmed by the examiner, 1 suggested" in text, "from behind it is the same one"
    assert "other face: 2-01" in text
    assert "page 1 back, no. 1" in text
    assert "Page 1 back: 2 shreds" in text
    assert text.count("page 1 of 2") == 1, "the front"
    assert text.count("page 1 back of 2") == 1
    assert "page 2 of 2" not in text


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ({}, "Order proved to be the cheapest"),
        (
            {"1-01": (0, 0, 0), "1-03": (0, 1, 0)},
            "Order found; that no other order of these pieces fits better is not proved",
        ),
    ],
)
def test_rows_and_backs_are_no_change_by_hand(two_faced, tmp_path, places, said):
    found = replace(
        two_faced, optimal=True, arrangement=replace(two_faced.arrangement, grid_places=places), solved=None
    )
    write_report(tmp_path / "report.pdf", found, sections=("summary",))
    assert said in text_of(tmp_path / "report.pdf")
    fewer = replace(found, solved=replace(found.arrangement, pages=found.arrangement.pages[:1]))
    write_report(tmp_path / "report.pdf", fewer, sections=("summary",))
    assert "Order changed by hand after it was found" in text_of(tmp_path / "report.pdf")


@pytest.mark.parametrize("cross_cut", [True, False])
def test_how_pieces_are_put_together_is_told_where_there_are_some(small_case, tmp_path, cross_cut):
    shreds = tuple(shred.changed(cross_cut=cross_cut) for shred in small_case.shreds)
    write_report(tmp_path / "report.pdf", replace(small_case, shreds=shreds), sections=("method",))
    assert ("Of rows and pages nothing is proved." in text_of(tmp_path / "report.pdf")) == cross_cut


def test_the_joins_of_rows_of_pieces_are_listed_page_by_page(small_case, tmp_path):
    rows = replace(small_case.arrangement, grid_places={"1-01": (0, 0, 0), "2-01": (0, 1, 0)})
    write_report(tmp_path / "report.pdf", replace(small_case, arrangement=rows))
    text = text_of(tmp_path / "report.pdf")
    assert "Page 1: 4 shreds Row 1: 2 shreds" in " ".join(text.split())
    assert "From row to row" not in text, "nothing is known of it"
    below = JoinBelow("1-01", "2-01", 0.13), JoinBelow("2-02", "1-02", 0.999)
    write_report(tmp_path / "report.pdf", replace(small_case, arrangement=rows, solved=None, below=below))
    told = " ".join(text_of(tmp_path / "report.pdf").split())
    assert "2: 0 confirmed by the examiner; 1 doubtful" in told
    assert "1-01 2-01 13 % ? suggested" in told
    assert "2-02 1-02 > 99 % suggested" in told
    assert "page 1, row 2, no. 1" in " ".join(text.split())
    assert "Page 2" not in text


def test_of_a_blank_piece_on_a_page_it_is_told_that_others_left_its_place(small_case, tmp_path):
    blank = small_case.arrangement.pages[0][1]
    shreds = tuple(shred.changed(cross_cut=True, blank=shred.id == blank) for shred in small_case.shreds)
    arrangement = Arrangement(small_case.arrangement.pages)
    write_report(tmp_path / "report.pdf", replace(small_case, shreds=shreds, arrangement=arrangement))
    assert text_of(tmp_path / "report.pdf").count("others leave") == 1
