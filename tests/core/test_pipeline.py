import sys
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from core import pipeline
from core.arrangement.arrangement import Arrangement
from core.case.case import Case
from core.case.record import reconstruction_parameters
from core.comparison import Matched, match
from core.composition.backs import with_backs
from core.composition.rows import rows_of
from core.errors import Duplicate, Likeness, NothingFoundError, Remark, UnreadableInputError
from core.grid.pages import Grid
from core.matching.costs import Costs
from core.options import CostOptions, Options, ReadingOptions, SolverOptions
from core.output.result import result
from core.pipeline import arrange, reconstruct
from core.progress import Cancelled
from core.shreds.detect import find_shreds
from core.system.files import file_sha256
from core.system.places import piece_weights_path, weights_path
from tests.core.grid.drawn_grid import drawn_pieces
from tests.core.matrices import matrix

YELLOW = (250, 200, 60)
HEIGHT, WIDTH = 420, 60
BAR_STEP = 30


def write_sheet(path, numbers):
    """Write a sheet of upright shreds; a shred's number is told by the height of its bar, None is a blank one."""
    pixels = np.empty((HEIGHT + 80, 100 + 110 * max(1, len(numbers)), 3), dtype=np.uint8)
    pixels[:] = YELLOW
    for place, number in enumerate(numbers):
        x = 60 + 110 * place
        pixels[40 : 40 + HEIGHT, x : x + WIDTH] = 245
        if number is not None:
            top = 40 + BAR_STEP * (number + 1)
            pixels[top : top + 12, x + 8 : x + WIDTH - 8] = 20
    Image.fromarray(pixels).save(path, dpi=(300, 300))
    return path


def number_of(shred):
    """Read the number that `write_sheet` gave to a shred."""
    dark = (shred.pixels.max(axis=2) < 100).sum(axis=1) > 10
    return round((int(dark.argmax()) + shred.frame_top_px) / BAR_STEP) - 1


def costs_of(numbers):
    """Make costs of which the order of the numbers is the cheapest; a page ends where one is missing."""
    values = np.asarray(numbers, dtype=np.float32)
    cost = np.abs(values[None, :] - values[:, None] - 1) + 1
    np.fill_diagonal(cost, np.inf)
    shift = np.where(values[None, :] % 2 == 0, 4, -8).astype(np.int16) + np.zeros_like(cost, dtype=np.int16)
    blank = np.full(len(values), 2.0, dtype=np.float32)
    return Costs.of_all(cost.astype(np.float32), shift, blank, blank.copy())


@pytest.fixture
def fake_match(monkeypatch):
    """Compare shreds by their numbers, and need no network."""
    monkeypatch.setattr(pipeline, "load_encoder", lambda weights: SimpleNamespace(sha256=f"of {weights}"))

    def fake(shreds, encoder, options, progress, **_):
        progress(1.0, "Comparing")
        numbers = [number_of(shred) for shred in shreds if not shred.blank]
        return Matched(costs_of(numbers), encoder.sha256, {"embed": 0.1, "cost": 0.2})

    monkeypatch.setattr(pipeline, "match", fake)


@pytest.fixture
def sheets(tmp_path):
    """Two sheets with six shuffled shreds of one page, and a blank one."""
    return [
        write_sheet(tmp_path / "a.png", [4, None, 0, 2]),
        write_sheet(tmp_path / "b.png", [3, 5, 1]),
    ]


ORDER = ("1-03", "2-03", "1-04", "2-01", "1-01", "2-02")


def run(paths, options=Options(), **others) -> Case:
    return reconstruct(paths, options, Path("weights"), **others)


@pytest.mark.usefixtures("fake_match")
def test_each_stage_leaves_a_line_in_the_log_without_content(sheets, caplog):
    caplog.set_level("INFO", "core")
    run(sheets)
    found, arranged = caplog.messages
    assert found.startswith("7 shreds, 0 crumbs on 2 sheets, 0 inputs left out: ")
    assert arranged.startswith("6 shreds are on 1 pages, gap 0: ")


