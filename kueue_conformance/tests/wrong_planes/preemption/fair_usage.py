"""Wrong about what LocalQueues have used: what counts, how long, and for whom (Q-021, Q-262, AC-045, AC-072,
AC-077; SC-047, SC-180).
"""

from dataclasses import replace
from fractions import Fraction
from itertools import count

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.queueing.queue_order import QueueOrder
from reference_impl.kueue.queueing.usage_order import UsageOrder
from reference_impl.kueue.quota.cluster_queue import ClusterQueueSpec
from reference_impl.kueue.quota.consumption import Consumption

from ...killing.planes import wrong

NUMBERS = count()


@wrong((Consumption, "usage"))
def lets_who_used_most_go_first(usage, self, local_queue):
    """Breaks Q-021: begins with the LocalQueue that has used most; QUE-230 must catch it."""
    return -usage(self, local_queue)


@wrong((QueueManager, "usage_for"))
def knows_no_usage(_, self, spec):
    """Breaks Q-021: goes by priority where it should go by usage; QUE-230 must catch it."""
    return


@wrong((Consumption, "charge"))
def charges_nothing(_, self, workload, local_queue, usage):
    """Breaks AC-045: counts a reservation with the next sample only; QUE-231 must catch it."""


@wrong((Consumption, "charge"))
def adds_up_what_is_reserved_again(charge, self, workload, local_queue, usage):
    """Breaks SC-047: charges a Workload for every reservation that it ever had; ADM-047 must catch it."""
    charge(self, f"{workload} {next(NUMBERS)}", local_queue, usage)


@wrong((QueueManager, "discharge"))
def charges_for_what_was_lost(_, self, workload):
    """Breaks SC-180: charges a LocalQueue for a Workload
    that went before its admission; QUE-235 must catch it.
    """


@wrong((Consumption, "know"))
def knows_no_weights_of_local_queues(know, self, local_queue, weight):
    """Breaks AC-072: takes all LocalQueues for equally heavy; QUE-232 must catch it."""
    know(self, local_queue, Fraction(1))


@wrong((ClusterQueueSpec, "of"))
def goes_by_usage_everywhere(of, *args):
    """Breaks AC-045: goes by usage in every ClusterQueue; QUE-233 must catch it."""
    return replace(of(*args), has_usage_based_order=True)


@wrong((Consumption, "sample"))
def remembers_the_first_sample(sample, self, local_queue, usage, current_time):
    """Breaks AC-077: never samples the usage again; QUE-234 must catch it."""
    first = self.consumption_of(local_queue)
    if first is None:
        return sample(self, local_queue, usage, current_time)
    self._consumed[local_queue] = replace(first, at=current_time)
    return self._consumed[local_queue]


@wrong((Consumption, "sample"))
def forgets_at_once(sample, self, local_queue, usage, current_time):
    """Breaks AC-077: reports the current usage; QUE-234 must catch it."""
    self._consumed.pop(local_queue, None)
    sample(self, local_queue, usage, current_time - 10**6)
    return sample(self, local_queue, usage, current_time)


@wrong((QueueManager, "usage_of"))
def preempts_without_regard_to_usage(_, self, holding):
    """Breaks Q-262: goes by age where one LocalQueue has used more; QUE-236 should catch it."""
    return 0.0


@wrong((QueueOrder, "page"))
def lists_by_priority_and_admits_by_usage(page, line, offset, limit):
    """Breaks VIS-964: lists what waits by priority where usage decides; QUE-237 must catch it."""
    return page(_rank(line) if isinstance(line, UsageOrder) else line, offset, limit)


def _rank(line):
    """Return the same Workloads in the order of their ranks."""
    ranked = QueueOrder()
    for standing in line:
        ranked.add(standing)
    return ranked


@wrong((UsageOrder, "_before"))
def counts_local_positions_from_each_page(_, self, shown):
    """Breaks VIS-523: counts the positions in a LocalQueue anew on each page of the list by usage; QUE-278
    must catch it.
    """
    return {}


@wrong((UsageOrder, "_positions"))
def lists_a_local_queue_from_the_top(right, self, local_queue, shown):
    """Breaks VIS-521: tells in the list of a LocalQueue no
    position in the ClusterQueue; QUE-278 must catch it.
    """
    return range(len(shown))


@wrong((UsageOrder, "_merge_with"))
def puts_what_comes_later_nowhere(_, self, standing):
    """Breaks VIS-964: leaves what comes and goes out of the
    list of equals until usage changes; QUE-279 must catch it.
    """
    return ()


@wrong((UsageOrder, "_slice"))
def lists_a_preemptor_before_usage(right, self, offset, limit):
    """Breaks Q-021: lists who waits for its victims first,
    whatever its LocalQueue has used; QUE-280 should catch it.
    """
    everybody = sorted(right(self, 0, len(self)), key=lambda item: item.is_behind_sticky)
    return everybody[offset : offset + limit]


@wrong((Consumption, "forget"))
def remembers_local_queues_that_are_gone(_, self, local_queue):
    """Breaks AC-077: counts for a LocalQueue what one of
    its name had used before; QUE-297 should catch it.
    """


@wrong((ClusterQueue, "order_by"))
def keeps_the_order_that_a_queue_began_with(order_by, self, usage):
    """Breaks AC-045: goes on by usage, or by priority, after the scope has changed; QUE-300 must catch it."""
    if not self.entries:
        order_by(self, usage)


@wrong((QueueManager, "usage_of"))
def asks_for_usage_that_is_forgotten(right, self, holding):
    """Breaks Q-262: asks what a LocalQueue that is gone has used; QUE-302 should catch it."""
    if self.consumption is not None and holding.local_queue not in self.queues.local_queues:
        raise LookupError(holding.local_queue)
    return right(self, holding)
