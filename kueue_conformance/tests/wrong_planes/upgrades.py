"""Wrong about what a control plane of another release left behind."""

from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.scheduling.scheduler import Scheduler
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import unreserved_state
from reference_impl.kueue.workload.view import Workload

from ..killing.planes import wrong
from .honest_mistakes.spent_time import with_status

OLD_REASONS = ("Pending", "Inadmissible")


def unreserved_reason(workload):
    """Return the reason of QuotaReserved=False, None without one."""
    condition = workload.condition(c.QUOTA_RESERVED) or {}
    return condition.get("reason") if condition.get("status") == "False" else None


@wrong((Scheduler, "_reserve"), dialect="v0.20")
def reserves_nothing_in_any_release(_, scheduler, head, *__):
    """Breaks AC-283: reserves no quota, neither before an upgrade nor behind it; UPG-020 must catch it."""


@wrong((QueueManager, "workload"), dialect="v0.20")
def counts_reservations_of_its_own_words(workload, self, old, new):
    """Breaks KV-03: a reservation without Admitted=False, as older releases leave it, is none to it;
    UPG-016 must catch it.
    """
    if old is None and new and new.has_quota_reservation and new.condition(c.ADMITTED) is None:
        new = Workload(with_status(new, "conditions", []).object)
    workload(self, old, new)


@wrong((unreserved_state, "explain_unadmitted"), dialect="v0.20")
def leaves_old_words(explain, workload, *args):
    """Breaks KV-12: writes no new reason where an older release wrote one; UPG-141 should catch it."""
    return None if unreserved_reason(workload) in OLD_REASONS else explain(workload, *args)


@wrong((unreserved_state, "explain_unadmitted"), dialect="v0.20")
def leaves_the_old_reason_of_a_lost_admission(explain, workload, *args):
    """Breaks KV-04: a Workload that an older release has evicted goes on to say so in its words;
    UPG-101 should catch it.
    """
    admitted = workload.condition(c.ADMITTED) or {}
    return None if admitted.get("reason") == "NoReservationUnsatisfiedChecks" else explain(workload, *args)