@pytest.mark.usefixtures("fake_match")
def test_sheets_become_a_case(sheets):
    seen, fractions = [], []
    case = run(
        sheets,
        on_sheet=lambda info, shreds: seen.append((info.name, [shred.id for shred in shreds])),
        progress=lambda fraction, text: fractions.append((fraction, text)),
    )
    assert case.arrangement.pages == (ORDER,)
    assert case.arrangement.set_aside == ("1-02",)
    assert case.arrangement.shift_px == {"2-03": -8, "1-04": 4, "2-01": -8, "1-01": 4, "2-02": -8}
    assert [(join.left, join.right) for join in case.joins] == case.arrangement.joins()
    assert all(join.cost == 1 and 0 < join.confidence <= 1 for join in case.joins)
    assert case.optimal
    assert case.gap == 0
    assert case.matched_ids == ("1-01", "1-03", "1-04", "2-01", "2-02", "2-03")
    assert set(case.seconds) == {"load", "segment", "embed", "cost", "solve", "compose", "total"}
    assert (case.weights_sha256, case.piece_weights_sha256) == ("of weights", "")
    assert {"rejoin", "python", "numpy"} <= set(case.versions)
    assert case.unreadable == ()
    assert seen == [("a.png", ["1-01", "1-02", "1-03", "1-04"]), ("b.png", ["2-01", "2-02", "2-03"])]
    values = [fraction for fraction, _ in fractions]
    assert values == sorted(values)
    assert values[-1] == 1
    assert all(text for _, text in fractions)


@pytest.mark.usefixtures("fake_match")
def test_the_same_sheets_give_the_same_case(sheets):
    one, two = run(sheets), run(sheets)
    for field in fields(Case):
        if field.name in ("options", "arrangement", "joins", "optimal", "gap", "unreadable", "versions"):
            assert getattr(one, field.name) == getattr(two, field.name), field.name
    for left, right in zip(one.shreds, two.shreds, strict=True):
        assert np.array_equal(left.pixels, right.pixels)
        assert np.array_equal(left.mask, right.mask)


@pytest.mark.usefixtures("fake_match")
def test_a_bad_file_an_empty_sheet_and_a_copy_do_not_stop_the_others(sheets, tmp_path):
    (tmp_path / "broken.png").write_bytes(b"\x89PNG broken")
    empty = write_sheet(tmp_path / "empty.png", [])
    (tmp_path / "copy of a.png").write_bytes(sheets[0].read_bytes())
    seen = []
    case = run(
        [tmp_path / "broken.png", sheets[0], empty, tmp_path / "copy of a.png", sheets[1], tmp_path / "gone.png"],
        on_sheet=lambda info, shreds: seen.append((info.name, len(shreds))),
    )
    assert seen == [("a.png", 4), ("empty.png", 0), ("b.png", 3)]
    # The empty sheet is the second one, so the last is the third.
    assert case.arrangement.pages == (tuple(name.replace("2-", "3-") for name in ORDER),)
    assert [shred.sheet for shred in case.shreds] == [0, 0, 0, 0, 2, 2, 2]
    assert len(case.unreadable) == 4
    for sentence, name in zip(case.unreadable, ("broken.png", "copy of a.png", "gone.png", "empty.png"), strict=True):
        assert name in sentence


@pytest.mark.usefixtures("fake_match")
def test_two_pages_begin_with_the_earliest_shred(tmp_path):
    paths = [write_sheet(tmp_path / "a.png", [8, 0, 7, 1]), write_sheet(tmp_path / "b.png", [2, 9])]
    case = run(paths, Options(solver=SolverOptions(n_pages=2)))
    assert case.arrangement.pages == (("1-03", "1-01", "2-02"), ("1-02", "1-04", "2-01"))


@pytest.mark.usefixtures("fake_match")
def test_a_single_shred_is_a_page(tmp_path):
    case = run([write_sheet(tmp_path / "a.png", [3])])
    assert case.arrangement.pages == (("1-01",),)
    assert case.joins == ()


def test_when_nothing_can_be_read_every_reason_is_told(tmp_path):
    (tmp_path / "broken.png").write_bytes(b"\x89PNG broken")
    with pytest.raises(UnreadableInputError, match=r"(?s)broken\.png.*gone\.png"):
        run([tmp_path / "broken.png", tmp_path / "gone.png"])
    with pytest.raises(UnreadableInputError):
        run([])


def test_when_nothing_lies_on_the_sheets_it_is_said(tmp_path):
    with pytest.raises(NothingFoundError, match=r"empty\.png"):
        run([write_sheet(tmp_path / "empty.png", [])])
    with pytest.raises(NothingFoundError, match="All 2 shreds found are blank"):
        run([write_sheet(tmp_path / "blank.png", [None, None])])


