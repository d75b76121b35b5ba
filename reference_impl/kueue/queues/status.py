"""The status of a ClusterQueue and of a LocalQueue as plain values (Q-370…Q-379, AC-410…AC-438)."""

from __future__ import annotations

from collections.abc import Mapping

from ...api.resource import Json
from ...pods.amounts import render_for_status
from ..queueing.queue_manager import QueueManager
from ..quota.catalogue import Catalogue
from ..quota.cluster_queue import ClusterQueueSpec
from ..quota.cohort_trees import CohortTrees
from ..quota.resources import FlavorResource, ResourceGroups
from ..quota.shares import DominantResourceShare
from ..quota.usage_cache import QueueUsage
from ..workload.conditions import Condition, put

ACTIVE = "Active"
CANNOT_ADMIT = "Can't admit new workloads"
CAN_SUBMIT = "Can submit new workloads to localQueue"
CANNOT_SUBMIT = "Can't submit new workloads to clusterQueue"


def cluster_queue_active(catalogue: Catalogue, spec: ClusterQueueSpec) -> Condition:
    """Say whether a ClusterQueue admits; the first problem is the reason, all of
    them the message (AC-411).
    """
    if spec.is_deleting:
        return Condition(ACTIVE, False, "Terminating", f"{CANNOT_ADMIT}; clusterQueue is terminating")
    problems = catalogue.problems(spec.name)
    if not problems:
        return Condition(ACTIVE, True, "Ready", "Can admit new workloads")
    texts = ", ".join(problem.text for problem in problems)
    # Kueue's order of problems decides the reason; the message has all of them.
    return Condition(ACTIVE, False, problems[0].reason, f"{CANNOT_ADMIT}: {texts}.")


def ignore_circle(active: Condition, _trees: CohortTrees, _spec: ClusterQueueSpec) -> Condition:
    """Say nothing of cohorts that form a circle, as v0.19.2 does (QC-01)."""
    return active


def report_circle(active: Condition, trees: CohortTrees, spec: ClusterQueueSpec) -> Condition:
    """Say that a ClusterQueue admits nothing while the cohorts above it form a circle (QC-01, fixed)."""
    if not active.status or not trees.is_in_circle(spec.name):
        return active
    message = f'{CANNOT_ADMIT}: Cohort "{spec.cohort}" has a cycle in hierarchy.'
    return Condition(ACTIVE, False, "CohortCycleDetected", message)


def local_queue_active(spec: Json, cluster_queue: Json | None, ready: str = CAN_SUBMIT) -> Condition:
    """Say whether a LocalQueue takes Workloads (AC-435…438)."""
    if (spec.get("stopPolicy") or "None") != "None":
        return Condition(ACTIVE, False, "Stopped", "LocalQueue is stopped")
    if cluster_queue is None:
        return Condition(ACTIVE, False, "ClusterQueueDoesNotExist", CANNOT_SUBMIT)
    conditions = (cluster_queue.get("status") or {}).get("conditions") or ()
    if any(condition["type"] == ACTIVE and condition["status"] == "True" for condition in conditions):
        return Condition(ACTIVE, True, "Ready", ready)
    return Condition(ACTIVE, False, "ClusterQueueIsInactive", CANNOT_SUBMIT)


def cluster_queue_status(
    queue_manager: QueueManager,
    spec: ClusterQueueSpec,
    obj: Json,
    active: Condition,
    current_time: float,
    share: DominantResourceShare | None = None,
) -> Json:
    """Compose the status of a ClusterQueue; without a share one of others' making is taken out (AC-050)."""
    account = queue_manager.ledger.of_cluster_queue(spec.name)
    queue = queue_manager.queues.cluster_queues.get(spec.name)
    # Fields of other writers stay: the status is written whole, by PUT.
    rest = _without(obj, "fairSharing", *_COUNTED)
    return {
        **rest,
        "conditions": _with(obj, active, current_time),
        "pendingWorkloads": queue.pending if queue else 0,
        "reservingWorkloads": account.reserving,
        "admittedWorkloads": account.admitted,
        **_usage(spec, account, borrows=bool(spec.cohort)),
        **render_share(share),
    }


def cohort_status(obj: Json, share: DominantResourceShare | None) -> Json:
    """Compose the status of a Cohort."""
    return {**_without(obj, "fairSharing"), **render_share(share)}


def render_share(share: DominantResourceShare | None) -> Json:
    """Tell a share, if there is one (Q-376)."""
    return {} if share is None else {"fairSharing": {"weightedShare": share.weighted_share}}


def local_queue_status(
    queue_manager: QueueManager, obj: Json, cluster_queue: Json | None, active: Condition, current_time: float
) -> Json:
    """Compose the status of a LocalQueue; without its ClusterQueue there is nothing to count (AC-436)."""
    key = f"{obj['metadata']['namespace']}/{obj['metadata']['name']}"
    spec = (
        queue_manager.catalogue.cluster_queues.get((obj.get("spec") or {}).get("clusterQueue", ""))
        if cluster_queue
        else None
    )
    account = queue_manager.ledger.of_local_queue(spec.name, key) if spec else None
    return {
        **_without(obj, *_COUNTED),
        "conditions": _with(obj, active, current_time),
        "pendingWorkloads": queue_manager.queues.waiting_in(key),
        "reservingWorkloads": account.reserving if account else 0,
        "admittedWorkloads": account.admitted if account else 0,
        **(_usage(spec, account) if spec and account else {}),
    }


_COUNTED = ("flavorsReservation", "flavorsUsage")


def _without(obj: Json, *names: str) -> Json:
    return {name: value for name, value in (obj.get("status") or {}).items() if name not in names}


def _usage(spec: ClusterQueueSpec, account: QueueUsage, *, borrows: bool | None = None) -> Json:
    """Return the usage of each flavor; empty for a queue without flavors."""
    used = (account.reserved_usage, account.admitted_usage)
    lines = (flavor_usage(spec.groups, usage, borrows=borrows) for usage in used)
    return {name: line for name, line in zip(_COUNTED, lines, strict=True) if line}


def flavor_usage(
    groups: ResourceGroups, used: Mapping[FlavorResource, int], *, borrows: bool | None = None
) -> list[Json]:
    """List every configured flavor with its resources sorted (Q-373);
    `borrows` None leaves `borrowed` out (Q-378).
    """
    return [
        {
            "name": flavor,
            "resources": [
                _resource(groups, FlavorResource(flavor, name), used, borrows)
                for name in sorted(group.covered)
            ],
        }
        for group in groups.groups
        for flavor in group.flavors
    ]


def _resource(
    groups: ResourceGroups, fr: FlavorResource, used: Mapping[FlavorResource, int], borrows: bool | None
) -> Json:
    total = used.get(fr, 0)
    line = {"name": fr.resource, "total": render_for_status(fr.resource, total)}
    if borrows is None:
        return line
    # Without a cohort nothing is borrowed, even where a lowered quota is exceeded.
    over = max(0, total - groups.quotas[fr].nominal) if borrows else 0
    return {**line, "borrowed": render_for_status(fr.resource, over)}


def _with(obj: Json, condition: Condition, current_time: float) -> list[Json]:
    conditions = (obj.get("status") or {}).get("conditions") or ()
    return put(conditions, condition, obj["metadata"].get("generation"), current_time)
