"""An API server as programs on the first core: started, its memory, ended."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import yaml

from kueue_conformance.backends.assets import Assets
from kueue_conformance.backends.programs import Programs

SERVER_CORES, CLIENT_CORES = {0}, {1}


@dataclass(frozen=True, slots=True)
class Server:
    """A running server, and how many seconds it took to be ready."""

    url: str
    token: str
    ca: str
    started: float
    pids: tuple[int, ...]

    def memory(self) -> float:
        """Return the resident memory of its programs in MB."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.pids)
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    """Run the programs of an assets folder until the block ends."""
    with TemporaryDirectory() as folder_of_programs:
        programs = Programs(
            Assets(etcd=folder / "etcd", api_server=folder / "kube-apiserver"), Path(folder_of_programs)
        )
        before = _children()
        # Programs inherit the cores of their parent process.
        os.sched_setaffinity(0, SERVER_CORES)
        began = perf_counter()
        try:
            programs.start()
        finally:
            os.sched_setaffinity(0, CLIENT_CORES)
        seconds = perf_counter() - began
        try:
            yield _server(Path(folder_of_programs), seconds, tuple(_children() - before))
        finally:
            programs.stop()


def _server(folder: Path, seconds: float, pids: tuple[int, ...]) -> Server:
    kubeconfig = yaml.safe_load((folder / "kubeconfig").read_text())
    cluster, user = kubeconfig["clusters"][0]["cluster"], kubeconfig["users"][0]["user"]
    return Server(cluster["server"], user["token"], cluster["certificate-authority"], seconds, pids)


def _children() -> set[int]:
    listed = subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True, check=False)
    return {int(pid) for pid in listed.stdout.split() if Path(f"/proc/{pid}").exists()}
