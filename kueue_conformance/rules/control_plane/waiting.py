"""Pending Workloads are counted, and a Workload that fits does not wait (Q-003, Q-053, Q-370, Q-377)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...base.json_types import Json
from ..story import Finding, SafetyRule, Story
from ..workload import awaits_victims, conditions, is_true
from .free_quota import FreeQuota, takes, waits
from .quota import uncovered
from .rests import rests

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


def _miscounted(story: Story) -> Iterator[Finding]:
    """Tell of the first count of those that wait that is wrong although nothing has happened for seconds.

    What backs off comes back into the queue at some time after
    its delay (VIS-507), so that its queues are not judged.
    """
    for rest in rests(story):
        if not rest.is_long:
            continue
        waiting: Counter[tuple[str, str, str]] = Counter()
        unsure: set[tuple[str, str, str]] = set()
        for _, one in rest.all("Workload"):
            local, queue = rest.queues(one)
            if takes(local) and waits(one):
                places = _places(local)
                waiting.update(places)
                unsure.update(places if conditions(one).get("Requeued", {}).get("status") == "False" else ())
        for kind in ("ClusterQueue", "LocalQueue"):
            for change, queue in rest.all(kind):
                key = kind, change.namespace, change.name
                told, there = (queue.get("status") or {}).get("pendingWorkloads"), waiting[key]
                if key not in unsure and told is not None and told != there:
                    yield change, f"still tells of {told} that wait, and there are {there}"
                    return


def _forgotten(story: Story) -> Iterator[Finding]:
    """Tell of the first Workload that has waited for seconds for quota that is free; what is planned for
    others is not (AC-469), nor what waits for their pods (Q-231), nor while one that was evicted holds its
    quota: its preemptor may wait for that, though another flavor has room (Q-172, Q-229).
    """
    if story.kinds is not None and "Cohort" not in story.kinds:
        return
    for rest in rests(story):
        if rest.is_long:
            held = [one for _, one in rest.all("Workload")]
            if any(map(awaits_victims, held)) or any(map(_leaves, held)):
                continue
            free = FreeQuota(rest)
            for change, one in rest.all("Workload"):
                if waits(one) and not _awaits_pods(one, held) and (flavor := free.for_workload(one)):
                    yield change, f"waits, and its ClusterQueue has room for it in {flavor}"
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
        is_true(one, "Admitted") and not is_true(one, "PodsReady") and not is_true(one, "Finished")
        for one in every
    )


def _as_much_as_fits(story: Story) -> Iterator[Finding]:
    yield from uncovered(story)
    yield from _forgotten(story)


WAITING = (
    SafetyRule(
        "Q-125",
        "reserves no more than the quota of the ClusterQueue and of its cohorts still covers, and no less",
        _as_much_as_fits,
    ),
    SafetyRule("Q-370", "counts in the status of each queue the Workloads that wait in it", _miscounted),
)
