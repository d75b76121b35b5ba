"""What a write of /status takes, and what it leaves as it was (FK-107, FK-222, FK-498)."""

import pytest

from fakecluster.kinds import BUILTIN_KINDS
from fakecluster.kinds.apps import template_generation
from fakecluster.kinds.core.persistent_volumes import with_time_of_phase
from fakecluster.kinds.core.pod.defaults import addresses
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


def balanced(*ingress, kind="LoadBalancer"):
    return {
        "metadata": {"name": "x"},
        "spec": {"type": kind},
        "status": {"loadBalancer": {"ingress": list(ingress)}},
    }


def test_only_addresses_of_a_load_balancer_get_a_mode():
    default = BY_NAME["Service"].schema.default
    shown = {kind: default(balanced({"ip": "1.2.3.4"}, kind=kind)) for kind in ("LoadBalancer", "ClusterIP")}

    assert [service["status"]["loadBalancer"]["ingress"] for service in shown.values()] == [
        [{"ip": "1.2.3.4", "ipMode": "VIP"}],
        [{"ip": "1.2.3.4"}],
    ]


def test_an_address_needs_a_mode_and_may_stay_as_it_was():
    refused = service_status(balanced({"ip": "01.2.3.4"}), balanced({"ip": "01.2.3.4", "ipMode": "VIP"}))
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
