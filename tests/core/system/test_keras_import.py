import gc
import importlib
import importlib.util
import subprocess
import sys

import pytest

from core.system import keras_import
from core.system.keras_import import gentle_import

LIBRARIES = """
import sys
from core.system.keras_import import gentle_import

with gentle_import():
    mapped = "libtensorflow_cc" in open("/proc/self/maps").read()
    print(mapped, "tensorflow" in sys.modules)
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


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are mapped beforehand on Linux alone")
def test_libraries_are_mapped_before_python_asks_for_them(monkeypatch):
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    done = subprocess.run([sys.executable, "-c", LIBRARIES], capture_output=True, text=True, timeout=840, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_what_would_open_a_socket_is_not_imported_along(monkeypatch):
    monkeypatch.delitem(sys.modules, "requests", raising=False)
    with gentle_import():
        import requests
    assert not hasattr(requests, "get")
    assert "requests" not in sys.modules


def test_what_keras_does_without_is_not_imported_along(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] in ("matplotlib", "sklearn")]:
        monkeypatch.delitem(sys.modules, name)
    with gentle_import():
        for name in ("matplotlib", "matplotlib.pyplot", "sklearn.base"):
            with pytest.raises(ImportError):
                importlib.import_module(name)
    gc.unfreeze()
    assert not {"matplotlib", "sklearn"} & sys.modules.keys()
