"""The spec of a pod, in Pods and in templates (FK-504)."""

from __future__ import annotations

from .....base.json_types import Json
from .....meta import objectmeta
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from . import (
    containers,
    dns,
    environment,
    ephemeral_containers,
    operating_systems,
    placement,
    pod_annotations,
    pod_resources,
    resource_claims,
    resources,
    security,
    volumes,
)

RESTART = ("Always", "OnFailure", "Never")
DNS = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
PREEMPTION = ("PreemptLowerPriority", "Never")
DEADLINE_RANGE = f"must be between 1 and {basics.INT32_MAX}, inclusive"
HOST_PORT = "must match `containerPort` when `hostNetwork` is true"
LONGEST_HOST_NAME = 64
NOT_IN_TEMPLATES = "ephemeral containers not allowed in pod template"


def judge(spec: Json, path: str, *, of_pod: bool = False) -> Errors:
    """Judge a pod's spec; templates may leave out ports of the host."""
    errors, usable = volumes.judge(spec.get("volumes") or [], f"{path}.volumes")
    yield from errors
    pod = containers.PodContext(spec, usable, resource_claims.names(spec))
    yield from resource_claims.judge_pod_claims(spec.get("resourceClaims") or [], f"{path}.resourceClaims")
    yield from containers.regular(pod, path)
    yield from containers.initial(pod, path)
    yield from ephemeral_containers.judge(pod, path)
    yield from pod_resources.judge(spec, f"{path}.resources")
    yield from _host_ports(spec, path, of_pod=of_pod)
    yield from basics.choice(spec.get("restartPolicy"), f"{path}.restartPolicy", RESTART)
    yield from basics.choice(spec.get("dnsPolicy"), f"{path}.dnsPolicy", DNS)
    yield from basics.label_map(spec.get("nodeSelector"), f"{path}.nodeSelector")
    yield from security.of_pod(spec, f"{path}.securityContext")
    yield from placement.affinity(spec.get("affinity") or {}, f"{path}.affinity")
    yield from dns.resolution(spec, f"{path}.dnsConfig")
    yield from _readiness(spec.get("readinessGates") or [], f"{path}.readinessGates")
    yield from placement.gates(spec.get("schedulingGates") or [], f"{path}.schedulingGates")
    yield from placement.spreading(
        spec.get("topologySpreadConstraints") or [], f"{path}.topologySpreadConstraints"
    )
    yield from operating_systems.host_process(spec, path)
    yield from security.host_users(spec, path)
    yield from _host_name(spec, path)
    yield from _names(spec, path)
    yield from resources.overhead(spec.get("overhead"), f"{path}.overhead")
    yield from operating_systems.judge(spec, path)
    yield from environment.files(spec, path)


def _readiness(gates: list[Json], path: str) -> Errors:
    for number, gate in enumerate(gates):
        yield from basics.label_key(gate.get("conditionType", ""), f"{path}[{number}].conditionType")


def _names(spec: Json, path: str) -> Errors:
    for name in ("serviceAccountName", "nodeName"):
        yield from basics.optional_name(spec.get(name), f"{path}.{name}", basics.dns_subdomain)
    deadline = spec.get("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= basics.INT32_MAX:
        yield fields.invalid(f"{path}.activeDeadlineSeconds", deadline, DEADLINE_RANGE)
    for name in ("hostname", "subdomain"):
        yield from basics.optional_name(spec.get(name), f"{path}.{name}", basics.dns_label)
    yield from placement.tolerations(spec.get("tolerations") or [], f"{path}.tolerations")
    yield from dns.aliases(spec.get("hostAliases") or [], f"{path}.hostAliases")
    where = f"{path}.priorityClassName"
    yield from basics.optional_name(spec.get("priorityClassName"), where, basics.dns_subdomain)
    where = f"{path}.runtimeClassName"
    yield from basics.nonempty_name(spec.get("runtimeClassName"), where, basics.dns_subdomain)
    if spec.get("preemptionPolicy") is not None:
        yield from basics.choice(spec["preemptionPolicy"], f"{path}.preemptionPolicy", PREEMPTION)


def _host_ports(spec: Json, path: str, *, of_pod: bool) -> Errors:
    for number, container in enumerate(spec.get("containers") or () if spec.get("hostNetwork") else ()):
        for index, port in enumerate(container.get("ports") or ()):
            host_port = port.get("hostPort", 0)
            if (of_pod or host_port) and host_port != port.get("containerPort", 0):
                port_path = f"{path}.containers[{number}].ports[{index}].hostPort"
                yield fields.invalid(port_path, host_port, HOST_PORT)


def _host_name(spec: Json, path: str) -> Errors:
    name, where = spec.get("hostnameOverride"), f"{path}.hostnameOverride"
    if name is None:
        return
    for member in ("setHostnameAsFQDN", "hostNetwork"):
        if spec.get(member):
            yield fields.forbidden(where, f"may not be specified when {member} is true")
    if len(name) > LONGEST_HOST_NAME:
        yield fields.too_long(where, LONGEST_HOST_NAME)
    yield from basics.nonempty_name(name, where, basics.dns_subdomain)


def judge_metadata(value: Json, path: str) -> Errors:
    """Judge the labels and the annotations of a pod template."""
    metadata = value.get("metadata") or {}
    annotations = metadata.get("annotations") or {}
    yield from basics.label_map(metadata.get("labels"), f"{path}.labels")
    for error in objectmeta.map_errors("annotations", annotations):
        yield fields.FieldError(error.reason, f"{path}.annotations", error.body)
    yield from pod_annotations.judge(annotations, value["spec"], f"{path}.annotations")


def template(value: Json, path: str) -> Errors:
    """Judge a pod template."""
    spec = value["spec"]
    yield from judge_metadata(value, path)
    yield from judge(spec, f"{path}.spec")
    if spec.get("ephemeralContainers"):
        yield fields.forbidden(f"{path}.spec.ephemeralContainers", NOT_IN_TEMPLATES)
