"""Containers of a pod: names, images, ports, environment, mounts, probes (FK-504)."""

from __future__ import annotations

import re
from collections.abc import Collection

from ....schema import fields
from . import basics, resources
from .basics import Errors, Json

PULL = ("Always", "IfNotPresent", "Never")
MESSAGE_POLICIES = ("File", "FallbackToLogsOnError")
PROTOCOLS = ("SCTP", "TCP", "UDP")
SCHEMES = ("HTTP", "HTTPS")
HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")
ONE_HANDLER = "may not specify more than 1 handler type"
VARIABLE = re.compile(r"[ -<>-~]+")
VARIABLE_TEXT = (
    "a valid environment variable name must consist only of printable ASCII characters other than '='"
)
SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
SOURCE_TEXT = (
    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
)
THRESHOLDS = (
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
)
ONLY_ONE = ("livenessProbe", "startupProbe")


def regular(containers: list[Json] | None, path: str, volumes: Collection[str]) -> Errors:
    """Judge the containers that make up a pod; there must be one."""
    if not containers:
        yield fields.required(path)
        return
    seen: set[str] = set()
    for number, one in enumerate(containers):
        here = f"{path}[{number}]"
        yield from container(one, here, volumes)
        if one["name"] in seen:
            yield fields.duplicate(f"{here}.name", one["name"])
        seen.add(one["name"])
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
        yield from basics.optional_choice(
            one.get("restartPolicy"), f"{here}.restartPolicy", ("Always", "Never", "OnFailure")
        )
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


def container(one: Json, path: str, volumes: Collection[str]) -> Errors:
    """Judge what every container has."""
    yield from basics.named(one["name"], f"{path}.name", basics.dns_label)
    if not one.get("image"):
        yield fields.required(f"{path}.image")
    yield from basics.choice(
        one.get("terminationMessagePolicy"), f"{path}.terminationMessagePolicy", MESSAGE_POLICIES
    )
    yield from ports(one.get("ports") or [], f"{path}.ports")
    yield from environment(one.get("env") or [], f"{path}.env")
    yield from mounts(one.get("volumeMounts") or [], f"{path}.volumeMounts", volumes)
    yield from basics.choice(one.get("imagePullPolicy"), f"{path}.imagePullPolicy", PULL)
    yield from resources.requirements(one.get("resources") or {}, f"{path}.resources")


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


def environment(found: list[Json], path: str) -> Errors:
    """Judge environment variables."""
    for number, one in enumerate(found):
        here = f"{path}[{number}]"
        if not one["name"]:
            yield fields.required(f"{here}.name")
        elif not VARIABLE.fullmatch(one["name"]):
            yield fields.invalid(f"{here}.name", one["name"], VARIABLE_TEXT)
        if one.get("valueFrom") is not None:
            yield from _source(one, f"{here}.valueFrom")


def _source(one: Json, path: str) -> Errors:
    given = [name for name in SOURCES if one["valueFrom"].get(name)]
    if not given:
        yield fields.invalid(path, "", SOURCE_TEXT)
    elif one.get("value"):
        yield fields.invalid(path, "", "may not be specified when `value` is not empty")
    elif len(given) > 1:
        yield fields.invalid(path, "", "may not have more than one field specified at a time")


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


def probes(one: Json, path: str) -> Errors:
    """Judge hooks and probes."""
    for name in ("postStart", "preStop"):
        hook = (one.get("lifecycle") or {}).get(name)
        if hook is not None:
            yield from handler(hook, f"{path}.lifecycle.{name}")
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        if one.get(name) is not None:
            yield from probe(one[name], f"{path}.{name}", single=name in ONLY_ONE)


def probe(value: Json, path: str, *, single: bool) -> Errors:
    """Judge a probe; liveness and startup succeed at the first success."""
    yield from handler(value, path)
    for name in THRESHOLDS:
        yield from basics.not_negative(value.get(name), f"{path}.{name}")
    yield from basics.positive(
        value.get("terminationGracePeriodSeconds"), f"{path}.terminationGracePeriodSeconds"
    )
    if single and value.get("successThreshold", 1) != 1:
        yield fields.invalid(f"{path}.successThreshold", value["successThreshold"], "must be 1")


def handler(value: Json, path: str) -> Errors:
    """Judge that exactly one handler is given, and that one."""
    given = [name for name in HANDLERS if value.get(name) is not None]
    if not given:
        yield fields.required(path, "must specify a handler type")
        return
    yield from _handler(given[0], value[given[0]], f"{path}.{given[0]}")
    for name in given[1:]:
        yield fields.forbidden(f"{path}.{name}", ONE_HANDLER)


def _handler(name: str, value: Json, path: str) -> Errors:
    if name == "exec" and not value.get("command"):
        yield fields.required(f"{path}.command")
    if name == "httpGet":
        yield from basics.port_or_name(value["port"], f"{path}.port")
        yield from basics.optional_choice(value.get("scheme"), f"{path}.scheme", SCHEMES)
    if name == "tcpSocket":
        yield from basics.port_or_name(value["port"], f"{path}.port")
    if name == "grpc":
        yield from basics.port(value["port"], f"{path}.port")
