"""Wrong about what is counted, gathered and tried again: attempts, turns after a time-out, retries, other
checks (Q-006, Q-053, Q-313, Q-340).
"""

from dataclasses import replace

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.queueing import event_handlers, pending
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.quota.usage_cache import QueueUsage

from ...killing.planes import wrong


@wrong((QueueUsage, "book"))
def counts_reservations_as_admissions(book, self, holding, sign):
    """Breaks Q-371: counts what waits for its checks as admitted; QUE-187 should catch it."""
    book(self, replace(holding, is_admitted=True), sign)


@wrong((QueueManager, "wake_trees"))
def gathers_no_changes(wake_trees, self, names):
    """Breaks Q-053: has what does not fit looked at for every single change; QUE-188 should catch it."""
    wake_trees(self, names)
    self.wake_now()


@wrong((EventHandlers, "namespace"))
def looks_again_at_any_label_of_a_namespace(right, self, old, new):
    """Breaks Q-051: has what does not fit looked at whenever
    labels of a namespace change; QUE-340 may catch it.
    """
    right(self, old, new)
    self._requeue_referring([*self._manager.catalogue.cluster_queues])


@wrong((EventHandlers, "cohort"))
def looks_again_when_a_cohort_ends(right, self, old, new):
    """Breaks Q-066: has what does not fit looked at when the
    object of its cohort is deleted; QUE-340 may catch it.
    """
    names = {*self._manager.ledger.cohort_trees.cohort_members((new or old)["metadata"]["name"])}
    right(self, old, new)
    if new is None:
        self._manager.wake_trees(names)


@wrong((event_handlers, "_has_changed"))
def looks_again_at_any_write_of_a_queue(*_):
    """Breaks Q-051: takes labels and statuses of queues and cohorts for changes; QUE-340 may catch it."""
    return True


@wrong((QueueManager, "wake_now"))
def looks_at_nothing_again(wake_now, self):
    """Breaks Q-050: never looks at parked Workloads again, whatever changes; QUE-188 should catch it."""
    self._waking.clear()


@wrong((pending, "queue_order"))
def knows_the_time_of_creation_only(_, workload, sent_back):
    """Breaks Q-006: lets in again what was not ready in time
    before those that came later; QUE-189 must catch it.
    """
    return workload.created


@wrong((Checks, "retry_deadline"))
def knows_no_delays(_, self):
    """Breaks Q-340: reserves quota at once whatever delay a check asks for; QUE-190 must catch it."""
    return


@wrong((Checks, "sync"))
def keeps_the_checks_of_before(synced, self, required, current_time):
    """Breaks Q-313: adds checks to what has a reservation, and takes none away; QUE-191 must catch it."""
    return synced(self, {*required, *self.names}, current_time)
