"""ProvisioningRequests as the printed definition has them:
what is stored, what is refused and in which words (PR-001…030).
"""

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError

from .site import manifests

PATH = "/apis/autoscaling.x-k8s.io/{}/namespaces/default/provisioningrequests"
NAME = "provisioningrequests.autoscaling.x-k8s.io"
CLASS = "check-capacity.autoscaling.x-k8s.io"


def definition(*options):
    return next(manifest for manifest in manifests(*options)[1] if manifest["metadata"]["name"] == NAME)


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="namespaces") as cluster:
        cluster.apply([definition()])
        yield cluster


def pod_set(count=1, name="t"):
    return {"count": count, "podTemplateRef": {"name": name}}


def provisioning_request(name="r", **spec):
    spec = {"provisioningClassName": CLASS, "podSets": [pod_set()], **spec}
    return {
        "apiVersion": "autoscaling.x-k8s.io/v1",
        "kind": "ProvisioningRequest",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {key: value for key, value in spec.items() if value is not None},
    }


def refusal_of(ask, *args):
    with pytest.raises(StatusError) as error:
        ask(*args)
    return error.value.code, str(error.value)


@pytest.fixture
def ask(cluster):
    """Ask as an administrator; a change is a merge patch."""

    def ask(method, path, body=None):
        headers = {"content-type": "application/merge-patch+json"} if method == "PATCH" else {}
        return cluster.request(method, path, body, headers=headers)

    return ask


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        (
            {"podSets": []},
            "spec.podSets: Invalid value: 0: spec.podSets in body should have at least 1 items",
        ),
        (
            {"podSets": [pod_set(0)]},
            "spec.podSets[0].count: Invalid value: 0: spec.podSets[0].count in body should be greater than or equal to 1",
        ),
        (
            {"provisioningClassName": "Upper"},
            'spec.provisioningClassName: Invalid value: "Upper": spec.provisioningClassName in body should match \'^[a-z0-9]',
        ),
        ({"provisioningClassName": None}, "spec.provisioningClassName: Required value"),
        ({"podSets": [pod_set()] * 33}, "spec.podSets: Too many: 33: must have at most 32 items"),
        ({"parameters": {"a": "x" * 256}}, "spec.parameters.a: Too long: may not be more than 255 bytes"),
        (
            {"parameters": {str(number): "" for number in range(101)}},
            "spec.parameters: Too many: 101: must have at most 100 items",
        ),
    ],
)
def test_limits(ask, spec, complaint):
    """PR-012…025."""
    code, message = refusal_of(ask, "POST", PATH.format("v1"), provisioning_request(**spec))
    assert code == 422
    assert complaint in message


def test_what_cannot_be_changed(ask):
    """PR-022…024: parameters may come as a whole and go as a whole."""
    ask("POST", PATH.format("v1"), provisioning_request())
    path = PATH.format("v1") + "/r"
    begin = 'ProvisioningRequest.autoscaling.x-k8s.io "r" is invalid: '
    for spec, complaint in (
        ({"podSets": [pod_set(2)]}, "spec.podSets: Invalid value: Value is immutable"),
        (
            {"provisioningClassName": "other"},
            'spec.provisioningClassName: Invalid value: "other": Value is immutable',
        ),
    ):
        assert refusal_of(ask, "PATCH", path, {"spec": spec}) == (422, begin + complaint)
    ask("PATCH", path, {"spec": {"parameters": {"a": "b"}}})
    complaint = "spec.parameters: Invalid value: Value is immutable"
    assert refusal_of(ask, "PATCH", path, {"spec": {"parameters": {"a": "c"}}}) == (422, begin + complaint)
    assert "parameters" not in ask("PATCH", path, {"spec": {"parameters": None}})["spec"]


def test_both_versions_are_one(ask):
    """PR-004…008: the older version reads what the newer one stored;
    a status that is sent along is dropped.
    """
    sent = {**provisioning_request("both", unknown=1), "status": {"conditions": []}}
    stored = ask("POST", PATH.format("v1"), sent)
    assert "status" not in stored
    assert "unknown" not in stored["spec"]
    older = ask("GET", PATH.format("v1beta1") + "/both")
    assert older["apiVersion"] == "autoscaling.x-k8s.io/v1beta1"
    assert older["spec"] == stored["spec"]


@pytest.mark.parametrize(
    ("options", "served"),
    [
        ((), ["v1", "v1beta1"]),
        (("--provisioning-requests", "aep"), ["v1alpha1aep"]),
        (("--provisioning-requests", "none"), []),
    ],
)
def test_which_definition_is_printed(options, served):
    """PR-030: the Cluster Autoscaler's, the proposal's, or none."""
    printed = [manifest for manifest in manifests(*options)[1] if manifest["metadata"]["name"] == NAME]
    assert [version["name"] for manifest in printed for version in manifest["spec"]["versions"]] == served
