"""The row of Service (FK-498)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....api.kind import Kind
from ....base.lazy_modules import LazyModule
from ...row import ALL, STATUS, row
from ...selectable import paths
from . import columns

if TYPE_CHECKING:
    from ...validation import address_warnings
    from . import allocation, strategy, updates, validation, warnings
else:
    address_warnings = LazyModule("...validation.address_warnings", __package__)
    allocation = LazyModule(".allocation", __package__)
    strategy = LazyModule(".strategy", __package__)
    updates = LazyModule(".updates", __package__)
    validation = LazyModule(".validation", __package__)
    warnings = LazyModule(".warnings", __package__)

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
    validate=validation.judge_new,
    check_allocation=allocation.check,
    check_allocation_dry_run=allocation.check_dry_run,
    warnings=warnings.warnings,
    status_warnings=address_warnings.of_balancer,
    judge_update=validation.judge_update,
    validate_status=validation.status,
    create_on_update=True,
    returns_deleted=True,
    columns=columns.SERVICE,
)
