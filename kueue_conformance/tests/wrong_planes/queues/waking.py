"""Wrong about what waits: what lets it be tried again, and where it may go at all (Q-032, Q-050…Q-064, Q-141,
Q-214, Q-243; AC-425).
"""

from collections import Counter

from reference_impl.kueue.queueing import event_handlers, heap, pending, queues
from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.heap import Heap
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.quota.catalogue import Catalogue
from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.scheduling import admissibility
from reference_impl.kueue.workload import kep, queue_state

from ...killing.planes import instead, wrong


@wrong((ClusterQueue, "queue_inadmissible_workloads"))
def never_wakes_what_waits(_, self, admits, current_time):
    """Breaks Q-050: never tries again what did not fit; ADM-411 must catch it."""


@wrong((queue_state, "explain_block"))
def tells_what_was_never_tried(blocked, workload, world, current_time, rules):
    """Breaks Q-243: says of a Workload that it waits for
    quota before it was tried; QUE-026 should catch it.
    """
    return blocked(workload, world, current_time, rules) or kep.set_suspended(
        workload, world, current_time, rules
    )


@wrong((ClusterQueue, "requeue"))
def parks_what_was_skipped(right, self, pending, reason, *rest):
    """Breaks Q-044: puts aside what was skipped for the sake of another,
    as if it did not fit; QUE-027 must catch it.
    """
    skipped = reason is RequeueReason.FAILED_AFTER_NOMINATION
    return right(self, pending, RequeueReason.GENERIC if skipped else reason, *rest)


@wrong((ClusterQueue, "queue_inadmissible_workloads"))
def wakes_one_alone(wake, self, admits, current_time):
    """Breaks Q-050: tries one of those again that did not fit; ADM-411 must catch it."""
    observed = []

    def first(pending):
        observed.append(pending)
        return len(observed) == 1 and admits(pending)

    return wake(self, first, current_time)


@wrong((QueueManager, "_leaves"))
def wakes_nothing_at_an_end(right, self, workload, *, was_in, gone):
    """Breaks Q-051: tries nothing again when a Workload ends; ADM-411 must catch it."""
    self.queues.delete(workload.key)
    self.ledger.remove(workload.key)


@wrong((QueueManager, "_leaves"))
def wakes_only_for_what_is_deleted(right, self, workload, *, was_in, gone):
    """Breaks Q-051: tries nothing again when a Workload finishes; ADM-411 must catch it."""
    return right(self, workload, was_in=False, gone=gone)


@wrong((QueueManager, "_holds"))
def wakes_nothing_for_what_is_given_back(_, self, old, new):
    """Breaks Q-051: tries nothing again when pods are given back; ADM-406 must catch it."""
    self.queues.delete(new.key)
    self.ledger.put(new)


@wrong((CohortTrees, "touch"))
def keeps_a_strict_head_from_another_try(_, self, name):
    """Breaks Q-051: does not try the head of a strict queue again when a ResourceFlavor changes; ADM-446
    must catch it.
    """


@wrong((pending, "requeue_on_spec_change"))
def never_looks_at_what_waits_again(_, old, new, evaluated):
    """Breaks Q-032: does not try a Workload again that was changed; ADM-403 must catch it."""
    return False


@wrong((QueueManager, "_waits"))
def keeps_quota_of_what_was_released(right, self, old, new):
    """Breaks Q-141: goes on to count what was released; ADM-415 must catch it."""
    return right(self, None, new)


@wrong((queues.Queues, "set_local_queue"))
def forgets_what_waited_for_a_local_queue(right, self, key, cluster_queue, waiting):
    """Breaks Q-062: does not take in what came before its LocalQueue; ADM-404 must catch it."""
    return right(self, key, cluster_queue, ())


@wrong((queues.Queues, "set_cluster_queue"))
def forgets_what_waited_for_a_cluster_queue(right, self, name, strategy, usage=None):
    """Breaks Q-064: does not take in what came before its ClusterQueue; ADM-404 must catch it."""
    if name not in self.cluster_queues:
        self.cluster_queues[name] = ClusterQueue(strategy, self._rules)
    self.cluster_queues[name].strategy = strategy


@wrong((Catalogue, "is_active"))
def lets_inactive_queues_admit(_, self, name):
    """Breaks AC-425: admits from queues that are not Active; ADM-094 must catch it."""
    return True


@wrong((admissibility, "matches"), (event_handlers, "matches"))
def selects_every_namespace(_, selector, labels):
    """Breaks Q-214: takes Workloads of namespaces that a queue does not select; ADM-405 must catch it."""
    return True


@wrong((event_handlers.EventHandlers, "namespace"))
def never_looks_at_namespaces_again(right, self, old, new):
    """Breaks Q-051: does not try what waits again when its namespace is selected; ADM-405 must catch it."""
    return right(self, old, new) if old is None else None


@wrong((event_handlers.EventHandlers, "flavor"))
def wakes_nothing_for_a_changed_flavor(flavor, self, old, new):
    """Breaks Q-051: tries nothing again when a ResourceFlavor changes; ADM-446 must catch it."""
    if old is not None and new is not None:
        self._manager.catalogue.flavors[new["metadata"]["name"]] = new
    flavor(self, old, new)


