"""A case that can be repeated from its sheets without a network: shreds are compared by the numbers drawn on them."""

import copy
import hashlib
import shutil
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core import pipeline
from core.arrangement.edits import Replace
from core.arrangement.faces import FacePair
from core.case.arrangement_json import describe_arrangement, describe_edit, describe_options
from core.case.file import load, save
from core.case.joins import join_table, known_shifts, rearranged
from core.case.record import (
    adding_parameters,
    mending_parameters,
    reconstructed,
    reconstruction_parameters,
    recorded,
)
from core.comparison import Matched
from core.matching.costs import Costs
from core.memory import Memory
from core.options import Options
from core.pipeline import reconstruct
from core.progress import no_progress
from core.renewal import update
from core.renewal.adding import add, read_added
from core.renewal.mending import mend
from core.renewal.update import carry_over, redo, solve_again
from core.sheets.mends import mends_of
from core.verification import replay
from tests.core.test_pipeline import costs_of, number_of, write_sheet

WHEN = "2026-11-28T09:55:01Z"

BACKS = {"a back": [0, 2, None, 4], "b back": [5, 1, 3]}
"""What lies on the sheets that were scanned from behind: paper bears its number on both faces."""


class Desk:
    """Somebody who reconstructs sheets and works on the case; every step is recorded as the window records it."""

    def __init__(self, folder, backs=()):
        self.folder = folder
        self.weights = folder / "weights.keras"
        self.weights.write_bytes(b"weights")
        self.sheets = [
            write_sheet(folder / "a.png", [4, None, 0, 2]),
            write_sheet(folder / "b.png", [3, 5, 1]),
            *(write_sheet(folder / f"{name}.png", BACKS[name]) for name in backs),
        ]
        self.states = {}
        self.case = reconstructed(reconstruct(self.sheets, Options(), self.weights), "Ada", WHEN)
        self._keep()

    def edit(self, edit, text="edit"):
        arrangement, _ = edit.apply(self.case.arrangement, known_shifts(self.case))
        case = rearranged(self.case, arrangement, join_table(self.case))
        self.record(case, "edited", text, {"edit": describe_edit(edit)})

    def back_to(self, number, what="undone"):
        self.record(self._with_history(self.states[number]), what, what, {"to": number})

    def _with_history(self, case):
        return replace(case, history=self.case.history, states=self.case.states)

    def solve(self):
        self.record(solve_again(self.case, self.encoder), "solved again", "solving again", {"solve": True})

    def change(self, options):
        case = redo(self.case, options, self.encoder)
        self.record(case, "options changed", "options", {"options": describe_options(options)})

    def read_again(self, options):
        fresh = reconstruct(self.sheets, options, self.weights, mends=mends_of(self.case.sheets))
        case, _ = carry_over(self.case, fresh, self.encoder)
        case = self._with_history(case)
        self.record(case, "read again", "options", reconstruction_parameters(case) | {"keep": True})

    def add(self, *paths):
        case = add(self.case, read_added(self.case, paths), self.encoder)
        parameters = adding_parameters(case, len(self.case.sheets))
        self.record(replace(case, history=self.case.history), "sheets added", "added", parameters)

    def mend(self, number, *mends):
        case, self.lost = mend(self.case, number, mends, self.encoder)
        sheet = case.sheets[number]
        self.record(self._with_history(case), "mended", "mended", mending_parameters([sheet]))

    def restore(self, arrangement):
        after, _ = Replace(arrangement).apply(self.case.arrangement)
        case = rearranged(self.case, after, join_table(self.case))
        self.record(case, "restored", "restored", {"arrangement": describe_arrangement(arrangement)})

    def note(self, what):
        self.record(self.case, what, what, {})

    def record(self, case, what, text, parameters):
        self.case = recorded(case, "Ada", what, text, parameters, WHEN)
        self._keep()

    def save(self, name="one.rejoin", **how):
        self.note("saved")
        save(self.case, self.folder / name, **how)
        return self.folder / name

    def encoder(self):
        return pipeline.load_encoder(self.weights)

    def moved_to(self, folder):
        """Give a desk in another folder, with copies of all files, and the case as it was saved."""
        moved = copy.copy(self)
        shutil.copytree(self.folder, folder)
        moved.folder, moved.weights = folder, folder / self.weights.name
        moved.sheets = [folder / sheet.name for sheet in self.sheets]
        moved.case = load(folder / "one.rejoin")
        return moved

    @property
    def originals(self):
        return {sheet.sha256: sheet.path for sheet in self.case.sheets}

    def _keep(self):
        self.states[len(self.case.history)] = self.case


def compare_by_number(shreds, encoder, options, progress, **_):
    numbers = [number_of(shred) for shred in shreds if shred.compared]
    costs = costs_of(numbers)
    if options.cost.max_shift_rows != Options().cost.max_shift_rows:
        costs.cost[:] += 0.5
    return Matched(costs, encoder.sha256)


def without_network(patch, compare=compare_by_number):
    """Have shreds compared by their numbers, and weights known by their hash alone."""

    def load(weights):
        return SimpleNamespace(sha256=hashlib.sha256(weights.read_bytes()).hexdigest())

    for module in (pipeline, replay):
        patch.setattr(module, "load_encoder", load)
    for module in (pipeline, update):
        patch.setattr(module, "match", compare)
    patch.setattr(Memory, "match", lambda self, *given, **how: compare(*given, **how))


@pytest.fixture
def desk(monkeypatch, tmp_path):
    """Give a desk with six shreds of one page, and a blank one, on two sheets."""
    without_network(monkeypatch)
    return Desk(tmp_path)


def find_by_number(shreds, progress=no_progress):
    """Pair shreds that bear the same number: the one that was scanned later shows the other face."""
    first, pairs = {}, []
    for shred in shreds:
        if shred.compared and first.setdefault(number_of(shred), shred) is not shred:
            pairs.append(FacePair(first[number_of(shred)].id, shred.id, False, 0))
    return tuple(pairs)


def compare_both_ways(shreds, encoder, options, progress, *, both_ways=False, **_):
    """Compare shreds by their numbers, as they lie and upside down; from behind paper runs from the other end."""
    if not both_ways:
        return compare_by_number(shreds, encoder, options, progress)
    behind = {pair.other for pair in find_by_number(shreds)}
    compared = [shred for shred in shreds if shred.compared]
    numbers = np.array([number_of(shred) for shred in compared], np.float32)
    from_behind = np.array([shred.id in behind for shred in compared])
    n = len(compared)
    runs, upside_down = np.where(from_behind, -1, 1), np.repeat([False, True], n)
    places = np.concatenate([numbers * runs, -numbers * runs])
    cost = np.abs(places[None, :] - places[:, None] - 1) + 1
    seen = np.stack([np.tile(from_behind, 2), upside_down])
    cost[(seen[:, :, None] != seen[:, None]).any(axis=0)] = 9
    np.fill_diagonal(cost, np.inf)
    blank, upright = np.full(2 * n, 2, np.float32), np.where(upside_down, -3, 3).astype(np.float32)
    no_shift = np.zeros(cost.shape, np.int16)
    return Matched(Costs.of_all(cost.astype(np.float32), no_shift, blank, blank, 1.0, upright=upright), encoder.sha256)


@pytest.fixture
def two_faced(monkeypatch, tmp_path):
    """Make desks of which some sheets are scanned from behind; each shred of paper with ink has two faces then."""
    without_network(monkeypatch, compare_both_ways)
    monkeypatch.setattr(pipeline, "find_faces", find_by_number)
    return lambda *backs: Desk(tmp_path, backs)
