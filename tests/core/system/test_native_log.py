import os
import subprocess
import sys
from pathlib import Path

import core
from core.system.logs import without_chatter

SCRIPT = """
import os, sys
from core.system.logs import without_chatter
with without_chatter():
    os.write(2, b"WARNING: All log messages before absl::InitializeLog() is called are written to STDERR\\n")
    os.write(2, b"I0000 00:00:1795829483.650334   10555 port.cc:153] oneDNN custom operations are on.\\n")
    os.write(2, b"E0000 00:00:1795829429.677891   10326 cuda_platform.cc:52] failed call to cuInit: UNKNOWN\\n")
    os.write(2, b"libpng error: IDAT: invalid distance code\\n[ WARN:2@32.496] global grfmt_png.cpp:834 too large\\n")
    os.write(2, b"E0000 00:00:1795829429.677891   10326 other.cc:52] the disk is on fire\\n")
    os.write(2, b"an unfinished line")
    print("python's own", file=sys.stderr)
print("I0000 00:00:00 after", file=sys.stderr)
"""


def test_only_information_is_dropped():
    root = Path(core.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True)
    assert sorted(done.stderr.splitlines()) == sorted(
        [
            "python's own",
            "E0000 00:00:1795829429.677891   10326 other.cc:52] the disk is on fire",
            "an unfinished lineI0000 00:00:00 after",
        ]
    )


def test_standard_error_is_given_back(capfd):
    before = os.fstat(2)
    with without_chatter():
        assert os.fstat(2).st_ino != before.st_ino
    assert os.fstat(2).st_ino == before.st_ino
    os.write(2, b"I0000 00:00:00 after\n")
    assert capfd.readouterr().err == "I0000 00:00:00 after\n"
