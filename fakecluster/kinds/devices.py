"""Kinds of dynamic resource allocation, `resource.k8s.io/v1`; a registry may leave them out."""

from __future__ import annotations

from ..api.kind import Kind
from .rows import STATUS, row
from .rules import devices as rules
from .rules import deviceslices
from .selectable import paths

KINDS: tuple[Kind, ...] = (
    row(
        "resource.v1.DeviceClass",
        "deviceclasses",
        namespaced=False,
        generation="spec",
        validate=rules.device_class,
    ),
    row(
        "resource.v1.ResourceClaim",
        "resourceclaims",
        subresources=STATUS,
        validate=rules.claim,
        validate_update=rules.same_claim,
        validate_status=rules.claim_status,
    ),
    row(
        "resource.v1.ResourceClaimTemplate",
        "resourceclaimtemplates",
        validate=rules.template,
        validate_update=rules.same_template,
    ),
    row(
        "resource.v1.ResourceSlice",
        "resourceslices",
        namespaced=False,
        selectable=paths("spec.nodeName", "spec.driver"),
        generation="spec",
        validate=deviceslices.resource_slice,
        validate_update=deviceslices.same_place,
    ),
)
