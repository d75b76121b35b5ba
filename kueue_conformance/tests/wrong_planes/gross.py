"""Wrong in everything: what does one thing only is seen by most scenarios (N-04)."""

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.queueing.strategies import RequeueReason
from reference_impl.kueue.scheduling.entry import Requeue
from reference_impl.kueue.scheduling.scheduler import Scheduler

from ..killing.planes import wrong


@wrong((Scheduler, "_reserve"))
def reserves_nothing(_, scheduler, head, *__):
    """Breaks AC-283: never reserves quota; ADM-200 must catch it."""
    scheduler._wait(Requeue(head, RequeueReason.GENERIC, "there is no quota"))


@wrong((Checks, "are_all_ready"), (Checks, "in_state"), (Checks, "retry_deadline"))
def hears_no_verdict(right, checks, *_):
    """Breaks AC-285: takes no notice of what checks say; ADM-201 must catch it."""
    return {"are_all_ready": not checks.entries, "in_state": (), "retry_deadline": None}[right.__name__]


@wrong((Checks, "are_all_ready"))
def admits_whatever_checks_say(_, checks):
    """Breaks AC-285: admits everything as soon as quota is reserved; ADM-201 must catch it."""
    return True
