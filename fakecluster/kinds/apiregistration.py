"""APIServices: rules, the condition of a new one, columns (FK-435)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from re import fullmatch

from ..api.kind import Kind
from ..base.json_types import Json
from ..codec.cells import AGE, column, condition, member
from ..schema import fields
from ..schema.fields import FieldError
from .default_rules import Defaulter, constants
from .row import CATEGORY_EXTENSIONS, STATUS, row
from .validation import basics
from .validation.basics import Errors

STATUSES = ("True", "False", "Unknown")
REASON, MESSAGE = "Local", "Local APIServices are always available"


def prepare(obj: Json) -> Json:
    """Return a new APIService with its initial status."""
    plain = {**obj, "status": {}}
    # Of a remote server the availability controller writes the condition, of this server it is true at once.
    if (obj.get("spec") or {}).get("service") is not None:
        return plain
    return {**obj, "status": {"conditions": [local(obj["metadata"].get("creationTimestamp", ""))]}}


def local(current_time: str) -> Json:
    """Return the condition of an APIService that this server answers itself."""
    return {
        "type": "Available",
        "status": "True",
        "lastTransitionTime": current_time,
        "reason": REASON,
        "message": MESSAGE,
    }


VERSION = "[a-z]([-a-z0-9]*[a-z0-9])?"
VERSION_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character,"
    " and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is"
    f" '{VERSION}')"
)
NO_GROUP = "only v1 may have an empty group and it better be legacy kube"


def api_service(obj: Json) -> list[fields.FieldError]:
    """Judge an APIService."""
    spec, name = obj.get("spec", {}), obj["metadata"].get("name", "")
    expected_name = f"{spec.get('version', '')}.{spec.get('group', '')}"
    named = (
        []
        if name == expected_name
        else [
            fields.invalid("metadata.name", name, f'must be `spec.version+"."+spec.group`: "{expected_name}"')
        ]
    )
    return [*named, *_parts(spec), *_priorities(spec), *_backend(spec)]


def _parts(spec: Json) -> Errors:
    """Judge group and version, which are parts of a path; the core group alone has no name."""
    group, version = spec.get("group", ""), spec.get("version", "")
    if group:
        yield from basics.optional_name(group, "spec.group", basics.dns_subdomain)
    elif version != "v1":
        yield fields.required("spec.group", NO_GROUP)
    if not (version and fullmatch(VERSION, version)):
        yield fields.invalid("spec.version", version, VERSION_TEXT)


def _priorities(spec: Json) -> Errors:
    for name, limit in (("groupPriorityMinimum", 20_000), ("versionPriority", 1_000)):
        value = spec.get(name, 0)
        if not 0 < value <= limit:
            text = (
                f"must be positive and less than {limit // 1000}000"
                if limit > 1000
                else "must be positive and less than 1000"
            )
            yield fields.invalid(f"spec.{name}", value, text)


def _backend(spec: Json) -> Errors:
    service = spec.get("service")
    if service is None:
        if spec.get("caBundle"):
            yield fields.invalid(
                "spec.caBundle",
                f"{len(b64decode(spec['caBundle']))} bytes",
                "local APIServices may not have a caBundle",
            )
        if spec.get("insecureSkipTLSVerify"):
            why = "local APIServices may not have insecureSkipTLSVerify"
            yield fields.invalid("spec.insecureSkipTLSVerify", spec["insecureSkipTLSVerify"], why)
        return
    for name in ("namespace", "name"):
        if not service.get(name):
            yield fields.required(f"spec.service.{name}")
    port = service.get("port", 443)
    if not 1 <= port <= 65_535:
        yield fields.invalid(
            "spec.service.port", port, "port is not valid: must be between 1 and 65535, inclusive"
        )
    if spec.get("insecureSkipTLSVerify") and spec.get("caBundle"):
        yield fields.invalid("spec.insecureSkipTLSVerify", True, "may not be true if caBundle is present")


def _service(obj: Json) -> str:
    service = member("spec", "service", default=None)(obj)
    return f"{service['namespace']}/{service['name']}" if service else "Local"


def _available(obj: Json) -> str:
    available = condition(obj, "Available")
    if not available:
        return "Unknown"
    return (
        "True" if available["status"] == "True" else f"{available['status']} ({available.get('reason', '')})"
    )


def status(new: Json, old: Json) -> list[FieldError]:
    """Judge the conditions of an APIService."""
    del old
    conditions = (new.get("status") or {}).get("conditions") or []
    return [
        fields.not_supported(
            f"status.conditions[{number}].status", condition.get("status", ""), list(STATUSES)
        )
        for number, condition in enumerate(conditions)
        if condition.get("status", "") not in STATUSES
    ]


API_SERVICE = (
    column("Service", _service),
    column("Available", _available),
    AGE,
)
DEFAULTS: Mapping[str, Defaulter] = {
    "apiregistration.v1.ServiceReference": constants(port=443),
}
KINDS: tuple[Kind, ...] = (
    row(
        "apiregistration.v1.APIService",
        "apiservices",
        categories=CATEGORY_EXTENSIONS,
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        unconditional_update=False,
        name_rule="path",
        prepare=prepare,
        validate=api_service,
        validate_status=status,
        columns=API_SERVICE,
    ),
)
