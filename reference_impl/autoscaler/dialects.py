"""Which autoscaler is played: the releases of cluster-autoscaler as rows,
and the proposal beside them (C1, C1.1).

A row gives one member of the rules its value from a release on. A dialect is the newest value of each member
at its version; `aep` stands outside the order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from reference_impl.api.kinds import PROVISIONING_REQUESTS
from reference_impl.api.releases import Release, Row, Version, by_release

from . import booking, consumers, orchestrator, upcoming_nodes, young_pods
from .flag_table import ALL, flags_of
from .flags import OFF, defaults_of
from .proposal import classes, consumer_events, deadline, requests, serving
from .requests import conditions, expiry, pods, request, routing
from .requests.request_cache import RequestCache
from .rules import AutoscalerRules, WriteCondition

# Between two tries, before there were flags for it (PR-123).
BACKOFF_SECONDS: Final = 600.0
OURS: Final = MappingProxyType({"provisioning_classes": OFF})
"""What no release of cluster-autoscaler has."""
NO_SALVO: Final = MappingProxyType({"salvo_scale_up": False, "salvo_scale_up_budget": 60.0})
NO_NEW_GROUPS: Final = MappingProxyType(
    {**OURS, "node_autoprovisioning_enabled": False, "max_autoprovisioned_node_group_count": 15}
)
NEITHER: Final = MappingProxyType({**NO_NEW_GROUPS, **NO_SALVO})
NO_INSTANCES: Final = MappingProxyType({**OURS, **NO_SALVO, "check_capacity_processor_instance": ""})
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


RULES: Final = AutoscalerRules(
    user_agent="cluster-autoscaler/v{version} (reference) kubernetes/unknown",
    request_resource=by_release(
        Row("DA-42", (1, 30), replace(PROVISIONING_REQUESTS, version="v1beta1")),
        Row("DA-43", (1, 31), PROVISIONING_REQUESTS),
    ),
    definition_source=by_release(Row("PR-030", (1, 30), "ca")),
    parse_request=by_release(Row("PR-018", (1, 30), request.ProvisioningRequest)),
    flag_rows=ALL,
    flag_defaults=MappingProxyType({}),
    missing_flags=by_release(
        Row("DA-44", (1, 30), NOT_YET),
        Row("DA-44", (1, 32), NO_INSTANCES),
        Row("PR-108", (1, 33), NEITHER),
        Row("PR-118a", (1, 36), NO_NEW_GROUPS),
    ),
    routing=by_release(Row("S5", (1, 30), routing.BY_CLASS), Row("DA-45", (1, 33), routing.ROUTING)),
    is_picked=by_release(
        Row("X16", (1, 30), routing.is_any_class), Row("X16", (1, 31), routing.RequestRouting.is_served)
    ),
    accepted_conditions=by_release(Row("PR-124a", (1, 30), (conditions.IS_ACCEPTED,))),
    is_answered=by_release(Row("PR-121", (1, 30), request.is_answered)),
    is_last_retry=by_release(
        Row("S5", (1, 30), request.is_never_last_retry), Row("DA-44", (1, 32), request.is_last_retry)
    ),
    default_pod_spec=by_release(
        Row("S4", (1, 30), pods.ignore_limits), Row("DA-43", (1, 31), pods.keep_pod_spec)
    ),
    pod_annotations=by_release(Row("PR-131", (1, 30), pods.pod_annotations)),
    consumed_request=by_release(Row("PR-181", (1, 30), pods.consumed_request)),
    notify_consumer=by_release(Row("PR-187", (1, 30), consumers.notify_consumer)),
    validate_request=by_release(Row("PR-179", (1, 30), request.accept_any_parameters)),
    should_start_scale_up=by_release(
        Row("N4", (1, 30), young_pods.should_start_for_old_pods),
        Row("DA-45", (1, 33), young_pods.should_start_for_requests),
    ),
    counts_upcoming_nodes=by_release(
        Row("PR-323", (1, 30), upcoming_nodes.counts_all_missing),
        Row("N2", (1, 36), upcoming_nodes.counts_while_increasing),
    ),
    answer_check=by_release(Row("PR-125", (1, 30), orchestrator.check)),
    answer_atomic=by_release(Row("PR-150", (1, 30), orchestrator.scale_up_at_once)),
    write_atomic=by_release(
        Row[WriteCondition]("S6", (1, 30), RequestCache.put_status),
        Row[WriteCondition]("DA-46", (1, 33, 6), RequestCache.apply),
    ),
    is_booked=by_release(Row("PR-380", (1, 30), booking.is_booked)),
    is_consumed=by_release(
        Row("PR-384", (1, 30), booking.is_never_consumed),
        Row("DA-48", (1, 37), booking.are_consumers_placed),
    ),
    find_expiry=by_release(Row("PR-141", (1, 30), expiry.find_expiry)),
    limit_expirations=by_release(Row("PR-140", (1, 30), expiry.limit_expirations)),
    deletion_time=by_release(
        Row("S5", (1, 30), expiry.never_delete), Row("DA-44", (1, 32), expiry.deletion_time)
    ),
)
"""The rules of cluster-autoscaler, release by release; `dialect` adds the flags of a release."""


def proposal(newest: AutoscalerRules) -> AutoscalerRules:
    """Return the autoscaler of the proposal: members that it replaces in the newest release (PR-379)."""
    missing_flags = MappingProxyType({name: value for name, value in NO_BATCHES.items() if name not in OURS})
    return replace(
        newest,
        user_agent="cluster-autoscaler/aep (reference) kubernetes/unknown",
        request_resource=requests.RESOURCE,
        definition_source="aep",
        parse_request=classes.read,
        flag_defaults=MappingProxyType({"scale_down_delay_after_add": 0.0}),
        flag_rows=MappingProxyType(
            {name: row for name, row in ALL.items() if row.field not in missing_flags}
        ),
        missing_flags=missing_flags,
        routing=requests.ROUTING,
        is_picked=requests.is_picked,
        accepted_conditions=(),
        is_answered=requests.is_answered,
        is_last_retry=request.is_never_last_retry,
        pod_annotations=requests.pod_annotations,
        consumed_request=requests.consumed_request,
        notify_consumer=consumer_events.notify_consumer,
        validate_request=deadline.validate_request,
        answer_check=serving.answer_check,
        answer_atomic=serving.answer_atomic,
        write_atomic=RequestCache.put_status,
        is_booked=requests.is_never_booked,
        is_consumed=booking.is_never_consumed,
        find_expiry=deadline.find_expiry,
        limit_expirations=tuple,
        deletion_time=requests.deletion_time,
    )


OUTSIDE: Final[Mapping[str, Callable[[AutoscalerRules], AutoscalerRules]]] = MappingProxyType(
    {"aep": proposal}
)
NAMES: Final = (*VERSIONS, *OUTSIDE)


def dialect(name: str) -> AutoscalerRules:
    """Return a dialect by its name; raises KeyError for an unknown one."""
    version = max(VERSIONS.values()) if name in OUTSIDE else VERSIONS[name]
    rules = Release(version).select(RULES)
    agent = rules.user_agent.format(version=".".join(map(str, version)))
    rows = flags_of(version)
    rules = replace(rules, user_agent=agent, flag_rows=rows, flag_defaults=defaults_of(rows))
    return OUTSIDE[name](rules) if name in OUTSIDE else rules
