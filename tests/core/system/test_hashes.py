import hashlib

import pytest

from core.system.files import file_sha256, values_sha256


def test_a_file_has_the_hash_of_its_bytes(tmp_path):
    path = tmp_path / "sheet"
    path.write_bytes(b"abc")
    assert file_sha256(path) == hashlib.sha256(b"abc").hexdigest()
    with pytest.raises(FileNotFoundError):
        file_sha256(tmp_path / "missing")


def test_equal_values_have_equal_hashes():
    assert values_sha256({"a": 1, "b": [2]}) == values_sha256({"b": [2], "a": 1})
    assert values_sha256({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()
    assert values_sha256({"a": 1}) != values_sha256({"a": 2})
