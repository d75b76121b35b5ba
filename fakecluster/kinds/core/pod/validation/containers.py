"""Containers of a pod: names, images, ports (FK-504)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from . import environment, mounts, resource_claims, resources, restarts, security
from .probes import probes

PULL = ("Always", "IfNotPresent", "Never")
MESSAGE_POLICIES = ("File", "FallbackToLogsOnError")
PROTOCOLS = ("SCTP", "TCP", "UDP")
ONLY_SIDECARS = "may not be set for init containers without restartPolicy=Always"
NO_RESTART = "must not be set to 'RestartContainer' for non-sidecar initContainers"


class PodContext(Struct, frozen=True):
    """What the rules of a container read of its pod: the spec, by name the volumes that nothing is wrong
    with, and the names of its resource claims.
    """

    spec: Json
    volumes: Mapping[str, Json]
    claims: Sequence[str]


def regular(pod: PodContext, path: str) -> Errors:
    """Judge the containers that make up a pod; there must be one."""
    containers, path = pod.spec.get("containers") or [], f"{path}.containers"
    # Nothing else is judged, as every other rule is one of a container.
    if not containers:
        yield fields.required(path)
        return
    names: set[str] = set()
    for number, spec in enumerate(containers):
        item_path = f"{path}[{number}]"
        yield from container(spec, item_path, pod)
        if spec["name"] in names:
            yield fields.duplicate(f"{item_path}.name", spec["name"])
        names.add(spec["name"])
        yield from probes(spec, item_path, pod.spec)
        yield from restarts.policy(spec, item_path)
    # Ports of the host last, over all containers at once.
    yield from host_ports(containers, path)


def initial(pod: PodContext, path: str) -> Errors:
    """Judge the init containers; only sidecars (restartPolicy Always) have probes."""
    path = f"{path}.initContainers"
    names = {spec["name"] for spec in pod.spec.get("containers") or ()}
    # Names of regular containers are taken from the start; those of init containers as they come.
    for number, spec in enumerate(pod.spec.get("initContainers") or ()):
        item_path = f"{path}[{number}]"
        yield from container(spec, item_path, pod)
        yield from restarts.initial_policy(spec, item_path)
        if spec["name"] in names:
            yield fields.duplicate(f"{item_path}.name", spec["name"])
        # An empty name has an error of its own, and is not reported as repeated.
        names |= {spec["name"]} - {""}
        # The path of a conflict counts from the container itself, whose ports are judged alone.
        yield from host_ports([spec], path)
        if spec.get("restartPolicy") == "Always":
            yield from probes(spec, item_path, pod.spec)
        else:
            yield from _finite(spec, item_path)


def _finite(spec: Json, path: str) -> Errors:
    for name in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
        if spec.get(name) is not None:
            yield fields.forbidden(f"{path}.{name}", ONLY_SIDECARS)
    for number, policy in enumerate(spec.get("resizePolicy") or ()):
        if policy.get("restartPolicy") == "RestartContainer":
            where = f"{path}.resizePolicy[{number}].restartPolicy"
            yield fields.invalid(where, "RestartContainer", NO_RESTART)


def container(spec: Json, path: str, pod: PodContext) -> Errors:
    """Judge what every container of a pod has."""
    # The order is that of validateContainerCommon, hence the order of the causes.
    yield from basics.judge_name(spec["name"], f"{path}.name", basics.dns_label)
    if not spec.get("image"):
        yield fields.required(f"{path}.image")
    yield from basics.choice(
        spec.get("terminationMessagePolicy"), f"{path}.terminationMessagePolicy", MESSAGE_POLICIES
    )
    yield from ports(spec.get("ports") or [], f"{path}.ports")
    yield from environment.variables(spec.get("env") or [], f"{path}.env")
    yield from environment.sources(spec.get("envFrom") or [], f"{path}.envFrom")
    yield from mounts.judge(spec, f"{path}.volumeMounts", pod.volumes)
    yield from mounts.devices(spec, f"{path}.volumeDevices", pod.volumes)
    yield from basics.choice(spec.get("imagePullPolicy"), f"{path}.imagePullPolicy", PULL)
    yield from resources.requirements(spec.get("resources") or {}, f"{path}.resources")
    yield from resource_claims.judge_container_claims(spec, f"{path}.resources", pod.claims)
    yield from restarts.on_resize(spec.get("resizePolicy") or [], f"{path}.resizePolicy", pod.spec)
    yield from security.of_container(spec.get("securityContext"), f"{path}.securityContext", pod.spec)


def only_of_pods(spec: Json, path: str) -> Errors:
    """Judge that an image has no white space around it, which templates may have."""
    image = spec.get("image", "")
    if image != image.strip():
        yield fields.invalid(f"{path}.image", image, "must not have leading or trailing whitespace")


def ports(container_ports: list[Json], path: str) -> Errors:
    """Judge container ports."""
    names: set[str] = set()
    for number, port in enumerate(container_ports):
        item_path, name = f"{path}[{number}]", port.get("name", "")
        # A name that is wrong is not counted as repeated besides.
        problems = basics.port_name_problems(name) if name else []
        for problem in problems:
            yield fields.invalid(f"{item_path}.name", name, problem)
        if name and not problems and name in names:
            yield fields.duplicate(f"{item_path}.name", name)
        names.add(name)
        # Zero is a missing port: the field is no pointer in Go.
        if not port.get("containerPort"):
            yield fields.required(f"{item_path}.containerPort")
        else:
            yield from basics.port(port["containerPort"], f"{item_path}.containerPort")
        if port.get("hostPort"):
            yield from basics.port(port["hostPort"], f"{item_path}.hostPort")
        yield from basics.choice(port.get("protocol"), f"{item_path}.protocol", PROTOCOLS)


def host_ports(containers: list[Json], path: str) -> Errors:
    """Judge that no two ports want the same port of the host."""
    taken: set[str] = set()
    for number, spec in enumerate(containers):
        for index, port in enumerate(spec.get("ports") or ()):
            if port.get("hostPort"):
                # The protocol and the address belong to it: a port may be used once for each.
                host_port = f"{port.get('protocol', '')}/{port.get('hostIP', '')}/{port['hostPort']}"
                if host_port in taken:
                    yield fields.duplicate(f"{path}[{number}].ports[{index}].hostPort", host_port)
                taken.add(host_port)
