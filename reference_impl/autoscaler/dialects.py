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
from .requests.known import KnownRequests
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
    Row("DA-42", "requests", (1, 30), replace(PROVISIONING_REQUESTS, version="v1beta1")),
    Row("DA-43", "requests", (1, 31), PROVISIONING_REQUESTS),
    Row("PR-030", "definitions", (1, 30), "ca"),
    Row("PR-018", "read", (1, 30), request.Request),
    Row("X8", "defaults", (1, 30), MappingProxyType({"frequent_loops_enabled": False})),
    Row("X8", "defaults", (1, 35), MappingProxyType({})),
    Row("DA-44", "missing", (1, 30), NOT_YET),
    Row("DA-44", "missing", (1, 32), NO_INSTANCES),
    Row("PR-108", "missing", (1, 33), NO_NEW_GROUPS),
    Row("S5", "routing", (1, 30), routing.BY_CLASS),
    Row("DA-45", "routing", (1, 33), routing.ROUTING),
    Row("X16", "picks", (1, 30), routing.of_any_class),
    Row("X16", "picks", (1, 31), routing.Routing.is_served),
    Row("PR-124a", "accepted", (1, 30), (conditions.IS_ACCEPTED,)),
    Row("PR-121", "is_answered", (1, 30), request.is_answered),
    Row("S5", "gives_up", (1, 30), request.never_gives_up),
    Row("DA-44", "gives_up", (1, 32), request.gives_up),
    Row("S4", "defaulted", (1, 30), pods.without_limits),
    Row("DA-43", "defaulted", (1, 31), pods.as_written),
    Row("PR-131", "marks", (1, 30), pods.marks),
    Row("PR-181", "consumed", (1, 30), pods.consumed_request),
    Row("PR-187", "tell_consumer", (1, 30), consumers.tell),
    Row("PR-179", "objection", (1, 30), request.accept_any_parameters),
    Row("N4", "starts", (1, 30), young_pods.starts_for_all_alike),
    Row("DA-45", "starts", (1, 33), young_pods.starts_for_requests),
    Row("PR-323", "is_room", (1, 30), upcoming_nodes.all_that_is_missing),
    Row("N2", "is_room", (1, 36), upcoming_nodes.what_was_asked_for),
    Row("PR-125", "answer_check", (1, 30), orchestrator.check),
    Row("PR-150", "answer_atomic", (1, 30), orchestrator.scale_up_at_once),
    Row("S6", "write_atomic", (1, 30), KnownRequests.put_status),
    Row("DA-46", "write_atomic", (1, 33, 6), KnownRequests.apply),
    Row("PR-380", "is_booked", (1, 30), booking.is_booked),
    Row("PR-384", "is_consumed", (1, 30), booking.never),
    Row("DA-48", "is_consumed", (1, 37), booking.all_placed),
    Row("PR-141", "ending", (1, 30), expiry.ending),
    Row("PR-140", "in_one_loop", (1, 30), expiry.in_one_loop),
    Row("S5", "forgotten_after", (1, 30), expiry.never),
    Row("DA-44", "forgotten_after", (1, 32), expiry.deletion_time),
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
        "requests": requests.RESOURCE,
        "definitions": "aep",
        "read": classes.read,
        "defaults": MappingProxyType({"scale_down_delay_after_add": 0.0}),
        "missing": MappingProxyType(
            {name: reason for name, reason in NO_BATCHES.items() if name not in OURS}
        ),
        "routing": requests.ROUTING,
        "picks": requests.is_picked,
        "accepted": (),
        "is_answered": requests.is_answered,
        "gives_up": request.never_gives_up,
        "marks": requests.marks,
        "consumed": requests.consumed_request,
        "tell_consumer": consumer_events.tell,
        "objection": deadline.objection,
        "answer_check": serving.answer_check,
        "answer_atomic": serving.answer_atomic,
        "write_atomic": KnownRequests.put_status,
        "is_booked": requests.is_never_booked,
        "is_consumed": booking.never,
        "ending": deadline.ending,
        "in_one_loop": tuple,
        "forgotten_after": requests.deletion_time,
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
