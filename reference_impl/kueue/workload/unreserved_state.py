"""What a Workload without quota says of itself from 0.20 on: why it holds none, and that it is not admitted.

KV-02, KV-03, KV-09…KV-14: the Workload controller states the cause at each pass, and leaves what the
scheduler has found until its next cycle.
"""

from __future__ import annotations

from . import conditions as c
from . import messages
from .conditions import Condition
from .decision import ApplyStatus, Decision
from .draft import StatusDraft
from .queue_state import queue_blocker
from .rules import WorkloadRules
from .unreserved import (
    BYPASSED_MESSAGE,
    OF_SCHEDULER,
    OVER,
    PENDING_EVALUATION_MESSAGE,
    UnreservedReason,
)
from .view import GATED, Workload
from .workload_context import WorkloadContext


def explain_unadmitted(
    workload: Workload, world: WorkloadContext, current_time: float, rules: WorkloadRules
) -> Decision | None:
    """Write why quota is not reserved, and why the Workload is not admitted (KV-02, KV-03)."""
    if workload.is_admitted:
        return None
    draft = StatusDraft.of(workload, current_time)
    cause = None if workload.has_quota_reservation else _cause(workload, world)
    if cause is not None:
        draft = draft.set(Condition(c.QUOTA_RESERVED, False, *cause))
    draft = rules.sync_admitted(draft, rules.admitted_reasons)
    # The admission has an event: the rule below writes it.
    if draft.is_true(c.ADMITTED) or draft.conditions == workload.conditions:
        return None
    return Decision(write=ApplyStatus(draft.status))


def _cause(workload: Workload, world: WorkloadContext) -> tuple[str, str] | None:
    """Return reason and message of QuotaReserved=False, None where nothing is to be said."""
    if not workload.is_active:
        return UnreservedReason.DEACTIVATED.value, messages.DEACTIVATED
    if workload.is_on_hold:
        return None
    # Before the queue: the rule above writes the gate whenever something else is said, and both would write
    # in turn for ever.
    if workload.gates:
        return GATED, messages.gates_message(workload.gates)
    blocker = queue_blocker(workload, world)
    if blocker is not None:
        return blocker.cause.value, blocker.message
    problem = world.admissibility_problem()
    if problem:
        return UnreservedReason.MISCONFIGURED.value, problem
    return _queued_cause(workload, world)


def _queued_cause(workload: Workload, world: WorkloadContext) -> tuple[str, str] | None:
    """Return the cause of a Workload that waits for the scheduler (KV-12, KV-13)."""
    condition = workload.condition(c.QUOTA_RESERVED)
    # What nobody has judged yet says nothing.
    if condition is None:
        return None
    if condition["reason"] in OVER:
        equal = world.equivalent_failure()
        if equal is not None:
            return equal.value, BYPASSED_MESSAGE
    if condition["reason"] in OF_SCHEDULER:
        return None
    return UnreservedReason.PENDING_EVALUATION.value, PENDING_EVALUATION_MESSAGE
