"""The spec of a pod, in Pods and in templates (FK-504)."""

from __future__ import annotations

from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors, Json
from . import containers, dns, placement, resource_claims, resources, security, volumes

RESTART = ("Always", "OnFailure", "Never")
DNS = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
PREEMPTION = ("PreemptLowerPriority", "Never")
DEADLINE_RANGE = f"must be between 1 and {basics.INT32_MAX}, inclusive"
HOST_PORT = "must match `containerPort` when `hostNetwork` is true"


def judged(spec: Json, path: str) -> Errors:
    """Judge a pod's spec."""
    found = spec.get("volumes") or []
    yield from volumes.judged(found, f"{path}.volumes", spec.get("serviceAccountName", ""))
    mountable = volumes.names(found, spec.get("serviceAccountName", ""))
    regular = spec.get("containers") or []
    claimed = {one.get("name", ""): None for one in spec.get("resourceClaims") or ()}
    yield from resource_claims.declared(spec.get("resourceClaims") or [], f"{path}.resourceClaims")
    yield from containers.regular(regular, f"{path}.containers", mountable, claimed)
    taken = [one["name"] for one in regular]
    yield from containers.initial(
        spec.get("initContainers") or [], f"{path}.initContainers", mountable, taken
    )
    yield from resources.of_pod(spec.get("resources") or {}, f"{path}.resources")
    yield from _host_network(spec, path)
    yield from basics.choice(spec.get("restartPolicy"), f"{path}.restartPolicy", RESTART)
    yield from basics.choice(spec.get("dnsPolicy"), f"{path}.dnsPolicy", DNS)
    yield from basics.label_map(spec.get("nodeSelector"), f"{path}.nodeSelector")
    yield from security.of_pod(spec, f"{path}.securityContext")
    yield from placement.affinity(spec.get("affinity") or {}, f"{path}.affinity")
    yield from dns.resolution(spec, f"{path}.dnsConfig")
    for number, one in enumerate(spec.get("readinessGates") or ()):
        where = f"{path}.readinessGates[{number}].conditionType"
        yield from basics.label_key(one.get("conditionType", ""), where)
    yield from placement.gates(spec.get("schedulingGates") or [], f"{path}.schedulingGates")
    yield from placement.spreading(
        spec.get("topologySpreadConstraints") or [], f"{path}.topologySpreadConstraints"
    )
    yield from _names(spec, path)


def _names(spec: Json, path: str) -> Errors:
    for name in ("serviceAccountName", "nodeName"):
        yield from basics.optional_name(spec.get(name), f"{path}.{name}", basics.dns_subdomain)
    deadline = spec.get("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= basics.INT32_MAX:
        yield fields.invalid(f"{path}.activeDeadlineSeconds", deadline, DEADLINE_RANGE)
    for name in ("hostname", "subdomain"):
        yield from basics.optional_name(spec.get(name), f"{path}.{name}", basics.dns_label)
    yield from placement.tolerations(spec.get("tolerations") or [], f"{path}.tolerations")
    for name in ("priorityClassName", "runtimeClassName"):
        yield from basics.optional_name(spec.get(name), f"{path}.{name}", basics.dns_subdomain)
    yield from dns.aliases(spec.get("hostAliases") or [], f"{path}.hostAliases")
    yield from basics.optional_choice(spec.get("preemptionPolicy"), f"{path}.preemptionPolicy", PREEMPTION)
    if spec.get("os") is not None:
        yield from basics.choice(spec["os"].get("name"), f"{path}.os", ("linux", "windows"))
    yield from resources.overhead(spec.get("overhead"), f"{path}.overhead")


def _host_network(spec: Json, path: str) -> Errors:
    if spec.get("hostUsers") is False:
        for name in ("hostNetwork", "hostPID", "hostIPC"):
            if spec.get(name):
                yield fields.forbidden(f"{path}.{name}", "when `hostUsers` is false")
    if not spec.get("hostNetwork"):
        return
    for number, one in enumerate(spec.get("containers") or ()):
        for index, port in enumerate(one.get("ports") or ()):
            if port.get("hostPort") != port.get("containerPort"):
                here = f"{path}.containers[{number}].ports[{index}].hostPort"
                yield fields.invalid(here, port.get("hostPort", 0), HOST_PORT)


def template(value: Json, path: str) -> Errors:
    """Judge a pod template."""
    metadata = value.get("metadata") or {}
    yield from basics.label_map(metadata.get("labels"), f"{path}.labels")
    yield from judged(value["spec"], f"{path}.spec")
    if value["spec"].get("ephemeralContainers"):
        yield fields.forbidden(
            f"{path}.spec.ephemeralContainers", "ephemeral containers not allowed in pod template"
        )


def new_pod(pod: Json) -> Errors:
    """Judge what only a new Pod must satisfy."""
    spec = pod["spec"]
    if spec.get("ephemeralContainers"):
        yield fields.forbidden("spec.ephemeralContainers", "cannot be set on create")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        yield fields.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")
