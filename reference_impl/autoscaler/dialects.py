"""Which autoscaler is played: the releases of cluster-autoscaler as rows, and the proposal beside them (C1,
C1.1).

A row gives one member of the rules its value from a release on. A dialect is the newest value of each member
at its version; `aep` stands outside the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from reference_impl.api.kinds import PROVISIONING_REQUESTS

from . import booking, consumers, orchestrator, upcoming_nodes, young_pods
from .flags import OFF
from .proposal import classes, consumer_events, deadline, requests, serving
from .requests import conditions, expiry, pods, request, routing
from .requests.known import RequestCache
from .rules import AutoscalerRules

Version = tuple[int, ...]
BACKOFF_SECONDS: Final = 600.0
"""Between two tries, before there were flags for it (PR-123)."""
OURS: Final = MappingProxyType({"provisioning_classes": OFF})
"""What no release of cluster-autoscaler has."""
NO_NEW_GROUPS: Final = MappingProxyType(
    {**OURS, "node_autoprovisioning_enabled": False, "max_autoprovisioned_node_group_count": 15}
)
NO_INSTANCES: Final = MappingProxyType({**OURS, "check_capacity_processor_instance": ""})
NO_BATCHES: Final = MappingProxyType(
    {
        **NO_INSTANCES,
        "check_capacity_batch_processing": False,
        "check_capacity_provisioning_request_max_batch_size": 10,
        "check_capacity_provisioning_request_batch_timebox": 10.0,
    }
)
NOT_YET: Final = MappingProxyType(
    {
        **NO_BATCHES,
        "provisioning_request_initial_backoff_time": BACKOFF_SECONDS,
        "provisioning_request_max_backoff_time": BACKOFF_SECONDS,
        "provisioning_request_max_backoff_cache_size": 1000,
    }
)


@dataclass(frozen=True, slots=True)
class Row:
    """One member's value since a release; `id` names the line of the table."""

    id: str
    member: str
    since: Version
    value: Any


