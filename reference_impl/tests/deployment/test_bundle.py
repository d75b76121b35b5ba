"""What `kueue-reference manifests` prints."""

import orjson
import pytest
import yaml

from reference_impl.kueue.config import settings_of
from reference_impl.kueue.deployment.bundle import bundle, text
from reference_impl.kueue.deployment.site import Site, SiteError

NAMESPACED = {
    "ConfigMap",
    "Deployment",
    "PodDisruptionBudget",
    "Role",
    "RoleBinding",
    "Service",
    "ServiceAccount",
}


def of(kind, **site):
    return [obj for obj in bundle(Site(**site)) if obj["kind"] == kind]


def pod(**site):
    return of("Deployment", **site)[0]["spec"]["template"]["spec"]


def test_what_is_printed_is_what_is_meant():
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    assert list(yaml.load_all(text(Site()), Loader=loader)) == list(bundle(Site()))


def test_kinds_come_in_an_order_that_works():
    kinds = list(dict.fromkeys(obj["kind"] for obj in bundle(Site())))

    assert kinds == [
        "CustomResourceDefinition",
        "Namespace",
        "ServiceAccount",
        "ClusterRole",
        "ClusterRoleBinding",
        "Role",
        "RoleBinding",
        "Service",
        "ConfigMap",
        "Deployment",
        "PodDisruptionBudget",
        "APIService",
        "MutatingWebhookConfiguration",
        "ValidatingWebhookConfiguration",
    ]


def test_everything_is_in_the_namespace():
    objects = [obj for obj in bundle(Site(namespace="elsewhere")) if obj["kind"] in NAMESPACED]

    outside = {obj["metadata"]["name"] for obj in objects if obj["metadata"]["namespace"] != "elsewhere"}

    assert outside == {"kueue-visibility-server-auth-reader"}
    assert "kueue-system" not in text(Site(namespace="elsewhere"))


def test_the_configuration_is_understood():
    (stored,) = of("ConfigMap", namespace="elsewhere")

    settings = settings_of(yaml.safe_load(stored["data"]["config.yaml"]))

    assert (settings.namespace, settings.leader_election) == ("elsewhere", True)
    assert (settings.webhook_port, settings.health_address) == (9443, ":8081")


@pytest.mark.parametrize(
    ("probe", "path"),
    [
        pytest.param("startupProbe", "/healthz", id="start"),
        pytest.param("livenessProbe", "/healthz", id="life"),
        pytest.param("readinessProbe", "/readyz", id="readiness"),
    ],
)
def test_probes_ask_a_port_that_is_served(probe, path):
    (container,) = pod()["containers"]

    http_get = container[probe]["httpGet"]

    assert http_get["path"] == path
    assert http_get["port"] in {port["name"] for port in container["ports"]}


def test_services_lead_to_ports_that_are_served():
    (container,) = pod()["containers"]
    targets = {port["targetPort"] for service in of("Service") for port in service["spec"]["ports"]}

    assert targets <= {port["name"] for port in container["ports"]}


def test_choices_reach_the_deployment():
    (deployment,) = of("Deployment", image="i:1", replicas=3, dialect="kep993")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]

    assert (deployment["spec"]["replicas"], container["image"]) == (3, "i:1")
    assert "--dialect=kep993" in container["args"]


def test_webhooks_call_the_service_and_trust_nobody_yet():
    configurations = [*of("MutatingWebhookConfiguration"), *of("ValidatingWebhookConfiguration")]
    clients = [webhook["clientConfig"] for manifest in configurations for webhook in manifest["webhooks"]]

    assert {client["service"]["name"] for client in clients} == {"kueue-webhook-service"}
    assert {name for client in clients for name in client} == {"service"}


def test_no_definition_is_too_large_to_be_applied():
    """`kubectl apply` keeps what it applied in an annotation; annotations of an object have 256 KiB."""
    sizes = {obj["metadata"]["name"]: len(orjson.dumps(obj)) for obj in of("CustomResourceDefinition")}

    assert max(sizes.values()) < 256 << 10


@pytest.mark.parametrize(
    ("site", "complaint"),
    [
        pytest.param({"namespace": "No"}, "namespace 'No': expected lower case letters", id="namespace"),
        pytest.param({"image": "a b"}, "image 'a b': expected the name of an image", id="image"),
        pytest.param({"image": ""}, "image '': expected the name of an image", id="no image"),
    ],
)
def test_a_site_that_cannot_be(site, complaint):
    with pytest.raises(SiteError, match=complaint):
        Site(**site)


def test_the_account_may_read_the_authorities_of_the_cluster():
    """VIS-443."""
    (binding,) = (
        manifest
        for manifest in of("RoleBinding", namespace="elsewhere")
        if manifest["metadata"]["namespace"] == "kube-system"
    )

    assert binding["roleRef"] == {
        "apiGroup": "rbac.authorization.k8s.io",
        "kind": "Role",
        "name": "extension-apiserver-authentication-reader",
    }
    assert binding["subjects"] == [
        {"kind": "ServiceAccount", "name": "kueue-reference", "namespace": "elsewhere"}
    ]


@pytest.mark.parametrize(
    ("dialect", "versions"),
    [("v0.19", ["v1beta2", "v1beta1"]), ("v0.6", ["v1alpha1"])],
    ids=["v0.19", "v0.6"],
)
def test_the_pending_workloads_are_asked_for_through_the_service_of_the_pods_vis_701(dialect, versions):
    services = {manifest["metadata"]["name"]: manifest["spec"] for manifest in of("Service", dialect=dialect)}
    specs = [manifest["spec"] for manifest in of("APIService", dialect=dialect, namespace="elsewhere")]

    assert [manifest["version"] for manifest in specs] == versions
    for manifest in specs:
        named = manifest["service"]
        assert (named["namespace"], named["port"]) == (
            "elsewhere",
            services[named["name"]]["ports"][0]["port"],
        )
