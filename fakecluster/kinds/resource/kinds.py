"""The kinds of dynamic resource allocation, `resource.k8s.io/v1`; a registry may leave them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE, column, member
from ..default_rules import Defaulter, constants
from ..field_selectors import paths
from ..row import STATUS, row

if TYPE_CHECKING:
    from . import claim_status, claims, slices
else:
    claim_status = LazyModule(".claim_status", __package__)
    claims = LazyModule(".claims", __package__)
    slices = LazyModule(".slices", __package__)

DEVICE_CLASS = (AGE,)
CLAIM_TEMPLATE = (AGE,)


def _claim_state(claim: Json) -> str:
    deleted = "deletionTimestamp" in claim["metadata"]
    words = ["deleted"] if deleted else []
    if member("status", "allocation", default=None)(claim) is None:
        words += [] if deleted else ["pending"]
    else:
        words += ["allocated", *(["reserved"] if member("status", "reservedFor")(claim) else [])]
    return ",".join(words)


RESOURCE_CLAIM = (column("State", _claim_state), AGE)
RESOURCE_SLICE = (
    column("Node", member("spec", "nodeName")),
    column("Driver", member("spec", "driver")),
    column("Pool", member("spec", "pool", "name")),
    AGE,
)


def device_request(value: Json) -> Json:
    """One device, unless all are wanted."""
    value = constants(allocationMode="ExactCount")(value)
    return constants(count=1)(value) if value["allocationMode"] == "ExactCount" else value


DEFAULTS: Mapping[str, Defaulter] = {
    "resource.v1.DeviceSubRequest": device_request,
    "resource.v1.ExactDeviceRequest": device_request,
}
KINDS: tuple[Kind, ...] = (
    row(
        "resource.v1.DeviceClass",
        "deviceclasses",
        returns_deleted=True,
        namespaced=False,
        generation="spec",
        validate=claims.device_class,
        columns=DEVICE_CLASS,
    ),
    row(
        "resource.v1.ResourceClaim",
        "resourceclaims",
        returns_deleted=True,
        subresources=STATUS,
        validate=claims.claim,
        judge_update=claims.claim_update,
        validate_status=claim_status.claim_status,
        status_resets=(("metadata",), ("spec",)),
        prepare_status=claim_status.without_deallocated,
        columns=RESOURCE_CLAIM,
    ),
    row(
        "resource.v1.ResourceClaimTemplate",
        "resourceclaimtemplates",
        returns_deleted=True,
        validate=claims.template,
        validate_update=claims.same_template,
        columns=CLAIM_TEMPLATE,
    ),
    row(
        "resource.v1.ResourceSlice",
        "resourceslices",
        warnings=slices.resource_slice_warnings,
        returns_deleted=True,
        namespaced=False,
        selectable=paths("spec.nodeName", "spec.driver"),
        generation="spec",
        prepare=slices.without_gated,
        prepare_update=slices.update_without_gated,
        validate=slices.resource_slice,
        judge_update=slices.slice_update,
        columns=RESOURCE_SLICE,
    ),
)
