"""What a manager outside the cluster is told, and what the cluster is told about it."""

import sys
from pathlib import Path

import pytest
import yaml

from kueue_conformance import control_planes
from kueue_conformance.backends.fake import WallFakeBackend
from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.control_planes import (
    ADMISSION_FAIR_SHARING,
    ADMITTED_WORKLOADS,
    BLOCKED_ADMISSION,
    DIRECT,
    FAIR_SHARING,
    LIMITED_REQUEUING,
    MANAGED_NAMESPACES,
    OBJECT_RETENTION,
    SHORT_RECOVERY,
    UNMANAGED,
    VISIBILITY,
)
from kueue_conformance.control_planes.reference import bundle, definitions
from kueue_conformance.control_planes.upstream import visibility
from kueue_conformance.control_planes.upstream.configuration import Ports, configuration, features_of
from kueue_conformance.control_planes.upstream.out_of_cluster import namespace_of, objects_for_manager
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client

DIALECT = known_dialects()["v0.19"]
PORTS = Ports(webhook=1001, health=1002, metrics=1003, visibility=1004)
THEIRS = {
    "kind": "ConfigMap",
    "metadata": {"name": "kueue-manager-config"},
    "data": {
        "controller_manager_config.yaml": yaml.safe_dump(
            {
                "apiVersion": "config.kueue.x-k8s.io/v1beta2",
                "kind": "Configuration",
                "webhook": {"port": 9443},
                "integrations": {"frameworks": ["batch/job", "pod"]},
                "leaderElection": {"leaderElect": True},
            }
        )
    },
}


@pytest.mark.parametrize(
    ("manifests", "version", "frameworks"),
    [
        pytest.param([], "v1beta1", ["batch/job"], id="without manifests"),
        pytest.param([THEIRS], "v1beta2", ["batch/job", "pod"], id="with those of a release"),
    ],
)
def test_a_manager_listens_on_this_machine_and_is_else_as_its_manifests_say(manifests, version, frameworks):
    manager_configuration = configuration(manifests, PORTS, Path("/certificates"), "127.0.0.1")

    assert manager_configuration["apiVersion"] == f"config.kueue.x-k8s.io/{version}"
    assert manager_configuration["integrations"] == {"frameworks": frameworks}
    assert manager_configuration["webhook"] == {"host": "127.0.0.1", "port": 1001, "certDir": "/certificates"}
    assert (
        manager_configuration["health"]["healthProbeBindAddress"],
        manager_configuration["metrics"]["bindAddress"],
    ) == (
        "127.0.0.1:1002",
        "127.0.0.1:1003",
    )
    assert manager_configuration["leaderElection"] == {"leaderElect": False}
    assert manager_configuration["internalCertManagement"] == {"enable": True}
    assert (
        "visibilityServer" in manager_configuration,
        manager_configuration["featureGates"]["VisibilityOnDemand"],
    ) == (False, False)


@pytest.mark.parametrize(("manifests", "others"), [([], []), ([THEIRS], ["pod"])])
def test_a_manager_leaves_jobs_to_an_integration_that_is_judged(manifests, others):
    manager_configuration = configuration(manifests, PORTS, Path("/certificates"), "127.0.0.1", jobs=False)

    assert manager_configuration["integrations"] == {"frameworks": others}


def test_a_manager_that_serves_pending_workloads_does_so_on_loopback():
    manager_configuration = configuration(
        [THEIRS],
        PORTS,
        Path("/certificates"),
        "127.0.0.1",
        visibility=True,
        gates={"PartialAdmission": False},
    )

    assert manager_configuration["visibilityServer"] == {"bindAddress": "127.0.0.1", "bindPort": 1004}
    assert manager_configuration["featureGates"] == {
        "PartialAdmission": False,
        "VisibilityOnDemand": True,
    }


def test_every_webhook_and_conversion_calls_the_manager_on_its_port():
    objects = list(objects_for_manager(definitions(DIALECT), "kueue-system", "127.0.0.1", 1001))

    services = [
        webhook["clientConfig"]["service"] for manifest in objects for webhook in manifest.get("webhooks", ())
    ]
    services += [
        manifest["spec"]["conversion"]["webhook"]["clientConfig"]["service"]
        for manifest in objects
        if manifest["kind"] == "CustomResourceDefinition"
        and "webhook" in manifest["spec"].get("conversion", {})
    ]
    assert {(service["namespace"], service["name"], service["port"]) for service in services} == {
        ("kueue-system", "kueue-webhook-service", 1001)
    }


def test_nothing_of_the_manifests_that_would_run_in_the_cluster_is_taken():
    deployment = {"kind": "Deployment", "metadata": {"name": "kueue", "namespace": "elsewhere"}}
    manifests = [deployment, {"kind": "ClusterRole", "metadata": {"name": "kueue"}}, THEIRS]

    assert namespace_of(manifests) == "elsewhere"
    assert [
        manifest["kind"] for manifest in objects_for_manager(manifests, "elsewhere", "127.0.0.1", 1001)
    ] == [
        "Namespace",
        "Service",
        "Secret",
    ]


