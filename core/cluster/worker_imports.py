"""Imported by workers of this machine, or once before they are forked: then they share what all compute with."""

import signal
from importlib import import_module

from core.system.keras_import import gentle_import
from core.system.places import keep_libraries_apart

# Ctrl+C reaches processes that were started, too, and it is for who started them to end them.
signal.signal(signal.SIGINT, signal.SIG_IGN)

_TASKS = "core.shreds.detect", "core.embedded", "core.embedding.encoder", "core.embedding.way_up"
"""Named, not imported, as tasks name their functions: what they do stands above the room that gives them out."""

keep_libraries_apart()
with gentle_import():
    for module in ("distributed", *_TASKS):
        import_module(module)
