from core.wording import Message, counted


def test_a_message_is_its_text_and_keeps_what_it_was_made_from():
    message = Message("Reading {name}", name="a {n}.png")
    assert message == "Reading a {n}.png"
    assert f"{message}" == str(message) == "Reading a {n}.png"
    assert (message.template, message.fields) == ("Reading {name}", {"name": "a {n}.png"})


def test_numbers_with_their_nouns():
    assert [counted(n, "page") for n in (0, 1, 2, 1200)] == ["0 pages", "1 page", "2 pages", "1200 pages"]
    assert counted(1200, "page", ",") == "1,200 pages"
