"""What a write of /status takes, what it leaves as it was,
and what it refuses (FK-107, FK-222, FK-486, FK-498).
"""

import pytest

from fakecluster.kinds import BUILTIN_KINDS
from fakecluster.kinds.apps import template_generation
from fakecluster.kinds.core import nodes
from fakecluster.kinds.core.nodes import AVOIDED_PODS_ANNOTATION, TAINTS_ANNOTATION
from fakecluster.kinds.core.persistent_volumes import with_time_of_phase
from fakecluster.kinds.core.pod.defaults import addresses
from fakecluster.kinds.core.pod.strategy import prepare_status
from fakecluster.kinds.core.pod.validation import pod_status
from fakecluster.kinds.core.service.validation import status as service_status
from fakecluster.registry.verbs.writes.field_owners import reset_fields

BY_NAME = {kind.kind: kind for kind in BUILTIN_KINDS if kind.version == "v1"}
OLD, NEW, NOW = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        pytest.param({"podIP": "a"}, {"podIP": "a", "podIPs": [{"ip": "a"}]}, id="one address"),
        pytest.param(
            {"podIPs": [{"ip": "a"}]}, {"podIP": "a", "podIPs": [{"ip": "a"}]}, id="list of addresses"
        ),
        pytest.param(
            {"podIP": "b", "podIPs": [{"ip": "a"}, {"ip": "c"}]},
            {"podIP": "b", "podIPs": [{"ip": "b"}]},
            id="the single one where they differ",
        ),
        pytest.param({}, {}, id="none"),
    ],
)
def test_the_address_of_a_pod_is_the_first_of_its_addresses(status, expected):
    assert addresses(status) == expected


def volume(phase, time=None):
    return {"status": {"phase": phase, **({"lastPhaseTransitionTime": time} if time else {})}}


@pytest.mark.parametrize(
    ("new", "time"),
    [
        pytest.param(volume("Bound"), OLD, id="same phase"),
        pytest.param(volume("Bound", NEW), NEW, id="same phase with a time"),
        pytest.param(volume("Released"), NOW, id="another phase"),
        pytest.param(volume("Released", OLD), NOW, id="another phase with the old time"),
        pytest.param(volume("Released", NEW), NEW, id="another phase with a time"),
    ],
)
def test_a_volume_says_since_when_it_is_in_its_phase(new, time):
    changed = with_time_of_phase(new, volume("Bound", OLD), NOW)
    assert changed["status"]["lastPhaseTransitionTime"] == time


def balance(*ingress, kind="LoadBalancer"):
    return {
        "metadata": {"name": "x"},
        "spec": {"type": kind},
        "status": {"loadBalancer": {"ingress": list(ingress)}},
    }


def test_only_addresses_of_a_load_balancer_get_a_mode():
    default = BY_NAME["Service"].schema.default
    shown = {kind: default(balance({"ip": "1.2.3.4"}, kind=kind)) for kind in ("LoadBalancer", "ClusterIP")}

    assert [service["status"]["loadBalancer"]["ingress"] for service in shown.values()] == [
        [{"ip": "1.2.3.4", "ipMode": "VIP"}],
        [{"ip": "1.2.3.4"}],
    ]


def test_an_address_needs_a_mode_and_may_stay_as_it_was():
    refused = service_status(balance({"ip": "01.2.3.4"}), balance({"ip": "01.2.3.4", "ipMode": "VIP"}))
    assert [error.field for error in refused] == ["status.loadBalancer.ingress[0].ipMode"]


def test_the_count_of_templates_is_not_written_by_way_of_the_status():
    old, new = ({"metadata": {"annotations": {template_generation.ANNOTATION: n}}} for n in ("3", "0"))
    assert template_generation.prepare_status(new, old) == old


