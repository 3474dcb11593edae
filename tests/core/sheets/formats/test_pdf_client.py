"""How the process that draws PDF files is started; what it does is seen in test_pdf.py."""

import sys

from core.sheets.formats import pdf_worker
from core.sheets.formats.pdf_client import drawing_command


def test_the_bundle_draws_pdf_files_by_its_own_executable(monkeypatch):
    assert drawing_command() == [sys.executable, "-P", pdf_worker.__file__]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert drawing_command() == [sys.executable, pdf_worker.COMMAND]
