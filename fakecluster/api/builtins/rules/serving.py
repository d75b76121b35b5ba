"""What configures the API server: flow control, API services, endpoint slices (FK-435, FK-501, FK-520)."""

from __future__ import annotations

from ....schema import fields
from . import basics
from .basics import Errors, Json

ADDRESS_TYPES = ("FQDN", "IPv4", "IPv6")


def flow_schema(obj: Json) -> list[fields.FieldError]:
    """Judge a FlowSchema."""
    spec = obj["spec"]
    name = (spec.get("priorityLevelConfiguration") or {}).get("name")
    missing = [] if name else [
        fields.required("spec.priorityLevelConfiguration.name", "must reference a priority level")
    ]  # fmt: skip
    precedence = spec.get("matchingPrecedence", 0)
    range_ = [] if 1 <= precedence <= 10_000 else [
        fields.invalid("spec.matchingPrecedence", precedence, "must be a positive value less than or equal to 10000")
    ]  # fmt: skip
    return [*range_, *missing]


def priority_level(obj: Json) -> list[fields.FieldError]:
    """Judge a PriorityLevelConfiguration."""
    spec = obj["spec"]
    kind = spec.get("type")
    if not kind:
        return [fields.required("spec.type")]
    if kind == "Limited" and spec.get("limited") is None:
        return [fields.required("spec.limited", "must not be empty when type is Limited")]
    if kind == "Exempt" and spec.get("limited") is not None:
        return [fields.forbidden("spec.limited", "must be nil if the type is not Limited")]
    return list(basics.optional_choice(kind, "spec.type", ("Exempt", "Limited")))


def api_service(obj: Json) -> list[fields.FieldError]:
    """Judge an APIService."""
    spec, name = obj.get("spec", {}), obj["metadata"].get("name", "")
    wanted = f"{spec.get('version', '')}.{spec.get('group', '')}"
    named = [] if name == wanted else [
        fields.invalid("metadata.name", name, f'must be `spec.version+"."+spec.group`: "{wanted}"')
    ]  # fmt: skip
    return [*named, *_priorities(spec), *_backend(spec)]


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
                "spec.caBundle", f"{len(spec['caBundle'])} bytes", "local APIServices may not have a caBundle"
            )
        if spec.get("insecureSkipTLSVerify"):
            why = "local APIServices may not have insecureSkipTLSVerify"
            yield fields.invalid("spec.insecureSkipTLSVerify", spec["insecureSkipTLSVerify"], why)
        return
    for name in ("namespace", "name"):
        if not service.get(name):
            yield fields.required(f"spec.service.{name}")
    yield from basics.port(service.get("port", 443), "spec.service.port")
    if spec.get("insecureSkipTLSVerify") and spec.get("caBundle"):
        yield fields.invalid("spec.insecureSkipTLSVerify", True, "may not be true if caBundle is present")


def endpoint_slice(obj: Json) -> list[fields.FieldError]:
    """Judge an EndpointSlice."""
    kind = obj.get("addressType")
    return list(basics.choice(kind, "addressType", ADDRESS_TYPES))
