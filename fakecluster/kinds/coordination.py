"""Lease, the kind of `coordination.k8s.io` (FK-493)."""

from __future__ import annotations

from collections.abc import Mapping

from ..api.kind import Kind
from ..base.json_types import Json
from ..codec.cells import AGE, column, member
from ..schema import fields
from .default_rules import Defaulter, drop_fields
from .row import row
from .validation import basics


def lease(obj: Json) -> list[fields.FieldError]:
    """Judge a Lease."""
    spec = obj.get("spec", {})
    return [
        *basics.positive(spec.get("leaseDurationSeconds"), "spec.leaseDurationSeconds"),
        *basics.not_negative(spec.get("leaseTransitions"), "spec.leaseTransitions"),
    ]


LEASE = (column("Holder", member("spec", "holderIdentity")), AGE)
DEFAULTS: Mapping[str, Defaulter] = {
    "coordination.v1.LeaseSpec": drop_fields("strategy", "preferredHolder"),
}
KINDS: tuple[Kind, ...] = (
    row(
        "coordination.v1.Lease",
        "leases",
        unconditional_update=False,
        create_on_update=True,
        validate=lease,
        columns=LEASE,
    ),
)
