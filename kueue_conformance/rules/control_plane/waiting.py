"""Pending Workloads are counted, and a Workload that fits does not wait (Q-003, Q-053, Q-370, Q-377)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ...numbers import amount, moment
from ..story import Finding, SafetyRule, Story
from ..workload import awaits_victims, conditions, is_true, listed
from .quota import Node, is_cyclic, tree, uncovered, used_by_queue
from .rests import Rest, rests

Json: TypeAlias = Any
_GATE = "kueue.x-k8s.io/admission-gated-by"
_HELD_BACK = frozenset({"OnHold", "AdmissionGated"})
_PLAIN_POD = {"containers", "restartPolicy"}
"""Fields of a pod that runs anywhere and asks for the sum of what its containers ask for."""
_PODS = "pods"
"""The resource of which each pod takes one where a queue counts it (Q-084)."""
_TURNED_DOWN = "The workload has failed admission checks"
"""Kueue v0.19.2 does not look again when a verdict is withdrawn before anything was reserved (AC-313)."""
_SENT_BACK = frozenset({"Retry", "Rejected"})
_FOR_PODS = frozenset({"Waiting", "WaitingForPodsReady"})
"""Reasons of a Workload that waits for the pods of others, where the configuration blocks admission (AC-255).
"""


def waits(workload: Json) -> bool:
    """Tell whether a Workload is one that belongs in a queue (Q-003)."""
    metadata, said = workload["metadata"], conditions(workload).get("QuotaReserved", {})
    return (
        workload["spec"].get("active") is not False
        and not is_true(workload, "Finished")
        and not is_true(workload, "QuotaReserved")
        and not is_true(workload, "WaitingForReplacementPods")
        and not (metadata.get("annotations") or {}).get(_GATE)
        and said.get("reason") not in _HELD_BACK
    )


def _takes(queue: Json) -> bool:
    """Tell whether a queue is there and goes on."""
    return (
        bool(queue)
        and not queue["metadata"].get("deletionTimestamp")
        and (queue["spec"].get("stopPolicy") or "None") == "None"
    )


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

    What backs off comes back into the queue at some time after its delay (VIS-507), so that its queues are
    not judged.
    """
    for rest in rests(story):
        if not rest.is_long:
            continue
        waiting: Counter[tuple[str, str, str]] = Counter()
        unsure: set[tuple[str, str, str]] = set()
        for _, one in rest.all("Workload"):
            local, queue = rest.queues(one)
            if _takes(local) and waits(one):
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
            for change, one in rest.all("Workload"):
                if waits(one) and not _awaits_pods(one, held) and (flavor := _room(rest, one, held)):
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
    """Tell whether a Workload says that it waits for the pods of others, and some of these are not ready
    (Q-231).
    """
    return conditions(workload).get("QuotaReserved", {}).get("reason") in _FOR_PODS and any(
        is_true(one, "Admitted") and not is_true(one, "PodsReady") and not is_true(one, "Finished")
        for one in every
    )


def _room(rest: Rest, workload: Json, every: Sequence[Json]) -> str:
    """Return a flavor in which a Workload fits without preemptions, empty where none is or where that cannot
    be told.

    Told only of a Workload that nothing but quota can hold back: no verdict, delay, selector, taint or limit,
    and no other Workload whose turn may come first.
    """
    local, queue = rest.queues(workload)
    if (
        not _takes(local)
        or not _takes(queue)
        or not is_true(queue, "Active")
        or not _may_be_tried(rest, workload, queue)
    ):
        return ""
    queues = tree(rest.objects, used_by_queue(every))
    node = queues.get(queue["metadata"]["name"])
    if node is None or is_cyclic(node) or not _is_next(rest, workload, every, queue, node):
        return ""
    wanted = _wanted(workload)
    if not any(
        _PODS in (group.get("coveredResources") or ()) for group in queue["spec"].get("resourceGroups") or ()
    ):
        del wanted[_PODS]
    for group in queue["spec"].get("resourceGroups") or ():
        if wanted.keys() <= set(group.get("coveredResources") or ()):
            for flavor in group.get("flavors") or ():
                if _is_plain(rest, flavor["name"]) and all(
                    value <= node.available((flavor["name"], name)) for name, value in wanted.items()
                ):
                    return str(flavor["name"])
    return ""


def _may_be_tried(rest: Rest, workload: Json, queue: Json) -> bool:
    due = ((workload.get("status") or {}).get("requeueState") or {}).get("requeueAt")
    pods = workload["spec"]["podSets"]
    return (
        not (due and moment(str(due)) > rest.at - 1)
        and (is_true(workload, "Requeued") or not conditions(workload).keys() & {"Requeued", "Evicted"})
        and not any(one.get("state") in _SENT_BACK for one in listed(workload))
        and conditions(workload).get("QuotaReserved", {}).get("message") != _TURNED_DOWN
        and queue["spec"].get("namespaceSelector") == {}
        and all(
            one["template"]["spec"].keys() <= _PLAIN_POD
            and "minCount" not in one
            and "topologyRequest" not in one
            for one in pods
        )
        and not any(rest.all("LimitRange"))
    )


def _is_next(rest: Rest, workload: Json, every: Sequence[Json], queue: Json, node: Node) -> bool:
    """Tell whether no other Workload can be tried before this one, or take what is free for a preemption of
    its own.
    """
    for one in every:
        _, other = rest.queues(one)
        if (
            one is workload
            or other is None
            or not waits(one)
            or not node.root().has(other["metadata"]["name"])
        ):
            continue
        if other is not queue or queue["spec"].get("queueingStrategy") == "StrictFIFO":
            return False
    return True


def _is_plain(rest: Rest, flavor: str) -> bool:
    spec = (rest.of("ResourceFlavor", flavor) or {"spec": {"nodeTaints": ["unknown"]}}).get("spec") or {}
    return not spec.get("nodeTaints") and not spec.get("topologyName")


def _wanted(workload: Json) -> dict[str, Fraction]:
    """Return what all pods ask for together that will still be needed."""
    status = workload.get("status") or {}
    given_back = {one["name"]: one.get("count", 0) for one in status.get("reclaimablePods") or ()}
    wanted: dict[str, Fraction] = {_PODS: Fraction(0)}
    for one in workload["spec"]["podSets"]:
        left = max(0, one.get("count", 1) - given_back.get(one["name"], 0))
        wanted[_PODS] += left
        for container in one["template"]["spec"]["containers"]:
            resources = container.get("resources") or {}
            for name, value in {
                **(resources.get("limits") or {}),
                **(resources.get("requests") or {}),
            }.items():
                wanted[name] = wanted.get(name, Fraction(0)) + amount(value) * left
    return wanted


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
