"""Importing the encoder's libraries in a thread of their own without halting the others."""

import ctypes
import gc
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from types import ModuleType

BATCHES_AT_A_TIME = 2
"""While one is put together and taken apart, the other keeps the cores busy."""

_LIBRARIES = ("libtensorflow_framework.so.2", "libtensorflow_cc.so.2")
_UNWANTED: dict[str, ModuleType | None] = {"requests": ModuleType("requests"), "matplotlib": None, "sklearn": None}
"""TensorFlow imports the first, to ask a cloud how it is; its import alone opens a socket. An empty module will do.

Keras imports the others where they are installed, and does without them where they are not: a quarter of its import,
and several seconds more the first time, when fonts are listed.
"""


@contextmanager
def gentle_import() -> Iterator[None]:
    """Let a block import TensorFlow while other threads, a window's for instance, go on.

    Two things of that import hold up every thread. Python maps the libraries, over a gigabyte, with the interpreter
    locked: here the system maps them beforehand with it unlocked. And the garbage collector walks again and again
    through the hundred thousands of objects that the import makes: here it rests meanwhile, and then leaves them alone
    for good. On two busy cores, measured on TensorFlow 2.21: 3 instead of 7 s, and the longest halt under 50 instead of
    860 ms.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    hidden = _UNWANTED.keys() - sys.modules.keys()
    try:
        sys.modules.update({name: _UNWANTED[name] for name in hidden})  # type: ignore[misc]  # None: not to be found
        if sys.platform == "linux" and os.environ.get("KERAS_BACKEND", "tensorflow") == "tensorflow":
            _map_libraries()
        yield
        gc.freeze()
    finally:
        if was_enabled:
            gc.enable()
        for name in hidden:
            del sys.modules[name]


def _map_libraries() -> None:
    """Map TensorFlow's large libraries; a function called through `CDLL` leaves the interpreter unlocked."""
    found = importlib.util.find_spec("tensorflow")
    if found is None or found.origin is None or "tensorflow" in sys.modules:
        return
    dlopen = ctypes.CDLL(None).dlopen
    dlopen.argtypes, dlopen.restype = [ctypes.c_char_p, ctypes.c_int], ctypes.c_void_p
    for name in _LIBRARIES:
        path = Path(found.origin).parent / name
        if path.is_file():  # what fails here, the import itself reports
            dlopen(os.fsencode(path), os.RTLD_LAZY)


def on_a_card() -> bool:
    """Return whether Keras, which is imported by then, computes on a graphics card.

    Returns
    -------
    bool
        False where it computes on the processor.
    """
    import keras

    return not any("cpu" in str(device).lower() for device in keras.distribution.list_devices())


def one_at_a_time() -> AbstractContextManager[object]:
    """Return what threads hold while they compute with one network.

    Returns
    -------
    context manager
        JAX hands a network's state from one call to the next: two at a time would take it from each other. TensorFlow
        needs none.
    """
    import keras

    return nullcontext() if keras.backend.backend() == "tensorflow" else Lock()
