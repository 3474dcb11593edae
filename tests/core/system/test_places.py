import os
import sys

import pytest

from core.system import places


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of the XDG specification")
def test_on_linux_everything_lies_where_the_desktop_says(monkeypatch, tmp_path):
    for kind in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    monkeypatch.delenv("KERAS_HOME", raising=False)
    assert places.settings_file() == tmp_path / "CONFIG/Rejoin/settings.ini"
    assert places.unsaved_folder() == tmp_path / "STATE/Rejoin/unsaved"
    assert places.log_file().is_relative_to(tmp_path / "STATE/Rejoin")
    places.keep_libraries_apart()
    assert os.environ["KERAS_HOME"] == str(tmp_path / "CACHE/Rejoin/keras")
    assert not list(tmp_path.iterdir())  # a place is made by whoever writes there
