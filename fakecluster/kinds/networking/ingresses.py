"""Ingresses and IngressClasses: rules and warnings (FK-504, FK-236)."""

from __future__ import annotations

import re

from ...base.json_types import Json
from ...meta import names
from ...schema import fields
from ...schema.fields import FieldError
from ..validation import basics
from ..validation.addresses import address, is_address
from ..validation.basics import Errors

PATH_TYPES = ("Exact", "ImplementationSpecific", "Prefix")
STRICT_PATHS = frozenset({"Exact", "Prefix"})
INVALID_PATH_SEQUENCES = ("//", "/./", "/../", "%2f", "%2F")
INVALID_PATH_SUFFIXES = ("/..", "/.")
CLASS = "kubernetes.io/ingress.class"
NO_ADDRESS = "must be a DNS name, not an IP address"
NO_BACKEND = "either `defaultBackend` or `rules` must be specified"
WILDCARD = re.compile(rf"\*\.{names.SUBDOMAIN_FORMAT}")
WILDCARD_TEXT = (
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case "
    "alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation"
    rf" is '\*\.{names.SUBDOMAIN_FORMAT}')"
)
CLASS_ANNOTATION_WARNING = f"annotation \"{CLASS}\" is deprecated, please use 'spec.ingressClassName' instead"


def ingress(obj: Json) -> list[FieldError]:
    """Judge an Ingress."""
    spec = obj.get("spec") or {}
    rules, backend = spec.get("rules") or [], spec.get("defaultBackend")
    missing = not rules and backend is None
    return [
        *([fields.invalid("spec", None, NO_BACKEND)] if missing else []),
        *(_backend(backend, "spec.defaultBackend") if backend is not None else ()),
        *(error for n, rule in enumerate(rules) for error in _rule(rule, f"spec.rules[{n}]")),
        *(error for n, tls in enumerate(spec.get("tls") or ()) for error in _tls(tls, f"spec.tls[{n}]")),
        *basics.nonempty_name(spec.get("ingressClassName"), "spec.ingressClassName", basics.dns_subdomain),
    ]


def new_ingress(obj: Json) -> list[FieldError]:
    """Judge that a new Ingress names one class only."""
    name = obj["spec"].get("ingressClassName")
    annotation = (obj["metadata"].get("annotations") or {}).get(CLASS)
    if name is None or annotation in {None, name}:
        return []
    why = "must match `ingressClassName` when both are specified"
    return [fields.invalid(f"annotations.{CLASS}", annotation, why)]


def ingress_status(new: Json, old: Json) -> list[FieldError]:
    """Judge where an Ingress is reached."""
    del old
    errors: list[FieldError] = []
    balancer = new.get("status", {}).get("loadBalancer") or {}
    for number, point in enumerate(balancer.get("ingress") or ()):
        path = f"status.loadBalancer.ingress[{number}]"
        errors += address(point["ip"], f"{path}.ip") if point.get("ip") else ()
        errors += basics.optional_name(point.get("hostname"), f"{path}.hostname", basics.dns_subdomain)
        if is_address(point.get("hostname", "")):
            errors.append(fields.invalid(f"{path}.hostname", point["hostname"], NO_ADDRESS))
    return errors


def _rule(rule: Json, path: str) -> Errors:
    yield from _host(rule.get("host", ""), f"{path}.host")
    http = rule.get("http")
    if http is None:
        return
    if not http.get("paths"):
        yield fields.required(f"{path}.http.paths")
    for number, http_path in enumerate(http.get("paths") or ()):
        yield from _path(http_path, f"{path}.http.paths[{number}]")


def _host(host: str, path: str) -> Errors:
    if is_address(host):
        yield fields.invalid(path, host, NO_ADDRESS)
    elif "*" in host:
        if not WILDCARD.fullmatch(host):
            yield fields.invalid(path, host, WILDCARD_TEXT)
    else:
        yield from basics.optional_name(host, path, basics.dns_subdomain)


