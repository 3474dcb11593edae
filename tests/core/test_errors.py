from core import errors
from core.errors import Duplicate, Likeness, RejoinError, Remark, restore_note


def test_every_kind_has_a_code_of_its_own():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RejoinError)]
    assert {kind.__name__: kind.code for kind in kinds} == {
        "RejoinError": "stopped",
        "UsageError": "usage",
        "UnreadableInputError": "unreadable",
        "MissingOriginalError": "missing-sheet",
        "NothingFoundError": "nothing-found",
        "CrossCutError": "cross-cut",
        "TornError": "torn",
        "UnverifiedError": "unverified",
        "OutputError": "not-written",
        "OpenElsewhereError": "open-elsewhere",
    }


def test_a_sentence_read_from_a_file_is_what_it_was():
    sentence = f"b.png {Duplicate.REASON} a.png."
    assert type(restore_note(sentence)) is Duplicate
    assert restore_note(sentence) == sentence
    assert type(restore_note(f"b.jpg {Likeness.REASON} a.png.")) is Likeness
    assert type(restore_note(f"b.jpg {Remark.KEPT_LIKENESS} a.png.")) is Remark
    assert type(restore_note("notes.txt is no image.")) is str
    assert type(restore_note(f"a.jpg lacks its end marker; it was {Remark.MARK}.")) is Remark
