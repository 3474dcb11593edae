import gc
import importlib.util
import subprocess
import sys
import time

import pytest

from core.system import keras_import
from core.system.keras_import import gentle_import

HALTS = """
import sys, threading, time
from core.system.keras_import import gentle_import

def load():
    with gentle_import():
        import tensorflow

thread, longest, last = threading.Thread(target=load), 0.0, 0.0
thread.start()
clock = time.pthread_getcpuclockid(thread.ident)  # what the import computes while nobody else can: no matter how busy
while thread.is_alive():
    time.sleep(0.005)
    try:
        now = time.clock_gettime(clock)
    except OSError:  # it has just ended
        break
    longest, last = max(longest, now - last), now
thread.join()
print(longest, "tensorflow" in sys.modules)
"""


@pytest.mark.parametrize("enabled", [True, False])
def test_collector_rests_meanwhile_and_is_as_before_afterwards(enabled, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with gentle_import():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
        with pytest.raises(ImportError), gentle_import():
            raise ImportError
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()
        gc.unfreeze()


def test_another_backend_needs_no_library_of_tensorflow(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    monkeypatch.setattr(keras_import, "_map_libraries", lambda: pytest.fail("TensorFlow's libraries were mapped"))
    with gentle_import():
        pass
    gc.unfreeze()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="no clock of another thread on this system")
def test_other_threads_go_on_while_tensorflow_is_imported():
    result = subprocess.run([sys.executable, "-c", HALTS], capture_output=True, text=True, timeout=840, check=True)
    longest, imported = result.stdout.split()
    assert imported == "True"
    assert float(longest) < 0.2  # with, 0.02 s; without, 0.4 s and more


def test_what_would_open_a_socket_is_not_imported_along(monkeypatch):
    monkeypatch.delitem(sys.modules, "requests", raising=False)
    with gentle_import():
        import requests
    assert not hasattr(requests, "get")
    assert "requests" not in sys.modules
