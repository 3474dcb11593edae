from core.wording import Message, alike_once, counted


def test_a_message_is_its_text_and_keeps_what_it_was_made_from():
    message = Message("Reading {name}", name="a {n}.png")
    assert message == "Reading a {n}.png"
    assert f"{message}" == str(message) == "Reading a {n}.png"
    assert (message.template, message.fields) == ("Reading {name}", {"name": "a {n}.png"})


def test_numbers_with_their_nouns():
    assert [counted(n, "page") for n in (0, 1, 2, 1200)] == ["0 pages", "1 page", "2 pages", "1200 pages"]
    assert counted(1200, "page", ",") == "1,200 pages"


def test_a_hundred_that_fail_alike_are_one_sentence_with_a_number():
    def too_large(n):
        return f"/in/a folder/scan {n}.png would unpack to {n} × {n} pixels. Scan it again."

    said = [too_large(n) for n in range(100, 200)]
    said[50:50] = ["No shreds found in in/b.png: nothing on it is long.", "/in/c.png is empty."]
    assert alike_once(said) == [
        f"{too_large(100)} The same holds for 99 more: 101.png, 102.png, 103.png…",
        "No shreds found in in/b.png: nothing on it is long.",
        "/in/c.png is empty.",
    ]
    assert alike_once(said[:2]) == said[:2]
