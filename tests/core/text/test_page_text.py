from core.text.page_text import PageText, Word, fold


def lines_of(*lines, paragraph=1):
    return tuple(
        Word(text, (40 * column, 30 * number, 30, 20), 0.9, (1, paragraph, number))
        for number, line in enumerate(lines, start=1)
        for column, text in enumerate(line.split())
    )


def test_lines_stay_lines_and_paragraphs_stand_apart():
    text = PageText(lines_of("One two", "three") + lines_of("four", paragraph=2))
    assert text.text == "One two\nthree\n\nfour"
    assert [text.line_of(word) for word in text.words] == ["One two", "One two", "three", "four"]
    assert PageText().text == ""


def test_what_a_hyphen_carries_over_is_one_word_to_a_search():
    text = PageText(lines_of("the recon-", "struction of pa-") + lines_of("per", paragraph=2))
    searchable, owners = text.searchable
    assert searchable == "the reconstruction of pa\nper\n"
    assert len(owners) == len(searchable)
    assert [text.words[owners[searchable.index(part)]].text for part in ("the", "recon", "struc", "per")] == [
        "the", "recon-", "struction", "per",
    ]  # fmt: skip


def test_accents_case_and_ligatures_make_no_difference():
    assert fold("ÉTÉ") == fold("e\u0301te\u0301") == "ete"
    assert fold("ﬁnal") == "final"
    assert fold("Straße") == fold("STRASSE")
