"""docs/case-format.md is enough to read a case: here it is read without Rejoin, as the document says."""

import hashlib
import io
import json
import re
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.arrangement.arrangement import Arrangement
from core.arrangement.edits import WriteNote
from core.case.file import save
from core.case.history import describe_entry
from core.case.record import reconstructed, recorded
from core.case.values import describe_case, embeddings_key
from core.case.wire_names import EDITS
from core.composition.evidence import compose_page
from core.system.json_values import canonical

DOCUMENT = (Path(__file__).parents[2] / "docs" / "case-format.md").read_text(encoding="utf-8")
SAID = set(re.findall(r"`([^`\n]+)`", DOCUMENT))


class Reader:
    """Reads a case with what Python and numpy have, and no module of Rejoin."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.entries = {name: archive.read(name) for name in archive.namelist()}
        self.case = json.loads(self.entries["case.json"])
        self.history = [json.loads(line) for line in self.entries["history.jsonl"].splitlines()]

    @staticmethod
    def hashed(value):
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def manifest_holds(self):
        told = json.loads(self.entries["manifest.json"])["sha256"]
        there = {
            name: hashlib.sha256(data).hexdigest() for name, data in self.entries.items() if name != "manifest.json"
        }
        return told == there

    def chain_holds(self):
        before = "0" * 64
        for number, entry in enumerate(self.history, start=1):
            rest = {name: value for name, value in entry.items() if name != "sha256"}
            if (entry["number"], entry["previous_sha256"], entry["sha256"]) != (number, before, self.hashed(rest)):
                return False
            before = entry["sha256"]
        return self.hashed(self.case["arrangement"]) == self.history[-1]["result_sha256"]

    def array(self, name):
        return np.load(io.BytesIO(self.entries[name]), allow_pickle=False)

    def picture(self, shred):
        rgba = np.asarray(Image.open(io.BytesIO(self.entries[f"shreds/{shred}.png"])))
        told = next(one for one in self.case["shreds"] if one["id"] == shred)
        if told["half_turn"] != (shred in self.case["arrangement"]["half_turned"]):
            rgba = rgba[::-1, ::-1]
        return rgba[..., :3], rgba[..., 3] > 127, told["frame_top_px"]

    def page(self, number):
        """Lay the shreds of a page edge to edge, as the document says."""
        down, laid = 0, []
        for at, shred in enumerate(self.case["arrangement"]["pages"][number]):
            down += self.case["arrangement"]["shift_px"].get(shred, 0) if at else 0
            pixels, paper, top = self.picture(shred)
            laid.append((pixels, paper, top + down))
        first = min(top for _, _, top in laid)
        height = max(top - first + len(paper) for _, paper, top in laid)
        right_of_paper, columns = [None] * height, []
        for _, paper, top in laid:
            rows = [(top - first + row, np.flatnonzero(line)) for row, line in enumerate(paper) if line.any()]
            ways = [right_of_paper[row] - at[0] for row, at in rows if right_of_paper[row] is not None]
            column = max(ways) if ways else max([0, *(one for one in right_of_paper if one is not None)])
            for row, at in rows:
                right_of_paper[row] = max(column + at[-1] + 1, right_of_paper[row] or 0)
            columns.append(column)
        left = min(columns)
        width = max(column - left + paper.shape[1] for column, (_, paper, _) in zip(columns, laid, strict=True))
        page = np.full((height, width, 3), 255, np.uint8)
        for column, (pixels, paper, top) in zip(columns, laid, strict=True):
            rows, at = np.nonzero(paper)
            page[rows + top - first, at + column - left] = pixels[rows, at]
        return page


@pytest.fixture
def case(small_case):
    """Make a case with a history, letters of many scripts, and numbers of every length."""
    small_case = replace(small_case, seconds={"total": 1e-7, "load": 1e16, "solve": 3.0}, gap=0.1 + 0.2)
    text = 'Größe 证据 \u2028 \x7f " \\ / \t \x01'
    noted, _ = WriteNote("1-01", text).apply(small_case.arrangement)
    noted = replace(noted, turned_deg={}, shift_px={"2-02": 4, "1-02": -8})
    case = reconstructed(small_case, "Ada")
    return recorded(replace(case, arrangement=noted), text, "edited", text, {"edit": {"edit": "HalfTurn", "x": 1e-7}})


def test_hashes_chain_and_keys_are_as_the_document_says(case, tmp_path):
    save(case, tmp_path / "one.rejoin")
    read = Reader(tmp_path / "one.rejoin")
    assert read.manifest_holds()
    assert read.chain_holds()
    options = read.case["options"]
    told = {
        "weights_sha256": read.case["weights_sha256"],
        "sheets": [[sheet["sha256"], sheet["mask_sha256"], sheet["page"]] for sheet in read.case["sheets"]],
        **{stage: options[stage] for stage in ("reading", "segmentation", "binarization", "border")},
    }
    assert read.hashed(told) == read.case["embeddings_key"] == embeddings_key(case)
    read.history[0]["who"] = "Eve"
    assert not read.chain_holds()


def test_pages_follow_from_the_file_as_the_document_says(case, tmp_path):
    save(case, tmp_path / "one.rejoin")
    read = Reader(tmp_path / "one.rejoin")
    shreds = {shred.id: shred for shred in case.shreds}
    for number in range(len(case.arrangement.pages)):
        page = compose_page(shreds, case.arrangement, number).pixels
        assert np.array_equal(read.page(number), page)


def test_every_key_is_in_the_document(case, tmp_path):
    told = describe_case(case, tmp_path, False)
    keys = {*told, *told["arrangement"], *told["options"], *describe_entry(case.history[0])}
    keys |= {key for part in ("sheets", "shreds", "crumbs", "joins") for one in told[part] for key in one}
    keys |= set(case.history[0].parameters) | {*case.history[0].parameters["sheets"][0]}
    keys |= {name for kind, names in EDITS.values() for name in (kind, *names)}
    keys |= {field.name for field in fields(Arrangement)}
    assert len(keys) > 80
    assert keys - SAID == set()


def test_every_kind_of_entry_is_in_the_document(case, tmp_path):
    save(case, tmp_path / "one.rejoin")
    for name in Reader(tmp_path / "one.rejoin").entries:
        folder = name.partition("/")[0]
        assert any(said == name or said.startswith(f"{folder}/") for said in SAID), name
        if name.startswith("costs/"):
            assert Path(name).stem in SAID


def test_canonical_json_is_what_the_document_says():
    assert canonical({"b": [1, 1.0, 1e-5, 1e16, 0.0001], "a": 'ä"\\\n\x01\x7f/\udcff'}) == (
        '{"a":"ä\\"\\\\\\n\\u0001\x7f/\\udcff","b":[1,1.0,1e-05,1e+16,0.0001]}'.encode()
    )