ROWS: Final = (
    Row("DA-42", "request_resource", (1, 30), replace(PROVISIONING_REQUESTS, version="v1beta1")),
    Row("DA-43", "request_resource", (1, 31), PROVISIONING_REQUESTS),
    Row("PR-030", "definition_source", (1, 30), "ca"),
    Row("PR-018", "parse_request", (1, 30), request.Request),
    Row("X8", "flag_defaults", (1, 30), MappingProxyType({"frequent_loops_enabled": False})),
    Row("X8", "flag_defaults", (1, 35), MappingProxyType({})),
    Row("DA-44", "missing_flags", (1, 30), NOT_YET),
    Row("DA-44", "missing_flags", (1, 32), NO_INSTANCES),
    Row("PR-108", "missing_flags", (1, 33), NO_NEW_GROUPS),
    Row("S5", "routing", (1, 30), routing.BY_CLASS),
    Row("DA-45", "routing", (1, 33), routing.ROUTING),
    Row("X16", "is_picked", (1, 30), routing.is_any_class),
    Row("X16", "is_picked", (1, 31), routing.Routing.is_served),
    Row("PR-124a", "accepted_conditions", (1, 30), (conditions.IS_ACCEPTED,)),
    Row("PR-121", "is_answered", (1, 30), request.is_answered),
    Row("S5", "is_last_retry", (1, 30), request.is_never_last_retry),
    Row("DA-44", "is_last_retry", (1, 32), request.is_last_retry),
    Row("S4", "default_pod_spec", (1, 30), pods.ignore_limits),
    Row("DA-43", "default_pod_spec", (1, 31), pods.keep_pod_spec),
    Row("PR-131", "pod_annotations", (1, 30), pods.pod_annotations),
    Row("PR-181", "consumed_request", (1, 30), pods.consumed_request),
    Row("PR-187", "notify_consumer", (1, 30), consumers.notify_consumer),
    Row("PR-179", "validate_request", (1, 30), request.accept_any_parameters),
    Row("N4", "should_start_scale_up", (1, 30), young_pods.should_start_for_old_pods),
    Row("DA-45", "should_start_scale_up", (1, 33), young_pods.should_start_for_requests),
    Row("PR-323", "counts_upcoming_nodes", (1, 30), upcoming_nodes.counts_all_missing),
    Row("N2", "counts_upcoming_nodes", (1, 36), upcoming_nodes.counts_while_increasing),
    Row("PR-125", "answer_check", (1, 30), orchestrator.check),
    Row("PR-150", "answer_atomic", (1, 30), orchestrator.scale_up_at_once),
    Row("S6", "write_atomic", (1, 30), RequestCache.put_status),
    Row("DA-46", "write_atomic", (1, 33, 6), RequestCache.apply),
    Row("PR-380", "is_booked", (1, 30), booking.is_booked),
    Row("PR-384", "is_consumed", (1, 30), booking.is_never_consumed),
    Row("DA-48", "is_consumed", (1, 37), booking.are_consumers_placed),
    Row("PR-141", "find_expiry", (1, 30), expiry.find_expiry),
    Row("PR-140", "limit_expirations", (1, 30), expiry.limit_expirations),
    Row("S5", "deletion_time", (1, 30), expiry.never_delete),
    Row("DA-44", "deletion_time", (1, 32), expiry.deletion_time),
)
VERSIONS: Final[Mapping[str, Version]] = MappingProxyType(
    {
        "ca-1.30": (1, 30, 7),
        "ca-1.31": (1, 31, 5),
        "ca-1.32": (1, 32, 7),
        "ca-1.33": (1, 33, 6),
        "ca-1.34": (1, 34, 5),
        "ca-1.35": (1, 35, 2),
        "ca-1.36": (1, 36, 1),
        "ca-1.37": (1, 37, 0),
    }
)
"""Each stands for the newest release of its branch that was looked at."""
DEFAULT: Final = "ca-1.36"
PROPOSAL: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "user_agent": "cluster-autoscaler/aep (reference) kubernetes/unknown",
        "request_resource": requests.RESOURCE,
        "definition_source": "aep",
        "parse_request": classes.read,
        "flag_defaults": MappingProxyType({"scale_down_delay_after_add": 0.0}),
        "missing_flags": MappingProxyType(
            {name: reason for name, reason in NO_BATCHES.items() if name not in OURS}
        ),
        "routing": requests.ROUTING,
        "is_picked": requests.is_picked,
        "accepted_conditions": (),
        "is_answered": requests.is_answered,
        "is_last_retry": request.is_never_last_retry,
        "pod_annotations": requests.pod_annotations,
        "consumed_request": requests.consumed_request,
        "notify_consumer": consumer_events.notify_consumer,
        "validate_request": deadline.validate_request,
        "answer_check": serving.answer_check,
        "answer_atomic": serving.answer_atomic,
        "write_atomic": RequestCache.put_status,
        "is_booked": requests.is_never_booked,
        "is_consumed": booking.is_never_consumed,
        "find_expiry": deadline.find_expiry,
        "limit_expirations": tuple,
        "deletion_time": requests.deletion_time,
    }
)
"""The members that the proposal replaces in the newest release (PR-379)."""
OUTSIDE: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({"aep": PROPOSAL})
NAMES: Final = (*VERSIONS, *OUTSIDE)


def members_at(version: Version, rows: Iterable[Row]) -> Mapping[str, Any]:
    """Return of each member the newest value it had by a release."""
    valid = sorted((row for row in rows if row.since <= version), key=lambda row: row.since)
    return {row.member: row.value for row in valid}


def dialect(name: str) -> AutoscalerRules:
    """Return a dialect by its name; raises KeyError for an unknown one."""
    replaced = OUTSIDE.get(name)
    version = VERSIONS[name] if replaced is None else max(VERSIONS.values())
    agent = f"cluster-autoscaler/v{'.'.join(map(str, version))} (reference) kubernetes/unknown"
    return AutoscalerRules(**{"user_agent": agent, **members_at(version, ROWS), **(replaced or {})})
