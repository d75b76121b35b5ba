"""One Kueue takes the place of another in a cluster: its definitions and webhooks are there as its manifests
have them, and what users have made stays.
"""

import sys
from contextlib import closing

import pytest
import yaml

from kueue_conformance import control_planes
from kueue_conformance.backends.envtest import EnvtestBackend
from kueue_conformance.backends.fake import WallFakeBackend
from kueue_conformance.control_planes import ServedApis
from kueue_conformance.control_planes.reference import definitions
from kueue_conformance.scenarios.dialect import select
from kueue_conformance.tests.checkout import ROOT
from kueue_conformance.wire.client import ApiError, Client

NAMES = {"old": "0.19.2", "new": "0.20.7"}
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
OF_WORKLOADS, OF_WEBHOOKS = "workloads.kueue.x-k8s.io", "kueue-validating-webhook-configuration"
CLASS = {"kind": "WorkloadPriorityClass", "metadata": {"name": "kept"}, "value": 7}
"""An object that no webhook looks at."""
SERVERS = [
    pytest.param(WallFakeBackend, id="fake"),
    pytest.param(
        EnvtestBackend,
        id="real",
        marks=[
            pytest.mark.slow,
            pytest.mark.skipif(
                not (ROOT / ".oracle/bin").exists(),
                reason="unsupported: .oracle/bin is not built (make oracle)",
            ),
        ],
    ),
]


@pytest.fixture(params=SERVERS)
def cluster(request):
    """A cluster without a Kueue."""
    with closing(request.param()) as backend:
        lease = backend.lend(select("v0.20")[0])
        lease.mark = "abcde"
        yield lease
        lease.close()


@pytest.fixture
def client(cluster):
    return Client(cluster.transport, agent="test")


def dialect(release):
    return select(NAMES[release])[0]


@pytest.fixture
def real(tmp_path):
    """Returns a Kueue of a release whose program is never started."""

    def choose(release):
        file = tmp_path / f"{release}.yaml"
        file.write_text(yaml.safe_dump_all(definitions(dialect(release))), "utf-8")
        return control_planes.choose(f"upstream:manifests={file},command={sys.executable}", "envtest")

    return choose


@pytest.fixture
def reference():
    with closing(control_planes.choose("reference", "envtest")) as control_plane:
        yield control_plane


def addresses(client):
    """Return how the API server calls webhooks and the converter of Workloads."""
    conversion = client.call("GET", f"{DEFINITIONS}/{OF_WORKLOADS}")["spec"].get("conversion") or {}
    hooks = client.call("GET", f"{WEBHOOKS}/{OF_WEBHOOKS}")["webhooks"]
    callers = [hook["clientConfig"] for hook in hooks]
    callers += [conversion["webhook"]["clientConfig"]] if "webhook" in conversion else []
    return {tuple(sorted(set(caller) - {"caBundle"})) for caller in callers}


def served_versions(client):
    return [
        version["name"]
        for version in client.call("GET", f"{DEFINITIONS}/{OF_WORKLOADS}")["spec"]["versions"]
        if version["served"]
    ]


SERVED = ServedApis(webhooks="served")


@pytest.mark.parametrize(
    ("former", "release", "versions"),
    [
        pytest.param("old", "new", ["v1beta2"], id="upgrade"),
        pytest.param("new", "old", ["v1beta1", "v1beta2"], id="downgrade"),
    ],
)
def test_a_release_replaces_another(former, release, versions, cluster, client, real):
    real(former).install(cluster, dialect(former))
    client.create(CLASS)

    real(release).replace(cluster, dialect(release))

    assert sorted(served_versions(client)) == versions
    assert addresses(client) == {("service",)}
    assert client.get("WorkloadPriorityClass", "kept")["value"] == 7


def test_a_real_kueue_replaces_the_reference(cluster, client, real, reference):
    reference.install(cluster, dialect("old"), SERVED)
    client.create(CLASS)

    real("new").replace(cluster, dialect("new"))

    assert addresses(client) == {("service",)}
    assert client.get("WorkloadPriorityClass", "kept")["value"] == 7


def test_the_reference_replaces_a_real_kueue(cluster, client, real, reference):
    real("old").install(cluster, dialect("old"))
    client.create(CLASS)

    reference.replace(cluster, dialect("old"), SERVED)

    assert addresses(client) == {("url",)}
    assert client.get("WorkloadPriorityClass", "kept")["value"] == 7


def test_what_replaced_another_is_removed_at_the_end(cluster, client, real):
    former, control_plane = real("old"), real("new")
    former.install(cluster, dialect("old"))
    control_plane.replace(cluster, dialect("new"))

    control_plane.uninstall()

    with pytest.raises(ApiError, match="not found"):
        client.call("GET", f"{WEBHOOKS}/{OF_WEBHOOKS}")
