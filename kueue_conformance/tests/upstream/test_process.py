"""What a manager outside the cluster is told, and what the cluster is told about it."""

import sys
from pathlib import Path

import pytest
import yaml

from kueue_conformance import control_planes
from kueue_conformance.backends.fake import WallFakeBackend
from kueue_conformance.control_planes.reference import definitions
from kueue_conformance.control_planes.upstream.configuration import Ports, configuration
from kueue_conformance.control_planes.upstream.outside import namespace_of, needed
from kueue_conformance.dialect import known
from kueue_conformance.errors import EnvironmentProblem
from kueue_conformance.wire.client import Client

DIALECT = known()["v0.19"]
PORTS = Ports(webhook=1001, health=1002, metrics=1003)
THEIRS = {
    "kind": "ConfigMap", "metadata": {"name": "kueue-manager-config"},
    "data": {"controller_manager_config.yaml": yaml.safe_dump({
        "apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", "webhook": {"port": 9443},
        "integrations": {"frameworks": ["batch/job", "pod"]}, "leaderElection": {"leaderElect": True},
    })},
}  # fmt: skip


@pytest.mark.parametrize(
    ("manifests", "version", "frameworks"),
    [
        pytest.param([], "v1beta1", ["batch/job"], id="without manifests"),
        pytest.param([THEIRS], "v1beta2", ["batch/job", "pod"], id="with those of a release"),
    ],
)
def test_a_manager_listens_on_this_machine_and_is_else_as_its_manifests_say(manifests, version, frameworks):
    said = yaml.safe_load(configuration(manifests, PORTS, Path("/certificates")))

    assert said["apiVersion"] == f"config.kueue.x-k8s.io/{version}"
    assert said["integrations"] == {"frameworks": frameworks}
    assert said["webhook"] == {"port": 1001, "certDir": "/certificates"}
    assert (said["health"]["healthProbeBindAddress"], said["metrics"]["bindAddress"]) == ("127.0.0.1:1002", "127.0.0.1:1003")  # fmt: skip
    assert said["leaderElection"] == {"leaderElect": False}
    assert said["internalCertManagement"] == {"enable": True}


def test_every_webhook_and_conversion_calls_the_manager_on_its_port():
    objects = list(needed(definitions(DIALECT), "kueue-system", "127.0.0.1", 1001))

    services = [one["clientConfig"]["service"] for each in objects for one in each.get("webhooks", ())]
    services += [
        each["spec"]["conversion"]["webhook"]["clientConfig"]["service"]
        for each in objects
        if each["kind"] == "CustomResourceDefinition" and "webhook" in each["spec"].get("conversion", {})
    ]
    assert {(one["namespace"], one["name"], one["port"]) for one in services} == {
        ("kueue-system", "kueue-webhook-service", 1001)
    }


def test_nothing_of_the_manifests_that_would_run_in_the_cluster_is_taken():
    deployment = {"kind": "Deployment", "metadata": {"name": "kueue", "namespace": "elsewhere"}}
    manifests = [deployment, {"kind": "ClusterRole", "metadata": {"name": "kueue"}}, THEIRS]

    assert namespace_of(manifests) == "elsewhere"
    assert [one["kind"] for one in needed(manifests, "elsewhere", "127.0.0.1", 1001)] == [
        "Namespace",
        "Service",
        "Secret",
    ]


def test_a_program_that_there_is_not_is_told_before_anything_starts():
    with pytest.raises(EnvironmentProblem, match=r"there is no program '\./kueue'"):
        control_planes.choose("upstream:./kueue", "envtest")


@pytest.fixture(scope="module")
def backend():
    backend = WallFakeBackend()
    yield backend
    backend.close()


@pytest.fixture
def cluster(backend):
    lease = backend.lend(known()["v0.6"])
    yield lease
    lease.close()


def test_a_manager_that_dies_is_told_with_its_last_words_and_leaves_nothing(cluster):
    one = control_planes.choose(
        f"""upstream:{sys.executable} -c 'import sys; sys.exit("no such flag")'""", "envtest"
    )
    one.install(cluster, DIALECT)
    client = Client(cluster.transport, agent="test")
    assert client.find("CustomResourceDefinition", "workloads.kueue.x-k8s.io") is not None

    with pytest.raises(
        EnvironmentProblem,
        match=r"(?s)webhooks do not answer: .* ended with exit code 1.*no such flag",
    ):
        one.start(cluster, DIALECT)

    assert client.find("CustomResourceDefinition", "workloads.kueue.x-k8s.io") is None


def test_a_second_kueue_is_refused(cluster):
    control_planes.choose("reference", "envtest").install(cluster, DIALECT)

    with pytest.raises(EnvironmentProblem, match=r"(?s)has a Kueue already.*use --control-plane upstream"):
        control_planes.choose(f"upstream:{sys.executable}", "envtest").install(cluster, DIALECT)