def test_pending_workloads_are_asked_for_at_the_manager_with_the_roles_of_the_manifests():
    visibility_objects = list(visibility.objects_for_visibility(bundle(DIALECT), "127.0.0.1", 1004))

    services = [
        manifest["spec"]["service"] for manifest in visibility_objects if manifest["kind"] == "APIService"
    ]
    assert [(service_reference["name"], service_reference["port"]) for service_reference in services] == [
        ("kueue-visibility-server", 1004)
    ] * 2
    (service,) = (manifest for manifest in visibility_objects if manifest["kind"] == "Service")
    assert service["metadata"] == {"name": "kueue-visibility-server", "namespace": "kueue-system"}
    assert service["spec"] == {"type": "ExternalName", "externalName": "127.0.0.1"}
    roles = {
        manifest["metadata"]["name"] for manifest in visibility_objects if manifest["kind"] == "ClusterRole"
    }
    assert {"kueue-batch-user-role", "kueue-pending-workloads-lq-viewer-role"} <= roles
    assert not {"Deployment", "ServiceAccount", "ClusterRoleBinding"} & {
        manifest["kind"] for manifest in visibility_objects
    }


@pytest.mark.parametrize(
    ("brought", "writable", "served"),
    [
        pytest.param(True, True, True, id="both"),
        pytest.param(True, False, False, id="no folder for its certificate"),
        pytest.param(False, True, False, id="no APIService in the manifests"),
    ],
)
def test_pending_workloads_are_judged_where_a_manager_can_serve_them(
    brought, writable, served, tmp_path, monkeypatch
):
    monkeypatch.setattr(visibility, "FOLDER", tmp_path if writable else tmp_path / "none")
    release = tmp_path / "kueue.yaml"
    release.write_text(yaml.safe_dump_all(bundle(DIALECT) if brought else definitions(DIALECT)))

    control_plane = control_planes.choose(f"upstream:manifests={release},command={sys.executable}", "envtest")

    assert ({VISIBILITY, DIRECT} <= control_plane.features) == served


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
    lease = backend.lend(known_dialects()["v0.6"])
    yield lease
    lease.close()


def test_a_manager_that_dies_is_told_with_its_last_words_and_leaves_nothing(cluster):
    control_plane = control_planes.choose(
        f"""upstream:{sys.executable} -c 'import sys; sys.exit("no such flag")'""", "envtest"
    )
    control_plane.install(cluster, DIALECT)
    client = Client(cluster.transport, agent="test")
    assert client.find("CustomResourceDefinition", "workloads.kueue.x-k8s.io") is not None

    with pytest.raises(
        EnvironmentProblem,
        match=r"(?s)webhooks do not answer: .* ended with exit code 1.*no such flag",
    ):
        control_plane.start(cluster, DIALECT)

    assert client.find("CustomResourceDefinition", "workloads.kueue.x-k8s.io") is None


def test_a_second_kueue_is_refused(cluster):
    control_planes.choose("reference", "envtest").install(cluster, DIALECT)

    with pytest.raises(EnvironmentProblem, match=r"(?s)has a Kueue already.*use --control-plane upstream"):
        control_planes.choose(f"upstream:{sys.executable}", "envtest").install(cluster, DIALECT)


def configuration_objects(**sections):
    head = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    data = {"controller_manager_config.yaml": yaml.safe_dump({**head, **sections})}
    return [{"kind": "ConfigMap", "metadata": {"name": "kueue-manager-config"}, "data": data}]


BOTH = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]


@pytest.mark.parametrize(
    ("manifests", "features"),
    [
        pytest.param([], set(), id="without manifests"),
        pytest.param([THEIRS], set(), id="without sections"),
        pytest.param(
            configuration_objects(fairSharing={"preemptionStrategies": BOTH}),
            {FAIR_SHARING},
            id="both strategies",
        ),
        pytest.param(configuration_objects(fairSharing={"enable": True}), {FAIR_SHARING}, id="the default"),
        pytest.param(configuration_objects(fairSharing={"enable": False}), set(), id="switched off"),
        pytest.param(
            configuration_objects(fairSharing={"preemptionStrategies": BOTH[1:]}), set(), id="one strategy"
        ),
        pytest.param(
            configuration_objects(admissionFairSharing={"usageHalfLifeTime": "1h"}),
            {ADMISSION_FAIR_SHARING},
            id="usage",
        ),
        pytest.param(
            configuration_objects(waitForPodsReady={"blockAdmission": True}),
            {BLOCKED_ADMISSION},
            id="blocked admission",
        ),
        pytest.param(
            configuration_objects(waitForPodsReady={"requeuingStrategy": {"backoffLimitCount": 1}}),
            {LIMITED_REQUEUING},
            id="one more attempt",
        ),
        pytest.param(
            configuration_objects(waitForPodsReady={"recoveryTimeout": "1m"}),
            {SHORT_RECOVERY},
            id="short recovery",
        ),
        pytest.param(
            configuration_objects(objectRetentionPolicies={"workloads": {"afterFinished": "1h"}}),
            {OBJECT_RETENTION},
            id="retention",
        ),
        pytest.param(
            configuration_objects(
                managedJobsNamespaceSelector={
                    "matchExpressions": [{"key": UNMANAGED, "operator": "DoesNotExist"}]
                }
            ),
            {MANAGED_NAMESPACES},
            id="managed namespaces",
        ),
        pytest.param(
            configuration_objects(managedJobsNamespaceSelector={"matchLabels": {"batch": "yes"}}),
            set(),
            id="other namespaces",
        ),
        pytest.param(
            configuration_objects(featureGates={"VisibilityAdmittedWorkloads": True}),
            {ADMITTED_WORKLOADS},
            id="a gate of no release",
        ),
        pytest.param(
            configuration_objects(waitForPodsReady={"requeuingStrategy": {"backoffLimitCount": 2}}),
            set(),
            id="two more attempts",
        ),
        pytest.param(
            configuration_objects(waitForPodsReady={"enable": False, "blockAdmission": True}),
            set(),
            id="no pods waited for",
        ),
    ],
)
def test_what_a_manager_is_configured_with_is_read_off_its_manifests(manifests, features):
    assert features_of(manifests) == features
