import subprocess
import sys

IMPORTED = """
import os, signal, sys
import core.cluster.worker_imports
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
for name in ("keras", "cv2", "scipy.ndimage", "distributed", "core.embedding.way_up"):
    assert name in sys.modules, name
print(len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 1)
"""


def test_what_workers_are_forked_from_has_imported_all_and_has_no_other_thread():
    imported = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=False)
    assert (imported.returncode, imported.stdout) == (0, "1\n"), imported.stderr