def _path(http_path: Json, path: str) -> Errors:
    kind, url_path = http_path.get("pathType"), http_path.get("path", "")
    if kind is None:
        yield fields.required(f"{path}.pathType", "pathType must be specified")
        return
    yield from basics.optional_choice(kind, f"{path}.pathType", PATH_TYPES)
    if kind in PATH_TYPES and not url_path.startswith("/") and (url_path or kind in STRICT_PATHS):
        yield fields.invalid(f"{path}.path", url_path, "must be an absolute path")
    if kind in STRICT_PATHS:
        yield from _plain(url_path, f"{path}.path")
    yield from _backend(http_path.get("backend") or {}, f"{path}.backend")


def _plain(url_path: str, path: str) -> Errors:
    for segment in INVALID_PATH_SEQUENCES:
        if segment in url_path:
            yield fields.invalid(path, url_path, f"must not contain '{segment}'")
    for end in INVALID_PATH_SUFFIXES:
        if url_path.endswith(end):
            yield fields.invalid(path, url_path, f"cannot end with '{end}'")


def _backend(backend: Json, path: str) -> Errors:
    service, resource = backend.get("service"), backend.get("resource")
    if service is not None and resource is not None:
        yield fields.invalid(path, "", "cannot set both resource and service backends")
    elif service is None and resource is None:
        yield fields.invalid(path, "", "resource or service backend is required")
    elif service is not None:
        yield from _service(service, path)
    else:
        yield from _object_reference(resource, f"{path}.resource")


def _object_reference(value: Json, path: str) -> Errors:
    """Judge a reference to an object of any kind."""
    yield from basics.nonempty_name(value.get("apiGroup"), f"{path}.apiGroup", basics.dns_subdomain)
    for name in ("kind", "name"):
        yield from basics.judge_name(value.get(name, ""), f"{path}.{name}", names.path_problems)


def _service(service: Json, path: str) -> Errors:
    yield from basics.judge_name(service.get("name", ""), f"{path}.service.name", basics.dns_label)
    port = service.get("port") or {}
    name, number = port.get("name", ""), port.get("number", 0)
    if name and number:
        yield fields.invalid(path, "", "cannot set both port name & port number")
    elif name:
        yield from basics.optional_name(name, f"{path}.service.port.name", basics.port_name_problems)
    elif number:
        yield from basics.port(number, f"{path}.service.port.number")
    else:
        yield fields.required(path, "port name or number is required")


def _tls(tls: Json, path: str) -> Errors:
    for number, host in enumerate(tls.get("hosts") or ()):
        item_path = f"{path}.hosts[{number}]"
        if "*" in host:
            yield from _host(host, item_path)
        else:
            yield from basics.nonempty_name(host, item_path, basics.dns_subdomain)
    yield from basics.optional_name(tls.get("secretName"), f"{path}.secretName", basics.dns_subdomain)


def ingress_class(obj: Json) -> list[FieldError]:
    """Judge an IngressClass."""
    spec = obj.get("spec") or {}
    controller, parameters = spec.get("controller", ""), spec.get("parameters")
    return [
        *basics.judge_manager(controller, "spec.controller"),
        *(_parameters(parameters, "spec.parameters") if parameters is not None else ()),
    ]


def judge_class_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of an IngressClass, which keeps its controller."""
    new, old = (obj["spec"].get("controller", "") for obj in (after, before))
    return [*basics.immutable(new, old, "spec.controller"), *ingress_class(after)]


def _parameters(value: Json, path: str) -> Errors:
    yield from _object_reference(value, path)
    scope, namespace = value.get("scope", "Cluster"), value.get("namespace")
    yield from basics.optional_choice(scope, f"{path}.scope", ("Cluster", "Namespace"))
    if scope == "Namespace" and namespace is None:
        yield fields.required(f"{path}.namespace", "`parameters.scope` is set to 'Namespace'")
    elif scope == "Namespace":
        yield from basics.nonempty_name(namespace, f"{path}.namespace", basics.dns_label)
    if scope == "Cluster" and namespace is not None:
        yield fields.forbidden(f"{path}.namespace", "`parameters.scope` is set to 'Cluster'")


def ingress_warnings(new: Json, old: Json) -> list[str]:
    """Return the warning of a new Ingress that names its class by the annotation alone."""
    named = CLASS in (new["metadata"].get("annotations") or {})
    return (
        [CLASS_ANNOTATION_WARNING] if old is None and named and "ingressClassName" not in new["spec"] else []
    )
