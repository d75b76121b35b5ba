"""A kopf operator, unmodified, as a process beside the fake API server (N-07)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

OPERATOR = """
import kopf

@kopf.on.create("example.com", "v1", "widgets")
def created(spec, patch, **_):
    patch.status["doubled"] = spec["size"] * 2

@kopf.on.update("example.com", "v1", "widgets", field="spec.size")
def resized(new, patch, **_):
    patch.status["doubled"] = new * 2

@kopf.on.delete("example.com", "v1", "widgets")
def deleted(**_):
    pass
"""
WIDGETS = "/apis/example.com/v1/namespaces/default/widgets"


@pytest.fixture
def operator(kubeconfig, tmp_path):
    (tmp_path / "operator.py").write_text(OPERATOR)
    command = [
        sys.executable,
        "-m",
        "kopf",
        "run",
        "--namespace",
        "default",
        "--standalone",
        str(tmp_path / "operator.py"),
    ]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            command, env={**os.environ, "KUBECONFIG": str(kubeconfig)}, stdout=log, stderr=log
        )
        yield
        process.terminate()
        process.wait(30)


def wait(cluster, holds):
    """Wait until an entry of the journal is what is expected."""
    news = threading.Event()
    forget = cluster.journal.subscribe(lambda _: news.set())
    try:
        while not cluster.journal.where(holds, resource="widgets"):
            assert news.wait(30), str(cluster.journal.all)
            news.clear()
    finally:
        forget()


def doubled(value):
    return lambda entry: ((entry.after or {}).get("status") or {}).get("doubled") == value


@pytest.mark.slow
@pytest.mark.usefixtures("operator")
def test_an_operator_follows_its_objects(cluster):
    cluster.request(
        "POST",
        WIDGETS,
        {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 2}},
    )
    wait(cluster, doubled(4))
    cluster.request(
        "PATCH",
        f"{WIDGETS}/w",
        {"spec": {"size": 5}},
        headers={"content-type": "application/merge-patch+json"},
    )
    wait(cluster, doubled(10))
    cluster.request("DELETE", f"{WIDGETS}/w")
    wait(cluster, lambda entry: entry.wrote and entry.before is not None and entry.after is None)
