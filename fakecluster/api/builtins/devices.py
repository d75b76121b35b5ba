"""Kinds of dynamic resource allocation, `resource.k8s.io/v1`; a registry may leave them out."""

from __future__ import annotations

from ..kinds import Kind
from .rows import STATUS, row

KINDS: tuple[Kind, ...] = (
    row("resource.v1.DeviceClass", "deviceclasses", namespaced=False, generation="spec"),
    row("resource.v1.ResourceClaim", "resourceclaims", subresources=STATUS),
    row("resource.v1.ResourceClaimTemplate", "resourceclaimtemplates"),
    row("resource.v1.ResourceSlice", "resourceslices", namespaced=False, generation="spec"),
)
