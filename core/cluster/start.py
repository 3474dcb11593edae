"""A cluster started on this machine, or one that was started elsewhere; connections between machines are encrypted."""

import importlib.util
import logging
import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.cluster.dask_workers import DaskWorkers
from core.errors import UsageError
from core.parallel import HERE, Workers, n_cores, n_threads
from core.system.places import ROOT, cache_folder

logger = logging.getLogger(__name__)

ANSWER_S = 10
"""So long a scheduler may take to answer."""

_IMPORTS = "core.cluster.worker_imports"

_STARTED_BY = "distributed.worker.multiprocessing-method"

_HERE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Tls:
    """Files by which machines know each other, PEM: who vouches for all of them, and what this one shows.

    Attributes
    ----------
    ca, certificate, key : Path or None
        What Dask's own configuration says, where one is None.
    """

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@contextmanager
def workers_of(n: int | None, scheduler: str | None, tls: Tls = Tls()) -> Iterator[Workers]:
    """Give workers: this process, processes of this machine, or those of a scheduler.

    Parameters
    ----------
    n : int or None
        So many processes on this machine.
    scheduler : str or None
        Address of a Dask scheduler, ``tls://HOST:PORT``, or ``tcp://localhost:PORT``.
    tls : Tls
        For the former.

    Yields
    ------
    Workers
        Processes that were started are ended with the block.

    Raises
    ------
    UsageError
        If they cannot be had, or only without encryption.
    """
    if n is None and scheduler is None:
        yield HERE
        return
    if n is not None and scheduler is not None:
        raise UsageError("Workers are either started on this machine (--workers) or there already (--scheduler).")
    if n is not None and n < 1:
        raise UsageError(f"--workers must be at least 1; given was {n}.")
    if scheduler is not None:
        _check_address(scheduler)
    if importlib.util.find_spec("distributed") is None:
        raise UsageError("Several processes need Dask, which is not installed here: pip install 'rejoin[cluster]'.")
    import dask
    import distributed  # noqa: F401 - sets how its logs are written

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what is to be said, is said here
    connected = _started(n or 1) if scheduler is None else _connected(scheduler, tls)
    threads = n_threads()
    with dask.config.set(_settings(n)), connected as client:
        yield DaskWorkers(client, threads, near=scheduler is None)


def _settings(n: int | None) -> dict[str, Any]:
    """Bound the threads of n workers, so that together they have no more than there are cores."""
    return {
        # Read when numpy is loaded, before a worker is told anything.
        "distributed.nanny.pre-spawn-environ": {
            **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), _of_products(n or 1)),
            "NUMPY_MADVISE_HUGEPAGE": "0",  # a virtual machine clears a huge page for longer than it is used
        },
        "distributed.scheduler.worker-saturation": 1.0,  # nothing waits behind a task that takes long
        "distributed.admin.large-graph-warning-threshold": "1 TB",  # tasks bring what they work on
        # Each process looks at itself up to a hundred times a second, for pages that nobody sees here.
        "distributed.worker.profile.enabled": False,
        "distributed.worker.memory.monitor-interval": "1s",
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.system-monitor.interval": "5s",
        _STARTED_BY: "forkserver" if _can_fork(n or 1) else "spawn",
    }


def _can_fork(n: int) -> bool:
    """Check whether a process that has imported all libraries, and done nothing yet, surely has no other thread.

    JAX begins some, OpenBLAS as many as it may have, and macOS' own libraries cannot be forked.
    """
    products = os.environ.get("OPENBLAS_NUM_THREADS", _of_products(n))
    backend = os.environ.get("KERAS_BACKEND", "tensorflow")
    return sys.platform == "linux" and products == "1" and backend == "tensorflow"


def _of_products(n: int) -> str:
    """Return how many threads products have with n workers: no more than here, since on that the last bits depend."""
    return str(min(n_threads()[0], int(_share(n))))


def _share(n: int) -> str:
    return str(max(1, n_cores() // n))


@contextmanager
def _started(n: int) -> Iterator[Any]:
    """Start processes that only this one can reach, and that know it by a certificate made for the occasion."""
    import dask
    from distributed import Client, LocalCluster
    from distributed.utils import get_mp_context

    folder, environment = str(cache_folder() / "cluster"), dict(os.environ)
    threads = dict.fromkeys(("PYTHON_CPU_COUNT", "OPENCV_FOR_THREADS_NUM"), _share(n))
    # Without AVX-512 the last bits of an embedding need as many.
    threads["TF_NUM_INTRAOP_THREADS"] = str(n_threads()[1])
    if dask.config.get(_STARTED_BY) == "forkserver":
        get_mp_context()  # which says for once what Dask itself would have imported
        multiprocessing.set_forkserver_preload([_IMPORTS])
        # Who forks finds the program wherever this one was started from.
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT.parent), os.environ.get("PYTHONPATH"))))
    with (
        LocalCluster(
            n_workers=n,
            threads_per_worker=1,
            host="127.0.0.1",
            security=True,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            local_directory=folder,
            preload=[_IMPORTS],
            env={**threads, "TF_FORCE_GPU_ALLOW_GROWTH": "true", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        os.environ.update(environment)
        for name in os.environ.keys() - environment.keys():  # Dask sets for itself what is meant for workers
            del os.environ[name]
        yield client


@contextmanager
def _connected(address: str, tls: Tls) -> Iterator[Any]:
    from distributed import Client

    security = _security(address, tls)
    try:
        client = Client(address, security=security, timeout=ANSWER_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"No Dask scheduler answers at {address} ({error}). Check the address, and start it."
        ) from error
    with client:
        yield client


def _check_address(address: str) -> None:
    """Refuse what is no address, and one that would be reached without encryption."""
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise UsageError(f"{address} is no address of a scheduler. Give it as tls://HOST:PORT.")
    if parts.scheme == "tcp" and parts.hostname not in _HERE:
        raise UsageError(
            f"{address} would be reached without encryption: whoever is on the way could read the shreds, and change "
            "what comes of them. Start the scheduler with TLS, and give tls://HOST:PORT."
        )


def _security(address: str, tls: Tls) -> Any:
    """Return what encrypts the connection; None on this machine, where nothing need be."""
    from distributed import Security

    if urlsplit(address).scheme == "tcp":
        return None
    files = {"tls_ca_file": tls.ca, "tls_client_cert": tls.certificate, "tls_client_key": tls.key}
    given = {name: str(path) for name, path in files.items() if path is not None}
    security = Security(require_encryption=True, **given)
    for name in files:
        file = getattr(security, name)
        if file is None:
            raise UsageError(
                f"{address} needs --tls-ca, --tls-cert and --tls-key, or the same in Dask's own configuration."
            )
        if not Path(file).is_file():
            raise UsageError(f"{file}, for the connection to {address}, is no file. Check its name.")
    return security
