"""Wrong about what pods request when the cluster adds something to them, and about the limits of a Cohort
(Q-083, Q-090…Q-092, Q-121, Q-124).
"""

from dataclasses import replace

from reference_impl.kueue.queueing import event_handlers
from reference_impl.kueue.quota import requests as quota_requests
from reference_impl.kueue.quota import tree
from reference_impl.kueue.quota.catalogue import Catalogue

from ...killing.planes import wrong


@wrong((quota_requests, "total_requests"))
def asks_again_for_reclaimed_pods(total_requests, workload):
    """Breaks Q-083: asks for all pods of a Workload that waits again, though some are done; QUE-100 must
    catch it.
    """
    status = {
        name: value for name, value in (workload.get("status") or {}).items() if name != "reclaimablePods"
    }
    return total_requests({**workload, "status": status})


@wrong((Catalogue, "set_limit_range"))
def remembers_a_deleted_limit_range(set_limit_range, self, namespace, name, obj):
    """Breaks Q-091: applies a LimitRange that is deleted; QUE-250 must catch it."""
    if obj is not None:
        set_limit_range(self, namespace, name, obj)


@wrong((event_handlers.EventHandlers, "runtime_class"))
def counts_no_overhead_of_what_waits(_, self, old, new):
    """Breaks Q-092: counts what waits with the overhead that its RuntimeClass had before; QUE-040 must
    catch it.
    """
    event_handlers._set(self._manager.catalogue.runtime_classes, (new or old)["metadata"]["name"], new)


@wrong((tree.Node, "quota"))
def reads_no_borrowing_limit_of_a_cohort(quota, self, fr):
    """Breaks Q-124: lets a Cohort borrow beyond its borrowingLimit; QUE-030 must catch it."""
    own = quota(self, fr)
    return own if self.is_queue else replace(own, borrowing_limit=None)


@wrong((tree, "guaranteed_quota"))
def reads_no_lending_limit_of_a_cohort(guaranteed_quota, node, fr):
    """Breaks Q-121: lets others borrow from a Cohort beyond its lendingLimit; QUE-030 must catch it."""
    return guaranteed_quota(node, fr) if node.is_queue else 0
