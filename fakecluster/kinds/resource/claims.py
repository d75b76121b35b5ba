"""Resource claims, their templates and device classes, `resource.k8s.io` (FK-504)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...meta.labels import key_problems
from ...schema import fields
from ...schema.fields import FieldError
from ..core.pod.validation import resources
from ..validation.basics import Errors
from ..validation.template_metadata import template_metadata
from . import configurations, qualified_names, requests
from .bounded_collections import judge_list
from .configurations import configuration
from .requests import selectors

MOST_CONSTRAINTS = MOST_CONFIGURATIONS = 32
ONE_ATTRIBUTE = (
    'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
)


def claim(obj: Json) -> list[FieldError]:
    """Judge a new ResourceClaim."""
    return list(_devices(obj["spec"].get("devices") or {}, "spec.devices"))


def claim_update(new: Json, old: Json) -> list[FieldError]:
    """Judge an update of a ResourceClaim, whose spec stays and is not judged again."""
    return _same_spec(new, old, "resource.v1.ResourceClaimSpec")


def template(obj: Json) -> list[FieldError]:
    """Judge a ResourceClaimTemplate."""
    spec = obj["spec"]
    devices = (spec.get("spec") or {}).get("devices") or {}
    return [
        *template_metadata(spec.get("metadata") or {}, "spec.metadata"),
        *_devices(devices, "spec.spec.devices"),
    ]


def same_template(new: Json, old: Json) -> list[FieldError]:
    """Judge that the spec of a ResourceClaimTemplate stays."""
    return _same_spec(new, old, "resource.v1.ResourceClaimTemplateSpec")


def _same_spec(new: Json, old: Json, message: str) -> list[FieldError]:
    if new["spec"] == old["spec"]:
        return []
    return [fields.invalid("spec", to_go_struct(message, new["spec"]), "field is immutable")]


def _devices(value: Json, path: str) -> Errors:
    names = requests.request_names(value.get("requests") or [])
    yield from requests.requests(value.get("requests"), f"{path}.requests")
    judge = partial(_constraint, names=names)
    yield from judge_list(value.get("constraints"), MOST_CONSTRAINTS, f"{path}.constraints", judge)
    judge = partial(claim_configuration, names=names)
    yield from judge_list(value.get("config"), MOST_CONFIGURATIONS, f"{path}.config", judge)


def _constraint(value: Json, path: str, names: Collection[str]) -> Errors:
    yield from requests.references(value.get("requests"), f"{path}.requests", names)
    for name in ("matchAttribute", "distinctAttribute"):
        # The real server judges only the first of them, whatever its message says.
        if value.get(name) is not None:
            yield from qualified_names.fully_qualified_name(value[name], f"{path}.{name}")
            return
    yield fields.required(path, ONE_ATTRIBUTE)


def claim_configuration(value: Json, path: str, names: Collection[str]) -> Errors:
    """Judge a configuration for some requests of a claim, whose names are `names`."""
    yield from requests.references(value.get("requests"), f"{path}.requests", names)
    yield from configurations.configuration(value, path)


def device_class(obj: Json) -> list[FieldError]:
    """Judge a DeviceClass."""
    spec = obj.get("spec") or {}
    return [
        *selectors(spec.get("selectors"), "spec.selectors"),
        *judge_list(spec.get("config"), MOST_CONFIGURATIONS, "spec.config", configuration),
        *_extended_resource_name(spec.get("extendedResourceName"), "spec.extendedResourceName"),
    ]


def _extended_resource_name(name: str | None, path: str) -> Errors:
    if name is None or (resources.is_extended(name) and not key_problems(f"requests.{name}")):
        return
    yield fields.invalid(path, name, "must be a valid extended resource name")
