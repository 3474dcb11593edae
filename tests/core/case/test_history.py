import json
import re
from dataclasses import replace

import pytest

from core.arrangement.arrangement import Arrangement
from core.case.history import BEGINNING, append, arrangement_sha256, check_chain, describe_entry, now, read_entry
from core.errors import UnverifiedError


@pytest.fixture
def history():
    entries = ()
    for number in range(1, 5):
        entries = append(
            entries,
            when=f"2026-11-28T09:55:0{number}Z",
            who="Ada",
            what="edited",
            text=f"step {number}",
            parameters={"edit": {"edit": "MergePages", "page": number}, "pair": ("a", "b")},
            arrangement=Arrangement(pages=(("a", "b"),), shift_px={"b": number}),
        )
    return entries


def test_entries_are_numbered_and_hold_the_hash_of_the_one_before(history):
    assert [entry.number for entry in history] == [1, 2, 3, 4]
    assert history[0].previous_sha256 == BEGINNING
    assert [entry.previous_sha256 for entry in history[1:]] == [entry.sha256 for entry in history[:-1]]
    assert history[2].result_sha256 == arrangement_sha256(Arrangement(pages=(("a", "b"),), shift_px={"b": 3}))
    check_chain(history)
    check_chain(())


def test_a_hash_is_what_another_program_computes_from_the_text(history):
    import hashlib

    told = describe_entry(history[1])
    digest = told.pop("sha256")
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode("utf-8")).hexdigest() == digest


def test_entries_come_back_from_json_and_the_chain_still_holds(history):
    back = tuple(read_entry(json.loads(json.dumps(describe_entry(entry)))) for entry in history)
    assert back == history
    check_chain(back)


@pytest.mark.parametrize(
    ("tamper", "sentence"),
    [
        (lambda h: (h[0], replace(h[1], text="nothing"), *h[2:]), 'Entry 2 of the history ("nothing") was changed'),
        (lambda h: (h[0], replace(h[1], parameters={}), *h[2:]), "Entry 2 of the history"),
        (lambda h: (*h[:3], replace(h[3], who="Eve")), "Entry 4 of the history"),
        (lambda h: (*h[:1], *h[2:]), "Where entry 2 of the history should stand, there is entry 3."),
        (lambda h: h[1:], "Where entry 1 of the history should stand, there is entry 2."),
        (lambda h: (h[0], h[2], h[1], h[3]), "Where entry 2 of the history should stand, there is entry 3."),
        (lambda h: (*h, h[0]), "Where entry 5 of the history should stand, there is entry 1."),
    ],
)
def test_what_was_tampered_with_is_named(history, tamper, sentence):
    with pytest.raises(UnverifiedError, match=re.escape(sentence)):
        check_chain(tamper(history))


def test_an_entry_forged_with_a_hash_of_its_own_breaks_the_one_after(history):
    forged = append(
        history[:1],
        when=history[1].when,
        who="Eve",
        what="edited",
        text="step 2",
        parameters={},
        arrangement=Arrangement(),
    )
    with pytest.raises(UnverifiedError, match=r"Entry 3 of the history .* does not follow the one before it"):
        check_chain((*forged, *history[2:]))


@pytest.mark.parametrize("change", [{"number": "1"}, {"parameters": []}, {"who": None}, {"colour": "red"}])
def test_what_is_no_entry_is_refused(history, change):
    with pytest.raises(ValueError, match="an entry of the history"):
        read_entry(describe_entry(history[0]) | change)


def test_time_is_utc_to_the_second():
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", now())