@pytest.mark.usefixtures("fake_match")
@pytest.mark.parametrize("after", [0, 1, 3, 6])
def test_cancelling_stops_the_work(sheets, after):
    calls = []

    def progress(_fraction, text):
        calls.append(text)
        if len(calls) > after:
            raise Cancelled

    with pytest.raises(Cancelled):
        run(sheets, progress=progress)
    assert len(calls) == after + 1


def test_borders_are_embedded_and_compared_without_the_blank_shreds(sheets, monkeypatch):
    embedded = {}

    class Encoder:
        sha256 = "abc"

        def embed(self, borders, side, _progress):
            embedded[side] = borders
            return np.zeros((len(borders), 3, 2), dtype=np.float32)

        def blank(self, side):
            return f"blank {side}"

    costs = costs_of(range(6))

    class Ink:
        to_blank, from_blank = costs.to_blank, costs.from_blank

        def __init__(self, right, left, blank_right, blank_left, max_shift_rows):
            assert right.shape == left.shape == (6, 3, 2)
            assert (blank_right, blank_left) == ("blank right", "blank left")
            assert max_shift_rows == as_they_lie.cost.max_shift_rows

        def tiles(self, progress):
            everything = slice(0, 6)
            yield everything, everything, matrix(costs), matrix(costs, costs.shift_px, 0)

    as_they_lie = replace(Options(), cost=CostOptions(try_half_turns=False))
    monkeypatch.setitem(sys.modules, "core.matching.ink", SimpleNamespace(Ink=Ink))
    found = find_shreds(sheets, Options())
    matched = match(found.shreds, Encoder(), as_they_lie)
    np.testing.assert_array_equal(matched.ink.cost, costs.cost)
    np.testing.assert_array_equal(matched.ink.shift_px, costs.shift_px)
    assert matched.weights_sha256 == "abc"
    assert matched.contours is not None
    added = matched.costs.lines
    assert (added < 0).any()  # some bars lie at the same height
    np.testing.assert_array_equal(matched.costs.cost, costs.cost + added)  # the cuts are straight
    by_ink_alone = replace(
        Options(),
        cost=CostOptions(
            use_contour=False, use_tone=False, use_lines=False, expect_margins=False, try_half_turns=False
        ),
    )
    alone = match(found.shreds, Encoder(), by_ink_alone).costs
    np.testing.assert_array_equal(alone.cost, costs.cost)
    assert alone.temperature == costs.of_all_cues().temperature
    # The bar lies 8 px from the edge, some of which the mask may take; it is 12 px high.
    for borders in embedded.values():
        assert borders.shape[0] == 6
        assert borders.any(axis=2).sum(axis=1).tolist() == pytest.approx([12] * 6, abs=2)


def test_what_the_examiner_said_holds(make_shred):
    shreds = [make_shred(f"1-0{k + 1}", np.ones((300, 400), dtype=np.bool_), blank=k == 5) for k in range(6)]
    costs = costs_of([0, 1, 2, 3, 4])
    options = Options(solver=SolverOptions(n_pages=1))
    assert arrange(shreds, costs, options).arrangement.pages == (("1-01", "1-02", "1-03", "1-04", "1-05"),)
    previous = Arrangement(
        set_aside=("1-03", "1-06"),
        confirmed=frozenset({("1-04", "1-01")}),
        forbidden=frozenset({("1-01", "1-02"), ("1-03", "1-04")}),
    )
    arranged = arrange(shreds, costs, options, previous).arrangement
    assert set(arranged.set_aside) == {"1-03", "1-06"}
    assert ("1-04", "1-01") in arranged.joins()
    assert ("1-01", "1-02") not in arranged.joins()
    assert (arranged.confirmed, arranged.forbidden) == (previous.confirmed, previous.forbidden)


def test_what_was_said_of_pieces_goes_with_a_row_that_is_turned_on_its_page(make_shred, monkeypatch):
    shreds = [make_shred(f"1-0{k + 1}", np.ones((60, 40), np.bool_), cross_cut=True) for k in range(3)]

    def turned(rows, pose, posed, *_):
        return Grid(tuple(row[::-1] for row in rows), [one + posed.n for one in pose], ((0, 0, 0),))

    monkeypatch.setattr(pipeline, "put_into_pages", turned)
    one_way = costs_of([0, 1, 2])
    cost = np.full((6, 6), np.inf, np.float32)
    cost[:3, :3] = matrix(one_way)
    cost[3:, 3:] = cost[:3, :3].T
    both_ways = Costs.of_all(cost, np.zeros((6, 6), np.int16), np.ones(6, np.float32), np.ones(6, np.float32))
    said = Arrangement(confirmed=frozenset({("1-01", "1-02")}))
    arranged = arrange(shreds, both_ways, Options(), said, {("1-01", "1-02"): 3}).arrangement
    assert arranged.pages == (("1-03", "1-02", "1-01"),)
    assert arranged.confirmed == {("1-02", "1-01")}
    assert arranged.half_turned == {"1-01", "1-02", "1-03"}
    assert arranged.shift_px["1-01"] == 3


