"""What distinguishes one autoscaler from another, as one value (C1, C1.1).

A dialect replaces a member of this record; no rule asks which dialect it serves.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from reference_impl.api.resource import Json, Resource

from .answer_services import AnswerServices
from .autoscaler_state import AutoscalerState
from .events import EventRecorder
from .flag_table import FlagRow
from .flags import Flags
from .loop_state import LoopState
from .requests.conditions import RequestCondition
from .requests.expiry import RequestExpiry
from .requests.request import ProvisioningRequest
from .requests.request_cache import RequestCache
from .requests.routing import RequestRouting
from .simulation.pod import Pod

WriteCondition: TypeAlias = Callable[[RequestCache, ProvisioningRequest, RequestCondition], Awaitable[bool]]
"""Writes a condition of a request; tells whether the server took it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoscalerRules:
    """The members that a dialect may replace."""

    # Its first word is the field manager of what is written by PUT, as the real one's
    # file name is.
    user_agent: str
    request_resource: Resource
    """The version in which requests are read and written (DA-43, PR-030)."""
    definition_source: str
    """Whose definition of requests is installed where a cluster has none."""
    parse_request: Callable[[Json], ProvisioningRequest]
    """How they are read: their form differs (PR-018…021)."""
    flag_rows: Mapping[str, FlagRow]
    """The flags that are taken, by name."""
    flag_defaults: Mapping[str, Any]
    """Of the flags whose default is another than that of the newest release (finding X8)."""
    missing_flags: Mapping[str, Any]
    """The flags that there are not, with the values by which it works (DA-44, DA-45)."""
    routing: RequestRouting
    is_picked: Callable[[RequestRouting, ProvisioningRequest, str], bool]
    """Whether a request is looked at by the instance of a name (finding X16)."""
    accepted_conditions: tuple[RequestCondition, ...]
    """What is written before a request is tried (PR-124a, DA-07)."""
    is_answered: Callable[[ProvisioningRequest], bool]
    """Whether nothing more is said about a request (PR-121)."""
    is_last_retry: Callable[[ProvisioningRequest], bool]
    default_pod_spec: Callable[[Json], Json]
    """What is read of the spec of a PodTemplate (DA-43)."""
    pod_annotations: Callable[[ProvisioningRequest], Mapping[str, str]]
    """The annotations of the pods that stand for a request (PR-131, PR-212)."""
    consumed_request: Callable[[Pod], str | None]
    """The request whose capacity a pod uses, None for an ordinary pod (PR-180, PR-212)."""
    notify_consumer: Callable[[EventRecorder, RequestCache, Pod, str], None]
    """Who hears that nothing grows for a pod that uses the capacity of a request (PR-187, PR-213)."""
    validate_request: Callable[[ProvisioningRequest], RequestCondition | None]
    """The answer to a request that cannot be tried at all (PR-207)."""
    should_start_scale_up: Callable[[Sequence[Pod], LoopState, Flags, float], bool]
    """Whether a loop looks for nodes at all (PR-117)."""
    counts_upcoming_nodes: Callable[[AutoscalerState, str, float], bool]
    """Whether the nodes that a group still misses count as room (PR-114, finding N2)."""
    answer_check: Callable[[AnswerServices, AutoscalerRules, ProvisioningRequest, LoopState], Awaitable[None]]
    answer_atomic: Callable[
        [AnswerServices, AutoscalerRules, ProvisioningRequest, LoopState], Awaitable[None]
    ]
    write_atomic: WriteCondition
    """How the answer of an atomic request is written (DA-46)."""
    is_booked: Callable[[RequestRouting, ProvisioningRequest, str], bool]
    """Whether capacity is kept for a request by the instance of a name (PR-380, DA-08)."""
    is_consumed: Callable[[ProvisioningRequest, LoopState, Callable[[Pod], str | None]], bool]
    """When a booking has done its duty before its time (PR-384)."""
    find_expiry: Callable[[ProvisioningRequest], RequestExpiry | None]
    """How a request ends by time (PR-141, PR-142, PR-208)."""
    limit_expirations: Callable[
        [Iterable[tuple[ProvisioningRequest, RequestCondition]]],
        Sequence[tuple[ProvisioningRequest, RequestCondition]],
    ]
    """What one loop writes of all that is over (PR-140)."""
    deletion_time: Callable[[ProvisioningRequest], float]
    """The moment after which a request is deleted, since it was answered long ago (PR-145, PR-218)."""

    def effective(self, flags: Flags) -> Flags:
        """Return flags with those that this autoscaler does not have at the values by which it works."""
        return replace(flags, **self.missing_flags)
