"""The row of Service (FK-498)."""

from __future__ import annotations

from ....api.kind import Kind
from ...row import ALL, STATUS, row
from ...selectable import paths
from ...statuses import chain, wiped
from . import allocation, columns, strategy, validation

SERVICE: Kind = row(
    "core.v1.Service",
    "services",
    short="svc",
    categories=ALL,
    subresources=STATUS | {"proxy"},
    name_rule="service",
    prepare=chain(wiped("core.v1.Service"), strategy.allocate),
    rehearse=chain(wiped("core.v1.Service"), strategy.rehearse),
    prepare_update=strategy.keep_allocated,
    rehearse_update=strategy.rehearse_update,
    selectable=paths("spec.clusterIP", "spec.type"),
    validate=validation.service,
    validate_new=allocation.families,
    grant=allocation.granted,
    grant_tried=allocation.granted_in_a_dry_run,
    warnings=allocation.warnings,
    validate_update=validation.same_address,
    validate_status=validation.status,
    create_on_update=True,
    returns_deleted=True,
    columns=columns.SERVICE,
)
