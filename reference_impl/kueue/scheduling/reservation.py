"""The status a Workload gets from the scheduler: a reservation, or why there is
none (Q-232, Q-241, Q-314).
"""

from __future__ import annotations

from ...api.resource import Json
from ...pods.amounts import render_for_status
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.requests import PodSetRequests
from ..workload import conditions as c
from ..workload import messages
from ..workload.conditions import Condition
from ..workload.draft import StatusDraft
from ..workload.release import give_back
from ..workload.rules import WorkloadRules
from ..workload.unreserved import PENDING, WAITING, UnreservedReason
from ..workload.view import Workload
from . import texts
from .assignment import Assignment, PodSetAssignment

OVER_WITH_A_RESERVATION = (c.EVICTED, c.PREEMPTED, c.BLOCKED_ON_PREEMPTION_GATES)


def reserve(
    workload: Workload,
    assignment: Assignment,
    spec: ClusterQueueSpec,
    rules: WorkloadRules,
    current_time: float,
    preemptions: int,
) -> StatusDraft:
    """Write the reservation, and the admission with it when
    nothing else is waited for (AC-283, AC-284, AC-489).
    """
    admission = {
        "clusterQueue": spec.name,
        "podSetAssignments": [_pod_set_assignment(pod_set) for pod_set in assignment.pod_sets],
    }
    # With a reservation the assignment says what is used; both together would
    # contradict each other.
    draft = StatusDraft.of(workload, current_time).put("admission", admission).drop("resourceRequests")
    message = messages.with_preemptions(texts.quota_reserved(spec.name), preemptions)
    draft = draft.set(Condition(c.QUOTA_RESERVED, True, "QuotaReserved", message))
    for kind in OVER_WITH_A_RESERVATION:
        before = draft.condition(kind)
        # What is over is turned, not removed: its history stands in the message.
        if before is not None and before["status"] == "True":
            text = messages.previously(before["message"])
            draft = draft.set(Condition(kind, False, "QuotaReserved", text))
    required_checks = rules.required_checks(
        spec.checks, frozenset(spec.groups.flavors), assignment.assigned_flavors
    )
    complete = not preemptions and required_checks <= workload.checks.names
    # The same write admits where no check is to be asked: no pass in between could take
    # the quota back.
    return rules.sync_admitted(draft, rules.admitted_reasons) if complete else draft


def waiting(
    workload: Workload,
    message: str,
    pending: tuple[PodSetRequests, ...],
    rules: WorkloadRules,
    current_time: float,
    cause: UnreservedReason = UnreservedReason.PENDING_EVALUATION,
) -> StatusDraft:
    """Write why there is no reservation (AC-251), with the requests that were considered (Q-094)."""
    draft = give_back(
        StatusDraft.of(workload, current_time), rules.unreserved_reason(cause, PENDING), message, rules
    )
    return draft.put("resourceRequests", [_resource_request(requests) for requests in pending])


def block(workload: Workload, rules: WorkloadRules, current_time: float) -> StatusDraft:
    """Write that it has to wait for the pods of others (AC-255)."""
    reason = rules.unreserved_reason(UnreservedReason.WAITING_FOR_PODS_READY, WAITING)
    return give_back(StatusDraft.of(workload, current_time), reason, texts.WAITING_FOR_PODS_READY, rules)


def _pod_set_assignment(pod_set: PodSetAssignment) -> Json:
    """One podSetAssignment; what no resource group covers is in neither map (Q-177)."""
    name, requests = pod_set.requests.name, pod_set.requests
    flavors = {resource: choice.flavor for resource, choice in sorted(pod_set.flavors.items())}
    usage = {resource: render_for_status(resource, requests.requests[resource]) for resource in flavors}
    shape = {"name": name, "flavors": flavors, "resourceUsage": usage, "count": requests.count}
    return {field: value for field, value in shape.items() if value != {}}


def _resource_request(pod_set: PodSetRequests) -> Json:
    resources = {name: render_for_status(name, value) for name, value in sorted(pod_set.requests.items())}
    return {"name": pod_set.name, "resources": resources}
