"""Wrong about the clock that orders pending Workloads, and about their positions (Q-006, Q-021, VIS-520)."""

from dataclasses import replace

from reference_impl.kueue.queueing import pending, queue_order
from reference_impl.kueue.queueing.cluster_queue import NOT_TRIED, ClusterQueue
from reference_impl.kueue.visibility.delegated.authorization import DelegatedAuthorizer
from reference_impl.kueue.workload import conditions as c

from ...killing.planes import wrong


@wrong((pending, "queue_order"))
def puts_what_is_requeued_at_the_end(_, workload, sent_back):
    """Breaks Q-006: orders by when a Workload was queued last; QUE-631[drained] must catch it."""
    return workload.queued_since


@wrong((pending, "queue_order"))
def puts_what_is_evicted_at_the_end(_, workload, sent_back):
    """Breaks Q-006: puts a Workload behind its equals after every eviction; QUE-631[preempted] must catch
    it.
    """
    return workload.since(c.EVICTED) if workload.is_evicted else workload.created


@wrong((pending.PendingWorkload, "of"))
def orders_equals_by_name(of, cls, workload, sent_back, **options):
    """Breaks Q-021: orders Workloads of the same second by their names; VSB-003 must catch it."""
    item = of(cls, workload, sent_back, **options)
    return replace(item, rank=item.rank._replace(uid=item.key))


@wrong((queue_order.QueueOrder, "page"))
def counts_local_positions_on_each_page(_, self, offset, limit):
    """Breaks VIS-520: begins each page with local position 0; VSB-080 must catch it."""
    return queue_order._count(self._slice(offset, limit), offset, {})


@wrong((ClusterQueue, "push"))
def shows_the_revision_that_did_not_fit(push, self, new, current_time):
    """Breaks Q-032: keeps the revision of a Workload that did not fit; ADM-454 must catch it."""
    old = self.entries.get(new.key)
    parked = old is not None and self._state(old) in NOT_TRIED
    if parked and not self._rules.requeue_on_check_change(old.pending, new, old.evaluated):
        return
    push(self, new, current_time)


@wrong((DelegatedAuthorizer, "authorize"))
async def asks_for_rights_in_the_whole_cluster(authorize, self, user, attributes):
    """Breaks VIS-421: asks for a right in all namespaces where one would do; VSB-051 must catch it."""
    return await authorize(self, user, replace(attributes, namespace=""))
