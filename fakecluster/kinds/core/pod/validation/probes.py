"""Probes and hooks of a container (FK-504)."""

from __future__ import annotations

import re

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors

SCHEMES = ("HTTP", "HTTPS")
HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")
ONE_HANDLER = "may not specify more than 1 handler type"
THRESHOLDS = (
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
)
ONLY_ONE = ("livenessProbe", "startupProbe")
HEADER = re.compile(r"[-A-Za-z0-9]+")
HEADER_TEXT = (
    "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is "
    "'[-A-Za-z0-9]+')"
)


def probes(container: Json, path: str, spec: Json) -> Errors:
    """Judge the hooks and probes of a container of a pod with this spec."""
    grace = spec.get("terminationGracePeriodSeconds", 0)
    for name in ("postStart", "preStop"):
        hook = (container.get("lifecycle") or {}).get(name)
        if hook is not None:
            yield from handler(hook, f"{path}.lifecycle.{name}", grace)
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        if container.get(name) is not None:
            yield from probe(container[name], f"{path}.{name}", grace, single=name in ONLY_ONE)


def probe(value: Json, path: str, grace: int, *, single: bool) -> Errors:
    """Judge a probe; liveness and startup succeed at the first success."""
    yield from handler(value, path, grace)
    for name in THRESHOLDS:
        yield from basics.not_negative(value.get(name), f"{path}.{name}")
    own, where = value.get("terminationGracePeriodSeconds"), f"{path}.terminationGracePeriodSeconds"
    yield from basics.positive(own, where)
    if not single and own is not None:
        yield fields.invalid(where, own, "must not be set for readinessProbes")
    if single and value.get("successThreshold", 1) != 1:
        yield fields.invalid(f"{path}.successThreshold", value["successThreshold"], "must be 1")


def handler(value: Json, path: str, grace: int) -> Errors:
    """Judge that exactly one handler is given, and that one; a pod has `grace` seconds to end."""
    handlers = [name for name in HANDLERS if value.get(name) is not None]
    if not handlers:
        yield fields.required(path, "must specify a handler type")
        return
    if handlers[0] == "sleep":
        yield from _sleep(value["sleep"].get("seconds", 0), f"{path}.sleep", grace)
    yield from _handler(handlers[0], value[handlers[0]], f"{path}.{handlers[0]}")
    for name in handlers[1:]:
        yield fields.forbidden(f"{path}.{name}", ONE_HANDLER)


def _sleep(seconds: int, path: str, grace: int) -> Errors:
    if not 0 <= seconds <= grace:
        why = f"must be non-negative and less than terminationGracePeriodSeconds ({grace})"
        yield fields.invalid(path, seconds, why)


def _handler(name: str, value: Json, path: str) -> Errors:
    if name == "exec" and not value.get("command"):
        yield fields.required(f"{path}.command")
    if name == "httpGet":
        yield from basics.port_or_name(value["port"], f"{path}.port")
        yield from basics.optional_choice(value.get("scheme"), f"{path}.scheme", SCHEMES)
        for header in value.get("httpHeaders") or ():
            if not HEADER.fullmatch(header.get("name", "")):
                yield fields.invalid(f"{path}.httpHeaders", header.get("name", ""), HEADER_TEXT)
    if name == "tcpSocket":
        yield from basics.port_or_name(value["port"], f"{path}.port")
    if name == "grpc":
        yield from basics.port(value["port"], f"{path}.port")
