"""The reference's webhooks behind HTTPS, called by the fake API server (AC-003, AC-005, AC-200)."""

import pytest

from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.control_planes import ServedApis
from kueue_conformance.control_planes.reference import ReferenceControlPlane
from kueue_conformance.scenarios.dialect import select
from kueue_conformance.wire.client import ApiError, Client


@pytest.fixture(scope="module")
def client():
    """A client of a cluster in which the webhooks are served."""
    (dialect,) = select("v0.19")
    backend, reference = FakeBackend(), ReferenceControlPlane()
    lease = backend.lend(
        dialect, lambda base: reference.install(base, dialect, ServedApis(webhooks="served"))
    )
    yield Client(lease.transport, agent="test")
    lease.close()
    backend.close()
    reference.close()


def queue(name, **spec):
    return {"kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}


def test_what_the_webhook_refuses_is_refused(client):
    with pytest.raises(ApiError) as refused:
        client.create(queue("bad", fairSharing={"weight": "-1"}))

    assert refused.value.code == 403
    assert str(refused.value) == (
        'admission webhook "vclusterqueue.kb.io" denied the request: '
        'spec.fairSharing: Invalid value: "-1": must be greater than or equal to 0'
    )


def test_what_is_written_in_one_version_is_read_in_the_other(client):
    created = client.speaking("v1beta1").create(queue("team", cohort="all", admissionChecks=["a"]))

    read = client.get("ClusterQueue", "team")

    assert created["metadata"]["finalizers"] == ["kueue.x-k8s.io/resource-in-use"]
    assert read["spec"]["cohortName"] == "all"
    assert read["spec"]["admissionChecksStrategy"] == {"admissionChecks": [{"name": "a"}]}


def test_what_the_manager_knows_the_webhook_knows():
    (dialect,) = select("v0.20")
    backend, reference = FakeBackend(), ReferenceControlPlane()
    serving = ServedApis(webhooks="served")
    lease = backend.lend(dialect, lambda base: reference.install(base, dialect, serving))
    playing = reference.start(lease, dialect, serving)
    client = Client(lease.transport, agent="test")
    client.create({"kind": "WorkloadPriorityClass", "metadata": {"name": "default"}, "value": 7})
    lease.passes(1, lambda: False)
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}
    job = {"kind": "Job", "metadata": {"name": "j", "namespace": "default"}, "spec": {"template": template}}
    created = client.create(job)
    playing.stop()
    lease.close()
    backend.close()
    reference.close()

    assert created["metadata"]["labels"] == {"kueue.x-k8s.io/priority-class": "default"}


def test_a_cluster_that_outlives_them_asks_nobody():
    (dialect,) = select("v0.19")
    backend, reference = FakeBackend(), ReferenceControlPlane()
    lease = backend.lend(dialect)
    reference.install(lease, dialect, ServedApis(webhooks="served"))
    reference.close()
    created = Client(lease.transport, agent="test").create(queue("bad", fairSharing={"weight": "-1"}))
    lease.close()
    backend.close()

    assert created["metadata"]["name"] == "bad"
