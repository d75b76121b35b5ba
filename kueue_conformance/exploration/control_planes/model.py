"""A model of KEP-993 and the documents: what is allowed when everything is at rest (pure).

It shares no code with the reference implementation, and reads nothing but the objects of one moment: a row
for each statement says which Workloads, queues and Jobs contradict it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from ...base.json_types import Json
from ...stage.workloads.view import WorkloadView
from . import pods
from .amounts import Tree
from .snapshot import Snapshot

DRAINED = "HoldAndDrain"
_STOPPED = ("Hold", DRAINED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """What is not allowed: the statement by a short name, the object, what is expected, and what it is."""

    statement: str
    name: str
    expected: str
    observed: str


@dataclass(frozen=True, slots=True)
class State:
    """A snapshot, and that of the rest before it, with what is asked of it again and again."""

    snapshot: Snapshot
    before: Snapshot = field(default_factory=Snapshot)
    is_blocked: bool = False
    """Whether the configuration lets what fits wait for the pods of others (AC-255)."""
    is_open: bool = False
    """Whether a reserved flavor has left its ClusterQueue: which checks are listed depends on when Kueue
    looks at the Workload next, also when the flavor has come back (C-03).
    """

    def local_queue(self, workload: WorkloadView) -> Json:
        """Return the LocalQueue of a Workload; an empty one where there is none."""
        return self.snapshot.get("LocalQueue", workload.object["spec"].get("queueName", ""))

    def queue_of(self, workload: WorkloadView) -> Json:
        """Return the ClusterQueue that a Workload waits for or has quota of; an empty one for none."""
        reserved = (workload.admission or {}).get("clusterQueue", "")
        named = self.local_queue(workload).get("spec", {}).get("clusterQueue", "")
        return self.snapshot.get("ClusterQueue", reserved or named)

    def offers_flavors_of(self, workload: WorkloadView) -> bool:
        """Tell whether the ClusterQueue of a Workload is there, and still has its flavors."""
        groups = self.queue_of(workload).get("spec", {}).get("resourceGroups") or ()
        offered = {flavor["name"] for group in groups for flavor in group["flavors"]}
        return bool(self.queue_of(workload)) and offered.issuperset(workload.flavors())

    def has_pods(self, workload: WorkloadView) -> bool:
        """Tell whether the Job of a Workload has active pods."""
        owners = workload.object["metadata"].get("ownerReferences", ())
        jobs = [self.snapshot.get("Job", owner["name"]) for owner in owners]
        return any(job.get("status", {}).get("active") for job in jobs)

    def is_unchanged(self, kind: str, name: str) -> bool:
        """Tell whether an object was there at the rest before, and no user has changed it since."""
        before, now = self.before.get(kind, name), self.snapshot.get(kind, name)
        return bool(before) and before["metadata"].get("generation") == now["metadata"].get("generation")

    def policies(self, workload: WorkloadView) -> tuple[str, str]:
        """Return the stopPolicy of its ClusterQueue and of its LocalQueue."""
        queues = self.queue_of(workload), self.local_queue(workload)
        cluster_queue, local_queue = (queue.get("spec", {}).get("stopPolicy", "None") for queue in queues)
        return cluster_queue, local_queue

    def is_known(self, workload: WorkloadView) -> bool:
        """Tell whether its LocalQueue is there and runs: through another one Kueue finds no ClusterQueue
        (AC-376).
        """
        return bool(self.local_queue(workload)) and self.policies(workload)[1] == "None"

    def is_drained(self, workload: WorkloadView) -> bool:
        """Tell whether a queue is drained that it holds quota through."""
        cluster_queue, local_queue = self.policies(workload)
        return local_queue == DRAINED or (cluster_queue == DRAINED and self.is_known(workload))

    def required(self, workload: WorkloadView) -> frozenset[str]:
        """Return the checks that its ClusterQueue requires for its flavors: none where pods request nothing
        that needs a flavor (AC-352).
        """
        strategy = self.queue_of(workload).get("spec", {}).get("admissionChecksStrategy") or {}
        flavors = set(workload.flavors())
        return frozenset(
            check["name"]
            for check in strategy.get("admissionChecks", ())
            if flavors & set(check.get("onFlavors") or flavors)
        )


Finder = Callable[[State, WorkloadView], Iterator[tuple[str, str]]]
"""Yields what is expected of a Workload and not so, with what is observed."""


def contradictions(state: State) -> Iterator[Contradiction]:
    """Yield what is not allowed in a state at rest."""
    for workload in state.snapshot.workloads():
        # Until the delay of a Retry is over, everything stays as it is (AC-288).
        if workload.is_true("Finished") or _has_delay(workload):
            continue
        for statement, find in WORKLOADS.items():
            for expected, observed in find(state, workload):
                yield Contradiction(
                    statement=statement,
                    name=f"Workload {workload.object['metadata']['name']}",
                    expected=expected,
                    observed=f"{observed}; {workload}",
                )
    yield from _jobs(state)


def _reservation(_: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    reserved = workload.is_true("QuotaReserved")
    if reserved != bool(workload.admission):
        yield "flavors are assigned as long as quota is reserved", f"QuotaReserved is {reserved}"
    if workload.is_true("Admitted") and not reserved:
        yield "an admitted Workload has quota", "it is Admitted without"


def _eviction(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    if state.has_pods(workload):
        return  # quota is held until they have ended (AC-332)
    if workload.is_true("Evicted") and workload.is_true("QuotaReserved"):
        yield "an evicted Workload has given its quota back", "it holds quota"
    if not workload.active and not workload.holds_nothing:
        yield "an inactive Workload holds nothing", "it holds quota"
    if state.is_drained(workload) and not workload.holds_nothing:
        yield "nothing holds quota in a queue that is drained", "it holds quota"


def _verdicts(_: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    states = {entry.get("state") for entry in workload.checks.values()}
    if "Rejected" in states and workload.active:
        yield "a rejected Workload is inactive", "a check is Rejected, and it is active"
    if "Retry" in states:
        yield "an entry that was Retry is Pending again", "a check is Retry"


def _admission(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    if not workload.is_true("QuotaReserved") or not state.offers_flavors_of(workload):
        return
    if state.is_open or not state.is_known(workload):
        return
    required, listed = state.required(workload), frozenset(workload.checks)
    # A check that is no longer required may stay listed where it has let the Workload through.
    if required - listed or (listed - required and not workload.is_true("Admitted")):
        yield f"the checks {sorted(required)} are listed", f"{sorted(listed)} are"
    ready = all(entry.get("state") == "Ready" for entry in workload.checks.values())
    if ready and required == listed and not workload.is_true("Admitted"):
        yield "with quota and every check Ready it is Admitted", "it is not"


def _progress(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """Nothing waits for quota that is free for it, where no other order has to be kept."""
    queue = state.queue_of(workload)
    if state.is_blocked or not _may_be_reserved(state, workload, queue):
        return
    if queue["spec"].get("queueingStrategy") == "StrictFIFO":
        return
    if flavors := _fitting_flavors(state, workload, queue):
        yield f"it has quota: {', '.join(flavors)} has enough that is free", "it waits"


def _hold(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """Nothing gets quota through a queue that is stopped, and was before."""
    queues = ("ClusterQueue", state.queue_of(workload)), ("LocalQueue", state.local_queue(workload))
    is_held = any(
        queue.get("spec", {}).get("stopPolicy", "None") in _STOPPED
        and state.is_unchanged(kind, queue["metadata"]["name"])
        for kind, queue in queues
    )
    earlier = WorkloadView(state.before.get("Workload", workload.object["metadata"]["name"]))
    if is_held and earlier.holds_nothing and not workload.holds_nothing:
        yield "nothing gets quota in a queue that is stopped", "it has got quota"


WORKLOADS: Mapping[str, Finder] = {
    "reservation": _reservation,
    "eviction": _eviction,
    "hold": _hold,
    "verdicts": _verdicts,
    "admission": _admission,
    "progress": _progress,
}
"""The statements about a Workload that has not finished, by name."""


def _may_be_reserved(state: State, workload: WorkloadView, queue: Json) -> bool:
    """Tell whether nothing but quota keeps a Workload from a reservation."""
    if not queue or not workload.holds_nothing or not workload.active:
        return False
    if any(policy in _STOPPED for policy in state.policies(workload)):
        return False
    if queue["spec"].get("namespaceSelector"):
        return False
    actives = [
        condition["status"]
        for stored in (queue, state.local_queue(workload))
        for condition in stored.get("status", {}).get("conditions", ())
        if condition["type"] == "Active"
    ]
    # What more than CPU decides, or a default of the namespace, is not modelled.
    pod_sets = workload.object["spec"]["podSets"]
    covered = [group["coveredResources"] for group in queue["spec"].get("resourceGroups") or ()]
    if ["cpu"] not in covered or any("pods" in resources for resources in covered):
        return False
    if not all(pods.is_modelled(pod_set["template"]["spec"]) for pod_set in pod_sets):
        return False
    checks = (entry.get("state") for entry in workload.checks.values())
    return actives == ["True", "True"] and "Rejected" not in checks and not _is_deleted(queue)


def _has_delay(workload: WorkloadView) -> bool:
    return bool(workload.status.get("requeueState", {}).get("requeueAt"))


def _is_deleted(stored: Json) -> bool:
    return "deletionTimestamp" in stored["metadata"]


def _fitting_flavors(state: State, workload: WorkloadView, queue: Json) -> tuple[str, ...]:
    """Return flavors of the pod sets that have room together; none where there are none."""
    tree = Tree(state.snapshot)
    if tree.has_cycle():
        return ()
    node = tree.queues[queue["metadata"]["name"]]
    pod_sets = workload.object["spec"]["podSets"]
    amounts = [pod_set["count"] * _cpu(state, pod_set) for pod_set in pod_sets]
    possible = [[flavor for flavor in node.quotas if _suits(state, flavor, item)] for item in pod_sets]
    for flavors in product(*possible):
        needed: dict[str, int] = {}
        for flavor, amount in zip(flavors, amounts, strict=True):
            needed[flavor] = needed.get(flavor, 0) + amount
        if all(amount <= tree.free(node, flavor) for flavor, amount in needed.items()):
            return flavors
    return ()


def _cpu(state: State, pod_set: Json) -> int:
    spec = pod_set["template"]["spec"]
    return pods.cpu_of(spec, state.snapshot.get("RuntimeClass", spec.get("runtimeClassName", "")))


def _suits(state: State, flavor: str, pod_set: Json) -> bool:
    """Tell whether pods can run on the nodes of a flavor."""
    spec = state.snapshot.get("ResourceFlavor", flavor).get("spec")
    return spec is not None and pods.suits(spec, pod_set["template"]["spec"])


def _jobs(state: State) -> Iterator[Contradiction]:
    """Yield Jobs that run without an admitted Workload, and those that an admitted one does not let run."""
    admitted = {
        owner["name"]: workload.is_true("Admitted") and not workload.is_true("Evicted")
        for workload in state.snapshot.workloads()
        for owner in workload.object["metadata"].get("ownerReferences", ())
    }
    for name, job in sorted(state.snapshot.objects["Job"].items()):
        ended = any(
            condition["type"] in ("Complete", "Failed")
            for condition in job.get("status", {}).get("conditions", ())
        )
        runs = not job["spec"].get("suspend", False)
        if not ended and not _is_deleted(job) and runs != admitted.get(name, False):
            yield Contradiction(
                statement="jobs",
                name=f"Job {name}",
                expected="it runs as long as its Workload is Admitted, and no longer",
                observed=f"it {'runs' if runs else 'is suspended'}",
            )
