"""Device classes, `resource.k8s.io` (FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...meta.labels import key_problems
from ...schema import fields
from ...schema.fields import FieldError
from ..core.pod.validation import resources
from ..validation.basics import Errors
from .bounded_collections import judge_list
from .claims import MOST_CONFIGURATIONS
from .configurations import configuration
from .requests import selectors


def device_class(obj: Json) -> list[FieldError]:
    """Judge a DeviceClass."""
    spec = obj.get("spec") or {}
    return [
        *selectors(spec.get("selectors"), "spec.selectors"),
        *judge_list(spec.get("config"), MOST_CONFIGURATIONS, "spec.config", configuration),
        *_resource_name(spec.get("extendedResourceName"), "spec.extendedResourceName"),
    ]


def _resource_name(name: str | None, path: str) -> Errors:
    if name is None or (resources.is_extended(name) and not key_problems(f"requests.{name}")):
        return
    yield fields.invalid(path, name, "must be a valid extended resource name")
