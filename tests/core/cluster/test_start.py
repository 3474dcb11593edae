import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import main
from core.cluster import start
from core.cluster.start import Tls, workers_of
from core.errors import UsageError
from core.parallel import HERE
from core.system.places import sample_paths

ROOT = Path(__file__).resolve().parents[3]

REFUSED = [
    (0, None, "at least 1"),
    (2, "tls://10.0.0.1:8786", "either started on this machine"),
    (None, "tcp://10.0.0.1:8786", "without encryption"),
    (None, "10.0.0.1:8786", "no address"),
    (None, "http://localhost:8786", "no address"),
    (None, "tls://10.0.0.1:8786", "--tls-ca"),
]


@pytest.mark.parametrize(("n", "scheduler", "sentence"), REFUSED)
def test_what_makes_no_sense_or_would_be_read_on_the_way_is_refused(n, scheduler, sentence):
    with pytest.raises(UsageError, match=sentence), workers_of(n, scheduler):
        pass


def test_files_of_a_connection_must_be_there(tmp_path):
    tls = Tls(tmp_path / "ca.pem", tmp_path / "cert.pem", tmp_path / "key.pem")
    with pytest.raises(UsageError, match=r"ca\.pem.* is no file"), workers_of(None, "tls://10.0.0.1:8786", tls):
        pass


def test_a_scheduler_that_does_not_answer_is_said(monkeypatch):
    monkeypatch.setattr("core.cluster.start.ANSWER_S", 0.3)
    with pytest.raises(UsageError, match="No Dask scheduler answers"), workers_of(None, "tcp://127.0.0.1:9"):
        pass


def test_without_dask_it_is_said_what_is_missing(monkeypatch, tmp_path, capsys):
    with workers_of(None, None) as workers:
        assert workers is HERE
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "distributed" else find(name))
    sheet, pages = str(sample_paths()[0]), str(tmp_path / "pages.pdf")
    assert main.main(["reconstruct", sheet, "-o", pages, "--workers", "2"]) == 2
    assert "pip install 'rejoin[cluster]'" in capsys.readouterr().err


def test_workers_are_forked_only_where_who_forks_has_no_other_thread(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    assert start._settings(4)[start._STARTED_BY] == "forkserver"
    for where in ("darwin", "win32"):
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(sys, "platform", where)
            assert start._settings(4)[start._STARTED_BY] == "spawn"
    for name, value in (("OPENBLAS_NUM_THREADS", "2"), ("KERAS_BACKEND", "jax")):
        with monkeypatch.context() as otherwise:
            otherwise.setenv(name, value)
            assert start._settings(4)[start._STARTED_BY] == "spawn"


@pytest.mark.slow
def test_control_c_ends_the_command_and_all_it_started(tmp_path):
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}
    command = [sys.executable, "main.py", "reconstruct", *map(str, sample_paths()), "-o", str(tmp_path / "pages.pdf")]
    # What a shell starts in its background ignores the signal, and so would what the test starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    job = subprocess.Popen(
        [*command, "--workers", "1"],
        cwd=ROOT,
        env={**os.environ, **homes},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    assert job.stdout.readline() == "Found 2 sheets.\n"
    deadline = time.monotonic() + 60
    started = []
    while not any(process.net_connections() for process in started) and time.monotonic() < deadline:
        time.sleep(0.05)
        started = psutil.Process(job.pid).children(recursive=True)
    assert started
    os.killpg(job.pid, signal.SIGINT)  # as a terminal does: the workers get it, too
    _, err = job.communicate(timeout=120)
    assert (job.returncode, err) == (130, "Cancelled. No file was left half-written.\n")
    assert not psutil.wait_procs(started, timeout=30)[1]
    assert not (tmp_path / "pages.pdf").exists()
