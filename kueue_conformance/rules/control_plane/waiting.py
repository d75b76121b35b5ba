"""Pending Workloads are counted, and a Workload that fits does not wait (Q-003, Q-053, Q-370, Q-377)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...base.json_types import Json
from ..story import LATENESS, Finding, SafetyRule, Story
from ..workload import awaits_victims, conditions, is_true
from .free_quota import FreeQuota, takes, waits
from .quiet_states import rests
from .quota import uncovered_reservations

_FOR_PODS = frozenset({"Waiting", "WaitingForPodsReady"})
"""Reasons of a Workload that waits for the pods of others, where the configuration blocks admission (AC-255).
"""


def _places(local: Json) -> tuple[tuple[str, str, str], ...]:
    """Return a LocalQueue and its ClusterQueue by kind, namespace and name."""
    metadata = local["metadata"]
    return ("LocalQueue", metadata["namespace"], metadata["name"]), (
        "ClusterQueue",
        "",
        local["spec"]["clusterQueue"],
    )


def _wrong_counts(story: Story) -> Iterator[Finding]:
    """Yield the first wrong count of pending Workloads after seconds without a change.

    What backs off comes back into the queue at some time after
    its delay (VIS-507), so that its queues are not judged. The Workloads of a LocalQueue that is stopped or
    deleted go on to be counted in the ClusterQueue until its status is written again (C-10).
    """
    ends = _ends_of_local_queues(story)
    for rest in rests(story):
        # Kueue gathers updates of a queue's status and requeues for up to a second.
        if not rest.is_long:
            continue
        waiting: Counter[tuple[str, str, str]] = Counter()
        unsure: set[tuple[str, str, str]] = set()
        for _, workload in rest.all("Workload"):
            local, queue = rest.queues(workload)
            if takes(local) and waits(workload):
                places = _places(local)
                waiting.update(places)
                unsure.update(places if _backs_off(workload) else ())
        for kind in ("ClusterQueue", "LocalQueue"):
            for change, queue in rest.all(kind):
                key = kind, change.namespace, change.name
                count_in_status, there = (queue.get("status") or {}).get("pendingWorkloads"), waiting[key]
                if key in unsure or count_in_status is None or count_in_status == there:
                    continue
                if count_in_status < there or change.revision > ends.get(change.name, 0):
                    late = LATENESS.describe(rest.until - rest.at)
                    yield (
                        change,
                        f"still counts {count_in_status} pending Workloads after {late}, and there are {there}",
                    )
                    return


def _ends_of_local_queues(story: Story) -> Mapping[str, int]:
    """Return by ClusterQueue the newest revision at which one of its LocalQueues was stopped or deleted."""
    return {
        str(change.before["spec"].get("clusterQueue", "")): change.revision
        for change in story.changes
        if change.kind == "LocalQueue" and change.before and takes(change.before) and not takes(change.after)
    }


def _backs_off(workload: Json) -> bool:
    """Tell whether a Workload waits for the end of a delay, or for being put back into its queue after it."""
    # One that is evicted without having been admitted may have no condition Requeued.
    requeue_at = ((workload.get("status") or {}).get("requeueState") or {}).get("requeueAt")
    return bool(requeue_at) or conditions(workload).get("Requeued", {}).get("status") == "False"


def _missed_workloads(story: Story) -> Iterator[Finding]:
    """Yield the first Workload that has been pending for seconds though its quota is free.

    Not free is what is planned for others (AC-469). Not judged are Workloads that wait for the pods of others
    (Q-231), and the time in which an evicted Workload holds its quota: its preemptor may wait for that quota
    though another flavor has enough (Q-172, Q-229).
    """
    # Without the Cohorts it is not known what a queue may borrow.
    if story.kinds is not None and "Cohort" not in story.kinds:
        return
    for rest in rests(story):
        if rest.is_long:
            workloads = [workload for _, workload in rest.all("Workload")]
            # Quota on its way from one Workload to another is not free.
            if any(map(awaits_victims, workloads)) or any(map(_leaves, workloads)):
                continue
            # One that waits for pods blocks every other, and those behind it need not say so.
            if any(_awaits_pods(workload, workloads) for workload in workloads):
                continue
            free = FreeQuota(rest)
            for change, workload in rest.all("Workload"):
                if waits(workload) and (flavor := free.for_workload(workload)):
                    yield change, f"is pending, and its ClusterQueue has quota for it in {flavor}"
                    return


def _leaves(workload: Json) -> bool:
    """Tell whether a Workload was evicted and still holds quota."""
    return (
        is_true(workload, "Evicted")
        and is_true(workload, "QuotaReserved")
        and not is_true(workload, "Finished")
    )


def _awaits_pods(workload: Json, every: Sequence[Json]) -> bool:
    """Tell whether a Workload says that it waits for the pods of others,
    and some of these are not ready (Q-231).
    """
    return conditions(workload).get("QuotaReserved", {}).get("reason") in _FOR_PODS and any(
        is_true(workload, "Admitted")
        and not is_true(workload, "PodsReady")
        and not is_true(workload, "Finished")
        for workload in every
    )


def _as_much_as_fits(story: Story) -> Iterator[Finding]:
    yield from uncovered_reservations(story)
    yield from _missed_workloads(story)


WAITING = (
    SafetyRule(
        "Q-125",
        "reserves no more than the quota of the ClusterQueue and of its cohorts still covers, and no less",
        _as_much_as_fits,
    ),
    SafetyRule(
        "Q-370", f"counts in the status of each queue its pending Workloads, {LATENESS} late", _wrong_counts
    ),
)