@wrong((event_handlers.EventHandlers, "flavor"))
def keeps_flavors_as_they_were_first(flavor, self, old, new):
    """Breaks Q-156: tries by the ResourceFlavor of before; ADM-446 must catch it."""
    return flavor(self, old, new if old is None or new is None else {**new, "spec": old.get("spec")})


instead(
    pending,
    "SHAPING",
    (),
    "Breaks Q-009: parks what asks for as much on other nodes beside what does not fit; QUE-285 must catch it.",
    called="takes_other_nodes_for_the_same",
)


@wrong((Heap, "unshelve"))
def lets_one_speak_for_all_its_equals(right, heap, admits):
    """Breaks Q-050: tries no equals again where one of them may not be; QUE-294 must catch it."""
    firsts = [group.first() for groups in heap._shelves.values() for group in groups.values()]
    if all(admits(first.pending) for first in firsts if first is not None):
        right(heap, admits)


@wrong((pending, "_scheduling_hash"))
def takes_all_that_ask_for_as_much_for_equals(_, workload, requests):
    """Breaks Q-009: tries none that asks for as much in another form; QUE-299 may catch it."""
    total = Counter()
    for request in requests:
        total.update(request.requests)
    spec = [
        {key: pod_set["template"]["spec"].get(key) for key in ("nodeSelector", "affinity", "tolerations")}
        for pod_set in workload.spec["podSets"]
    ]
    return repr((workload.priority, sorted(total.items()), spec))


@wrong((event_handlers.EventHandlers, "_count_again"))
def counts_once_what_the_cluster_adds(_, self, concerned):
    """Breaks Q-092: counts what waits by the RuntimeClasses
    and LimitRanges of when it came; QUE-303 must catch it.
    """


@wrong((heap, "_unite"))
def loses_equals_that_came_meanwhile(_, groups, kin, group):
    """Breaks Q-050: forgets which equals wait already when
    others are to be tried again; QUE-304 must catch it.
    """
    groups[kin] = group
    return group


def was_reserved_alone(workload):
    """Tell whether quota was reserved for a Workload that was not admitted."""
    return workload is not None and workload.has_quota_reservation and not workload.is_admitted


@wrong((QueueManager, "_waits"), dialect="v0.20")
def wakes_nothing_when_a_reservation_is_released(waits, self, old, new):
    """Breaks Q-051: tries nothing again when a Workload that was not admitted loses its reservation;
    QUE-633 must catch it.
    """
    waking = {*self._waking}
    waits(self, old, new)
    if was_reserved_alone(old):
        self._waking = waking


_RESERVED = {}


@wrong((QueueManager, "workload"), (QueueManager, "_leaves"))
def wakes_nothing_when_a_reserved_workload_leaves(right, self, *args, **kwargs):
    """Breaks Q-051: tries nothing again when a Workload that was not admitted is deleted or ends;
    QUE-625[deleted-workload-BestEffortFIFO] must catch it.
    """
    if right.__name__ == "workload":
        _RESERVED["alone"] = was_reserved_alone(args[0])
        return right(self, *args)
    waking = {*self._waking}
    right(self, *args, **kwargs)
    self._waking = waking if _RESERVED["alone"] else self._waking
    return None


@wrong((QueueManager, "wake_now"))
def wakes_no_queue_of_the_cohort(_, self):
    """Breaks Q-050: tries again in the ClusterQueue where quota came free, and not in its cohort;
    QUE-625 must catch it.
    """
    woken, self._waking = self._waking, set()
    for name in woken:
        self.queues.wake(name, lambda pending, name=name: self._admits(name, pending), self._now())
    self.listener.work()


@wrong((QueueManager, "wake_now"))
def wakes_the_cohort_alone(_, self):
    """Breaks Q-050: tries again in the other ClusterQueues of a cohort, and not where quota came free;
    QUE-625 must catch it.
    """
    woken, self._waking = self._waking, set()
    members = {member for name in woken for member in self.ledger.cohort_trees.members(name)}
    for name in members - (woken if len(members) > 1 else set()):
        self.queues.wake(name, lambda pending, name=name: self._admits(name, pending), self._now())
    self.listener.work()


@wrong((UsageCache, "remove"))
def goes_on_counting_what_was_never_admitted(remove, self, key):
    """Breaks Q-141: goes on to count a reservation that ended before its Workload was admitted;
    QUE-625 must catch it.
    """
    holding = self.holdings.get(key)
    if holding is None or holding.workload.is_admitted:
        remove(self, key)


@wrong((QueueManager, "_leaves"), (QueueManager, "_waits"))
def goes_on_counting_behind_a_stopped_local_queue(right, self, *args, **kwargs):
    """Breaks BUG-166: goes on to count what was held behind a LocalQueue that is stopped;
    QUE-632 may catch it.
    """
    workload = args[-1]
    if f"{workload.namespace}/{workload.queue_name}" in self.queues.local_queues:
        right(self, *args, **kwargs)