@pytest.mark.parametrize(
    ("kind", "subresource", "resets"),
    [
        pytest.param("ServiceCIDR", "status", (("metadata",), ("spec",)), id="ranges"),
        pytest.param("VolumeAttachment", "status", (("metadata",), ("spec",)), id="attachments"),
        pytest.param("ValidatingAdmissionPolicy", "status", (("metadata",), ("spec",)), id="policies"),
        pytest.param("CertificateSigningRequest", "", (("spec",), ("status",)), id="requests"),
        pytest.param(
            "CertificateSigningRequest", "status", (("spec",), ("status", "conditions")), id="verdicts"
        ),
        pytest.param("Deployment", "", (("status",),), id="main resource"),
    ],
)
def test_what_an_endpoint_does_not_own(kind, subresource, resets):
    assert reset_fields(BY_NAME[kind], subresource) == resets


CONTAINER = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}, "claims": [{"name": "r"}]}}


def pod(status, **spec):
    pod_spec = {"restartPolicy": "Never", "containers": [CONTAINER], **spec}
    return {"metadata": {"name": "x"}, "spec": pod_spec, "status": status}


@pytest.mark.parametrize(
    ("status", "fields"),
    [
        pytest.param({"podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]}, [], id="both families"),
        pytest.param({"podIPs": [{"ip": "10.0.0.1"}, {"ip": "10.0.0.2"}]}, ["podIPs"], id="one family twice"),
        pytest.param({"podIPs": [{"ip": "x"}]}, ["podIPs[0]"], id="no address"),
        pytest.param({"hostIP": "10.0.0.1", "hostIPs": [{"ip": "10.0.0.2"}]}, ["hostIPs[0].ip"], id="host"),
        pytest.param({"observedGeneration": -1}, ["observedGeneration"], id="observed generation"),
        pytest.param(
            {"resourceClaimStatuses": [{"name": "z"}]}, ["resourceClaimStatuses[0].name"], id="claim"
        ),
        pytest.param(
            {"extendedResourceClaimStatus": {"resourceClaimName": "x"}},
            ["extendedResourceClaimStatus.requestMappings"],
            id="extended claim",
        ),
        pytest.param(
            {"containerStatuses": [{"name": "c", "user": {"linux": {"uid": -1, "gid": 0}}}]},
            ["containerStatuses[0].user.linux.uid"],
            id="user",
        ),
        pytest.param(
            {"containerStatuses": [{"name": "c", "allocatedResourcesStatus": [{"name": "claim:r"}]}]},
            [],
            id="claim of a container",
        ),
        pytest.param(
            {"containerStatuses": [{"name": "c", "allocatedResourcesStatus": [{"name": "memory"}]}]},
            ["containerStatuses[0].allocatedResourcesStatus[0].name"],
            id="resource that was not requested",
        ),
    ],
)
def test_what_the_status_of_a_pod_says_is_judged(status, fields):
    refused = pod_status.status_errors(pod(status), pod({}))
    assert [error.field for error in refused] == [f"status.{field}" for field in fields]


def end(code=0):
    return {"containerStatuses": [{"name": "c", "state": {"terminated": {"exitCode": code}}}]}


RUNS = {"containerStatuses": [{"name": "c", "state": {"running": {}}}]}
RULE = {"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}


@pytest.mark.parametrize(
    ("code", "spec", "refused"),
    [
        pytest.param(0, {"restartPolicy": "Always"}, False, id="always"),
        pytest.param(1, {"restartPolicy": "Never"}, True, id="never"),
        pytest.param(0, {"restartPolicy": "OnFailure"}, True, id="after success"),
        pytest.param(1, {"restartPolicy": "OnFailure"}, False, id="after failure"),
        pytest.param(
            42,
            {"containers": [{**CONTAINER, "restartPolicy": "Never", "restartPolicyRules": [RULE]}]},
            False,
            id="by a rule",
        ),
        pytest.param(0, {"restartPolicy": "Always", "containers": []}, True, id="unknown container"),
    ],
)
def test_a_container_that_has_ended_for_good_does_not_run_again(code, spec, refused):
    errors = pod_status.status_errors(pod(RUNS, **spec), pod(end(code), **spec))
    assert bool(errors) is refused


def test_generations_that_were_observed_stay():
    old = {"observedGeneration": 3, "conditions": [{"type": "Ready", "observedGeneration": 3}]}
    new = {"conditions": [{"type": "Ready", "status": "False"}, {"type": "Other"}]}

    status = prepare_status(pod(new), pod({**old, "qosClass": "Burstable"}))["status"]

    assert status["observedGeneration"] == 3
    assert [condition.get("observedGeneration") for condition in status["conditions"]] == [3, None]


@pytest.mark.parametrize(
    ("annotations", "fields"),
    [
        pytest.param({TAINTS_ANNOTATION: "x"}, ["metadata.annotations"], id="no JSON"),
        pytest.param({TAINTS_ANNOTATION: "{}"}, ["metadata.annotations"], id="no list"),
        pytest.param(
            {TAINTS_ANNOTATION: '[{"key":"k","effect":"Odd"}]'},
            [f"metadata.annotations.{TAINTS_ANNOTATION}[0].effect"],
            id="taint",
        ),
        pytest.param(
            {AVOIDED_PODS_ANNOTATION: '{"preferAvoidPods":[{}]}'},
            [f"metadata.annotations.{AVOIDED_PODS_ANNOTATION}[0].PodSignature"],
            id="avoided pods",
        ),
        pytest.param({TAINTS_ANNOTATION: ""}, [], id="empty"),
    ],
)
def test_annotations_of_nodes_are_judged_as_what_they_stand_for(annotations, fields):
    node = {"metadata": {"name": "n", "annotations": annotations}, "spec": {}, "status": {}}
    assert [error.field for error in nodes.status(node, node)] == fields


@pytest.mark.parametrize(
    ("kind", "status", "fields"),
    [
        pytest.param("Node", {"declaredFeatures": ["a b"]}, ["declaredFeatures[0]"], id="feature"),
        pytest.param(
            "ReplicationController",
            {"replicas": 1, "readyReplicas": 1, "availableReplicas": 2},
            ["availableReplicas", "availableReplicas"],
            id="counts",
        ),
        pytest.param(
            "APIService", {"conditions": [{"status": "Maybe"}]}, ["conditions[0].status"], id="status"
        ),
        pytest.param(
            "ValidatingAdmissionPolicy",
            {"conditions": [{"type": "A", "status": "True", "reason": "R"}]},
            ["conditions[0].lastTransitionTime"],
            id="condition",
        ),
    ],
)
def test_what_a_status_says_is_judged(kind, status, fields):
    obj = {"metadata": {"name": "x"}, "spec": {}, "status": status}
    refused = BY_NAME[kind].strategy.validate_status(obj, obj)
    assert [error.field for error in refused] == [f"status.{field}" for field in fields]


@pytest.mark.parametrize(
    ("status", "field"),
    [
        pytest.param({"attachError": {"message": "m" * 1025}}, "attachError.message", id="message"),
        pytest.param({"detachError": {"errorCode": -1}}, "detachError.errorCode", id="code"),
        pytest.param({"attachmentMetadata": {"a": "m" * 2**18}}, "attachmentMetadata", id="metadata"),
    ],
)
def test_what_became_of_an_attachment_is_judged(status, field):
    spec = {"attacher": "a", "nodeName": "n", "source": {"persistentVolumeName": "v"}}
    refused = BY_NAME["VolumeAttachment"].strategy.validate({"spec": spec, "status": status})
    assert [error.field for error in refused] == [f"status.{field}"]


def test_space_for_swapping_is_more_than_nothing():
    node = {"metadata": {"name": "n"}, "status": {"nodeInfo": {"swap": {"capacity": 0}}}}
    assert [error.field for error in nodes.node(node)] == ["metadata.nodeSwapStatus.capacity"]
