"""Wrong about verdicts under KEP-993: what is sent back,
given up and admitted (AC-282, AC-450, AC-477, AC-482, AC-483).
"""

from functools import partial

from reference_impl.kueue.checks.entries import REJECTED, Checks
from reference_impl.kueue.scheduling import cycle, reservation
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import verdicts
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.rules import Eviction

from ...killing import planes
from ..reservations.reservation import looks_at_no_verdicts

wrong = partial(planes.wrong, dialect="kep993")


@wrong((verdicts, "evict_retried"))
def hears_no_retry_under_the_kep(_, *args):
    """Breaks AC-450: under the KEP takes no notice of a
    check that is False for a retry; ADM-204 must catch it.
    """


@wrong((verdicts, "mark_rejected_during_eviction"))
def hears_no_rejection_under_the_kep(_, *args):
    """Breaks AC-450: under the KEP takes no notice of a check that rejects; ADM-205 must catch it."""


@wrong((verdicts, "mark_rejected_during_eviction"))
def rejects_when_every_check_does(rejected, workload, *args):
    """Breaks AC-483: under the KEP gives up what every check
    has rejected, and nothing else; ADM-205 must catch it.
    """
    agreed = len(workload.checks.in_state(REJECTED)) == len(workload.checks.entries)
    return rejected(workload, *args) if agreed else None


@wrong((verdicts, "mark_rejected_during_eviction"))
def tries_again_what_is_rejected(_, workload, world, current_time, rules):
    """Breaks AC-483: under the KEP tries a Workload again
    that a check has rejected; ADM-205 must catch it.
    """
    if not workload.checks.in_state(REJECTED) or not workload.has_quota_reservation or workload.is_evicted:
        return None
    return rules.evict(
        workload, StatusDraft.of(workload, current_time), Eviction("AdmissionCheck", "rejected"), rules
    )


@wrong((reservation, "reserve"))
def reserves_first_under_the_kep(reserved, *args):
    """Breaks AC-477: under the KEP admits what has no checks by a second write; ADM-206 must catch it."""
    result = reserved(*args)
    return result.put(
        "conditions", [condition for condition in result.conditions if condition["type"] != c.ADMITTED]
    )


@wrong((Checks, "reset"))
def keeps_verdicts_under_the_kep(_, checks, current_time):
    """Breaks AC-482: under the KEP leaves what checks said at an eviction; ADM-350 must catch it."""
    return checks


@wrong((cycle.Cycle, "_nominate"))
def looks_at_no_verdicts_under_the_kep(nominate, self, head):
    """Breaks AC-282: under the KEP reserves for a Workload
    that a check has turned down; ADM-454 must catch it.
    """
    return looks_at_no_verdicts(nominate, self, head)
