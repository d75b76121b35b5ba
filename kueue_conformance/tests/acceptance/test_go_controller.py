"""A controller-runtime manager, unmodified, through 410, cut watches and a restart of the server."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fakecluster import FakeCluster
from fakecluster.faults import Drop, EndWatch

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]
GROUP, CONTROLLER = "kueue.x-k8s.io/v1beta2", "example.com/budget"
LIMIT = 60.0


class Ready(BaseHTTPRequestHandler):
    """The outside system, which agrees to everything."""

    def do_GET(self):
        body = json.dumps({"state": "Ready", "message": "fine"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing about requests."""


@pytest.fixture
def verdicts():
    with ThreadingHTTPServer(("127.0.0.1", 0), Ready) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def queue_objects():
    cpu = {"name": "cpu", "nominalQuota": "1000"}
    groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "default", "resources": [cpu]}]}]
    checks = {"admissionChecks": [{"name": "budget"}]}
    yield {"kind": "ResourceFlavor", "metadata": {"name": "default"}, "spec": {}}
    yield {"kind": "AdmissionCheck", "metadata": {"name": "budget"}, "spec": {"controllerName": CONTROLLER}}
    spec = {"namespaceSelector": {}, "resourceGroups": groups, "admissionChecksStrategy": checks}
    yield {"kind": "ClusterQueue", "metadata": {"name": "cq"}, "spec": spec}
    yield {
        "kind": "LocalQueue",
        "metadata": {"name": "lq", "namespace": "default"},
        "spec": {"clusterQueue": "cq"},
    }


def workload(name):
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    pods = {
        "name": "main",
        "count": 1,
        "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
    }
    return {
        "apiVersion": GROUP,
        "kind": "Workload",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"queueName": "lq", "podSets": [pods]},
    }


@pytest.fixture
def cluster(tmp_path, port, verdicts, go_controller):
    """A cluster with the reference and the Go controller as processes of their own."""
    fake_cluster = FakeCluster(clock="wall", controllers="none", port=port).start()
    config = tmp_path / "kubeconfig"
    fake_cluster.kubeconfig(config)
    reference = [sys.executable, "-m", "reference_impl", "--install", "--kubeconfig", str(config)]
    quiet = ["--metrics-bind-address", "0", "--health-bind-address", "0"]
    controller = [
        go_controller,
        "--kubeconfig",
        config,
        "--controller-name",
        CONTROLLER,
        "--verdict-url",
        verdicts,
    ]
    with (tmp_path / "log").open("w") as log:
        programs = [subprocess.Popen([*reference, *quiet], stdout=log, stderr=log)]
        try:
            await_request(fake_cluster, verb="watch", resource="workloads")
            fake_cluster.apply({"apiVersion": GROUP, **manifest} for manifest in queue_objects())
            programs.append(subprocess.Popen(controller, stdout=log, stderr=log))
            await_request(fake_cluster, resource="admissionchecks/status", actor=CONTROLLER)
            yield fake_cluster
        finally:
            for program in programs:
                program.terminate()
                program.wait(30)
            fake_cluster.stop()


def await_request(cluster, **question):
    """Wait until the journal answers a question."""
    news = threading.Event()
    forget = cluster.journal.subscribe(lambda _: news.set())
    try:
        while not cluster.journal.where(**question):
            assert news.wait(LIMIT), f"nothing like {question} within {LIMIT:g} s:\n{cluster.journal.all}"
            news.clear()
    finally:
        forget()


def admit(cluster, name):
    """Make a Workload and wait until both sides have done their part."""
    cluster.apply([workload(name)])
    await_request(
        cluster, matches=lambda change: _is_admitted(change.after), resource="workloads/status", name=name
    )


def _is_admitted(workload_object):
    conditions = ((workload_object or {}).get("status") or {}).get("conditions", ())
    return any(condition["type"] == "Admitted" and condition["status"] == "True" for condition in conditions)


def test_it_outlives_what_happens_to_its_watches_and_its_server(cluster):
    admit(cluster, "in-peace")
    cluster.faults.add(EndWatch(410), verb="watch", actor="check-controller", times=2)
    admit(cluster, "after-410")
    cluster.faults.clear()
    cluster.faults.add(EndWatch(), verb="watch", actor="check-controller", times=3)
    cluster.faults.add(
        Drop(after_commit=True), actor="check-controller", resource="workloads/status", times=1
    )
    admit(cluster, "after-cuts")
    cluster.faults.clear()
    cluster.stop()
    cluster.start()
    admit(cluster, "after-a-restart")
