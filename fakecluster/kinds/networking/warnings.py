"""Warnings of Ingresses (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json
from .ingresses import CLASS

USE_CLASS = f"annotation \"{CLASS}\" is deprecated, please use 'spec.ingressClassName' instead"


def ingress(new: Json, old: Json) -> list[str]:
    """Return the warning of a new Ingress that names its class by the annotation alone."""
    named = CLASS in (new["metadata"].get("annotations") or {})
    return [USE_CLASS] if old is None and named and "ingressClassName" not in new["spec"] else []
