"""The row of Service (FK-498)."""

from __future__ import annotations

from ....api.kind import Kind
from ...row import ALL, STATUS, row
from ...selectable import paths
from ...validation import address_warnings
from . import allocation, columns, strategy, updates, validation, warnings

SERVICE: Kind = row(
    "core.v1.Service",
    "services",
    short="svc",
    categories=ALL,
    subresources=STATUS | {"proxy"},
    name_rule="service",
    allocate=strategy.allocate,
    allocate_dry_run=strategy.allocate_dry_run,
    prepare_update=updates.prepare_update,
    prepare_update_dry_run=updates.prepare_update_dry_run,
    selectable=paths("spec.clusterIP", "spec.type"),
    validate=validation.created,
    check_allocation=allocation.check,
    check_allocation_dry_run=allocation.check_dry_run,
    warnings=warnings.warnings,
    status_warnings=address_warnings.of_balancer,
    judge_update=validation.changed,
    validate_status=validation.status,
    create_on_update=True,
    returns_deleted=True,
    columns=columns.SERVICE,
)
