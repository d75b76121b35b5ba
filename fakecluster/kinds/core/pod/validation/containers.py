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


class Pod(Struct, frozen=True):
    """What the rules of a container read of its pod: the spec, by name the volumes that nothing is wrong
    with, and the names of its resource claims.
    """

    spec: Json
    volumes: Mapping[str, Json]
    claims: Sequence[str]


def regular(pod: Pod, path: str) -> Errors:
    """Judge the containers that make up a pod; there must be one."""
    containers, path = pod.spec.get("containers") or [], f"{path}.containers"
    if not containers:
        yield fields.required(path)
        return
    seen: set[str] = set()
    for number, one in enumerate(containers):
        here = f"{path}[{number}]"
        yield from container(one, here, pod)
        if one["name"] in seen:
            yield fields.duplicate(f"{here}.name", one["name"])
        seen.add(one["name"])
        yield from probes(one, here, pod.spec)
        yield from restarts.policy(one, here)
    yield from host_ports(containers, path)


def initial(pod: Pod, path: str) -> Errors:
    """Judge the containers that run first; only those that keep running have probes."""
    path = f"{path}.initContainers"
    seen = {one["name"] for one in pod.spec.get("containers") or ()}
    for number, one in enumerate(pod.spec.get("initContainers") or ()):
        here = f"{path}[{number}]"
        yield from container(one, here, pod)
        yield from restarts.initial_policy(one, here)
        if one["name"] in seen:
            yield fields.duplicate(f"{here}.name", one["name"])
        seen |= {one["name"]} - {""}
        # The path of a conflict counts from the container itself, whose ports are judged alone.
        yield from host_ports([one], path)
        if one.get("restartPolicy") == "Always":
            yield from probes(one, here, pod.spec)
        else:
            yield from _finite(one, here)


def _finite(one: Json, path: str) -> Errors:
    for name in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
        if one.get(name) is not None:
            yield fields.forbidden(f"{path}.{name}", ONLY_SIDECARS)
    for number, policy in enumerate(one.get("resizePolicy") or ()):
        if policy.get("restartPolicy") == "RestartContainer":
            where = f"{path}.resizePolicy[{number}].restartPolicy"
            yield fields.invalid(where, "RestartContainer", NO_RESTART)


def container(one: Json, path: str, pod: Pod) -> Errors:
    """Judge what every container of a pod has."""
    yield from basics.named(one["name"], f"{path}.name", basics.dns_label)
    if not one.get("image"):
        yield fields.required(f"{path}.image")
    yield from basics.choice(
        one.get("terminationMessagePolicy"), f"{path}.terminationMessagePolicy", MESSAGE_POLICIES
    )
    yield from ports(one.get("ports") or [], f"{path}.ports")
    yield from environment.variables(one.get("env") or [], f"{path}.env")
    yield from environment.sources(one.get("envFrom") or [], f"{path}.envFrom")
    yield from mounts.judged(one, f"{path}.volumeMounts", pod.volumes)
    yield from mounts.devices(one, f"{path}.volumeDevices", pod.volumes)
    yield from basics.choice(one.get("imagePullPolicy"), f"{path}.imagePullPolicy", PULL)
    yield from resources.requirements(one.get("resources") or {}, f"{path}.resources")
    yield from resource_claims.used(one, f"{path}.resources", pod.claims)
    yield from restarts.on_resize(one.get("resizePolicy") or [], f"{path}.resizePolicy", pod.spec)
    yield from security.of_container(one.get("securityContext"), f"{path}.securityContext", pod.spec)


def only_of_pods(one: Json, path: str) -> Errors:
    """Judge what is tolerated in templates."""
    image = one.get("image", "")
    if image != image.strip():
        yield fields.invalid(f"{path}.image", image, "must not have leading or trailing whitespace")


def ports(found: list[Json], path: str) -> Errors:
    """Judge container ports."""
    seen: set[str] = set()
    for number, one in enumerate(found):
        here, name = f"{path}[{number}]", one.get("name", "")
        problems = basics.port_name_problems(name) if name else []
        for problem in problems:
            yield fields.invalid(f"{here}.name", name, problem)
        if name and not problems and name in seen:
            yield fields.duplicate(f"{here}.name", name)
        seen.add(name)
        if not one.get("containerPort"):
            yield fields.required(f"{here}.containerPort")
        else:
            yield from basics.port(one["containerPort"], f"{here}.containerPort")
        if one.get("hostPort"):
            yield from basics.port(one["hostPort"], f"{here}.hostPort")
        yield from basics.choice(one.get("protocol"), f"{here}.protocol", PROTOCOLS)


def host_ports(containers: list[Json], path: str) -> Errors:
    """Judge that no two ports want the same port of the host."""
    taken: set[str] = set()
    for number, one in enumerate(containers):
        for index, port in enumerate(one.get("ports") or ()):
            if port.get("hostPort"):
                place = f"{port.get('protocol', '')}/{port.get('hostIP', '')}/{port['hostPort']}"
                if place in taken:
                    yield fields.duplicate(f"{path}[{number}].ports[{index}].hostPort", place)
                taken.add(place)
