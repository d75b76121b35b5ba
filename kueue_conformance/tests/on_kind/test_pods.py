"""A real kubelet runs the pods of Jobs, in an image that sleeps, exits or fails by its arguments."""

import pytest

from kueue_conformance.backends import connect
from kueue_conformance.base.cluster_options import ClusterOptions
from kueue_conformance.scenarios.dialect import select
from kueue_conformance.wire.client import Client

pytestmark = [pytest.mark.kind, pytest.mark.timeout(300)]
IMAGE = "kube.local/act:1"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster, and a kubeconfig for it."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    backend = connect("kind", cluster_options=ClusterOptions())
    yield backend.lend(select("v0.19")[0])
    backend.close()
    patch.undo()


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        pytest.param(["1"], "Complete", id="sleeps and completes"),
        pytest.param(["0", "3"], "Failed", id="fails"),
    ],
)
def test_a_job_ends_as_its_program_ends(cluster, words, condition):
    client = Client(cluster.transport, agent="test")
    container = {"name": "main", "image": IMAGE, "args": words}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    name = f"job-{condition.lower()}"
    client.create(
        {
            "kind": "Job",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"backoffLimit": 0, "template": template},
        }
    )

    def is_over():
        conditions = client.get("Job", name, "default").get("status", {}).get("conditions", [])
        return any(
            condition_row["type"] == condition and condition_row["status"] == "True"
            for condition_row in conditions
        )

    assert cluster.wait(is_over, 60, lambda: False)
    client.clean_up()
