import json
import zipfile
from dataclasses import asdict, fields, replace

import numpy as np
import pytest

from core.case import Case
from core.case_file import load, save
from core.errors import OutputError, UnreadableInputError
from core.options import Options, SolverOptions


def assert_same(one, other):
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype, field.name
            assert np.array_equal(a, b), field.name
        elif field.name in ("sheets", "shreds", "crumbs"):
            assert len(a) == len(b)
            for left, right in zip(a, b, strict=True):
                assert_same(left, right)
        elif field.name == "costs" and a is not None:
            assert_same(a, b)
        else:
            assert a == b, field.name


def edit(path, change):
    """Rewrite case.json within a case file."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    told = json.loads(entries["case.json"])
    change(told)
    entries["case.json"] = json.dumps(told).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)


def test_a_case_comes_back_as_it_was_saved(small_case: Case, tmp_path):
    case = replace(small_case, options=Options(solver=SolverOptions(n_pages=2, seed=7)))
    save(case, tmp_path / "one.rejoin")
    assert_same(case, load(tmp_path / "one.rejoin"))


def test_a_case_without_costs_comes_back(small_case, tmp_path):
    case = replace(small_case, costs=None)
    save(case, tmp_path / "one.rejoin")
    assert_same(case, load(tmp_path / "one.rejoin"))


def test_the_same_case_gives_the_same_bytes(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    save(small_case, tmp_path / "two.rejoin")
    assert (tmp_path / "one.rejoin").read_bytes() == (tmp_path / "two.rejoin").read_bytes()


def test_sheets_are_found_when_case_and_sheets_move_together(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    with zipfile.ZipFile(tmp_path / "one.rejoin") as archive:
        assert json.loads(archive.read("case.json"))["sheets"][0]["path"] == "scan 0.png"
    (tmp_path / "moved").mkdir()
    (tmp_path / "one.rejoin").rename(tmp_path / "moved" / "one.rejoin")
    assert load(tmp_path / "moved" / "one.rejoin").sheets[0].path == tmp_path / "moved" / "scan 0.png"


def test_another_version_is_refused(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    edit(tmp_path / "one.rejoin", lambda told: told.update(format=99))
    with pytest.raises(UnreadableInputError, match="format 99"):
        load(tmp_path / "one.rejoin")


def test_a_case_of_the_version_before_had_nothing_turned_by_hand(small_case, tmp_path):
    def as_before(told):
        told["format"] = 1
        del told["solved"]
        for name in ("held", "parted", "half_turned", "turned_deg"):
            del told["arrangement"][name]

    save(small_case, tmp_path / "one.rejoin")
    edit(tmp_path / "one.rejoin", as_before)
    nothing = {"held": frozenset(), "parted": frozenset(), "half_turned": frozenset(), "turned_deg": {}}
    arrangement = replace(small_case.arrangement, **nothing)
    assert_same(replace(small_case, arrangement=arrangement, solved=None), load(tmp_path / "one.rejoin"))


def test_a_case_knows_what_was_changed_by_hand(small_case):
    assert not small_case.by_hand
    assert small_case.turned_since == {"2-02", "2-01"}
    moved = replace(small_case.arrangement, pages=(("1-01", "2-02", "2-01", "1-02"),))
    assert replace(small_case, arrangement=moved).by_hand
    assert not replace(small_case, arrangement=moved, solved=None).by_hand


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(mood="good"),
        lambda told: told.pop("joins"),
        lambda told: told["options"]["solver"].update(speed=3),
        lambda told: told["options"]["solver"].update(seed=-3),
        lambda told: told["arrangement"].update(colour="red"),
        lambda told: told["shreds"][0].update(weight=3),
        lambda told: told["shreds"][0].update(id="9-99"),
        lambda told: told["joins"][0].pop("cost"),
        lambda told: told["arrangement"]["set_aside"].append("1-01"),
    ],
)
def test_what_is_unknown_or_lacking_in_a_case_is_refused(small_case, tmp_path, change):
    save(small_case, tmp_path / "one.rejoin")
    edit(tmp_path / "one.rejoin", change)
    with pytest.raises(UnreadableInputError, match=r"one\.rejoin is no case of Rejoin, or is damaged"):
        load(tmp_path / "one.rejoin")


def test_damaged_and_absent_files_are_refused(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    data = (tmp_path / "one.rejoin").read_bytes()
    (tmp_path / "one.rejoin").write_bytes(data[: len(data) // 2])
    with pytest.raises(UnreadableInputError, match=r"one\.rejoin"):
        load(tmp_path / "one.rejoin")
    with pytest.raises(UnreadableInputError, match=r"two\.rejoin cannot be read"):
        load(tmp_path / "two.rejoin")


def test_a_failed_save_leaves_what_stood_there(small_case, tmp_path, monkeypatch):
    save(small_case, tmp_path / "one.rejoin")
    before = (tmp_path / "one.rejoin").read_bytes()

    def full(*_args, **_others):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("zipfile.ZipFile.writestr", full)
    with pytest.raises(OutputError, match="No space left on device"):
        save(small_case, tmp_path / "one.rejoin")
    assert (tmp_path / "one.rejoin").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["one.rejoin"]


def test_options_survive_as_they_are_written(small_case, tmp_path):
    save(small_case, tmp_path / "one.rejoin")
    with zipfile.ZipFile(tmp_path / "one.rejoin") as archive:
        assert json.loads(archive.read("case.json"))["options"] == asdict(small_case.options)
