from core.parallel import map_in_order


def test_progress_names_the_item_and_in_the_end_none():
    reported = []
    results = map_in_order(abs, [-1, -2], "Saving shred {number} of {n}", lambda *report: reported.append(report), 1)
    assert list(results) == [1, 2]
    assert reported == [(0.0, "Saving shred 1 of 2"), (0.5, "Saving shred 2 of 2"), (1.0, "Saving shred")]
    assert [getattr(text, "fields", None) for _, text in reported] == [
        {"number": 1, "n": 2},
        {"number": 2, "n": 2},
        None,
    ]


def test_some_of_many_are_numbered_among_all():
    reported = []
    text, progress = "Saving shred {number} of {n}", lambda *report: reported.append(report)
    assert list(map_in_order(abs, [-1, -2], text, progress, 1, (7, 20))) == [1, 2]
    assert [str(text) for _, text in reported] == ["Saving shred 8 of 20", "Saving shred 9 of 20", "Saving shred"]
