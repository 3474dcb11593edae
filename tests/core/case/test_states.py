from dataclasses import replace

import pytest

from core.arrangement.edits import MoveShreds, SetJoin, SplitPage
from core.case.file import STATES, load, save
from core.case.states import state_after
from core.errors import UnreadableInputError, UsageError
from core.options import Options
from core.system.json_values import canonical, read_json
from tests.core.repeatable import desk  # noqa: F401
from tests.core.tampered import entries_of, rewrite


@pytest.fixture
def worked(desk):  # noqa: F811
    """A desk on which orders were found three times, with edits and steps back between them."""
    desk.edit(SetJoin("1-03", "2-03", "forbidden"))
    desk.solve()
    desk.edit(MoveShreds(("1-01",), 0, 0))
    desk.back_to(3)
    desk.back_to(4, "redone")
    desk.edit(SplitPage(desk.case.arrangement.pages[0][3]))
    desk.change(replace(Options(), composition=replace(Options().composition, show_seams=True)))
    desk.edit(SetJoin("1-01", desk.case.arrangement.pages[0][1], "confirmed"))
    desk.back_to(2)
    desk.solve()
    desk.note("exported")
    desk.save()
    return desk


def test_every_state_is_found_again_in_the_saved_case(worked):
    case = load(worked.folder / "one.rejoin")
    for number, then in worked.states.items():
        found = state_after(case, number)
        assert found.arrangement == then.arrangement
        assert found.options == then.options
        assert found.joins == ()
    steps = []
    state_after(case, 4, lambda fraction, text: steps.append(text))
    assert steps


def test_what_stood_in_a_case_that_was_opened_is_found_again_after_solving_once_more(desk):  # noqa: F811
    path = desk.folder / "one.rejoin"
    desk.save()
    desk.case = load(path)
    desk.edit(SetJoin("1-03", "2-03", "forbidden"))
    desk.solve()
    desk.save()
    case = load(path)
    assert case.solved != desk.states[1].arrangement
    assert [state_after(case, number).arrangement for number in (1, 3)] == [
        desk.states[number].arrangement for number in (1, 3)
    ]


def test_a_case_that_was_only_edited_holds_no_states_besides(desk):  # noqa: F811
    desk.edit(MoveShreds(("1-01",), 0, 0))
    desk.save()
    assert STATES not in entries_of(desk.folder / "one.rejoin")
    assert state_after(load(desk.folder / "one.rejoin"), 1).arrangement == desk.states[1].arrangement


def test_what_an_earlier_version_did_not_keep_is_said(worked):
    save(replace(worked.case, states={}), worked.folder / "two.rejoin")
    case = load(worked.folder / "two.rejoin")
    assert state_after(case, len(case.history)).arrangement == worked.case.arrangement
    with pytest.raises(UsageError, match="step 8 found was not kept"):
        state_after(case, 9)


def test_a_state_under_the_name_of_another_is_refused(worked):
    path = worked.folder / "one.rejoin"
    entries = entries_of(path)
    states = read_json(entries[STATES])
    first, second, *_ = states
    states[first] = states[second]
    rewrite(path, entries | {STATES: canonical(states)})
    with pytest.raises(UnreadableInputError, match="not the one that the history names"):
        load(path)
