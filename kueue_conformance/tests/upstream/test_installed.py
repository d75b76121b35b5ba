"""A Kueue in the cluster: when its Deployment is ready,
what it is told to be, and who may not be replaced.
"""

import json

import pytest

from kueue_conformance import control_planes
from kueue_conformance.backends.fake import WallFakeBackend
from kueue_conformance.base.errors import EnvironmentProblem, UsageError
from kueue_conformance.control_planes.deployed_reference import _spoken
from kueue_conformance.control_planes.reference import bundle
from kueue_conformance.control_planes.upstream import readiness
from kueue_conformance.scenarios.dialect import known_dialects, select
from kueue_conformance.wire.client import Client

DEPLOYMENT = {"metadata": {"namespace": "kueue-system", "name": "kueue-controller-manager"}}
ALL_READY = {"observedGeneration": 2, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 2}
NO_IMAGE = {"conditions": [{"type": "Available", "status": "False", "message": "too few replicas"}]}


def client_of(status):
    """Return the client of a server that has the Deployment in this state."""
    answer = {"metadata": {"generation": 2}, "spec": {"replicas": 2}, "status": status}
    return Client(lambda *_: (200, json.dumps(answer).encode()), agent="test")


@pytest.mark.parametrize(
    ("status", "missing"),
    [
        pytest.param(ALL_READY, "", id="all are ready"),
        pytest.param({}, "its controller has not seen it yet", id="new"),
        pytest.param(
            {**ALL_READY, "observedGeneration": 1}, "its controller has not seen it yet", id="changed"
        ),
        pytest.param({**ALL_READY, "readyReplicas": 1}, "1 of 2 replicas are ready", id="one is not ready"),
        pytest.param({**ALL_READY, "replicas": 3}, "2 of 2 replicas are ready", id="an old one is left"),
        pytest.param(
            {"observedGeneration": 2, **NO_IMAGE},
            "0 of 2 replicas are ready; too few replicas",
            id="told why",
        ),
    ],
)
def test_a_deployment_is_ready_when_all_its_replicas_are_and_no_other(status, missing):
    unready = readiness.unready(client_of(status), [DEPLOYMENT])

    assert unready == (f"Deployment kueue-system/kueue-controller-manager: {missing}" if missing else "")


@pytest.mark.parametrize(
    ("name", "version"),
    [("v0.6", "v0.6.2"), ("v0.19", "v0.19.2"), ("0.19.14", "v0.19.14"), ("kep993", "")],
    ids=["a name", "another", "a patch", "no release"],
)
def test_a_deployed_reference_is_the_release_that_its_manifests_tell_it(name, version):
    (spoken,) = select(name)
    (deployment,) = (manifest for manifest in bundle(spoken) if manifest["kind"] == "Deployment")

    assert _spoken(deployment) == version


@pytest.fixture(scope="module")
def backend():
    backend = WallFakeBackend()
    yield backend
    backend.close()


@pytest.fixture
def cluster(backend):
    """A cluster with a foreign installation of Kueue's kinds."""
    dialect = known_dialects()["v0.19"]
    lease = backend.lend(
        dialect, lambda base: control_planes.choose("reference", "fake").install(base, dialect)
    )
    yield lease
    lease.close()


@pytest.fixture
def release_files(tmp_path):
    kueue, archive = tmp_path / "kueue.yaml", tmp_path / "kueue.tar"
    kueue.write_text("{apiVersion: v1, kind: Namespace, metadata: {name: kueue-system}}")
    archive.write_text("")
    return f"manifests={kueue},images={archive}"


def test_a_kueue_that_is_there_is_not_replaced(cluster, release_files):
    control_plane = control_planes.choose(f"upstream:{release_files}", "kind")

    with pytest.raises(EnvironmentProblem, match="has a Kueue already, and it is not replaced"):
        control_plane.install(cluster, known_dialects()["v0.19"])


@pytest.fixture
def deployment_name(cluster, request):
    """A Deployment that no controller looks at, labelled as the test says."""
    name, client = request.param, Client(cluster.transport, agent="test")
    labels, path = {"app.kubernetes.io/name": name}, "/apis/apps/v1/namespaces/default/deployments"
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "kueue:v0.19.2"}]}}
    metadata = {"name": name, "labels": labels}
    client.call(
        "POST", path, {"metadata": metadata, "spec": {"selector": {"matchLabels": labels}, "template": pod}}
    )
    yield name
    client.call("DELETE", f"{path}/{name}")


@pytest.mark.parametrize(
    ("name", "deployment_name", "message"),
    [
        pytest.param(
            "reference:deployed",
            "kueue",
            "(?s)no Deployment of it is labelled .*kueue-reference.*--control-plane upstream",
            id="a real one",
        ),
        pytest.param(
            "upstream",
            "kueue-reference",
            "(?s)is the reference.*use --control-plane reference:deployed",
            id="the reference",
        ),
    ],
    indirect=["deployment_name"],
)
@pytest.mark.usefixtures("deployment_name")
def test_one_is_not_taken_for_the_other(cluster, name, message):
    with pytest.raises(EnvironmentProblem, match=message):
        control_planes.choose(name, "kubeconfig:x").install(cluster, known_dialects()["v0.19"])


def test_images_are_brought_to_the_nodes_of_kind_only(release_files):
    assert control_planes.choose(f"upstream:{release_files}", "kind").images == (
        release_files.partition("images=")[2],
    )

    with pytest.raises(
        UsageError, match=r"(?s)nodes of a kind cluster only, and --backend is 'kubeconfig:x'"
    ):
        control_planes.choose(f"upstream:{release_files}", "kubeconfig:x")
