"""Wrong about stop policies and strategies of queues that change (AC-306, AC-307, Q-025, Q-061)."""

from reference_impl.kueue.queueing.cluster_queue import ClusterQueue
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.workload import queue_state

from ...killing.planes import wrong


@wrong((queue_state, "_is_stopped"))
def takes_a_hold_after_a_drain_for_a_restart(_, queue):
    """Breaks AC-306: lets what a queue drained be queued once the queue is only held; ADM-084 should catch
    it.
    """
    return queue is None or queue.is_draining


@wrong((EventHandlers, "local_queue"))
def reserves_through_a_held_local_queue(local_queue, self, old, new):
    """Breaks Q-061: stops a LocalQueue that is to be drained, and not one that is held; QUE-075 must catch
    it.
    """
    local_queue(self, without_hold(old), without_hold(new))


def without_hold(queue):
    spec = (queue or {}).get("spec") or {}
    return {**queue, "spec": {**spec, "stopPolicy": "None"}} if spec.get("stopPolicy") == "Hold" else queue


@wrong((Queues, "set_cluster_queue"))
def keeps_the_first_strategy(set_cluster_queue, self, name, strategy, usage):
    """Breaks Q-025: does not follow a ClusterQueue whose strategy is changed; QUE-003 must catch it."""
    queue = self.cluster_queues.get(name)
    set_cluster_queue(self, name, strategy if queue is None else queue.strategy, usage)


@wrong((ClusterQueue, "pending"))
def counts_what_will_be_tried_as_pending(_, self):
    """Breaks Q-370: does not count what was tried in vain among the pending Workloads; QUE-044 must catch
    it.
    """
    return self.active


@wrong((Queues, "push"))
def waits_in_the_old_queue_too(push, self, pending, current_time):
    """Breaks Q-030: leaves a Workload that names another LocalQueue in the first one as well; ADM-016 must
    catch it.
    """
    self._local_queue_of.pop(pending.key, None)
    push(self, pending, current_time)
