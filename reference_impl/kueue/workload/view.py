"""A Workload as the rules see it: predicates over the stored JSON, which is never changed.

AC-240…246, Q-001…Q-008.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from reference_impl.api import instants
from reference_impl.api.objects import Admission, Condition, ObjectMeta, PodSetAssignment, WorkloadStatus
from reference_impl.api.resource import Json, Key
from reference_impl.kueue.checks.entries import Checks

from . import conditions as c
from . import messages

GATED: Final = "AdmissionGated"
GATE_ANNOTATION: Final = "kueue.x-k8s.io/admission-gated-by"
JOB_UID_LABEL: Final = "kueue.x-k8s.io/job-uid"


@dataclass(frozen=True, slots=True)
class Workload:
    """One revision of a Workload."""

    object: Json
    _encoded: bytes | None = field(default=None, init=False, compare=False, repr=False)

    def encode_once(self, encode: Callable[[Workload], bytes]) -> bytes:
        """Return what `encode` makes of it, which is made once: the lists of pending Workloads show it again
        and again (VIS-961).
        """
        encoded = self._encoded
        if encoded is None:
            encoded = encode(self)
            # Kept here, and not in a table beside: nothing has to be forgotten, and nothing is there for the
            # garbage collector to look at.
            object.__setattr__(self, "_encoded", encoded)
        return encoded

    @property
    def metadata(self) -> ObjectMeta:
        """Return the metadata."""
        metadata: ObjectMeta = self.object["metadata"]
        return metadata

    @property
    def spec(self) -> Json:
        """Return the spec, empty when absent."""
        return self.object.get("spec") or {}

    @property
    def status(self) -> WorkloadStatus:
        """Return the status, empty when absent."""
        status: WorkloadStatus | None = self.object.get("status")
        return status or {}

    @property
    def namespace(self) -> str:
        """Return the namespace."""
        return str(self.metadata["namespace"])

    @property
    def name(self) -> str:
        """Return the name."""
        return str(self.metadata["name"])

    @property
    def uid(self) -> str:
        """Return its uid."""
        return str(self.metadata["uid"])

    @property
    def key(self) -> str:
        """`namespace/name`, the name of a Workload everywhere (Q-002)."""
        return f"{self.namespace}/{self.name}"

    @property
    def api_key(self) -> Key:
        """Return its name for a client."""
        return Key(self.namespace, self.name)

    @property
    def queue_name(self) -> str:
        """Return the LocalQueue it waits in."""
        return str(self.spec.get("queueName") or "")

    @property
    def generation(self) -> int:
        """Return the generation of the spec."""
        return int(self.metadata["generation"])

    @property
    def is_deleting(self) -> bool:
        """Tell whether it is being deleted."""
        return "deletionTimestamp" in self.metadata

    @property
    def is_active(self) -> bool:
        """Tell whether it wants to run at all."""
        # The API defaults it to true, but objects of older versions lack the field.
        return self.spec.get("active") is not False

    @property
    def priority(self) -> int:
        """Return the effective priority (Q-005)."""
        return int(self.spec.get("priority") or 0)

    @property
    def priority_class(self) -> str:
        """The label value of metrics; empty without a class."""
        return str((self.spec.get("priorityClassRef") or {}).get("name", ""))

    @property
    def conditions(self) -> Sequence[Condition]:
        """Return the list of conditions."""
        return self.status.get("conditions") or ()

    def condition(self, kind: str) -> Condition | None:
        """Return a condition by its type."""
        return c.find(self.conditions, kind)

    def is_true(self, kind: str) -> bool:
        """Tell whether a condition is True."""
        return c.is_true(self.conditions, kind)

    def since(self, kind: str) -> float:
        """Return when a condition that exists took its status."""
        condition = self.condition(kind)
        # Kueue falls back to the creation, so that waits of a Workload without the
        # condition are counted from there.
        return instants.parse(condition["lastTransitionTime"]) if condition else self.created

    @property
    def created(self) -> float:
        """Return when it was created."""
        return instants.parse(self.metadata["creationTimestamp"])

    @property
    def is_finished(self) -> bool:
        """Tell whether it is over."""
        return self.is_true(c.FINISHED)

    @property
    def is_admitted(self) -> bool:
        """Tell whether it may run."""
        return self.is_true(c.ADMITTED)

    @property
    def has_quota_reservation(self) -> bool:
        """Tell whether quota is set aside for it."""
        return self.is_true(c.QUOTA_RESERVED)

    @property
    def is_awaiting_victims(self) -> bool:
        """Tell whether its reservation counts on preemptions:
        the only trace of them that the API keeps (AC-440, AC-489).
        """
        condition: Json = self.condition(c.QUOTA_RESERVED)
        # The KEP has no field for this: the message is the only place that survives a
        # restart.
        return self.has_quota_reservation and messages.WAITING_FOR_PREEMPTIONS in condition["message"]

    @property
    def is_evicted(self) -> bool:
        """Tell whether it was told to give its quota back."""
        return self.is_true(c.EVICTED)

    @property
    def is_on_hold(self) -> bool:
        """Tell whether its job asked not to be queued (AC-257)."""
        return self._has_unmet("OnHold")

    @property
    def is_reported_gated(self) -> bool:
        """Tell whether its status says that it is gated (AC-299)."""
        return self._has_unmet(GATED)

    def _has_unmet(self, reason: str) -> bool:
        condition = self.condition(c.QUOTA_RESERVED)
        return condition is not None and condition["status"] == "False" and condition["reason"] == reason

    @property
    def gates(self) -> str:
        """The admission gates in the annotation; empty when there are none (AC-299)."""
        return str((self.metadata.get("annotations") or {}).get(GATE_ANNOTATION, ""))

    @property
    def is_queueable(self) -> bool:
        """Whether it may wait in a queue (Q-003); an opened gate is reported first, since otherwise the order
        of events would decide (AC-256).
        """
        return (
            self.is_active
            and not self.is_finished
            and not self.has_quota_reservation
            and not self.gates
            and not self.is_reported_gated
            and not self.is_on_hold
            and not self.is_true(c.WAITING_FOR_REPLACEMENT_PODS)
        )

    @property
    def has_counted_quota(self) -> bool:
        """Whether the cache counts it (Q-004); an evicted one still does until it is released."""
        return self.has_quota_reservation and self.is_active and not self.is_finished

    @property
    def admission(self) -> Admission | None:
        """Return the assignment of its reservation."""
        return self.status.get("admission")

    @property
    def admitted_to(self) -> str:
        """The ClusterQueue in which it has quota, empty where it has none."""
        # What a client wrote may lack the field although the schema requires it: objects of
        # older definitions stay as they were stored.
        admission = self.admission
        return "" if admission is None else admission.get("clusterQueue", "")

    @property
    def pod_set_assignments(self) -> Sequence[PodSetAssignment]:
        """What was assigned to each podSet."""
        admission = self.admission
        return () if admission is None else admission.get("podSetAssignments") or ()

    @property
    def used_flavors(self) -> frozenset[str]:
        """USED of admission.md §3.1: the flavors of every podSet assignment."""
        return frozenset(
            flavor
            for assignment in self.pod_set_assignments
            for flavor in (assignment.get("flavors") or {}).values()
        )

    @property
    def checks(self) -> Checks:
        """Return the answers of the check controllers."""
        return Checks.of(self.status)

    @property
    def requeue_at(self) -> float | None:
        """Until when it must stay out of the queue."""
        text = (self.status.get("requeueState") or {}).get("requeueAt")
        return instants.parse(text) if text else None

    @property
    def requeue_reason(self) -> str:
        """Why it may not be queued: the reason of Requeued=False, else empty."""
        condition = self.condition(c.REQUEUED)
        return str(condition["reason"]) if condition and condition["status"] == "False" else ""

    @property
    def queued_since(self) -> float:
        """From when the wait in the queue is counted (Q-008)."""
        return self.since(c.REQUEUED)

    def is_backoff_over(self, current_time: float) -> bool:
        """Tell whether it may be tried again (Q-035); the very second counts as over (Q-342)."""
        if self.requeue_reason:
            return False
        return self.requeue_at is None or current_time >= self.requeue_at
