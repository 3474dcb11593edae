import os
import sys

from core.sheets.formats import pdf_worker
from core.sheets.formats.pdf_client import drawing_command
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


def test_the_bundle_draws_pdf_files_by_its_own_executable(monkeypatch):
    assert drawing_command() == [sys.executable, "-P", pdf_worker.__file__]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert drawing_command() == [sys.executable, pdf_worker.COMMAND]
    assert own_environment() == {**os.environ, "PYINSTALLER_RESET_ENVIRONMENT": "1"}
