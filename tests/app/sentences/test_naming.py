from app.sentences.naming import about, first_upper, listed, quoted


def test_what_is_named_has_room_in_a_line():
    assert listed(["a"]) == "shred a"
    assert listed(list("abcde")) == "shreds a, b, c and 2 more"
    assert quoted("two\n lines") == "“two lines”"
    assert quoted(61 * "x") == f"“{60 * 'x'}…”"
    assert first_upper("page 1") == "Page 1"


def test_what_a_note_is_about_is_named():
    assert [about(key) for key in ("", "a", "a|b", "a@1,2,3,4")] == [
        "the case",
        "shred a",
        "the join a | b",
        "a place on shred a",
    ]
