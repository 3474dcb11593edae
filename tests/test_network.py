"""No telemetry, no update check, nothing is fetched: Rejoin never uses the network."""

import ast
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.drawn_sheets import write_sheets

ROOT = Path(__file__).resolve().parent.parent
NETWORK = {"socket", "socketserver", "ssl", "http", "urllib", "ftplib", "smtplib", "poplib", "imaplib", "xmlrpc"}
NETWORK |= {
    "asyncio",
    "webbrowser",
    "requests",
    "urllib3",
    "httpx",
    "aiohttp",
    "grpc",
    "websockets",
    "dask",
    "distributed",
}
MAY = {"core/cluster/start.py", "core/cluster/dask_workers.py"}
"""These import Dask, within the functions that are called when other processes are asked for."""
QT_NETWORK = {"QtNetwork", "QtNetworkAuth", "QtWebEngineCore", "QtWebEngineWidgets", "QtWebSockets", "QtRemoteObjects"}


def network_imports(source: str) -> set[str]:
    """List what a module imports that can reach the network."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.split(".")[0] in NETWORK or QT_NETWORK & set(name.split("."))}


def test_no_module_imports_what_can_reach_the_network():
    assert network_imports("import urllib.request\nfrom PySide6 import QtNetwork\nimport os.path") == {
        "urllib.request",
        "PySide6.QtNetwork",
    }
    modules = [ROOT / "main.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "app").rglob("*.py")]
    assert len(modules) > 100
    found = {path: network_imports(path.read_text(encoding="utf-8")) for path in modules}
    for path in MAY:
        names = found.pop(ROOT / path)
        assert names
        assert {name.split(".")[0] for name in names - {"urllib.parse.urlsplit"}} <= {"dask", "distributed"}
    assert {path: names for path, names in found.items() if names} == {}


# The main job on the command line, and then in the window: open, save, export. Whatever would reach for the network
# is written down and fails.
JOB = """
import sys
from pathlib import Path

def watch(event, arguments):
    if event in ("webbrowser.open", "socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"):
        print("network:", event, arguments, flush=True)
        raise OSError("There is no network.")

sys.addaudithook(watch)
folder, sheets = Path(sys.argv[1]), sys.argv[2:]
import main
assert main.main(["reconstruct", *sheets, "-o", str(folder / "pages.pdf"), "--quiet"]) == 0

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app import application

def begin():
    (window,) = [one for one in QApplication.topLevelWidgets() if hasattr(one, "session")]
    session = window.session
    steps = [
        lambda: session.writer.export(folder / "window.pdf"),
        lambda: session.writer.save(folder / "one.rejoin"),
        window.close,
    ]
    def go_on():
        if session.document.case and not session.jobs.busy and steps:
            QTimer.singleShot(0, steps.pop(0))
    session.jobs.running_changed.connect(go_on)
    session.jobs.failed.connect(lambda error: (print("failed:", error, flush=True), window.close()))

run = QApplication.exec
def run_and_begin(*_):
    QTimer.singleShot(0, begin)
    return run()
QApplication.exec = run_and_begin
print("code", application.run([Path(sheet) for sheet in sheets]))
"""


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")
def test_neither_the_main_job_nor_the_window_reaches_for_the_network(tmp_path):
    """The interpreter is asked by a hook; native code, where strace is there, through the system."""
    calls = tmp_path / "calls"
    command = [sys.executable, "-c", JOB, str(tmp_path), *map(str, write_sheets(tmp_path / "sheets", 1))]
    if shutil.which("strace"):
        command = [
            "strace",
            "-f",
            "-qq",
            "--seccomp-bpf",
            "-e",
            "trace=%network",
            "-e",
            "signal=none",
            "-o",
            str(calls),
            *command,
        ]
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}
    environment = {**os.environ, **homes, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=environment, cwd=ROOT, start_new_session=True
    ) as job:
        try:
            out, err = job.communicate(timeout=840)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)  # with what strace watches
            raise
    assert out == "code 0\n", out + err
    assert {"pages.pdf", "window.pdf", "one.rejoin"} <= {path.name for path in tmp_path.iterdir()}
    if calls.exists():
        asked = [line for line in calls.read_text(errors="replace").splitlines() if re.search(r"AF_INET|PF_INET", line)]
        assert asked == []
