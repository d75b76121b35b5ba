"""Containers of a pod: names, images, ports, mounts (FK-504)."""

from __future__ import annotations

from collections.abc import Collection

from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors, Json
from . import environment, paths, resource_claims, resources, security
from .probes import probes

RESTART = ("Always", "Never", "OnFailure")
PULL = ("Always", "IfNotPresent", "Never")
MESSAGE_POLICIES = ("File", "FallbackToLogsOnError")
PROTOCOLS = ("SCTP", "TCP", "UDP")


def regular(
    containers: list[Json] | None, path: str, volumes: Collection[str], claimed: Collection[str]
) -> Errors:
    """Judge the containers that make up a pod; there must be one."""
    if not containers:
        yield fields.required(path)
        return
    seen: set[str] = set()
    for number, one in enumerate(containers):
        here = f"{path}[{number}]"
        yield from container(one, here, volumes, claimed)
        if one["name"] in seen:
            yield fields.duplicate(f"{here}.name", one["name"])
        seen.add(one["name"])
        yield from basics.optional_choice(one.get("restartPolicy"), f"{here}.restartPolicy", RESTART)
        yield from probes(one, here)
    yield from host_ports(containers, path)


def initial(containers: list[Json], path: str, volumes: Collection[str], taken: Collection[str]) -> Errors:
    """Judge the containers that run first; only those that keep running have probes."""
    seen = set(taken)
    for number, one in enumerate(containers):
        here = f"{path}[{number}]"
        yield from container(one, here, volumes)
        if one["name"] in seen:
            yield fields.duplicate(f"{here}.name", one["name"])
        seen.add(one["name"])
        yield from basics.optional_choice(one.get("restartPolicy"), f"{here}.restartPolicy", RESTART)
        if one.get("restartPolicy") == "Always":
            yield from probes(one, here)
        else:
            yield from _without(one, here)


def _without(one: Json, path: str) -> Errors:
    for name in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
        if one.get(name):
            yield fields.forbidden(
                f"{path}.{name}", "may not be set for init containers without restartPolicy=Always"
            )


def container(one: Json, path: str, volumes: Collection[str], taken: Collection[str] = ()) -> Errors:
    """Judge what every container has."""
    yield from basics.named(one["name"], f"{path}.name", basics.dns_label)
    yield from _image(one.get("image", ""), f"{path}.image")
    yield from basics.choice(
        one.get("terminationMessagePolicy"), f"{path}.terminationMessagePolicy", MESSAGE_POLICIES
    )
    yield from ports(one.get("ports") or [], f"{path}.ports")
    yield from environment.variables(one.get("env") or [], f"{path}.env")
    yield from environment.sources(one.get("envFrom") or [], f"{path}.envFrom")
    yield from mounts(one.get("volumeMounts") or [], f"{path}.volumeMounts", volumes)
    yield from basics.choice(one.get("imagePullPolicy"), f"{path}.imagePullPolicy", PULL)
    yield from _devices(one.get("volumeDevices") or [], f"{path}.volumeDevices", volumes)
    yield from resources.requirements(one.get("resources") or {}, f"{path}.resources")
    yield from resource_claims.used(one, f"{path}.resources", taken)
    yield from _resizing(one.get("resizePolicy") or [], f"{path}.resizePolicy")
    yield from security.of_container(one.get("securityContext"), f"{path}.securityContext")


def _image(image: str, path: str) -> Errors:
    if not image:
        yield fields.required(path)
    elif image != image.strip():
        yield fields.invalid(path, image, "must not have leading or trailing whitespace")


def _resizing(found: list[Json], path: str) -> Errors:
    for one in found:
        yield from basics.choice(one.get("resourceName"), path, ("cpu", "memory"))
        yield from basics.choice(one.get("restartPolicy"), path, ("NotRequired", "RestartContainer"))


def _devices(found: list[Json], path: str, volumes: Collection[str]) -> Errors:
    for number, one in enumerate(found):
        here, name = f"{path}[{number}]", one.get("name", "")
        if not name:
            yield fields.required(f"{here}.name")
        elif name not in volumes:
            yield fields.not_found(f"{here}.name", name)
        if not one.get("devicePath"):
            yield fields.required(f"{here}.devicePath")
        else:
            yield from paths.no_backsteps(one["devicePath"], f"{here}.devicePath")


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


def mounts(found: list[Json], path: str, volumes: Collection[str]) -> Errors:
    """Judge volume mounts."""
    seen: set[str] = set()
    for number, one in enumerate(found):
        here = f"{path}[{number}]"
        if not one["name"]:
            yield fields.required(f"{here}.name")
        if one["name"] not in volumes:
            yield fields.not_found(f"{here}.name", one["name"])
        if not one["mountPath"]:
            yield fields.required(f"{here}.mountPath")
        if one["mountPath"] in seen:
            yield fields.invalid(f"{here}.mountPath", one["mountPath"], "must be unique")
        seen.add(one["mountPath"])
        if one.get("subPath"):
            yield from paths.descending(one["subPath"], f"{path}.subPath")
