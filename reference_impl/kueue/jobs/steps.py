"""What a pass over a Job may decide: one step, carried out by the controller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from reference_impl.api.resource import Json
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.rules import Eviction
from reference_impl.kueue.workload.view import Workload

from .stopping import JobWrite


@dataclass(frozen=True, slots=True)
class CreateWorkload:
    """Make the Workload of the Job, with this annotation of the Job among others."""

    timeouts_annotation: str = ""


@dataclass(frozen=True, slots=True)
class ReplaceWorkload:
    """Write the Workload's spec, and tell it on the Job unless the note is empty."""

    object: Json
    note: str = ""


@dataclass(frozen=True, slots=True)
class DeleteWorkloads:
    """Delete Workloads that do not stand for the Job."""

    workloads: tuple[Workload, ...]


@dataclass(frozen=True, slots=True)
class ForgetWorkload:
    """Let a Workload go that is being deleted or was finished."""

    workload: Workload
    note: str = ""
    """Text of the event FinishedWorkload; empty for none."""


@dataclass(frozen=True, slots=True)
class NoAction:
    """Do nothing, and look no further."""


@dataclass(frozen=True, slots=True)
class Await:
    """Try again later and log the missing object; where a release has one, with an event (C-28, KV-20)."""

    missing: str
    event: RecordEvent | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """Declare the Workload finished."""

    workload: Workload
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class SetReclaimable:
    """Set the pods whose quota is not needed any more."""

    workload: Workload
    pods: list[Json]


@dataclass(frozen=True, slots=True)
class SetPodsReady:
    """Tell whether the pods are ready."""

    workload: Workload
    condition: Condition


@dataclass(frozen=True, slots=True)
class Stop:
    """Hold the Job back: the writes of AC-336 that are still missing, in their order."""

    writes: tuple[JobWrite, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Release:
    """Give the quota of an evicted Workload back."""

    workload: Workload


@dataclass(frozen=True, slots=True)
class Evict:
    """Tell the Workload to stop, where no one else does."""

    workload: Workload
    why: Eviction


@dataclass(frozen=True, slots=True)
class Start:
    """Let the Job run with what the admission brings."""

    workload: Workload


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """Record an event on the Job."""

    reason: str
    note: str


Step: TypeAlias = (
    CreateWorkload
    | ReplaceWorkload
    | DeleteWorkloads
    | ForgetWorkload
    | NoAction
    | Await
    | Finish
    | SetReclaimable
    | SetPodsReady
    | Stop
    | Release
    | Start
    | Evict
    | RecordEvent
)
