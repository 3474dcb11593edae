"""The process that draws PDF files starts quickly, and ends when its parent does."""

import json
import subprocess
import sys

import numpy as np

from core.sheets.formats import pdf_worker
from core.sheets.formats.pdf_client import drawing_command
from tests.fuzz.endless import forms, made


def test_it_ends_in_the_midst_of_drawing_when_its_parent_goes_away():
    data = made(forms, np.random.default_rng(0))
    command, pipe = [*drawing_command(), str(len(data)), "400"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:

        def give(block: bytes) -> None:
            process.stdin.write(pdf_worker.LENGTH.pack(len(block)) + block)
            process.stdin.flush()

        told = {}
        while "pages" not in told:
            told = json.loads(process.stdout.readline())
            if "read" in told:
                place, n = told["read"]
                give(data[place : place + n])
        give(b"0")
        process.stdin.close()
        assert process.wait(timeout=600) == 0
        process.stdin = None


def test_it_imports_nothing_that_takes_time():
    code = "import sys, pypdfium2; from core.sheets.formats import pdf_worker; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pypdfium2" in done.stdout.split()
    assert not {"numpy", "PIL", "cv2", "tensorflow", "multiprocessing", "socket"} & set(done.stdout.split())
