from unittest.mock import PropertyMock

import numpy as np
import pytest

from core.faces.pairing import find_faces, pair_of
from core.shreds.storage.packed import PackedShred, packed
from tests.core.faces.drawn_faces import HEIGHT, both_faces, cut_paper, scanned


def names(pairs):
    return [(pair.one, pair.other) for pair in pairs]


def test_both_faces_of_each_paper_are_found_and_whether_one_is_upside_down():
    pairs = find_faces(both_faces(12))
    assert names(pairs) == [(f"1-{k:02}", f"2-{k:02}") for k in range(12)]
    assert [pair.half_turn for pair in pairs] == [k % 2 == 1 for k in range(12)]
    assert min(pair.confidence for pair in pairs) > 0.99
    assert all(abs(pair.lower_px) <= 1 for pair in pairs)


def test_whatever_the_order_of_the_shreds_is_they_are_paired_alike_the_first_one_first():
    shreds = both_faces(6)
    mixed = [shreds[at] for at in np.random.default_rng(0).permutation(12)]
    pairs, place = find_faces(mixed), {shred.id: at for at, shred in enumerate(mixed)}
    assert {frozenset(pair) for pair in names(pairs)} == {frozenset((f"1-{k:02}", f"2-{k:02}")) for k in range(6)}
    assert all(place[one] < place[other] for one, other in names(pairs))
    assert [place[one] for one, _ in names(pairs)] == sorted(place[one] for one, _ in names(pairs))


@pytest.mark.parametrize("wave_px", [2.0, 0.0], ids=["wavy", "straight"])
def test_shreds_scanned_from_one_face_are_not_paired(wave_px):
    rng = np.random.default_rng(1)
    strips = cut_paper(30, wave_px=wave_px)
    assert not find_faces([scanned(f"1-{k:02}", strip, rng, half_turned=k % 3 == 0) for k, strip in enumerate(strips)])


def test_a_cutter_that_wobbles_evenly_makes_no_other_faces():
    rng, strips = np.random.default_rng(1), cut_paper(30, wave_px=0.3)
    phases = rng.uniform(0, 2 * np.pi, 31)
    cuts = 2 * np.sin(2 * np.pi * np.arange(HEIGHT) / 130 + phases[:, None])
    wobbling = strips + np.stack([cuts[:-1], cuts[1:]], axis=1)
    assert not find_faces([scanned(f"1-{k:02}", strip, rng) for k, strip in enumerate(wobbling)])


def test_weak_waves_are_believed_where_most_shreds_have_two_faces():
    rng, weak = np.random.default_rng(1), cut_paper(3, seed=9, wave_px=0.5)
    faces = [scanned(f"{3 + over}-{k:02}", strip, rng, over=over) for over in (False, True)
             for k, strip in enumerate(weak)]  # fmt: skip
    expected = [(f"3-{k:02}", f"4-{k:02}") for k in range(3)]
    assert names(find_faces(both_faces(20) + faces))[20:] == expected
    one_faced = [shred for shred in both_faces(40) if shred.sheet == 0]
    assert not find_faces(one_faced + faces)


def test_straight_cuts_are_no_evidence_even_for_both_faces():
    rng = np.random.default_rng(1)
    strips = cut_paper(2, wave_px=0.0)
    assert not find_faces([scanned(f"{1 + over}-{k}", strip, rng, over=over)
                           for over in (False, True) for k, strip in enumerate(strips)])  # fmt: skip


@pytest.mark.parametrize("half_turned", [False, True])
def test_the_same_face_scanned_twice_is_no_other_face(half_turned):
    rng, strips = np.random.default_rng(1), cut_paper(8)
    once = [scanned(f"1-{k:02}", strip, rng) for k, strip in enumerate(strips)]
    assert not find_faces(
        once + [scanned(f"2-{k:02}", strip, rng, half_turned=half_turned) for k, strip in enumerate(strips)]
    )


def test_a_face_is_in_one_pair_only_though_the_other_was_scanned_twice():
    shreds = both_faces(8)
    again = scanned("3-00", cut_paper(8)[0], np.random.default_rng(7))
    found = names(find_faces([*shreds, again]))
    assert [pair for pair in found if "2-00" not in pair] == [(f"1-{k:02}", f"2-{k:02}") for k in range(1, 8)]
    assert sum("2-00" in pair for pair in found) == 1


def test_one_paper_alone_has_its_faces_found():
    assert names(find_faces(both_faces(1))) == [("1-00", "2-00")]


def test_a_few_with_two_faces_are_found_among_many_with_one():
    rng = np.random.default_rng(1)
    others = [scanned(f"3-{k:02}", strip, rng) for k, strip in enumerate(cut_paper(40, seed=5))]
    assert names(find_faces(both_faces(2) + others)) == [("1-00", "2-00"), ("1-01", "2-01")]


@pytest.mark.parametrize(("half_turned", "cut_off_px", "right_px"), [
    (False, 0, 30), (True, 0, 30),
    # What is seen of it begins so much lower on the paper; upside down it has lost its lower end, as the whole one is.
    (False, 40, -10), (True, 40, 30),
])  # fmt: skip
def test_it_tells_how_much_lower_a_face_was_found(half_turned, cut_off_px, right_px):
    rng, strips = np.random.default_rng(1), cut_paper(6)
    whole = [scanned(f"1-{k:02}", strip, rng, frame_top_px=5) for k, strip in enumerate(strips)]
    below = {"over": True, "half_turned": half_turned, "cut_off_px": cut_off_px, "frame_top_px": 35}
    backs = [scanned(f"2-{k:02}", strip, rng, **below) for k, strip in enumerate(strips)]
    assert [abs(pair.lower_px - right_px) <= 1 for pair in find_faces(whole + backs)] == [True] * 6


def test_blank_faces_take_part_and_scraps_do_not():
    blank = both_faces(6, blank=True)
    scraps = both_faces(6, scrap="sliver")
    assert len(find_faces(blank)) == 6
    assert not find_faces(scraps)


def test_no_shreds_have_no_faces():
    assert find_faces([]) == ()
    assert find_faces(both_faces(1)[:1]) == ()


def test_the_mask_of_a_packed_shred_is_read_once(monkeypatch):
    shreds = [packed(shred) for shred in both_faces(3)]
    read = PropertyMock(side_effect=[shred.mask for shred in shreds])
    monkeypatch.setattr(PackedShred, "mask", read)
    assert len(find_faces(shreds)) == 3
    assert read.call_count == len(shreds)


def test_progress_never_falls():
    told = []
    find_faces(both_faces(6), lambda fraction, text: told.append(fraction))
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1


@pytest.mark.parametrize("k", [0, 1], ids=["as it lies", "upside down"])
def test_of_two_shreds_that_are_said_to_be_one_paper_it_is_found_how_they_lie(k):
    shreds = both_faces(4)
    among_all = find_faces(shreds)[k]
    alone = pair_of(shreds[k], shreds[4 + k])
    assert (alone.one, alone.other, alone.half_turn, alone.confidence) == (f"1-{k:02}", f"2-{k:02}", k == 1, 1.0)
    assert abs(alone.lower_px - among_all.lower_px) <= 1
    back = pair_of(shreds[4 + k], shreds[k])
    assert (back.one, back.other, back.half_turn) == (alone.other, alone.one, alone.half_turn)
    assert abs(back.lower_px + alone.lower_px) <= 1


def test_strangers_can_be_said_to_be_one_paper_too():
    one, other = both_faces(2)[:2]
    assert (pair_of(one, other).one, pair_of(one, other).other) == ("1-00", "1-01")
