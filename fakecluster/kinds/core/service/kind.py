"""The row of Service and its columns (FK-498, FK-425)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....api.kind import Kind
from ....base.json_types import Json
from ....base.lazy_modules import LazyModule
from ....codec.cells import AGE, NONE, column, join_values, member, pairs
from ...field_selectors import paths
from ...row import CATEGORY_ALL, STATUS, row

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


def _ports(service: Json) -> str:
    def port_text(port: Json) -> str:
        node = f":{port['nodePort']}" if port.get("nodePort") else ""
        return f"{port['port']}{node}/{port.get('protocol', 'TCP')}"

    return join_values(port_text(port) for port in member("spec", "ports", default=())(service))


def _external(service: Json) -> str:
    if member("spec", "type")(service) == "ExternalName":
        return str(member("spec", "externalName")(service))
    addresses = list(member("spec", "externalIPs", default=())(service))
    balancer = member("status", "loadBalancer", "ingress", default=())(service)
    addresses += [ingress.get("ip") or ingress.get("hostname") or "" for ingress in balancer]
    pending = member("spec", "type")(service) == "LoadBalancer" and not addresses
    return "<pending>" if pending else join_values(addresses)


SERVICE_COLUMNS = (
    column("Type", member("spec", "type")),
    column("Cluster-IP", lambda obj: member("spec", "clusterIP")(obj) or NONE),
    column("External-IP", _external),
    column("Port(s)", _ports),
    AGE,
    column("Selector", lambda obj: pairs(member("spec", "selector")(obj)), wide=True),
)


SERVICE: Kind = row(
    "core.v1.Service",
    "services",
    short="svc",
    categories=CATEGORY_ALL,
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
    columns=SERVICE_COLUMNS,
)
