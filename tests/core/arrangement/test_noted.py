import pytest

from core.arrangement.noted import numbered_places, over, place_key, subject_of


@pytest.mark.parametrize(
    ("about", "shreds"), [("", ()), ("1-02", ("1-02",)), ("1-02|1-03", ("1-02", "1-03")), ("1-02@1,2,3,4", ("1-02",))]
)
def test_what_a_note_is_about(about, shreds):
    assert subject_of(about)[0] == shreds


def test_a_place_is_read_as_it_was_written():
    assert subject_of(place_key("1-02", (1, -2, 3, 4))) == (("1-02",), (1, -2, 3, 4))


@pytest.mark.parametrize("about", ["1-02@", "1-02@1,2,3", "1-02@a,b,c,d", "1-02|1-03@1,2,3,4", "@1,2,3,4"])
def test_no_place_on_one_shred_is_none(about):
    with pytest.raises(ValueError, match=r"place|invalid literal"):
        subject_of(about)


def test_turned_over_twice_a_place_is_where_it_was():
    place = (3, 5, 20, 30)
    assert over(over(place, (100, 900)), (100, 900)) == place


def test_places_alone_are_numbered():
    assert numbered_places({"": "a", "x@1,1,1,1": "b", "x": "c", "y@2,2,2,2": "d"}) == {"x@1,1,1,1": 1, "y@2,2,2,2": 2}
