"""A model of KEP-993 and the documents: what is allowed when everything is at rest (pure).

It shares no code with the reference implementation, and reads nothing but the objects of one moment and of
the rest before it: each statement says which Workloads, queues and Jobs contradict it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...base.numbers import moment
from ...stage.workloads.view import WorkloadView
from .fitting import suits
from .pods import selects_flavors
from .state import STOPPED, Contradiction, State
from .statements.assignments import amounts, first_flavor
from .statements.evictions import end_of_retry
from .statements.jobs import jobs
from .statements.jobs_and_workloads import follows_job
from .statements.kep_993 import kep_holds, kep_preemptions, kep_victims
from .statements.pending_lists import counts, pending
from .statements.provisioning import provisioning
from .statements.queues import guards, queues
from .statements.selectors import selection
from .statements.shares import shares
from .statements.transitions import frame, transitions
from .statements.victims import victims
from .statements.waiting import order, progress

Finder = Callable[[State, WorkloadView], Iterator[tuple[str, str]]]
"""Yields what is expected of a Workload and not so, with what is observed."""
_REQUEUED = ("AdmissionCheck", "ClusterQueueStopped", "LocalQueueStopped", "PodsReadyTimeout", "Preempted")
"""Reasons of evictions behind which a Workload is tried again by itself."""
_EPOCH = "1970-01-01T00:00:00Z"
_LIMIT_SECONDS = 10.0
"""How long behind the end of a time limit Kueue may take to see it."""


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
    if state.has_lost_flavor or not state.is_known(workload):
        return
    required, listed = state.required_checks(workload), frozenset(workload.checks)
    # A check that is no longer required may stay listed where it has let the Workload through.
    if required - listed or (listed - required and not workload.is_true("Admitted")):
        yield f"the checks {sorted(required)} are listed", f"{sorted(listed)} are"
    ready = all(entry.get("state") == "Ready" for entry in workload.checks.values())
    if ready and required == listed and not workload.is_true("Admitted"):
        yield "with quota and every check Ready it is Admitted", "it is not"


def _placement(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """The flavors of a new reservation have nodes on which the pods can run (Q-156…Q-159)."""
    if not state.earlier(workload).holds_nothing:
        return
    pod_sets = {item["name"]: item for item in workload.object["spec"]["podSets"]}
    for assignment in (workload.admission or {}).get("podSetAssignments", ()):
        pod_set = pod_sets.get(assignment["name"])
        if pod_set is None or not selects_flavors(pod_set["template"]["spec"]):
            continue
        for flavor in sorted({*assignment.get("flavors", {}).values()}):
            if state.snapshot.get("ResourceFlavor", flavor) and not suits(state, flavor, pod_set):
                yield (
                    f"pods of {assignment['name']} can run on the nodes of their flavors",
                    f"not of {flavor}",
                )


def _is_only_reserved(state: State, workload: WorkloadView) -> bool:
    is_admitted = workload.is_true("Admitted") or workload.is_true("Evicted")
    return workload.is_true("QuotaReserved") and not is_admitted and not state.has_pods(workload)


def _hold(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """Nothing gets quota through a queue that is stopped, and was before."""
    queues = ("ClusterQueue", state.queue_of(workload)), ("LocalQueue", state.local_queue(workload))
    is_held = any(
        queue.get("spec", {}).get("stopPolicy", "None") in STOPPED
        and state.is_unchanged(kind, queue["metadata"]["name"])
        for kind, queue in queues
    )
    if is_held and state.is_known(workload) and _is_only_reserved(state, workload):
        yield "nothing that is not Admitted holds quota through a queue that is stopped (AC-301)", "it does"
    if is_held and state.earlier(workload).holds_nothing and not workload.holds_nothing:
        yield "nothing gets quota in a queue that is stopped", "it has got quota"
    cluster_queue, local_queue = state.policies(workload)
    is_stopped = local_queue in STOPPED or (cluster_queue in STOPPED and state.is_known(workload))
    # AC-301, AC-304
    if is_stopped and workload.is_true("QuotaReserved") and not workload.is_true("Admitted"):
        yield "what is not Admitted has no quota in a queue that is stopped", "it holds quota"


def _resets(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """The entries of an evicted Workload are Pending (AC-340)."""
    if not state.facts.get("reset-on-eviction") or not workload.is_true("Evicted"):
        return
    decided = [name for name, entry in workload.checks.items() if entry.get("state") != "Pending"]
    if decided and not workload.is_true("QuotaReserved"):
        yield "the entries of an evicted Workload are Pending", f"{', '.join(sorted(decided))} is not"


def _requeue(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """What may be tried again is Requeued, when its delay is over and its queues run (AC-290, AC-306)."""
    condition = workload.condition("Requeued")
    if not state.facts.get("requeued-condition") or condition.get("status") != "False":
        return
    reason = condition.get("reason", "")
    if reason in _REQUEUED and state.is_waiting(workload):
        yield "what waits in queues that run is Requeued", f"Requeued is False ({reason})"


def _time_limit(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """What was admitted for longer than its time limit is inactive (AC-317)."""
    limit = workload.object["spec"].get("maximumExecutionTimeSeconds")
    # Releases that know no delay of a Retry know no time limit either.
    if not limit or state.facts.get("retry-delay", "none") == "none" or not workload.is_true("Admitted"):
        return
    since = moment(str(workload.condition("Admitted").get("lastTransitionTime", "")))
    # The time of earlier admissions counts (AC-129).
    rest = limit - workload.status.get("accumulatedPastExecutionTimeSeconds", 0)
    if workload.active and state.time > since + max(0, rest) + _LIMIT_SECONDS:
        yield (
            f"it is inactive after {limit} s",
            f"it has been Admitted for {limit - rest + state.time - since:.0f} s",
        )


def _deactivation(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """An inactive Workload is Evicted, as one that was deactivated (AC-293)."""
    if workload.active or not state.facts.get("requeued-condition") or state.has_pods(workload):
        return
    if not workload.is_true("Evicted"):
        yield "an inactive Workload is Evicted", "it is not"


def _delay(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """The delay of a Workload lasts as long as that of the last of its checks (AC-288)."""
    ends = [end for entry in workload.checks.values() if (end := end_of_retry(entry))]
    is_held = workload.is_true("QuotaReserved") and not workload.is_true("Evicted") and workload.active
    if not ends or not is_held or not state.holds("0.19") or max(ends) <= state.time:
        return
    at, before = (
        moment(str(view.status.get("requeueState", {}).get("requeueAt") or _EPOCH))
        for view in (workload, state.earlier(workload))
    )
    # A delay is never shortened.
    if at != max(*ends, before):
        yield (
            f"requeueAt is {max(ends) - state.time:.0f} s from now",
            f"it is {at - state.time:.0f} s from now",
        )


def _delay_removal(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """A delay that is over is removed when the Workload may be tried again (AC-322)."""
    at = workload.status.get("requeueState", {}).get("requeueAt")
    if at and state.is_waiting(workload):
        yield "a delay that is over is removed", f"requeueAt is {at}"


WORKLOADS: Mapping[str, Finder] = {
    "reservation": _reservation,
    "eviction": _eviction,
    "placement": _placement,
    "amounts": amounts,
    "first-flavor": first_flavor,
    "hold": _hold,
    "namespaces": selection,
    "verdicts": _verdicts,
    "admission": _admission,
    "resets": _resets,
    "requeue": _requeue,
    "delay": _delay_removal,
    "time-limit": _time_limit,
    "deactivation": _deactivation,
    "progress": progress,
    "order": order,
    "kep-holds": kep_holds,
    "kep-preemptions": kep_preemptions,
    "follows-job": follows_job,
}
"""The statements about a Workload that has not finished, by name."""
_DELAYED: Mapping[str, Finder] = {
    "reservation": _reservation,
    "requeue-time": _delay,
    "kep-holds": kep_holds,
}
"""Those about one whose delay is not over."""


_SINCE_0_9 = frozenset({"admission", "eviction", "first-flavor", "order", "progress", "verdicts"})
"""The statements that do not hold of older releases: they reset no entries, forget what waits, and know no
checks of some flavors alone.
"""


def contradictions(state: State) -> Iterator[Contradiction]:
    """Yield what is not allowed in a state at rest."""
    # The model is that of the documents from 0.9 on: what an older release does otherwise is none.
    is_old = state.dialect and state.dialect.is_release and not state.holds("0.9")
    excepted = _SINCE_0_9 if is_old else frozenset()
    yield from (item for item in _contradictions(state) if item.statement not in excepted)


def _contradictions(state: State) -> Iterator[Contradiction]:
    for workload in state.snapshot.workloads():
        # Until the delay of a Retry is over, everything stays as it is (AC-288).
        if workload.is_true("Finished"):
            continue
        finders = _DELAYED if state.is_delayed(workload) else WORKLOADS
        for statement, find in finders.items():
            for expected, observed in find(state, workload):
                yield Contradiction(
                    statement=statement,
                    name=f"Workload {workload.object['metadata']['name']}",
                    expected=expected,
                    observed=f"{observed}; {workload}",
                )
    yield from jobs(state)
    yield from queues(state)
    yield from guards(state)
    yield from shares(state)
    yield from transitions(state)
    yield from frame(state)
    yield from victims(state)
    yield from kep_victims(state)
    yield from provisioning(state)
    yield from pending(state)
    yield from counts(state)
