"""What a pass decides: at most one write, the events and metrics that go with it, and when to look again.

Events and metrics count only once the write succeeded. A field of an event is one of events.k8s.io/v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from reference_impl.api.objects import WorkloadStatus
from reference_impl.api.resource import Json

NORMAL: Final = "Normal"
WARNING: Final = "Warning"


@dataclass(frozen=True, slots=True)
class ApplyStatus:
    """Server-side apply on `/status` as `kueue-admission`, forced, only on the revision seen (AC-370)."""

    status: WorkloadStatus


@dataclass(frozen=True, slots=True)
class ApplyCondition:
    """Server-side apply of one condition by a manager of its own,
    which no other apply takes away: v0.6 ends Workloads so.
    """

    status: WorkloadStatus
    type: str


@dataclass(frozen=True, slots=True)
class ReplaceStatus:
    """PUT on `/status`: the list of checks is synced this way (AC-359, AC-373)."""

    status: WorkloadStatus


@dataclass(frozen=True, slots=True)
class MergeStatus:
    """JSON merge patch on `/status`: removes a field, whichever manager owns it (AC-294)."""

    patch: Json


@dataclass(frozen=True, slots=True)
class ReplaceObject:
    """PUT of the whole object: `spec.active` and finalizers are written this way (AC-373)."""

    object: Json


@dataclass(frozen=True, slots=True)
class Delete:
    """DELETE of the object (AC-320)."""


Write: TypeAlias = ApplyStatus | ApplyCondition | ReplaceStatus | MergeStatus | ReplaceObject | Delete


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event to record; `on` says whether it is about the Workload or about each of its owners."""

    type: Literal["Normal", "Warning"]
    reason: str
    note: str
    on: Literal["workload", "owners"] = "workload"


@dataclass(frozen=True, slots=True)
class MetricSample:
    """A metric without its prefix: a counter goes up by one, a histogram observes the value."""

    name: str
    labels: Mapping[str, str]
    value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The one thing to do next with a Workload; all empty when it is at rest."""

    write: Write | None = None
    events: tuple[RecordedEvent, ...] = ()
    metrics: tuple[MetricSample, ...] = field(default=())
    requeue: bool = False
    """Push it into its queue before the write (AC-322 c)."""
    preempt: bool = False
    """Have the victims evicted that its reservation counts on (AC-443)."""
    again_after: float | None = None


REST: Final = Decision()