def test_pages_wider_than_paper_are_cut_unless_their_number_was_given(make_shred):
    # Four shreds of 0.4 pages: by their widths two pages of two, though the cheapest cut leaves a single one.
    shreds = [make_shred(f"1-0{k + 1}", np.ones((3000, 985), dtype=np.bool_)) for k in range(4)]
    costs = costs_of([0, 1, 2, 3])
    costs.to_blank[0] = costs.from_blank[1] = 0
    assert arrange(shreds, costs, Options()).arrangement.pages == (("1-01",), ("1-02", "1-03"), ("1-04",))
    given = Options(solver=SolverOptions(n_pages=2))
    assert arrange(shreds, costs, given).arrangement.pages == (("1-01",), ("1-02", "1-03", "1-04"))


@pytest.mark.usefixtures("fake_match")
@pytest.mark.parametrize("suffix", [".png", ".tif"])
def test_a_sheet_that_is_given_twice_is_taken_once_or_kept_and_both_is_said(sheets, tmp_path, suffix):
    copy = tmp_path / f"copy{suffix}"
    Image.open(sheets[0]).save(copy, dpi=(300, 300))
    once, alone = run([*sheets, copy]), run(sheets)
    assert [shred.id for shred in once.shreds] == [shred.id for shred in alone.shreds]
    assert f"{copy} was left out: it has the same content as {sheets[0]}." in once.unreadable
    assert [type(sentence) for sentence in once.unreadable] == [Duplicate]
    kept = run([*sheets, copy], Options(reading=ReadingOptions(keep_duplicates=True)))
    assert len(kept.sheets) == len(alone.sheets) + 1
    assert f"{copy} was given twice, and kept: it has the same content as {sheets[0]}." in kept.unreadable
    assert [type(sentence) for sentence in kept.unreadable] == [Remark]
    assert [sheet["name"] for sheet in reconstruction_parameters(kept)["sheets"]] == [
        sheet.path.name for sheet in kept.sheets
    ]


def written_sheet(path: Path) -> np.ndarray:
    """Write a sheet whose shreds bear words, by which it is known, and return its pixels."""
    rng = np.random.default_rng(0)
    pixels = np.array(Image.open(write_sheet(path, [4, None, 0, 2])))
    for top in range(50, 430, 12):
        for left in (62, 172, 282, 392):
            pixels[top : top + 4, left + 8 : left + 52] = np.where(rng.random(44) < 0.5, 90, 245)[:, None]
    Image.fromarray(pixels).save(path, dpi=(300, 300))
    return pixels


@pytest.mark.usefixtures("fake_match")
@pytest.mark.parametrize("turned", [False, True])
def test_a_sheet_that_was_saved_with_loss_or_scanned_again_is_taken_once_or_kept(tmp_path, turned):
    rng = np.random.default_rng(0)
    pixels = written_sheet(tmp_path / "a.png")
    again = np.clip(np.roll(pixels, (3, 5), (0, 1)) + rng.normal(0, 3, pixels.shape), 0, 255).astype(np.uint8)
    again = again[::-1, ::-1] if turned else again
    Image.fromarray(again).save(tmp_path / "again.jpg", dpi=(300, 300), quality=80)
    other = write_sheet(tmp_path / "b.png", [3, 5, 1])
    once = find_shreds([tmp_path / "a.png", tmp_path / "again.jpg", other], Options())
    assert [sheet.name for sheet in once.sheets] == ["a.png", "b.png"]
    (sentence,) = once.unreadable
    assert type(sentence) is Likeness
    assert "again.jpg was left out: it shows the same sheet, saved or scanned again, as" in sentence
    options = Options(reading=ReadingOptions(keep_duplicates=True))
    kept = find_shreds([tmp_path / "a.png", tmp_path / "again.jpg", other], options)
    assert len(kept.sheets) == 3
    assert [type(sentence) for sentence in kept.unreadable] == [Remark]


