"""API services (FK-435)."""

from __future__ import annotations

from ....schema import fields
from . import basics
from .basics import Errors, Json


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
