from core.arrangement.arrangement import Arrangement
from core.arrangement.changes import changes


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