@pytest.mark.parametrize("dpi", [(150, 150), (300, 300)])
def test_of_a_sheet_and_its_smaller_copy_before_it_the_larger_one_is_used(tmp_path, dpi):
    pixels = written_sheet(tmp_path / "scan.png")
    copy = Image.fromarray(pixels).reduce(2)
    copy.save(tmp_path / "copy.png", dpi=dpi)
    other = write_sheet(tmp_path / "b.png", [3, 5, 1])
    files = [tmp_path / "copy.png", other, tmp_path / "scan.png"]
    found, alone = find_shreds(files, Options()), find_shreds(files[1:], Options())
    assert [sheet.name for sheet in found.sheets] == ["b.png", "scan.png"]
    assert [(one.id, one.sheet, one.bbox) for one in found.shreds] == [
        (one.id, one.sheet, one.bbox) for one in alone.shreds
    ]
    (sentence,) = found.unreadable
    assert type(sentence) is Likeness
    assert "copy.png was left out: it shows the same sheet, saved or scanned again, as" in sentence
    assert sentence.endswith("scan.png.")
    kept = find_shreds(files, Options(reading=ReadingOptions(keep_duplicates=True)))
    assert [sheet.name for sheet in kept.sheets] == ["copy.png", "b.png", "scan.png"]


@pytest.mark.slow
def test_pieces_printed_on_both_faces_become_a_page_and_its_back(tmp_path):
    n_rows, n_columns = 3, 8
    for letter, seed in (("a", 5), ("b", 6)):
        pieces, grid = drawn_pieces(n_rows, n_columns, seed=seed)
        pictures = {piece.id: piece.pixels for piece in pieces}
        for row, names in enumerate(grid):
            for column, name in enumerate(names if letter == "a" else names[::-1]):
                number = (7 * (row * n_columns + column)) % (n_rows * n_columns)
                Image.fromarray(pictures[name]).save(tmp_path / f"{number:03}{letter}.png", dpi=(300, 300))
    small = Options(solver=SolverOptions(page_width_mm=66.0))
    case = with_backs(reconstruct([tmp_path], small, weights_path()))
    names = {shred.id: case.sheets[shred.sheet].path.stem for shred in case.shreds}
    pages = [[[names[one] for one in row] for row in rows_of(case.arrangement, page)] for page in (0, 1)]
    front = [
        [f"{(7 * (row * n_columns + column)) % (n_rows * n_columns):03}a" for column in range(n_columns)]
        for row in range(n_rows)
    ]
    back = [[f"{name[:-1]}b" for name in row[::-1]] for row in front]
    assert pages in ([front, back], [back, front])


@pytest.mark.slow
def test_blank_pieces_fill_the_places_that_others_leave(tmp_path):
    pieces, grid = drawn_pieces(3, 8, seed=5)
    blank = {grid[0][7], grid[1][0], grid[2][6], grid[2][7]}
    for piece in pieces:
        pixels = np.full_like(piece.pixels, 245) if piece.id in blank else piece.pixels
        Image.fromarray(pixels).save(tmp_path / f"{piece.id}.png", dpi=(300, 300))
    case = reconstruct([tmp_path], Options(solver=SolverOptions(page_width_mm=66.0)), weights_path())
    names = {shred.id: case.sheets[shred.sheet].path.stem for shred in case.shreds}
    rows = [["blank" if names[shred] in blank else names[shred] for shred in row] for row in case.arrangement.pages]
    true = [["blank" if name in blank else name for name in row] for row in grid]
    assert rows in (true, [row[::-1] for row in true[::-1]])
    assert case.arrangement.set_aside == ()
    assert case.arrangement.grid_places == {row[0]: (0, at, 0) for at, row in enumerate(case.arrangement.pages)}
    assert not [
        join for join in case.joins if join.doubtful and not blank.isdisjoint((names[join.left], names[join.right]))
    ]
    told = result(case)["shreds"]
    assert {names[shred["id"]] for shred in told if shred.get("placed_by") == "geometry"} == blank
    of_pieces = [file_sha256(piece_weights_path(direction)) for direction in ("across", "down")]
    assert result(case)["piece_weights_sha256"] == case.piece_weights_sha256 == "+".join(of_pieces)
    again = arrange(case.shreds, case.costs, case.options, case.arrangement)
    assert again.arrangement.pages == case.arrangement.pages
