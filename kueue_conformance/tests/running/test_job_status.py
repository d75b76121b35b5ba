"""The status that the harness writes of Jobs beside a Job controller that writes it too."""

import pytest

from kueue_conformance.base.budget import Budgets
from kueue_conformance.case.context import CaseContext
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.stage.workloads.endings import fail_job, finish_job
from kueue_conformance.wire.client import Client

CONTAINER = {"name": "main", "image": "registry.example/main"}
TEMPLATE = {"spec": {"restartPolicy": "Never", "containers": [CONTAINER]}}
JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "job", "namespace": "default"},
    "spec": {"template": TEMPLATE},
}
STARTED = "2020-01-01T00:00:00Z"


@pytest.fixture
def client(cluster):
    client = Client(cluster.transport, agent="test")
    client.call("POST", "/apis/batch/v1/namespaces/default/jobs", JOB)
    return client


@pytest.fixture
def context(cluster, client):
    return CaseContext(
        cluster, known_dialects()["v0.19"], Budgets(virtual=True), client, "TST-001", lambda: None
    )


@pytest.mark.parametrize(
    ("end", "condition"),
    [
        (finish_job, "Complete"),
        (lambda context, namespace, name: fail_job(context, namespace, name, "why"), "Failed"),
    ],
    ids=["finish", "fail"],
)
def test_a_start_that_another_controller_writes_meanwhile_stays(monkeypatch, context, client, end, condition):
    read = Client.get

    def read_before_the_other_writes(self, kind, name, namespace=""):
        job = read(self, kind, name, namespace)
        monkeypatch.undo()
        client.merge("Job", "job", {"status": {"startTime": STARTED}}, namespace="default", sub="status")
        return job

    monkeypatch.setattr(Client, "get", read_before_the_other_writes)
    end(context, "default", "job")
    status = client.get("Job", "job", "default")["status"]

    assert status["startTime"] == STARTED
    assert condition in {item["type"] for item in status["conditions"]}
