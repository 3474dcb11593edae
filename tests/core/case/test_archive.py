import io
import re
import zipfile

import numpy as np
import pytest

from core.case.archive import AlteredError, Archive
from core.case.zip_layout import NewArchive


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "one.zip"
    with NewArchive(path, 3) as archive:
        archive.add("case.json", b'{"a":1}', compress=True)
        archive.add_array("costs/cost.npy", np.eye(3, dtype=np.float32))
        archive.copy("originals/ab", io.BytesIO(b"scan" * 1000), 4000)
    return path


def write(path, entries, **how):
    with zipfile.ZipFile(path, "w", **how) as archive:
        for name, data in entries:
            archive.writestr(name, data)


def test_entries_come_back(path):
    with Archive(path) as archive:
        archive.check()
        assert archive.read("case.json") == b'{"a":1}'
        assert np.array_equal(archive.read_array("costs/cost.npy", np.float32, (3, 3)), np.eye(3))
        with archive.opened("originals/ab") as (handle, size):
            assert (handle.read(), size) == (b"scan" * 1000, 4000)
        assert list(archive.altered()) == []


def test_a_length_may_be_open_but_not_the_kind_of_an_array(path):
    with Archive(path) as archive:
        assert archive.read_array("costs/cost.npy", np.float32, (-1, 3)).shape == (3, 3)
        for kind, shape in ((np.float64, (3, 3)), (np.float32, (3, 4)), (np.float32, (9,))):
            with pytest.raises(ValueError, match="an array of"):
                archive.read_array("costs/cost.npy", kind, shape)


def test_arrays_of_objects_are_never_unpickled(tmp_path):
    class Harm:
        def __reduce__(self):
            return (tmp_path.joinpath("harm").touch, ())

    buffer = io.BytesIO()
    np.save(buffer, np.array([Harm()], dtype=object), allow_pickle=True)
    write(tmp_path / "one.zip", [("costs/cost.npy", buffer.getvalue())])
    with Archive(tmp_path / "one.zip") as archive, pytest.raises(ValueError, match="an array of object"):
        archive.read_array("costs/cost.npy", np.float32, (1,))
    assert not (tmp_path / "harm").exists()


def test_what_would_unpack_to_more_than_a_case_needs_is_not_unpacked(tmp_path):
    write(tmp_path / "one.zip", [("case.json", bytes(5 << 20))], compression=zipfile.ZIP_DEFLATED)
    with Archive(tmp_path / "one.zip") as archive, pytest.raises(ValueError, match="would unpack to 5242880 bytes"):
        archive.read("case.json", at_most_bytes=1 << 20)


def test_an_entry_that_lies_about_its_size_is_not_unpacked_beyond_it(tmp_path):
    path = tmp_path / "one.zip"
    write(path, [("case.json", bytes(64 << 20))], compression=zipfile.ZIP_DEFLATED)
    real, told = (64 << 20).to_bytes(4, "little"), (100).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(real, told))
    with Archive(path) as archive, pytest.raises((zipfile.BadZipFile, ValueError)):
        archive.read("case.json")


@pytest.mark.parametrize("how", [{"compression": zipfile.ZIP_BZIP2}, {"compression": zipfile.ZIP_LZMA}])
def test_other_ways_of_packing_are_refused(tmp_path, how):
    write(tmp_path / "one.zip", [("case.json", b"{}")], **how)
    with Archive(tmp_path / "one.zip") as archive, pytest.raises(ValueError, match="packed in another way"):
        archive.read("case.json")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_entry_that_is_there_twice_is_refused(tmp_path):
    write(tmp_path / "one.zip", [("case.json", b"{}"), ("case.json", b"[]")])
    with pytest.raises(ValueError, match="twice"):
        Archive(tmp_path / "one.zip")


@pytest.mark.parametrize("name", ["../../evil", "/etc/passwd", "C:\\evil", "shreds/../x.png", "shreds/a/b.png"])
def test_names_that_no_case_holds_are_refused(tmp_path, name):
    with NewArchive(tmp_path / "one.zip", 3) as archive:
        archive.add("case.json", b"{}")
        archive.add(name, b"evil")
    with Archive(tmp_path / "one.zip") as archive, pytest.raises(ValueError, match="something else"):
        archive.check()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda entries: entries.update({"case.json": b'{"a":2}'}), "case.json was altered"),
        (lambda entries: entries.pop("costs/cost.npy"), "'costs/cost.npy' was taken out"),
        (lambda entries: entries.update({"shreds/1.png": b""}), "'shreds/1.png' was put in"),
        (lambda entries: entries.update({"manifest.json": entries["manifest.json"] + b" "}), "manifest.json was alt"),
        (lambda entries: entries.pop("manifest.json"), "manifest.json is missing"),
    ],
)
def test_what_was_altered_is_named(path, change, sentence):
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    write(path, entries.items())

    def look():
        with Archive(path) as archive:
            archive.check()
            archive.read("case.json")

    with pytest.raises(ValueError, match=re.escape(sentence)):
        look()


def test_an_entry_that_nobody_read_is_looked_at_as_well(path):
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries["originals/ab"] = b"scam" * 1000
    write(path, entries.items())
    with Archive(path) as archive:
        archive.check()
        assert list(archive.altered()) == ["originals/ab"]
        assert issubclass(AlteredError, ValueError)


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff\xe0 a JPEG", b"\x89PNG\r\n\x1a\n"])
def test_only_png_of_a_size_that_can_be_is_decoded(tmp_path, data):
    write(tmp_path / "one.zip", [("shreds/1.png", data)])
    with Archive(tmp_path / "one.zip") as archive, pytest.raises(ValueError, match="is no PNG of at most 100 × 100"):
        archive.read_png("shreds/1.png", (100, 100))


def test_a_png_that_says_it_is_larger_than_its_frame_is_not_decoded(tmp_path):
    import cv2

    data = cv2.imencode(".png", np.zeros((90, 110), np.uint8))[1].tobytes()
    write(tmp_path / "one.zip", [("shreds/1.png", data)])
    with Archive(tmp_path / "one.zip") as archive:
        assert archive.read_png("shreds/1.png", (110, 90)) == data
        with pytest.raises(ValueError, match="is no PNG of at most 109 × 90"):
            archive.read_png("shreds/1.png", (109, 90))
