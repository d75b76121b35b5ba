"""Whether a Workload that waits could be admitted:
it is next, and its quota is free (Q-003, Q-053, Q-125).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from ...base.json_types import Json
from ...base.numbers import amount, moment
from ..workload import conditions, is_active, is_true, list_entries, workload_status
from .quiet_states import QuietState
from .quota import Node, is_cyclic, tree, usage_by_queue

_GATE = "kueue.x-k8s.io/admission-gated-by"
_HELD_BACK = frozenset({"OnHold", "AdmissionGated"})
_PLAIN_POD = {"containers", "restartPolicy"}
"""Fields of a pod that runs anywhere and requests the sum of its containers' requests."""
_PODS = "pods"
"""The resource of which each pod takes one where a queue counts it (Q-084)."""
_TURNED_DOWN = "The workload has failed admission checks"
"""Kueue v0.19.2 does not look again when a verdict is withdrawn before anything was reserved (AC-313)."""
_SENT_BACK = frozenset({"Retry", "Rejected"})


def waits(workload: Json) -> bool:
    """Tell whether a Workload is one that belongs in a queue (Q-003)."""
    metadata, reservation = workload["metadata"], conditions(workload).get("QuotaReserved", {})
    return (
        is_active(workload)
        and not is_true(workload, "Finished")
        and not is_true(workload, "QuotaReserved")
        and not is_true(workload, "WaitingForReplacementPods")
        and not (metadata.get("annotations") or {}).get(_GATE)
        and reservation.get("reason") not in _HELD_BACK
    )


def takes(queue: Json) -> bool:
    """Tell whether a queue is there and goes on."""
    return (
        bool(queue)
        and not queue["metadata"].get("deletionTimestamp")
        and (queue["spec"].get("stopPolicy") or "None") == "None"
    )


class FreeQuota:
    """The quota at a moment of rest, and the Workloads that wait for it."""

    def __init__(self, rest: QuietState) -> None:
        self._rest = rest

    @cached_property
    def _queues(self) -> Mapping[str, Node]:
        workloads = (workload for _, workload in self._rest.all("Workload"))
        return tree(self._rest.objects, usage_by_queue(workloads))

    @cached_property
    def _waiting(self) -> Counter[str]:
        """How many wait, by ClusterQueue."""
        counts: Counter[str] = Counter()
        for _, workload in self._rest.all("Workload"):
            _, queue = self._rest.queues(workload)
            if queue is not None and waits(workload):
                counts[queue["metadata"]["name"]] += 1
        return counts

    @cached_property
    def _is_limited(self) -> bool:
        return any(self._rest.all("LimitRange"))

    def for_workload(self, workload: Json) -> str:
        """Return a flavor in which a Workload fits without preemptions, empty where none is or where that
        cannot be told.

        Told only of a Workload that nothing but quota can hold back: no verdict, delay, selector, taint or
        limit, and no other Workload whose turn may come first.
        """
        local, queue = self._rest.queues(workload)
        if (
            not takes(local)
            or not takes(queue)
            or not is_true(queue, "Active")
            or not self._may_be_tried(workload, queue)
        ):
            return ""
        node = self._queues.get(queue["metadata"]["name"])
        if node is None or is_cyclic(node) or not self._is_next(queue, node):
            return ""
        return self._flavor(_total_requests(workload), queue["spec"].get("resourceGroups") or (), node)

    def _flavor(self, requests: dict[str, Fraction], groups: Any, node: Node) -> str:
        """Return the first flavor with all that is wanted."""
        # pods are counted only where a queue covers them, and no container requests them.
        if not any(_PODS in (group.get("coveredResources") or ()) for group in groups):
            del requests[_PODS]
        for group in groups:
            # All in one group: over several, flavors would have to be matched with each other.
            if requests.keys() <= set(group.get("coveredResources") or ()):
                for flavor in group.get("flavors") or ():
                    if self._is_plain(flavor["name"]) and all(
                        value <= node.available((flavor["name"], name)) for name, value in requests.items()
                    ):
                        return str(flavor["name"])
        return ""

    def _may_be_tried(self, workload: Json, queue: Json) -> bool:
        due = (workload_status(workload).get("requeueState") or {}).get("requeueAt")
        pods = workload["spec"]["podSets"]
        return (
            # requeueAt has whole seconds: what comes within this one may not be over.
            not (due and moment(due) > self._rest.at - 1)
            and (is_true(workload, "Requeued") or not conditions(workload).keys() & {"Requeued", "Evicted"})
            and not any(entry.get("state") in _SENT_BACK for entry in list_entries(workload))
            and conditions(workload).get("QuotaReserved", {}).get("message") != _TURNED_DOWN
            # An empty selector takes every namespace, an absent one none; others would need the
            # labels.
            and queue["spec"].get("namespaceSelector") == {}
            and all(
                pod_set["template"]["spec"].keys() <= _PLAIN_POD
                and "minCount" not in pod_set
                and "topologyRequest" not in pod_set
                for pod_set in pods
            )
            and not self._is_limited
        )

    def _is_next(self, queue: Json, node: Node) -> bool:
        """Tell whether no other Workload can be tried before one that waits in this queue, or take what is
        free for a preemption of its own.
        """
        own, root = queue["metadata"]["name"], node.root()
        # Under StrictFIFO a head that does not fit holds up all that follow.
        if queue["spec"].get("queueingStrategy") == "StrictFIFO" and self._waiting[own] > 1:
            return False
        # In a cohort the Workload of another queue may have its turn first.
        return not any(root.has(name) for name in self._waiting if name != own)

    def _is_plain(self, flavor: str) -> bool:
        # A flavor that is not there is treated as one with a taint: nothing is owed.
        there = self._rest.of("ResourceFlavor", flavor) or {"spec": {"nodeTaints": ["unknown"]}}
        spec = there.get("spec") or {}
        return not spec.get("nodeTaints") and not spec.get("topologyName")


def _total_requests(workload: Json) -> dict[str, Fraction]:
    """Return what all pods ask for together that will still be needed."""
    reclaimable = workload_status(workload).get("reclaimablePods") or ()
    reclaimed = {pod_set["name"]: pod_set.get("count", 0) for pod_set in reclaimable}
    requests: dict[str, Fraction] = {_PODS: Fraction(0)}
    for pod_set in workload["spec"]["podSets"]:
        count = max(0, pod_set.get("count", 1) - reclaimed.get(pod_set["name"], 0))
        requests[_PODS] += count
        for container in pod_set["template"]["spec"]["containers"]:
            resources = container.get("resources") or {}
            for name, value in {
                # Kubernetes takes a limit for a request that is missing; a request given goes
                # over it.
                **(resources.get("limits") or {}),
                **(resources.get("requests") or {}),
            }.items():
                requests[name] = requests.get(name, Fraction(0)) + amount(value) * count
    return requests
