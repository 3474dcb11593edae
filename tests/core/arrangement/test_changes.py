from dataclasses import replace

from core.arrangement.arrangement import Arrangement
from core.arrangement.changes import changes, turned_as
from core.arrangement.faces import FacePair, other_faces


def test_nothing_has_changed():
    one = Arrangement((("a", "b"), ("c",)), ("d",), {"b": 2})
    found = changes(one, one)
    assert not found
    assert found.n_pages == (2, 2)


def test_every_kind_of_change_is_told():
    before = Arrangement((("a", "b", "c"), ("d", "e")), ("x",), {"b": 1, "e": 4})
    after = Arrangement((("a", "b"), ("d", "e", "x"), ("c",)), (), {"b": 1, "e": 5})
    found = changes(before, after)
    assert found
    assert found.lost == (("b", "c"),)
    assert found.new == (("e", "x"),)
    assert found.shifted == (("d", "e"),)
    assert (found.placed, found.set_aside) == (("x",), ())
    assert found.n_pages == (2, 3)
    back = changes(after, before)
    assert (back.lost, back.new) == (found.new, found.lost)
    assert (back.placed, back.set_aside) == ((), ("x",))


def test_another_order_of_pages_alone_is_no_change_of_joins():
    assert not changes(Arrangement((("a", "b"), ("c", "d"))), Arrangement((("c", "d"), ("a", "b"))))


def test_a_page_that_stands_upside_down_later_is_the_same():
    before = Arrangement((("a", "b", "c"), ("d", "e")), (), {"b": 1})
    after = Arrangement((("c", "b", "a"), ("d", "e")), (), {"a": 1, "b": 0}, half_turned=frozenset("abc"))
    assert not changes(turned_as(before, after), after)
    both = replace(after, pages=(("c", "b", "a"), ("e", "d")), half_turned=frozenset("abcde"))
    assert not changes(turned_as(before, both), both)
    moved = replace(after, pages=(("c", "b"), ("a", "d", "e")))
    assert changes(turned_as(before, moved), moved).lost == (("b", "a"),)
    one = replace(before, half_turned=frozenset("d"))
    assert turned_as(before, one) is before, "a shred that is turned alone is a change"


def test_a_page_that_is_seen_from_behind_later_is_the_same():
    before = Arrangement((("a", "b", "c"),), ("d",), {"b": 1, "c": 2})
    faces = other_faces([FacePair("a", "x", False, 0), FacePair("b", "y", False, 0), FacePair("c", "z", False, 3)])
    after = Arrangement((("z", "y", "x"),), ("d",), {"y": 1, "x": -1}, other_faces=faces)
    turned = turned_as(before, after)
    assert turned.pages == after.pages
    assert not changes(turned, after)
    apart = Arrangement((("a", "b"), ("z",)), ("d",), {"b": 1}, other_faces=faces)
    assert changes(turned_as(before, apart), apart).lost == (("b", "z"),), "the one that is turned over is named so"
    assert turned_as(before, before) is before
    both = Arrangement((("a", "b", "x"),))
    assert turned_as(both, Arrangement((("x", "b"),), other_faces=faces)) is both, "both faces stood there"
