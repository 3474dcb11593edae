import os
import sys

from core.system.host import called, own_environment, restore_environment


def test_the_bundle_is_called_by_its_own_name(monkeypatch):
    told = "Run `python main.py reconstruct --help`."
    assert called(told) == told
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert called(told) == "Run `rejoin reconstruct --help`."


def test_programs_started_from_the_bundle_do_not_get_its_libraries(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "bundle:mine")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "mine")
    monkeypatch.setenv("QT_PLUGIN_PATH", "bundle")
    restore_environment()
    assert os.environ["LD_LIBRARY_PATH"] == "bundle:mine"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    restore_environment()
    assert os.environ["LD_LIBRARY_PATH"] == "mine"
    assert not {"LD_LIBRARY_PATH_ORIG", "QT_PLUGIN_PATH"} & os.environ.keys()


def test_another_process_of_the_program_finds_the_libraries_of_the_bundle_by_itself():
    assert own_environment() == {**os.environ, "PYINSTALLER_RESET_ENVIRONMENT": "1"}
