"""Every replica answers for visibility: one that waits to lead as well (VIS-001)."""

import contextlib
import socket
import subprocess
import sys
import threading
import time

import pytest

from .live import SHARED, Pair
from .tenants import fill

pytestmark = [pytest.mark.xdist_group("visibility-live")]
CONFIGURATION = """
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
manager:
  leaderElection:
    leaderElect: true
"""
SECONDS = 30.0
WORKLOADS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/workloads.kueue.x-k8s.io"


def test_a_replica_that_does_not_lead_answers(tmp_path):
    """A review changes nothing: the replica asks whether a user may before it leads."""
    (tmp_path / "config.yaml").write_text(CONFIGURATION)
    leads = ("--config", tmp_path / "config.yaml")
    with Pair(tmp_path, *leads) as pair, _waiting(pair, leads) as port:
        with pair.admin as client:
            fill(client)
        boss, eve = (pair.certificate(name) for name in ("boss", "eve"))

        codes = [_answer(pair, port, item) for item in (boss, eve)]

    assert codes == [200, 403]


def test_a_second_one_that_is_started_by_hand_installs_nothing_before_it_leads(tmp_path):
    with Pair(tmp_path) as pair, pair.admin as client:
        before = client.get(WORKLOADS)

        with _waiting(pair, ("--install", "--webhook-port", "0")):
            line = _line_of(tmp_path / "waiting.log", "another leads")

        assert "holder=" in line
        assert client.get(WORKLOADS) == before


def _line_of(log, text):
    """Return the first line of a log with a text; waits for it."""
    deadline = time.monotonic() + SECONDS
    while True:
        lines = [line for line in log.read_text("utf-8").splitlines() if text in line]
        if lines or time.monotonic() > deadline:
            return lines[0]
        threading.Event().wait(0.1)


@contextlib.contextmanager
def _waiting(pair, options):
    """Run a second replica, which says `ready` only when it leads, and lend its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "reference_impl",
        "--kubeconfig",
        pair.kubeconfig,
        *options,
        "--visibility-bind-address",
        f"127.0.0.1:{port}",
    ]
    with (pair.folder / "waiting.log").open("wb") as log:
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)
    try:
        yield port
        assert "ready" not in (pair.folder / "waiting.log").read_text("utf-8")
    finally:
        process.terminate()
        process.wait(SECONDS)


def _answer(pair, port, certificate):
    """Return the code of an answer of a server that may still start."""
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            code = pair.ask(SHARED, certificate=certificate, port=port).code
        except OSError:
            code = 0
        if (code not in {0, 404}) or time.monotonic() > deadline:
            return code
        threading.Event().wait(0.1)
